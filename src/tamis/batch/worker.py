"""The life of a worker process: work in, answers out, until the connection is closed."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from typing import NamedTuple

from tamis.batch.heartbeat import Heartbeat, Phase
from tamis.batch.inputs import Shard, read
from tamis.batch.limits import DeadlineMissed, Limits
from tamis.batch.records import Answer, Damage, Item, Kind, Letter, Record
from tamis.batch.rows import BatchOptions, answer, letter
from tamis.errors import InputError

# All that is lazy is loaded by a first page, which no page's deadline pays for.
_WARM_UP = Record(b"<html lang=en><h1>Warm up</h1><p>A first page, for all that is lazy.</p></html>", "warm-up")

# Answers go out together, by number or by size of text, and at the latest after this many seconds.
_TOGETHER, _CHARACTERS, _WAIT = 64, 1 << 20, 0.25

# Items are read a few at a time: reading one by one between pages takes half as long again, since each page's work
# drives the code and tables of reading out of the processor's caches.
_AHEAD, _AHEAD_BYTES = 16, 1 << 20

Work = Shard | tuple[Record, ...]


class Verdict(NamedTuple):
    """What an item did to an earlier worker; it is not tried again."""

    kind: Kind
    reason: str
    seconds: float


class Order(NamedTuple):
    """Work for a worker: from the item of this number on, without those that are judged already."""

    work: Work
    skip: int
    judged: dict[int, Verdict]


class Report(NamedTuple):
    """The next answers of a worker's work."""

    answers: list[Answer]
    finished: bool
    failed: str = ""  # why the work can't be finished


class NotStarted(NamedTuple):
    """Why a worker can't work; not the error itself, for not every error survives being sent."""

    kind: type[Exception]
    message: str


def main(connection_file: int, heartbeat_file: int) -> None:
    """Set up, say so, and work."""
    connection, heart = Connection(connection_file), Heartbeat(heartbeat_file)
    _seclude()
    with suppress(EOFError, OSError):  # the parent has gone
        try:
            options: BatchOptions = connection.recv()
            answer(_WARM_UP, options)
        except Exception as error:
            connection.send(NotStarted(type(error), str(error)))
            return
        limits = Limits(options.deadline, options.memory)
        connection.send(None)
        while True:
            heart.beat(Phase.IDLE)
            order: Order = connection.recv()
            _do(order, options, limits, connection, heart)


def _do(order: Order, options: BatchOptions, limits: Limits, connection: Connection, heart: Heartbeat) -> None:
    waiting: list[Answer] = []
    size, last = 0, time.monotonic()
    number = order.skip
    heart.beat(Phase.READING, number)
    items = _items(order)
    batch = _Batch()
    while not batch.is_last:
        limits.lift()
        batch = _next_batch(items, number, heart)
        for item in batch.items:
            heart.beat(Phase.WORKING, number)
            verdict = order.judged.get(number)
            result = _sentence(item, verdict) if verdict else _answer(item, options, limits)
            waiting.append(result)
            size += len(str(result.get("text"))) if isinstance(result, dict) else 0
            number += 1
            if len(waiting) >= _TOGETHER or size >= _CHARACTERS or time.monotonic() - last >= _WAIT:
                limits.lift()
                heart.beat(Phase.IDLE, number)
                connection.send(Report(waiting, False))
                waiting, size, last = [], 0, time.monotonic()
    limits.lift()
    heart.beat(Phase.IDLE, number)
    connection.send(Report(waiting, True, batch.failed))


class _Batch(NamedTuple):
    """The next items of a work."""

    items: Sequence[Item] = ()
    is_last: bool = False
    failed: str = ""  # why no more can be read


def _next_batch(items: Iterator[Item], number: int, heart: Heartbeat) -> _Batch:
    """Read a few items at once, the first of this number."""
    found: list[Item] = []
    size = 0
    try:
        while len(found) < _AHEAD and size < _AHEAD_BYTES:
            heart.beat(Phase.READING, number + len(found))
            item = next(items, None)
            if item is None:
                return _Batch(found, True)
            found.append(item)
            size += len(item.body) if isinstance(item, Record) else 0
    except (InputError, OSError) as error:
        return _Batch(found, True, str(error) or type(error).__name__)
    return _Batch(found)


def _items(order: Order) -> Iterator[Item]:
    if isinstance(order.work, Shard):
        return read(order.work, skip=order.skip)
    return islice(order.work, order.skip, None)


def _answer(item: Item, options: BatchOptions, limits: Limits) -> Answer:
    if isinstance(item, Damage):
        return answer(item, options)
    start = time.perf_counter()
    try:
        with limits:
            return answer(item, options)
    except DeadlineMissed:
        reason = f"stopped after {options.deadline:g} s"
        return letter(item, Kind.TIMEOUT, reason, time.perf_counter() - start)
    except SystemExit as error:  # a library that exits the program
        return letter(item, Kind.CRASH, f"the program was ended with {error.code!r}", time.perf_counter() - start)


def _sentence(item: Item, verdict: Verdict) -> Letter:
    return Letter(verdict.kind, verdict.reason, item.source, item.offset, item.id, item.url, round(verdict.seconds, 3))


def _seclude() -> None:
    """Keep a worker to itself: no output, no Ctrl-C; the parent decides when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    logging.disable(logging.CRITICAL)
