"""Which pages are wanted: by HTTP status, content type, size and language."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tamis.batch import language
from tamis.batch.records import Record, Refused
from tamis.errors import OptionError

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
GOOD_STATUS = frozenset({200})


@dataclass(frozen=True)
class Filters:
    """Which records and pages are wanted; None allows everything.

    A record without a status or content type passes those filters. Languages are those of the column `language` that
    the detector knows: `en`, `de` ...; a page of unknown language does not pass. Raises OptionError for others.
    """

    status: Collection[int] | None = GOOD_STATUS
    content_types: Collection[str] | None = HTML_TYPES  # without charset, in lower case
    min_bytes: int = 0
    max_bytes: int | None = None
    languages: Collection[str] | None = None

    def __post_init__(self) -> None:
        if self.min_bytes < 0 or (self.max_bytes is not None and self.max_bytes < max(self.min_bytes, 1)):
            raise OptionError(f"no page has between {self.min_bytes} and {self.max_bytes} bytes")
        if self.languages is not None:
            object.__setattr__(self, "languages", frozenset(map(language.known_code, self.languages)))

    def by_headers(self, record: Record) -> Refused | None:
        """Judge a record by its headers, before its body is decoded."""
        if self.status is not None and record.status is not None and record.status not in self.status:
            return Refused("status")
        if self.content_types is None or not record.content_type:
            return None
        return None if media_type(record.content_type) in self.content_types else Refused("content_type")

    def by_size(self, size: int) -> Refused | None:
        """Judge a page by the bytes of its decoded body."""
        if size < self.min_bytes or (self.max_bytes is not None and size > self.max_bytes):
            return Refused("size")
        return None

    def by_language(self, language: str | None) -> Refused | None:
        """Judge a page by the language of its main content."""
        return Refused("language") if self.languages is not None and language not in self.languages else None


ALL_PAGES = Filters(status=None, content_types=None)


def media_type(content_type: str) -> str:
    """The type in a content type header: without parameters, in lower case."""
    return content_type.partition(";")[0].strip().lower()
