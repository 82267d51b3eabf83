"""Run contestants on pages in worker processes and count their elements."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

import tamis
from tamis.document.decode import decode
from tamis.worker.limits import DeadlineMissed, Guard, Limits
from tamis.worker.pool import Pool
from tamis.worker.process import Failure
from tamis_lab.bench.competitors import Contestant
from tamis_lab.bench.runner import Selection, appending, progress
from tamis_lab.bench.structure import contestants
from tamis_lab.bench.structure.expected import Wanted, by_example, by_gold
from tamis_lab.bench.structure.reader import Reading, read
from tamis_lab.bench.structure.scores import Counts, compare, read_output
from tamis_lab.bench.workers import DEADLINE, GRACE, Status, call, forbid_network
from tamis_lab.corpora.reader import CorpusPage

GOLDEN = "golden pages"
GOLDEN_FOLDER = Path(tamis.__file__).parents[2] / "tests" / "pages" / "structure"

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
_SECTIONS = re.compile(r"\n<!-- expected \w+ -->\n")  # a golden page is HTML, and what it should become
_BODY = re.compile(r"<body[^>]*>", re.IGNORECASE)


class Sample(NamedTuple):
    """A page, and the Markdown that is expected of it if there is an example."""

    page: CorpusPage
    example: str | None = None


class Outcome(NamedTuple):
    """One contestant on one page: nothing is counted where it failed or the page has no structure."""

    status: Status
    error: str = ""
    counts: dict[str, Counts] = {}  # noqa: RUF012 never changed


@dataclass(frozen=True)
class Result:
    """A line of the results file."""

    corpus: str
    split: str
    id: str
    contestant: str
    version: str
    status: Status
    error: str
    counts: dict[str, Counts]  # by kind of element


def golden_pages() -> list[Sample]:
    """The golden structure pages, each within an article; none where the tests are not beside the package."""
    samples = []
    for path in sorted(GOLDEN_FOLDER.glob("*/*.html")):
        html, markdown, *_ = _SECTIONS.split(path.read_text(encoding="utf-8").partition("\n-->\n")[2])
        page = CorpusPage(GOLDEN, f"{path.parent.name}/{path.stem}", _article(html).encode(), "all", url=_URL)
        samples.append(Sample(page, markdown))
    return samples


_URL = "https://site.example/page"  # by which tests/golden.py extracts them


def _article(html: str) -> str:
    if body := _BODY.search(html):
        return f"{html[: body.end()]}{_BEFORE}{html[body.end() :]}"
    return f"<!DOCTYPE html><title>The island</title><body><article>{_BEFORE}{html}{_AFTER}</article></body>"


def corpus_pages(selection: Selection) -> Iterator[Sample]:
    """The pages of a corpus that have gold text."""
    return (Sample(page) for page in selection.pages() if page.gold_text)


def run(
    samples: Iterable[Sample],
    total: int,
    label: str,
    names: Sequence[str],
    output: Path,
    *,
    workers: int | None = None,
    deadline: float = DEADLINE,
) -> list[Result]:
    """Run every contestant on every page; each result is a line of `output`, too. Raises OptionError, MissingExtra."""
    versions = {name: contestants.version(name) for name in names}
    begun: dict[int, tuple[Sample, list[str]]] = {}
    results: list[Result] = []
    with appending(output) as lines, progress() as show:

        def works() -> Iterator[tuple[Sample, Sequence[str]]]:
            for number, sample in enumerate(show(iter(samples), total, label)):
                begun[number] = sample, list(names)
                yield sample, names

        limits = Limits(deadline, grace=GRACE, limit_processor=False)
        with Pool(StructureTask(names), limits, workers=workers) as pool:
            for part in pool.answers(works()):
                sample, left = begun[part.work]
                outcomes = [*part.answers, *([Outcome("crash", part.failed)] * len(left) if part.failed else ())]
                for outcome in outcomes[: len(left)]:
                    name = left.pop(0)
                    page = sample.page
                    result = Result(page.corpus, page.split, page.id, name, versions[name], *outcome)
                    lines.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")
                    results.append(result)
                if part.finished or part.failed:
                    del begun[part.work]
    return sorted(results, key=lambda result: (result.corpus, result.split, result.id, result.contestant))


@dataclass
class StructureTask:
    """A work is a page with names of contestants, an item is the page with one of them."""

    names: Sequence[str]
    loaded: dict[tuple[str, bool], Contestant] = field(default_factory=dict)
    page: tuple[Sample, Reading, Wanted | None] | None = None  # the last one, which all contestants have in turn

    def start(self) -> None:
        """Load the contestants, each also told to keep the whole page."""
        forbid_network()
        chosen = [(name, whole) for name in self.names for whole in (False, True)]
        self.loaded = {(name, whole): contestants.load(name, whole=whole) for name, whole in chosen}

    def read(self, work: tuple[Sample, Sequence[str]], lost: Mapping[int, Failure]) -> Iterator[tuple[Sample, str]]:
        """The page with each of the names."""
        sample, names = work
        return ((sample, name) for name in names)

    def size(self, item: tuple[Sample, str]) -> int:
        """Nothing: the page is in memory already."""
        del item
        return 0

    def place(self, item: tuple[Sample, str]) -> int:
        """Progress counts pages."""
        del item
        return 0

    def answer(self, item: tuple[Sample, str], guard: Guard) -> Outcome:
        """Run a contestant on a page and count."""
        sample, name = item
        try:
            with guard:
                reading, wanted = self._prepared(sample)
        except DeadlineMissed:
            return Outcome("timeout", "the page could not be read in time")
        if wanted is None or not wanted.wanted:
            return Outcome("ok")
        page = sample.page
        contestant = self.loaded[name, sample.example is not None]  # all of a golden page is content
        written = call(contestant, page.html, page.url, guard)
        if written.status in ("crash", "timeout"):
            return Outcome(written.status, written.error)
        try:
            with guard:
                found = read_output(written.text, page.url, reading, is_html=contestants.is_html(name))
                return Outcome(written.status, "", compare(wanted, found, reading, written.text).counts)
        except DeadlineMissed:
            return Outcome("timeout", "its output could not be read in time")

    def _prepared(self, sample: Sample) -> tuple[Reading, Wanted | None]:
        if self.page is None or self.page[0].page.id != sample.page.id:
            page = sample.page
            html = decode(page.html).text
            reading = read(html, page.url)
            if sample.example is None:
                whole = read(html, page.url, like=reading, with_hidden=True)
                wanted = by_gold(reading, whole, page.gold_text or "")
            else:
                wanted = by_example(read_output(sample.example, page.url, reading, is_html=False))
            self.page = sample, reading, wanted
        return self.page[1:]

    def failed(self, item: tuple[Sample, str], failure: Failure) -> Outcome:
        """The outcome of a call that ended its worker."""
        del item
        return Outcome("timeout" if failure.kind == "timeout" else "crash", failure.reason)
