"""Which source decides a field. The first one with a usable value wins, and is named."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

from tamis.deadline import check
from tamis.document import Document
from tamis.document.dates import day
from tamis.document.decode import clean_text
from tamis.document.titles import fold, title_parts
from tamis.labels import Labels
from tamis.metadata import values
from tamis.metadata.linked_data import LinkedDataSource
from tamis.metadata.meta import Meta, OpenGraph
from tamis.metadata.metadata import FIELDS, Field, Metadata
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


def read_metadata(document: Document, labels: Labels | None = None) -> Metadata:
    """Read all fields."""
    reader = _Reader(document)
    found: dict[str, Any] = {}
    chosen: dict[str, Field] = {}
    for field in FIELDS:
        value, source = reader.read("author" if field == "authors" else field)
        if source:
            found[field] = (value,) if field == "authors" else value
            chosen[field] = Field(found[field], source, "", 0.5)
    if "title" in found and "site_name" in found:
        found["title"] = _without_site_name(found["title"], found["site_name"])
    return Metadata(**found, fields=chosen)


def read_title(document: Document, labels: Labels | None = None) -> str | None:
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
