"""Body Text Extraction (Finn, Kushmerick, Smyth: Fact or Fiction, DELOS 2001).

A page is a sequence of tags and words. Its body is the stretch with the most tags outside and words
inside. That sum is all tags, minus the tags inside, plus the words inside. So the best stretch has the
largest sum over +1 for a word and -1 for a tag, which one pass finds. (The paper tries all pairs of ends.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Ints
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.labels import Labels, from_text_scores

# Elements without an end tag. End tags that the source omits do count: the tree is read, not the source,
# so that two ways to write the same page get the same answer.
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())


@dataclass(frozen=True)
class BodyText:
    """Keeps the visible texts of the stretch with the most words inside and tags outside."""

    def label(self, document: Document) -> Labels:
        """Texts inside the stretch score 1, others 0."""
        leaves = document.leaves
        texts = leaves.visible_text
        scores = np.zeros(len(leaves))
        if texts.size:
            first, last = _best_stretch(_word_counts(document, texts), _tags_before(document, texts))
            scores[texts[first : last + 1]] = 1.0
        return from_text_scores(document, scores)


def _word_counts(document: Document, texts: Ints) -> Ints:
    """The number of words of each of these texts."""
    tokens = tokenize([document.leaves.text[leaf] for leaf in texts.tolist()])
    # Every token counts, a lone dash too; in a script without spaces a token counts as several words.
    return np.rint(tokens.sum_per_text(np.maximum(1.0, tokens.weight))).astype(np.int64)


def _tags_before(document: Document, texts: Ints) -> Ints:
    """The number of start and end tags before each of these texts."""
    elements, leaves = document.elements, document.leaves
    has_end = np.fromiter((tag not in _VOID for tag in elements.tag), np.int64, len(elements))
    opened = leaves.opened[texts]
    starts = opened + 1
    # Of the elements opened so far, the ancestors of the text are still open.
    still_open = elements.depth[leaves.element[texts]] + 1
    ends = has_end.cumsum()[opened] - still_open
    before: Ints = (starts + ends).astype(np.int64)
    return before


def _best_stretch(words: Ints, tags: Ints) -> tuple[int, int]:
    """The first and the last text of the stretch; of equally good ones, that which ends first, then starts first.

    A best stretch begins and ends with a word, so only the edges of texts are compared.
    """
    after = words.cumsum()
    gain_to_start = (after - words) - tags
    gain_to_end = after - tags
    lowest = np.minimum.accumulate(gain_to_start)
    last = int(np.argmax(gain_to_end - lowest))
    return int(np.argmin(gain_to_start[: last + 1])), last


body_text = BodyText()
