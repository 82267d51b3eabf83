"""Which class was taken for which, how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from tamis.arrays import Longs
from tamis.lab.metrics import PRF, prf


@dataclass(frozen=True, eq=False)
class Confusion:
    """Counts of pages."""

    labels: Sequence[str]
    counts: Longs  # (labels, labels): what it is, what it was taken for

    @classmethod
    def of(cls, labels: Sequence[str], truth: Sequence[str], found: Sequence[str]) -> Confusion:
        """Truth and answer for each page."""
        places = {label: place for place, label in enumerate(labels)}
        counts = np.zeros((len(labels), len(labels)), dtype=np.int64)
        for own, taken in zip(truth, found, strict=True):
            counts[places[own], places[taken]] += 1
        return cls(labels, counts)

    @property
    def accuracy(self) -> float:
        """The share of pages that are right."""
        return float(np.trace(self.counts) / max(1, self.counts.sum()))

    @property
    def balanced(self) -> float:
        """The accuracy if there were as many pages of each class."""
        return float(np.mean([self.scores(label).recall for label in self.labels]))

    def scores(self, label: str) -> PRF:
        """Precision, recall and F1 of one class."""
        place = list(self.labels).index(label)
        return prf(int(self.counts[place, place]), int(self.counts[:, place].sum()), int(self.counts[place].sum()))

    def html(self, title: str) -> str:
        """A table: a row for what pages are, a column for what they were taken for."""
        head = "".join(f"<th>taken for {escape(label)}</th>" for label in self.labels)
        rows = "".join(self._row(place) for place in range(len(self.labels)))
        return (
            f"<table><caption>{escape(title)}</caption><tr><th></th>{head}<th>pages</th><th>right</th></tr>"
            f"{rows}</table>"
        )

    def _row(self, place: int) -> str:
        counts, label = self.counts[place], self.labels[place]
        cells = "".join(
            f"<td class=number>{f'<b>{count}</b>' if place == column else count}</td>"
            for column, count in enumerate(counts.tolist())
        )
        right = f"{100 * self.scores(label).recall:.1f} %"
        return (
            f"<tr><th>{escape(label)}</th>{cells}<td class=number>{counts.sum()}</td><td class=number>{right}</td></tr>"
        )
