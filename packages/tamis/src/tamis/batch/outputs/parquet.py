"""Output rows as Parquet, compressed with zstd."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np

from tamis.batch.columns import COLUMNS, DEFAULT
from tamis.batch.packages import arrow
from tamis.batch.records import Row

# Row groups of this many characters compress well, and one for each open shard fits into memory.
_GROUP_CHARACTERS = 4 << 20
_GROUP_ROWS = 10_000

# Values that never repeat need no dictionary, and the least and the greatest text do not help readers skip row groups.
_CONTENT = ("text", "markdown", "chunks", "comments", "description", "confidences", "content_hash", "minhash")
_UNIQUE = ("id", "url", "title", "canonical_url", "image", "datetime_published", "datetime_modified")


def schema(columns: Sequence[str] = DEFAULT) -> Any:
    """The columns as an Arrow schema. Raises MissingExtra."""
    return arrow().schema([(name, _arrow_type(COLUMNS[name].type)) for name in columns])


def _arrow_type(kind: str) -> Any:
    pyarrow = arrow()
    if inner := _element_type(kind):
        return pyarrow.list_(_arrow_type(inner))
    return pyarrow.string() if kind == "json" else pyarrow.type_for_alias(kind)


def _element_type(kind: str) -> str:
    """The type of the elements of a list; empty for other types."""
    return kind.removeprefix("list<").removesuffix(">") if kind.startswith("list<") else ""


class ParquetRows:
    """A Parquet file that is being written."""

    def __init__(self, file: BinaryIO, columns: Sequence[str]) -> None:
        self._types = {name: COLUMNS[name].type for name in columns}
        self._schema = schema(columns)
        # The columns of the file; the column of a list holds its elements.
        paths = {name: f"{name}.list.element" if _element_type(kind) else name for name, kind in self._types.items()}
        self._file = arrow().parquet.ParquetWriter(
            file,
            self._schema,
            compression="zstd",
            use_dictionary=[path for name, path in paths.items() if name not in (*_CONTENT, *_UNIQUE)],
            write_statistics=[path for name, path in paths.items() if name not in _CONTENT],
        )
        self._waiting: list[Row] = []
        self._characters = 0

    def write(self, rows: list[Row]) -> None:
        """Add rows."""
        for row in rows:
            self._waiting.append(row)
            self._characters += sum(map(_size_of, row.values.values()))
            if self._characters >= _GROUP_CHARACTERS or len(self._waiting) >= _GROUP_ROWS:
                self._flush()

    def close(self) -> None:
        """Write the remaining rows and the footer."""
        if self._waiting:
            self._flush()
        self._file.close()

    def abandon(self) -> None:
        """Write nothing more, not even a footer when the file is garbage-collected."""
        self._file.is_open = False

    def _flush(self) -> None:
        columns = [
            _arrow_array(kind, [row.values[name] for row in self._waiting]) for name, kind in self._types.items()
        ]
        self._file.write_table(arrow().Table.from_arrays(columns, schema=self._schema))
        self._waiting, self._characters = [], 0


def _size_of(value: object) -> int:
    """About the size of a value: the characters of texts, the numbers of a list."""
    if isinstance(value, list):
        return sum(len(each) if isinstance(each, str) else 1 for each in value)
    return len(value) if isinstance(value, str) else 0


def _arrow_array(kind: str, values: Sequence[Any]) -> Any:
    """Values, some of them perhaps None, as an Arrow array.

    It is put together from its buffers (https://arrow.apache.org/docs/format/Columnar.html). With pandas installed,
    pyarrow.array imports it, which costs as much as extracting 200 pages.
    """
    pyarrow = arrow()
    buffers: list[Any] = [_packed_flags([value is not None for value in values])]
    inner = []
    if element := _element_type(kind):
        buffers.append(_offsets([0 if value is None else len(value) for value in values]))
        inner.append(_arrow_array(element, [each for value in values for each in value or ()]))
    elif kind in ("string", "json"):
        encoded = [b"" if value is None else value.encode() for value in values]
        buffers += [_offsets([len(each) for each in encoded]), b"".join(encoded)]
    elif kind == "bool":
        buffers.append(_packed_flags([bool(value) for value in values]))
    else:
        buffers.append(np.array([0 if value is None else value for value in values], dtype=kind))
    return pyarrow.Array.from_buffers(
        _arrow_type(kind), len(values), list(map(pyarrow.py_buffer, buffers)), children=inner or None
    )


def _packed_flags(flags: list[bool]) -> Any:
    """Flags, eight in a byte."""
    return np.packbits(np.array(flags, dtype=np.bool_), bitorder="little")


def _offsets(lengths: list[int]) -> Any:
    """The start of each of several adjacent values, and the end of the last one."""
    ends = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=ends[1:])
    return ends
