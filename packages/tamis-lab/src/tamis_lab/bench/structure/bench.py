"""How much of the structure of pages survives: the scorer of `tamis bench --structure`, its summary and its tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import tamis
from tamis.arrays import Floats
from tamis.document.decode import decode
from tamis_lab import needs
from tamis_lab.bench import contestants
from tamis_lab.bench.peers import WRITERS, Contestant
from tamis_lab.bench.runner import Result, Scorer, losses
from tamis_lab.bench.structure.elements import Reading, read
from tamis_lab.bench.structure.page import KINDS
from tamis_lab.bench.structure.scores import Counts, Wanted, by_example, by_gold, compare, read_output, total
from tamis_lab.bench.text import FIT, SEEN, pages_text
from tamis_lab.corpora.reader import CorpusPage

if TYPE_CHECKING:
    from rich.table import Table

GOLDEN = "golden pages"
GOLDEN_FOLDER = Path(tamis.__file__).parents[2] / "tests" / "pages" / "structure"
_SECTIONS = re.compile(r"\n<!-- expected \w+ -->\n")  # a golden page is HTML, and what it should become
WHOLE_PAGE = "convert the whole page: what they have beyond the gold costs precision"
_GOLDEN_URL = "https://site.example/page"  # by which tests/golden.py extracts them
_SAMPLES = 1000  # of the bootstrap

# A golden page is a few lines of markup. Between paragraphs like these it is found by those who look for an article.
_BEFORE = (
    "<p>The ferry to the island leaves at nine in the morning, and in summer there is another one at noon. It takes an "
    "hour if the sea is calm, and those who know the captain are allowed to stand beside him and watch.</p>"
    "<p>Nobody remembers who built the first house there. The oldest one that stands today has thick walls, small "
    "windows and a roof of slate, which was brought over from the mainland in boats, piece by piece.</p>"
)
_AFTER = (
    "<p>In winter the schoolteacher is also the librarian, the postman and the one who reads the instruments of the "
    "weather station. She says that she likes the storms best, because then everybody comes to the library.</p>"
    "<p>Those who want to stay overnight should ask at the harbour office, which has a list of rooms. Most of them "
    "look out over the bay, and breakfast is included, with bread that was baked the same morning.</p>"
)
_BODY = re.compile(r"<body[^>]*>", re.IGNORECASE)


class GoldenPages(NamedTuple):
    """The golden structure pages, each within an article. Their gold is the Markdown that is expected of them."""

    folder: Path
    label: str = GOLDEN

    @property
    def size(self) -> int:
        """The number of pages; 0 where the tests are not beside the package."""
        return sum(1 for _ in self.pages())

    @property
    def digest(self) -> str:
        """Of their files."""
        return sha256(b"".join(path.read_bytes() for path in sorted(self.folder.glob("*/*.html")))).hexdigest()

    def pages(self) -> Iterator[CorpusPage]:
        """The pages."""
        for path in sorted(self.folder.glob("*/*.html")):
            html, markdown, *_ = _SECTIONS.split(path.read_text(encoding="utf-8").partition("\n-->\n")[2])
            name = f"{path.parent.name}/{path.stem}"
            yield CorpusPage(GOLDEN, name, _within_article(html).encode(), "all", url=_GOLDEN_URL, gold_text=markdown)


def _within_article(html: str) -> str:
    """A golden page between paragraphs of an article."""
    if body := _BODY.search(html):
        return f"{html[: body.end()]}{_BEFORE}{html[body.end() :]}"
    return f"<!DOCTYPE html><title>The island</title><body><article>{_BEFORE}{html}{_AFTER}</article></body>"


@dataclass(frozen=True)
class StructureResult(Result):
    """What a contestant made of the elements of a page: nothing where it failed or the page has none."""

    counts: dict[str, Counts]  # by kind of element


@dataclass
class StructureScorer(Scorer[StructureResult]):
    """Counts elements. All of a golden page is content, so there contestants are told to keep the whole page."""

    golden: bool = False
    page: tuple[CorpusPage, Reading, Wanted | None] | None = None  # the last one, which all contestants have in turn

    result = StructureResult

    def version(self, name: str) -> str:
        """The version of a contestant."""
        return contestants.writer_version(name)

    def load(self, name: str) -> Contestant:
        """A contestant that answers with Markdown or HTML, which is marked."""
        load = contestants.load_writer(name, whole=self.golden)
        if name in WRITERS and WRITERS[name].is_html:
            return lambda html, url: Html(load(html, url))
        return load

    def takes(self, page: CorpusPage) -> bool:
        """Has it a gold text?"""
        return bool(page.gold_text)

    def asks(self, page: CorpusPage) -> bool:
        """Is an element of it wanted?"""
        _, wanted = self._prepared(page)
        return wanted is not None and bool(wanted.wanted)

    def score(self, page: CorpusPage, answer: str | None) -> dict[str, Any]:
        """The counts by kind."""
        if answer is None:
            return {"counts": {}}
        reading, wanted = self._prepared(page)
        assert wanted  # noqa: S101 it asks for no other
        found = read_output(answer, page.url, reading, is_html=isinstance(answer, Html))
        return {"counts": compare(wanted, found, reading, answer).counts}

    def _prepared(self, page: CorpusPage) -> tuple[Reading, Wanted | None]:
        if self.page is None or self.page[0].id != page.id:
            html, gold = decode(page.html).text, page.gold_text or ""
            reading = read(html, page.url)
            if self.golden:
                wanted: Wanted | None = by_example(read_output(gold, page.url, reading, is_html=False))
            else:
                wanted = by_gold(reading, read(html, page.url, like=reading, with_hidden=True), gold)
            self.page = page, reading, wanted
        return self.page[1:]


class Html(str):
    """What a contestant wrote, if it is not Markdown."""

    __slots__ = ()


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


def summarise(label: str, names: Sequence[str], results: Sequence[StructureResult]) -> StructureSummary:
    """Add up the results of one corpus. A contestant that failed on a page found nothing there."""
    found = {result.contestant: result.version for result in results}
    versions = {name: found[name] for name in names if name in found}
    pages: dict[tuple[str, str], dict[str, dict[str, Counts]]] = defaultdict(dict)
    for result in results:
        pages[result.split, result.id][result.contestant] = result.counts
    places = {(result.corpus, result.split) for result in results}
    seen = tuple(name for name in versions if any(contestants.has_seen(name, *place) for place in places))
    lines = [line for kind in KINDS if (line := _line(kind, list(versions), seen, list(pages.values())))]
    return StructureSummary(
        label,
        versions,
        sum(any(by_contestant.values()) for by_contestant in pages.values()),
        lines,
        {name: losses(result for result in results if result.contestant == name) for name in versions},
        seen,
    )


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
