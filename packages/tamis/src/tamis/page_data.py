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
from tamis.page_type import PageState, PageType, Role


class Field(NamedTuple):
    """A field of a record."""

    type: Any  # a type, a Record, or a list with one of them for several values
    about: str = ""
    read: Callable[[Any], object] | None = None  # from the object; None: the attribute of the same name
    digits: int | None = None  # after the point
    least: float | None = None
    most: float | None = None
    is_optional: bool = False  # may a record be null?


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
    "Text that a reader sees as one block. It is kept or dropped as a whole.",
    {
        "text": Field(str),
        "score": _share_field("how surely it is content"),
        "keep": Field(bool),
        "role": Field(Role),
        "xpath": Field(str),
        "tag_path": Field(str),
        "url": Field(str | None, "that a browser opens at this text"),
        "start": Field(int | None, "its place in the text of the page, if it is kept"),
        "end": Field(int | None),
    },
)
_XPATH = Field(str, "of its element, if known")
POST = Record(
    "Post",
    "A post of a thread, or a comment by a reader.",
    {
        "text": Field(str, "without names, dates, signatures, buttons and quotations"),
        "author": Field(str | None),
        "date": Field(str | None, "YYYY-MM-DD, or as it is written"),
        "number": Field(int | None, "as the page counts it, or its place from 1"),
        "url": Field(str | None, "of the post itself"),
        "depth": _count_field("how many posts it is below"),
        "replies_to": Field(int | None, "the number of the post that it answers"),
        "quotes": Field([str], "what it quotes of others"),
        "is_question": Field(bool),
        "is_accepted": Field(bool, "the accepted answer to a question"),
        "markdown": Field(str),
        "xpath": _XPATH,
    },
)
ITEM = Record(
    "Item",
    "An entry of a listing.",
    {
        "title": Field(str),
        "url": Field(str | None),
        "snippet": Field(str | None, "the text below the title"),
        "date": Field(str | None, "YYYY-MM-DD, or as it is written"),
        "price": Field(str | None, "as it is written"),
        "image": Field(str | None, "its address"),
        "xpath": _XPATH,
    },
)
_TEXT = Field(str | None)
_TEXTS = Field([str])
_NUMBER = Field(float | None)
_SOURCES = {
    "sources": Field(dict[str, str], "where each field was found"),
    "confidences": Field(dict[str, float], "the probability that each field is right"),
}
_RATING = {"rating": _NUMBER, "rating_count": Field(int | None)}


def _fact(name: str, about: str, fields: Mapping[str, Field]) -> Field:
    return Field(Record(name, about, {**fields, **_SOURCES}), about, is_optional=True)


def _texts(names: str) -> dict[str, Field]:
    return dict.fromkeys(names.split(), _TEXT)


FACTS = Record(
    "Facts",
    "What a page is about, by kind; null where it has no such thing.",
    {
        "recipe": _fact(
            "Recipe",
            "a recipe",
            {
                "name": _TEXT,
                "ingredients": _TEXTS,
                "steps": _TEXTS,
                **_texts("servings prep_time cook_time total_time"),
                **_RATING,
            },
        ),
        "product": _fact(
            "Product", "a product", {**_texts("name brand price currency availability sku gtin"), **_RATING}
        ),
        "event": _fact("Event", "an event", _texts("name start end location organizer status price currency")),
        "questions": Field(
            [
                Record(
                    "Question",
                    "a question",
                    {"question": _TEXT, "answers": _TEXTS, "accepted_answer": _TEXT, **_SOURCES},
                )
            ],
            "questions with their answers",
        ),
        "how_to": _fact(
            "HowTo",
            "instructions",
            {"name": _TEXT, "steps": _TEXTS, "supplies": _TEXTS, "tools": _TEXTS, "total_time": _TEXT},
        ),
        "video": _fact("Video", "a video", _texts("name description url embed_url thumbnail duration date")),
        "job": _fact(
            "JobPosting",
            "a job that is offered",
            _texts("title company location employment_type salary date valid_through"),
        ),
        "paper": _fact(
            "Paper",
            "a scholarly article",
            {"title": _TEXT, "authors": _TEXTS, **_texts("doi journal date volume issue pages abstract pdf_url")},
        ),
    },
)
LINK = Record(
    "Link",
    "A link of the content.",
    {
        "text": Field(str),
        "url": Field(str),
        "heading": Field(str | None, "the one above it"),
        "is_external": Field(bool | None, "does it leave the site? null if the page's address is unknown"),
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
        "url": Field(str | None, "that a browser opens at its text"),
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
        "state": Field(PageState, "content, login, paywall, error-page, empty-shell ..."),
        "state_probability": _share_field("probability of that state"),
        "state_evidence": Field([str], "what speaks for it, in words"),
        "confidence": _share_field("the token F1 to expect of the extraction; null if unknown", float | None),
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
        "posts": Field([POST], "of a thread: who says what, when, in answer to which"),
        "comments": Field([POST], "readers' comments, in the same form"),
        "items": Field([ITEM], "the entries of a listing: title, url, snippet, date, price, image"),
        "facts": Field(FACTS, "recipe, product, event, questions ..., each null if the page has none"),
        "links": Field([LINK], "of the content: text, url, heading, is_external"),
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
    "state",
    "state_probability",
    "state_evidence",
    "confidence",
    "genre",
    "metadata",
    "text",
    "words",
    "tokens",
    "posts",
    "comments",
    "items",
    "facts",
    "links",
)
# What a page of each state is, for messages.
STATES = {
    PageState.CONTENT: "this page shows its content",
    PageState.EMPTY_SHELL: "this page shows nothing without scripts",
    PageState.BOT_CHALLENGE: "this page checks whether a browser or a bot asks for it",
    PageState.LOGIN: "this is a log-in page",
    PageState.PAYWALL: "this page is behind a paywall",
    PageState.CONSENT_WALL: "this page asks for consent to cookies first",
    PageState.ERROR_PAGE: "this is an error page",
    PageState.PARKED_DOMAIN: "this domain is parked",
    PageState.BLANK: "this page is blank",
}
