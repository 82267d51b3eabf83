"""Which source decides a field. The first one with a usable value wins, and is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Protocol

from tamis.deadline import check
from tamis.document import Document
from tamis.document.dates import day
from tamis.document.decode import clean_text
from tamis.document.titles import fold, title_parts
from tamis.metadata import values
from tamis.metadata.linked_data import LinkedDataSource
from tamis.metadata.meta import Meta, OpenGraph
from tamis.metadata.microdata import Microdata
from tamis.metadata.visible import Visible
from tamis.render.content.source import base_url
from tamis.render.safe import safe_url


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

# What makes a usable value of what a source has; other fields are texts.
_USABLE = {"date": day, "language": values.language, "tags": values.tags}
_LINKS = frozenset({"canonical_url", "image"})


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
    reader = _Reader(document)
    found: dict[str, Any] = {}
    sources: list[tuple[str, str]] = []
    for field in (each.name for each in fields(Metadata) if each.name != "sources"):
        value, source = reader.read(field)
        if source:
            found[field] = value
            sources.append((field, source))
    if "title" in found and "site_name" in found:
        found["title"] = _without_site_name(found["title"], found["site_name"])
    return Metadata(**found, sources=tuple(sources))


def read_title(document: Document) -> str | None:
    """The title of `read_metadata`, without reading the other fields."""
    reader = _Reader(document)
    title: str | None = reader.read("title")[0]
    if title is None or len(title_parts(title)) == 1:
        return title  # the name of the site is not in it
    site_name, _ = reader.read("site_name")
    return _without_site_name(title, site_name) if site_name else title


class _Reader:
    """Asks the sources of a page. Each is opened when it is first asked: a title alone needs few."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._open: dict[str, Source] = {}

    @cached_property
    def _base(self) -> str | None:
        return base_url(self._document)

    def read(self, field: str) -> tuple[Any, str]:
        """The usable value of a field and the name of its source; None and "" if no source has one."""
        for name in ("meta", *_SOURCES) if field in _HEAD_FIRST else _SOURCES:
            check()
            if name not in self._open:
                self._open[name] = _SOURCES[name](self._document)
            value = self._open[name].get(field)
            if field not in _LINKS:
                value = _USABLE.get(field, values.text)(value)
            else:
                value = safe_url(clean_text(value), self._base) if isinstance(value, str) else None
            if value:
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
