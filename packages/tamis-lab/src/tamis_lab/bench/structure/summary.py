"""Counts of many pages as one table, with who leads."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tamis.arrays import Floats
from tamis_lab.bench import competitors
from tamis_lab.bench.bench import FIT, SEEN, pages_text
from tamis_lab.bench.structure import contestants
from tamis_lab.bench.structure.elements import KINDS
from tamis_lab.bench.structure.run import Result
from tamis_lab.bench.structure.scores import Counts, total
from tamis_lab.extras import needs

if TYPE_CHECKING:
    from rich.table import Table

_SAMPLES = 1000  # of the bootstrap
WHOLE_PAGE = "convert the whole page: what they have beyond the gold costs precision"


class Lead(NamedTuple):
    """The best F1 of a kind, and how far it is ahead of the next, with the 95 % interval of the paired bootstrap."""

    contestant: str
    ahead: float
    low: float
    high: float


@dataclass(frozen=True)
class Line:
    """One kind of element: the pages that have it, and what each contestant made of it."""

    kind: str
    pages: int
    counts: dict[str, Counts]
    lead: Lead | None


@dataclass(frozen=True)
class StructureSummary:
    """All kinds of elements on one corpus."""

    label: str
    contestants: dict[str, str]  # with their versions
    pages: int  # that have any structure
    lines: list[Line]
    failures: dict[str, dict[str, int]]  # pages by contestant and status
    seen: tuple[str, ...]  # those that were trained on these pages

    def as_json(self) -> dict[str, Any]:
        """The summary as plain values."""
        return {
            "corpus": self.label,
            "contestants": self.contestants,
            "pages": self.pages,
            "failures": self.failures,
            "trained on these pages": list(self.seen),
            "elements": {
                line.kind: {
                    "same": KINDS[line.kind],
                    "pages": line.pages,
                    "lead": line.lead and line.lead._asdict(),
                    "contestants": {
                        name: counts._asdict()
                        | {key: round(getattr(counts, key), 4) for key in ("recall", "precision", "f1", "as_such")}
                        for name, counts in line.counts.items()
                    },
                }
                for line in self.lines
            },
        }


def summarise(label: str, names: Sequence[str], results: Sequence[Result]) -> StructureSummary:
    """Add up the results of one corpus. A contestant that failed on a page found nothing there."""
    found = {result.contestant: result.version for result in results}
    versions = {name: found[name] for name in names if name in found}
    pages: dict[tuple[str, str], dict[str, dict[str, Counts]]] = defaultdict(dict)
    for result in results:
        pages[result.split, result.id][result.contestant] = result.counts
    failures: dict[str, Counter[str]] = {
        name: Counter(one.status for one in results if one.contestant == name) for name in versions
    }
    places = {(result.corpus, result.split) for result in results}
    seen = tuple(name for name in versions if any(_has_seen(name, *place) for place in places))
    lines = [line for kind in KINDS if (line := _line(kind, list(versions), seen, list(pages.values())))]
    return StructureSummary(
        label,
        versions,
        sum(any(by_contestant.values()) for by_contestant in pages.values()),
        lines,
        {name: {status: ended[status] for status in ("crash", "timeout", "empty")} for name, ended in failures.items()},
        seen,
    )


def _has_seen(name: str, corpus: str, split: str) -> bool:
    return name not in contestants.WRITERS and competitors.has_seen(name, corpus, split)


def _line(kind: str, names: list[str], seen: Sequence[str], pages: list[dict[str, dict[str, Counts]]]) -> Line | None:
    """A kind of element; those that were trained on the pages do not lead. None if no page has it."""
    columns: dict[str, list[Counts]] = {name: [] for name in names}
    for page in pages:
        expected = max((counts[kind].expected for counts in page.values() if kind in counts), default=0)
        if expected:
            for name in names:
                columns[name].append(page.get(name, {}).get(kind) or Counts(expected))
    competing = {name: column for name, column in columns.items() if name not in seen}
    many = len(columns[names[0]])
    if not many:
        return None
    return Line(kind, many, {name: total(column) for name, column in columns.items()}, _lead(competing))


def _lead(columns: dict[str, list[Counts]]) -> Lead | None:
    order = sorted(columns, key=lambda name: -round(total(columns[name]).f1, 6))
    if len(order) < 2:
        return None
    first, second = (np.array(columns[name], dtype=np.float64) for name in order[:2])
    many = len(first)
    weights = np.random.default_rng(0).multinomial(many, np.full(many, 1 / many), size=_SAMPLES)
    differences = _f1(weights @ first) - _f1(weights @ second)
    low, high = np.quantile(differences, [0.025, 0.975])
    ahead = total(columns[order[0]]).f1 - total(columns[order[1]]).f1
    return Lead(order[0], ahead, float(low), float(high))


def _f1(sums: Floats) -> Floats:
    """F1 of rows of counts: twice the hits by those expected and those found."""
    expected, hits, _, beyond, made_up = sums.T
    shares: Floats = 2 * hits / np.maximum(1, expected + hits + beyond + made_up)
    return shares


def tables(summary: StructureSummary) -> list[Table]:
    """The summary for a terminal: F1 with precision and recall, and what writing alone lost. Raises MissingExtra."""
    with needs("bench", "the benchmark's table"):
        from rich.table import Table

    title = f"Structure kept ({summary.label}): {pages_text(summary.pages)}; F1, precision, recall"
    board = Table(title=title, title_justify="left", caption_justify="left")
    writing = Table(
        title="Of the elements whose text was kept, the share kept as such; + made up: glued, duplicated, invented",
        title_justify="left",
    )
    for table in (board, writing):
        table.add_column("element", no_wrap=True)
        table.add_column("pages", justify="right")
        table.add_column("expected", justify="right")
        for name in summary.contestants:
            table.add_column(f"{name} {FIT}" if name in summary.seen else name, justify="right", no_wrap=True)
    board.add_column("ahead", no_wrap=True)
    for line in summary.lines:
        counts = list(line.counts.values())
        facts = line.kind, f"{line.pages:,}", f"{counts[0].expected:,}"
        board.add_row(
            *facts, *(f"{one.f1:.3f} {one.precision:3.0%}{one.recall:5.0%}" for one in counts), _short(line.lead)
        )
        writing.add_row(*facts, *(f"{one.as_such:.3f} +{one.made_up:,}" for one in counts))
    whole = [name for name in summary.contestants if name in ("markdownify", "html2text")]
    notes = [f"{' and '.join(whole)} {WHOLE_PAGE}"] if whole else []
    board.caption = "\n".join([*notes, *([f"{FIT}: {SEEN}"] if summary.seen else [])])
    return [board, writing]


def lead_text(lead: Lead | None) -> str:
    """Who leads and by how much; "=" where that may be chance."""
    return f"{_short(lead)} [{lead.low:+.3f}, {lead.high:+.3f}]" if lead and lead.ahead > 0 else _short(lead)


def _short(lead: Lead | None) -> str:
    if lead is None or lead.ahead <= 0:
        return ""
    return f"{lead.contestant} {lead.ahead:+.3f}{' =' if lead.low <= 0 else ''}"
