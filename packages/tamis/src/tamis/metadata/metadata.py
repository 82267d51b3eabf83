"""`Metadata` of a page: for each field its value, source and confidence, and the other candidates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tamis.errors import OptionError
from tamis.metadata.view import Value
from tamis.page_data import METADATA

# The fields in the order of all outputs, with moments in addition to days; and without the moments.
_PLAIN = tuple(name for name in METADATA.fields if name not in ("author", "sources", "confidences"))
FIELDS = tuple(name for name in _PLAIN if not name.startswith("datetime"))


class Other(NamedTuple):
    """A value that was found and not chosen."""

    value: str | list[str] | bool
    source: str
    confidence: float


@dataclass(frozen=True)
class Field:
    """One field: the chosen value and the reasons."""

    value: Value
    source: str  # json-ld, opengraph, twitter, microdata, rdfa, meta, address, visible or content
    place: str  # within the source, such as Article.datePublished, og:title or h1
    confidence: float  # the probability that the value is right
    others: tuple[Other, ...] = ()  # the other values, the likeliest first


@dataclass(frozen=True)
class Metadata:
    """The metadata of a page. A field that was not found is None or an empty tuple."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None  # of publication, the day in the zone of the page: YYYY-MM-DD, YYYY-MM or YYYY
    datetime: str | None = None  # of publication, ISO 8601 with its zone, where the page tells it
    date_modified: str | None = None
    datetime_modified: str | None = None
    site_name: str | None = None
    description: str | None = None
    language: str | None = None
    section: str | None = None
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    license: str | None = None
    canonical_url: str | None = None
    image: str | None = None
    is_paywalled: bool | None = None  # None if the page does not say
    fields: Mapping[str, Field] = field(default_factory=dict, repr=False)  # those that were found

    @property
    def author(self) -> str | None:
        """The authors in one string; None if there are none."""
        return ", ".join(self.authors) or None

    def source(self, name: str) -> str | None:
        """Where a field was found; None if it was not. Raises OptionError for a field that does not exist."""
        found = self._field(name)
        return found.source if found else None

    def confidence(self, name: str) -> float | None:
        """The probability that a field is right; None if it was not found. Raises OptionError."""
        found = self._field(name)
        return found.confidence if found else None

    def others(self, name: str) -> tuple[Other, ...]:
        """The values of a field that were found and not chosen, the likeliest first. Raises OptionError."""
        found = self._field(name)
        return found.others if found else ()

    def values(self) -> dict[str, str | list[str] | bool]:
        """The fields that were found, as plain values."""
        plain = {name: getattr(self, name) for name in _PLAIN}
        found = {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}
        return {name: value for name, value in found.items() if value is not None and value != []}

    def as_dict(self) -> dict[str, object]:
        """All fields as plain data, with the sources and confidences of those that were found."""
        return METADATA.read(self)

    def _field(self, name: str) -> Field | None:
        if name == "author":
            name = "authors"
        if name not in FIELDS:
            raise OptionError(f"unknown field of metadata {name!r}; there are: {', '.join(FIELDS)}")
        return self.fields.get(name)


def details(metadata: Metadata) -> dict[str, object]:
    """Each field with its value, source, place, confidence and the other candidates; None if it was not found."""
    return {name: _detail(metadata, name, metadata.fields.get(name)) for name in FIELDS}


def _detail(metadata: Metadata, name: str, found: Field | None) -> dict[str, object] | None:
    if found is None:
        return None
    value = getattr(metadata, name)
    plain: dict[str, object] = {"value": list(value) if isinstance(value, tuple) else value}
    if name.startswith("date"):
        plain["datetime"] = getattr(metadata, name.replace("date", "datetime"))
    return plain | {
        "source": found.source,
        "place": found.place,
        "confidence": round(found.confidence, 3),
        "others": [each._asdict() | {"confidence": round(each.confidence, 3)} for each in found.others],
    }
