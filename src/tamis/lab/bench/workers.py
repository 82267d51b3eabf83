"""Worker processes that run contestants on pages and may hang or die without harm.

A worker gets a page and the names of the contestants it shall run, and answers one by one.
Each call has a deadline: first an alarm inside the worker, and for code that no alarm can stop
the whole worker is killed from outside and replaced. So every page ends as one of `ok`,
`empty`, `crash` or `timeout`.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Literal, NamedTuple, NoReturn

from tamis.lab import metrics
from tamis.lab.bench import competitors
from tamis.lab.corpora.page import CorpusPage

DEADLINE = 30.0  # seconds a page; on WCXB dev, on a busy machine, the slowest call of any peer took 16
# What a worker may need beyond the deadline, to score and to answer, before it is killed.
GRACE = 5.0
# To start Python and to load a library or a model, which is no part of a page's time.
_STARTING = 120.0
_LOADING, _CALLING = "loading", "calling"  # what a worker says before it does

# Many libraries load word lists and compile patterns in their first call, which is no page's fault.
_WARM_UP = b"<html><body><article><h1>Warm up</h1><p>A first page, for all that is lazy.</p></article></body></html>"
_ERROR_LENGTH = 300

Status = Literal["ok", "empty", "crash", "timeout"]


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


class DeadlineMissed(BaseException):
    """Raised by the alarm; not an Exception, for libraries swallow those."""


def measure(
    units: Iterable[tuple[CorpusPage, Sequence[str]]],
    *,
    workers: int | None = None,
    deadline: float = DEADLINE,
    grace: float = GRACE,
    keep_text: bool = False,
) -> Iterator[tuple[CorpusPage, str, Outcome]]:
    """Run the named contestants on each page, in parallel; the order of answers is free."""
    pending = iter(units)
    crew: list[_Worker] = []
    try:
        for page, names in pending:
            crew.append(_Worker(deadline, grace, keep_text))
            crew[-1].give(page, names)
            if len(crew) == (workers or os.cpu_count() or 1):
                break
        while busy := [worker for worker in crew if worker.todo]:
            ready = wait([worker.connection for worker in busy], timeout=min(worker.left() for worker in busy))
            for worker in busy:
                if worker.connection in ready:
                    yield from worker.receive()
                elif worker.left() <= 0:
                    yield worker.give_up("timeout", f"killed after {deadline:g} s")
                if not worker.todo and (unit := next(pending, None)):
                    worker.give(*unit)
    finally:
        for worker in crew:
            worker.end()


class _Worker:
    """A process, the page it works on and what is left to do there."""

    def __init__(self, deadline: float, grace: float, keep_text: bool) -> None:
        self._deadline, self._grace, self._keep_text = deadline, grace, keep_text
        self.todo: list[str] = []
        self._start()

    def _start(self) -> None:
        # Spawned, not forked: what one contestant loads must not be a gift to another's clock.
        # One worker is one core: threads of a linear algebra library would only wait for those of the others.
        for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(variable, "1")
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._deadline, self._keep_text), daemon=True)
        self._process.start()
        theirs.close()  # so that the end of the process is the end of the connection

    def give(self, page: CorpusPage, names: Sequence[str]) -> None:
        self._page, self.todo = page, list(names)
        self._send()

    def left(self) -> float:
        """Seconds until this worker is late."""
        return max(0.0, self._since + self._limit - time.monotonic())

    def receive(self) -> Iterator[tuple[CorpusPage, str, Outcome]]:
        try:
            message: Outcome | str = self.connection.recv()
        except (EOFError, OSError):
            self._process.join(self._grace)
            yield self.give_up("crash", f"the process died with exit code {self._process.exitcode}")
            return
        self._since = time.monotonic()
        self._limit = self._deadline + self._grace if message == _CALLING else _STARTING
        if isinstance(message, Outcome):
            yield self._page, self.todo.pop(0), message

    def give_up(self, status: Status, error: str) -> tuple[CorpusPage, str, Outcome]:
        """Replace the process; the contestant that it was busy with has lost this page."""
        seconds = time.monotonic() - self._since
        self.kill()
        self._start()
        name = self.todo.pop(0)
        if self.todo:
            self._send()
        return self._page, name, _failed(self._page, status, seconds, error)

    def kill(self) -> None:
        """End the process and all that it started itself."""
        self.connection.close()
        with suppress(OSError, AttributeError):  # gone already, not yet its own group, or Windows
            os.killpg(self._process.pid or 0, signal.SIGKILL)
        self._process.kill()
        self._process.join()

    def end(self) -> None:
        """Let an idle process go home by itself; end a busy one."""
        if not self.todo:
            self.connection.close()
            self._process.join(self._grace)
        self.kill()

    def _send(self) -> None:
        self._since, self._limit = time.monotonic(), _STARTING
        with suppress(OSError):  # it died meanwhile, which the next receive finds out
            self.connection.send((self._page, self.todo))


def _work(connection: Connection, deadline: float, keep_text: bool) -> None:
    """The life of a worker: pages in, outcomes out, until the connection is closed."""
    _seclude()
    loaded: dict[str, competitors.Contestant] = {}
    with suppress(EOFError, OSError):
        while True:
            page, names = connection.recv()
            for name in names:
                if name not in loaded:
                    connection.send(_LOADING)
                    try:
                        loaded[name] = competitors.load(name)
                    except Exception as error:
                        connection.send(_failed(page, "crash", 0.0, _describe(error)))
                        continue
                    connection.send(_CALLING)
                    _call(loaded[name], _WARM_UP, None, deadline)
                connection.send(_CALLING)
                outcome = _call(loaded[name], page.html, page.url, deadline)
                scored = _score(page, outcome)
                connection.send(scored if keep_text else scored._replace(text=""))


def _seclude() -> None:
    """Keep a worker to itself: no output, no network, no Ctrl-C, its own group of processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    if hasattr(os, "setsid"):
        os.setsid()
    quiet = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(quiet, stream)
    logging.disable(logging.CRITICAL)

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError("a benchmark page is not fetched from the network")

    # Some peers follow what a page names, or fetch a list of their own on first use.
    socket.socket.connect = refuse  # type: ignore[method-assign]
    socket.getaddrinfo = refuse


