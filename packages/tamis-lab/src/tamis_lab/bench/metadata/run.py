"""Ask contestants about pages in worker processes: each pair is a line of a results file, and a run can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from tamis.worker.limits import Guard, Limits
from tamis.worker.pool import Pool
from tamis.worker.process import Failure
from tamis_lab.bench.metadata import contestants
from tamis_lab.bench.metadata.scores import FIELDS, Counts, judge
from tamis_lab.bench.runner import Selection, appending, progress
from tamis_lab.bench.workers import DEADLINE, GRACE, Status, call, forbid_network
from tamis_lab.corpora.reader import CorpusPage

# Libraries load word lists and compile patterns in their first call, which is no page's fault.
_WARM_UP = b"<html><title>Warm up</title><body><p>A first page of 4 May 2023, for all that is lazy.</p></body></html>"

Unit = tuple[CorpusPage, Sequence[str]]  # a page and the names of the contestants that are asked about it


class Outcome(NamedTuple):
    """One contestant on one page. One that failed said nothing."""

    status: Status
    seconds: float
    error: str = ""
    answer: Mapping[str, Any] = {}
    confidences: Mapping[str, float] = {}


@dataclass(frozen=True)
class Result:
    """A line of the results file. It is judged when it is read, so that rules may change without a new run."""

    corpus: str
    digest: str
    split: str
    id: str
    contestant: str
    version: str
    gold: Mapping[str, str]
    status: Status
    seconds: float
    error: str
    answer: Mapping[str, Any]
    confidences: Mapping[str, float]

    @property
    def key(self) -> tuple[str, ...]:
        """A line with the same key need not be computed again."""
        return (self.corpus, self.digest, self.split, self.id, self.contestant, self.version)

    def counts(self, name: str) -> Counts | None:
        """The counts of a field; None if its gold can't be read."""
        return judge(name, self.answer.get(name, ""), self.gold[name])


def gold_of(page: CorpusPage) -> dict[str, str]:
    """The gold of a page by field; empty where it has none."""
    return {"title": page.title or "", "authors": page.author or "", "date": page.date or ""}


def run(
    selections: Sequence[Selection],
    names: Sequence[str],
    output: Path,
    *,
    workers: int | None = None,
    deadline: float = DEADLINE,
) -> dict[str, list[Result]]:
    """Ask every contestant about every page and return the results by label of the selection.

    Each result is a line of `output`; those already there are not computed again. Raises OptionError, MissingExtra and
    WeightsError for contestants, before anything runs.
    """
    versions = {name: contestants.version(name) for name in names}
    known = {result.key: result for result in _read(output)}
    found: dict[str, list[Result]] = {}
    with appending(output) as lines, progress() as show:
        for selection in selections:
            digest, results = selection.corpus.digest(), list[Result]()
            pages = show(selection.pages(), selection.size, selection.label)
            todo = _todo(pages, digest, versions, known, results)
            for page, name, outcome in _asked(todo, names, workers, deadline):
                result = Result(page.corpus, digest, page.split, page.id, name, versions[name], gold_of(page), *outcome)
                lines.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")
                lines.flush()
                results.append(result)
            found[selection.label] = sorted(results, key=lambda result: (result.contestant, result.split, result.id))
    return found


def _read(path: Path) -> Iterator[Result]:
    """The results of a file, without lines that are incomplete or have another format."""
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            with suppress(ValueError, TypeError):
                yield Result(**json.loads(line))


def _todo(
    pages: Iterator[CorpusPage],
    digest: str,
    versions: Mapping[str, str],
    known: Mapping[tuple[str, ...], Result],
    results: list[Result],
) -> Iterator[Unit]:
    """The pages with the contestants still to ask; what is known already goes to `results`, with today's gold."""
    for page in pages:
        missing = []
        for name, version in versions.items():
            key = (page.corpus, digest, page.split, page.id, name, version)
            if key in known:
                results.append(replace(known[key], gold=gold_of(page)))
            else:
                missing.append(name)
        if missing:
            yield page, missing


def _asked(
    units: Iterator[Unit], names: Sequence[str], workers: int | None, deadline: float
) -> Iterator[tuple[CorpusPage, str, Outcome]]:
    begun: dict[int, tuple[CorpusPage, list[str]]] = {}

    def works() -> Iterator[Unit]:
        for number, (page, asked) in enumerate(units):
            begun[number] = page, list(asked)
            yield page, asked

    limits = Limits(deadline, grace=GRACE, limit_processor=False)
    with Pool(MetadataTask(names), limits, workers=workers) as pool:
        for part in pool.answers(works()):
            page, left = begun[part.work]
            for outcome in part.answers:
                yield page, left.pop(0), outcome
            if part.failed:
                yield from ((page, name, Outcome("crash", 0.0, part.failed)) for name in left)
            if part.finished or part.failed:
                del begun[part.work]


@dataclass
class MetadataTask:
    """A work is a page with names of contestants, an item is the page with one of them."""

    names: Sequence[str]
    loaded: dict[str, contestants.Finder] = field(default_factory=dict)
    warm: set[str] = field(default_factory=set)

    def start(self) -> None:
        """Load the contestants."""
        forbid_network()
        self.loaded = {name: contestants.load(name) for name in self.names}

    def read(self, work: Unit, lost: Mapping[int, Failure]) -> Iterator[tuple[CorpusPage, str]]:
        """The page with each of the names."""
        page, names = work
        return ((page, name) for name in names)

    def size(self, item: tuple[CorpusPage, str]) -> int:
        """Nothing: the page is in memory already."""
        del item
        return 0

    def place(self, item: tuple[CorpusPage, str]) -> int:
        """Progress counts pages."""
        del item
        return 0

    def answer(self, item: tuple[CorpusPage, str], guard: Guard) -> Outcome:
        """Ask a contestant about a page. Loading it and its first call are no part of the page's time."""
        page, name = item

        def ask(html: bytes, url: str | None) -> str:
            return json.dumps(self.loaded[name](html, url)._asdict())

        if name not in self.warm:
            self.warm.add(name)
            call(ask, _WARM_UP, None, guard)
        said = call(ask, page.html, page.url, guard)
        if said.status in ("crash", "timeout"):
            return Outcome(said.status, round(said.seconds, 6), said.error)
        answer = json.loads(said.text)
        confidences = answer.pop("confidences")
        status: Status = "ok" if any(answer[name] for name in FIELDS) else "empty"
        return Outcome(status, round(said.seconds, 6), "", answer, confidences)

    def failed(self, item: tuple[CorpusPage, str], failure: Failure) -> Outcome:
        """The outcome of a call that ended its worker."""
        del item
        return Outcome("timeout" if failure.kind == "timeout" else "crash", failure.seconds, failure.reason)
