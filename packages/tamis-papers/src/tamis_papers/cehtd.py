"""Hybrid text density (Song, Sun, Liao: A Hybrid Approach for Content Extraction, KAIS 42(1), 2015).

It is CETD's composite density with DensitySum (see `text_density.py`), with one change: each character counts
as much as the text that it is in is visually important. The paper renders pages to know that. Here the place and the
width of a block are estimated from the lines that its text would fill.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Floats
from tamis.document import Document
from tamis.errors import OptionError
from tamis.labels import Labels, from_text_scores
from tamis_papers.text_density import DensityTree, whole_content


@dataclass(frozen=True)
class Cehtd:
    """The paper's method with DensitySum, on an estimated layout with lines of `line` characters."""

    line: int = 80

    def __post_init__(self) -> None:
        if self.line < 1:
            raise OptionError(f"a line has at least 1 character, not {self.line}")

    def label(self, document: Document) -> Labels:
        """Texts of the content score 1, others 0."""
        tree = DensityTree(document, visual_importance(document, self.line))
        scores = np.zeros(len(document.leaves))
        if tree.body.size:
            # Definition 3.4: the composite density, with hybrid characters instead of characters.
            scores[whole_content(tree, tree.composite_density)] = 1.0
        return from_text_scores(document, scores)


def visual_importance(document: Document, line: int) -> Floats:
    """VI of each leaf, from 0 to 1: the width of its block, times 1 in the middle of the page and 1/2 at its ends."""
    leaves, texts = document.leaves, document.leaves.visible_text
    importance = np.ones(len(leaves))
    if not texts.size:
        return importance
    lengths = np.fromiter((len(" ".join(leaves.text[leaf].split())) for leaf in texts.tolist()), np.int64, texts.size)
    # Blocks in the order of their first text, because the page is read from top to bottom.
    _, first, which = np.unique(leaves.block[texts], return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    block = place[which]
    size = np.bincount(block, lengths)
    width = np.minimum(size / line, 1.0)
    height = np.ceil(size / line)
    middle = height.cumsum() - height / 2
    from_centre = np.abs(2 * middle / height.sum() - 1)
    importance[texts] = np.round(width * (1 - from_centre / 2), 9)[block]
    return importance


cehtd_ds = Cehtd()
