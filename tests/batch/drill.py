"""The fault drill: an archive of 5,000 pages of which one in a hundred is poison, and a run over it.

python -m tests.batch.drill ARCHIVE OUT      the run, to be killed
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tamis.batch.outputs import Output
from tamis.batch.rows import BatchOptions
from tamis.batch.run import Summary, run
from tests.batch.archives import identity, page, response, zipped
from tests.batch.extractors import Obedient

OPTIONS = BatchOptions(extractor=Obedient(), title=False, page_type=False, deadline=1.0, memory=1_024)
SHARD_BYTES = 60_000


def _truncated(number: int) -> bytes:
    return zipped(response(number))[:-40]


def _broken_chunk(number: int) -> bytes:
    body = b"40\r\n" + page(number)[:64] + b"\r\n200\r\n" + page(number)[64:]  # and no end
    return zipped(response(number, body, ["Content-Type: text/html", "Transfer-Encoding: chunked"]))


def _wrong_charset(number: int) -> bytes:
    body = "<p>Порт старого города был восстановлен после бури прошлой зимы.".encode("windows-1251")
    return zipped(response(number, body, ["Content-Type: text/html; charset=shift_jis"]))


def _ordered(order: str) -> Callable[[int], bytes]:
    return lambda number: zipped(response(number, page(number, f"ORDER:{order} ")))


# Each kind of poison: how many, the kind of its dead letter, and the bytes of its record.
POISON: dict[str, tuple[int, str, Callable[[int], bytes]]] = {
    "infinite nesting": (6, "too-large", lambda number: zipped(response(number, b"<b>" * 1_000_001))),
    "100 MB of text": (2, "too-large", lambda number: zipped(response(number, b"word " * 20_000_001))),
    "killed by a signal": (10, "crash", _ordered("kill")),
    "hangs": (3, "timeout", _ordered("hang")),
    "deaf to alarms": (1, "timeout", _ordered("deaf")),
    "eats memory": (4, "memory", _ordered("eat")),
    "truncated gzip member": (8, "unreadable", _truncated),
    "broken chunk": (8, "bad-encoding", _broken_chunk),
    "wrong charset": (8, "bad-charset", _wrong_charset),
}


@dataclass(frozen=True)
class Planted:
    """What the archive holds: ids of good pages, and offset and kind of the poison."""

    good: set[str]
    poison: dict[int, str]


def write_archive(path: Path, pages: int) -> Planted:
    """An archive with all poison spread over it."""
    places = iter(random.Random(10).sample(range(pages), sum(count for count, _, _ in POISON.values())))
    poisoned = {next(places): (kind, make) for count, kind, make in POISON.values() for _ in range(count)}
    good, poison = set(), {}
    with path.open("wb") as file:
        for number in range(pages):
            if number in poisoned:
                kind, make = poisoned[number]
                poison[file.tell()] = kind
                file.write(make(number))
            else:
                good.add(identity(number))
                file.write(zipped(response(number)))
    return Planted(good, poison)


def drill(archive: str, out: str) -> Summary:
    """One run, which goes on where the one before was killed."""
    return run([archive], Output(out), OPTIONS, workers=2, shard_bytes=SHARD_BYTES)


if __name__ == "__main__":
    drill(*sys.argv[1:])
