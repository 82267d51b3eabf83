"""Which elements of a page are wanted, and how many of them a contestant wrote: `tamis bench --structure`.

Wanted are the elements whose text is in the gold of a page, or those of an expected output. The second half of this
file is the scorer, its summary and its tables.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
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
from tamis_lab.bench.runner import FixedPages, Result, Scorer, losses
from tamis_lab.bench.structure.elements import PageElements, read_elements
from tamis_lab.bench.structure.page import KINDS, StructureElement, to_html, words
from tamis_lab.bench.text import FIT, SEEN, pages_text
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.gold import BADLY_PLACED, match
from tamis_lab.metrics import tokens

if TYPE_CHECKING:
    from rich.table import Table

Item = tuple[str, tuple[str, ...]]  # the kind and the key of an element

_MOST_MISSING = 0.1  # of the words of an element, because annotators leave out a mark here and there
_FEW = 4  # with fewer words than this, the words beside an element have to be in the gold as well
_BESIDE = 8  # words on each side of an image or a formula
_SHARE_BESIDE = 0.6  # of these that the gold must have
_SHARE_AROUND = 0.7  # of the words of the block around it, where there is one


class Wanted(NamedTuple):
    """The elements of a page: wanted, beyond the gold, and those that are neither wanted nor wrong."""

    wanted: Counter[Item]
    beyond: Counter[Item]
    unsure: Counter[Item]


def by_gold(page: PageElements, whole: PageElements, gold_text: str) -> Wanted | None:
    """The elements of a page by its gold text; None if too little of the gold is on the page.

    `whole` is the page with what it hides, which some contestants show.
    """
    place = _Place(page.text, gold_text)
    if place.share < BADLY_PLACED:
        return None
    wanted: Counter[Item] = Counter()
    unsure: Counter[Item] = Counter()
    for element in page.elements:
        inside = place.beside(element) if element.kind in ("image", "formula") else place.holds(element)
        chosen = unsure if inside is None or not element.sure else wanted if inside else None
        if element.kind == "image" and element.sure and (element.kind, element.key) in wanted:
            chosen = unsure  # shown twice, of which one is enough
        if chosen is not None:
            chosen[element.kind, element.key] += 1
    # The larger number of both: hidden words next to an element may belong to it in the whole page.
    everything = _items(whole.elements) | _items(page.elements)
    return Wanted(wanted, everything - wanted - unsure, unsure)


def _items(elements: Iterable[StructureElement]) -> Counter[Item]:
    return Counter((element.kind, element.key) for element in elements)


def by_example(example: PageElements) -> Wanted:
    """The elements of an expected output."""
    sure = _items(element for element in example.elements if element.sure)
    return Wanted(sure, Counter(), _items(element for element in example.elements if not element.sure))


class _Place:
    """Where the words of a page are in the gold."""

    def __init__(self, text: str, gold_text: str) -> None:
        self._text = text
        page: list[str] = []
        self._starts: list[int] = []
        at = 0
        for line in text.split("\n"):
            for part in line.split(" "):
                found = tokens(part)
                page += found
                # Where exactly a word begins within a part does not matter but for links inside words.
                self._starts += [at] * len(found)
                at += len(part) + 1
        gold = tokens(gold_text)
        pairs = match(page, gold)
        self.share = len(pairs) / len(gold) if gold else 0.0
        self._gold = [-1] * len(page)
        for number, found_at in pairs:
            self._gold[number] = found_at

    def _range(self, start: int, end: int) -> tuple[int, int]:
        return bisect_left(self._starts, start), bisect_left(self._starts, end)

    def _share(self, first: int, last: int) -> float:
        return sum(place >= 0 for place in self._gold[first:last]) / max(1, last - first)

    def holds(self, element: StructureElement) -> bool:
        """Is the text of an element in the gold, in one piece?"""
        start = element.start
        while start > 0 and not self._text[start - 1].isspace():  # it begins within a word: (<a>link</a>
            start -= 1
        first, last = self._range(start, element.end)
        if first == last or self._share(first, last) < 1 - _MOST_MISSING:
            return False
        places = [place for place in self._gold[first:last] if place >= 0]
        if places[-1] - places[0] > 1.2 * (last - first) + 2:
            return False
        if last - first >= _FEW:
            return True
        before = self._gold[first - 1] if first else -1
        after = self._gold[last] if last < len(self._gold) else -1
        return (before >= 0 and places[0] - before <= _FEW) or (after >= 0 and after - places[-1] <= _FEW)

    def beside(self, element: StructureElement) -> bool | None:
        """Are the words around an element in the gold? None if only one side is."""
        low = self._text.rfind("\n", 0, element.start) + 1
        high = self._text.find("\n", element.end)
        first, last = self._range(low, high if high >= 0 else len(self._text))
        if last - first >= _FEW and self._share(first, last) >= _SHARE_AROUND:
            return True
        first, last = self._range(element.start, element.end)
        before = self._share(max(0, first - _BESIDE), first) >= _SHARE_BESIDE
        after = self._share(last, min(len(self._gold), last + _BESIDE)) >= _SHARE_BESIDE
        return None if before != after else before


class ElementCounts(NamedTuple):
    """Elements of one kind on one page, or on several."""

    expected: int = 0
    hits: int = 0
    there: int = 0  # expected ones whose text is in the output, as such elements or not
    beyond: int = 0  # found, and on the page, but not in its gold
    made_up: int = 0  # found, but not on the page as such an element: glued, duplicated, cut or invented

    @property
    def recall(self) -> float:
        """The share of the expected elements that were found."""
        return self.hits / self.expected if self.expected else 0.0

    @property
    def precision(self) -> float:
        """The share of the found elements that were expected."""
        found = self.hits + self.beyond + self.made_up
        return self.hits / found if found else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def as_such(self) -> float:
        """The share of hits among the expected elements whose text is there: the rest was lost in writing alone."""
        return self.hits / self.there if self.there else 0.0


class Comparison(NamedTuple):
    """The counts by kind, and the elements behind them."""

    counts: dict[str, ElementCounts]
    lost: Counter[Item]
    made_up: Counter[Item]


def read_output(output: str, url: str | None, page: PageElements, *, is_html: bool) -> PageElements:
    """The elements of a contestant's output for a page."""
    html = output if is_html else to_html(output, with_formulas=page.has_formulas)
    return read_elements(html, url, like=page)


