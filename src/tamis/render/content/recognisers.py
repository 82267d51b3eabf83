"""All recognisers, and what they find together."""

from __future__ import annotations

from collections.abc import Callable

from tamis.render.content.callouts import callouts
from tamis.render.content.marks import Marks
from tamis.render.content.notes import notes
from tamis.render.content.source import Source

# Each looks at its cues first: most pages have none of them. The first that knows a row wins.
RECOGNISERS: tuple[Callable[[Source], Marks | None], ...] = (notes, callouts)


def marks(source: Source) -> Marks:
    """What all recognisers find."""
    found = Marks()
    for recognise in RECOGNISERS:
        if more := recognise(source):
            found |= more
    return found
