"""Finds the records of a WARC archive, around any damage and in bounded memory.

A compressed archive has one gzip member or zstd frame for each record. So a record starts where a member or frame
unpacks to a WARC header, and it ends where its member does, whatever its header says. An archive that was compressed
as a whole has one member with many records. There, and in a plain archive, lengths lead from one record to the next;
where a length leads elsewhere, the next header is searched for.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, cast

from tamis.batch.inputs.files import NOT_READ
from tamis.batch.packages import check_memory, fastwarc
from tamis.cached import cached_property
from tamis.inputs import MOST_BYTES

_WINDOW = 1 << 20
_PIECE = 1 << 16
_FIRST_BYTES = 64  # of an unpacked record: more than its version line
_FIRST_PACKED = 1 << 10  # packed bytes that hold them, and most small records as a whole
_FIRST_PART = 1 << 12  # unpacked bytes that hold most headers
_SLACK = 1 << 17  # packed bytes that the first unpacked byte of a zstd frame may need: one block
_HEADER = re.compile(rb"WARC/\d\.\d\r?\n(?=(?i:WARC-|Content-))")
_BEGINS = re.compile(rb"\s*WARC/\d\.\d\r?\n")
_BLANK_LINES = (b"\n\r\n", b"\n\n")  # with the end of the line before
_FIELD = re.compile(r"^([^:\n]+):([^\n]*)", re.MULTILINE)
_FOLD = re.compile(r"\r?\n[ \t]+")
_LENGTH = re.compile(r"[0-9]{1,15}", re.ASCII)
_FIRST_HEADER = 1 << 11  # bytes that hold most headers
_LONGEST_HEADER = 1 << 16
_AFTER = 64  # bytes after a record that show if another one starts there
_END = b"\r\n\r\n"  # of a record
_PADDING = b"\r\n\0"
_GZIP = b"\x1f\x8b\x08"
_ZSTD = b"\x28\xb5\x2f\xfd"
_DICTIONARY = b"\x5d\x2a\x4d\x18"  # a skippable frame, with which several archives start
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_MOST_DICTIONARY = 16 << 20  # bytes; zstd trains dictionaries of 0.1 MB
# Three bits of a gzip header are always zero.
_BEGINNINGS = {None: _HEADER, "gzip": re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"), "zstd": re.compile(re.escape(_ZSTD))}
_LAST_BYTES = 16  # that are unpacked at once just before damage; a power of it is _WINDOW
_OVERLAP = 32  # bytes that two windows share, so that no header is cut in two
_KEPT = MOST_BYTES + (1 << 20)  # unpacked bytes that can be asked for again: those of a record
_MOST_REWINDS = 8  # of one member: only lengths beyond MOST_BYTES that lie need any
_ERRORS = (OSError, ValueError, EOFError, RuntimeError, zlib.error)  # that unpacking raises for bad data
_NO_RECORD = "no record begins here"
_ONCE = ("warc-type", "warc-record-id", "content-length")  # headers that every record has, and none twice


class RecordHeader(NamedTuple):
    """The header of a record."""

    fields: dict[str, str]  # by lower-case name
    length: int  # bytes of the block that follows


class ArchiveItem(NamedTuple):
    """A record, or a damaged place, described by `damage`."""

    offset: int  # in the file, of the record or of its member
    header: RecordHeader | None
    block: bytes | None = None  # None where it is too long, not asked for or damaged
    damage: Exception | str = ""


Wanted = Callable[[int, RecordHeader], bool]


class _RecordBytes(Protocol):
    """Bytes that hold records: a plain archive, or an unpacked member."""

    broken: str = ""  # the error, if the bytes end too early

    def read_at(self, offset: int, count: int) -> bytes: ...  # fewer than `count` only at the end

    def is_intact(self) -> bool:  # does the checksum, if any, agree with all bytes?
        return True

    def place_of(self, offset: int) -> int:  # in the file, of the record at this offset
        return offset


class Archive(_RecordBytes):
    """The records of a WARC file."""

    def __init__(self, file: io.BufferedReader) -> None:
        self.file = cast("io.RawIOBase", file.raw)  # a buffer would be thrown away at each jump
        self._streams = fastwarc().stream_io
        self._reader: tuple[int, Any] = (-1, None)  # of gzip, with the member of which it has read one byte
        self.length = file.seek(0, io.SEEK_END)
        self.compression = _compression_of(self.read_at(0, 8), file.name)

    def read_at(self, offset: int, count: int) -> bytes:
        """The bytes of the file at an offset, fewer than `count` only at its end."""
        if offset >= self.length:
            return b""
        self.file.seek(offset)
        return self.file.read(count) or b""

    def next_record(self, begin: int, end: int | None = None) -> int | None:
        """The first place at or after `begin` and before `end` where a record starts, if any."""
        for place in _matching_places(self, _BEGINNINGS[self.compression], begin, end):
            if self.compression is None or self._begins_record(place):
                return place
        return None

    def records(self, begin: int, end: int, wanted: Wanted, check: Callable[[], None]) -> Iterator[ArchiveItem]:
        """The records and damaged places from `begin` to `end`; blocks only of records that are wanted.

        `check` is called before each record; if it raises one of NOT_READ, the record is a damaged place.
        """
        if self.compression is None:
            yield from _items_from(self, begin, end, wanted, check)
            return
        at: int | None = begin
        while at is not None and at < end:
            try:
                check()
                single = self._single_record(at, wanted)
            except NOT_READ as error:
                yield ArchiveItem(at, None, damage=error)
                at = self.next_record(at + 1, end)
                continue
            if single:
                found, at = single
                yield found
            elif member := self._member_at(at):
                yield from _items_from(member, 0, None, wanted, check)
                at = self.next_record(at + 1, end) if member.end is None else member.end
            elif (skipped := self._end_of_skippable(at)) is not None:
                at = skipped
            elif _only_padding_from(self, at):
                return
            else:
                yield ArchiveItem(at, None, damage=_NO_RECORD)
                at = self.next_record(at + 1, end)

    @cached_property
    def dictionary(self) -> bytes | None:
        """The dictionary in a skippable frame at the start, which all other frames need."""
        head = self.read_at(0, 8)
        if not head.startswith(_DICTIONARY):
            return None
        stored = self.read_at(8, min(int.from_bytes(head[4:8], "little"), _MOST_DICTIONARY + 1))
        if stored.startswith(_ZSTD):
            try:
                stored = _read_zstd(stored, None, _MOST_DICTIONARY + 1)
            except _ERRORS:
                return None  # frames that need it are damaged
        return stored if len(stored) <= _MOST_DICTIONARY else None

    def _begins_record(self, offset: int) -> bool:
        try:
            if self.compression == "gzip":
                packed = self.read_at(offset, _FIRST_PACKED)
                first = zlib.decompressobj(31).decompress(packed, _FIRST_BYTES)
            else:
                packed = self.read_at(offset, _SLACK + _FIRST_BYTES)
                first = _read_zstd(packed, self.dictionary, _FIRST_BYTES)
        except _ERRORS:
            return False
        return _BEGINS.match(first) is not None

    def _single_record(self, offset: int, wanted: Wanted) -> tuple[ArchiveItem, int] | None:
        """The record of a sound member that holds just one, as nearly all do, and where the member ends."""
        try:
            single = (
                self._single_record_gzip(offset) if self.compression == "gzip" else self._single_record_zstd(offset)
            )
        except _ERRORS:
            return None
        if single is None:
            return None
        header, block, end = single
        return ArchiveItem(offset, header, block if wanted(offset, header) else None), end

    def _single_record_gzip(self, offset: int) -> tuple[RecordHeader, bytes, int] | None:
        packed = self.read_at(offset, _FIRST_PACKED)
        stream = zlib.decompressobj(31)
        plain = stream.decompress(packed, _FIRST_PART)
        head = _parse_header(plain)
        if head is None or head[0].length > MOST_BYTES:
            return None
        header, begin = head
        # FastWARC unpacks twice as fast as zlib, but tells the end of a member only by the start of the next one: the
        # first byte of that one is read, too, and the reader continues from there.
        (begun, reader), self._reader = self._reader, (-1, None)
        if stream.eof:
            if len(plain) != begin + header.length + len(_END) or not plain.endswith(_END):
                return None
            end = offset + len(packed) - len(stream.unused_data)
            if begun == offset and reader.read(len(plain) - 1) and reader.read(1):
                self._reader = end, reader
            return header, plain[begin : -len(_END)], end
        if begun != offset:
            reader = self._streams.GzipReader(_Range(self, offset, self.length))
        reader.read(begin - (begun == offset))
        block, after = b"".join(_read_pieces(reader, header.length)), reader.read(len(_END))
        if after != _END or reader.frame_start_position() != offset or not reader.read(1):
            return None
        end = reader.frame_start_position()
        self._reader = end, reader
        return None if end == offset else (header, block, end)

    def _single_record_zstd(self, offset: int) -> tuple[RecordHeader, bytes, int] | None:
        end = self._end_of_frame(offset)
        if end is None or end - offset > _WINDOW:
            return None
        packed = io.BytesIO(self.read_at(offset, end - offset))
        reader = self._streams.ZstdReader(packed, dictionary=self.dictionary)
        plain = reader.read(_FIRST_PART)
        head = _parse_header(plain)
        if head is None or head[0].length > MOST_BYTES:
            return None
        header, begin = head
        last = begin + header.length
        block = b"".join([plain[begin:last], *_read_pieces(reader, last - len(plain))])
        after = plain[last:] + reader.read(len(_END) + 1)
        return (header, block, end) if len(block) == header.length and after == _END else None

    def _member_at(self, offset: int) -> _UnpackedMember | None:
        """The member or frame that starts at a place, if any."""
        if self.compression == "gzip":
            return (
                _UnpackedMember(offset, lambda: self._gzip_pieces(offset)) if self.read_at(offset, 3) == _GZIP else None
            )
        end = self._end_of_frame(offset)
        return None if end is None else _UnpackedMember(offset, lambda: self._zstd_pieces(offset, end))

    def _gzip_pieces(self, offset: int) -> Iterator[bytes | int]:
        stream = zlib.decompressobj(31)
        while not stream.eof:
            packed = stream.unconsumed_tail
            if not packed:
                packed = self.read_at(offset, _PIECE)
                offset += len(packed)
                if not packed:
                    raise EOFError("the gzip member is cut off")
            before = stream.copy()
            try:
                yield stream.decompress(packed, _WINDOW)
            except zlib.error:
                yield from _pieces_before_damage(before, packed)
                raise
        yield offset - len(stream.unused_data)

    def _zstd_pieces(self, offset: int, end: int) -> Iterator[bytes | int]:
        packed = _Range(self, offset, end)
        yield from _read_pieces(self._streams.ZstdReader(packed, dictionary=self.dictionary), None)
        yield end

    def _end_of_skippable(self, offset: int) -> int | None:
        """The end of a zstd frame without content, such as the dictionary."""
        head = self.read_at(offset, 8) if self.compression == "zstd" else b""
        end = offset + 8 + int.from_bytes(head[4:], "little")
        return end if len(head) == 8 and _SKIPPABLE.match(head) and end <= self.length else None

    def _end_of_frame(self, offset: int) -> int | None:
        """The end of a zstd frame, by the lengths of its blocks (RFC 8878, section 3.1.1)."""
        head = self.read_at(offset, 5)
        if len(head) < 5 or not head.startswith(_ZSTD):
            return None
        flags = head[4]
        single, checksum = flags >> 5 & 1, flags >> 2 & 1
        at = offset + 5 + (1 - single) + (0, 1, 2, 4)[flags & 3] + (single, 2, 4, 8)[flags >> 6]
        while len(block := self.read_at(at, 3)) == 3:
            header = int.from_bytes(block, "little")
            last, kind, size = header & 1, header >> 1 & 3, header >> 3
            at += 3 + (1 if kind == 1 else size)
            if last or kind == 3:
                end = at + 4 * checksum
                return end if kind != 3 and end <= self.length else None
        return None


class _UnpackedMember(_RecordBytes):
    """The unpacked bytes of the member at `place`. Those long passed are dropped, and unpacked again if needed."""

    def __init__(self, place: int, unpack: Callable[[], Iterator[bytes | int]]) -> None:
        # `unpack` yields pieces, and after the last one the end of the member in the file.
        self._place, self._unpack, self._rewinds, self._kept = place, unpack, 0, _KEPT
        self.end: int | None = None
        self.length: int | None = None  # unpacked, as soon as it is known
        self._restart()

    def read_at(self, offset: int, count: int) -> bytes:
        if self.length is not None and offset >= self.length:
            return b""
        if offset < self._begin:
            self._rewinds += 1
            if self._rewinds > _MOST_REWINDS:
                self.broken = "too many lengths in this member are wrong"
                return b""
            self._restart()
        while self._begin + len(self._held) < offset + count and self._unpack_more(offset):
            pass
        at = offset - self._begin
        return bytes(memoryview(self._held)[at : at + count])

    def is_intact(self) -> bool:
        while self.length is None and self._unpack_more(self._begin + len(self._held)):
            pass
        return not self.broken

    def place_of(self, offset: int) -> int:
        return self._place

    def _restart(self) -> None:
        self._unpacked = self._unpack()
        self._held = bytearray()
        self._begin = 0  # of the bytes that are held

    def _unpack_more(self, needed: int) -> bool:
        """Unpack one more piece, and drop bytes before `needed`; False at the end."""
        try:
            if len(self._held) > _WINDOW:
                check_memory(2 * _WINDOW)
            piece = next(self._unpacked, None)
            if isinstance(piece, bytes):
                self._held += piece
                if needed - self._begin > self._kept:
                    dropped = min(needed - self._begin, len(self._held))
                    del self._held[:dropped]
                    self._begin += dropped
                return True
        except _ERRORS as error:
            self.broken, piece = str(error) or type(error).__name__, None
        except MemoryError:
            self._kept = _WINDOW
            self._restart()
            raise
        self.end = self.end if piece is None else piece
        self.length = self._begin + len(self._held)
        return False


class _Range:
    """A part of a file, as FastWARC reads files."""

    def __init__(self, archive: Archive, begin: int, end: int) -> None:
        self._archive, self._at, self._end = archive, begin, end

    def read(self, count: int) -> bytes:
        data = self._archive.read_at(self._at, min(count, self._end - self._at))
        self._at += len(data)
        return data

    def tell(self) -> int:
        return self._at


def _items_from(
    source: _RecordBytes, begin: int, end: int | None, wanted: Wanted, check: Callable[[], None]
) -> Iterator[ArchiveItem]:
    """The records of a source and its damaged places."""
    at: int | None = begin
    while at is not None and (end is None or at < end):
        try:
            check()
            found, at = _item_at(source, at, wanted)
        except NOT_READ as error:
            assert at is not None  # noqa: S101 the loop only continues with a number
            found, at = [ArchiveItem(source.place_of(at), None, damage=error)], _next_header_after(source, at + 1)
        yield from found


def _item_at(source: _RecordBytes, at: int, wanted: Wanted) -> tuple[list[ArchiveItem], int | None]:
    """The record or damage at a place of a source, and where to continue."""
    head = _parse_header(source.read_at(at, _FIRST_HEADER)) or _parse_header(source.read_at(at, _LONGEST_HEADER))
    if head is None:
        if not source.broken and _only_padding_from(source, at):
            return [], None
        return [ArchiveItem(source.place_of(at), None, damage=source.broken or _NO_RECORD)], _next_header_after(
            source, at + 1
        )
    header, begin = head[0], at + head[1]
    end = begin + header.length
    after = source.read_at(end, _AFTER)
    rest = after.lstrip(b"\r\n")
    follows = _BEGINS.match(rest) is not None
    is_whole = bool(after) or len(source.read_at(end - 1, 1)) == 1
    sound = is_whole and (follows or (_only_padding_from(source, end) and not source.broken))
    behind = end + len(after) - len(rest)
    following: int | None = behind
    if not sound:
        following = _next_header_after(source, at + 1)
        if not is_whole or not source.is_intact() or (following is not None and following < end):
            reason = source.broken or "the record is shorter than its header says"
            return [ArchiveItem(source.place_of(at), header, damage=reason)], following
    asked = header.length <= MOST_BYTES and wanted(source.place_of(at), header)
    found = ArchiveItem(source.place_of(at), header, source.read_at(begin, header.length) if asked else None)
    if sound:
        return [found], following if follows else None
    return [found, ArchiveItem(source.place_of(behind), None, damage=source.broken or _NO_RECORD)], following


def _parse_header(data: bytes) -> tuple[RecordHeader, int] | None:
    """The header at the start of the data, and its length; None if it is damaged or cut off."""
    begins = _BEGINS.match(data)
    if begins is None:
        return None
    blanks = [at + len(blank) for blank in _BLANK_LINES if (at := data.find(blank, begins.end() - 1)) >= 0]
    if not blanks or 0 <= data.find(b"\nWARC/", begins.end() - 1) < min(blanks):  # a header does not hold another one
        return None
    pairs = fields_of(data[begins.end() : min(blanks)].decode("utf-8", "replace"))
    names = [name for name, _ in pairs]
    fields = dict(reversed(pairs))
    if any(names.count(name) != 1 for name in _ONCE) or not _LENGTH.fullmatch(fields["content-length"]):
        return None
    return RecordHeader(fields, int(fields["content-length"])), min(blanks)


def fields_of(lines: str) -> list[tuple[str, str]]:
    """Lower-case names and values of header lines; a line that starts with a space continues the one before."""
    if "\n " in lines or "\n\t" in lines:
        lines = _FOLD.sub(" ", lines)
    return [(name.strip().lower(), value.strip()) for name, value in _FIELD.findall(lines)]


def _next_header_after(source: _RecordBytes, begin: int) -> int | None:
    return next(_matching_places(source, _HEADER, begin, None), None)


def _matching_places(source: _RecordBytes, pattern: re.Pattern[bytes], begin: int, end: int | None) -> Iterator[int]:
    """The places at or after `begin` and before `end` that a pattern matches."""
    at = seen = begin
    while end is None or at < end:
        window = source.read_at(at, _WINDOW)
        for match in pattern.finditer(window):
            place = at + match.start()
            if end is not None and place >= end:
                return
            if place >= seen:
                seen = place + 1
                yield place
        if len(window) < _WINDOW:
            return
        at += len(window) - _OVERLAP


def _only_padding_from(source: _RecordBytes, at: int) -> bool:
    """Do only line ends and NULs follow?"""
    while piece := source.read_at(at, _WINDOW):
        if piece.strip(_PADDING):
            return False
        at += len(piece)
    return True


def _compression_of(first: bytes, name: str) -> str | None:
    """Decide by the first bytes, or by the name if these are damaged."""
    if first.startswith(_GZIP):
        return "gzip"
    if first.startswith((_ZSTD, _DICTIONARY)):
        return "zstd"
    if first.startswith(b"WARC/"):
        return None
    return "gzip" if name.lower().endswith(".gz") else "zstd" if name.lower().endswith(".zst") else None


def _read_pieces(reader: object, count: int | None) -> Iterator[bytes]:
    """`count` bytes from a reader of FastWARC, or all, in pieces."""
    if count is not None and count > _WINDOW:
        check_memory(2 * count)  # the pieces, and all of them as one
    while count is None or count > 0:
        piece: bytes = reader.read(_WINDOW if count is None else min(count, _WINDOW))  # type: ignore[attr-defined]
        if not piece:
            return
        yield piece
        count = None if count is None else count - len(piece)


def _pieces_before_damage(stream: Any, packed: bytes) -> Iterator[bytes]:
    """The output of a zlib stream before it fails, except for the last few bytes, in ever smaller pieces."""
    size = _WINDOW
    while packed and size >= _LAST_BYTES:
        ahead = stream.copy()
        try:
            piece = ahead.decompress(packed, size)
        except zlib.error:
            size //= _LAST_BYTES
            continue
        yield piece
        stream, packed = ahead, ahead.unconsumed_tail


def _read_zstd(packed: bytes, dictionary: bytes | None, count: int) -> bytes:
    """The first bytes that a frame unpacks to. libzstd refuses frames with windows of more than 128 MB."""
    reader = fastwarc().stream_io.ZstdReader(io.BytesIO(packed), dictionary=dictionary)
    return b"".join(_read_pieces(reader, count))
