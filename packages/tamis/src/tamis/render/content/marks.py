"""What the elements of a page are, beside what their tags say: the answer of a recogniser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tamis.render.content.node import Child, Node
from tamis.render.content.source import Source


@dataclass(frozen=True)
class Marks:
    """Findings about elements, by their rows in the document.

    A row in `replaced` is written as the node given; what is in it is not read. A row in `named` is written with the
    name and attributes of the node given, and what is in it as usual. Of a node without a name only the content is
    written. A row in `skipped` is not written at all. `text` is what plain text shows for a replaced row, if it is not
    the text of its node. `trimmed` is what is left of the text of a leaf, by its row of the leaves, where a mark in it
    says what something else says already. `split` are the texts and nodes that are written for a leaf.
    """

    replaced: dict[int, Node] = field(default_factory=dict)
    named: dict[int, Node] = field(default_factory=dict)
    skipped: frozenset[int] = frozenset()
    text: dict[int, str] = field(default_factory=dict)
    trimmed: dict[int, str] = field(default_factory=dict)
    split: dict[int, list[Child]] = field(default_factory=dict)

    def __or__(self, other: Marks) -> Marks:
        """Both; where they differ, the left side."""
        return Marks(
            {**other.replaced, **self.replaced},
            {**other.named, **self.named},
            self.skipped | other.skipped,
            {**other.text, **self.text},
            {**other.trimmed, **self.trimmed},
            {**other.split, **self.split},
        )


Recogniser = Callable[[Source], Marks | None]


def marks(source: Source, recognisers: Sequence[Recogniser]) -> Marks:
    """What the recognisers find."""
    found = Marks()
    for recognise in recognisers:
        if more := recognise(source):
            found |= more
    return found