def compare(wanted: Wanted, found: PageElements, page: PageElements, output: str) -> Comparison:
    """Count what was found, lost and made up, for each kind of which something is wanted."""
    lost = wanted.wanted - _items(found.elements)
    surplus = _judged(found, page, wanted) - wanted.wanted - wanted.unsure
    made_up = surplus - wanted.beyond
    spare = page.unnamed_formulas  # each may be written in any way
    for item in [item for item in made_up if item[0] == "formula"]:
        spare, made_up[item] = max(0, spare - made_up[item]), max(0, made_up[item] - spare)
    made_up = +made_up
    text, source = f" {words(found.text)} ", "".join(output.split())
    counts: dict[str, ElementCounts] = {}
    expected, missing = _by_kind(wanted.wanted), _by_kind(lost)
    beyond, strange = _by_kind(surplus & wanted.beyond), _by_kind(made_up)
    gone = _by_kind(Counter({item: number for item, number in lost.items() if not _is_there(item, text, source)}))
    for kind in KINDS:
        if every := expected[kind]:
            hits, there = every - missing[kind], every - gone[kind]
            counts[kind] = ElementCounts(every, hits, there, beyond[kind], strange[kind])
    return Comparison(counts, lost, made_up)


def _judged(found: PageElements, page: PageElements, wanted: Wanted) -> Counter[Item]:
    """The elements of an output that can be wrong.

    Not those that another careful person might not have written so, nor links for what the page embeds, nor a part of
    a link around several blocks.
    """
    excused = page.embedded | {key[1] for kind, key in wanted.unsure if kind == "link"}
    return _items(
        element
        for element in found.elements
        if element.sure and not (element.kind == "link" and element.key[1] in excused)
    )


