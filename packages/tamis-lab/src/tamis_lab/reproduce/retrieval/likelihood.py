"""Query likelihood with Dirichlet smoothing (Zhai and Lafferty 2001), which the engine does not have.

It is computed here, from our own counts of the words that the engine's analyser finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.arrays import Floats

MU = 2500.0  # as in Indri, the engine of the Web2Text paper
_DECIMALS = 9  # scores that agree so far are ties, and the order of pages decides


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The counts of a collection, for some words: those of the queries."""

    rows: dict[str, int]  # by word
    counts: Floats  # (words, pages)
    lengths: Floats  # (pages,)

    @classmethod
    def of(cls, pages: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> Likelihood:
        """From the analysed words of each page."""
        rows = {word: row for row, word in enumerate(dict.fromkeys(vocabulary))}
        counts = np.zeros((len(rows), len(pages)))
        for number, words in enumerate(pages):
            for word, count in Counter(words).items():
                if word in rows:
                    counts[rows[word], number] = count
        return cls(rows, counts, np.array([len(words) for words in pages], dtype=np.float64))

    def ranked(self, words: Sequence[str], depth: int, mu: float = MU) -> list[int]:
        """The first `depth` of the pages that have one of these words, best first.

        The score of a page is the sum over words of log((count + mu * share) / (length + mu)), where `share` is that of
        the word in all pages. Words that no page has are left out.
        """
        rows = [self.rows[word] for word in words if word in self.rows]
        counts = self.counts[rows]  # (words of the query, pages)
        counts = counts[counts.sum(axis=1) > 0]
        share = counts.sum(axis=1, keepdims=True) / max(1.0, self.lengths.sum())
        scores = np.log((counts + mu * share) / (self.lengths + mu)).sum(axis=0)
        matches = np.flatnonzero(counts.any(axis=0))
        order = np.lexsort((matches, -np.round(scores[matches], _DECIMALS)))
        return [int(page) for page in matches[order[:depth]]]
