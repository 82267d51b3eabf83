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


def service(*, queue: int = 8, workers: int = 1, patience: float = 60, **task: Any) -> Service[Any, Any]:
    return Service(Doubling(**task), Limits(5.0), workers=workers, queue=queue, patience=patience)


def in_service(made: Service[Any, Any], scenario: Callable[[Callable[..., Any]], Coroutine[Any, Any, Any]]) -> Any:
    """Start a service, do something with its `answer`, and close it."""

    async def run() -> Any:
        await made.start(0)
        try:
            return await scenario(made.answer)
        finally:
            await made.close()

    return run_in_loop(run())


def answers(made: Service[Any, Any], *items: Any, **options: bool) -> list[Any]:
    async def ask(answer: Any) -> list[Any]:
        return await asyncio.gather(*(answer(item, **options) for item in items), return_exceptions=True)

    found: list[Any] = in_service(made, ask)
    return found


def test_each_item_gets_its_own_answer() -> None:
    assert answers(service(workers=2), *range(8)) == [0, 2, 4, 6, 8, 10, 12, 14]


def test_items_that_do_not_fit_are_refused_at_once_unless_they_may_wait() -> None:
    found = answers(service(queue=2), "0.2", "0.2", "0.2", 1, 1)
    assert found[:3] == ["0.2"] * 3
    assert all(isinstance(each, ServiceBusy) for each in found[3:])
    assert answers(service(queue=1), *range(10), wait=True) == [2 * number for number in range(10)]


def test_a_caller_who_waits_too_long_is_told() -> None:
    found = answers(service(patience=0.1), "0.4", 1)
    assert (found[0], type(found[1])) == ("0.4", ServiceBusy)


def test_a_dead_process_costs_its_item_alone() -> None:
    assert answers(service(), 1, "die", 2) == [2, "crash", 4]


def test_a_process_that_dies_between_items_costs_nothing() -> None:
    async def scenario(answer: Any) -> list[Any]:
        process = await answer("process")
        os.kill(process, signal.SIGKILL)
        return [await answer(4), await answer("process") != process]

    assert in_service(service(), scenario) == [8, True]


def test_a_caller_that_leaves_gives_up_its_place() -> None:
    made = service(queue=1)

    async def scenario(answer: Any) -> tuple[int, object]:
        first = asyncio.create_task(answer("0.3"))
        waiting = asyncio.create_task(answer("5"))
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.sleep(0)
        pending = made.pending
        found = await answer(3)  # would be ServiceBusy, or wait for five seconds
        await first
        return pending, found

    assert in_service(made, scenario) == (1, 6)


def test_a_task_that_can_not_start_says_so() -> None:
    with pytest.raises(OptionError, match="it can't start"):
        answers(service(broken=True), 1)


def test_a_process_that_can_not_be_replaced_is_not_a_wrong_option(tmp_path: Path) -> None:
    """It is not the fault of the caller."""
    breaks = tmp_path / "breaks"

    async def scenario(answer: Any) -> object:
        breaks.touch()
        lost = await asyncio.gather(answer("die"), return_exceptions=True)
        breaks.unlink()
        return [*map(type, lost), await answer(4)]

    assert in_service(service(breaks=str(breaks)), scenario) == [WorkerLost, 8]


def test_after_its_end_nothing_is_answered() -> None:
    made = service()
    process = in_service(made, lambda answer: answer("process"))
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with pytest.raises(ServiceBusy):
        run_in_loop(made.answer(1))
    assert not made.is_ready
