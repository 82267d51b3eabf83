"""The limits of one item (time, memory, and processor time as the last resort), and the heartbeat of a worker."""

from __future__ import annotations

import math
import mmap
import os
import signal
import tempfile
import time
from enum import IntEnum
from struct import Struct
from types import FrameType
from typing import NamedTuple, NoReturn

from tamis.errors import OptionError

try:
    import resource
except ImportError:
    raise OptionError("worker processes need Linux or macOS: Windows can't limit them") from None

_MEGABYTE = 1 << 20
_CLOSE_ENOUGH = 1 / 64  # of the memory limit: the process may grow or shrink by this before the limit is set again
_PAGE = resource.getpagesize()
_HEARTBEAT = Struct("3d")  # phase, item, time


class Phase(IntEnum):
    """What a worker is doing."""

    STARTING = 0
    IDLE = 1  # or sending answers
    READING = 2  # the next item of its unit of work
    PREPARING = 3  # an item, for example loading a library; outside its deadline
    WORKING = 4  # on an item, with a deadline


class Beat(NamedTuple):
    """The phase of a worker, the number of its item, and since when (time.monotonic)."""

    phase: Phase
    item: int
    since: float


class Heartbeat:
    """Three numbers that a worker writes, and that its parent can read even when the worker is dead."""

    def __init__(self, file: int | None = None) -> None:
        """`file` is the descriptor of another Heartbeat, which a child process inherits; None makes a new one."""
        self.file = _new_memory_file(_HEARTBEAT.size) if file is None else file
        self._memory = mmap.mmap(self.file, _HEARTBEAT.size)

    def beat(self, phase: Phase, item: int = 0) -> None:
        """Write that a phase starts now."""
        _HEARTBEAT.pack_into(self._memory, 0, phase, item, time.monotonic())

    def read(self) -> Beat:
        """The last beat."""
        phase, item, since = _HEARTBEAT.unpack(self._memory[:])
        return Beat(Phase(int(phase)), int(item), since)

    def close(self) -> None:
        """Free the memory; a second call does nothing."""
        if self.file >= 0:
            self._memory.close()
            os.close(self.file)
            self.file = -1


def _new_memory_file(size: int) -> int:
    """A file in memory if the system has such files: on a full disk, a mapped file ends the process that uses it."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("heartbeat")
    else:
        with tempfile.TemporaryFile() as new:
            file = os.dup(new.fileno())
    os.write(file, bytes(size))
    return file


class Limits(NamedTuple):
    """The limits of one item. Reading it has the same limit on memory, but another deadline."""

    deadline: float  # seconds
    memory: int | None = None  # megabytes, beyond those of the process when the item starts; only on Linux
    grace: float = 2.0  # seconds to report the missed deadline before the worker is killed
    reading: float = 600.0  # seconds to read one item before the worker is killed: an input may be far away
    # Child processes inherit the limit on processor time for their whole life: off for tasks that start programs.
    limit_processor: bool = True


class DeadlineMissed(BaseException):
    """Raised by the alarm. Not an Exception, because libraries swallow those."""


class Guard:
    """Holds the work on an item to the limits: `begin` the item, then `with guard:` around its work.

    In the block, DeadlineMissed is raised when the time is over, MemoryError when the memory is used up. Code that the
    alarm can't stop ends when the parent kills the process or, if the parent is gone, at the limit on processor time.

    The system's limits on memory and processor time stay between items until `lift`: checking that they still fit costs
    less than setting them for each item.
    """

    def __init__(self, limits: Limits, heart: Heartbeat) -> None:
        self.limits = limits
        self._heart, self._item = heart, 0
        self._memory = None if limits.memory is None else limits.memory * _MEGABYTE
        self._processor = resource.getrlimit(resource.RLIMIT_CPU)
        self._space = resource.getrlimit(resource.RLIMIT_AS)
        # The system's file with the size of the process stays open, because it is read for each item.
        self._statm = -1 if limits.memory is None else os.open("/proc/self/statm", os.O_RDONLY)
        self._had: int | None = None  # bytes of the process when the memory limit was set; None without a limit
        # When the limit on processor time has to be set again, by time.monotonic; None without a limit.
        self._renew_at: float | None = None
        self._is_reading = False  # are the limits those of reading?
        signal.signal(signal.SIGALRM, _raise_deadline_missed)

    def read(self, item: int) -> None:
        """The item with this number is read next. The limits of reading hold until `begin`."""
        if not self._is_reading:
            if self.limits.limit_processor:
                self._limit_processor(self.limits.reading)
            if self._memory is not None:
                self._limit_memory(self._memory)
            self._is_reading, self._renew_at = True, 0.0
        self._heart.beat(Phase.READING, item)

    def begin(self, item: int) -> None:
        """Work on the item with this number is next."""
        self._item, self._is_reading = item, False
        self._heart.beat(Phase.PREPARING, item)

    def __enter__(self) -> None:
        if self.limits.limit_processor and (self._renew_at is None or time.monotonic() >= self._renew_at):
            self._limit_processor(2 * self.limits.deadline)
        if self._memory is not None:
            self._limit_memory(self._memory)
        self._heart.beat(Phase.WORKING, self._item)
        signal.setitimer(signal.ITIMER_REAL, self.limits.deadline)

    def __exit__(self, *error: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def lift(self) -> None:
        """Remove all limits until the next block."""
        self._is_reading = False
        if self._renew_at is not None:
            resource.setrlimit(resource.RLIMIT_CPU, self._processor)
            self._renew_at = None
        if self._had is not None:
            resource.setrlimit(resource.RLIMIT_AS, self._space)
            self._had = None

    def _limit_processor(self, seconds: float) -> None:
        """Set a limit. Twice the deadline is enough for any item that starts within the next `deadline` seconds."""
        last = math.ceil(time.process_time() + seconds + self.limits.grace) + 1
        resource.setrlimit(resource.RLIMIT_CPU, _soft_limit(last, self._processor))
        self._renew_at = time.monotonic() + self.limits.deadline

    def _limit_memory(self, memory: int) -> None:
        has = int(os.pread(self._statm, 64, 0).split()[0]) * _PAGE
        if self._had is None or abs(has - self._had) > memory * _CLOSE_ENOUGH:
            resource.setrlimit(resource.RLIMIT_AS, _soft_limit(has + memory, self._space))
            self._had = has


def _soft_limit(wanted: int, limit: tuple[int, int]) -> tuple[int, int]:
    """A soft limit that is not above the existing ones."""
    lower = [each for each in limit if each != resource.RLIM_INFINITY]
    return min([wanted, *lower]), limit[1]


def _raise_deadline_missed(number: int, frame: FrameType | None) -> NoReturn:
    raise DeadlineMissed
