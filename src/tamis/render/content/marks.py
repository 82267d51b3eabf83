"""What the elements of a page are, beside what their tags say: the answers of all recognisers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tamis.document import Document, parse
from tamis.render.content.node import Node
from tamis.render.content.source import Source


@dataclass(frozen=True)
class Marks:
    """Findings about elements, by their rows in the document.

    A row in `replaced` is written as the node given; what is in it is not read. A row in `named` is written with the
    name and attributes of the node given, and what is in it as usual. A row in `skipped` is not written at all. `text`
    is what plain text shows for a replaced row, if it is not the text of its node.
    """

    replaced: dict[int, Node] = field(default_factory=dict)
    named: dict[int, Node] = field(default_factory=dict)
    skipped: frozenset[int] = frozenset()
    text: dict[int, str] = field(default_factory=dict)

    def __or__(self, other: Marks) -> Marks:
        """Both; where they differ, the left side."""
        return Marks(
            {**other.replaced, **self.replaced},
            {**other.named, **self.named},
            self.skipped | other.skipped,
            {**other.text, **self.text},
        )


# Without one of these tags nothing changes in plain text. The parser finds the elements of a tag at once.
_CUES = ("sup", "sub", "q", "rt", "math", "mjx-container", "pre")

# Each looks at its cues first: most pages have none of them. The first that knows a row wins.
RECOGNISERS: tuple[Callable[[Source], Marks | None], ...] = ()


def has_cues(document: Document) -> bool:
    """May the recognisers find anything that plain text shows otherwise?"""
    return any(parse.select(document.tree, tag) for tag in _CUES)


def marks(source: Source) -> Marks:
    """What all recognisers find."""
    found = Marks()
    for recognise in RECOGNISERS:
        if more := recognise(source):
            found |= more
    return found
