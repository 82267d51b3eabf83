"""How much of the text of a page contestants keep: `tamis bench`. Scores, their summaries and tables for a terminal."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple

from tamis.errors import InputError
from tamis_lab import corpora, metrics, needs
from tamis_lab.bench import contestants
from tamis_lab.bench.runner import LOSSES, Result, Scorer, losses
from tamis_lab.corpora.reader import CorpusPage

if TYPE_CHECKING:
    from rich.table import Table

# The groups in which scores are shown, each with its field of a result.
CUTS = {"page type": "page_type", "language": "language", "year": "year"}
UNKNOWN = "unknown"
SIGNIFICANT = 0.05

SEEN = "trained on pages of this corpus: a fit, not a measurement"
FIT = "(a fit)"  # behind the name of such a system among others


@dataclass(frozen=True)
class TextResult(Result):
    """The scores of a text; the first three are None for a page without gold."""

    page_type: str | None
    language: str | None
    year: int | None
    metrics: str  # a hash of the code that read the gold and scored
    precision: float | None
    recall: float | None
    f1: float | None
    wanted: int  # snippets, and how many of them are there
    wanted_found: int
    unwanted: int
    unwanted_found: int


class TextScorer(Scorer[TextResult]):
    """Compares texts with the gold. A crash or a timeout scores nothing, even where nothing was to be found."""

    result = TextResult
    version = staticmethod(contestants.version)
    load = staticmethod(contestants.load)

    def facts(self, page: CorpusPage) -> dict[str, Any]:
        """What summaries are cut by."""
        cuts = {"page_type": page.page_type, "language": page.language, "year": page.year}
        return cuts | {"metrics": _metrics_digest()}

    def holds(self, known: TextResult) -> bool:
        """Is it scored by the code of today?"""
        return known.metrics == _metrics_digest()

    def score(self, page: CorpusPage, answer: str | None) -> dict[str, Any]:
        """Precision, recall and F1 over words, and the snippets."""
        scores: tuple[float | None, ...] = (None, None, None)
        if page.gold_text is not None:
            scores = (0.0, 0.0, 0.0) if answer is None else tuple(metrics.token_bag(answer, page.gold_text))
        hits = metrics.snippets(answer or "", page.wanted, page.unwanted)
        return dict(zip(("precision", "recall", "f1"), scores, strict=True)) | {
            "wanted": hits.present + hits.missing,
            "wanted_found": hits.present,
            "unwanted": hits.intruding + hits.absent,
            "unwanted_found": hits.intruding,
        }


@cache
def _metrics_digest() -> str:
    digest = hashlib.sha256()
    # With the readers, which say what the gold is.
    for path in sorted(each for part in (metrics, corpora) for each in Path(part.__file__ or "").parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


class Score(NamedTuple):
    """The mean F1 over some pages with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float
    pages: int


@dataclass(frozen=True)
class TextRow:
    """One contestant on one corpus."""

    contestant: str
    kind: str
    version: str
    f1: Score
    median: float
    precision: float
    recall: float
    wanted: float | None  # share of the snippets found, None where the corpus has none
    unwanted: float | None
    seconds: float  # median a page
    losses: dict[str, int]  # pages that ended as crash, timeout or empty
    p: float | None  # against the best, Holm-corrected; None for the best itself
    cuts: dict[str, dict[str, Score]]
    by_page: dict[tuple[str, str], float]  # F1 of each page

    @property
    def differs(self) -> bool:
        """Is it significantly behind the best?"""
        return self.p is not None and self.p < SIGNIFICANT


@dataclass(frozen=True)
class TextSummary:
    """All contestants on one corpus, the best first; those that were trained on pages of it are apart."""

    label: str
    title: str
    digest: str
    pages: int
    rows: list[TextRow]
    seen: list[TextRow] = field(default_factory=list)

    @property
    def everyone(self) -> list[TextRow]:
        """Those that compete, then those that don't."""
        return [*self.rows, *self.seen]

    def groups(self, cut: str) -> dict[str, int]:
        """The values of a cut with their numbers of pages; empty where there is but one."""
        found = {value: score.pages for value, score in self.everyone[0].cuts[cut].items()}
        return found if len(found) > 1 else {}


def summarise(label: str, title: str, results: Sequence[TextResult]) -> TextSummary:
    """Summarise the results of one corpus. Raises InputError where no page has gold text."""
    scored = [result for result in results if result.f1 is not None]
    if not scored:
        raise InputError(f"{label}: no page with gold text to score against")
    by_contestant: dict[str, list[TextResult]] = defaultdict(list)
    for result in scored:
        by_contestant[result.contestant].append(result)
    order = sorted(map(_row, by_contestant.values()), key=lambda row: (-row.f1.mean, row.contestant))
    places = {(result.corpus, result.split) for result in scored}
    seen = [row for row in order if any(contestants.has_seen(row.contestant, *place) for place in places)]
    return TextSummary(
        label=label,
        title=title,
        digest=scored[0].digest,
        pages=len({result.page for result in scored}),
        rows=_compared([row for row in order if row not in seen]),
        seen=seen,
    )


