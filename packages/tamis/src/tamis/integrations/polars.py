"""Main content for a column of pages in Polars: `pl.col("html").tamis.text()`.

The pages run in worker processes with a deadline and a memory limit, as in `tamis.extract_many`. A page that fails is
null, and `extract` says why. Importing this module registers the namespace `tamis` of every expression.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any, Unpack

from tamis.batch.many import Extracted, extract_many
from tamis.errors import BrowserMissing, MissingExtra, OptionError, TamisError
from tamis.integrations.frames import Extract, Result, columns_for, results, values
from tamis.options import ManyKeywords, ManyOptions, PoolKeywords, PoolOptions, read, takes

try:
    import polars
    from polars import DataType, Expr, Series
except ImportError:
    raise MissingExtra("Polars", "polars") from None

_CHUNK = polars.Struct(
    {
        "text": polars.String(),
        "markdown": polars.String(),
        "headings": polars.List(polars.String()),
        "tokens": polars.Int64(),
        "start": polars.Int64(),
        "end": polars.Int64(),
        "xpaths": polars.List(polars.String()),
    }
)
# From the types of COLUMNS to those of Polars; JSON, which is chunks alone here, is read.
_TYPES: dict[str, DataType] = {
    "string": polars.String(),
    "list<string>": polars.List(polars.String()),
    "float32": polars.Float32(),
    "bool": polars.Boolean(),
    "json": polars.List(_CHUNK),
}
# Polars asks for parts of a column in several threads at once. Each part has a process a core, so one after the other.
_LOCK = Lock()


@polars.api.register_expr_namespace("tamis")
class TamisNamespace:
    """What tamis does with an expression of pages, as text or binary; null stays null.

    `url` is an expression or the name of a column, as everywhere in Polars.

    Methods raise OptionError for wrong options. A query raises OptionError for a column that holds no pages,
    WeightsError, and a plain TamisError for what an extractor lacks, such as an extra.
    """

    def __init__(self, pages: Expr) -> None:
        self._pages = pages

    @takes(PoolOptions)
    def text(self, *, url: Expr | str | None = None, **options: Unpack[PoolKeywords]) -> Expr:
        """The main content as plain text: empty where there is none, null where the page failed.

        The options are those of `tamis.extract_many`; `url` has the addresses of the pages.
        """
        extract = partial(extract_many, **read(PoolOptions, options).part(PoolOptions), title=False, page_type=False)
        return _mapped(self._pages, url, extract, _text, polars.String())

    @takes(PoolOptions)
    def markdown(self, *, url: Expr | str | None = None, **options: Unpack[PoolKeywords]) -> Expr:
        """The main content as Markdown: empty where there is none, null where the page failed.

        The options are those of `tamis.extract_many`; `url` has the addresses of the pages, which make links absolute.
        """
        fields: dict[str, Any] = {"text": False, "markdown": True, "title": False, "page_type": False}
        extract = partial(extract_many, **read(PoolOptions, options).part(PoolOptions), **fields)
        return _mapped(self._pages, url, extract, _markdown, polars.String())

    @takes(ManyOptions)
    def extract(self, *, url: Expr | str | None = None, **options: Unpack[ManyKeywords]) -> Expr:
        """A struct with the main content and what is known about the page.

        The options are those of `tamis.extract_many`; `url` has the addresses of the pages. They choose the fields:
        `title`, `page_type`, `page_type_confidence`, `text`, `markdown`, `chunks`, with `metadata` those of
        `tamis batch` (authors, date_published ...), and always `language`, `score`, `error` and `reason`.

        `error` is null for a good page, "empty" for one without content, and else the kind of failure (timeout,
        crash, memory, unreadable ...); `reason` describes it.
        """
        wanted = read(ManyOptions, options)
        extract, columns = partial(extract_many, **wanted.part(ManyOptions)), columns_for(wanted)
        struct = polars.Struct({name: _TYPES[type_] for name, type_ in columns.items()})
        return _mapped(
            self._pages, url, extract, lambda found: None if found is None else values(found, columns), struct
        )


def _mapped(
    pages: Expr, url: Expr | str | None, extract: Extract, value: Callable[[Result], object], dtype: DataType
) -> Expr:
    """The values of all pages, under the name of their column. Raises OptionError for the options."""
    extract(())  # checks the options now, and starts no process
    given = pages if url is None else polars.struct(pages, tamis_url=url)

    def mapped(series: Series) -> Series:
        columns = [series] if url is None else series.struct.unnest().get_columns()
        try:
            found = _results(columns, extract)
        except (BrowserMissing, MissingExtra) as error:
            # Polars makes an error anew from its message and the expression, which these classes do not allow.
            raise TamisError(str(error)) from error
        return Series(series.name, list(map(value, found)), dtype)

    return given.map_batches(mapped, dtype, is_elementwise=True)


def _results(columns: list[Series], extract: Extract) -> list[Result]:
    """The result of each page. Raises OptionError for columns that are not one of pages, and one of addresses."""
    if len(columns) > 2:
        raise OptionError("with url, an expression is one column of pages")
    pages, urls = columns if len(columns) == 2 else (columns[0], Series([None] * len(columns[0])))
    if pages.dtype not in (polars.String, polars.Binary, polars.Null):
        raise OptionError(f"a column of pages has text or binary, not {pages.dtype}")
    if urls.dtype not in (polars.String, polars.Null):
        raise OptionError(f"a column of url has text, not {urls.dtype}")
    with _LOCK:
        return results(pages.to_list(), urls.to_list(), extract)


def _text(found: Result) -> str | None:
    return found.text if isinstance(found, Extracted) else None


def _markdown(found: Result) -> str | None:
    return found.markdown if isinstance(found, Extracted) else None
