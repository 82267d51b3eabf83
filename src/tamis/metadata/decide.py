"""Which source decides a field. The first one with a usable value wins, and is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Protocol

from tamis.document import Document
from tamis.document.titles import fold, title_parts
from tamis.metadata import values
from tamis.metadata.linked_data import LinkedDataSource
from tamis.metadata.meta import Meta, OpenGraph
from tamis.metadata.microdata import Microdata
from tamis.metadata.visible import Visible
from tamis.render.html import base_url


class Source(Protocol):
    """A part of the page that has metadata."""

    def get(self, field: str) -> object:
        """The value of a field as it is written; None if the source does not have it."""
        ...


# In the order they are asked.
_SOURCES: dict[str, Callable[[Document], Source]] = {
    "json-ld": LinkedDataSource,
    "opengraph": OpenGraph,
    "microdata": Microdata,
    "meta": Meta,
    "markup": Visible,
}

# Fields for which the head is asked before all others: it describes the page, while JSON-LD often describes a product,
# a series or the site.
_HEAD_FIRST = frozenset({"canonical_url", "description", "language"})

# For each field: what makes a usable value of what a source has. The second argument is the base of relative links.
_FIELDS: dict[str, Callable[[object, str | None], object]] = {
    "title": values.text,
    "author": values.text,
    "date": values.day,
    "site_name": values.text,
    "description": values.text,
    "language": values.language,
    "canonical_url": values.url,
    "image": values.url,
    "tags": values.tags,
}


@dataclass(frozen=True)
class Metadata:
    """What is known about a page. `sources` names for each field that was found where it was."""

    title: str | None = None
    author: str | None = None
    date: str | None = None  # ISO, YYYY-MM-DD
    site_name: str | None = None
    description: str | None = None
    language: str | None = None
    canonical_url: str | None = None
    image: str | None = None
    tags: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()

    def source(self, field: str) -> str | None:
        """Where a field was found: json-ld, opengraph, microdata, meta or markup."""
        return dict(self.sources).get(field)

    def as_dict(self) -> dict[str, object]:
        """The fields as plain data, with their sources."""
        plain: dict[str, object] = {field.name: getattr(self, field.name) for field in fields(self)}
        return plain | {"tags": list(self.tags), "sources": dict(self.sources)}


def read_metadata(document: Document) -> Metadata:
    """Read all fields."""
    reader, base = _Reader(document), base_url(document)
    answers = {field: reader.read(field, base) for field in _FIELDS}
    found: dict[str, Any] = {field: value for field, (value, source) in answers.items() if source}
    if "title" in found and "site_name" in found:
        found["title"] = _without_site_name(found["title"], found["site_name"])
    return Metadata(**found, sources=tuple((field, answers[field][1]) for field in found))


def read_title(document: Document) -> str | None:
    """The title of `read_metadata`, without reading the other fields."""
    reader = _Reader(document)
    title: str | None = reader.read("title", None)[0]
    if title is None or len(title_parts(title)) == 1:
        return title  # the name of the site is not in it
    site_name, _ = reader.read("site_name", None)
    return _without_site_name(title, site_name) if site_name else title


class _Reader:
    """Asks the sources of a page. Each is opened when it is first asked: a title alone needs few."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._open: dict[str, Source] = {}

    def read(self, field: str, base: str | None) -> tuple[Any, str]:
        """The value of a field and the name of its source; None and "" if no source has it."""
        for name in ("meta", *_SOURCES) if field in _HEAD_FIRST else _SOURCES:
            if name not in self._open:
                self._open[name] = _SOURCES[name](self._document)
            if value := _FIELDS[field](self._open[name].get(field), base):
                return value, name
        return None, ""


def _without_site_name(title: str, site_name: str) -> str:
    """A title without the name of the site before or behind it."""
    parts = title_parts(title)
    if len(parts) > 1 and fold(parts[-1]) == fold(site_name):
        return title[: title.rindex(parts[-2], 0, title.rindex(parts[-1])) + len(parts[-2])]
    if len(parts) > 1 and fold(parts[0]) == fold(site_name):
        return title[title.index(parts[1], len(parts[0])) :]
    return title
