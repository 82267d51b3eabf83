"""Finds records in a WARC archive without reading everything before them.

A compressed archive has one gzip member or zstd frame for each record. So a record begins where a member or frame
begins that unpacks to a WARC header. In a plain archive it begins with the header itself.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO

from tamis.batch.packages import fastwarc

if TYPE_CHECKING:
    from fastwarc.stream_io import WarcReader

_WINDOW = 1 << 20
_FIRST_BYTES = 64  # of an unpacked record: more than its version line
_HEADER = re.compile(rb"WARC/\d\.\d\r?\n(?=WARC-|Content-)", re.IGNORECASE)
_BEGINS = re.compile(rb"\s*WARC/\d\.\d\r?\n")
_LENGTH = re.compile(rb"\ncontent-length:[ \t]*(\d+)", re.IGNORECASE)
_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")
_LONGEST_HEADER = 1 << 16
_SLACK = 1 << 17  # packed bytes that even the first unpacked byte may need: one block
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_DICTIONARY = b"\x5d\x2a\x4d\x18"  # a skippable frame, which several archives begin with
_BEGINNINGS = {None: _HEADER, "gzip": re.compile(re.escape(_GZIP)), "zstd": re.compile(re.escape(_ZSTD))}
_OVERLAP = 32  # bytes that two windows share, so that no header is cut in two


class Archive:
    """A WARC file as bytes: where records begin and end."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.length = file.seek(0, io.SEEK_END)
        self.compression = _compression(self._bytes(0, 8), file.name)

    @cached_property
    def is_divisible(self) -> bool:
        """Can records be found from the middle of the file? Not if one member or frame holds many."""
        first = self.next_record(0, self.length)
        if self.compression is None or first is None:
            return True
        head = self._unpacked(first, _LONGEST_HEADER)
        length = _record_length(head)
        # Up to four bytes of line ends follow a record.
        return length is None or len(self._unpacked(first, length + 5)) < length + 5

    @cached_property
    def dictionary(self) -> bytes | None:
        """The dictionary in a skippable frame at the start, which all other frames need."""
        head = self._bytes(0, 8)
        if not head.startswith(_DICTIONARY):
            return None
        stored = self._bytes(8, int.from_bytes(head[4:8], "little"))
        return _read_zstd(stored, None, -1) if stored.startswith(_ZSTD) else stored

    def stream_from(self, offset: int) -> BinaryIO | WarcReader:
        """A stream from which FastWARC can read the records from `offset` on."""
        dictionary = self.dictionary if offset else None
        self.file.seek(offset)
        if dictionary is None:
            return self.file
        reader: WarcReader = fastwarc().stream_io.ZstdReader(self.file, dictionary=dictionary)
        return reader

    def next_record(self, begin: int, end: int) -> int | None:
        """The first place from `begin` on and before `end` where a record begins, if any."""
        for place in self._candidates(begin, end):
            if self.compression is None or self._begins_record(place):
                return place
        return None

    def end_of_record(self, offset: int) -> int | None:
        """Where the record, member or frame at `offset` ends; None where it is broken."""
        if self.compression == "gzip":
            return self._end_of_member(offset)
        if self.compression == "zstd":
            return self._end_of_frame(offset)
        length = _record_length(self._bytes(offset, _LONGEST_HEADER))
        if length is None:
            return None
        end = offset + length
        after = self._bytes(end, 4)
        return end + len(after) - len(after.lstrip(b"\r\n"))

    def only_padding_from(self, offset: int) -> bool:
        """Are there only line ends and NULs from `offset` on?"""
        return all(not piece.strip(b"\r\n\0") for piece in self._pieces(offset))

    def swallowed_record(self, begin: int, end: int) -> int | None:
        """Where a record begins between two places of a plain archive; in compressed ones members keep them apart."""
        return self.next_record(begin, end) if self.compression is None else None

    def _candidates(self, begin: int, end: int) -> Iterator[int]:
        pattern = _BEGINNINGS[self.compression]
        at, seen = begin, begin
        while at < end:
            window = self._bytes(at, _WINDOW)
            for match in pattern.finditer(window):
                if seen <= (place := at + match.start()) < end:
                    seen = place + 1
                    yield place
            if at + len(window) >= self.length:
                return
            at += len(window) - _OVERLAP

    def _begins_record(self, offset: int) -> bool:
        return _BEGINS.match(self._unpacked(offset, _FIRST_BYTES)) is not None

    def _unpacked(self, offset: int, count: int) -> bytes:
        """The first unpacked bytes of the member or frame at a place; empty if there is none."""
        try:
            if self.compression == "gzip":
                return zlib.decompressobj(31).decompress(self._bytes(offset, count + _SLACK), count)
            end = self._end_of_frame(offset)
            packed = self._bytes(offset, _WINDOW if end is None else min(end - offset, count + _SLACK))
            return _read_zstd(packed, self.dictionary, count)
        except (zlib.error, OSError, ValueError, EOFError):
            return b""

    def _end_of_member(self, offset: int) -> int | None:
        stream = zlib.decompressobj(31)
        read = 0
        for piece in self._pieces(offset):
            read += len(piece)
            try:
                stream.decompress(piece, _WINDOW)
                while stream.unconsumed_tail:
                    stream.decompress(stream.unconsumed_tail, _WINDOW)
            except zlib.error:
                return None
            if stream.eof:
                return offset + read - len(stream.unused_data)
        return None

    def _end_of_frame(self, offset: int) -> int | None:
        """Walk over the blocks of a zstd frame (RFC 8878, section 3.1.1)."""
        head = self._bytes(offset, 5)
        if len(head) < 5 or not head.startswith(_ZSTD):
            return None
        flags = head[4]
        single, checksum = flags >> 5 & 1, flags >> 2 & 1
        at = offset + 5 + (1 - single) + (0, 1, 2, 4)[flags & 3] + (single, 2, 4, 8)[flags >> 6]
        while len(block := self._bytes(at, 3)) == 3:
            header = int.from_bytes(block, "little")
            last, kind, size = header & 1, header >> 1 & 3, header >> 3
            at += 3 + (1 if kind == 1 else size)
            if last or kind == 3:
                end = at + 4 * checksum
                return end if kind != 3 and end <= self.length else None
        return None

    def _bytes(self, offset: int, count: int) -> bytes:
        self.file.seek(offset)
        return self.file.read(count)

    def _pieces(self, offset: int) -> Iterator[bytes]:
        while piece := self._bytes(offset, _WINDOW):
            yield piece
            offset += len(piece)


def _compression(first: bytes, name: str) -> str | None:
    """Decide by the first bytes, or by the name if these are damaged."""
    if first.startswith(_GZIP):
        return "gzip"
    if first.startswith((_ZSTD, _DICTIONARY)):
        return "zstd"
    if first.startswith(b"WARC/"):
        return None
    return "gzip" if name.lower().endswith(".gz") else "zstd" if name.lower().endswith(".zst") else None


def _record_length(head: bytes) -> int | None:
    """The bytes of a record without the line ends after it, by its header; None where that is broken."""
    blank, length = _END_OF_HEADER.search(head), _LENGTH.search(head)
    if blank is None or length is None or length.start() > blank.start():
        return None
    return blank.end() + int(length[1])


def _read_zstd(packed: bytes, dictionary: bytes | None, count: int) -> bytes:
    plain: bytes = fastwarc().stream_io.ZstdReader(io.BytesIO(packed), dictionary=dictionary).read(count)
    return plain
