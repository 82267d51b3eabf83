"""`tamis.extract_many`: a stream of pages through worker processes, in order."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from tamis import registry
from tamis.batch.bodies import MOST_BYTES
from tamis.batch.filters import Filters
from tamis.batch.records import Answer, Damage, Item, Kind, Letter, Record, Refused, Row
from tamis.batch.rows import DEADLINE, MEMORY, METADATA, BatchOptions
from tamis.batch.workers import PagePool, page_pool
from tamis.errors import OptionError, PageFailed
from tamis.protocol import Extractor
from tamis.worker.pool import available_cores

Html = str | bytes

# Pages go to a worker in chunks: large enough that sending costs little, small enough that keeping the order takes
# little memory. Each worker may be this many chunks ahead of the page that is waited for.
_CHUNK_PAGES, _CHUNK_BYTES = 16, 1 << 20
_AHEAD = 4

_ALL = Filters(status=None, content_types=None)


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
    language: str | None
    score: float | None  # how sure the extractor is of what it kept
    extractor: str
    seconds: float


def extract_many(
    pages: Iterable[Html | tuple[Html, str | None]],
    *,
    workers: int | None = None,
    extractor: str | Extractor = registry.DEFAULT,
    favor_precision: bool = False,
    favor_recall: bool = False,
    visible_only: bool = False,
    text: bool = True,
    metadata: bool = False,
    markdown: bool = False,
    chunk_tokens: int | None = None,
    chunk_overlap: int = 0,
    title: bool = True,
    page_type: bool = True,
    deadline: float = DEADLINE,
    memory: int | None = MEMORY,
) -> Iterator[Extracted | PageFailed]:
    """Find the main content of many pages in `workers` processes (default: one a core).

    Each page is text, bytes, or a pair of that and its URL. Results come in the order of the pages, as they are asked
    for; pages are taken a little ahead. If a page takes more than `deadline` seconds or `memory` megabytes, crashes
    its process or can't be parsed, its result is a PageFailed, which is not raised. No process is left when the
    iterator is closed or dropped. With `chunk_tokens`, the pages are also divided as by `Page.chunks`. With `metadata`,
    results have authors, dates, tags and so on; with `text=False` they have no text, which saves its time.

    Raises OptionError and MissingExtra.
    """
    options = BatchOptions(
        extractor=extractor,
        favor_precision=favor_precision,
        favor_recall=favor_recall,
        visible_only=visible_only,
        text=text,
        metadata=metadata,
        markdown=markdown,
        chunk_tokens=chunk_tokens,
        chunk_overlap=chunk_overlap,
        title=title,
        page_type=page_type,
        filters=_ALL,
        deadline=deadline,
        memory=memory,
    )
    count = available_cores() if workers is None else workers
    return _in_order(page_pool(options, workers=count), _chunks(pages), count)


def _in_order(pool: PagePool, chunks: Iterator[tuple[Item, ...]], workers: int) -> Iterator[Extracted | PageFailed]:
    waiting: dict[int, list[Answer]] = defaultdict(list)
    unanswered: dict[int, tuple[Item, ...]] = {}  # the pages of each chunk in work that have no answer yet
    finished: set[int] = set()
    current = 0

    def works() -> Iterator[tuple[Item, ...]]:
        for number, chunk in enumerate(chunks):
            unanswered[number] = chunk
            yield chunk

    with pool:
        for part in pool.answers(works(), window=_AHEAD * workers):
            waiting[part.work] += part.answers
            unanswered[part.work] = unanswered[part.work][len(part.answers) :]
            if part.failed:
                lost = unanswered[part.work]
                waiting[part.work] += [Letter.of(item, Kind.CRASH, part.failed, 0.0) for item in lost]
            if part.finished or part.failed:
                finished.add(part.work)
                del unanswered[part.work]
            while current in waiting:
                yield from map(_result, waiting.pop(current))
                if current not in finished:
                    break
                finished.remove(current)
                current += 1


def _chunks(pages: Iterable[Html | tuple[Html, str | None]]) -> Iterator[tuple[Item, ...]]:
    chunk: list[Item] = []
    size = 0
    for number, page in enumerate(pages):
        item = _item(page, number)
        chunk.append(item)
        size += len(item.body) if isinstance(item, Record) else 0
        if len(chunk) == _CHUNK_PAGES or size >= _CHUNK_BYTES:
            yield tuple(chunk)
            chunk, size = [], 0
    if chunk:
        yield tuple(chunk)


def _item(page: Html | tuple[Html, str | None], number: int) -> Item:
    html, url = page if isinstance(page, tuple) and len(page) == 2 else (page, None)
    if not isinstance(html, str | bytes) or not isinstance(url, str | None):
        raise OptionError(f"page {number} is {type(html).__name__}, not str, bytes, or a pair of that and a URL")
    if len(html) > MOST_BYTES:  # is not sent to a worker
        reason = f"the page has {len(html):,} bytes or characters; the limit is {MOST_BYTES:,}"
        return Damage("pages", number, reason, Kind.TOO_LARGE, url=url)
    text = isinstance(html, str)
    return Record(
        body=html.encode("utf-8", "replace") if isinstance(html, str) else html,
        source="pages",
        offset=number,
        url=url,
        content_type="text/html; charset=utf-8" if text else None,
    )


_FIELDS = [field.name for field in fields(Extracted) if field.name != "metadata"]


def _result(answer: Answer) -> Extracted | PageFailed:
    if isinstance(answer, Letter):
        return PageFailed(answer.reason, str(answer.kind), answer.url)
    assert not isinstance(answer, Refused)  # noqa: S101 there is no filter
    values: dict[str, Any] = {name: answer[name] for name in _FIELDS}
    values["text"] = values["text"] or ""
    values["chunks"] = None if values["chunks"] is None else json.loads(values["chunks"])
    return Extracted(**values, metadata=_metadata(answer))


def _metadata(row: Row) -> dict[str, Any] | None:
    """The columns of metadata that have a value, by the names of `Metadata`; None if they were not asked for."""
    if row["confidences"] is None:
        return None
    named = {"title": "title"} | METADATA
    found = {name: row[column] for name, column in named.items() if row[column] not in (None, [])}
    sure: dict[str, float] = json.loads(str(row["confidences"]))
    return found | {"confidences": {name: sure[column] for name, column in named.items() if column in sure}}
