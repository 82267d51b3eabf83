"""Damaged archives by number: `archive(seed)` is always the same file for the same seed, named by `suffix(seed)`."""

from __future__ import annotations

import gzip
import io
import json
from functools import cache
from random import Random

from tests.batch.archives import record, response, zstd
from tests.fuzz.pages import page

SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".jsonl", ".jsonl.gz", ".parquet")

_LENGTHS = (
    b"-1", b"0", b"1", b"9223372036854775807", b"9223372036854775808", b"9" * 5000, b"x", b"", b" 12", b"1e9", b"0x10",
    b"99999",
)  # fmt: skip
_LINES = (
    b"Content-Length: 5\r\n", b"Content-Type: text/html; charset=" + b" " * 500 + b"x\r\n",
    b"Content-Type: application/http; msgtype=response\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n", b"Content-Encoding: br, zstd, deflate, x\r\n", b"WARC-Type: resource\r\n",
    b"WARC-Type: revisit\r\n", b"WARC-Target-URI: <\xff\xfe>\r\n", b"WARC-Target-URI: http://u:p@[::1\r\n",
    b" folded\r\n", b"WARC/1.0\r\n", b"WARC/9.9\r\n", b"HTTP/1.1 99999 \r\n", b"\r\n", b": \r\n", b"\0\r\n",
    b"A" * 3000 + b"\r\n",
)  # fmt: skip
_CODINGS = (
    ("Transfer-Encoding: chunked", b"5\r\n<p>ab\r\nffffffff\r\nx\r\n0\r\n\r\n"),
    ("Transfer-Encoding: chunked", b"3;x=y\r\n<p>\r\n0\r\n\r\n"),
    ("Content-Encoding: gzip", gzip.compress(b"<p>text of a page" * 50, mtime=0)),
    ("Content-Encoding: gzip", gzip.compress(b"<p>x " + b" " * 3_000_000, mtime=0)),
    ("Content-Encoding: gzip", gzip.compress(b"<p>cut off", mtime=0)[:-6]),
    ("Content-Encoding: deflate", b"\x78\x9c\x00"),
    ("Content-Encoding: br", b"\x8b\x00\x80\x03"),
    ("Content-Encoding: zstd", b"\x28\xb5\x2f\xfd\x24\x05"),
)
_VALUES: tuple[object, ...] = (
    None, "", 1, -1, 1e308, "x" * 2000, [], {}, [[]], True, "\ud800", "2024-13-45", "http://[", 10**30,
)  # fmt: skip


def suffix(seed: int) -> str:
    """The end of the name of the file with this number."""
    return SUFFIXES[seed % len(SUFFIXES)]


def archive(seed: int) -> bytes:
    """The file with this number: a few records, some hostile, and then damaged before or after it is packed."""
    rng = Random(seed)
    ending = suffix(seed)
    if ending == ".parquet":
        return _damaged(rng, _parquet(seed % 8))
    records = [_line(rng) if "json" in ending else _record(rng) for _ in range(1 + int(5 * rng.random()))]
    if rng.random() < 0.6:
        place = int(len(records) * rng.random())
        records[place] = _damaged(rng, records[place])
    if ending.endswith((".gz", ".zst")):
        pack = zstd if ending.endswith(".zst") else _gzip
        apart = rng.random() < 0.8
        members = [pack(each) for each in records] if apart else [pack(b"".join(records))]
        if rng.random() < 0.5:
            place = int(len(members) * rng.random())
            members[place] = _damaged(rng, members[place])
        return b"".join(members)
    data = b"".join(records)
    return _damaged(rng, data) if rng.random() < 0.3 else data


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, 1, mtime=0)


def _html(rng: Random) -> bytes:
    return page(rng.getrandbits(32)).encode("utf-8", "surrogatepass")


def _record(rng: Random) -> bytes:
    chance, number = rng.random(), rng.getrandbits(20)
    if chance < 0.15:
        coding, body = rng.choice(_CODINGS)
        return response(number, body, ("Content-Type: text/html", coding))
    if chance < 0.25:
        return record(rng.choice(("resource", "warcinfo", "metadata", "x")), number, _html(rng), "text/html")
    if chance < 0.3:
        return response(number, b"<p>" + b"word " * rng.choice((10, 300_000)))
    return response(number, _html(rng), status=rng.choice((200, 200, 200, 404, 0)))


def _line(rng: Random) -> bytes:
    fields: dict[str, object] = {
        "html": _html(rng).decode("utf-8", "replace"),
        "url": f"https://a.example/{rng.random()}",
    }
    for name in ("url", "html", "id", "date", "status", "content_type", "x"):
        if rng.random() < 0.15:
            fields[name] = rng.choice(_VALUES)
    chance = rng.random()
    if chance < 0.1:
        return (
            rng.choice((b"[" * 3000, b"null", b"{}", b'{"html":', b"\xff\xfe", b'{"a":' * 2000, b"1" * 5000, b""))
            + b"\n"
        )
    return json.dumps(fields).encode() + (b"\n" if chance < 0.95 else b"\r\n\r\n")


@cache
def _parquet(number: int) -> bytes:
    import pyarrow
    from pyarrow import parquet

    rng = Random(number)
    rows = 1 + number * 3
    columns = {
        "html": [_html(rng).decode("utf-8", "replace") for _ in range(rows)],
        "url": ["https://a.example/"] * rows,
        "other": [rng.choice((None, 1, 2)) for _ in range(rows)],
    }
    buffer = io.BytesIO()
    compression = ("none", "snappy", "gzip", "zstd")[number % 4]
    parquet.write_table(pyarrow.table(columns), buffer, row_group_size=4, compression=compression)
    return buffer.getvalue()


def _damaged(rng: Random, data: bytes) -> bytes:
    """Bytes with a few of them flipped, slices deleted or doubled, lies in lengths, other lines, or the end cut off."""
    for _ in range(1 + int(3 * rng.random())):
        start, chance = int(len(data) * rng.random()), rng.random()
        stop = start + 1 + int(30 * rng.random())
        if chance < 0.25:
            data = data[:start] + bytes([rng.getrandbits(8)]) + data[start + 1 :]
        elif chance < 0.4:
            data = data[:start] + data[stop:]
        elif chance < 0.5:
            data = data[:stop] + data[start:]
        elif chance < 0.6:
            data = data[:start]
        elif chance < 0.8:
            head, found, rest = data.partition(b"Content-Length: ")
            data = head + found + rng.choice(_LENGTHS) + rest[rest.find(b"\r\n") :] if found else data[:start]
        elif chance < 0.95:
            end = data.find(b"\n", start) + 1
            data = data[:end] + rng.choice(_LINES) + data[end:]
        else:
            data = data[:start] + rng.randbytes(40) + data[stop:]
    return data
