"""Document Slope Curves (Pinto, Branstein, Coleman, Croft, King, Li, Wei: QuASM, JCDL 2002).

The page is a sequence of tokens: words and tags. The document slope curve shows how many tags there are among the first
tokens. It is steep where there is markup, and almost flat where there is text. A window moves over the tokens. Three
windows in a row with a low slope begin a section of text, and three in a row without one end it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Ints
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.errors import OptionError
from tamis.labels import Labels, from_text_scores
from tamis_papers.pieces import source_pieces


@dataclass(frozen=True)
class SlopeCurve:
    """Keeps the texts in sections of low slope.

    `window` is the number of tokens of a window; each begins half a window after the one before. A slope is low if it
    is less than `share` of that of the whole page. `in_row` windows begin or end a section.
    """

    window: int = 50
    share: float = 0.5
    in_row: int = 3

    def __post_init__(self) -> None:
        if self.window < 2 or self.in_row < 1:
            raise OptionError(f"window is at least 2 and in_row at least 1, not {self.window} and {self.in_row}")
        if not 0 < self.share <= 1:
            raise OptionError(f"share is from 0 to 1, not {self.share}")

    def label(self, document: Document) -> Labels:
        """The score of a text is the share of its words that are in sections of text."""
        leaf = page_tokens(document)
        texts = leaf >= 0
        inside = windows_in_sections(low_windows(~texts, self.window, self.share), self.in_row)
        inside = np.repeat(inside, self.window // 2)[: len(leaf)]  # up to where the next window begins
        rows = len(document.leaves)
        words = np.bincount(leaf[texts], minlength=rows)
        kept = np.bincount(leaf[texts & inside], minlength=rows)
        return from_text_scores(document, kept / np.maximum(words, 1))


def page_tokens(document: Document) -> Ints:
    """The tokens of a page in their order: the row of the leaf that a word is of, and -1 for a tag."""
    texts = document.leaves.visible_text
    found = tokenize([document.leaves.text[leaf] for leaf in texts.tolist()])
    words = np.ones(len(document.leaves) + 1, np.int64)  # the last entry is that of a tag
    # Every token counts, a lone dash too; in a script without spaces a token counts as several words.
    words[texts] = np.rint(found.sum_per_text(np.maximum(1.0, found.weight)))
    leaf = source_pieces(document).leaf
    leaf = leaf[(leaf < 0) | (np.diff(leaf, prepend=-1) != 0)]  # a text of several lines is one
    return np.repeat(leaf, words[leaf])


def low_windows(is_tag: Bools, window: int, share: float) -> Bools:
    """For each half of a window: does the window that begins there have a low slope? The last ones are shorter."""
    step = window // 2
    total = np.zeros(len(is_tag) + 1, np.int64)
    is_tag.cumsum(out=total[1:])
    first = np.arange(0, len(is_tag), step)
    last = np.minimum(first + window, len(is_tag))
    # tags / size < share * all tags / all tokens, without division
    low: Bools = (total[last] - total[first]) * len(is_tag) < share * total[-1] * (last - first)
    return low


def windows_in_sections(low: Bools, in_row: int) -> Bools:
    """For each window: is it in a section of text?

    A section begins with `in_row` low windows and goes on until `in_row` windows that are not low.
    """
    if len(low) < in_row:
        return np.zeros(len(low), np.bool_)
    total = np.zeros(len(low) + 1, np.int64)
    low.cumsum(out=total[1:])
    in_this_row = total[in_row:] - total[:-in_row]  # low windows among those from each window on
    begins, ends = in_this_row == in_row, in_this_row == 0
    # Each window is as the last one before it, or itself, where a section begins or ends.
    turns = np.flatnonzero(begins | ends)
    last_turn = np.searchsorted(turns, np.arange(len(low)), side="right") - 1
    inside = np.zeros(len(low), np.bool_)
    after = last_turn >= 0
    inside[after] = begins[turns[last_turn[after]]]
    return inside


dsc = SlopeCurve()
