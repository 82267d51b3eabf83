"""A service: worker processes behind a queue, for an event loop."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tamis.errors import OptionError
from tamis.worker.limits import Guard, Limits
from tamis.worker.process import Failure, Task
from tamis.worker.service import Service, ServiceBusy, WorkerLost

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Doubling(Task[tuple[Any], Any, object]):
    """Doubles numbers; does as it is told by words."""

    broken: bool = False
    breaks: str = ""  # the path of a file: where it is, no process can start

    def start(self) -> None:
        if self.broken or (self.breaks and Path(self.breaks).exists()):
            raise OptionError("it can't start")

    def read(self, work: tuple[Any], lost: Mapping[int, Failure]) -> Iterator[Any]:
        return iter(work)

    def answer(self, item: Any, guard: Guard) -> object:
        with guard:
            if item == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if item == "process":
                return os.getpid()
            if isinstance(item, str):
                time.sleep(float(item))
                return item
            return item * 2

    def failed(self, item: Any, failure: Failure) -> object:
        return failure.kind


@pytest.fixture(autouse=True, params=["asyncio", "uvloop"])
def loop(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test runs in both loops: servers use uvloop, which treats files in its own way."""
    module = pytest.importorskip(request.param)
    monkeypatch.setitem(globals(), "run_in_loop", module.run)


run_in_loop: Callable[[Coroutine[Any, Any, Any]], Any] = asyncio.run


def service(*, queue: int = 8, workers: int = 1, patience: float = 60, broken: bool = False) -> Service[Any, Any]:
    return Service(Doubling(broken), Limits(5.0), workers=workers, queue=queue, patience=patience)


async def answered(made: Service[Any, Any], *items: Any) -> list[Any]:
    await made.start(0)
    try:
        return await asyncio.gather(*map(made.answer, items), return_exceptions=True)
    finally:
        await made.close()


def answers(made: Service[Any, Any], *items: Any) -> list[Any]:
    found: list[Any] = run_in_loop(answered(made, *items))
    return found


def test_each_item_gets_its_own_answer() -> None:
    assert answers(service(workers=2), *range(8)) == [0, 2, 4, 6, 8, 10, 12, 14]


def test_what_does_not_fit_is_refused_at_once() -> None:
    found = answers(service(queue=2), "0.2", "0.2", "0.2", 1, 1)
    assert found[:3] == ["0.2"] * 3
    assert all(isinstance(each, ServiceBusy) for each in found[3:])


def test_a_caller_may_wait_for_room() -> None:
    async def run() -> list[Any]:
        made = service(queue=1)
        await made.start(0)
        found = await asyncio.gather(*(made.answer(number, wait=True) for number in range(10)))
        await made.close()
        return found

    assert run_in_loop(run()) == [2 * number for number in range(10)]


def test_who_waits_too_long_is_told() -> None:
    found = answers(service(patience=0.1), "0.4", 1)
    assert found[0] == "0.4"
    assert isinstance(found[1], ServiceBusy)


def test_a_dead_process_costs_its_item_alone() -> None:
    assert answers(service(), 1, "die", 2) == [2, "crash", 4]


def test_a_process_that_dies_between_items_costs_nothing() -> None:
    async def run() -> list[Any]:
        made = service()
        await made.start(0)
        process = await made.answer("process")
        os.kill(process, signal.SIGKILL)
        found = [await made.answer(4), await made.answer("process") != process]
        await made.close()
        return found

    assert run_in_loop(run()) == [8, True]


def test_a_caller_that_leaves_gives_up_its_place() -> None:
    async def run() -> tuple[int, object]:
        made = service(queue=1)
        await made.start(0)
        first = asyncio.create_task(made.answer("0.3"))
        waiting = asyncio.create_task(made.answer("5"))
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.sleep(0)
        pending = made.pending
        found = await made.answer(3)  # would be ServiceBusy, or wait for five seconds
        await first
        await made.close()
        return pending, found

    assert run_in_loop(run()) == (1, 6)


def test_a_task_that_can_not_start_says_so() -> None:
    with pytest.raises(OptionError, match="it can't start"):
        answers(service(broken=True), 1)


def test_a_process_that_can_not_be_replaced_is_no_wrong_option(tmp_path: Path) -> None:
    """Whoever sent the page is not to blame."""
    breaks = tmp_path / "breaks"
    made: Service[Any, Any] = Service(Doubling(breaks=str(breaks)), Limits(5.0), workers=1, queue=8, patience=60)

    async def run() -> object:
        await made.start(0)
        try:
            breaks.touch()
            lost = await asyncio.gather(made.answer("die"), return_exceptions=True)
            breaks.unlink()
            return [*map(type, lost), await made.answer(4)]
        finally:
            await made.close()

    assert run_in_loop(run()) == [WorkerLost, 8]


def test_after_its_end_nothing_is_answered() -> None:
    async def run() -> object:
        made = service()
        await made.start(0)
        process = await made.answer("process")
        await made.close()
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
        with pytest.raises(ServiceBusy):
            await made.answer(1)
        return made.is_ready

    assert run_in_loop(run()) is False
