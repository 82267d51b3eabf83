"""The segmentation of boilerpipe (2010), §4.1: a Document cut into atomic text blocks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tamis.arrays import Floats, Ints
from tamis.cached import cached_property
from tamis.document import Document, tags

_IS_LINK = tags.lookup("a")


@dataclass(frozen=True, eq=False)
class Blocks:
    """Runs of visible text leaves. Leaf `leaves[i]` belongs to block `block[i]`."""

    document: Document
    leaves: Ints  # rows of the document's leaves, ascending
    block: Ints  # (leaves,) the number of its block, ascending from 0
    bounds: Ints  # (blocks + 1,) the first position of each block in `leaves`, and at the end their number

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block, white space folded, a space between its leaves."""
        texts = [self.document.leaves.text[leaf] for leaf in self.leaves.tolist()]
        return [" ".join(" ".join(texts[first:stop]).split()) for first, stop in pairwise(self.bounds.tolist())]

    @cached_property
    def first_leaf(self) -> Ints:
        """The row of the first leaf of each block."""
        return self.leaves[self.bounds[:-1]]

    def to_leaves(self, values: Floats, outside: float) -> Floats:
        """Spread one value a block over the page's leaves; leaves in no block get `outside`."""
        spread = np.full(len(self.document.leaves), outside)
        spread[self.leaves] = values[self.block]
        return spread


def atomic_text_blocks(document: Document) -> Blocks:
    """§4.1: a block is the text between two tags; every tag except A separates."""
    elements, all_leaves = document.elements, document.leaves
    leaves = all_leaves.visible_text
    is_link = _IS_LINK[elements.code]
    # Two leaves share a block if no tag except A opens or closes between them. An opening tag changes
    # the running count of elements, a closing tag the element that holds the leaf.
    opened = np.cumsum(~is_link)[all_leaves.opened[leaves]]
    holder = elements.nearest(~is_link, all_leaves.element[leaves])
    begins = np.ones(len(leaves), dtype=np.bool_)
    begins[1:] = (opened[1:] != opened[:-1]) | (holder[1:] != holder[:-1])
    block = begins.cumsum()
    bounds = np.full(int(block[-1]) + 1 if len(leaves) else 1, len(leaves))
    bounds[:-1] = np.flatnonzero(begins)
    return Blocks(document, leaves, block - 1, bounds)
