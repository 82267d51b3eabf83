"""Processes of this machine, as /proc shows them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest


def children(process: int) -> set[int]:
    """The processes that a process has started and that have not ended."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            if int(parent) == process and state != "Z":
                found.add(int(stat.parent.name))
    return found


def is_alive(process: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def wait_until_busy(processes: set[int]) -> None:
    """Wait until these have taken processor time together, more than it takes to receive a page."""

    def ticks() -> int:
        stats = (Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in processes)
        return sum(int(stat[11]) + int(stat[12]) for stat in stats)

    least = ticks() + os.sysconf("SC_CLK_TCK") // 5
    wait_until(lambda: ticks() > least)


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
