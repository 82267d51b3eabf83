"""The values of a batch: a record comes in; an output row, a dead letter or a refusal goes out, and is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, NamedTuple, Self


class Kind(StrEnum):
    """How a page can fail; each is counted apart."""

    TIMEOUT = "timeout"  # not done by the deadline
    CRASH = "crash"  # its worker died
    MEMORY = "memory"  # it needs more than a page may use
    PARSE_ERROR = "parse-error"  # the extractor raised an error
    TOO_LARGE = "too-large"  # more bytes, characters or tags than a page may have
    BAD_ENCODING = "bad-encoding"  # a broken chunk, gzip or brotli stream inside the HTTP response
    BAD_CHARSET = "bad-charset"  # bytes that are not text in any named or likely charset
    LOW_CONFIDENCE = "low-confidence"  # below the least confidence that was asked for
    UNREADABLE = "unreadable"  # the input is damaged here, or does not hold a web page here


@dataclass(frozen=True, slots=True)
class Record:
    """A page as the input stores it."""

    body: bytes
    source: str  # the file that it comes from
    offset: int = 0  # where in that file: a byte, but the number of the row in Parquet
    id: str = ""
    url: str | None = None
    date: str | None = None  # as the input writes it; ISO 8601 in WARC
    status: int | None = None  # of HTTP
    content_type: str | None = None  # the whole header, with its charset
    codings: tuple[str, ...] = ()  # still applied to the body (gzip, br, chunked ...), in the order they were applied
    headers: Mapping[str, str] | None = field(default=None, compare=False)  # of HTTP
    read: int = field(default=0, compare=False)  # about how many bytes of the shard are read once this item is


@dataclass(frozen=True, slots=True)
class Damage:
    """A place of an input that could not be read; reading continues after it."""

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
    empty: bool  # without content


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
    """A page that a filter refused; it is counted, without an output row."""

    filter: str  # status, content_type, size or language


Item = Record | Damage
Progressed = Iterator[tuple[Item, int]]  # items, and about how many bytes of the shard are read with each
Answer = Row | Letter | Refused


@dataclass
class Tally:
    """Counts of pages: output rows, dead letters by kind and refusals by filter add up to all."""

    rows: int = 0
    empty: int = 0  # rows without content; where only metadata was asked for, without metadata
    bytes: int = 0  # of the pages that have rows
    characters: int = 0  # of their texts
    seconds: float = 0.0  # of work on them
    letters: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def pages(self) -> int:
        """The number of all pages."""
        return self.rows + self.letters.total() + self.refused.total()

    def add(self, answers: Iterable[Answer]) -> None:
        """Count answers."""
        for answer in answers:
            if isinstance(answer, Letter):
                self.letters[str(answer.kind)] += 1
            elif isinstance(answer, Refused):
                self.refused[answer.filter] += 1
            else:
                self.rows += 1
                self.empty += answer.empty
                self.bytes += answer.bytes
                self.characters += answer.characters
                self.seconds += answer.seconds

    def merge(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        counters = {"letters": dict(sorted(self.letters.items())), "refused": dict(sorted(self.refused.items()))}
        return {"pages": self.pages} | vars(self) | {"seconds": round(self.seconds, 3)} | counters

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The counts from `as_dict`. Raises KeyError and TypeError for anything different."""
        counters = {name: Counter(plain[name]) for name in ("letters", "refused")}
        return cls(**{each.name: plain[each.name] for each in fields(cls)} | counters)
