"""How often contestants are right about title, authors and date, who leads, and whether confidences are true.

The scorer of `tamis bench --metadata`, its summary and its tables for a terminal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tamis.arrays import Floats
from tamis_lab import metrics
from tamis_lab.bench import contestants
from tamis_lab.bench.matching import FieldCounts, judge, total
from tamis_lab.bench.peers import FIELDS, FINDERS, Answer
from tamis_lab.bench.runner import Result, Scorer, losses
from tamis_lab.bench.text import FIT, SEEN, board, p_text, pages_text
from tamis_lab.corpora.reader import CorpusPage

if TYPE_CHECKING:
    from rich.table import Table

LEVELS = (0.9, 0.5)
DECILES = 10
_SAMPLES = 1000
ALL_ANSWERS = "all answers"
PAGES_WITH_GOLD = "pages with gold"
_RATES = "accuracy precision f1 strict_accuracy false_rate names_precision names_recall".split()


@dataclass(frozen=True)
class MetadataResult(Result):
    """An answer, empty after a failure. It is judged when it is read, so rules may change without a new run."""

    gold: Mapping[str, str]
    answer: Mapping[str, Any]
    confidences: Mapping[str, float]

    def counts(self, name: str) -> FieldCounts | None:
        """The counts of a field; None if its gold can't be read."""
        return judge(name, self.answer.get(name, ""), self.gold[name])


class MetadataScorer(Scorer[MetadataResult]):
    """Keeps gold and answer."""

    result = MetadataResult
    version = staticmethod(contestants.finder_version)
    load = staticmethod(contestants.load_finder)

    def facts(self, page: CorpusPage) -> dict[str, Any]:
        """The gold of a page by field; empty where it has none."""
        return {"gold": {"title": page.title or "", "authors": page.author or "", "date": page.date or ""}}

    def score(self, page: CorpusPage, answer: Answer | None) -> dict[str, Any]:
        """The answer as plain values."""
        if answer is None:
            return {"answer": {}, "confidences": {}}
        values = {"title": answer.title, "authors": list(answer.authors), "date": answer.date}
        return {"answer": values, "confidences": {**answer.confidences}}


class ConfidenceGroup(NamedTuple):
    """Some answers: their mean confidence, the share of right ones, and how many there are."""

    confidence: float
    right: float
    answers: int

    @property
    def error(self) -> float:
        """How far both are apart."""
        return abs(self.confidence - self.right)


class Calibration(NamedTuple):
    """The answers of one contestant for one field."""

    deciles: tuple[ConfidenceGroup, ...]  # the least sure first; fewer than ten if there are fewer answers
    expected_error: float  # the mean over answers
    largest_error: float
    chance: float  # what the largest error stays below in 95 % of cases if all confidences are true
    at_least: dict[float, ConfidenceGroup]  # the answers at least so sure


def calibrate(confidences: Sequence[float], right: Sequence[bool]) -> Calibration | None:
    """The calibration of some answers; None if there are none."""
    if not confidences:
        return None
    order = np.argsort(confidences, kind="stable")
    sure, is_right = np.array(confidences, dtype=np.float64)[order], np.array(right, dtype=np.float64)[order]
    levels, starts, ties, many = np.unique(sure, return_index=True, return_inverse=True, return_counts=True)
    # Equal confidences can't be told apart, so those that fall into two deciles count with their mean in both.
    decile = np.arange(len(sure)) * min(DECILES, len(sure)) // len(sure)
    weights = np.zeros((decile[-1] + 1, len(levels)))  # decile x level
    np.add.at(weights, (decile, ties), 1)
    sizes = weights.sum(axis=1)
    weights /= sizes[:, None]

    def shares(drawn: Floats) -> Floats:
        """The share of right answers in each decile, for one or many draws of right (1) and wrong (0)."""
        means: Floats = np.add.reduceat(drawn, starts, axis=-1) / many
        return means @ weights.T

    means = weights @ levels
    deciles = tuple(map(ConfidenceGroup, means.tolist(), shares(is_right).tolist(), map(int, sizes)))
    by_chance = (np.random.default_rng(0).random((_SAMPLES, len(sure))) < sure).astype(np.float64)
    return Calibration(
        deciles,
        sum(group.error * group.answers for group in deciles) / len(sure),
        max(group.error for group in deciles),
        float(np.quantile(np.abs(shares(by_chance) - means).max(axis=1), 0.95)),
        {level: _group(sure[sure >= level], is_right[sure >= level]) for level in LEVELS},
    )


def _group(sure: Floats, right: Floats) -> ConfidenceGroup:
    return (
        ConfidenceGroup(float(sure.mean()), float(right.mean()), len(sure))
        if len(sure)
        else ConfidenceGroup(0.0, 0.0, 0)
    )


