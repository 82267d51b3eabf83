"""From a record to an output row: the options, the columns, and the kinds of failure."""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import mul

import numpy as np

from tamis import __version__, registry
from tamis.api import extract
from tamis.batch.bodies import BadEncoding, BodyTooLarge, decoded
from tamis.batch.filters import Filters
from tamis.batch.language import language_of
from tamis.batch.records import Answer, Damage, Item, Kind, Letter, Record, Refused, Row
from tamis.document import parse
from tamis.document.decode import charset_of, clean_text
from tamis.errors import InputError, MissingExtra, OptionError, PageTooLarge, TamisError
from tamis.metadata import Metadata
from tamis.page import Page
from tamis.protocol import Extractor
from tamis.weights import WeightsError

DEADLINE = 30.0  # seconds a page
# Megabytes a page, beyond what a worker has before it. Only Linux can limit them.
MEMORY = 2_048 if sys.platform == "linux" else None

# The columns of the output in their order, each with its type as Arrow names it.
COLUMNS: dict[str, str] = {
    "id": "string",
    "url": "string",
    "date": "string",  # as the input writes it
    "status": "int32",  # of HTTP
    "text": "string",  # null if only metadata are asked for
    "markdown": "string",  # null unless asked for
    "chunks": "string",  # a JSON list of objects; null unless asked for
    "title": "string",
    # The metadata: null unless asked for.
    "authors": "list<string>",
    "date_published": "string",  # the day in the zone of the page
    "datetime_published": "string",
    "date_modified": "string",
    "datetime_modified": "string",
    "site_name": "string",
    "description": "string",
    "section": "string",
    "categories": "list<string>",
    "tags": "list<string>",
    "license": "string",
    "canonical_url": "string",
    "image": "string",
    "is_paywalled": "bool",
    "confidences": "string",  # JSON: from the title and these columns to the probability that they are right
    "page_type": "string",
    "page_type_confidence": "float32",
    "language": "string",
    "score": "float32",  # how sure the extractor is of what it kept, by length; null where it kept nothing
    "extractor": "string",
    "version": "string",
    "bytes": "int64",  # of the page, decoded
    "characters": "int64",  # of the text; null without it
    "seconds": "float32",
    "error": "string",  # "empty" where nothing was found, else null; pages that failed are dead letters
    "source": "string",
    "offset": "int64",
}
EMPTY = "empty"
# From the names in `Metadata` to columns. The column `date` is that of the input.
METADATA: dict[str, str] = {
    "authors": "authors",
    "date": "date_published",
    "datetime": "datetime_published",
    "date_modified": "date_modified",
    "datetime_modified": "datetime_modified",
    "site_name": "site_name",
    "description": "description",
    "section": "section",
    "categories": "categories",
    "tags": "tags",
    "license": "license",
    "canonical_url": "canonical_url",
    "image": "image",
    "is_paywalled": "is_paywalled",
}
_NO_METADATA: Row = dict.fromkeys((*METADATA.values(), "confidences"))

# A text of which more than this share could not be decoded is no text. Pages with a few damaged
# places stay far below it, pages read in a wrong charset far above.
_MOST_UNDECODED = 0.02
_REASON_LENGTH = 300


class BadCharset(InputError):
    """The bytes of a page are no text in any charset that is named or likely."""


# The kind of failure of each error; all others are PARSE_ERROR.
_KINDS: dict[type[Exception], Kind] = {
    MemoryError: Kind.MEMORY,
    PageTooLarge: Kind.TOO_LARGE,
    BodyTooLarge: Kind.TOO_LARGE,
    BadEncoding: Kind.BAD_ENCODING,
    BadCharset: Kind.BAD_CHARSET,
}


@dataclass(frozen=True)
class BatchOptions:
    """What is done with each page. Equal options give equal output rows, except for their seconds."""

    extractor: str | Extractor = registry.DEFAULT
    favor_precision: bool = False
    favor_recall: bool = False
    visible_only: bool = False
    text: bool = True  # without it no text is rendered, and a row has the metadata alone
    metadata: bool = False  # authors, dates, tags and so on
    markdown: bool = False
    chunk_tokens: int | None = None  # the most tokens of a chunk; None makes no chunks
    chunk_overlap: int = 0
    title: bool = True  # it costs a reading of the page's metadata
    page_type: bool = True  # free with `tamis`; with another extractor it costs about as much as an extraction
    filters: Filters = field(default=Filters())
    deadline: float = DEADLINE
    memory: int | None = MEMORY  # megabytes; None is no limit

    def __post_init__(self) -> None:
        if isinstance(self.extractor, str):
            registry.entry_of(self.extractor)
        if self.favor_precision and self.favor_recall:
            raise OptionError("favor_precision and favor_recall exclude each other")
        if not self.text and (self.markdown or self.chunk_tokens is not None or not self.metadata):
            raise OptionError("rows without text have metadata, and neither markdown nor chunks")
        least = max(16, 2 * self.chunk_overlap)
        if self.chunk_overlap < 0 or (self.chunk_tokens is not None and self.chunk_tokens < least):
            raise OptionError("chunk_tokens must be at least 16, and twice chunk_overlap")
        if self.deadline <= 0 or (self.memory is not None and self.memory < 1):
            raise OptionError("deadline and memory must be above zero")

    @property
    def extractor_name(self) -> str:
        """The name in the output rows."""
        return self.extractor if isinstance(self.extractor, str) else type(self.extractor).__name__


