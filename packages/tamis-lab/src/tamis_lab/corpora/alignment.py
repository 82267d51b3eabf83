"""How much of each corpus's gold text is found on its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tamis_lab.align import BADLY_PLACED, align
from tamis_lab.corpora.page import CorpusPage


@dataclass(frozen=True)
class Placing:
    """How many gold words of one page were found on it."""

    id: str
    gold_words: int
    placed_words: int

    @property
    def share(self) -> float:
        """The share of gold words that were found; 1 where there are none."""
        return self.placed_words / self.gold_words if self.gold_words else 1.0


@dataclass(frozen=True)
class AlignmentReport:
    """The pages with gold text of one corpus or split."""

    label: str
    pages: Sequence[Placing]

    @property
    def gold_words(self) -> int:
        """The gold words of all pages."""
        return sum(page.gold_words for page in self.pages)

    @property
    def share(self) -> float:
        """The share of all gold words that were found, long pages counting for more."""
        placed = sum(page.placed_words for page in self.pages)
        return placed / self.gold_words if self.gold_words else 1.0

    @property
    def bad(self) -> list[Placing]:
        """The pages with too little of their gold on them for the labels to be trusted."""
        return [page for page in self.pages if page.share < BADLY_PLACED]

    def worst(self, count: int) -> list[Placing]:
        """The pages with the smallest share, the smallest first."""
        return sorted(self.pages, key=lambda page: (page.share, page.id))[:count]


def report(label: str, pages: Iterable[CorpusPage], *, done: Callable[[int], None] | None = None) -> AlignmentReport:
    """Place the gold text of every page that has one.

    `done` is called after each page with the number of pages read so far, those without gold
    included. Raises PageTooLarge, MissingExtra, and what reading the pages raises.
    """
    placings: list[Placing] = []
    for number, page in enumerate(pages, start=1):
        if page.gold_text is not None:
            found = align(page.document(), page.gold_text)
            placings.append(Placing(page.id, found.gold_words, found.placed_words))
        if done is not None:
            done(number)
    return AlignmentReport(label, placings)
