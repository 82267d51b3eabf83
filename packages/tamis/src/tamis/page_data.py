"""A page as data: every field once, with its type, its meaning, and how it is read.

`page.json`, the server's answers and their description in OpenAPI, the results over MCP and the columns of a batch are
made from these records. Types are plain Python types, so that a core install needs no other package; the server derives
its models from them (`server/answers.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple, get_args

from tamis.cached import cached_property
from tamis.page_type import PageType, Role


class Field(NamedTuple):
    """A field of a record."""

    type: Any  # a type, a Record, or a list with one of them for several values
    about: str = ""
    read: Callable[[Any], object] | None = None  # from the object; None: the attribute of the same name
    digits: int | None = None  # after the point
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, eq=False)
class Record:
    """Fields in the order of all outputs."""

    name: str
    about: str
    fields: Mapping[str, Field]

    def read(self, value: object, names: Iterable[str] | None = None) -> dict[str, object]:
        """An object as plain data: all fields, or the named ones in this order."""
        readers = self._readers if names is None else {name: self._readers[name] for name in names}
        return {name: reader(value) for name, reader in readers.items()}

    @cached_property
    def _readers(self) -> dict[str, Callable[[Any], object]]:
        return {name: _reader(name, field) for name, field in self.fields.items()}


def _reader(name: str, field: Field) -> Callable[[Any], object]:
    """A function from an object to the value of a field, as JSON can hold it."""
    found: Callable[[Any], Any] = field.read or attrgetter(name)
    kind, digits = field.type, field.digits
    if isinstance(kind, list):
        each = kind[0].read if isinstance(kind[0], Record) else None
        return lambda value: list(map(each, found(value)) if each else found(value))
    plain: Callable[[Any], object]
    if isinstance(kind, Record):
        plain = kind.read
    elif digits is not None:
        plain = partial(round, ndigits=digits)
    elif any(isinstance(each, type) and issubclass(each, Enum) for each in (kind, *get_args(kind))):
        plain = attrgetter("value")
    else:
        return found
    return lambda value: None if (given := found(value)) is None else plain(given)


def _count_field(about: str = "") -> Field:
    return Field(int, about, least=0)


def _share_field(about: str, kind: Any = float) -> Field:
    """A score or a probability."""
    return Field(kind, about, digits=4, least=0, most=1)


BLOCK = Record(
    "Block",
    "Text that a reader sees as one block, all of it kept or all of it dropped.",
    {
        "text": Field(str),
        "score": _share_field("how surely it is content"),
        "keep": Field(bool),
        "role": Field(Role),
        "xpath": Field(str),
        "tag_path": Field(str),
    },
)
COMMENT = Record(
    "Comment",
    "A comment by a reader.",
    {
        "text": Field(str),
        "author": Field(str | None),
        "date": Field(str | None, "YYYY-MM-DD, or as it is written"),
    },
)
MEDIUM = Record(
    "Medium",
    "An image, video, audio file or frame of the content.",
    {
        "kind": Field(str, "image, video, audio or embed"),
        "url": Field(str, "that of the largest version"),
        "alt": Field(str, "the alternative text, or empty"),
        "caption": Field(str, "the caption of the figure around it, or empty"),
    },
)
CHUNK = Record(
    "Chunk",
    "A part of the Markdown.",
    {
        "text": Field(str),
        "markdown": Field(str),
        "headings": Field([str], "above all of it, the outermost first"),
        "tokens": _count_field("of the Markdown"),
        "start": Field(int | None, "its place in the Markdown of the page"),
        "end": Field(int | None),
        "xpaths": Field([str], "of the elements that its blocks are, or are in"),
        "metadata": Field(dict[str, object], "of the page", lambda chunk: dict(chunk.metadata)),
    },
)
GENRE = Record(
    "Genre",
    "What an extractor takes the page for.",
    {"genre": Field(str, read=lambda guess: str(guess.genre)), "confidence": _share_field(""), "source": Field(str)},
)
METADATA = Record(
    "Metadata",
    "What is known about a page, and each value's source and confidence.",
    {
        "title": Field(str | None, "of the content"),
        "authors": Field([str], "their names"),
        "date": Field(str | None, "of publication: YYYY-MM-DD, YYYY-MM or YYYY"),
        "datetime": Field(str | None, "with time and zone"),
        "date_modified": Field(str | None, "the day"),
        "datetime_modified": Field(str | None, "with time and zone"),
        "site_name": Field(str | None, "of the site or newspaper"),
        "description": Field(str | None, "that the page gives of itself"),
        "language": Field(str | None, "that the page declares"),
        "section": Field(str | None, "of the site"),
        "categories": Field([str], "of the page"),
        "tags": Field([str], "keywords of the page"),
        "license": Field(str | None, "that the page names"),
        "canonical_url": Field(str | None, "that the page gives"),
        "image": Field(str | None, "address of the main image"),
        "is_paywalled": Field(bool | None, "null if the page does not say"),
        "author": Field(str | None, "the authors in one string"),
        "sources": Field(
            dict[str, str],
            "where each field was found",
            lambda metadata: {name: found.source for name, found in metadata.fields.items()},
        ),
        "confidences": Field(
            dict[str, float],
            "the probability that each field is right",
            lambda metadata: {name: round(found.confidence, 3) for name, found in metadata.fields.items()},
        ),
    },
)
PAGE = Record(
    "Page",
    "A page: what is always said about it, and the formats that were asked for.",
    {
        "url": Field(str | None, "address of the page, after redirects"),
        "extractor": Field(str, "its name"),
        "source": Field(str, '"page", or the kind of data in the page that its content was read from'),
        "encoding": Field(str, "in which its bytes were read", lambda page: page.document.encoding),
        "title": Field(str | None, "of the content"),
        "page_type": Field(PageType | None, "article, forum, product ..."),
        "page_type_confidence": _share_field("probability of that type", float | None),
        "genre": Field(GENRE, "of the extractors that know one"),
        "threshold": Field(
            float, "the score from which text is kept", lambda page: float(page.labels.threshold), digits=4
        ),
        "metadata": Field(METADATA, "each value with its source and confidence"),
        "text": Field(str, "the main content"),
        "markdown": Field(str, "the main content as Markdown"),
        "html": Field(str, "the main content as HTML"),
        "xml": Field(str, "content, comments and metadata as XML"),
        "tei": Field(str, "the same as TEI P5"),
        "highlighted": Field(str, "a copy of the page with the content marked"),
        "words": _count_field("of the text"),
        "tokens": _count_field("of the text, an estimate"),
        "comments": Field([COMMENT], "readers' comments: text, author, date"),
        "media": Field([MEDIUM], "of the content"),
        "chunks": Field([CHUNK], "the Markdown in chunks, for retrieval", lambda page: page.chunks()),
        "structured_data": Field([dict[str, object]], "what the page declares in JSON-LD, microdata and RDFa"),
        "blocks": Field([BLOCK], "all visible text of the page, kept or not"),
    },
)
# The fields of `page.json`.
JSON = (
    "url",
    "extractor",
    "source",
    "encoding",
    "page_type",
    "page_type_confidence",
    "genre",
    "metadata",
    "text",
    "words",
    "tokens",
    "comments",
)
