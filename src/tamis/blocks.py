"""The papers' segmentations: each is one function from a Document to Blocks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tamis.arrays import Floats, Ints
from tamis.document import Document, tags

_IS_LINK = tags.lookup("a")


@dataclass(frozen=True, eq=False)
class Blocks:
    """Runs of visible text leaves. Leaf `leaves[i]` belongs to block `block[i]`."""

    document: Document
    leaves: Ints  # rows of the document's leaves, ascending
    block: Ints  # number of the block of each of them, ascending from 0

    def __len__(self) -> int:
        return int(self.block[-1]) + 1 if len(self.block) else 0

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block, white space folded, a space between its leaves."""
        parts: list[list[str]] = [[] for _ in range(len(self))]
        for leaf, block in zip(self.leaves.tolist(), self.block.tolist(), strict=True):
            parts[block].append(self.document.leaves.text[leaf])
        return [" ".join(" ".join(part).split()) for part in parts]

    @cached_property
    def first_leaf(self) -> Ints:
        """The row of the first leaf of each block."""
        return self.leaves[np.searchsorted(self.block, np.arange(len(self)))]

    def to_leaves(self, values: Floats, outside: float) -> Floats:
        """Spread one value a block over the page's leaves; leaves in no block get `outside`."""
        spread = np.full(len(self.document.leaves), outside)
        spread[self.leaves] = values[self.block]
        return spread


def atomic_text_blocks(document: Document) -> Blocks:
    """Boilerpipe §4.1: character data between tags, where every tag but A separates."""
    elements, all_leaves = document.elements, document.leaves
    leaves = all_leaves.visible_text
    is_link = _IS_LINK[elements.code]
    # Two leaves share a block when no tag but A opened or closed between them. One that opened
    # shows in the running count of elements, one that closed in the element that holds the leaf.
    opened = np.cumsum(~is_link)[all_leaves.opened[leaves]]
    holder = elements.nearest(~is_link, all_leaves.element[leaves])
    begins = np.zeros(len(leaves), dtype=np.int32)
    begins[1:] = (opened[1:] != opened[:-1]) | (holder[1:] != holder[:-1])
    return Blocks(document, leaves, begins.cumsum(dtype=np.int32))
