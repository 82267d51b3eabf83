"""Shared by pandas.py and polars.py: the columns that options choose, and the values of a page in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from tamis.batch.columns import COLUMNS, METADATA
from tamis.batch.many import Extracted
from tamis.batch.records import Kind
from tamis.batch.rows import EMPTY
from tamis.errors import PageFailed
from tamis.options import ManyOptions

Result = Extracted | PageFailed | None  # None where the page is missing
Extract = Callable[[Iterable[tuple[str | bytes, str | None]]], Iterator[Extracted | PageFailed]]


def columns_for(wanted: ManyOptions) -> dict[str, str]:
    """The columns for these options of `extract_many`, in the order of COLUMNS, and the type of each."""
    asked = dict.fromkeys(METADATA.values(), wanted.metadata) | {
        "title": wanted.title,
        "language": True,
        "page_type": wanted.page_type,
        "page_type_confidence": wanted.page_type,
        "state": wanted.state,
        "state_probability": wanted.state,
        "confidence": wanted.confidence,
        "text": wanted.text,
        "markdown": wanted.markdown,
        "chunks": wanted.chunk_tokens is not None,
        "score": True,
        "error": True,
    }
    return {name: column.type for name, column in COLUMNS.items() if asked.get(name)} | {"reason": "string"}


def page_results(pages: Sequence[object], urls: Sequence[str | None], extract: Extract) -> list[Result]:
    """The result of each page: None where it is None, a PageFailed where it is neither text nor bytes."""
    good = [(page, url) for page, url in zip(pages, urls, strict=True) if isinstance(page, str | bytes)]
    found = iter(list(extract(good)))  # a list, so that the processes have ended
    return [next(found) if isinstance(page, str | bytes) else _result_without_page(page) for page in pages]


def column_values(found: Result, columns: Iterable[str]) -> dict[str, object]:
    """The value of each column for a page; None where there is none."""
    empty: dict[str, object] = dict.fromkeys(columns)
    if found is None:
        return empty
    if isinstance(found, PageFailed):
        return empty | {"error": found.kind, "reason": str(found)}
    metadata = found.metadata or {}
    known = {
        column: metadata.get(name, [] if COLUMNS[column].type.startswith("list") else None)
        for name, column in METADATA.items()
    } | vars(found)
    content = [known[name] for name in ("text", "markdown", "chunks") if name in empty]
    is_empty = not content[0] if content else found.score is None  # which is the mean over what was kept
    return (
        empty | {name: value for name, value in known.items() if name in empty} | {"error": EMPTY if is_empty else None}
    )


def _result_without_page(value: object) -> PageFailed | None:
    if value is None:
        return None
    return PageFailed(f"a page is text or bytes, not {type(value).__name__}", str(Kind.UNREADABLE))
