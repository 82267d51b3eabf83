"""Contestants in worker processes: every page ends as one of `ok`, `empty`, `crash` or `timeout`."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, NoReturn

from tamis.worker.limits import DeadlineMissed, Guard, Limits
from tamis.worker.pool import Pool
from tamis.worker.process import Failure
from tamis_lab import metrics
from tamis_lab.bench import competitors
from tamis_lab.corpora.reader import CorpusPage

DEADLINE = 30.0  # seconds a page; on WCXB dev, on a busy machine, the slowest call of any peer took 16
GRACE = 5.0  # seconds beyond the deadline, to score and to answer, before the worker is killed

_ERROR_LENGTH = 300

Status = Literal["ok", "empty", "crash", "timeout"]
Unit = tuple[CorpusPage, Sequence[str]]  # a page and the names of the contestants that run on it


class Outcome(NamedTuple):
    """One call of a contestant; the scores are None for a page without gold."""

    status: Status
    seconds: float
    error: str = ""
    text: str = ""  # only where it was asked for
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    wanted: int = 0  # snippets, and how many of them are there
    wanted_found: int = 0
    unwanted: int = 0
    unwanted_found: int = 0


def measure(
    units: Iterable[Unit],
    names: Iterable[str],
    *,
    workers: int | None = None,
    deadline: float = DEADLINE,
    grace: float = GRACE,
    keep_text: bool = False,
) -> Iterator[tuple[CorpusPage, str, Outcome]]:
    """Run contestants on pages, in parallel; the order of answers is free.

    `names` are all contestants of the units. Raises what `competitors.load` does for one that can't be loaded.
    """
    begun: dict[int, tuple[CorpusPage, list[str]]] = {}  # pages in work, with the contestants that have not answered

    def works() -> Iterator[Unit]:
        for number, (page, names) in enumerate(units):
            begun[number] = page, list(names)
            yield page, names

    # A contestant may start a program that lives for many pages, such as node.
    limits = Limits(deadline, grace=grace, limit_processor=False)
    with Pool(ContestantTask(tuple(names), keep_text), limits, workers=workers) as pool:
        for part in pool.answers(works()):
            page, names = begun[part.work]
            for outcome in part.answers:
                yield page, names.pop(0), outcome
            if part.failed:
                yield from ((page, name, _scored(page, Outcome("crash", 0.0, part.failed))) for name in names)
            if part.finished or part.failed:
                del begun[part.work]


@dataclass
class ContestantTask:
    """A work is a page with names of contestants, an item is the page with one of them, an answer is an Outcome."""

    names: Sequence[str]
    keep_text: bool
    loaded: dict[str, competitors.Contestant] = field(default_factory=dict)
    warm: set[str] = field(default_factory=set)

    def start(self) -> None:
        """Load the contestants. One that can't be loaded ends the run: it is no crash on a page."""
        forbid_network()
        self.loaded = {name: competitors.load(name) for name in self.names}

    def read(self, work: Unit, lost: Mapping[int, Failure]) -> Iterator[tuple[CorpusPage, str]]:
        """The page with each of the names. None can be lost: nothing is read."""
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
        """Run a contestant on a page. Loading it and its first call are no part of the page's time."""
        page, name = item
        if name not in self.warm:
            self.warm.add(name)
            call(self.loaded[name], competitors.WARM_UP, None, guard)
        outcome = _scored(page, call(self.loaded[name], page.html, page.url, guard))
        return outcome if self.keep_text else outcome._replace(text="")

    def failed(self, item: tuple[CorpusPage, str], failure: Failure) -> Outcome:
        """The outcome of a call that ended its worker."""
        status: Status = "timeout" if failure.kind == "timeout" else "crash"
        return _scored(item[0], Outcome(status, failure.seconds, failure.reason))


def forbid_network() -> None:
    """Refuse connections: some peers fetch what a page names, or a list of their own on first use."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError("a benchmark page is not fetched from the network")

    socket.socket.connect = refuse  # type: ignore[method-assign]
    socket.getaddrinfo = refuse


def call(contestant: competitors.Contestant, html: bytes, url: str | None, guard: Guard) -> Outcome:
    """Run a contestant on a page under the deadline, without scores."""
    deadline = guard.limits.deadline
    start = time.perf_counter()
    try:
        with guard:
            start = time.perf_counter()
            try:
                text = contestant(html, url)
            finally:
                seconds = time.perf_counter() - start
    except DeadlineMissed:
        return Outcome("timeout", time.perf_counter() - start, f"stopped after {deadline:g} s")
    except BaseException as error:  # a library that exits the program has crashed, too
        return Outcome("crash", seconds, describe(error))
    if seconds > deadline:  # it swallowed the alarm
        return Outcome("timeout", seconds, f"came back after {seconds:.1f} s")
    if not isinstance(text, str):
        return Outcome("crash", seconds, f"answered with {type(text).__name__}, not text")
    return Outcome("ok" if text.strip() else "empty", seconds, text=text)


def describe(error: BaseException) -> str:
    """What went wrong, in one line."""
    return f"{type(error).__name__}: {error}"[:_ERROR_LENGTH].encode("utf-8", "replace").decode()


def _scored(page: CorpusPage, outcome: Outcome) -> Outcome:
    """Add the scores. A crash or a timeout scores nothing, even where nothing was to be found."""
    if page.gold_text is not None:
        failed = outcome.status in ("crash", "timeout")
        precision, recall, f1 = (0.0, 0.0, 0.0) if failed else metrics.token_bag(outcome.text, page.gold_text)
        outcome = outcome._replace(precision=precision, recall=recall, f1=f1)
    hits = metrics.snippets(outcome.text, page.wanted, page.unwanted)
    return outcome._replace(
        wanted=hits.present + hits.missing,
        wanted_found=hits.present,
        unwanted=hits.intruding + hits.absent,
        unwanted_found=hits.intruding,
    )
