"""Which of many texts hold one of some words. They are searched as one: most hold none."""

from __future__ import annotations

from collections.abc import Iterable

BORDER = "\0"  # between texts; no attribute and no text of a parsed page holds it


def holders(joined: str, cues: Iterable[str], most: int | None = None) -> list[int]:
    """The numbers of the texts, joined by BORDER, that hold one of the cues; `most` of them, if there are more."""
    found: set[int] = set()
    for cue in [cue for cue in cues if cue in joined]:
        number = end = 0
        while end >= 0 and (most is None or len(found) < most) and (start := joined.find(cue, end)) >= 0:
            number += joined.count(BORDER, end, start)
            found.add(number)
            end = joined.find(BORDER, start)
    return sorted(found)