def _call(contestant: competitors.Contestant, html: bytes, url: str | None, deadline: float) -> Outcome:
    alarm = hasattr(signal, "setitimer")
    if alarm:
        signal.signal(signal.SIGALRM, _ring)
    start = time.perf_counter()
    try:
        if alarm:
            signal.setitimer(signal.ITIMER_REAL, deadline)
        try:
            text = contestant(html, url)
        finally:
            seconds = time.perf_counter() - start
            if alarm:
                signal.setitimer(signal.ITIMER_REAL, 0)
    except DeadlineMissed:
        return Outcome("timeout", time.perf_counter() - start, f"stopped after {deadline:g} s")
    except BaseException as error:  # a library that exits the program has crashed, too
        return Outcome("crash", seconds, _describe(error))
    if seconds > deadline:  # it swallowed the alarm
        return Outcome("timeout", seconds, f"came back after {seconds:.1f} s")
    if not isinstance(text, str):
        return Outcome("crash", seconds, f"answered with {type(text).__name__}, not text")
    return Outcome("ok" if text.strip() else "empty", seconds, text=text)


def _ring(number: int, frame: FrameType | None) -> NoReturn:
    raise DeadlineMissed


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:_ERROR_LENGTH].encode("utf-8", "replace").decode()


def _failed(page: CorpusPage, status: Status, seconds: float, error: str) -> Outcome:
    return _score(page, Outcome(status, seconds, error))


def _score(page: CorpusPage, outcome: Outcome) -> Outcome:
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
