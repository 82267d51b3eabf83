"""WARC records as bytes, sound and broken, and pages to put into them."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from tamis.batch.packages import arrow, fastwarc

# Columns that cost next to nothing, for tests of everything else.
CHEAP = "default,-metadata,-page_type,-page_type_confidence"

SENTENCE = "The harbour of the old town has been rebuilt after the storm, and the boats are coming in again. "


def page(number: int, words: str = "") -> bytes:
    """A small page whose content every extractor keeps."""
    text = f"<p>{SENTENCE}{words} This is page number {number} of the archive. {SENTENCE}</p>"
    return f"<html lang=en><head><title>Page {number}</title></head><body>{text}</body></html>".encode()


def response(
    number: int, body: bytes | None = None, headers: Sequence[str] = ("Content-Type: text/html",), status: int = 200
) -> bytes:
    """An HTTP response record."""
    http = f"HTTP/1.1 {status} OK\r\n{''.join(f'{header}{chr(13)}{chr(10)}' for header in headers)}\r\n".encode()
    return record("response", number, http + (page(number) if body is None else body), "application/http")


def record(kind: str, number: int, block: bytes, content_type: str) -> bytes:
    """A record of any type."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:08}>\r\n"
        f"WARC-Target-URI: https://example.org/{number}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def identity(number: int) -> str:
    """The id of a record in its row."""
    return f"<urn:uuid:{number:08}>"


def zstd(data: bytes) -> bytes:
    """One frame."""
    buffer = io.BytesIO()
    writer = fastwarc().stream_io.ZstdWriter(buffer)
    writer.write(data)
    writer.finish()
    writer.flush()
    return buffer.getvalue()


def zipped(data: bytes) -> bytes:
    """One gzip member."""
    return gzip.compress(data, mtime=0)


PACKERS: dict[str, Callable[[bytes], bytes]] = {".warc": bytes, ".warc.gz": zipped, ".warc.zst": zstd}


def write_input(path: Path, pages: Sequence[bytes]) -> Path:
    """Write pages in the format of a name: whole.warc.gz is packed as one, and a name without a suffix is a folder."""
    records = [response(number, html) for number, html in enumerate(pages)]
    lines = [json.dumps({"html": html.decode(), "id": str(number)}).encode() for number, html in enumerate(pages)]
    if not path.suffix:
        for number, html in enumerate(pages):
            (path / f"{number // 8:02}").mkdir(parents=True, exist_ok=True)
            (path / f"{number // 8:02}" / f"{number:03} ü.html").write_bytes(html)
    elif path.suffix == ".parquet":
        table = arrow().table({"html": pages, "id": [str(number) for number in range(len(pages))]})
        arrow().parquet.write_table(table, path, row_group_size=max(len(pages) // 6, 1))
    elif ".jsonl" in path.name:
        data = b"\n".join([*lines, b""])
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    elif path.name == "whole.warc.gz":
        path.write_bytes(gzip.compress(b"".join(records)))
    else:
        path.write_bytes(b"".join(map(PACKERS["".join(path.suffixes)], records)))
    return path
