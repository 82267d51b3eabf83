"""What a page may take: time, memory, and processor time as the last resort."""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from types import FrameType, TracebackType
from typing import NoReturn

from tamis.errors import OptionError

try:
    import resource
except ImportError:
    raise OptionError("worker processes need Linux or macOS: Windows has no limits for them") from None

# Beyond the deadline, for an error to come up and an answer to go out, before the worker is killed.
GRACE = 2.0
_MEGABYTE = 1 << 20
_CLOSE_ENOUGH = 1 / 64  # of what a page may have: by so much the memory of the process may change before it is set anew
_PAGE = resource.getpagesize()


class DeadlineMissed(BaseException):
    """Raised by the alarm; not an Exception, for libraries swallow those."""


class Limits:
    """What one page may take: `with limits:` around the work on it, and `lift` before anything else that is long.

    In the block DeadlineMissed is raised when the time is over, MemoryError when the memory is. Code that no
    alarm can stop ends with the process: its parent kills it, and should that be gone, the limit on processor
    time does.

    The system's limits on memory and processor time stay between pages: to see if they still fit costs less than
    to set them for each page.
    """

    def __init__(self, deadline: float, memory: int | None) -> None:
        """`deadline` in seconds, `memory` in megabytes beyond what the process has when a block begins."""
        self._deadline = deadline
        self._memory = None if memory is None else memory * _MEGABYTE
        self._processor = resource.getrlimit(resource.RLIMIT_CPU)
        self._space = resource.getrlimit(resource.RLIMIT_AS)
        # How much the process has stands in a file of the system; it is kept open, since each page asks.
        self._statm = os.open("/proc/self/statm", os.O_RDONLY) if memory is not None else -1
        self._had: int | None = None  # bytes, when the limit on memory was set; None while no limit holds
        self._renewed_by = 0.0  # when the limit on processor time has to be set again, by time.monotonic
        signal.signal(signal.SIGALRM, _ring)

    def __enter__(self) -> None:
        if time.monotonic() >= self._renewed_by:
            self._limit_processor()
        if self._memory is not None:
            self._limit_memory(self._memory)
        signal.setitimer(signal.ITIMER_REAL, self._deadline)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def lift(self) -> None:
        """No limit holds from here on to the next block."""
        if self._renewed_by:
            resource.setrlimit(resource.RLIMIT_CPU, self._processor)
            self._renewed_by = 0.0
        if self._had is not None:
            resource.setrlimit(resource.RLIMIT_AS, self._space)
            self._had = None

    def _limit_processor(self) -> None:
        """Set a limit that is enough for any page that begins within the next `deadline` seconds."""
        last = math.ceil(time.process_time() + 2 * self._deadline + GRACE) + 1
        resource.setrlimit(resource.RLIMIT_CPU, _within(last, self._processor))
        self._renewed_by = time.monotonic() + self._deadline

    def _limit_memory(self, memory: int) -> None:
        has = int(os.pread(self._statm, 64, 0).split()[0]) * _PAGE
        if self._had is None or abs(has - self._had) > memory * _CLOSE_ENOUGH:
            resource.setrlimit(resource.RLIMIT_AS, _within(has + memory, self._space))
            self._had = has


def _within(wanted: int, limit: tuple[int, int]) -> tuple[int, int]:
    """A soft limit, where those that hold already are not lower."""
    lower = [each for each in limit if each != resource.RLIM_INFINITY]
    return min([wanted, *lower]), limit[1]


def memory_can_be_limited() -> bool:
    """Does this system limit the memory of a process? Only Linux does."""
    return sys.platform == "linux"


def _ring(number: int, frame: FrameType | None) -> NoReturn:
    raise DeadlineMissed
