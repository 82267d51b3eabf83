"""Main content for a column of pages in pandas: `frame["html"].tamis.extract()`, or `extract_column(frame["html"])`.

The pages run in worker processes with a deadline and a memory limit, as in `tamis.extract_many`. A page that fails is
a row with its error. Importing this module registers the accessor `tamis` of every Series.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import MethodType
from typing import TYPE_CHECKING, Any, Unpack

from tamis.batch.many import extract_many
from tamis.errors import MissingExtra, OptionError
from tamis.integrations.frames import column_values, columns_for, page_results
from tamis.options import ManyKeywords, ManyOptions, resolve, takes

try:
    import pandas
except ImportError:
    raise MissingExtra("pandas", "pandas") from None

if TYPE_CHECKING:
    from pandas import DataFrame, Series

# From the types of COLUMNS to those of pandas that know missing values; all others are objects.
_TYPES = {"string": "string", "float32": "Float32", "bool": "boolean"}


@takes(ManyOptions)
def extract_column(
    pages: Series[Any], *, url: Series[Any] | Iterable[str | None] | None = None, **options: Unpack[ManyKeywords]
) -> DataFrame:
    """The main content of each page of a column, as a frame with the same index.

    Pages are text or bytes, and `url` has their addresses, in a Series of the same index or a list of the same length.
    The other options are those of `tamis.extract_many`; they choose the columns of the result: `title`, `page_type`,
    `page_type_confidence`, `state`, `state_probability`, `confidence`, `text`, `markdown`, `chunks`, with `metadata`
    those of `tamis batch` (authors,
    date_published ...), and always `language`, `score`, `error` and `reason`.

    The row of a missing page is missing in every column. `error` is missing for a good page, "empty" for one without
    content, and else the kind of failure (timeout, crash, memory, unreadable ...); `reason` describes it.

    Raises OptionError for wrong options and columns that hold no pages, MissingExtra and WeightsError.
    """
    wanted = resolve(ManyOptions, options)
    extract, columns = partial(extract_many, **wanted.part(ManyOptions)), columns_for(wanted)
    rows = [
        column_values(found, columns)
        for found in page_results(_checked_pages(pages), _urls_of_pages(url, pages), extract)
    ]
    return pandas.DataFrame(
        {
            name: pandas.Series([row[name] for row in rows], pages.index, _TYPES.get(type_, "object"))
            for name, type_ in columns.items()
        }
    )


@pandas.api.extensions.register_series_accessor("tamis")
class TamisAccessor:
    """What tamis does with a Series of pages: `series.tamis.extract(...)`."""

    def __init__(self, pages: Series[Any]) -> None:
        self._pages = pages

    @property
    def extract(self) -> Callable[..., DataFrame]:
        """`extract_column` of this Series, with its options."""
        return MethodType(extract_column, self._pages)


def _checked_pages(pages: Series[Any]) -> list[Any]:
    """The pages; None for missing ones. Raises OptionError for a column of numbers, dates and so on."""
    if not isinstance(pages, pandas.Series):
        raise OptionError(f"pages are a Series, not {type(pages).__name__}")
    missing = pages.isna()
    if pages.dtype.kind not in "OSU" and not missing.all():
        raise OptionError(f"a column of pages has text or bytes, not {pages.dtype}")
    return [None if lacks else page for page, lacks in zip(pages, missing, strict=True)]


def _urls_of_pages(url: Series[Any] | Iterable[str | None] | None, pages: Series[Any]) -> list[str | None]:
    """The address of each page, or None. Raises OptionError for addresses that are not those of the pages."""
    if url is None:
        return [None] * len(pages)
    if isinstance(url, pandas.Series) and not url.index.equals(pages.index):
        raise OptionError("url has another index than the pages")
    urls = [each if isinstance(each, str) else None for each in url]
    if isinstance(url, str) or len(urls) != len(pages):
        raise OptionError("url has one address for each page")
    return urls
