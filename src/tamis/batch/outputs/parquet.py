"""Output rows as Parquet, compressed with zstd."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from tamis.batch.packages import arrow
from tamis.batch.records import Row
from tamis.batch.rows import COLUMNS

# Row groups of this many characters compress well, and one for each open shard fits into memory.
_GROUP_CHARACTERS = 4 << 20
_GROUP_ROWS = 10_000

_CONTENT = ("text", "markdown", "chunks")
# Values that never repeat need no dictionary. Minimum and maximum of a text column do not help readers to skip row
# groups.
_REPEATING = [name for name in COLUMNS if name not in (*_CONTENT, "id", "url", "title")]
_ORDERED = [name for name in COLUMNS if name not in _CONTENT]


def schema() -> object:
    """The columns as an Arrow schema. Raises MissingExtra."""
    pyarrow = arrow()
    return pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in COLUMNS.items()])


class ParquetRows:
    """A Parquet file that is being written."""

    def __init__(self, path: Path) -> None:
        self._schema = schema()
        self._sink = path.open("wb")
        self._file = arrow().parquet.ParquetWriter(
            self._sink, self._schema, compression="zstd", use_dictionary=_REPEATING, write_statistics=_ORDERED
        )
        self._waiting: list[Row] = []
        self._characters = 0

    def write(self, rows: list[Row]) -> None:
        """Add rows."""
        for row in rows:
            self._waiting.append(row)
            self._characters += sum(len(value) for value in row.values() if isinstance(value, str))
            if self._characters >= _GROUP_CHARACTERS or len(self._waiting) >= _GROUP_ROWS:
                self._flush()

    def close(self) -> None:
        """Write all that is left."""
        if self._waiting:
            self._flush()
        self._file.close()
        self._sink.close()

    def abandon(self) -> None:
        """Close the file, whatever is left."""
        self._file.is_open = False  # it would write its footer, also when it is collected
        with suppress(OSError):
            self._sink.close()

    def _flush(self) -> None:
        columns = [_column(kind, [row[name] for row in self._waiting]) for name, kind in COLUMNS.items()]
        self._file.write_table(arrow().Table.from_arrays(columns, schema=self._schema))
        self._waiting, self._characters = [], 0


def _column(kind: str, values: Sequence[Any]) -> Any:
    """Values, some of them perhaps None, as an Arrow array.

    It is put together from its buffers (https://arrow.apache.org/docs/format/Columnar.html). With pandas installed,
    pyarrow.array imports it, which costs as much as extracting 200 pages.
    """
    pyarrow = arrow()
    is_there = np.packbits([value is not None for value in values], bitorder="little")
    buffers: list[Any] = [is_there]
    if kind == "string":
        encoded = [b"" if value is None else value.encode() for value in values]
        ends = np.zeros(len(values) + 1, dtype=np.int32)
        np.cumsum([len(each) for each in encoded], out=ends[1:])
        buffers += [ends, b"".join(encoded)]
    else:
        buffers.append(np.array([0 if value is None else value for value in values], dtype=kind))
    return pyarrow.Array.from_buffers(pyarrow.type_for_alias(kind), len(values), list(map(pyarrow.py_buffer, buffers)))
