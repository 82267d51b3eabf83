"""The columns of a batch: what each holds, what it needs, and which of them an output has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from tamis import page_data
from tamis.errors import OptionError, did_you_mean


class Need(StrEnum):
    """What has to be done for a column. An extraction is done for every page."""

    NOTHING = ""  # more than the extraction
    METADATA = "reads metadata"  # deciding one field
    PAGE_TYPE = "runs the default extractor"  # so nothing with it, and an extraction with others
    TEXT = "renders the text"
    MARKDOWN = "renders Markdown"
    CHUNKS = "renders Markdown, reads metadata"  # and divides it
    STATE = "searches the page"
    CONFIDENCE = "measures the extraction"
    RECORDS = "finds them in the page"
    HASHES = "renders the text, hashes it"


class Column(NamedTuple):
    """A column of the output."""

    type: str  # as Arrow names it; "json" is JSON, which is a string in Parquet
    about: str
    need: Need = Need.NOTHING
    default: bool = True
    of: str = ""  # the name of the value in `Metadata`


def _of_page(name: str, need: Need, *, default: bool = True) -> Column:
    field = (page_data.METADATA if need is Need.METADATA else page_data.PAGE).fields[name]
    if field.type == [str]:
        kind = "list<string>"
    elif isinstance(field.type, list | page_data.Record):
        kind = "json"
    else:
        is_number = field.type in (float, float | None)
        kind = "bool" if field.type == bool | None else "float32" if is_number else "string"
    return Column(kind, field.about, need, default)


def _of_metadata(name: str, *, default: bool = True) -> Column:
    return _of_page(name, Need.METADATA, default=default)._replace(of=name)


# What a page holds, as JSON.
RECORDS = ("posts", "comments", "items", "facts", "links")
# All columns, in the order of every output.
COLUMNS: dict[str, Column] = {
    "id": Column("string", "of the record, as in the input"),
    "url": Column("string", "of the page, as in the input"),
    "date": Column("string", "when the page was fetched, as in the input"),
    "status": Column("int32", "of HTTP, as in the input"),
    "title": _of_metadata("title"),
    "authors": _of_metadata("authors"),
    "date_published": _of_metadata("date"),
    "datetime_published": _of_metadata("datetime", default=False),
    "date_modified": _of_metadata("date_modified", default=False),
    "datetime_modified": _of_metadata("datetime_modified", default=False),
    "site_name": _of_metadata("site_name"),
    "description": _of_metadata("description"),
    "section": _of_metadata("section", default=False),
    "categories": _of_metadata("categories"),
    "tags": _of_metadata("tags"),
    "license": _of_metadata("license", default=False),
    "canonical_url": _of_metadata("canonical_url", default=False),
    "image": _of_metadata("image", default=False),
    "is_paywalled": _of_metadata("is_paywalled", default=False),
    "confidences": Column("json", "probability that each column of metadata is right", Need.METADATA, default=False),
    "language": Column("string", "of the content: en, de ..."),
    "page_type": _of_page("page_type", Need.PAGE_TYPE),
    "page_type_confidence": _of_page("page_type_confidence", Need.PAGE_TYPE),
    "state": _of_page("state", Need.STATE),
    "state_probability": _of_page("state_probability", Need.STATE),
    "confidence": _of_page("confidence", Need.CONFIDENCE, default=False),
    "text": _of_page("text", Need.TEXT),
    "markdown": _of_page("markdown", Need.MARKDOWN, default=False),
    "chunks": _of_page("chunks", Need.CHUNKS, default=False),
    **{name: _of_page(name, Need.RECORDS, default=False) for name in RECORDS},
    "content_hash": Column("string", "equal for equal texts", Need.HASHES, default=False),
    "minhash": Column("list<uint32>", "signature that is similar for similar texts", Need.HASHES, default=False),
    "site_evidence": Column(
        "string", "what the page tells about its site, for --by-site", Need.PAGE_TYPE, default=False
    ),
    "score": Column("float32", "how sure the extractor is of what it kept, by length"),
    "characters": Column("int64", "of the text", Need.TEXT),
    "bytes": Column("int64", "of the page, decoded", default=False),
    "seconds": Column("float32", "that the page took", default=False),
    "extractor": Column("string", "its name", default=False),
    "version": Column("string", "of tamis", default=False),
    "error": Column("string", "empty if nothing was found, else null; pages that failed have no row"),
    "source": Column("string", "the input"),
    "offset": Column("int64", "the place in the input: a byte, in Parquet a row"),
}
# From the names in `Metadata` to columns. The column `date` is that of the input.
METADATA = {column.of: name for name, column in COLUMNS.items() if column.of}

# Names for several columns.
_SETS: dict[str, tuple[str, ...]] = {
    "default": tuple(name for name, column in COLUMNS.items() if column.default),
    "metadata": tuple(name for name, column in COLUMNS.items() if column.need is Need.METADATA),
    "all": tuple(COLUMNS),
}
DEFAULT = _SETS["default"]
_LEGEND = """\
* is in the default; in parentheses: the extra work for a column, besides the extraction, unless it is left out
default, metadata and all mean several columns, and -name leaves one out: --columns default,markdown,-tags"""


def chosen(words: str | Iterable[str]) -> tuple[str, ...]:
    """The columns that `words` name, in the order of COLUMNS.

    A word is a column, or `default`, `metadata` or `all`, which are several. `-name` leaves out what was named before
    it; a list that begins with one leaves it out of the default. A string has commas between the words.

    Raises OptionError for a word that is none of these, and where no column is left.
    """
    names = [word.strip() for word in (words.split(",") if isinstance(words, str) else words)]
    kept = set(DEFAULT) if names and names[0].startswith("-") else set[str]()
    for name in names:
        several = _columns_named(name.removeprefix("-"))
        kept = kept.difference(several) if name.startswith("-") else kept.union(several)
    if not kept:
        raise OptionError("no column is left; the usual ones are: default")
    return tuple(name for name in COLUMNS if name in kept)


@cache
def needs_of_columns(columns: Sequence[str]) -> frozenset[Need]:
    """What has to be done for these columns, a tuple."""
    return frozenset(COLUMNS[name].need for name in columns)


@cache
def metadata_fields_of(columns: Sequence[str]) -> frozenset[str]:
    """The fields of metadata that these columns, a tuple, are made of; a moment is a part of its day."""
    return frozenset(COLUMNS[name].of.replace("datetime", "date") for name in columns if COLUMNS[name].of)


def listed() -> str:
    """What a list of columns can name, and all columns, one in a line."""
    lines = [
        f"{'*' if column.default else ' '} {name:22}{column.about}{f' ({column.need})' if column.need else ''}"
        for name, column in COLUMNS.items()
    ]
    return "\n".join([_LEGEND, "", *lines])


def _columns_named(name: str) -> tuple[str, ...]:
    if name in COLUMNS:
        return (name,)
    if name in _SETS:
        return _SETS[name]
    names = [*COLUMNS, *_SETS]
    hint = did_you_mean(name, names)
    raise OptionError(f"no column is called {name!r}; {hint}{' There' if hint else 'there'} are: {', '.join(names)}")
