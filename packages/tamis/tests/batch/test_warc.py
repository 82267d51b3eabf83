from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamis.batch.inputs import read, shards
from tamis.batch.packages import fastwarc
from tamis.batch.records import Damage, Item, Kind, Record
from tests.batch.archives import PACKERS, identity, page, record, response, zipped


def items(path: Path, data: bytes, shard_bytes: int | None = None) -> list[Item]:
    path.write_bytes(data)
    return [item for shard in shards([str(path)], shard_bytes=shard_bytes) for item in read(shard)]


def numbers(found: list[Item]) -> list[int]:
    return [int(item.id[10:18]) for item in found if isinstance(item, Record)]


def damages(found: list[Item]) -> list[Damage]:
    return [item for item in found if isinstance(item, Damage)]


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_record_has_all_that_the_archive_says(tmp_path: Path, suffix: str) -> None:
    pack = PACKERS[suffix]
    first = pack(record("warcinfo", 0, b"software: none\r\n", "application/warc-fields"))
    headers = ("Content-Type: text/html; charset=latin1", "Content-Encoding: gzip", "Transfer-Encoding: chunked")
    path = tmp_path / f"a{suffix}"
    found = items(path, first + pack(response(1, b"<p>x", headers, status=404)))
    assert found == [
        Record(
            body=b"<p>x",
            source=str(path),
            offset=len(first),
            id=identity(1),
            url="https://example.org/1",
            date="2026-01-02T03:04:05Z",
            status=404,
            content_type="text/html; charset=latin1",
            codings=("gzip", "chunked"),
        )
    ]


@pytest.mark.parametrize("suffix", PACKERS)
def test_only_responses_and_resources_are_pages(tmp_path: Path, suffix: str) -> None:
    kinds = ["warcinfo", "request", "metadata", "revisit", "conversion"]
    others = [record(kind, number, b"nothing", "text/plain") for number, kind in enumerate(kinds)]
    dns = record("response", 7, b"20260101 example.org", "text/dns").replace(b"https:", b"dns:")
    resource = record("resource", 8, page(8), "text/html; charset=utf-8")
    found = items(tmp_path / f"a{suffix}", b"".join(map(PACKERS[suffix], [*others, dns, resource, response(9)])))
    assert numbers(found) == [8, 9]
    assert found[0].status is None  # type: ignore[union-attr]
    assert found[0].content_type == "text/html; charset=utf-8"  # type: ignore[union-attr]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    suffix=st.sampled_from(sorted(PACKERS)),
    count=st.integers(1, 12),
    shard_bytes=st.integers(50, 3_000),
    padding=st.integers(0, 2_000),
)
def test_slices_hold_each_record_once(tmp_path: Path, suffix: str, count: int, shard_bytes: int, padding: int) -> None:
    bodies = [page(number, "word " * (number * padding // 50)) for number in range(count)]
    data = b"".join(PACKERS[suffix](response(number, body)) for number, body in enumerate(bodies))
    found = items(tmp_path / f"a{suffix}", data, shard_bytes)
    assert [item.body for item in found if isinstance(item, Record)] == bodies
    assert not damages(found)


def test_an_archive_that_was_zipped_as_a_whole_is_read(tmp_path: Path) -> None:
    data = gzip.compress(b"".join(response(number) for number in range(30)))
    path = tmp_path / "a.warc.gz"
    assert numbers(items(path, data, shard_bytes=100)) == list(range(30))
    cut = items(path, data[:-100])
    assert numbers(cut) == list(range(len(numbers(cut))))
    assert len(damages(cut)) == 1


@pytest.mark.parametrize("packed_dictionary", [False, True])
def test_zstd_with_a_dictionary_is_read_also_around_damage(tmp_path: Path, packed_dictionary: bool) -> None:
    records = [response(number) for number in range(300)]
    buffer = io.BytesIO()
    streams = fastwarc().stream_io
    writer = streams.ZstdWriter(
        buffer,
        dictionary=streams.zstd_train_dictionary_from_samples(records, 2_000),
        compress_dictionary_frame=packed_dictionary,
    )
    ends = []
    for each in records[:40]:
        writer.write(each)
        writer.finish()
        writer.flush()
        ends.append(buffer.tell())
    data = bytearray(buffer.getvalue())
    path = tmp_path / "a.warc.zst"
    assert numbers(items(path, bytes(data))) == list(range(40))
    assert numbers(items(path, bytes(data), shard_bytes=300)) == list(range(40))
    data[ends[10] : ends[10] + 8] = bytes(8)
    found = items(path, bytes(data))
    assert numbers(found) == [number for number in range(40) if number != 11]
    assert [damage.offset for damage in damages(found)] == [ends[10]]


def test_padding_at_the_end_is_not_damage(tmp_path: Path) -> None:
    (found,) = items(tmp_path / "a.warc.gz", zipped(response(0)) + bytes(1_000))
    assert found.id == identity(0)
    assert items(tmp_path / "a.warc.gz", b"") == []


@pytest.mark.parametrize("data", [b"not an archive", b"\x1f\x8b\x08 nor this", b"\x28\xb5\x2f\xfd nor this"])
def test_what_is_no_archive_is_damage(tmp_path: Path, data: bytes) -> None:
    found = items(tmp_path / "a.warc", data)
    assert [type(item) for item in found] == [Damage]


def test_a_record_beyond_the_limit_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.batch.inputs.archive.MOST_BYTES", 5_000)
    data = zipped(response(0)) + zipped(response(1, b"x" * 9_000)) + zipped(response(2))
    found = items(tmp_path / "a.warc.gz", data)
    assert numbers(found) == [0, 2]
    assert [(damage.kind, damage.id) for damage in damages(found)] == [(Kind.TOO_LARGE, identity(1))]


def test_http_headers_that_can_not_be_parsed_cost_no_page(tmp_path: Path) -> None:
    odd = record("response", 1, b"\xff\xfe no status line\r\n: :\r\n\r\n<p>text</p>", "application/http")
    found = items(tmp_path / "a.warc", odd + response(2))
    assert numbers(found)[-1] == 2
