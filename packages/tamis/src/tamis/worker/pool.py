"""A pool of worker processes: starts, watches, kills and replaces them.

A worker keeps to its limits by itself if it can. If not, it is killed, and a new one continues after its item. So each
item of a unit of work has exactly one answer.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Literal, NamedTuple, Self, TypeVar

from tamis.errors import OptionError
from tamis.worker.limits import Beat, Heartbeat, Limits, Phase
from tamis.worker.process import Failure, Order, Report, Task, Unable

# Seconds that a phase may take, except for those in `Limits`; an IDLE worker waits for us.
_PATIENCE = {Phase.STARTING: 120.0, Phase.IDLE: float("inf"), Phase.PREPARING: 120.0}
_POLL_SECONDS = 1.0  # between two looks at workers that send nothing
_RECHECK_SECONDS = 0.05  # between two looks at a worker that seems late
# One worker is one core: threads of a linear algebra library would only wait for those of the other workers.
_THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# A page needs megabytes that the next one needs again. Freeing and allocating them each time costs half a percent.
_HEAP = {"MALLOC_TOP_PAD_": 16 << 20, "MALLOC_TRIM_THRESHOLD_": 64 << 20, "MALLOC_MMAP_THRESHOLD_": 32 << 20}
# Arrow's own allocators reserve gigabytes of address space, which count against a memory limit.
_ARROW = {"ARROW_DEFAULT_MEMORY_POOL": "system"}
# A Rust library that runs out of memory while it prints a backtrace hangs.
_RUST = {"RUST_BACKTRACE": "0"}
_ENVIRONMENT = _THREADS | _ARROW | _RUST | {name: str(size) for name, size in _HEAP.items()}
_MAX_DEATHS = 2  # of workers that read the same item: then it is skipped; after one more, its unit of work is given up
_MAX_STARTS = 3  # attempts to start a process before the run is given up

Work = TypeVar("Work")
Answer = TypeVar("Answer")


class Part(NamedTuple, Generic[Answer]):
    """The next answers of one unit of work, in the order of its items."""

    work: int  # which one, in the order they were given
    answers: list[Answer]
    finished: bool  # are these the last?
    failed: str = ""  # why the rest of the unit can't be read; then it is not finished
    place: int = 0  # how much of the unit is read, as `Task.place` counts


class Pool(Generic[Work, Answer]):
    """Worker processes that stay for more than one list of units of work, until they are closed."""

    def __init__(self, task: Task[Work, Any, Answer], limits: Limits, *, workers: int | None = None) -> None:
        """Start nothing yet. `workers` is the number of processes, one a core by default. Raises OptionError."""
        self._size = available_cores() if workers is None else workers
        if self._size < 1:
            raise OptionError("at least one worker is needed")
        self._task, self._limits = packed(task, limits), limits
        self._workers: list[Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def answers(self, works: Iterable[Work], *, window: int | None = None) -> Iterator[Part[Answer]]:
        """Answer every item of every unit of work.

        Units are started in their order, as workers get free; answers come as they are ready. At most `window` units
        of work are started, counted from the oldest unfinished one. One list of units at a time; if the iterator is
        dropped or fails, all processes end. Raises OptionError, what `Task.start` raises, and what ends `Task.answer`.
        """
        pending = enumerate(works)
        job = next(pending, None)
        try:
            while job is not None or any(worker.busy for worker in self._workers):
                while job is not None and self._is_inside(job[0], window) and (worker := self._free_worker()):
                    worker.give(*job)
                    job = next(pending, None)
                yield from self._next_parts()
        except BaseException:  # also when the iterator is dropped
            self.close()
            raise

    def close(self) -> None:
        """End all processes."""
        while self._workers:
            self._workers.pop().end()

    def _free_worker(self) -> Worker | None:
        """A worker without work, or a new one if another is allowed."""
        free = next((worker for worker in self._workers if not worker.busy), None)
        if free is None and len(self._workers) < self._size:
            free = Worker(self._task, self._limits)
            self._workers.append(free)
        return free

    def _is_inside(self, number: int, window: int | None) -> bool:
        begun = [worker.number for worker in self._workers if worker.number is not None]
        return window is None or not begun or number < min(begun) + window

    def _next_parts(self) -> Iterator[Part[Answer]]:
        """Wait for the next event and handle it."""
        busy = [worker for worker in self._workers if worker.busy]
        patience = min(_POLL_SECONDS, *(worker.time_left() for worker in busy))
        ready = wait([worker.connection for worker in busy], timeout=max(0.0, patience))
        for worker in busy:
            if worker.connection in ready:
                part = worker.receive()
            else:
                part = worker.give_up_late() if worker.is_late() else None
            if part:
                yield part


def packed(task: Task[Any, Any, Any], limits: Limits) -> bytes:
    """A task and its limits, as a worker gets them. Raises OptionError."""
    if limits.memory is not None and sys.platform != "linux":
        raise OptionError("memory can be limited on Linux only; choose no memory limit")
    try:
        return pickle.dumps((task, limits))
    except Exception as error:
        raise OptionError(f"the task can't be sent to other processes: {error}") from None


def available_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Worker:
    """A process, its unit of work, and its progress."""

    def __init__(self, task: bytes, limits: Limits) -> None:
        self._task, self._limits = task, limits
        self._ready, self._starts = False, 0
        self.number: int | None = None  # of its unit of work, if any
        self._start()

    @property
    def busy(self) -> bool:
        """Does it have a unit of work?"""
        return self.number is not None

    def give(self, number: int, work: Any) -> None:
        """Hand out a unit of work; a process that is still starting gets it when it is ready."""
        self.number, self._work = number, work
        self._failures: dict[int, Failure] = {}
        self._lost: dict[int, Failure] = {}
        self._deaths: Counter[int] = Counter()  # of processes that were not WORKING, by their next item
        self._answered = 0
        if self._ready:
            self._send()

    def time_left(self) -> float:
        """Seconds until this worker is late."""
        beat = self._heart.read()
        return beat.since + self._patience(beat.phase) - time.monotonic()

    def sign_of_life(self) -> Beat:
        """Its last heartbeat."""
        return self._heart.read()

    def is_late(self) -> bool:
        """Is it over a limit? Checked twice, because it may just have moved on."""
        if self.time_left() > 0:
            return False
        before = self.sign_of_life()
        time.sleep(_RECHECK_SECONDS)
        return self.sign_of_life() == before and not self.connection.poll()

    def receive(self) -> Part[Any] | None:
        """Receive its message, or replace it if it is dead."""
        try:
            message: Report | Unable | None = self.connection.recv()
        except (EOFError, OSError):
            return self._replace_process("crash", _how_it_ended(self._process.wait()))
        if isinstance(message, Unable):
            raise message.kind.__new__(message.kind, message.message)
        if message is None:
            self._ready, self._starts = True, 0
            self._send()
            return None
        self._answered += len(message.answers)
        return self._part_of_work(*message)

    def give_up_late(self) -> Part[Any] | None:
        """Kill a worker that is over a limit."""
        phase = self._heart.read().phase
        after = f"{self._patience(phase):g} s"
        if phase is Phase.WORKING:
            after = f"{self._limits.deadline:g} s and {self._limits.grace:g} s of grace"
        return self._replace_process("timeout", f"killed after {after}")

    def end(self) -> None:
        """Let an idle process end by itself; kill a busy one."""
        if self._ready and not self.busy:
            self.connection.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(self._limits.grace)
        self._kill()

    def _start(self) -> None:
        self._starts += 1
        ours, theirs = socket.socketpair()
        self._heart = Heartbeat()
        self._heart.beat(Phase.STARTING)
        code = f"import sys; sys.path[:] = {sys.path!r}; from tamis.worker.process import main; main("
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
            self.connection.send_bytes(self._task)

    def _replace_process(self, kind: Literal["timeout", "crash"], reason: str) -> Part[Any] | None:
        """Replace the process. Its item has failed, and the new process continues with the next one."""
        beat = self._heart.read()
        self._kill()
        if not self._ready and self._starts >= _MAX_STARTS:
            raise OptionError(f"a worker did not start: {reason}")
        self._ready = False
        self._start()
        if beat.phase in (Phase.PREPARING, Phase.WORKING):
            self._failures[beat.item] = Failure(kind, reason, time.monotonic() - beat.since)
        elif beat.phase is not Phase.STARTING:
            self._deaths[beat.item] += 1
            deaths = self._deaths[beat.item]
            if beat.item in self._lost or deaths > _MAX_DEATHS:
                return self._part_of_work([], True, f"reading item {beat.item} ended {deaths} workers: {reason}")
            # A worker may be killed by chance, so the item is tried again, unless it took too long.
            if beat.phase is Phase.READING and (deaths == _MAX_DEATHS or kind == "timeout"):
                self._lost[beat.item] = Failure(kind, reason, time.monotonic() - beat.since)
        return None

    def _patience(self, phase: Phase) -> float:
        if phase is Phase.READING:
            return self._limits.reading
        return _PATIENCE.get(phase, self._limits.deadline + self._limits.grace)

    def _part_of_work(self, answers: list[Any], finished: bool, failed: str, place: int = 0) -> Part[Any]:
        assert self.number is not None  # noqa: S101 only a worker with work answers
        number = self.number
        if finished:
            self.number = None
        return Part(number, answers, finished and not failed, failed, place)

    def _send(self) -> None:
        with suppress(OSError):  # it died meanwhile, which the next receive finds out
            self.connection.send(Order(self._work, self._answered, self._failures, self._lost))

    def _kill(self) -> None:
        """End the process and its children."""
        self.connection.close()
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._heart.close()


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"the process ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = str(-code)
    return f"the process was ended by signal {name}"
