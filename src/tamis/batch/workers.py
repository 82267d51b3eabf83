"""Pages in processes of their own, which may hang, die or eat memory without harm.

A worker gets a shard, which it reads by itself, or a few records, and answers item by item. It
keeps to the deadline and the memory limit by itself where it can; where it can't, it is killed,
and a new one goes on behind the page that it was at. So each item has exactly one answer.

The crew of `tamis.lab.bench.workers` is another: it times single calls of contestants that it does not
trust with the network, one page at a time, and says what each call costs. Here what counts is the rate, so
workers read by themselves and answer in bundles, and where they are is told by a heartbeat.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import NamedTuple, Self

from tamis.batch.heartbeat import Heartbeat, Phase
from tamis.batch.limits import GRACE, memory_can_be_limited
from tamis.batch.records import Answer, Kind
from tamis.batch.rows import BatchOptions
from tamis.batch.worker import NotStarted, Order, Report, Verdict, Work
from tamis.errors import OptionError

_STARTING = 120.0  # seconds to start Python and to load a model
_READING = 600.0  # seconds for the next item of an input, which may be far away
_GLANCE = 1.0  # between two looks at workers that say nothing
_BLINK = 0.05  # between two looks at a worker that seems late
# One worker is one core: threads of a linear algebra library would only wait for those of the others.
_THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# A page needs megabytes that the next one needs again: given back and asked for anew they would cost half a percent.
_HEAP = {"MALLOC_TOP_PAD_": 16 << 20, "MALLOC_TRIM_THRESHOLD_": 64 << 20, "MALLOC_MMAP_THRESHOLD_": 32 << 20}
_ENVIRONMENT = _THREADS | {name: str(size) for name, size in _HEAP.items()}
_STUCK = 2  # workers that may be lost to the reading of one item before its input is given up
_STARTS = 3  # tries to start a process before the fault is not its own


class Answers(NamedTuple):
    """The next answers of one piece of work, in the order of its items."""

    work: int  # which one, in the order they were given
    answers: list[Answer]
    finished: bool  # are these the last?
    failed: str = ""  # why the rest of the work can't be read; then it is not finished


def isolated(works: Iterable[Work], options: BatchOptions, *, workers: int | None = None) -> Iterator[Answers]:
    """Answer every item of every work, in `workers` processes (default: one a core).

    Works are taken up in their order, as processes get free; answers come as they are ready.
    No process outlives the iterator. Raises OptionError and what loading the extractor raises.
    """
    with Crew(options, workers=workers) as crew:
        yield from crew.answers(works)


class Crew:
    """Worker processes that stay for more than one list of works, until they are closed."""

    def __init__(self, options: BatchOptions, *, workers: int | None = None) -> None:
        self._size = available_cores() if workers is None else workers
        if self._size < 1:
            raise OptionError("at least one worker is needed")
        if options.memory is not None and not memory_can_be_limited():
            raise OptionError("memory can be limited on Linux only; choose no memory limit")
        self._options, self._deadline = _packed(options), options.deadline
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def answers(self, works: Iterable[Work], *, window: int | None = None) -> Iterator[Answers]:
        """Answer every item of every work. One list of works at a time; one left early ends the processes.

        With a `window`, no work is taken up that is so many behind the first one that is not finished.
        """
        pending = enumerate(works)
        job = next(pending, None)
        try:
            while job is not None or any(worker.busy for worker in self._workers):
                for worker in self._crew_for(job):
                    if worker.idle and job is not None and self._is_inside(job[0], window):
                        worker.give(*job)
                        job = next(pending, None)
                yield from _round([worker for worker in self._workers if not worker.idle])
        except BaseException:  # also when the iterator is dropped
            self.close()
            raise

    def _crew_for(self, job: tuple[int, Work] | None) -> list[_Worker]:
        """All workers, with a new one where there is work that none is free for."""
        if job is not None and len(self._workers) < self._size and not any(each.idle for each in self._workers):
            self._workers.append(_Worker(self._options, self._deadline))
        return self._workers

    def _is_inside(self, number: int, window: int | None) -> bool:
        begun = [worker.number for worker in self._workers if worker.number is not None]
        return window is None or not begun or number < min(begun) + window

    def close(self) -> None:
        """End all processes."""
        while self._workers:
            self._workers.pop().end()


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _round(active: list[_Worker]) -> Iterator[Answers]:
    """Wait for the next event and deal with it."""
    patience = min(_GLANCE, *(worker.left() for worker in active))
    ready = wait([worker.connection for worker in active], timeout=max(0.0, patience))
    for worker in active:
        if worker.connection in ready:
            if answers := worker.receive():
                yield answers
        elif worker.is_late() and (answers := worker.give_up_late()):
            yield answers


def _packed(options: BatchOptions) -> bytes:
    try:
        packed = pickle.dumps(options)
    except Exception as error:
        raise OptionError(f"the extractor can't be sent to other processes: {error}") from None
    if getattr(type(options.extractor), "__module__", "") == "__main__":
        raise OptionError("an extractor for other processes must stand in a module that they can import")
    return packed


class _Worker:
    """A process, the work it does, and how far it is."""

    def __init__(self, options: bytes, deadline: float) -> None:
        self._options, self._deadline = options, deadline
        self._ready, self._starts = False, 0
        self.number: int | None = None  # of its work, where it has any
        self._start()

    @property
    def busy(self) -> bool:
        """Has it work?"""
        return self.number is not None

    @property
    def idle(self) -> bool:
        """Does it wait for work?"""
        return self._ready and not self.busy

    def give(self, number: int, work: Work) -> None:
        """Hand out work."""
        self.number, self._work, self._judged = number, work, dict[int, Verdict]()
        self._answered = 0
        self._stuck = 0  # how many processes were lost since the work last went on
        self._send()

    def left(self) -> float:
        """Seconds until this worker is late."""
        beat = self._heart.read()
        if beat.phase is Phase.IDLE:
            return _READING  # it waits for us
        limit = {Phase.WORKING: self._deadline + GRACE, Phase.READING: _READING, Phase.STARTING: _STARTING}
        return beat.since + limit[beat.phase] - time.monotonic()

    def is_late(self) -> bool:
        """Is it over a limit, also at a second look? For it may just have gone on."""
        if self.left() > 0:
            return False
        before = self._heart.read()
        time.sleep(_BLINK)
        return self._heart.read() == before and not self.connection.poll()

    def receive(self) -> Answers | None:
        """What it has sent, or what follows from its death."""
        try:
            message: Report | NotStarted | None = self.connection.recv()
        except (EOFError, OSError):
            return self._give_up(Kind.CRASH, _cause(self._process.wait()))
        if isinstance(message, NotStarted):
            raise message.kind.__new__(message.kind, message.message)
        if message is None:
            self._ready, self._starts = True, 0
            if self.busy:
                self._send()  # it stands in for one that died
            return None
        self._answered += len(message.answers)
        self._stuck = 0
        return self._answers(message.answers, message.finished, message.failed)

    def give_up_late(self) -> Answers | None:
        """Kill a worker that is over a limit."""
        return self._give_up(Kind.TIMEOUT, f"killed after {self._deadline:g} s and some patience")

    def end(self) -> None:
        """Let an idle process go home by itself; kill a busy one."""
        if self.idle:
            self.connection.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE)
        self._kill()

    def _start(self) -> None:
        self._starts += 1
        ours, theirs = socket.socketpair()
        self._heart = Heartbeat()
        self._heart.beat(Phase.STARTING)
        code = f"import sys; sys.path[:] = {sys.path!r}; from tamis.batch.worker import main; main("
        # Not multiprocessing: this needs no guard around a caller's main module, and leaves no helper process.
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"{code}{theirs.fileno()}, {self._heart.file})"],
            pass_fds=(theirs.fileno(), self._heart.file),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ | _ENVIRONMENT,
        )
        theirs.close()  # so that the end of the process is the end of the connection
        self.connection = Connection(ours.detach())
        with suppress(OSError):  # it died at once, which the next receive finds out
            self.connection.send_bytes(self._options)

    def _give_up(self, kind: Kind, reason: str) -> Answers | None:
        """Replace the process. The item that it was at is judged, and its work goes on behind."""
        beat = self._heart.read()
        self._kill()
        if not self._ready and self._starts >= _STARTS:
            raise OptionError(f"a worker did not start: {reason}")
        self._ready = False
        if self.busy and beat.phase is Phase.WORKING:
            self._judged[beat.item] = Verdict(kind, reason, time.monotonic() - beat.since)
            self._stuck = 0
        elif self.busy and beat.phase is not Phase.STARTING:
            self._stuck += 1
            if self._stuck == _STUCK:
                return self._answers([], True, f"reading item {beat.item} ended {_STUCK} workers: {reason}")
        self._start()
        return None

    def _answers(self, answers: list[Answer], finished: bool, failed: str) -> Answers:
        assert self.number is not None  # noqa: S101 only a worker with work answers
        number = self.number
        if finished:
            self.number = None
            if not self._ready:
                self._start()
        return Answers(number, answers, finished and not failed, failed)

    def _send(self) -> None:
        with suppress(OSError):  # it died meanwhile, which the next receive finds out
            self.connection.send(Order(self._work, self._answered, self._judged))

    def _kill(self) -> None:
        """End the process and all that it started."""
        self.connection.close()
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._heart.close()


def _cause(code: int) -> str:
    if code >= 0:
        return f"the process ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = str(-code)
    return f"the process was ended by signal {name}"