def _row(results: list[TextResult]) -> TextRow:
    f1 = [result.f1 or 0.0 for result in results]
    return TextRow(
        contestant=results[0].contestant,
        kind=contestants.kind(results[0].contestant),
        version=results[0].version,
        f1=_score(f1),
        median=median(f1),
        precision=fmean(result.precision or 0.0 for result in results),
        recall=fmean(result.recall or 0.0 for result in results),
        wanted=_share((result.wanted_found, result.wanted) for result in results),
        unwanted=_share((result.unwanted_found, result.unwanted) for result in results),
        seconds=median(result.seconds for result in results),
        losses=losses(results),
        p=None,
        cuts={cut: _cut(results, field) for cut, field in CUTS.items()},
        by_page={result.page: result.f1 or 0.0 for result in results},
    )


def _score(values: Sequence[float]) -> Score:
    low, high = metrics.bootstrap_interval(values)
    return Score(fmean(values), low, high, len(values))


def _share(pairs: Iterable[tuple[int, int]]) -> float | None:
    found, there = map(sum, zip(*pairs, strict=True))
    return found / there if there else None


def _cut(results: Sequence[TextResult], field: str) -> dict[str, Score]:
    values: dict[str, list[float]] = defaultdict(list)
    for result in results:
        value = getattr(result, field)
        values[UNKNOWN if value is None else str(value)].append(result.f1 or 0.0)
    return {value: _score(values[value]) for value in sorted(values, key=lambda value: (value == UNKNOWN, value))}


def _compared(rows: list[TextRow]) -> list[TextRow]:
    """Give each row its p against the best, by Wilcoxon's signed-rank test over shared pages."""
    if not rows:
        return []
    best, *others = rows
    raw = []
    for row in others:
        shared = [page for page in best.by_page if page in row.by_page]
        raw.append(metrics.wilcoxon([best.by_page[page] for page in shared], [row.by_page[page] for page in shared]))
    return [best, *(replace(row, p=p) for row, p in zip(others, metrics.holm(raw), strict=True))]


def board(title: str, names: Iterable[str], figures: Iterable[str], caption: str | None = None) -> Table:
    """A table for a terminal: columns of names on the left, of figures on the right. Raises MissingExtra."""
    with needs("bench", "the benchmark's table"):
        from rich.table import Table

    table = Table(title=title, caption=caption, title_justify="left", caption_justify="left")
    for name in names:
        table.add_column(name, no_wrap=True)
    for figure in figures:
        table.add_column(figure, justify="right", no_wrap=True)
    return table


def tables(summary: TextSummary) -> list[Table]:
    """The summary for a terminal: the leaderboard, and a table a cut; apart, those trained on these pages.

    Raises MissingExtra.
    """
    found = []
    for rows, what in ((summary.rows, ""), (summary.seen, f", {SEEN}")):
        if not rows:
            continue
        title = f"{summary.title} ({summary.label}): {pages_text(summary.pages)}{what}"
        last = () if what else ("p against best",)
        figures = "F1", "95 %", "median", "precision", "recall", "ms a page", *LOSSES, *last
        found.append(board(title, ["contestant"], figures))
        for row in rows:
            scores = row.f1.mean, row.median, row.precision, row.recall
            mean, *others = (f"{score:.3f}" for score in scores)
            interval = f"{row.f1.low:.3f}-{row.f1.high:.3f}"
            lost = (str(count) if count else "" for count in row.losses.values())
            p = ("best" if row.p is None else p_text(row.p),) if last else ()
            found[-1].add_row(row.contestant, mean, interval, *others, f"{row.seconds * 1000:.1f}", *lost, *p)
        for cut in CUTS:
            if groups := summary.groups(cut):
                columns = (f"{value}\n{pages:,}" for value, pages in groups.items())
                found.append(board(f"mean F1 by {cut}{what}", ["contestant"], columns))
                for row in rows:
                    found[-1].add_row(row.contestant, *(f"{score.mean:.3f}" for score in row.cuts[cut].values()))
    return found


def p_text(p: float) -> str:
    """A p value as text; all very small ones read the same."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def pages_text(pages: int) -> str:
    """A number of pages as text."""
    return f"{pages:,} page" if pages == 1 else f"{pages:,} pages"
