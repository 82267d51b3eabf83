"""The state of a worker, in memory that its parent can read even when the worker is dead."""

from __future__ import annotations

import mmap
import os
import tempfile
import time
from enum import IntEnum
from struct import Struct
from typing import NamedTuple

_NUMBERS = Struct("3d")


class Phase(IntEnum):
    """What a worker can be busy with."""

    STARTING = 0
    IDLE = 1  # or sending answers
    READING = 2  # the next item of its unit of work
    PREPARING = 3  # what an item needs, such as a library; no part of its deadline
    WORKING = 4  # on an item, with a deadline


class Beat(NamedTuple):
    """The phase of a worker, the number of the item that it is at, and since when (time.monotonic)."""

    phase: Phase
    item: int
    since: float


def _new_file() -> int:
    """A file in memory where the system has such files: on a full disk, a mapped file ends the process that uses it."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("heartbeat")
    with tempfile.TemporaryFile() as new:
        return os.dup(new.fileno())


class Heartbeat:
    """Three numbers that a worker writes and its parent reads."""

    def __init__(self, file: int | None = None) -> None:
        """`file` is the descriptor of another Heartbeat, which a child process inherits; None makes a new one."""
        if file is None:
            file = _new_file()
            os.write(file, bytes(_NUMBERS.size))
        self.file = file
        self._memory = mmap.mmap(self.file, _NUMBERS.size)

    def beat(self, phase: Phase, item: int = 0) -> None:
        """Write that a phase begins now."""
        _NUMBERS.pack_into(self._memory, 0, phase, item, time.monotonic())

    def read(self) -> Beat:
        """The last beat."""
        phase, item, since = _NUMBERS.unpack(self._memory[:])
        return Beat(Phase(int(phase)), int(item), since)

    def close(self) -> None:
        """Free the memory; a second call does nothing."""
        if self.file >= 0:
            self._memory.close()
            os.close(self.file)
            self.file = -1