def _by_kind(items: Counter[Item]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (kind, _), number in items.items():
        found[kind] += number
    return found


def _is_there(item: Item, text: str, source: str) -> bool:
    """Is the text of an element in the output? Of images the address counts."""
    kind, key = item
    if kind == "formula":
        return key[0] in source
    if kind == "image":
        return key[0].rpartition("/")[2] in source
    return f" {words(key[0]) if kind.startswith('code') else key[0]} " in text


def total(many: list[ElementCounts]) -> ElementCounts:
    """The sum of some counts."""
    return ElementCounts(*map(sum, zip(*many, strict=True))) if many else ElementCounts()


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


def golden_pages(folder: Path) -> FixedPages:
    """The golden structure pages, each within an article. Their gold is the Markdown that is expected of them.

    None where the tests are not next to the package.
    """
    paths = sorted(folder.glob("*/*.html"))
    pages = []
    for path in paths:
        html, markdown, *_ = _SECTIONS.split(path.read_text(encoding="utf-8").partition("\n-->\n")[2])
        name, page = f"{path.parent.name}/{path.stem}", _within_article(html).encode()
        pages.append(CorpusPage(GOLDEN, name, page, "all", url=_GOLDEN_URL, gold_text=markdown))
    return FixedPages(GOLDEN, sha256(b"".join(path.read_bytes() for path in paths)).hexdigest(), pages)


def _within_article(html: str) -> str:
    """A golden page between paragraphs of an article."""
    if body := _BODY.search(html):
        return f"{html[: body.end()]}{_BEFORE}{html[body.end() :]}"
    return f"<!DOCTYPE html><title>The island</title><body><article>{_BEFORE}{html}{_AFTER}</article></body>"


@dataclass(frozen=True)
class StructureResult(Result):
    """What a contestant made of the elements of a page: nothing where it failed or the page has none."""

    counts: dict[str, ElementCounts]  # by kind of element


@dataclass
class StructureScorer(Scorer[StructureResult]):
    """The scorer of elements. All of a golden page is content, so contestants are told to keep the whole page."""

    golden: bool = False
    page: tuple[CorpusPage, PageElements, Wanted | None] | None = (
        None  # the last one, which all contestants have in turn
    )

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

    def _prepared(self, page: CorpusPage) -> tuple[PageElements, Wanted | None]:
        if self.page is None or self.page[0].id != page.id:
            html, gold = decode(page.html).text, page.gold_text or ""
            reading = read_elements(html, page.url)
            if self.golden:
                wanted: Wanted | None = by_example(read_output(gold, page.url, reading, is_html=False))
            else:
                wanted = by_gold(reading, read_elements(html, page.url, like=reading, with_hidden=True), gold)
            self.page = page, reading, wanted
        return self.page[1:]


class Html(str):
    """What a contestant wrote, if it is not Markdown."""

    __slots__ = ()


class ElementLead(NamedTuple):
    """The best F1 of a kind, and how far it is ahead of the next, with the 95 % interval of the paired bootstrap."""

    contestant: str
    ahead: float
    low: float
    high: float


@dataclass(frozen=True)
class StructureLine:
    """One kind of element: the pages that have it, and what each contestant made of it."""

    kind: str
    pages: int
    counts: dict[str, ElementCounts]
    lead: ElementLead | None


@dataclass(frozen=True)
class StructureSummary:
    """All kinds of elements on one corpus."""

    label: str
    contestants: dict[str, str]  # with their versions
    pages: int  # that have any structure
    lines: list[StructureLine]
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
    pages: dict[tuple[str, str], dict[str, dict[str, ElementCounts]]] = defaultdict(dict)
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


def _line(
    kind: str, names: list[str], seen: Sequence[str], pages: list[dict[str, dict[str, ElementCounts]]]
) -> StructureLine | None:
    """A kind of element; those that were trained on the pages do not lead. None if no page has it."""
    columns: dict[str, list[ElementCounts]] = {name: [] for name in names}
    for page in pages:
        expected = max((counts[kind].expected for counts in page.values() if kind in counts), default=0)
        if expected:
            for name in names:
                columns[name].append(page.get(name, {}).get(kind) or ElementCounts(expected))
    competing = {name: column for name, column in columns.items() if name not in seen}
    many = len(columns[names[0]])
    if not many:
        return None
    return StructureLine(kind, many, {name: total(column) for name, column in columns.items()}, _lead(competing))


def _lead(columns: dict[str, list[ElementCounts]]) -> ElementLead | None:
    order = sorted(columns, key=lambda name: -round(total(columns[name]).f1, 6))
    if len(order) < 2:
        return None
    first, second = (np.array(columns[name], dtype=np.float64) for name in order[:2])
    many = len(first)
    weights = np.random.default_rng(0).multinomial(many, np.full(many, 1 / many), size=_SAMPLES)
    differences = _f1(weights @ first) - _f1(weights @ second)
    low, high = np.quantile(differences, [0.025, 0.975])
    ahead = total(columns[order[0]]).f1 - total(columns[order[1]]).f1
    return ElementLead(order[0], ahead, float(low), float(high))


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
            *facts,
            *(f"{one.f1:.3f} {one.precision:3.0%}{one.recall:5.0%}" for one in counts),
            _lead_in_short(line.lead),
        )
        writing.add_row(*facts, *(f"{one.as_such:.3f} +{one.made_up:,}" for one in counts))
    whole = [name for name in summary.contestants if name in ("markdownify", "html2text")]
    notes = [f"{' and '.join(whole)} {WHOLE_PAGE}"] if whole else []
    board.caption = "\n".join([*notes, *([f"{FIT}: {SEEN}"] if summary.seen else [])])
    return [board, writing]


def lead_text(lead: ElementLead | None) -> str:
    """Who leads and by how much; "=" where that may be chance."""
    return (
        f"{_lead_in_short(lead)} [{lead.low:+.3f}, {lead.high:+.3f}]"
        if lead and lead.ahead > 0
        else _lead_in_short(lead)
    )


def _lead_in_short(lead: ElementLead | None) -> str:
    if lead is None or lead.ahead <= 0:
        return ""
    return f"{lead.contestant} {lead.ahead:+.3f}{' =' if lead.low <= 0 else ''}"
