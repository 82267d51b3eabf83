from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module

import pytest

from tamis.errors import InputError, OptionError
from tamis.worker.limits import Guard, Heartbeat, Limits, Phase
from tamis.worker.pool import Part, Pool, available_cores
from tamis.worker.process import Failure, read_ahead
from tests.project import PACKAGE
from tests.worker.limited import CHECKS

pytestmark = pytest.mark.xdist_group("batch-workers")
linux = pytest.mark.skipif(sys.platform != "linux", reason="memory can be limited on Linux only")


def _ignore_alarms() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(60)


def _fail(error: Exception) -> None:
    raise error


# What a word orders a worker to do, when it is read, before its work, or in its work.
ORDERS: dict[str, Callable[[], object]] = {
    "unreadable": lambda: _fail(InputError("no further")),
    "die-reading": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "deadly": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "sleep-reading": lambda: time.sleep(60),
    "eat-reading": lambda: bytearray(8 << 30),
    "die-unguarded": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "prepare": lambda: time.sleep(2.5),
    "die": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "sleep": lambda: time.sleep(60),
    "deaf": _ignore_alarms,
    "eat": lambda: bytearray(8 << 30),
    "exit": lambda: sys.exit(3),
    "give-up": lambda: _fail(OptionError("no voice any more")),
    "dislike": lambda: _fail(InputError("not this word")),
}
READING = ("unreadable", "die-reading", "deadly", "sleep-reading", "eat-reading")
PREPARING = ("die-unguarded", "prepare")


class Shout:
    """Works are sentences, items are words; some words are orders."""

    def start(self) -> None:
        pass

    def read(self, work: str, lost: Mapping[int, Failure]) -> Iterator[str]:
        for number, word in enumerate(work.split()):
            if number in lost and word != "deadly":
                yield f"unread-{lost[number].kind}"
                continue
            try:
                if word in READING:
                    ORDERS[word]()
                yield word
            except MemoryError:
                yield "unread-memory"

    def size(self, item: str) -> int:
        return len(item)

    place = size

    def answer(self, item: str, guard: Guard) -> str:
        if item in PREPARING:
            ORDERS[item]()
        with guard:
            if item not in PREPARING:
                ORDERS.get(item, str)()
        return item.upper()

    def failed(self, item: str, failure: Failure) -> str:
        assert failure.seconds >= 0
        return f"{item}: {failure.kind}: {failure.reason}"


class Unready(Shout):
    def start(self) -> None:
        raise OptionError("no voice")


def shouted(*works: str, workers: int = 1) -> tuple[list[list[str]], list[Part[str]]]:
    found: list[list[str]] = [[] for _ in works]
    parts = []
    with Pool(Shout(), Limits(0.5, memory=512, grace=0.5, reading=1.5), workers=workers) as pool:
        for part in pool.answers(works):
            found[part.work] += part.answers
            parts.append(part)
    return found, parts


@linux
def test_each_failure_costs_its_item_alone() -> None:
    (found,), parts = shouted("a die b die-unguarded sleep c deaf eat exit d")
    assert found == [
        "A",
        "die: crash: the process was ended by signal SIGSEGV",
        "B",
        "die-unguarded: crash: the process was ended by signal SIGKILL",
        "sleep: timeout: stopped after 0.5 s",
        "C",
        "deaf: timeout: killed after 0.5 s and 0.5 s of grace",
        "eat: memory: it wanted more memory than it may have",
        "exit: crash: it called sys.exit(3)",
        "D",
    ]
    assert [part.finished for part in parts] == [False] * (len(parts) - 1) + [True]


@pytest.mark.slow
@linux
def test_an_item_that_can_not_be_read_costs_itself_alone() -> None:
    words = "a die b die-reading c sleep-reading eat-reading die-reading d"
    found, parts = shouted(words, "e")
    assert found[0] == [
        "A",
        "die: crash: the process was ended by signal SIGSEGV",
        "B",
        "UNREAD-CRASH",
        "C",
        "UNREAD-TIMEOUT",
        "UNREAD-MEMORY",
        "UNREAD-CRASH",
        "D",
    ]
    assert found[1] == ["E"]
    assert not any(part.failed for part in parts)


@pytest.mark.slow
@linux
def test_what_an_item_needs_before_its_work_has_no_deadline() -> None:
    (found,), _ = shouted("prepare")
    assert found == ["PREPARE"]


@linux
def test_a_work_that_can_not_be_read_on_is_not_finished() -> None:
    found, parts = shouted("a b unreadable c", "d", workers=2)
    assert found == [["A", "B"], ["D"]]
    assert {part.work: (part.finished, part.failed) for part in parts} == {0: (False, "no further"), 1: (True, "")}


@pytest.mark.slow
def test_a_work_that_ends_every_worker_is_given_up() -> None:
    found, parts = shouted("a deadly b", "c")
    assert found == [[], ["C"]]
    reason = "reading item 1 ended 3 workers: the process was ended by signal SIGSEGV"
    assert {part.work: part.failed for part in parts} == {0: reason, 1: ""}


def test_an_error_of_the_start_is_raised() -> None:
    with Pool(Unready(), Limits(1.0), workers=1) as pool, pytest.raises(OptionError, match="no voice"):
        list(pool.answers(["a"]))


@linux
def test_an_error_that_no_item_is_to_blame_for_is_raised() -> None:
    with pytest.raises(OptionError, match="no voice any more"):
        shouted("a b give-up c", "d")
    (found,), _ = shouted("a dislike b")
    assert found == ["A", "dislike: crash: the process ended with exit code 1", "B"]


@pytest.mark.slow
def test_little_is_read_ahead() -> None:
    heart = Heartbeat()
    taken = 0

    def items(size: int) -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "x" * size

    few, is_last, failed = read_ahead(items(1 << 20), 7, Shout(), partial(heart.beat, Phase.READING))
    assert (len(few), is_last, failed, taken) == (1, False, "", 1)
    assert heart.read()[:2] == (Phase.READING, 7)
    taken = 0
    assert len(read_ahead(items(10), 0, Shout(), partial(heart.beat, Phase.READING))[0]) == taken <= 64
    heart.close()


@pytest.mark.slow
@linux
@pytest.mark.parametrize("name", CHECKS)
def test_limits(name: str) -> None:
    command = [sys.executable, "-m", "tests.worker.limited", name]
    done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def test_a_system_without_limits_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    monkeypatch.delitem(sys.modules, "tamis.worker.limits")
    with pytest.raises(OptionError, match="need Linux or macOS"):
        import_module("tamis.worker.limits")


def test_cores_are_those_that_may_be_used() -> None:
    assert 1 <= available_cores() <= (os.cpu_count() or 1)
