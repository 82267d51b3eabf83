"""Run contestants on pages in worker processes: each pair is a line of a results file, and a run can be resumed.

For each contestant, a page ends as one of `ok`, `empty`, `crash` or `timeout`. What contestants are asked and what an
answer is worth is up to a scorer: `text.py`, `structure/scores.py` or `metadata.py`.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn, Protocol, TextIO, TypeVar

from tamis.errors import OptionError
from tamis.worker.limits import DeadlineMissed, Guard, Limits
from tamis.worker.pool import Pool
from tamis.worker.process import Failure, Task
from tamis_lab import needs
from tamis_lab.bench.peers import Answer
from tamis_lab.corpora.catalogue import SEED, Corpus
from tamis_lab.corpora.reader import CorpusPage

DEADLINE = 30.0  # seconds a page; on WCXB dev, on a busy machine, the slowest call of any peer took 16
GRACE = 5.0  # seconds beyond the deadline, to answer, before the worker is killed

# Many libraries load word lists and compile patterns in their first call, which must not count against a page.
_WARM_UP = (
    b"<html><title>Warm up</title><body><article><h1>Warm up</h1>"
    b"<p>A first page of 4 May 2023, for all that is lazy.</p></article></body></html>"
)
_ERROR_LENGTH = 300

Status = Literal["ok", "empty", "crash", "timeout"]
LOSSES: tuple[Status, ...] = ("crash", "timeout", "empty")
Unit = tuple[CorpusPage, Sequence[str]]  # a page and the names of the contestants that run on it
Show = Callable[[Iterator[Any], int, str], Iterator[Any]]


class Selection(NamedTuple):
    """A corpus or one split of it, or with a limit a sample of its pages, see `Corpus.sample`."""

    corpus: Corpus
    split: str | None = None
    limit: int | None = None
    seed: int = SEED

    @property
    def label(self) -> str:
        """The name as it is written on the command line."""
        name = self.corpus.info.name
        return f"{name}:{self.split}" if self.split else name

    @property
    def size(self) -> int:
        """The number of pages."""
        every = len(self.corpus.entries(self.split))
        return min(every, self.limit or every)

    @property
    def digest(self) -> str:
        """The hash of the corpus."""
        return self.corpus.digest()

    def pages(self) -> Iterator[CorpusPage]:
        """The pages, read one by one."""
        if self.limit is None:
            return self.corpus.pages(self.split)
        return self.corpus.sample(self.split, self.limit, self.seed)


class FixedPages(NamedTuple):
    """Pages of no corpus, with the name under which results are shown and a hash of their files."""

    label: str
    digest: str
    all_pages: Sequence[CorpusPage]

    @property
    def size(self) -> int:
        """The number of pages."""
        return len(self.all_pages)

    def pages(self) -> Iterator[CorpusPage]:
        """The pages."""
        return iter(self.all_pages)


PageSource = Selection | FixedPages


@dataclass(frozen=True)
class Result:
    """One contestant on one page, as a line of the results file. Each scorer adds fields."""

    corpus: str
    digest: str
    split: str
    id: str
    contestant: str
    version: str
    status: Status
    seconds: float
    error: str

    @property
    def key(self) -> tuple[str, ...]:
        """A line with the same key need not be computed again."""
        return (self.corpus, self.digest, self.split, self.id, self.contestant, self.version)

    @property
    def page(self) -> tuple[str, str]:
        """Identifies the page within its corpus."""
        return (self.split, self.id)


Scored = TypeVar("Scored", bound=Result)


class Scorer(Protocol[Scored]):
    """A base class: what contestants are asked, and what their answers are worth. It is pickled to the workers."""

    result: type[Scored]

    def version(self, name: str) -> str:
        """The version of a contestant. Raises OptionError, MissingExtra and WeightsError if it can't run."""

    def load(self, name: str) -> Callable[[bytes, str | None], Any]:
        """The contestant of this name. Raises like `version`."""

    def takes(self, page: CorpusPage) -> bool:
        """Does the run include this page?"""
        return True

    def facts(self, page: CorpusPage) -> dict[str, Any]:
        """The fields of a result that do not depend on the contestant."""
        return {}

    def holds(self, known: Scored) -> bool:
        """Does a result of an earlier run with the same key still hold?"""
        return True

    def asks(self, page: CorpusPage) -> bool:
        """Is there anything to ask about a page? It is called in the worker, under the deadline."""
        return True

    def score(self, page: CorpusPage, answer: Any) -> dict[str, Any]:
        """The fields of a result for an answer; for None if the contestant failed. It is called under the deadline."""


