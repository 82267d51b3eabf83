"""`tamis.extract_many`: a stream of pages through worker processes, in order."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Unpack

from tamis.batch.columns import METADATA
from tamis.batch.filters import ALL_PAGES
from tamis.batch.records import Answer, Damage, Item, Kind, Letter, Record, Refused
from tamis.batch.rows import BatchOptions
from tamis.batch.workers import PagePool, page_pool
from tamis.document import Document
from tamis.errors import InputError, OptionError, PageFailed
from tamis.inputs import MOST_BYTES, NotContent, PageInput, RawPage, content_of, read_tree
from tamis.option_table import CHUNK_TOKENS
from tamis.options import ManyKeywords, ManyOptions, PageOptions, resolve, takes
from tamis.worker.pool import available_cores

# Pages go to a worker in chunks: large enough that sending costs little, small enough that keeping the order takes
# little memory. Each worker may be this many chunks ahead of the page that is waited for.
_CHUNK_PAGES = 16
_CHUNK_BYTES = 1 << 20
_AHEAD = 4

_Given = PageInput | tuple[PageInput, str | None]
_ALWAYS = ("url", "language", "score", "extractor", "seconds")  # the columns of every result


@dataclass(frozen=True)
class Extracted:
    """The main content of a page as plain data, from another process."""

    url: str | None
    text: str  # empty where it was not asked for
    markdown: str | None  # where it was asked for
    chunks: list[dict[str, Any]] | None  # where they were asked for; as Chunk.as_dict, without the metadata
    title: str | None
    metadata: dict[str, Any] | None  # where they were asked for; as Metadata.values, with `confidences`
    page_type: str | None
    page_type_confidence: float | None
    state: str | None  # where it was asked for, as is its probability
    state_probability: float | None
    confidence: float | None  # where it was asked for: the token F1 to expect
    language: str | None
    score: float | None  # how sure the extractor is of what it kept
    extractor: str
    seconds: float


@takes(ManyOptions)
def extract_many(
    pages: Iterable[PageInput | tuple[PageInput, str | None]], **options: Unpack[ManyKeywords]
) -> Iterator[Extracted | PageFailed]:
    """Find the main content of many pages in `workers` processes (default: one a core).

    Each page is what `extract` accepts but a `Document`, or a pair of that and its URL. Results come in the order of
    the pages, as they are asked for; pages are taken a little ahead. If a page can't be read or parsed, takes more than
    `timeout` seconds or `memory` megabytes, or crashes its process, its result is a PageFailed, which is not raised.
    So is that of a str that is a URL or the name of a file. A value that can't be a page raises OptionError when it
    is reached, after the results of the pages before it. No process is left when the iterator is closed or dropped.

    The options are `ManyOptions`: those of `extract`, and which fields the results have. With `chunk_tokens`, the pages
    are also divided as by `Page.chunks`. With `metadata`, results have authors, dates, tags and so on; with
    `text=False` they come without text, which is faster.

    Raises OptionError and MissingExtra.
    """
    if _is_single_page(pages):
        raise OptionError(
            f"give a list of pages, or of pairs of a page and its URL; this is one {type(pages).__name__}"
        )
    wanted = resolve(ManyOptions, options)
    count = available_cores() if wanted.workers is None else wanted.workers
    return _in_order(page_pool(_batch_options(wanted), workers=count), pages, count)


def _batch_options(wanted: ManyOptions) -> BatchOptions:
    asked = {
        "text": wanted.text,
        "metadata": wanted.metadata,
        "title": wanted.title,
        "-title": not wanted.title,
        "markdown": wanted.markdown,
        "chunks": wanted.chunk_tokens is not None,
        "page_type": wanted.page_type,
        "page_type_confidence": wanted.page_type,
        "state": wanted.state,
        "state_probability": wanted.state,
        "confidence": wanted.confidence,
    }
    return BatchOptions(
        **wanted.part(PageOptions),
        columns=[*_ALWAYS, *(name for name, is_wanted in asked.items() if is_wanted)],
        chunk_tokens=CHUNK_TOKENS if wanted.chunk_tokens is None else wanted.chunk_tokens,
        chunk_overlap=wanted.chunk_overlap,
        filters=ALL_PAGES,
    )


def _is_single_page(pages: object) -> bool:
    """Is this one page, or a mapping? A list is several, even one of selectors, which `extract` takes as one."""
    if isinstance(pages, list):
        return False
    is_known = isinstance(pages, str | bytes | bytearray | memoryview | os.PathLike | RawPage | Document | Mapping)
    return is_known or read_tree(pages) is not None


def _in_order(pool: PagePool, pages: Iterable[_Given], workers: int) -> Iterator[Extracted | PageFailed]:
    waiting: dict[int, list[Answer]] = defaultdict(list)
    unanswered: dict[int, tuple[Item, ...]] = {}  # the pages of each chunk in work that still wait for an answer
    finished: set[int] = set()
    current = 0
    errors: list[Exception] = []  # of the pages that were given

    def numbered_chunks() -> Iterator[tuple[Item, ...]]:
        for number, chunk in enumerate(_in_chunks(_items_before_error(pages, errors))):
            unanswered[number] = chunk
            yield chunk

    with pool:
        for part in pool.answers(numbered_chunks(), window=_AHEAD * workers):
            waiting[part.work] += part.answers
            unanswered[part.work] = unanswered[part.work][len(part.answers) :]
            if part.failed:
                lost = unanswered[part.work]
                waiting[part.work] += [Letter.of(item, Kind.CRASH, part.failed, 0.0) for item in lost]
            if part.finished or part.failed:
                finished.add(part.work)
                del unanswered[part.work]
            while current in waiting:
                yield from map(_result_of, waiting.pop(current))
                if current not in finished:
                    break
                finished.remove(current)
                current += 1
    if errors:
        raise errors[0]


def _items_before_error(pages: Iterable[_Given], errors: list[Exception]) -> Iterator[Item]:
    """The pages before the first error, which is kept, so that they have their results before it is raised."""
    try:
        for number, page in enumerate(pages):
            yield _item_of(page, number)
    except Exception as error:
        errors.append(error)


def _in_chunks(items: Iterable[Item]) -> Iterator[tuple[Item, ...]]:
    chunk: list[Item] = []
    size = 0
    for item in items:
        chunk.append(item)
        size += len(item.body) if isinstance(item, Record) else 0
        if len(chunk) == _CHUNK_PAGES or size >= _CHUNK_BYTES:
            yield tuple(chunk)
            chunk, size = [], 0
    if chunk:
        yield tuple(chunk)


def _item_of(page: _Given, number: int) -> Item:
    given, own_url = page if isinstance(page, tuple) and len(page) == 2 else (page, None)
    if not isinstance(own_url, str | None):
        raise OptionError(f"page {number}: the second of a pair is a URL or None, not {type(own_url).__name__}")
    if isinstance(given, Document):
        raise OptionError(f"page {number}: a Document can't be sent to other processes; give its HTML")
    try:
        html, url, charset, status, headers = content_of(given)
    except (InputError, NotContent) as error:
        return Damage("pages", number, str(error), url=own_url)
    except OptionError as error:
        raise OptionError(f"page {number}: {error}") from None
    url = own_url or url
    if len(html) > MOST_BYTES:  # is not sent to a worker
        reason = f"the page has {len(html):,} bytes or characters; the limit is {MOST_BYTES:,}"
        return Damage("pages", number, reason, Kind.TOO_LARGE, url=url)
    charset = "utf-8" if isinstance(html, str) else charset
    return Record(
        body=html.encode("utf-8", "replace") if isinstance(html, str) else html,
        source="pages",
        offset=number,
        url=url,
        status=status,
        content_type=f"text/html; charset={charset}" if charset else None,
        headers=None if headers is None else dict(headers),
    )


_FIELDS = [field.name for field in fields(Extracted) if field.name != "metadata"]


def _result_of(answer: Answer) -> Extracted | PageFailed:
    if isinstance(answer, Letter):
        return PageFailed(answer.reason, str(answer.kind), answer.url)
    assert not isinstance(answer, Refused)  # noqa: S101 nothing is filtered
    values: dict[str, Any] = dict.fromkeys(_FIELDS) | {"text": ""}
    values |= {name: value for name, value in answer.values.items() if name in _FIELDS}
    values["chunks"] = None if values["chunks"] is None else json.loads(values["chunks"])
    return Extracted(**values, metadata=_metadata_or_none(answer.values))


def _metadata_or_none(values: dict[str, object]) -> dict[str, Any] | None:
    """The columns of metadata that have a value, by the names of `Metadata`; None if they were not asked for."""
    if "confidences" not in values:
        return None
    found = {name: values[column] for name, column in METADATA.items() if values.get(column) not in (None, [])}
    sure: dict[str, float] = json.loads(str(values["confidences"]))
    return found | {"confidences": {name: sure[column] for name, column in METADATA.items() if column in sure}}
