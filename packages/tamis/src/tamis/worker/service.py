"""Worker processes behind a queue, for programs that run an event loop, such as a server.

Everything runs in the event loop: a thread for each process would compete with it for the interpreter's lock, which
costs 0.3 ms a page. Replacing a process blocks the loop for some 20 ms, which is rare. Items that do not fit into the
queue are refused at once. One item is one unit of work, so no item waits for the answer of another.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Generic, NamedTuple, TypeVar

from tamis.errors import TamisError
from tamis.worker.limits import Beat, Limits
from tamis.worker.pool import Part, Worker, available_cores, packed
from tamis.worker.process import Task

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_LOOK_SECONDS = 0.2  # between two looks at workers that send nothing


class ServiceBusy(TamisError):
    """The queue is full, the wait was too long, or the service is closing."""


class WorkerLost(TamisError):
    """Worker processes do not start, or end as soon as they get this item, before they work on it."""


class _Job(NamedTuple):
    item: Any
    answered: asyncio.Future[Any]
    since: float  # time.monotonic


class _WatchedConnection(NamedTuple):
    """A connection that the loop listens to, by a descriptor that stays open when the worker is gone."""

    connection: Connection
    file: int


class Service(Generic[Item, Answer]):
    """Answers items in worker processes, first come, first served."""

    def __init__(
        self,
        task: Task[tuple[Item], Item, Answer],
        limits: Limits,
        *,
        workers: int | None = None,
        queue: int,
        patience: float,
    ) -> None:
        """Start nothing yet.

        `workers` is the number of processes, one a core by default. At most `queue` items wait, each at most about
        `patience` seconds. Raises OptionError.
        """
        self.size = available_cores() if workers is None else workers
        self._task, self._limits = packed(task, limits), limits
        self._most, self._patience = queue, patience
        # The two queues take turns.
        self._waiting: deque[_Job] = deque()  # limited
        self._patient: deque[_Job] = deque()  # of callers who wait however long it takes
        self._is_turn_of_patient = False
        self._running: dict[Worker, _Job] = {}
        self._free: list[Worker] = []
        self._watched: dict[Worker, _WatchedConnection] = {}
        self._late: dict[Worker, Beat] = {}  # the last sign of life, if late at the last look
        self._watching: asyncio.Task[None] | None = None
        self._is_started = self._closing = False
        self.pending = 0  # items that wait or are in work
        self._patient_pending = 0  # of these, those of the patient

    async def start(self, first: Item) -> None:
        """Start all processes, and have each answer one item. Raises what `Task.start` raises."""
        self._loop = asyncio.get_running_loop()
        self._free = [Worker(self._task, self._limits) for _ in range(self.size)]
        self._watching = self._loop.create_task(self._watch())
        try:
            await asyncio.gather(*(self.answer(first) for _ in range(self.size)))
        except BaseException:
            await self.close(abandon=True)
            raise
        self._is_started = True

    async def answer(self, item: Item, *, wait: bool = False) -> Answer:
        """The answer to an item. A caller that is cancelled gives up its place in the queue.

        With `wait`, an item waits however long the queue is, and does not make it longer for those without. Raises
        ServiceBusy and WorkerLost.
        """
        if self._closing or (self.is_full and not wait):
            raise ServiceBusy("the service is closing" if self._closing else "too many pages are waiting")
        job = _Job(item, self._loop.create_future(), time.monotonic())
        self.pending += 1
        self._patient_pending += wait
        (self._patient if wait else self._waiting).append(job)
        self._hand_out()
        try:
            answer: Answer = await job.answered
            return answer
        finally:
            self.pending -= 1
            self._patient_pending -= wait

    @property
    def is_full(self) -> bool:
        """Is the limited queue full?"""
        return self.pending - self._patient_pending >= self._most + self.size

    @property
    def is_ready(self) -> bool:
        """Have the processes started, and are they not about to end?"""
        return self._watching is not None and not self._closing

    async def close(self, *, abandon: bool = False) -> None:
        """Refuse new items, finish those that are in work, and end all processes; with `abandon`, finish nothing."""
        self._closing = True
        for queue in (self._waiting, self._patient):
            while queue:
                _settle(queue.popleft(), ServiceBusy("the service is closing"))
        while self._running and not abandon:
            await asyncio.sleep(0.02)
        if self._watching:
            self._watching.cancel()
        for job in self._running.values():
            _settle(job, ServiceBusy("the service is closing"))
        for worker in (*self._watched,):
            self._forget(worker)
        await asyncio.gather(*(asyncio.to_thread(worker.end) for worker in (*self._free, *self._running)))
        self._free, self._running = [], {}

    def _hand_out(self) -> None:
        """Give waiting items to free workers."""
        while self._free and (job := self._next_job()):
            worker = self._free.pop()
            self._running[worker] = job
            worker.give(0, (job.item,))
            self._listen(worker)

    def _next_job(self) -> _Job | None:
        """The next item whose caller has neither left nor waited too long."""
        while self._waiting or self._patient:
            self._is_turn_of_patient = not self._is_turn_of_patient
            is_patient = bool(self._patient) and (self._is_turn_of_patient or not self._waiting)
            job = (self._patient if is_patient else self._waiting).popleft()
            if not is_patient and time.monotonic() - job.since > self._patience:
                _settle(job, ServiceBusy(f"no worker was free for {self._patience:g} s"))
            if not job.answered.done():
                return job
        return None

    def _listen(self, worker: Worker) -> None:
        """Listen to a worker from now on, or to its new process."""
        old = self._watched.get(worker)
        if old and old.connection is worker.connection:
            return
        new = _WatchedConnection(worker.connection, os.dup(worker.connection.fileno()))
        self._loop.add_reader(new.file, self._receive, worker)
        os.set_blocking(new.file, True)  # uvloop changes it, and workers are sent whole messages
        self._forget(worker)
        self._watched[worker] = new

    def _forget(self, worker: Worker) -> None:
        """Stop listening to a worker."""
        if old := self._watched.pop(worker, None):
            self._loop.remove_reader(old.file)
            os.close(old.file)

    def _receive(self, worker: Worker) -> None:
        """Receive the message of a worker, or replace a dead one."""
        if worker in self._running:
            self._handle(worker, worker.receive)
        else:  # it had no work, and was killed
            self._free.remove(worker)
            self._replace(worker)

    def _handle(self, worker: Worker, event: Callable[[], Part[Any] | None]) -> None:
        """Handle an event of a worker, and settle its item."""
        job = self._running[worker]
        try:
            part = event()
        except Exception as error:  # it can't start or continue, which is not the fault of the item
            _settle(job, WorkerLost(f"no worker process could be started: {error}") if self._is_started else error)
            del self._running[worker]
            self._replace(worker)
            return
        for result in (*part.answers, *([WorkerLost(part.failed)] if part.failed else [])) if part else ():
            _settle(job, result)
        if not part or not (part.finished or part.failed):
            self._listen(worker)
            return
        del self._running[worker]
        self._free.append(worker)
        self._hand_out()

    def _replace(self, worker: Worker) -> None:
        """Replace a worker that is idle."""
        self._forget(worker)
        worker.end()
        self._free.append(Worker(self._task, self._limits))
        self._hand_out()

    async def _watch(self) -> None:
        """End workers that are late at two looks, with no sign of life in between."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            late = {worker: worker.sign_of_life() for worker in self._running if worker.time_left() <= 0}
            given_up = [worker for worker, sign in late.items() if self._late.get(worker) == sign]
            self._late = late
            for worker in given_up:
                self._handle(worker, worker.give_up_late)


def _settle(job: _Job, result: object) -> None:
    if not job.answered.done():
        setter: Callable[[Any], None] = (
            job.answered.set_exception if isinstance(result, Exception) else job.answered.set_result
        )
        setter(result)
