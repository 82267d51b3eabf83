"""Checks of the limits. Each runs in a process of its own, because limits hold for all threads of a process.

python -m tests.worker.limited NAME
"""

from __future__ import annotations

import inspect
import resource
import signal
import sys
import time

import pytest

from tamis.worker.limits import DeadlineMissed, Guard, Heartbeat, Limits

_LIMITED = (resource.RLIMIT_AS, resource.RLIMIT_CPU)


def hold_for_a_block() -> None:
    guard = Guard(Limits(0.2, 64), Heartbeat())
    with pytest.raises(DeadlineMissed), guard:
        time.sleep(30)
    with pytest.raises(MemoryError), guard:
        bytearray(1 << 30)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def can_be_lifted_and_hold_again() -> None:
    guard = Guard(Limits(0.2, 64), Heartbeat())
    before = [resource.getrlimit(name) for name in _LIMITED]
    for _ in range(2):
        with guard:
            assert all(resource.getrlimit(name) != limit for name, limit in zip(_LIMITED, before, strict=True))
        guard.lift()
        assert [resource.getrlimit(name) for name in _LIMITED] == before


def do_not_count_what_the_process_has_already() -> None:
    guard = Guard(Limits(30.0, 64), Heartbeat())
    held = []
    for _ in range(4):  # more in all than one page may have
        with guard:
            held.append(bytearray(25 << 20))
    with pytest.raises(MemoryError), guard:
        bytearray(1 << 30)


def leave_each_page_enough_processor_time() -> None:
    guard = Guard(Limits(0.2, 64), Heartbeat())
    with guard:
        first, _ = resource.getrlimit(resource.RLIMIT_CPU)
    until = time.process_time() + 1.1
    while time.process_time() < until:
        pass
    with guard:
        second, _ = resource.getrlimit(resource.RLIMIT_CPU)
    assert first > until
    assert second > first


def leave_processor_time_alone_where_programs_are_started() -> None:
    before = [resource.getrlimit(name) for name in _LIMITED]
    with Guard(Limits(0.2, limit_processor=False), Heartbeat()):
        assert [resource.getrlimit(name) for name in _LIMITED] == before


CHECKS = {name: check for name, check in [*globals().items()] if inspect.isfunction(check)}

if __name__ == "__main__":
    CHECKS[sys.argv[1]]()
