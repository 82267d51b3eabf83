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

_TEXTS = "list<string>"
_CONTENT = ("text", "markdown", "chunks", "description", "confidences")
_UNIQUE = ("id", "url", "title", "canonical_url", "image", "datetime_published", "datetime_modified")
# The columns of the file; those of a list hold its elements.
_PATHS = {name: f"{name}.list.element" if kind == _TEXTS else name for name, kind in COLUMNS.items()}
# Values that never repeat need no dictionary. Minimum and maximum of a text column do not help readers to skip row
# groups.
_REPEATING = [path for name, path in _PATHS.items() if name not in (*_CONTENT, *_UNIQUE)]
_ORDERED = [path for name, path in _PATHS.items() if name not in _CONTENT]


def schema() -> object:
    """The columns as an Arrow schema. Raises MissingExtra."""
    return arrow().schema([(name, _type(kind)) for name, kind in COLUMNS.items()])


def _type(kind: str) -> Any:
    pyarrow = arrow()
    return pyarrow.list_(pyarrow.string()) if kind == _TEXTS else pyarrow.type_for_alias(kind)


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
            self._characters += sum(_length(value) for value in row.values())
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


def _length(value: object) -> int:
    """The characters of a value that is text."""
    if isinstance(value, list):
        return sum(map(len, value))
    return len(value) if isinstance(value, str) else 0


def _column(kind: str, values: Sequence[Any]) -> Any:
    """Values, some of them perhaps None, as an Arrow array.

    It is put together from its buffers (https://arrow.apache.org/docs/format/Columnar.html). With pandas installed,
    pyarrow.array imports it, which costs as much as extracting 200 pages.
    """
    pyarrow = arrow()
    buffers: list[Any] = [_bits([value is not None for value in values])]
    inner = []
    if kind == _TEXTS:
        buffers.append(_ends([0 if value is None else len(value) for value in values]))
        inner.append(_column("string", [text for value in values for text in value or ()]))
    elif kind == "string":
        encoded = [b"" if value is None else value.encode() for value in values]
        buffers += [_ends([len(each) for each in encoded]), b"".join(encoded)]
    elif kind == "bool":
        buffers.append(_bits([bool(value) for value in values]))
    else:
        buffers.append(np.array([0 if value is None else value for value in values], dtype=kind))
    return pyarrow.Array.from_buffers(
        _type(kind), len(values), list(map(pyarrow.py_buffer, buffers)), children=inner or None
    )


def _bits(flags: list[bool]) -> Any:
    """Eight flags a byte."""
    return np.packbits(np.array(flags, dtype=np.bool_), bitorder="little")


def _ends(lengths: list[int]) -> Any:
    """Where each of several things begins that follow each other, and where the last ends."""
    ends = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=ends[1:])
    return ends
