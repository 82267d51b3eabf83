"""The fault drill: an archive of 2,000 pages of which one in eighty is poison, and a run over it.

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
from tests.batch.archives import CHEAP, identity, page, response, zipped
from tests.batch.extractors import Obedient

OPTIONS = BatchOptions(extractor=Obedient(), columns=CHEAP, timeout=1.0, memory=1_024)
PAGES = 2_000
SHARD_BYTES = 48_000


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
    "infinite nesting": (3, "too-large", lambda number: zipped(response(number, b"<b>" * 1_000_001))),
    "100 MB of text": (1, "too-large", lambda number: zipped(response(number, b"word " * 20_000_001))),
    "killed by a signal": (3, "crash", _ordered("kill")),
    "hangs": (2, "timeout", _ordered("hang")),
    "deaf to alarms": (1, "timeout", _ordered("deaf")),
    "eats memory": (2, "memory", _ordered("eat")),
    "truncated gzip member": (4, "unreadable", _truncated),
    "broken chunk": (4, "bad-encoding", _broken_chunk),
    "wrong charset": (4, "bad-charset", _wrong_charset),
}


@dataclass(frozen=True)
class Planted:
    """What the archive holds: ids of good pages, and offset and kind of the poison."""

    good: set[str]
    poison: dict[int, str]


def write_archive(path: Path, pages: int = PAGES, *, one_of_each: bool = False) -> Planted:
    """An archive with all poison, or one of each kind, spread over it."""
    poison_pages = [(kind, make) for count, kind, make in POISON.values() for _ in range(1 if one_of_each else count)]
    poisoned = dict(zip(random.Random(10).sample(range(pages), len(poison_pages)), poison_pages, strict=True))
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