class FieldLead(NamedTuple):
    """How far the first contestant that was not trained on the pages is ahead of another in accuracy, by page."""

    ahead: float
    low: float  # 95 % interval of the paired bootstrap
    high: float
    p: float  # of McNemar's exact test

    def __str__(self) -> str:
        return f"{self.ahead:+.3f} [{self.low:+.3f}, {self.high:+.3f}] {p_text(self.p)}"


@dataclass(frozen=True)
class FieldRow:
    """One contestant and one field."""

    contestant: str
    counts: FieldCounts
    lead: FieldLead | None  # of the first contestant over this one; None for itself and for a fit
    calibration: Calibration | None  # over all answers; where the gold has none, an answer is wrong
    with_gold: Calibration | None  # over answers to pages with gold


@dataclass(frozen=True)
class MetadataSummary:
    """All fields on one corpus."""

    label: str
    digest: str
    pages: int
    contestants: dict[str, str]  # with their versions, in the order they were asked for
    seconds: dict[str, float]  # median a page
    failures: dict[str, dict[str, int]]  # pages by contestant and status
    seen: tuple[str, ...]  # those that were trained on these pages
    fields: dict[str, list[FieldRow]]  # those of which the gold has something

    def first(self, field: str) -> str:
        """The contestant that others are compared with: the first not trained on the pages; empty if all were."""
        return next((row.contestant for row in self.fields[field] if row.contestant not in self.seen), "")

    def counts_of(self, name: str) -> dict[str, FieldCounts]:
        """The counts of a contestant by field."""
        return {field: row.counts for field, rows in self.fields.items() for row in rows if row.contestant == name}

    def as_json(self) -> dict[str, Any]:
        """The summary as plain values."""
        return {
            "corpus": self.label,
            "digest": self.digest,
            "pages": self.pages,
            "contestants": self.contestants,
            "seconds": self.seconds,
            "failures": self.failures,
            "trained on these pages": list(self.seen),
            "first contestant": {field: self.first(field) for field in self.fields},
            "fields": {field: {row.contestant: _plain(row) for row in rows} for field, rows in self.fields.items()},
        }


def _plain(row: FieldRow) -> dict[str, Any]:
    plain: dict[str, Any] = row.counts._asdict()
    plain |= {rate: round(getattr(row.counts, rate), 4) for rate in _RATES}
    plain["first contestant ahead"] = row.lead and row.lead._asdict()
    plain["calibration"] = {
        name: found._asdict()
        | {
            "deciles": [group._asdict() for group in found.deciles],
            "at_least": {str(level): group._asdict() for level, group in found.at_least.items()},
        }
        for name, found in ((ALL_ANSWERS, row.calibration), (PAGES_WITH_GOLD, row.with_gold))
        if found
    }
    return plain


def summarise(label: str, names: Sequence[str], results: Sequence[MetadataResult]) -> MetadataSummary:
    """Add up the results of one corpus."""
    by_name = {name: own for name in names if (own := [each for each in results if each.contestant == name])}
    places = {(result.corpus, result.split) for result in results}
    seen = tuple(name for name in by_name if any(contestants.finder_has_seen(name, *place) for place in places))
    rows = {field: _rows(field, by_name, seen) for field in FIELDS}
    return MetadataSummary(
        label,
        results[0].digest if results else "",
        len({result.page for result in results}),
        {name: own[0].version for name, own in by_name.items()},
        {name: median(each.seconds for each in own) for name, own in by_name.items()},
        {name: losses(own) for name, own in by_name.items()},
        seen,
        {field: own for field, own in rows.items() if own and own[0].counts.expected},
    )


def _rows(field: str, by_name: dict[str, list[MetadataResult]], seen: Sequence[str]) -> list[FieldRow]:
    judged = {
        name: {each.page: counts for each in own if (counts := each.counts(field))}
        for name, own in by_name.items()
        if name not in FINDERS or field in FINDERS[name].fields
    }
    first, *others = [name for name in judged if name not in seen] or [""]
    return [
        FieldRow(
            name,
            total(counts.values()),
            _lead(judged[first], counts) if name in others else None,
            _calibration(field, by_name[name], with_gold=False),
            _calibration(field, by_name[name], with_gold=True),
        )
        for name, counts in judged.items()
    ]


def _lead(first: dict[tuple[str, str], FieldCounts], other: dict[tuple[str, str], FieldCounts]) -> FieldLead | None:
    pages = [page for page, counts in first.items() if counts.expected and page in other]
    if not pages:
        return None
    differences = np.array([first[page].right - other[page].right for page in pages], dtype=np.float64)
    low, high = metrics.bootstrap_interval(differences)
    return FieldLead(
        float(differences.mean()), low, high, mcnemar(int((differences > 0).sum()), int((differences < 0).sum()))
    )