class Outcome(NamedTuple):
    """One call of a contestant."""

    status: Status
    seconds: float
    error: str = ""
    answer: Any = None  # only where it was asked for
    scores: Mapping[str, Any] = {}


def run(
    scorer: Scorer[Scored],
    sources: Sequence[PageSource],
    names: Sequence[str],
    output: Path,
    *,
    workers: int | None = None,
    deadline: float = DEADLINE,
    grace: float = GRACE,
) -> dict[str, list[Scored]]:
    """Run every contestant on every page and return the results by label of the source.

    Each result is a line of `output`; those already there are not computed again. Raises OptionError, MissingExtra and
    WeightsError for contestants that can't run, before anything runs.
    """
    versions = {name: scorer.version(name) for name in names}
    known = {result.key: result for result in _known(scorer, output)}
    found: dict[str, list[Scored]] = {}

    def todo(pages: Iterator[CorpusPage], digest: str, results: list[Scored]) -> Iterator[Unit]:
        """The pages with the contestants still to run; known results go to `results`."""
        for page in filter(scorer.takes, pages):
            place = page.corpus, digest, page.split, page.id
            held = {name: known.get((*place, name, version)) for name, version in versions.items()}
            results += (replace(result, **scorer.facts(page)) for result in held.values() if result)
            if missing := [name for name, result in held.items() if not result]:
                yield page, missing

    with _appending(output) as lines, progress() as show:
        for source in sources:
            digest, results = source.digest, list[Scored]()
            units = todo(show(source.pages(), source.size, source.label), digest, results)
            for page, name, outcome in measure(scorer, units, names, workers=workers, deadline=deadline, grace=grace):
                result = scorer.result(
                    corpus=page.corpus,
                    digest=digest,
                    split=page.split,
                    id=page.id,
                    contestant=name,
                    version=versions[name],
                    status=outcome.status,
                    seconds=round(outcome.seconds, 6),
                    error=outcome.error,
                    **scorer.facts(page),
                    **outcome.scores,
                )
                lines.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")
                lines.flush()
                results.append(result)
            found[source.label] = sorted(results, key=lambda result: (result.contestant, result.page))
    return found


def losses(results: Iterable[Result]) -> dict[str, int]:
    """How many pages ended as a crash, as a timeout, and without an answer."""
    ended = Counter(result.status for result in results)
    return {str(status): ended[status] for status in LOSSES}


def _known(scorer: Scorer[Scored], path: Path) -> Iterator[Scored]:
    """The results of a file that still hold, without lines that are incomplete or have another format."""
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            with suppress(ValueError, TypeError):
                result = scorer.result(**json.loads(line))
                if scorer.holds(result):
                    yield result


@contextmanager
def _appending(path: Path) -> Iterator[TextIO]:
    """A file of lines, opened for appending. Raises OptionError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.open("a", encoding="utf-8", errors="replace")
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror or error}") from None
    with lines:
        if path.stat().st_size and not path.read_bytes().endswith(b"\n"):
            lines.write("\n")  # the last run was killed in the middle of a line
        yield lines


@contextmanager
def progress() -> Iterator[Show]:
    """A progress bar for each corpus, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda pages, total, label: pages
        return
    with needs("bench", "the benchmark"):
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), redirect_stdout=False, redirect_stderr=False) as bar:
        yield lambda pages, total, label: iter(bar.track(pages, total=total, description=label))


def measure(
    scorer: Scorer[Any],
    units: Iterable[Unit],
    names: Iterable[str],
    *,
    workers: int | None = None,
    deadline: float = DEADLINE,
    grace: float = GRACE,
    keep_answers: bool = False,
) -> Iterator[tuple[CorpusPage, str, Outcome]]:
    """Run contestants on pages in parallel; answers come in any order.

    `names` are all contestants of the units. Raises like `Scorer.load`.
    """
    pending: dict[int, tuple[CorpusPage, list[str]]] = {}  # pages being worked on, with the contestants still to answer

    def works() -> Iterator[Unit]:
        for number, (page, names) in enumerate(units):
            pending[number] = page, list(names)
            yield page, names

    # A contestant may start a program that lives for many pages, such as node.
    limits = Limits(deadline, grace=grace, limit_processor=False)
    task = ContestantTask(scorer, tuple(names), keep_answers)
    with Pool(task, limits, workers=workers) as pool:
        for part in pool.answers(works()):
            page, left = pending[part.work]
            for outcome in part.answers:
                yield page, left.pop(0), outcome
            if part.failed:
                lost = task.failed((page, ""), Failure("crash", part.failed, 0.0))
                yield from ((page, name, lost) for name in left)
            if part.finished or part.failed:
                del pending[part.work]


