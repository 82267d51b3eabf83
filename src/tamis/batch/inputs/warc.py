"""WARC archives, plain, gzipped or in zstd, read by FastWARC; `archive.py` finds the way around damage.

Where FastWARC stops, or returns less of a record than its header promises, the place is reported and reading goes on
at the next record that can be read. A slice begins in the middle of a file in the same way. A record belongs to the
slice that it begins in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from tamis.batch.bodies import MOST_BYTES, codings_of
from tamis.batch.inputs.archive import Archive
from tamis.batch.inputs.files import Shard, byte_slices, open_binary, size_of
from tamis.batch.packages import fastwarc
from tamis.batch.records import Damage, Item, Kind, Record

if TYPE_CHECKING:
    from fastwarc.warc import HeaderMap, WarcRecord

size = size_of

# A slice is read from this far before its start, to find where records begin. So a page that imitates an archive can
# be taken for one only if it is longer than this.
_RUN_UP = 1 << 19

_ONCE = ("warc-type", "warc-record-id", "content-length")  # headers that every record has, and none twice

_ERRORS = (OSError, ValueError, EOFError, RuntimeError)  # what FastWARC raises on bad data


def slices(path: str, shard_bytes: int) -> Iterator[Shard]:
    """Shards by ranges of bytes; one shard where records can't be found from the middle."""
    with open_binary(path) as file:
        divisible = Archive(file).is_divisible
    yield from byte_slices("warc", path, shard_bytes if divisible else None)


def read(shard: Shard) -> Iterator[Item]:
    """The HTTP responses and resources of a shard, and its damaged places."""
    with open_binary(shard.path) as file:
        archive = Archive(file)
        end = archive.length if shard.end is None else shard.end
        at = 0 if shard.start == 0 else archive.next_record(max(shard.start - _RUN_UP, 0), end)
        while at is not None and at < end:
            resume_at = None
            for part in _parts(archive, shard.path, at):
                if part.offset >= end:
                    return
                if part.item is not None and part.offset >= shard.start:
                    yield part.item
                resume_at = part.resume_at
            at = None if resume_at is None else archive.next_record(resume_at, end)


class _Part(NamedTuple):
    """A record of any type; `item` is None if it is no page."""

    offset: int
    item: Item | None
    resume_at: int | None = None  # on the last part before damage: where to look for the next record


def _parts(archive: Archive, path: str, at: int) -> Iterator[_Part]:
    """The records from `at` on up to the end or the next damaged place, which is the last part."""
    waiting: _Part | None = None  # held back until the next record shows that its length was right
    reading = at  # what an error is about while no record waits
    try:
        for offset, record in _iterate(archive, at):
            if waiting is not None:
                yield waiting
            waiting, reading = None, offset
            item = _item(record, path, offset)
            if isinstance(item, Damage) and item.kind is Kind.UNREADABLE:
                yield _Part(offset, item, offset + 1)
                return
            waiting = _Part(offset, item)
    except _ERRORS as error:
        if waiting is None:
            yield _damaged(path, reading, str(error))
        else:
            yield from _broken(archive, path, waiting, str(error))
        return
    # FastWARC takes some broken bytes for the end.
    if waiting is None and not archive.only_padding_from(at):
        yield _damaged(path, at, "no record begins here")
    elif waiting is not None and archive.is_divisible:
        yield from _broken(archive, path, waiting, "no record begins here")
    elif waiting is not None:
        yield waiting


def _broken(archive: Archive, path: str, waiting: _Part, reason: str) -> Iterator[_Part]:
    """The last record before damage, and the damage: it is behind the record, or the record has a wrong length."""
    if not archive.is_divisible:
        yield waiting
        yield _damaged(path, waiting.offset, reason)
        return
    end = archive.end_of_record(waiting.offset)
    if end is None or archive.swallowed_record(waiting.offset + 1, end) is not None:
        record = waiting.item if isinstance(waiting.item, Record) else None
        yield _damaged(path, waiting.offset, "the record is shorter than its header says", record)
        return
    yield waiting
    if not archive.only_padding_from(end):
        yield _damaged(path, end, reason)


def _damaged(path: str, offset: int, reason: str, record: Record | None = None) -> _Part:
    named = (record.id, record.url) if record else ("", None)
    return _Part(offset, Damage(path, offset, reason, Kind.UNREADABLE, *named), offset + 1)


def _iterate(archive: Archive, at: int) -> Iterator[tuple[int, WarcRecord]]:
    """All records from `at` on, each with its place."""
    offset = at
    for number, record in enumerate(fastwarc().warc.ArchiveIterator(archive.stream_from(at), parse_http=False)):
        # FastWARC knows neither the place of the first record behind a dictionary nor those inside one member.
        if record.stream_pos < archive.length and not (number == 0 and at):
            offset = record.stream_pos
        yield offset, record


def _item(record: WarcRecord, path: str, offset: int) -> Item | None:
    """The page of a record, where it is one and complete."""
    names = [name.lower() for name, _ in record.headers.items()]
    if any(names.count(name) != 1 for name in _ONCE):
        return Damage(path, offset, "the header is damaged")
    headers = _by_name(record.headers)
    kind = str(record.record_type)
    if kind not in ("response", "resource"):
        # Reading it through shows if it is complete: what comes next depends on it.
        length = record.content_length
        lost = length - record.consume()
        return Damage(path, offset, f"{lost:,} bytes of a {kind} record are missing") if lost > 0 else None
    identity, url = headers["warc-record-id"], headers.get("warc-target-uri")
    if record.content_length > MOST_BYTES:
        reason = f"the record has {record.content_length:,} bytes; the limit is {MOST_BYTES:,}"
        return Damage(path, offset, reason, Kind.TOO_LARGE, identity, url)
    if kind == "response":
        if not record.is_http and not (url or "").lower().startswith("http"):
            return None  # DNS and the like
        record.is_http = True  # even if its content type is damaged
        with suppress(*_ERRORS):  # the body is read even if its headers can't be parsed
            record.parse_http(strict_mode=False)
    expected = record.content_length
    body = record.reader.read()
    if len(body) < expected:
        reason = f"{expected - len(body):,} of {expected:,} bytes of the record are missing"
        return Damage(path, offset, reason, Kind.UNREADABLE, identity, url)
    http = record.http_headers if kind == "response" else None
    named = headers if http is None else _by_name(http)
    return Record(
        body=body,
        source=path,
        offset=offset,
        id=identity,
        url=url,
        date=headers.get("warc-date"),
        status=None if http is None else http.status_code,
        content_type=named.get("content-type"),
        codings=() if http is None else codings_of(named.get("transfer-encoding"), named.get("content-encoding")),
    )


def _by_name(headers: HeaderMap) -> dict[str, str]:
    """The first value of each header. Asking FastWARC for the few that are needed, one by one, takes longer."""
    return {name.lower(): value for name, value in reversed(list(headers.items()))}
