"""JSON lines with an html field, plain or gzipped. A shard is a range of bytes; a gzip file is one shard."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from typing import IO, cast

from tamis.batch.inputs import tables
from tamis.batch.inputs.files import NOT_READ, Check, Shard, byte_slices, not_read, open_binary, sampled_range, size_of
from tamis.batch.records import Damage, Item, Kind, Progressed
from tamis.inputs import MOST_BYTES

# In JSON a letter of a page takes up to six bytes, so this is enough for any page that is not too large to extract.
# The line, its text and the fields fit into the memory that a page may use.
_LONGEST_LINE = 2 * MOST_BYTES
_PIECE = 1 << 20

size, files = size_of, sampled_range


def slices(path: str, shard_bytes: int) -> Iterator[Shard]:
    """Shards by ranges of bytes; a line belongs to the shard in which it starts."""
    yield from byte_slices("jsonl", path, None if _is_gzip(path) else shard_bytes)


def read(shard: Shard, check: Check) -> Progressed:
    """The lines of a shard as records; offsets are those in the unpacked file."""
    with open_binary(shard.path) as raw:
        lines = cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if _is_gzip(shard.path) else raw
        at = shard.start
        if at:
            lines.seek(at - 1)
            at += _read_line(lines, 0, shard.end)[1] - 1  # skip the rest of a line that started before
        while shard.end is None or at < shard.end:
            try:
                item, length = _next_item(lines, shard.path, at, check)
            except (OSError, EOFError, zlib.error) as error:
                yield Damage(shard.path, at, f"the rest can't be read: {error}"), shard.size
                return
            if not length:
                return
            at += length
            if item is not None:
                yield item, (at if lines is raw else raw.tell()) - shard.start


def _next_item(lines: IO[bytes], path: str, at: int, check: Check) -> tuple[Item | None, int]:
    """The item of the next line, unless that is blank, and the bytes of the line."""
    try:
        check()
        line, length = _read_line(lines, _LONGEST_LINE)
        if line is None:
            return Damage(path, at, f"the line has more than {_LONGEST_LINE:,} bytes", Kind.TOO_LARGE), length
        return (_item_of_line(line, path, at) if line.strip() else None), length
    except NOT_READ as error:
        lines.seek(at)
        return not_read(path, at, error), _read_line(lines, 0)[1]


def _read_line(lines: IO[bytes], most: int, end: int | None = None) -> tuple[bytes | None, int]:
    """The next line, None if it has more than `most` bytes, and its length; at `end` it is left."""
    parts: list[bytes] = []
    length = 0
    while True:
        piece = lines.readline(_PIECE)
        length += len(piece)
        parts = [*parts, piece] if length <= most else []
        if len(piece) < _PIECE or piece.endswith(b"\n") or (end is not None and lines.tell() >= end):
            return b"".join(parts) if length <= most else None, length


def _item_of_line(line: bytes, path: str, at: int) -> Item:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Damage(path, at, f"the line is not JSON: {error}"[:200])
    if not isinstance(fields, dict):
        return Damage(path, at, "the line is not a JSON object")
    return tables.item(fields, path, at)


def _is_gzip(path: str) -> bool:
    return path.lower().endswith(".gz")