@dataclass
class ContestantTask(Task[Unit, tuple[CorpusPage, str], Outcome]):
    """Each work is a page with the names of contestants, and each item that page with one of them."""

    scorer: Scorer[Any]
    names: Sequence[str]
    keep_answers: bool = False
    loaded: dict[str, Callable[[bytes, str | None], Any]] = field(default_factory=dict)
    warm: set[str] = field(default_factory=set)

    def start(self) -> None:
        """Load the contestants. One that can't be loaded ends the run, and does not count as a crash on a page."""
        forbid_network()
        self.loaded = {name: self.scorer.load(name) for name in self.names}

    def read(self, work: Unit, lost: Mapping[int, Failure]) -> Iterator[tuple[CorpusPage, str]]:
        """The page with each of the names."""
        page, names = work
        return ((page, name) for name in names)

    def answer(self, item: tuple[CorpusPage, str], guard: Guard) -> Outcome:
        """Run a contestant on a page. The page's time includes neither loading nor the first call."""
        page, name = item
        if name not in self.warm:
            self.warm.add(name)
            _call(self.loaded[name], _WARM_UP, None, guard)
        deadline = guard.limits.deadline
        try:
            with guard:
                if not self.scorer.asks(page):
                    return Outcome("ok", 0.0, scores=self.scorer.score(page, None))
        except DeadlineMissed:
            return self._scored_as_failed(page, Outcome("timeout", deadline, "the page could not be read in time"))
        outcome = _call(self.loaded[name], page.html, page.url, guard)
        if outcome.status in ("crash", "timeout"):
            return self._scored_as_failed(page, outcome)
        try:
            with guard:
                scores = self.scorer.score(page, outcome.answer)
        except DeadlineMissed:
            return self._scored_as_failed(page, Outcome("timeout", deadline, "its output could not be read in time"))
        return outcome._replace(answer=outcome.answer if self.keep_answers else None, scores=scores)

    def failed(self, item: tuple[CorpusPage, str], failure: Failure) -> Outcome:
        """The outcome of a call that ended its worker."""
        status: Status = "timeout" if failure.kind == "timeout" else "crash"
        return self._scored_as_failed(item[0], Outcome(status, failure.seconds, failure.reason))

    def _scored_as_failed(self, page: CorpusPage, outcome: Outcome) -> Outcome:
        return outcome._replace(answer=None, scores=self.scorer.score(page, None))


def forbid_network() -> None:
    """Refuse connections: some peers fetch what a page names, or a list of their own on first use."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError("a benchmark page is not fetched from the network")

    socket.socket.connect = refuse  # type: ignore[method-assign]
    socket.getaddrinfo = refuse


def _call(contestant: Callable[[bytes, str | None], Any], html: bytes, url: str | None, guard: Guard) -> Outcome:
    """Run a contestant on a page under the deadline, without scores."""
    deadline = guard.limits.deadline
    start = time.perf_counter()
    try:
        with guard:
            start = time.perf_counter()
            try:
                answer = contestant(html, url)
            finally:
                seconds = time.perf_counter() - start
    except DeadlineMissed:
        return Outcome("timeout", time.perf_counter() - start, f"stopped after {deadline:g} s")
    except BaseException as error:  # a library that exits the program has crashed, too
        return Outcome("crash", seconds, describe(error))
    if seconds > deadline:  # it swallowed the alarm
        return Outcome("timeout", seconds, f"came back after {seconds:.1f} s")
    if not isinstance(answer, str | Answer):
        return Outcome("crash", seconds, f"answered with {type(answer).__name__}, not text")
    says_something = answer.strip() if isinstance(answer, str) else answer.says_something
    return Outcome("ok" if says_something else "empty", seconds, answer=answer)


def describe(error: BaseException) -> str:
    """The kind and the message of an error, in one line."""
    return f"{type(error).__name__}: {error}"[:_ERROR_LENGTH].encode("utf-8", "replace").decode()