def mcnemar(wins: int, losses: int) -> float:
    """The two-sided p of McNemar's exact test: are wins and losses as often as heads and tails?"""
    tosses, fewer = wins + losses, min(wins, losses)
    tails: int = sum(math.comb(tosses, heads) for heads in range(fewer + 1))
    return min(1.0, float(Fraction(2 * tails, 2**tosses)))


def _calibration(field: str, results: Sequence[MetadataResult], *, with_gold: bool) -> Calibration | None:
    answers = [
        (each.confidences[field], bool(counts.right))
        for each in results
        if field in each.confidences and (counts := each.counts(field)) and (counts.expected or not with_gold)
    ]
    return calibrate([sure for sure, _ in answers], [right for _, right in answers])


def tables(summary: MetadataSummary) -> list[Table]:
    """The summary for a terminal: scores, confidences by decile, and their errors. Raises MissingExtra."""
    firsts = dict.fromkeys(shown(first, summary) for first in map(summary.first, summary.fields) if first)
    ahead = f"{' or '.join(firsts)} ahead by page, p".strip()
    scores = "accuracy", "strict", "precision", "F1", "names P, R", "without gold", ahead, "ms"
    title = f"Metadata ({summary.label}): {pages_text(summary.pages)}"
    main = board(title, ("field", "contestant"), scores, caption(summary))
    for field, rows in summary.fields.items():
        for row in rows:
            main.add_row(*_cells(summary, field, row), end_section=row is rows[-1])
    sure = [(field, row) for field, rows in summary.fields.items() for row in rows if row.calibration]
    return [main, *((_deciles(summary, sure), _errors(summary, sure)) if sure else ())]


def shown(name: str, summary: MetadataSummary) -> str:
    """The name of a contestant without the way to its folder, and with words if it was trained on the pages."""
    system, _, folder = name.partition("=")
    short = f"{system}={Path(folder).name}" if folder else name
    return f"{short} {FIT}" if name in summary.seen else short


def caption(summary: MetadataSummary) -> str:
    """What to know about the figures."""
    notes = [
        "accuracy: right answers by pages with gold, which is the recall, too; precision: by answers to these pages",
        "without gold: answers to pages of which the gold has none",
    ]
    failed = [
        f"{name}: {many} {status}" for name, all in summary.failures.items() for status, many in all.items() if many
    ]
    return "\n".join([*notes, *([", ".join(failed)] if failed else []), *([f"{FIT}: {SEEN}"] if summary.seen else [])])


def _cells(summary: MetadataSummary, field: str, row: FieldRow) -> list[str]:
    counts = row.counts
    return [
        f"{field} {counts.expected:,}" if row is summary.fields[field][0] else "",
        shown(row.contestant, summary),
        f"{counts.accuracy:.3f}",
        f"{counts.strict_accuracy:.3f}",
        f"{counts.precision:.3f}",
        f"{counts.f1:.3f}",
        f"{counts.names_precision:.3f}, {counts.names_recall:.3f}" if field == "authors" else "",
        f"{counts.false:,}/{counts.without:,} {counts.false_rate:.3f}" if counts.without else "",
        str(row.lead or ""),
        f"{summary.seconds[row.contestant] * 1000:.1f}",
    ]


def _deciles(summary: MetadataSummary, rows: Sequence[tuple[str, FieldRow]]) -> Table:
    title = "Confidence by decile of the answers, the least sure first"
    table = board(title, ("field", "contestant", ""), [str(number + 1) for number in range(DECILES)])
    for field, row in rows:
        groups = row.calibration.deciles if row.calibration else ()
        table.add_row(
            field, shown(row.contestant, summary), "mean confidence", *(f"{group.confidence:.3f}" for group in groups)
        )
        table.add_row("", "", "share right", *(f"{group.right:.3f}" for group in groups))
        table.add_row("", "", "answers", *(f"{group.answers:,}" for group in groups), end_section=True)
    return table


def _errors(summary: MetadataSummary, rows: Sequence[tuple[str, FieldRow]]) -> Table:
    figures = "mean", "largest", "by chance", *(f"at least {level:g} sure" for level in LEVELS)
    table = board("Errors of confidence, and sure answers that are right", ("field", "contestant", "over"), figures)
    for field, row in rows:
        for name, found in ((ALL_ANSWERS, row.calibration), (PAGES_WITH_GOLD, row.with_gold)):
            if found:
                errors = found.expected_error, found.largest_error, found.chance
                sure = (f"{group.right:.3f} of {group.answers:,}" for group in found.at_least.values())
                table.add_row(field, shown(row.contestant, summary), name, *(f"{error:.3f}" for error in errors), *sure)
    return table