def row(record: Record, options: BatchOptions) -> Row | Refused:
    """The output row of one record, or which filter refused it. Raises what `extract` and `decoded` raise."""
    start = time.perf_counter()
    if refused := options.filters.by_headers(record):
        return refused
    body = decoded(record.body, record.codings)
    if refused := options.filters.by_size(len(body)):
        return refused
    page = extract(
        body,
        url=record.url,
        encoding=charset_of(record.content_type),
        extractor=options.extractor,
        favor_precision=options.favor_precision,
        favor_recall=options.favor_recall,
        visible_only=options.visible_only,
    )
    text = page.text if options.text else None
    content = _kept(page) if text is None else text
    if (content or page.document.html).count("\ufffd") > _MOST_UNDECODED * len(content or page.document.html):
        raise BadCharset(f"the page is no text in {page.document.encoding}")
    language = language_of(content, _declared_language(page))
    if refused := options.filters.by_language(language):
        return refused
    types = page.page_types if options.page_type else None
    found: Row = {
        "id": record.id,
        "url": record.url,
        "date": record.date,
        "status": record.status,
        "text": text,
        "markdown": page.markdown if options.markdown else None,
        "chunks": _chunks(page, options),
        "title": _title(page, options),
        **(known(page.metadata) if options.metadata else _NO_METADATA),
        "page_type": str(types.best) if types else None,
        "page_type_confidence": types.confidence if types else None,
        "language": language,
        "score": _score(page),
        "extractor": options.extractor_name,
        "version": __version__,
        "bytes": len(body),
        "characters": None if text is None else len(text),
        "seconds": round(time.perf_counter() - start, 6),
        "error": None if (page.metadata.values() if text is None else text) else EMPTY,
        "source": record.source,
        "offset": record.offset,
    }
    # No output can hold a lone surrogate, and a header or a JSON string may.
    return {name: clean_text(value) if isinstance(value, str) else value for name, value in found.items()}


def known(metadata: Metadata) -> Row:
    """The columns of metadata but the title."""
    values = {column: getattr(metadata, name) for name, column in METADATA.items()}
    plain: Row = {
        column: list(map(clean_text, value)) if isinstance(value, tuple) else value for column, value in values.items()
    }
    named = {"title": "title"} | METADATA
    sure = {
        column: round(metadata.fields[name].confidence, 3) for name, column in named.items() if name in metadata.fields
    }
    return plain | {"confidences": json.dumps(sure)}


def _title(page: Page, options: BatchOptions) -> str | None:
    if not options.title:
        return None
    return page.metadata.title if options.metadata else page.title


def _kept(page: Page) -> str:
    """The words of the kept texts, from which the language is told."""
    kept = itertools.compress(page.document.leaves.text, page.labels.keep.tolist())
    return " ".join(" ".join(kept).split())


def _chunks(page: Page, options: BatchOptions) -> str | None:
    """The chunks as JSON, without the metadata of the page, which the row has."""
    if options.chunk_tokens is None:
        return None
    found = page.chunks(max_tokens=options.chunk_tokens, overlap=options.chunk_overlap)
    plain = ({key: value for key, value in chunk.as_dict().items() if key != "metadata"} for chunk in found)
    return json.dumps([*plain], ensure_ascii=False)


def answer(item: Item, options: BatchOptions) -> Answer:
    """An output row, a dead letter or a refusal. It runs in this process; `workers.isolated` protects from bad pages.

    Raises OptionError, MissingExtra and WeightsError, for which no page is to blame.
    """
    if isinstance(item, Damage):
        return Letter.of(item, item.kind, item.reason)
    start = time.perf_counter()
    try:
        return row(item, options)
    except (OptionError, MissingExtra, WeightsError):
        raise
    except Exception as error:
        kind = next((kind for type_, kind in _KINDS.items() if isinstance(error, type_)), Kind.PARSE_ERROR)
        return Letter.of(item, kind, _describe(error), time.perf_counter() - start)


def answers(items: Iterable[Item], options: BatchOptions) -> Iterator[Answer]:
    """One answer an item, in order, in this process."""
    return (answer(item, options) for item in items)


def _describe(error: BaseException) -> str:
    """An error in one line that every file can hold."""
    if isinstance(error, MemoryError):
        return "the page wanted more memory than a page may have"
    words = " ".join(str(error).split()) or "no reason was given"
    if not isinstance(error, TamisError):
        words = f"{type(error).__name__}: {words}"
    return words[:_REASON_LENGTH].encode("utf-8", "replace").decode()


def _declared_language(page: Page) -> str | None:
    """The lang attribute of the page's root."""
    return parse.root_attribute(page.original.tree, "lang")


def _score(page: Page) -> float | None:
    """The mean score of the kept texts, weighted by their length."""
    leaves, labels = page.document.leaves, page.labels
    kept = np.flatnonzero(labels.keep & ~leaves.is_media)
    if not kept.size:
        return None
    lengths = [len(leaves.text[leaf]) for leaf in kept.tolist()]
    weighted: float = sum(map(mul, labels.scores[kept].tolist(), lengths))
    return weighted / sum(lengths)
