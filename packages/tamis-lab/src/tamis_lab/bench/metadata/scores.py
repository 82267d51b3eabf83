"""What one answer counts, and what many do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tamis_lab.bench.metadata.matching import (
    date_of,
    name_keys,
    same_authors,
    same_authors_strictly,
    same_date,
    same_title,
    same_title_strictly,
    title_key,
)

FIELDS = ("title", "authors", "date")


class Counts(NamedTuple):
    """One field on one page, or on several."""

    expected: int = 0  # pages of which the gold has a value
    answered: int = 0  # of these
    right: int = 0
    strict: int = 0  # right to the letter
    without: int = 0  # pages of which the gold has none
    false: int = 0  # answers there
    names: int = 0  # names of authors in the gold, in the answers to it, and in both
    names_given: int = 0
    names_right: int = 0

    @property
    def accuracy(self) -> float:
        """The share of pages with gold that have the right answer. It is the recall, too."""
        return _share(self.right, self.expected)

    @property
    def precision(self) -> float:
        """The share of right ones among the answers to pages with gold."""
        return _share(self.right, self.answered)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return _share(2 * self.right, self.expected + self.answered)

    @property
    def strict_accuracy(self) -> float:
        """The share of pages with gold whose answer is right to the letter."""
        return _share(self.strict, self.expected)

    @property
    def false_rate(self) -> float:
        """The share of pages without gold that have an answer."""
        return _share(self.false, self.without)

    @property
    def names_precision(self) -> float:
        """The share of right names among those given on pages with gold."""
        return _share(self.names_right, self.names_given)

    @property
    def names_recall(self) -> float:
        """The share of the gold's names that were given."""
        return _share(self.names_right, self.names)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def judge(field: str, answer: str | Sequence[str], gold: str) -> Counts | None:
    """The counts of one page; None if its gold can't be read, so that no answer is right or wrong."""
    if not gold.strip():
        return Counts(without=1, false=int(bool(answer)))
    if field == "authors":
        return _judge_authors(answer, gold)
    given = answer if isinstance(answer, str) else ", ".join(answer)
    same, strictly, key = (
        (same_title, same_title_strictly, title_key) if field == "title" else (same_date, same_date, date_of)
    )
    if not key(gold):
        return None
    right, strict = same(given, gold), strictly(given, gold)
    return Counts(1, int(bool(given)), int(right), int(strict))


def _judge_authors(answer: str | Sequence[str], gold: str) -> Counts | None:
    given, wanted = name_keys(answer), name_keys(gold)
    if not wanted:
        return None
    right, strict = same_authors(answer, gold), same_authors_strictly(answer, gold)
    names = len(wanted), len(given), len(given & wanted)
    return Counts(1, int(bool(given)), int(right), int(strict), 0, 0, *names)


def total(many: Iterable[Counts]) -> Counts:
    """The sum of some counts."""
    return Counts(*map(sum, zip(Counts(), *many, strict=True)))
