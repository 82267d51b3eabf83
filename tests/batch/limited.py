"""What limits do, tried out in a process of its own: they hold for all of it, and tests share theirs with threads.

python -m tests.batch.limited NAME
"""

from __future__ import annotations

import resource
import signal
import sys
import time

import pytest

from tamis.batch.limits import DeadlineMissed, Limits

_LIMITED = (resource.RLIMIT_AS, resource.RLIMIT_CPU)


def hold_for_a_block() -> None:
    limits = Limits(0.2, 64)
    with pytest.raises(DeadlineMissed), limits:
        time.sleep(30)
    with pytest.raises(MemoryError), limits:
        bytearray(1 << 30)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def can_be_lifted_and_hold_again() -> None:
    limits = Limits(0.2, 64)
    before = [resource.getrlimit(name) for name in _LIMITED]
    for _ in range(2):
        with limits:
            assert all(resource.getrlimit(name) != limit for name, limit in zip(_LIMITED, before, strict=True))
        limits.lift()
        assert [resource.getrlimit(name) for name in _LIMITED] == before


def do_not_count_what_the_process_has_already() -> None:
    limits = Limits(30.0, 64)
    held = []
    for _ in range(4):  # more in all than one page may have
        with limits:
            held.append(bytearray(25 << 20))
    with pytest.raises(MemoryError), limits:
        bytearray(1 << 30)


def leave_each_page_enough_processor_time() -> None:
    limits = Limits(0.2, 64)
    with limits:
        first, _ = resource.getrlimit(resource.RLIMIT_CPU)
    until = time.process_time() + 1.1
    while time.process_time() < until:
        pass
    with limits:
        second, _ = resource.getrlimit(resource.RLIMIT_CPU)
    assert first > until
    assert second > first


CHECKS = {
    check.__name__: check
    for check in (
        hold_for_a_block,
        can_be_lifted_and_hold_again,
        do_not_count_what_the_process_has_already,
        leave_each_page_enough_processor_time,
    )
}

if __name__ == "__main__":
    CHECKS[sys.argv[1]]()
