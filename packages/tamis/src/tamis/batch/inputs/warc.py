"""WARC archives, plain, gzipped or in zstd: from the records that `archive.py` finds to pages.

A slice starts in the middle of a file, at the first record after its start. A record belongs to the slice in which it
starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from tamis.batch.bodies import codings_of
from tamis.batch.inputs.archive import Archive, ArchiveItem, RecordHeader, fields_of
from tamis.batch.inputs.files import Check, Shard, byte_slices, not_read, open_binary, sampled_range, size_of
from tamis.batch.records import Damage, Item, Kind, Progressed, Record
from tamis.inputs import MOST_BYTES

size, files = size_of, sampled_range

# A slice is read from this far before its start, to find where records begin. So a page that imitates an archive can
# be taken for one only if it is longer than this.
_RUN_UP = 1 << 19

_END_OF_HTTP = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(r"HTTP/[0-9.]+[ \t]+([0-9]{3})\b")
_LONGEST_HTTP = 1 << 20  # bytes of HTTP headers; servers and browsers allow 8 to 256 kB


def slices(path: str, shard_bytes: int) -> Iterator[Shard]:
    """Shards by ranges of bytes. A member of many records belongs to one shard as a whole."""
    yield from byte_slices("warc", path, shard_bytes)


def read(shard: Shard, check: Check) -> Progressed:
    """The HTTP responses and resources of a shard, and its damaged places."""

    def is_wanted_page(offset: int, header: RecordHeader) -> bool:
        return offset >= shard.start and _is_page(header)

    with open_binary(shard.path) as file:
        archive = Archive(file)
        end = archive.length if shard.end is None else shard.end
        begin = 0 if shard.start == 0 else archive.next_record(max(shard.start - _RUN_UP, 0), end)
        if begin is None:
            return
        for found in archive.records(begin, end, is_wanted_page, check):
            if shard.start <= found.offset < end and (item := _page_or_damage(found, shard.path)) is not None:
                yield item, archive.file.tell() - shard.start


def _is_page(header: RecordHeader) -> bool:
    kind = header.fields["warc-type"]
    if kind == "response":  # not those of DNS and the like
        is_http = header.fields.get("content-type", "").lower().startswith("application/http")
        return is_http or header.fields.get("warc-target-uri", "").lower().startswith("http")
    return kind == "resource"


def _page_or_damage(found: ArchiveItem, path: str) -> Item | None:
    """The page of a record, the damage, or None for a record of another kind."""
    offset, header = found.offset, found.header
    if isinstance(found.damage, Exception):
        return not_read(path, offset, found.damage)
    if header is None:
        return Damage(path, offset, found.damage)
    fields = header.fields
    identity, url = fields["warc-record-id"], fields.get("warc-target-uri")
    damage = partial(Damage, path, offset, id=identity, url=url)
    if found.damage:
        return damage(found.damage)
    if not _is_page(header):
        return None
    if found.block is None:
        return damage(f"the record has {header.length:,} bytes; the limit is {MOST_BYTES:,}", Kind.TOO_LARGE)
    date = fields.get("warc-date")
    if fields["warc-type"] == "resource":
        return Record(found.block, path, offset, identity, url, date, content_type=fields.get("content-type"))
    parsed = _parse_http(found.block)
    if parsed is None:
        return damage(f"the HTTP headers have more than {_LONGEST_HTTP:,} bytes", Kind.TOO_LARGE)
    status, http, body = parsed
    codings = codings_of(http.get("transfer-encoding"), http.get("content-encoding"))
    return Record(body, path, offset, identity, url, date, status, http.get("content-type"), codings, http)


def _parse_http(block: bytes) -> tuple[int | None, dict[str, str], bytes] | None:
    """The status, headers and body of an HTTP response; a block without a status line is all body.

    None if the headers are too long.
    """
    if not block.startswith(b"HTTP/"):
        return None, {}, block
    blank = _END_OF_HTTP.search(block, 0, _LONGEST_HTTP)
    if blank is None and len(block) > _LONGEST_HTTP:
        return None
    begin, end = blank.span() if blank else (len(block), len(block))
    head = block[:begin].decode("latin-1")
    status = _STATUS.match(head)
    return int(status[1]) if status else None, dict(reversed(fields_of(head))), block[end:]
