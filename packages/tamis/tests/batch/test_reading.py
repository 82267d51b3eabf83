"""Inputs that are made to break their reader: each costs its own record, and no more memory than a page may have."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path

import pytest

from tamis.batch.inputs import NotRead, read, shards
from tamis.batch.outputs import Output
from tamis.batch.packages import arrow
from tamis.batch.records import Damage, Item, Kind, Record
from tamis.batch.rows import BatchOptions
from tamis.batch.run import run
from tamis.errors import InputError
from tests.batch.archives import CHEAP, page, response, write_input, zipped, zstd

pytestmark = pytest.mark.xdist_group("batch-workers")
linux = pytest.mark.skipif(sys.platform != "linux", reason="memory can be limited on Linux only")

OPTIONS = BatchOptions(extractor="keep-all", columns=CHEAP, memory=400)


def endings(path: Path, options: BatchOptions = OPTIONS) -> dict[str, int]:
    """How the pages of an input end: rows, and letters by kind."""
    summary = run([str(path)], Output(path.parent / "out"), options, workers=1)
    assert not summary.failed
    return {"row": summary.total.rows, **summary.total.letters}


def huge(size: int, declared: int | None = None) -> bytes:
    """A record of so many bytes in a zstd frame of a few."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    header = response(9).partition(b"Content-Length")[0]
    start = header + f"Content-Length: {size + len(block) if declared is None else declared}\r\n\r\n".encode() + block
    count = size // 131_072
    assert count * 131_072 == size

    def raw(data: bytes, last: bool) -> bytes:
        return (len(data) << 3 | last).to_bytes(3, "little") + data

    repeated = (131_072 << 3 | 2).to_bytes(3, "little") + b"x"
    return b"\x28\xb5\x2f\xfd\x00\x38" + raw(start, False) + repeated * count + raw(b"\r\n\r\n", True)


@linux
def test_a_record_of_gigabytes_is_passed_over_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.zst"
    path.write_bytes(zstd(response(0)) + huge(1 << 30) + zstd(response(1)) + huge(1 << 30, 500) + zstd(response(2)))
    assert endings(path) == {"row": 4, "too-large": 1, "unreadable": 1}


@linux
def test_a_record_beyond_the_memory_limit_costs_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.zst"
    path.write_bytes(zstd(response(0)) + huge(90 << 20) + zstd(response(1)))
    assert endings(path, BatchOptions("keep-all", memory=64)) == {"row": 2, "memory": 1}


@linux
def test_a_long_line_is_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    line = gzip.compress(b"x" * 10_000_000, 1)
    path.write_bytes(
        gzip.compress(b'{"html": "<p>one"}\n{"html": "') + line * 60 + gzip.compress(b'"}\n{"html": "<p>two"}')
    )
    assert endings(path) == {"row": 2, "too-large": 1}


@linux
def test_a_row_group_beyond_the_memory_limit_costs_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pyarrow = arrow()
    tables = [pyarrow.table({"html": [html]}) for html in (page(0), b"x" * 150_000_000, page(1))]
    with pyarrow.parquet.ParquetWriter(path, tables[0].schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)
    assert path.stat().st_size < 100_000
    assert endings(path, BatchOptions("keep-all", memory=100)) == {"row": 2, "memory": 1}


@linux
def test_rows_of_which_few_fit_into_memory_are_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    arrow().parquet.write_table(
        arrow().table({"html": [b"<p>" + b"x" * 21_000_000] * 20}),
        path,
        compression="zstd",
        dictionary_pagesize_limit=1 << 30,
    )
    assert endings(path, BatchOptions("keep-all", memory=300)) == {"row": 0, "too-large": 20}


def test_damage_behind_a_large_record_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(zipped(response(0, b"x" * 3_000_000)) + b"damage" * 100 + zipped(response(1)))
    assert endings(path) == {"row": 2, "unreadable": 1}


def test_oversized_http_headers_are_a_letter(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    headers = ["X: " + "x" * 70_000, "Content-Type: text/html"]
    path.write_bytes(response(0, headers=headers) + response(1, headers=["X: " + "x" * 2_000_000]) + response(2))
    assert endings(path) == {"row": 2, "too-large": 1}


def test_fields_that_no_output_can_hold(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines: list[dict[str, object]] = [
        {"status": 10**30},
        {"url": "x" * 100_000},
        {"id": "y" * 100_000},
        {"status": "9" * 5_000},
    ]
    path.write_text("".join(json.dumps({"html": "<p>text", **line}) + "\n" for line in lines))
    assert endings(path) == {"row": 2, "too-large": 2}


def test_a_row_that_is_no_text_costs_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    urls = (
        arrow().array([b"https://a/", b"\xff\xfe", b"https://c/"], arrow().binary()).cast(arrow().string(), safe=False)
    )
    arrow().parquet.write_table(arrow().table({"html": [page(number) for number in range(3)], "url": urls}), path)
    assert endings(path) == {"row": 2, "unreadable": 1}


def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "b.html").write_bytes(page(0))
    for name in ("pages/a.html", "a.warc.gz", "a.jsonl", "a.parquet"):
        os.mkfifo(tmp_path / name)
    assert endings(tmp_path / "pages") == {"row": 1}
    for name in ("a.warc.gz", "a.jsonl", "a.parquet"):
        with pytest.raises(InputError, match="not a regular file"):
            shards([str(tmp_path / name)])


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst", "a.jsonl", "a.parquet", "a"])
def test_an_item_that_is_lost_stands_where_it_was(tmp_path: Path, name: str) -> None:
    (shard,) = shards([str(write_input(tmp_path / name, [page(number) for number in range(6)]))])
    whole = list(read(shard))
    lost = {number: NotRead("as told", Kind.CRASH) for number in (1, 2, 5)}
    found: list[Item] = list(read(shard, lost=lost))
    assert [item for item in found if isinstance(item, Record)] == [whole[0], whole[3], whole[4]]
    damages = [item for number, item in enumerate(found) if number in lost]
    assert [(type(item), item.offset) for item in damages] == [(Damage, whole[number].offset) for number in lost]
    assert list(read(shard, skip=2, lost=lost)) == found[2:]
