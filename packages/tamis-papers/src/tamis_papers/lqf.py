"""Link Quota Filter (Mantratzis, Orgun, Cassidy; Hypertext 2005; as Gottron describes it, ITA 2007).

Navigation is made of links. The link quota of an element is the share of its text that is inside hyperlinks.
Block-level elements with a quota above the limit are removed, inner ones before those around them, and the rest is
content.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document, tags
from tamis.errors import OptionError
from tamis.labels import Labels, from_text_scores

# The page as a whole does not count as a block: it is never removed.
_IS_BLOCK = tags.lookup(*(tags.BLOCK - {"html", "head", "body", "frameset", "noframes"}))


@dataclass(frozen=True)
class LinkQuotaFilter:
    """Removes block-level elements of which more than `limit` is linked text."""

    limit: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.limit <= 1:
            raise OptionError(f"the limit is from 0 to 1, not {self.limit}")

    def label(self, document: Document) -> Labels:
        """Texts score 0 in an element that is removed, else 1."""
        removed = document.elements.inside(self.removed(document))
        scores = np.where(removed[document.leaves.element], 0.0, 1.0)
        return from_text_scores(document, scores)

    def removed(self, document: Document) -> Bools:
        """For each element: is it a block with too many links? Removed parts of it no longer count."""
        elements, leaves = document.elements, document.leaves
        every, linked = [0] * len(elements), [0] * len(elements)  # characters of each subtree, as far as they are left
        texts = leaves.visible_text
        rows, in_link = leaves.element[texts].tolist(), leaves.in_link[texts].tolist()
        for leaf, row, is_linked in zip(texts.tolist(), rows, in_link, strict=True):
            size = _size(leaves.text[leaf])
            every[row] += size
            linked[row] += size * is_linked
        removed = np.zeros(len(elements), np.bool_)
        is_block, parent = _IS_BLOCK[elements.code].tolist(), elements.parent.tolist()
        for row in range(len(elements) - 1, 0, -1):  # descendants come before their ancestors
            if is_block[row] and linked[row] > self.limit * every[row]:
                removed[row] = True
            else:
                every[parent[row]] += every[row]
                linked[parent[row]] += linked[row]
        return removed


def _size(text: str) -> int:
    """The characters of a text, white space aside."""
    return sum(map(len, text.split()))


lqf = LinkQuotaFilter()
