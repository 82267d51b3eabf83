"""What is known about a page as YAML front matter, as Obsidian, Hugo and Jekyll read it.

Texts are double-quoted, so that no title or name is read as anything else ("no" is Norwegian and not false). Days and
numbers are plain. Tags have no spaces, which Obsidian does not allow. The address is `source`: for Hugo, `url` would be
the place of the note on the reader's own site.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# What YAML does not take as it is, or takes as the end of a line; and what a renderer of Markdown that knows no front
# matter could read as markup.
_ESCAPED = re.compile("[^ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[<\\[`]")


def front_matter(facts: Mapping[str, object]) -> str:
    """The facts that have a value, between two lines of hyphens; several values of one are a list."""
    lines: list[str] = []
    for key, value in facts.items():
        if isinstance(value, Sequence) and not isinstance(value, str):
            lines += [f"{key}:", *(f"  - {_scalar(each)}" for each in value)] if value else []
        elif value not in (None, ""):
            lines.append(f"{key}: {_scalar(value)}")
    return "\n".join(["---", *lines, "---", ""])


def _scalar(value: object) -> str:
    if not isinstance(value, str):
        return str(value)
    if _DAY.fullmatch(value):
        return value
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
