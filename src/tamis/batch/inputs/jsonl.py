"""JSON lines with an html field, plain or gzipped. A shard is a range of bytes; a gzip file is one shard."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from typing import IO, cast

from tamis.batch.bodies import MOST_BYTES
from tamis.batch.inputs import tables
from tamis.batch.inputs.files import Shard, byte_slices, open_binary, size_of
from tamis.batch.records import Damage, Item, Kind

# In JSON a byte of a page takes up to six (\u0000).
_LONGEST_LINE = 6 * MOST_BYTES

size = size_of


def slices(path: str, shard_bytes: int) -> Iterator[Shard]:
    """Shards by ranges of bytes; a line belongs to the one that it begins in."""
    yield from byte_slices("jsonl", path, None if _is_gzip(path) else shard_bytes)


def read(shard: Shard, check: Check) -> Iterator[Item]:
    """The lines of a shard as records; offsets are those in the unpacked file."""
    with open_binary(shard.path) as raw:
        lines = cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if _is_gzip(shard.path) else raw
        at = shard.start
        if at:
            lines.seek(at - 1)
            at += len(lines.readline()) - 1  # skip the rest of a line that began before
        while shard.end is None or at < shard.end:
            try:
                line = lines.readline(_LONGEST_LINE)
            except (OSError, EOFError, zlib.error) as error:
                yield Damage(shard.path, at, f"the rest can't be read: {error}")
                return
            if not line:
                return
            if line.strip():
                yield _item(line, shard.path, at)
            at += len(line)
            while len(line) == _LONGEST_LINE and not line.endswith(b"\n"):  # the rest of an endless line
                line = lines.readline(_LONGEST_LINE)
                at += len(line)


def _item(line: bytes, path: str, at: int) -> Item:
    if len(line) == _LONGEST_LINE:
        return Damage(path, at, f"the line has more than {_LONGEST_LINE:,} bytes", Kind.TOO_LARGE)
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Damage(path, at, f"the line is no JSON: {error}"[:200])
    if not isinstance(fields, dict):
        return Damage(path, at, "the line is no JSON object")
    return tables.item(fields, path, at)


def _is_gzip(path: str) -> bool:
    return path.lower().endswith(".gz")
