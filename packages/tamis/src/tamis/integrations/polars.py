"""Main content for a column of pages in Polars: `pl.col("html").tamis.text()`.

The pages run in worker processes with a deadline and a memory limit, as in `tamis.extract_many`. A page that fails is
null, and `extract` says why. Importing this module registers the namespace `tamis` of every expression.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any, Literal, Unpack

from tamis.batch.many import Extracted, extract_many
from tamis.errors import BrowserMissing, MissingExtra, OptionError, TamisError
from tamis.integrations.frames import Extract, Result, column_values, columns_for, page_results
from tamis.options import ManyKeywords, ManyOptions, PoolKeywords, PoolOptions, resolve, takes

try:
    import polars
    from polars import DataType, Expr, Series
except ImportError:
    raise MissingExtra("Polars", "polars") from None

_STRINGS = polars.List(polars.String())
_CHUNK = polars.Struct(
    {"text": polars.String(), "markdown": polars.String(), "headings": _STRINGS}
    | dict.fromkeys(("tokens", "start", "end"), polars.Int64())
    | {"xpaths": _STRINGS}
)
# From the types of COLUMNS to those of Polars. The only JSON here is chunks, which are parsed.
_TYPES: dict[str, DataType] = {
    "string": polars.String(),
    "list<string>": _STRINGS,
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
        return self._format_expression("text", url, resolve(PoolOptions, options))

    @takes(PoolOptions)
    def markdown(self, *, url: Expr | str | None = None, **options: Unpack[PoolKeywords]) -> Expr:
        """The main content as Markdown: empty where there is none, null where the page failed.

        The options are those of `tamis.extract_many`; `url` has the addresses of the pages, which make links absolute.
        """
        return self._format_expression("markdown", url, resolve(PoolOptions, options))

    def _format_expression(
        self, name: Literal["text", "markdown"], url: Expr | str | None, wanted: PoolOptions
    ) -> Expr:
        fields: dict[str, Any] = {"title": False, "page_type": False, "text": False} | {name: True}
        extract = partial(extract_many, **wanted.part(PoolOptions), **fields)
        value: Callable[[Result], str | None] = lambda found: (  # noqa: E731
            getattr(found, name) if isinstance(found, Extracted) else None
        )
        return _expression_over_pages(self._pages, url, extract, value, polars.String())

    @takes(ManyOptions)
    def extract(self, *, url: Expr | str | None = None, **options: Unpack[ManyKeywords]) -> Expr:
        """A struct with the main content and metadata of the page.

        The options are those of `tamis.extract_many`; `url` has the addresses of the pages. They choose the fields:
        `title`, `page_type`, `page_type_confidence`, `state`, `state_probability`, `confidence`, `text`, `markdown`,
        `chunks`, with `metadata` those of `tamis batch` (authors, date_published ...), and always `language`, `score`,
        `error` and `reason`.

        `error` is null for a good page, "empty" for one without content, and else the kind of failure (timeout,
        crash, memory, unreadable ...); `reason` describes it.
        """
        wanted = resolve(ManyOptions, options)
        extract, columns = partial(extract_many, **wanted.part(ManyOptions)), columns_for(wanted)
        struct = polars.Struct({name: _TYPES[type_] for name, type_ in columns.items()})
        return _expression_over_pages(
            self._pages, url, extract, lambda found: None if found is None else column_values(found, columns), struct
        )


def _expression_over_pages(
    pages: Expr, url: Expr | str | None, extract: Extract, value: Callable[[Result], object], dtype: DataType
) -> Expr:
    """The values of all pages, under the name of their column. Raises OptionError for the options."""
    extract(())  # checks the options now, and starts no process
    given = pages if url is None else polars.struct(pages, tamis_url=url)

    def map_series(series: Series) -> Series:
        columns = [series] if url is None else series.struct.unnest().get_columns()
        try:
            found = _results_of_columns(columns, extract)
        except (BrowserMissing, MissingExtra) as error:
            # Polars raises a new error of the same class from message and expression, which these classes do not take.
            raise TamisError(str(error)) from error
        return Series(series.name, list(map(value, found)), dtype)

    return given.map_batches(map_series, dtype, is_elementwise=True)


def _results_of_columns(columns: list[Series], extract: Extract) -> list[Result]:
    """The result of each page. Raises OptionError unless there is a column of pages, and at most one of addresses."""
    if len(columns) > 2:
        raise OptionError("with url, an expression is one column of pages")
    pages, urls = columns if len(columns) == 2 else (columns[0], Series([None] * len(columns[0])))
    if pages.dtype not in (polars.String, polars.Binary, polars.Null):
        raise OptionError(f"a column of pages has text or binary, not {pages.dtype}")
    if urls.dtype not in (polars.String, polars.Null):
        raise OptionError(f"a column of url has text, not {urls.dtype}")
    with _LOCK:
        return page_results(pages.to_list(), urls.to_list(), extract)
