"""A function for Spark: `frame.mapInPandas(extract_pages(), schema())`.

Each Python worker of Spark starts a process for its pages, which loads the model once and stays as long as the
worker does. A page that hangs, crashes or takes too much memory is a row with an error; it fails no task.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from tamis.batch.columns import COLUMNS
from tamis.batch.inputs import tables
from tamis.batch.records import Answer, Letter, Refused
from tamis.batch.rows import BatchOptions
from tamis.batch.workers import PagePool, page_pool
from tamis.errors import MissingExtra, OptionError

if TYPE_CHECKING:
    from pandas import DataFrame

_TYPES = {
    "string": "string",
    "json": "string",
    "list<string>": "array<string>",
    "list<uint32>": "array<bigint>",
    "bool": "boolean",
    "int32": "int",
    "int64": "bigint",
    "float32": "float",
}
REFUSED = "refused"  # in `error`, for pages that a filter refused; `reason` names the filter

_AT_ONCE = 16  # pages that go to the process together

_pool: tuple[bytes, PagePool] | None = None  # of this Python worker, with the options it was made for


def schema(options: BatchOptions | None = None) -> str:
    """The columns of the result of `extract_pages(options)`, in Spark's syntax.

    They are those of the options without `source` and `offset`, which a page does not have here, then `error` and
    `reason`, which are set for a page that failed.
    """
    types = {name: column.type for name, column in COLUMNS.items()} | {"reason": "string"}
    return ", ".join(f"`{name}` {_TYPES[types[name]]}" for name in _columns(options or BatchOptions()))


def extract_pages(options: BatchOptions | None = None) -> Callable[[Iterator[DataFrame]], Iterator[DataFrame]]:
    """A function for `DataFrame.mapInPandas` with `schema(options)`: one row out for each row in.

    A frame has its pages in a column `html`, as text or binary; `id`, `url`, `date`, `status` and
    `content_type` are used if they exist, and other columns are dropped. A page that fails
    has the kind of its failure in `error` (timeout, crash, memory, parse-error ...), and null in most others.

    Raises OptionError for options that can't be sent to Spark's workers. The function raises OptionError
    for a frame without a column `html`, MissingExtra and WeightsError; those end the job.
    """
    wanted = options or BatchOptions()
    page_pool(wanted, workers=1)  # validates the options here; starts no process
    return partial(_extracted, options=wanted)


def _extracted(frames: Iterator[DataFrame], options: BatchOptions) -> Iterator[DataFrame]:
    try:
        import pandas
    except ImportError:
        raise MissingExtra("Spark", "spark") from None
    pool, columns = _pool_for(options), _columns(options)
    empty = dict.fromkeys(columns)  # a column that a row leaves out would be NaN in pandas
    for frame in frames:
        fields = _fields(frame)
        items = [tables.item(each, "", number) for number, each in enumerate(fields)]
        works = (tuple(items[start : start + _AT_ONCE]) for start in range(0, len(items), _AT_ONCE))
        answers = (answer for part in pool.answers(works) for answer in part.answers)  # in order: one process
        rows = (empty | _row(each, found) for each, found in zip(fields, answers, strict=True))
        while together := list(islice(rows, _AT_ONCE)):
            yield pandas.DataFrame(together, columns=columns, dtype=object)


def _pool_for(options: BatchOptions) -> PagePool:
    """The process of this worker. One that was made for other options is ended."""
    global _pool
    key = pickle.dumps(options)
    if _pool is not None and _pool[0] != key:
        _pool[1].close()
        _pool = None
    if _pool is None:
        _pool = (key, page_pool(options, workers=1))
    return _pool[1]


def _fields(frame: DataFrame) -> list[dict[str, Any]]:
    """The known fields of each page of a frame; a missing value is None."""
    if tables.HTML not in frame.columns:
        raise OptionError(f"no column is called {tables.HTML!r}; there are: {', '.join(map(str, frame.columns))}")
    known = frame[[name for name in tables.FIELDS if name in frame.columns]].astype(object)
    rows: list[dict[str, Any]] = known.where(known.notna(), None).to_dict("records")
    return rows


def _row(fields: dict[str, Any], found: Answer) -> dict[str, object]:
    """The values of a row. A record without an id is named by its place in a file, which is not known here."""
    row: dict[str, object]
    if isinstance(found, Letter):
        row = {"url": found.url, "error": str(found.kind), "reason": found.reason, "seconds": found.seconds}
    elif isinstance(found, Refused):
        row = {"url": fields.get("url"), "error": REFUSED, "reason": f"by {found.filter}"}
    else:
        row = found.values
    return row | {"id": None if fields.get("id") is None else str(fields["id"])}


def _columns(options: BatchOptions) -> list[str]:
    return [*(name for name in options.columns if name not in ("error", "source", "offset")), "error", "reason"]
