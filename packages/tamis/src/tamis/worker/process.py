"""The inside of a worker process: units of work come in, answers go out, until the connection is closed."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from tamis.errors import InputError, TamisError
from tamis.worker.limits import DeadlineMissed, Guard, Heartbeat, Phase

_MOST_ANSWERS = 64  # that are sent together
_LONGEST_WAIT = 0.25  # seconds, before answers are sent

# Items are read a few at a time. Reading one by one between pages takes half as long again, because the work on a
# page drives the code and tables of reading out of the processor's caches.
_AHEAD = 16  # items
_AHEAD_BYTES = 1 << 20


class Failure(NamedTuple):
    """Why the work on an item failed."""

    kind: Literal["timeout", "crash", "memory"]
    reason: str
    seconds: float


Work = TypeVar("Work", contravariant=True)
Item = TypeVar("Item")
Answer = TypeVar("Answer", covariant=True)


class Task(Protocol[Work, Item, Answer]):
    """The work of a worker, to which it is pickled: a base class. A unit of work holds items; each gets one answer."""

    def start(self) -> None:
        """Load and warm up, once a process. Its errors are raised in the parent: they are not the fault of an item."""
        ...

    def read(self, work: Work, lost: Mapping[int, Failure]) -> Iterator[Item]:
        """The items of a unit of work. Raises InputError or OSError if the rest can't be read.

        Reading the items whose numbers are in `lost` ended earlier workers. Yield replacements for them.
        """
        ...

    def size(self, item: Item) -> int:
        """The approximate size of an item in bytes, which limits how far the worker reads ahead."""
        return 0

    def place(self, item: Item) -> int:
        """How much of the unit of work is read at the end of an item, if progress is shown."""
        return 0

    def answer(self, item: Item, guard: Guard) -> Answer:
        """Work on an item inside `with guard:`.

        A TamisError that is not an InputError is raised in the parent: it is not the fault of the item. Code outside
        the block is not under the deadline, but the worker is killed after two minutes.
        """
        ...

    def failed(self, item: Item, failure: Failure) -> Answer:
        """The answer for an item that missed its deadline, or ended a worker."""
        ...


class Order(NamedTuple):
    """A unit of work and the number of items to skip. Items that ended a worker are not tried again."""

    work: Any
    skip: int
    failures: dict[int, Failure]  # of the work on items
    lost: dict[int, Failure]  # of reading them


class Report(NamedTuple):
    """The next answers of a unit of work."""

    answers: list[Any]
    finished: bool
    failed: str = ""  # why the unit of work can't be finished
    place: int = 0  # of the last answered item


class Unable(NamedTuple):
    """Why a worker can't start or continue. Not the error itself, because some errors can't be pickled."""

    kind: type[Exception]
    message: str


def main(connection_file: int, heartbeat_file: int) -> None:
    """Start, say so, and work."""
    connection, heart = Connection(connection_file), Heartbeat(heartbeat_file)
    _detach()
    with suppress(EOFError, OSError):  # the parent has gone
        try:
            task, limits = connection.recv()
            task.start()
        except Exception as error:
            connection.send(Unable(type(error), str(error)))
            return
        guard = Guard(limits, heart)
        connection.send(None)
        while True:
            heart.beat(Phase.IDLE)
            order = connection.recv()
            try:
                _do_order(order, task, guard, connection, heart)
            except InputError:  # the fault of the item, so it ends only this process
                raise
            except TamisError as error:
                guard.lift()
                connection.send(Unable(type(error), str(error)))
                return


def _do_order(order: Order, task: Task[Any, Any, Any], guard: Guard, connection: Connection, heart: Heartbeat) -> None:
    number = place = 0
    items = task.read(order.work, order.lost)
    answers: list[Any] = []
    last_sent = time.monotonic()
    is_last, failed = False, ""

    def send(finished: bool) -> None:
        guard.lift()
        heart.beat(Phase.IDLE, number)
        connection.send(Report(answers, finished, failed if finished else "", place))

    while not is_last:
        ahead, is_last, failed = read_ahead(items, number, task, guard.read)
        for item in ahead:
            if number < order.skip:  # an earlier worker has answered it
                number += 1
                continue
            guard.begin(number)
            failure = order.failures.get(number)
            answers.append(task.failed(item, failure) if failure else _answer_of(item, task, guard))
            place = task.place(item)
            number += 1
            if len(answers) >= _MOST_ANSWERS or time.monotonic() - last_sent >= _LONGEST_WAIT:
                send(False)
                answers, last_sent = [], time.monotonic()
    send(True)


def read_ahead(
    items: Iterator[Item], number: int, task: Task[Any, Item, Any], begin: Callable[[int], None]
) -> tuple[list[Item], bool, str]:
    """The next few items, from this number on; whether they are the last; why no more can be read.

    `begin` is called with the number of each item before it is read.
    """
    found: list[Item] = []
    size = 0
    try:
        while len(found) < _AHEAD and size < _AHEAD_BYTES:
            begin(number + len(found))
            item = next(items, None)
            if item is None:
                return found, True, ""
            found.append(item)
            size += task.size(item)
    except (InputError, OSError) as error:
        return found, True, str(error) or type(error).__name__
    return found, False, ""


def _answer_of(item: Item, task: Task[Any, Item, Answer], guard: Guard) -> Answer:
    start = time.perf_counter()
    try:
        return task.answer(item, guard)
    except DeadlineMissed:
        failure = Failure("timeout", f"stopped after {guard.limits.deadline:g} s", time.perf_counter() - start)
    except MemoryError:
        failure = Failure("memory", "it wanted more memory than it may have", time.perf_counter() - start)
    except SystemExit as error:  # a library that exits the program
        failure = Failure("crash", f"it called sys.exit({error.code!r})", time.perf_counter() - start)
    return task.failed(item, failure)


def _detach() -> None:
    """Detach the process from the terminal: no input, output or Ctrl-C. The parent decides when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    logging.disable(logging.CRITICAL)
