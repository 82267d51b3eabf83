"""From a record to an output row: the options, the value of each column, and the kinds of failure."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul

from tamis import __version__, page_data, registry
from tamis.api import extract
from tamis.batch.bodies import BadEncoding, BodyTooLarge, decoded_body
from tamis.batch.columns import DEFAULT, METADATA, RECORDS, Need, chosen, metadata_fields_of, needs_of_columns
from tamis.batch.duplicates import content_hash, minhash
from tamis.batch.filters import Filters
from tamis.batch.language import language_of
from tamis.batch.records import Answer, Damage, Item, Kind, Letter, Record, Refused, Row
from tamis.cached import cached_property
from tamis.document import parse
from tamis.document.decode import charset_of, clean_text
from tamis.document.table import PAGE
from tamis.errors import BrowserMissing, InputError, MissingExtra, OptionError, PageTooLarge, TamisError, WeightsError
from tamis.inputs import NotAPage, RawPage
from tamis.metadata import Metadata, read_metadata
from tamis.option_table import CHUNK_TOKENS
from tamis.options import ChunkOptions, ExtractOptions, PageOptions
from tamis.page import Page
from tamis.page_type import PageTypes
from tamis.protocol import extractor_name
from tamis.renamed import class_takes_old_names, old_attributes

EMPTY = "empty"

# With more undecodable characters than this share, the charset was wrong. Pages with a few damaged places stay far
# below it, pages read in a wrong charset far above.
_MOST_UNDECODED = 0.02
_REASON_LENGTH = 300


class LowConfidence(InputError):
    """The extraction of a page is probably worse than was asked for."""


class BadCharset(InputError):
    """The bytes of a page are not text in any named or likely charset."""


# Errors that are not the fault of a page: they end a run.
ENDING = (OptionError, MissingExtra, BrowserMissing, WeightsError)

# The kind of failure by error; all other errors are PARSE_ERROR.
_KINDS: dict[type[Exception], Kind] = {
    MemoryError: Kind.MEMORY,
    PageTooLarge: Kind.TOO_LARGE,
    BodyTooLarge: Kind.TOO_LARGE,
    BadEncoding: Kind.BAD_ENCODING,
    BadCharset: Kind.BAD_CHARSET,
    LowConfidence: Kind.LOW_CONFIDENCE,
    NotAPage: Kind.UNREADABLE,
}


@class_takes_old_names
@dataclass(frozen=True, kw_only=True)
class BatchOptions(PageOptions, ChunkOptions):
    """How each page is processed. Equal options give equal output rows, except for the column `seconds`."""

    chunk_tokens: int = CHUNK_TOKENS
    columns: Sequence[str] = DEFAULT  # as `columns.chosen` takes them; the attribute is its result
    filters: Filters = field(default=Filters())
    min_confidence: float | None = None  # a page below is a dead letter; one without a confidence has a row
    # `prune` and `keep` by host, as `tamis.site.rules.read_rules` reads them.
    rules: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "columns", chosen(self.columns))
        if self.min_confidence is not None and not 0 < self.min_confidence < 1:
            raise OptionError("min_confidence is between 0 and 1")

    @property
    def extractor_name(self) -> str:
        """The name in the output rows."""
        return self.extractor if isinstance(self.extractor, str) else extractor_name(self.extractor)


def output_row(record: Record, options: BatchOptions) -> Row | Refused:
    """The output row of one record, or which filter refused it. Raises what `extract` and `decoded` raise."""
    start = time.perf_counter()
    if refused := options.filters.by_headers(record):
        return refused
    body = decoded_body(record.body, record.codings)
    if refused := options.filters.by_size(len(body)):
        return refused
    # The worker has the deadline, so the page has none of its own.
    given = RawPage(body, record.url, charset_of(record.content_type), record.status, record.headers)
    wanted = options.part(ExtractOptions) | {"timeout": None}
    if options.rules:
        from tamis.site.rules import with_rules

        wanted |= with_rules(wanted, options.rules, record.url)
    page = extract(given, **wanted)
    facts = _Facts(record, len(body), page, options)
    shown = facts.content or page.document.html
    if shown.count("\ufffd") > _MOST_UNDECODED * len(shown):
        raise BadCharset(f"the page is not text in {page.document.encoding}")
    if options.filters.languages is not None and (refused := options.filters.by_language(facts.language)):
        return refused
    _check_confidence(page, options)
    values = {name: _storable_value(_VALUES[name](facts)) for name in options.columns}
    seconds = round(time.perf_counter() - start, 6)
    if "seconds" in values:
        values["seconds"] = seconds
    return Row(values, len(body), facts.characters or 0, seconds, facts.error is not None)


def _check_confidence(page: Page, options: BatchOptions) -> None:
    """Raise LowConfidence for a page below `min_confidence`, and OptionError if its extractor has no confidence."""
    if options.min_confidence is None:
        return
    if page.confidence is None and page.source == PAGE and page.labels.keep.any():
        raise OptionError(f"min_confidence: the extractor {options.extractor_name} has no confidence")
    if page.confidence is not None and page.confidence < options.min_confidence:
        raise LowConfidence(f"the confidence is {page.confidence:.2f}, below {options.min_confidence:g}")


class _Facts:
    """All facts about one page, computed when a column asks for them."""

    def __init__(self, record: Record, size: int, page: Page, options: BatchOptions) -> None:
        self.record, self.size, self.page, self.options = record, size, page, options
        self.needs = needs_of_columns(options.columns)
        self.has_text = not self.needs.isdisjoint((Need.TEXT, Need.HASHES))

    @cached_property
    def content(self) -> str:
        """The text; where no column needs it, only its words, which are cheaper."""
        if self.has_text:
            return self.page.text
        kept = itertools.compress(self.page.document.leaves.text, self.page.labels.keep.tolist())
        return " ".join(" ".join(kept).split())

    @property
    def characters(self) -> int | None:
        """The length of the text; None where it is not rendered."""
        return len(self.content) if self.has_text else None

    @cached_property
    def language(self) -> str | None:
        return language_of(self.content, parse.root_attribute(self.page.original.tree, "lang"))

    @cached_property
    def metadata(self) -> Metadata:
        if Need.CHUNKS in self.needs:
            return self.page.metadata  # chunks read all fields
        wanted = metadata_fields_of(self.options.columns)
        return read_metadata(self.page.original, self.page.own_labels, only=wanted, others=False)

    @property
    def confidences(self) -> dict[str, float]:
        return {name: sure for name, sure in column_confidences(self.metadata).items() if name in self.options.columns}

    @property
    def chunks(self) -> list[dict[str, object]]:
        """The chunks, without the metadata of the page."""
        found = self.page.chunks(chunk_tokens=self.options.chunk_tokens, chunk_overlap=self.options.chunk_overlap)
        return [{key: value for key, value in chunk.as_dict().items() if key != "metadata"} for chunk in found]

    def records(self, name: str) -> str:
        """The posts, entries, links ... of the page as JSON."""
        return json.dumps(page_data.PAGE.read(self.page, [name])[name], ensure_ascii=False)

    @property
    def score(self) -> float | None:
        """The mean score of the kept texts, weighted by their length."""
        leaves, labels = self.page.document.leaves, self.page.labels
        kept = labels.keep & ~leaves.is_media
        lengths = list(map(len, itertools.compress(leaves.text, kept.tobytes())))
        weighted: float = sum(map(mul, labels.scores[kept].tolist(), lengths))
        return weighted / sum(lengths) if lengths else None

    @property
    def site_evidence(self) -> str:
        from base64 import b64encode

        from tamis.site import page_evidence

        return b64encode(page_evidence(self.page.original).to_bytes()).decode("ascii")

    @property
    def page_types(self) -> PageTypes | None:
        """The probabilities of the page types. Asking an empty page for them would extract it a second time."""
        has_run = self.options.extractor == registry.DEFAULT and not self.options.visible_only
        return self.page.labels.page_types if has_run and self.page.source == PAGE else self.page.page_types

    @property
    def error(self) -> str | None:
        """EMPTY for a page without content; if the output has only metadata columns, for one without metadata."""
        has_content = not self.needs.isdisjoint((Need.TEXT, Need.MARKDOWN, Need.CHUNKS, Need.HASHES))
        found = self.content if has_content or not metadata_fields_of(self.options.columns) else self.metadata.fields
        return None if found else EMPTY


# The value of each column.
_VALUES: dict[str, Callable[[_Facts], object]] = {
    "id": lambda facts: facts.record.id,
    "url": lambda facts: facts.record.url,
    "date": lambda facts: facts.record.date,
    "status": lambda facts: facts.record.status,
    **{column: lambda facts, name=name: getattr(facts.metadata, name) for name, column in METADATA.items()},  # type: ignore[misc]
    "confidences": lambda facts: json.dumps(facts.confidences),
    "language": lambda facts: facts.language,
    "page_type": lambda facts: str(facts.page_types.best) if facts.page_types else None,
    "page_type_confidence": lambda facts: facts.page_types.confidence if facts.page_types else None,
    "state": lambda facts: facts.page.state.value,
    "state_probability": lambda facts: facts.page.state_probability,
    "confidence": lambda facts: facts.page.confidence,
    "text": lambda facts: facts.page.text,
    "markdown": lambda facts: facts.page.markdown,
    "chunks": lambda facts: json.dumps(facts.chunks, ensure_ascii=False),
    **{name: lambda facts, name=name: facts.records(name) for name in RECORDS},  # type: ignore[misc]
    "content_hash": lambda facts: content_hash(facts.page.text),
    "minhash": lambda facts: minhash(facts.page.text),
    "site_evidence": lambda facts: facts.site_evidence,
    "score": lambda facts: facts.score,
    "characters": lambda facts: facts.characters,
    "bytes": lambda facts: facts.size,
    "seconds": lambda facts: None,  # set when the row is complete
    "extractor": lambda facts: facts.options.extractor_name,
    "version": lambda facts: __version__,
    "error": lambda facts: facts.error,
    "source": lambda facts: facts.record.source,
    "offset": lambda facts: facts.record.offset,
}


def metadata_columns(metadata: Metadata) -> dict[str, object]:
    """All columns of metadata."""
    plain = {column: _storable_value(getattr(metadata, name)) for name, column in METADATA.items()}
    return plain | {"confidences": json.dumps(column_confidences(metadata))}


def column_confidences(metadata: Metadata) -> dict[str, float]:
    """The probability that a value is right, by the name of its column."""
    return {METADATA[name]: round(found.confidence, 3) for name, found in metadata.fields.items() if name in METADATA}


def _storable_value(value: object) -> object:
    """A value that every output can hold: without lone surrogates, which a header or a JSON string may have."""
    if isinstance(value, tuple):
        return list(map(clean_text, value))
    return clean_text(value) if isinstance(value, str) else value


def answer_item(item: Item, options: BatchOptions) -> Answer:
    """An output row, a dead letter or a refusal. It runs in this process; `workers.isolated` protects from bad pages.

    Raises OptionError, MissingExtra, BrowserMissing and WeightsError, which are not the fault of a page.
    """
    if isinstance(item, Damage):
        return Letter.of(item, item.kind, item.reason)
    start = time.perf_counter()
    try:
        return output_row(item, options)
    except ENDING:
        raise
    except Exception as error:
        kind = next((kind for type_, kind in _KINDS.items() if isinstance(error, type_)), Kind.PARSE_ERROR)
        return Letter.of(item, kind, _error_in_one_line(error), time.perf_counter() - start)


def answer_items(items: Iterable[Item], options: BatchOptions) -> Iterator[Answer]:
    """One answer an item, in order, in this process."""
    return (answer_item(item, options) for item in items)


def _error_in_one_line(error: BaseException) -> str:
    """An error as one line that every output can hold."""
    if isinstance(error, MemoryError):
        return "the page needs more memory than a page may use"
    words = " ".join(str(error).split()) or "no reason was given"
    if not isinstance(error, TamisError):
        words = f"{type(error).__name__}: {words}"
    return words[:_REASON_LENGTH].encode("utf-8", "replace").decode()


__getattr__ = old_attributes(__name__, {"row": "output_row", "answer": "answer_item", "answers": "answer_items"})
