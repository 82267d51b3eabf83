"""Short texts that a good extraction has, and others that it has not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class SnippetScores:
    """How many snippets of either kind were found.

    trafilatura adds the counts of all pages up before it divides: `sum(scores, NO_SNIPPETS)`.
    Its four scores are 0 where there is nothing to divide by (tests/eval_common.py there); the
    two shares are 1 where no snippet of their kind exists.
    """

    present: int  # wanted and there
    missing: int  # wanted and not there
    intruding: int  # unwanted and there
    absent: int  # unwanted and not there

    def __add__(self, other: SnippetScores) -> SnippetScores:
        return SnippetScores(
            self.present + other.present,
            self.missing + other.missing,
            self.intruding + other.intruding,
            self.absent + other.absent,
        )

    @property
    def wanted_present(self) -> float:
        """The share of the wanted snippets that are there."""
        return _share(self.present, self.missing, nothing=1.0)

    @property
    def unwanted_absent(self) -> float:
        """The share of the unwanted snippets that are not there."""
        return _share(self.absent, self.intruding, nothing=1.0)

    @property
    def precision(self) -> float:
        """The share of wanted ones among the snippets that are there."""
        return _share(self.present, self.intruding)

    @property
    def recall(self) -> float:
        """The share of the wanted snippets that are there."""
        return _share(self.present, self.missing)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _share(2 * self.present, self.intruding + self.missing)

    @property
    def accuracy(self) -> float:
        """The share of snippets of both kinds that are as they should be."""
        return _share(self.present + self.absent, self.intruding + self.missing)


NO_SNIPPETS = SnippetScores(0, 0, 0, 0)


def snippets(found: str, wanted: Iterable[str], unwanted: Iterable[str]) -> SnippetScores:
    """Look for each snippet in the text found (WCXB's `with` and `without`; trafilatura).

    White space of any length is one space and case does not matter. trafilatura heeds case; WCXB
    does not say. Blank snippets are left out.
    """
    text = _folded(found)
    wanted_found = [snippet in text for snippet in map(_folded, wanted) if snippet]
    unwanted_found = [snippet in text for snippet in map(_folded, unwanted) if snippet]
    present, intruding = sum(wanted_found), sum(unwanted_found)
    return SnippetScores(present, len(wanted_found) - present, intruding, len(unwanted_found) - intruding)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _share(good: int, bad: int, *, nothing: float = 0.0) -> float:
    return good / (good + bad) if good + bad else nothing
