"""Runs a check on many inputs in child processes, and names the input that kills, stalls or breaks one.

A child writes the seed that it is at into shared memory, so that a crash names it. The next child goes on after it.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count as counting

Check = Callable[[int], None]

SECONDS = 5.0  # processor time for one input
STANDSTILL = 60.0  # wall time for one input; a child that waits for ever uses no processor time
MEMORY = 6 << 30

_SEED, _DONE = 0, 1  # what the shared memory holds: the seed at work, and inputs done
_FINISHED, _BROKEN = 0, 1


@dataclass(frozen=True)
class Find:
    """An input that broke the check."""

    seed: int
    kind: str  # "crash", "hang" or the name of an exception
    detail: str  # the signal, or the exception with its place

    @property
    def signature(self) -> str:
        """Equal for inputs that fail in the same way."""
        return f"{self.kind}: {self.detail.splitlines()[-1]}"


class Child:
    """One process at work on the seeds start, start + step, ... below stop."""

    def __init__(self, check: Check, start: int, stop: int, step: int = 1, memory: int | None = MEMORY) -> None:
        self.stop, self.step = stop, step
        self._state = memoryview(mmap.mmap(-1, 16)).cast("q")
        self._state[_SEED], self._state[_DONE] = start, 0
        self._moved, self._at = time.monotonic(), start
        self._answers, sender = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._answers)
            _limit(memory)
            _work(check, range(start, stop, step), self._state, sender)
        os.close(sender)

    @property
    def done(self) -> int:
        """How many inputs it has finished."""
        return self._state[_DONE]

    def ended(self) -> tuple[Find | None, int] | None:
        """None while it works; then what ended it, and the seed to go on with."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        seed, now = self._state[_SEED], time.monotonic()
        if pid == 0:
            if seed != self._at:
                self._moved, self._at = now, seed
            if now - self._moved < STANDSTILL:
                return None
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            return self._close(Find(seed, "hang", f"over {STANDSTILL:.0f} s without using the processor"), seed)
        if os.WIFSIGNALED(status):
            killer = os.WTERMSIG(status)
            if killer == signal.SIGPROF:
                return self._close(Find(seed, "hang", f"over {SECONDS:.0f} s"), seed)
            return self._close(Find(seed, "crash", signal.Signals(killer).name), seed)
        if os.WEXITSTATUS(status) == _BROKEN:
            kind, _, detail = self._answer().partition("\n")
            return self._close(Find(seed, kind, detail), seed)
        if os.WEXITSTATUS(status) != _FINISHED:
            return self._close(Find(seed, "crash", f"exit status {os.WEXITSTATUS(status)}"), seed)
        return self._close(None, self.stop)

    def kill(self) -> None:
        """End it in the middle of its work."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self._close(None, self.stop)

    def _close(self, find: Find | None, seed: int) -> tuple[Find | None, int]:
        os.close(self._answers)
        return find, seed + self.step

    def _answer(self) -> str:
        pieces = []
        while select.select([self._answers], [], [], 1.0)[0] and (piece := os.read(self._answers, 65536)):
            pieces.append(piece)
        return b"".join(pieces).decode()


def _work(check: Check, seeds: range, state: memoryview[int], sender: int) -> None:
    """The life of a child. It never returns."""
    try:
        for done, seed in enumerate(seeds):
            state[_SEED], state[_DONE] = seed, done
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            check(seed)
        signal.setitimer(signal.ITIMER_PROF, 0)
        state[_DONE] = len(seeds)
    except BaseException as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        os.write(sender, described(error).encode("utf-8", "backslashreplace")[:60_000])
        os._exit(_BROKEN)
    os._exit(_FINISHED)


def _limit(memory: int | None) -> None:
    # The default action of this signal ends the process even where no Python code gets its turn.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    faulthandler.disable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (memory if hard < 0 else min(memory, hard), hard))


def described(error: BaseException) -> str:
    """The name of an exception, its message, and the last line where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].name}" if frames else "?"
    message = str(error).partition("\n")[0][:300]
    # A check that fails always fails at the same place; its message says what was wrong.
    return f"{type(error).__name__}\n" + (message if isinstance(error, AssertionError) else f"{message}\nin {place}")


def attempt(check: Check, seed: int = 0, *, memory: int | None = MEMORY) -> Find | None:
    """Run the check on one input in a child of its own."""
    child = Child(check, seed, seed + 1, memory=memory)
    while (end := child.ended()) is None:
        time.sleep(0.001)
    return end[0]


@dataclass(frozen=True)
class Progress:
    """Where a run stands: inputs done, and a find if one was just made."""

    done: int
    find: Find | None = None


def run(
    check: Check,
    start: int,
    count: int | None,
    *,
    jobs: int = 1,
    seconds: float | None = None,
    memory: int | None = MEMORY,
) -> Iterator[Progress]:
    """Check the seeds from `start` on, `count` of them or as many as the seconds allow. Yields about once a second."""
    stop = start + count if count is not None else start + (1 << 60)
    deadline = time.monotonic() + seconds if seconds is not None else float("inf")
    children = [Child(check, start + job, stop, jobs, memory) for job in range(min(jobs, stop - start))]
    before = 0  # inputs that ended children have done
    for turn in counting():
        for child in list(children):
            if (end := child.ended()) is None:
                continue
            find, next_seed = end
            before += child.done + (find is not None)
            children.remove(child)
            if find is not None:
                yield Progress(before + sum(each.done for each in children), find)
                if next_seed < stop:
                    children.append(Child(check, next_seed, stop, jobs, memory))
        done = before + sum(child.done for child in children)
        if not children:
            break
        if time.monotonic() > deadline:
            for child in children:
                child.kill()
            break
        if turn % 50 == 0:
            yield Progress(done)
        time.sleep(0.02)
    yield Progress(done)
