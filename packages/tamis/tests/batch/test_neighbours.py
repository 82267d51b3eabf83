"""One bad record costs itself: all others come out, each once, whatever was done to it."""

from __future__ import annotations

import gzip
import io
import random
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tamis.batch.inputs import read_items, shards_of_inputs
from tamis.batch.packages import fastwarc
from tamis.batch.records import Damage, Kind, Record
from tests.batch.archives import PACKERS, page, response, zipped, zstd

COUNT = 12


@pytest.fixture(autouse=True)
def _short_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.batch.inputs.warc._LONGEST_HTTP", 2_000)


def _length(other: Callable[[int], object]) -> Callable[[bytes], bytes]:
    """Another Content-Length, which is made of the true one."""

    def change(record: bytes) -> bytes:
        begin = record.index(b"Content-Length: ")
        end = record.index(b"\r\n", begin)
        return record[:begin] + f"Content-Length: {other(int(record[begin + 16 : end]))}".encode() + record[end:]

    return change


# What can be wrong inside a record, before it is packed.
RECORDS: dict[str, Callable[[bytes], bytes]] = {
    "a little shorter": _length(lambda true: true - 7),
    "much shorter": _length(lambda true: true // 3),
    "nothing": _length(lambda true: 0),
    "a little longer": _length(lambda true: true + 3),
    "longer by part of the next header": _length(lambda true: true + 6),
    "longer by the next version line": _length(lambda true: true + 14),
    "longer by half a record": _length(lambda true: true + 300),
    "longer by two records": _length(lambda true: true + 1200),
    "longer than the archive": _length(lambda true: true + 10**6),
    "longer than a page may be": _length(lambda true: 3 * 10**8),
    "2 ** 63": _length(lambda true: 2**63),
    "5,000 digits": _length(lambda true: "9" * 5000),
    "negative": _length(lambda true: -true),
    "no number": _length(lambda true: "many"),
    "other digits": _length(lambda true: "\u0663" * 3),
    "no length": lambda record: record.replace(b"Content-Length", b"X-Length", 1),
    "two lengths": lambda record: record.replace(b"Content-Length", b"Content-Length: 5\r\nContent-Length", 1),
    "no type": lambda record: record.replace(b"WARC-Type", b"Type", 1),
    "no version": lambda record: record.replace(b"WARC/1.0", b"WARK/1.0", 1),
    "endless header": lambda record: record.replace(b"\r\n\r\n", b"\r\nX: " + b"x" * 70_000 + b"\r\n\r\n", 1),
    "cut in its header": lambda record: record[:100],
    "cut in its body": lambda record: record[:-90],
    "without its end": lambda record: record[:-4],
    "garbage behind it": lambda record: record + b"\xff\x00garbage" * 40,
    "garbage before it": lambda record: b"\xff\x00garbage" * 40 + record,
    "oversized HTTP headers": lambda record: response(99, headers=["X: " + "x" * 3_000]),
}
# What can be wrong with its packed bytes.
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "flip at the start": lambda packed: bytes([packed[0] ^ 4]) + packed[1:],
    "flip early": lambda packed: packed[:40] + bytes([packed[40] ^ 16]) + packed[41:],
    "flip in the middle": lambda packed: _flipped(packed, len(packed) // 2),
    "flip late": lambda packed: _flipped(packed, len(packed) - 15),
    "flip at the end": lambda packed: _flipped(packed, len(packed) - 6),
    "cut by a byte": lambda packed: packed[:-1],
    "cut by nine bytes": lambda packed: packed[:-9],
    "cut in the middle": lambda packed: packed[: len(packed) // 2],
    "cut at the start": lambda packed: packed[3:],
    "all zeros": lambda packed: bytes(len(packed)),
    "gone": lambda packed: b"",
    "garbage behind": lambda packed: packed + b"\xff\x00garbage" * 40,
    "magic numbers behind": lambda packed: packed + b"\x1f\x8b\x08\x00\x28\xb5\x2f\xfd\x00WARC/1.0\r\n" * 40,
    "twice the start": lambda packed: packed[:90] + packed,
}


def _flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def _split_gzip(record: bytes) -> bytes:
    """A record in two members."""
    return zipped(record[:300]) + zipped(record[300:])


def found_in(path: Path, data: bytes, shard_bytes: int | None) -> tuple[list[bytes], list[Damage]]:
    path.write_bytes(data)
    items = [item for shard in shards_of_inputs([str(path)], shard_bytes=shard_bytes) for item in read_items(shard)]
    bodies = [item.body for item in items if isinstance(item, Record)]
    return bodies, [item for item in items if isinstance(item, Damage)]


def check_neighbours(path: Path, packed: list[bytes], bad: int, shard_bytes: int | None) -> None:
    bodies, damages = found_in(path, b"".join(packed), shard_bytes)
    others = [page(number) for number in range(COUNT) if number != bad]
    assert [body for body in bodies if body in others] == others
    assert len(bodies) <= COUNT, "nothing is made up"
    assert len(damages) <= 3
    assert damages or len(bodies) == COUNT or not packed[bad].strip(b"\0"), "a lost record is reported"
    start = sum(map(len, packed[:bad]))
    for damage in damages:
        assert start <= damage.offset <= start + len(packed[bad])
        assert damage.kind in (Kind.UNREADABLE, Kind.TOO_LARGE)


@pytest.mark.parametrize("shard_bytes", [None, 900])
@pytest.mark.parametrize("bad", [0, 5, COUNT - 1])
@pytest.mark.parametrize("suffix", PACKERS)
def test_a_damaged_record_costs_itself(tmp_path: Path, suffix: str, bad: int, shard_bytes: int | None) -> None:
    records = [response(number) for number in range(COUNT)]
    pack = PACKERS[suffix]
    damaged = {how: pack(change(records[bad])) for how, change in RECORDS.items()}
    damaged |= {how: change(pack(records[bad])) for how, change in PACKED.items()}
    if suffix == ".warc.gz":
        damaged["two members"] = _split_gzip(records[bad])
        damaged["stored"] = gzip.compress(records[bad], 0)[:-8] + bytes(8)
        damaged["a bomb"] = zipped(RECORDS["longer by half a record"](records[bad])) + zipped(bytes(3 << 20))[:-20]
    packed = [pack(record) for record in records]
    for how, replacement in damaged.items():
        try:
            parts = [*packed[:bad], replacement, *packed[bad + 1 :]]
            check_neighbours(tmp_path / f"a{suffix}", parts, bad, shard_bytes)
        except AssertionError as error:
            raise AssertionError(f"{how}: {error}") from None


@pytest.mark.parametrize("bad", [0, 5, COUNT - 1])
@pytest.mark.parametrize("pack", [zipped, zstd])
def test_also_inside_of_one_member(tmp_path: Path, pack: Callable[[bytes], bytes], bad: int) -> None:
    records = [response(number) for number in range(COUNT)]
    others = [page(number) for number in range(COUNT) if number != bad]
    for how, change in RECORDS.items():
        data = pack(b"".join([*records[:bad], change(records[bad]), *records[bad + 1 :]]))
        try:
            bodies, damages = found_in(tmp_path / "a.warc", data, None)
            assert [body for body in bodies if body in others] == others
            assert len(bodies) <= COUNT
            assert len(damages) <= 3
        except AssertionError as error:
            raise AssertionError(f"{how}: {error}") from None


def test_records_before_damage_of_one_member_are_read(tmp_path: Path) -> None:
    records = [response(number, page(number, random.Random(number).randbytes(900).hex())) for number in range(COUNT)]
    data = zipped(b"".join(records))
    for at in range(len(data) // 4, len(data) - 40, len(data) // 7):
        # The stream before the damage, with all that it unpacks to.
        whole = zlib.decompressobj(31).decompress(data[: at - 600])
        bodies, damages = found_in(tmp_path / "a.warc.gz", data[:at] + b"\xff" * 40 + data[at + 40 :], None)
        complete = whole.count(b"</html>\r\n\r\nWARC/")
        assert len(bodies) >= complete > 0
        assert damages
    assert len(found_in(tmp_path / "a.warc.gz", data, None)[0]) == COUNT


def test_a_dictionary_of_many_megabytes_is_refused(tmp_path: Path) -> None:
    """A frame of 20 kB that unpacks to 640 MB."""
    block = (131_072 << 3 | 2).to_bytes(3, "little") + b"x"
    bomb = b"\x28\xb5\x2f\xfd\x00\x38" + block * 5_000
    frame = b"\x5d\x2a\x4d\x18" + len(bomb).to_bytes(4, "little") + bomb
    bodies, damages = found_in(tmp_path / "a.warc.zst", frame + zstd(response(0)) + zstd(response(1)), None)
    assert bodies == [page(0), page(1)], "these frames need no dictionary"
    assert not damages


def test_a_zstd_window_of_gigabytes_is_damage(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    writer = fastwarc().stream_io.ZstdWriter(buffer)
    writer.write(response(0))
    writer.finish()
    writer.flush()
    frame = b"\x28\xb5\x2f\xfd\x00\xa8" + (4 << 3 | 3).to_bytes(3, "little") + b"x"
    bodies, damages = found_in(tmp_path / "a.warc.zst", frame + zstd(response(1)), None)
    assert bodies == [page(1)]
    assert [damage.offset for damage in damages] == [0]
