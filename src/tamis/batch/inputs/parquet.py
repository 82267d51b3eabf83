"""Parquet with an html column. A shard is a range of row groups; an offset is the number of a row in the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tamis.batch.inputs import tables
from tamis.batch.inputs.files import Shard, size_of
from tamis.batch.packages import arrow
from tamis.batch.records import Damage, Item
from tamis.errors import InputError

_ROWS_AT_ONCE = 32

size = size_of


def slices(path: str, shard_bytes: int) -> Iterator[Shard]:
    """Shards of about `shard_bytes`. Raises InputError for a file without an html column."""
    length = size_of(path)
    try:
        groups, names = _groups(path)
    except _errors():
        yield Shard("parquet", path, 0, None, length)  # reading it reports what is wrong
        return
    if tables.HTML not in names:
        raise InputError(f"{path}: no column is called {tables.HTML!r}; there are: {', '.join(names)}")
    start = total = 0
    for number, group in enumerate(groups, 1):
        total += group
        if total >= shard_bytes or number == len(groups):
            yield Shard("parquet", path, start, number, total)
            start, total = number, 0


def read(shard: Shard, check: Check) -> Iterator[Item]:
    """The rows of a shard as records. A row group that can't be read is one damage; the others are read."""
    try:
        file = arrow().parquet.ParquetFile(shard.path)
    except _errors() as error:
        yield Damage(shard.path, 0, str(error)[:200])
        return
    with file:
        columns = [name for name in tables.FIELDS if name in file.schema_arrow.names]
        offset = 0
        for number in range(file.num_row_groups if shard.end is None else shard.end):
            rows = file.metadata.row_group(number).num_rows
            if number >= shard.start:
                yield from _group(file, number, columns, shard.path, offset)
            offset += rows


def _group(file: Any, number: int, columns: list[str], path: str, offset: int) -> Iterator[Item]:
    try:
        for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE, row_groups=[number], columns=columns):
            for fields in batch.to_pylist():
                yield tables.item(fields, path, offset)
                offset += 1
    except _errors() as error:
        yield Damage(path, offset, f"the rest of row group {number} can't be read: {error}"[:200])


def _groups(path: str) -> tuple[list[int], list[str]]:
    """The compressed bytes of each row group, and the names of the columns."""
    with arrow().parquet.ParquetFile(path) as file:
        found = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
        sizes = [
            sum(group.column(index).total_compressed_size for index in range(group.num_columns)) for group in found
        ]
        return sizes, file.schema_arrow.names


def _errors() -> tuple[type[Exception], ...]:
    return (arrow().ArrowException, OSError, ValueError)
