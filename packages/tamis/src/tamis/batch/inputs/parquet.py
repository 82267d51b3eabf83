"""Parquet with an html column. A shard is a range of bytes; an offset is the number of a row in the file.

A row group belongs to the shard in which it starts, so nothing has to be read to make shards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from tamis.batch import stores
from tamis.batch.inputs import tables
from tamis.batch.inputs.files import NOT_READ, Check, Shard, byte_slices, not_read, open_binary, sampled_range, size_of
from tamis.batch.packages import arrow
from tamis.batch.records import Damage, Item, Progressed
from tamis.errors import InputError

_MOST_ROWS = 32  # that are read at once
_MOST_BYTES = 64 << 20  # of these rows

size, files = size_of, sampled_range


def slices(path: str, shard_bytes: int) -> Iterator[Shard]:
    """Shards of about `shard_bytes`."""
    yield from byte_slices("parquet", path, shard_bytes)


def read(shard: Shard, check: Check) -> Progressed:
    """The rows of a shard as records. A row group that can't be read is one damage; the others are read.

    Raises InputError for a file without an html column.
    """
    source = open_binary(shard.path)  # raises where it can't be read
    if not stores.is_address(shard.path):
        source.close()  # pyarrow opens it itself, which is faster
    try:
        check()
        file = arrow().parquet.ParquetFile(shard.path if source.closed else source)
        names = file.schema_arrow.names
        groups = _row_groups(file.metadata)
    except NOT_READ as error:
        yield not_read(shard.path, 0, error, "the table"), shard.size
        return
    except _reading_errors() as error:
        if shard.start == 0:  # reported once
            yield Damage(shard.path, 0, str(error)[:200]), shard.size
        return
    if tables.HTML not in names:
        raise InputError(f"{shard.path}: no column is called {tables.HTML!r}; there are: {', '.join(names)}")
    columns = [name for name in tables.FIELDS if name in names]
    ours = [shard.start <= begin and (shard.end is None or begin < shard.end) for begin, _, _ in groups]
    all_rows = sum(rows for (_, rows, _), is_ours in zip(groups, ours, strict=True) if is_ours)
    with file:
        offset = done = 0
        for number, (_, rows, row_bytes) in enumerate(groups):
            if ours[number]:
                for item in _items_of_group(file, number, columns, shard.path, offset, rows, row_bytes, check):
                    yield item, shard.size * (done + item.offset - offset + 1) // max(all_rows, 1)
                done += rows
            offset += rows


def _items_of_group(
    file: Any, number: int, columns: list[str], path: str, offset: int, rows: int, row_bytes: int, check: Check
) -> Iterator[Item]:
    """The rows of a group. What the metadata say of their size may be wrong; then they are read one by one."""
    at_once = min(max(_MOST_BYTES // max(row_bytes, 1), 1), _MOST_ROWS)
    done, what = 0, f"the rest of row group {number}"
    batches = _batches(file, number, columns, at_once)
    while True:
        try:
            if done < rows:  # what comes next is an item of this group
                check()
            batch = next(batches, None)
            items = (
                []
                if batch is None
                else [_item_of_row(batch, row, path, offset + done + row) for row in range(len(batch))]
            )
        except NOT_READ as error:
            if at_once == 1 or not isinstance(error, MemoryError):
                yield not_read(path, offset + done, error, what)
                return
            at_once, batches = 1, islice(_batches(file, number, columns, 1), done, None)
            continue
        except _reading_errors() as error:
            yield Damage(path, offset + done, f"{what} can't be read: {error}"[:200])
            return
        if batch is None:
            return
        done += len(items)
        yield from items


def _batches(file: Any, number: int, columns: list[str], rows: int) -> Iterator[Any]:
    return iter(file.iter_batches(batch_size=rows, row_groups=[number], columns=columns, use_threads=False))


def _item_of_row(batch: Any, row: int, path: str, offset: int) -> Item:
    try:
        return tables.item(batch.slice(row, 1).to_pylist()[0], path, offset)
    except (ValueError, OverflowError) as error:  # text that is not UTF-8, an impossible time
        return Damage(path, offset, f"the row can't be read: {error}"[:200])


def _row_groups(metadata: Any) -> list[tuple[int, int, int]]:
    """The place of each row group in the file, its rows, and the bytes of one of them."""
    found = []
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        first = group.column(0)
        begin = first.data_page_offset if first.dictionary_page_offset is None else first.dictionary_page_offset
        rows = max(group.num_rows, 0)
        found.append((max(begin, 0), rows, group.total_byte_size // max(rows, 1)))
    return found


def _reading_errors() -> tuple[type[Exception], ...]:
    return (arrow().ArrowException, OSError, ValueError, OverflowError, IndexError, RuntimeError)
