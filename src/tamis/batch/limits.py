"""What a page may take: time, memory, and processor time as the last resort."""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from tamis.errors import OptionError

try:
    import resource
except ImportError:
    raise OptionError("worker processes need Linux or macOS: Windows has no limits for them") from None

# Beyond the deadline, for an error to come up and an answer to go out, before the worker is killed.
GRACE = 2.0
_MEGABYTE = 1 << 20
_PAGE = resource.getpagesize()


class DeadlineMissed(BaseException):
    """Raised by the alarm; not an Exception, for libraries swallow those."""


class Limits:
    """Limits that hold for a block of code in this process, and not for what is between blocks."""

    def __init__(self, deadline: float, memory: int | None) -> None:
        """`deadline` in seconds, `memory` in megabytes beyond what the process has when a block begins."""
        self._deadline, self._memory = deadline, memory
        self._processor = resource.getrlimit(resource.RLIMIT_CPU)
        self._space = resource.getrlimit(resource.RLIMIT_AS)
        # How much the process has stands in a file of the system; it is kept open, since each page asks.
        self._statm = os.open("/proc/self/statm", os.O_RDONLY) if memory is not None else -1
        signal.signal(signal.SIGALRM, _ring)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Raise DeadlineMissed or MemoryError in the block when it takes too much.

        Code that no alarm can stop ends with the process: its parent kills it, and should that
        be gone, the limit on processor time does.
        """
        last = math.ceil(time.process_time() + self._deadline + GRACE) + 1
        resource.setrlimit(resource.RLIMIT_CPU, _within(last, self._processor))
        if self._memory is not None:
            has = int(os.pread(self._statm, 64, 0).split()[0]) * _PAGE
            resource.setrlimit(resource.RLIMIT_AS, _within(has + self._memory * _MEGABYTE, self._space))
        try:
            signal.setitimer(signal.ITIMER_REAL, self._deadline)
            try:
                yield
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, self._space)
            resource.setrlimit(resource.RLIMIT_CPU, self._processor)


def _within(wanted: int, limit: tuple[int, int]) -> tuple[int, int]:
    """A soft limit, where those that hold already are not lower."""
    lower = [each for each in limit if each != resource.RLIM_INFINITY]
    return min([wanted, *lower]), limit[1]


def memory_can_be_limited() -> bool:
    """Does this system limit the memory of a process? Only Linux does."""
    return sys.platform == "linux"


def _ring(number: int, frame: FrameType | None) -> NoReturn:
    raise DeadlineMissed
