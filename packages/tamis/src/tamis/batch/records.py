"""The values of a batch: a record comes in; an output row, a dead letter or a refusal goes out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import NamedTuple, Self


class Kind(StrEnum):
    """How a page can fail; each is counted apart."""

    TIMEOUT = "timeout"  # not done by the deadline
    CRASH = "crash"  # its worker died
    MEMORY = "memory"  # it wanted more than a page may have
    PARSE_ERROR = "parse-error"  # the extractor raised an error
    TOO_LARGE = "too-large"  # more bytes, characters or tags than a page may have
    BAD_ENCODING = "bad-encoding"  # a broken chunk, gzip or brotli stream inside the HTTP response
    BAD_CHARSET = "bad-charset"  # bytes that are no text in any charset that is named or likely
    UNREADABLE = "unreadable"  # the input is damaged at this place, or holds no web page there


@dataclass(frozen=True, slots=True)
class Record:
    """A page as its input holds it."""

    body: bytes
    source: str  # the file that it comes from
    offset: int = 0  # where in that file: a byte, but the number of the row in Parquet
    id: str = ""
    url: str | None = None
    date: str | None = None  # as the input writes it; ISO 8601 in WARC
    status: int | None = None  # of HTTP
    content_type: str | None = None  # the whole header, with its charset
    codings: tuple[str, ...] = ()  # that are still on the body (gzip, br, chunked ...), in the order they were put on
    read: int = field(default=0, compare=False)  # about how many bytes of its shard were read up to its end


@dataclass(frozen=True, slots=True)
class Damage:
    """A place of an input that could not be read; reading goes on behind it."""

    source: str
    offset: int
    reason: str
    kind: Kind = Kind.UNREADABLE
    id: str = ""
    url: str | None = None
    read: int = field(default=0, compare=False)  # as in a record


@dataclass(frozen=True, slots=True)
class Row:
    """An output row, and what a run counts of it."""

    values: dict[str, object]  # one for each column that was asked for, in the order of `columns.COLUMNS`
    bytes: int  # of the page, decoded
    characters: int  # of the text, if it was rendered
    seconds: float
    empty: bool  # nothing was found


@dataclass(frozen=True, slots=True)
class Letter:
    """A dead letter: a page without an output row, why, and where to find it."""

    kind: Kind
    reason: str
    source: str
    offset: int
    id: str = ""
    url: str | None = None
    seconds: float = 0.0

    @classmethod
    def of(cls, item: Item, kind: Kind, reason: str, seconds: float = 0.0) -> Self:
        """The letter of an item."""
        return cls(kind, reason, item.source, item.offset, item.id, item.url, round(seconds, 3))

    def as_dict(self) -> dict[str, object]:
        """Plain data, for a line of the dead-letter file."""
        return asdict(self) | {"kind": str(self.kind)}


class Refused(NamedTuple):
    """A page that a filter refused; it is counted and has no output row."""

    filter: str  # status, content_type, size or language


Item = Record | Damage
Progressed = Iterator[tuple[Item, int]]  # items, and about how many bytes of the shard are read with each
Answer = Row | Letter | Refused
