"""Rows as Parquet, packed with zstd."""

from __future__ import annotations

from pathlib import Path

from tamis.batch.packages import arrow
from tamis.batch.records import Row
from tamis.batch.rows import COLUMNS

# Row groups of this many characters of text: large enough to pack well, small enough to hold one a shard in memory.
_GROUP_CHARACTERS = 4 << 20
_GROUP_ROWS = 10_000


def schema() -> object:
    """The columns as an Arrow schema. Raises MissingExtra."""
    pyarrow = arrow()
    return pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in COLUMNS.items()])


class ParquetRows:
    """A Parquet file that is being written."""

    def __init__(self, path: Path) -> None:
        self._schema = schema()
        self._file = arrow().parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[Row] = []
        self._characters = 0

    def write(self, rows: list[Row]) -> None:
        """Add rows."""
        self._waiting += rows
        self._characters += sum(len(str(row["text"])) + len(str(row["markdown"] or "")) for row in rows)
        if self._characters >= _GROUP_CHARACTERS or len(self._waiting) >= _GROUP_ROWS:
            self._flush()

    def close(self) -> None:
        """Write all that is left."""
        if self._waiting:
            self._flush()
        self._file.close()

    def _flush(self) -> None:
        self._file.write_table(arrow().Table.from_pylist(self._waiting, schema=self._schema))
        self._waiting, self._characters = [], 0
