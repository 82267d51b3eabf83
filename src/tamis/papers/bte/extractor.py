"""Body Text Extraction (Finn, Kushmerick, Smyth: Fact or Fiction, DELOS 2001).

A page is a sequence of tags and words, and its body the stretch with the most tags outside and
words inside. All tags less those inside, plus the words inside: that is largest where words less
tags are, so the stretch is the one of the largest sum over +1 for a word and -1 for a tag, which
one pass finds. (The paper tries all pairs of ends.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Ints, Longs
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.labels import Labels, from_text_scores

# Elements without an end tag. What the parser added (an omitted </p>) does count: the tree is
# read, not the source, so that two ways to write the same page get the same answer.
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())


@dataclass(frozen=True)
class BodyText:
    """Keeps the visible texts of the one stretch of the page with the most words for its tags."""

    def label(self, document: Document) -> Labels:
        """Texts inside the stretch score 1, others 0."""
        leaves = document.leaves
        texts = leaves.visible_text
        scores = np.zeros(len(leaves))
        if texts.size:
            first, last = _stretch(_words(document, texts), _tags_before(document, texts))
            scores[texts[first : last + 1]] = 1.0
        return from_text_scores(document, scores)


def _words(document: Document, texts: Ints) -> Longs:
    """Words of each text. Hidden text has none: it can't be kept, and scripts would drown the page."""
    tokens = tokenize([document.leaves.text[leaf] for leaf in texts.tolist()])
    # Whatever is no tag is a token of text, a lone dash too; a run of a script without spaces is several.
    return np.rint(tokens.sum_per_text(np.maximum(1.0, tokens.weight))).astype(np.int64)


def _tags_before(document: Document, texts: Ints) -> Longs:
    """How many start and end tags stand in front of each text."""
    elements, leaves = document.elements, document.leaves
    has_end = np.fromiter((tag not in _VOID for tag in elements.tag), np.int64, len(elements))
    opened = leaves.opened[texts]
    starts = opened + 1
    # Of the elements opened so far those still open are the ancestors of the text.
    still_open = elements.depth[leaves.element[texts]] + 1
    ends = has_end.cumsum()[opened] - still_open
    before: Longs = (starts + ends).astype(np.int64)
    return before


def _stretch(words: Longs, tags: Longs) -> tuple[int, int]:
    """The first and the last text of the stretch; of several as good the one that ends, then starts first.

    It begins and ends with a word, so only the texts' edges need to be looked at.
    """
    after = words.cumsum()
    gain_to_start = (after - words) - tags
    gain_to_end = after - tags
    lowest = np.minimum.accumulate(gain_to_start)
    last = int(np.argmax(gain_to_end - lowest))
    return int(np.argmin(gain_to_start[: last + 1])), last


body_text = BodyText()
