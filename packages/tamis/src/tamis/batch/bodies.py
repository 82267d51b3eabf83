"""HTTP bodies without their codings: chunks, gzip, deflate, brotli, zstd.

Some archives store the body as it was sent, others decode it and keep the old headers. So a body that does not start
in the coding of its header is used as it is. One that starts in it and then breaks is an error.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable

from tamis.batch.packages import check_memory, fastwarc
from tamis.errors import InputError
from tamis.inputs import MOST_BYTES  # decompression bombs end here

_PIECE = 1 << 20
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_GZIP = b"\x1f\x8b\x08"
_ZSTD = b"\x28\xb5\x2f\xfd"


class BadEncoding(InputError):
    """The body starts in its coding, and then breaks it."""


class BodyTooLarge(InputError):
    """The decoded body has more than MOST_BYTES."""


def decoded(body: bytes, codings: tuple[str, ...]) -> bytes:
    """The body without `codings`, which were applied in this order. Raises BadEncoding and BodyTooLarge."""
    for coding in reversed(codings):
        if coding in ("identity", ""):
            continue
        if coding not in _DECODERS:
            raise BadEncoding(f"the body is coded as {coding!r}, which is not supported")
        body = _DECODERS[coding](body)
    if len(body) > MOST_BYTES:
        raise BodyTooLarge(f"the body has {len(body):,} bytes; the limit is {MOST_BYTES:,}")
    return body


def codings_of(transfer: str | None, content: str | None) -> tuple[str, ...]:
    """The codings that two HTTP headers name, in the order they were applied."""
    named = ",".join(header for header in (content, transfer) if header)
    return tuple(word.strip().lower() for word in named.split(",") if word.strip())


def _without_chunks(body: bytes) -> bytes:
    if not _CHUNK_SIZE.match(body):
        return body  # the archive stores it without chunks
    parts: list[bytes] = []
    at = 0
    while header := _CHUNK_SIZE.match(body, at):
        size, begin = int(header[1], 16), header.end()
        if size == 0:
            return b"".join(parts)
        parts.append(body[begin : begin + size])
        at = begin + size
        if len(parts[-1]) < size or body[at : at + 1] not in (b"\r", b"\n"):
            raise BadEncoding(f"a chunk of {size:,} bytes does not end where it should")
        at += 2 if body[at : at + 2] == b"\r\n" else 1
    raise BadEncoding(f"no chunk begins after {at:,} bytes")


def _is_plain(body: bytes) -> bool:
    """Is this HTML that the archive has decoded already? No coding starts like it."""
    return not body or body.lstrip()[:1] == b"<"


def _without_deflate(body: bytes) -> bytes:
    # The standard means zlib, but many servers send a bare deflate stream.
    has_zlib_header = body[0] & 15 == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    return _inflated(body, zlib.MAX_WBITS if has_zlib_header else -zlib.MAX_WBITS)


def _inflated(body: bytes, window: int) -> bytes:
    stream = zlib.decompressobj(window)
    try:
        plain = stream.decompress(body, MOST_BYTES + 1)
    except zlib.error as error:
        raise BadEncoding(f"the compressed body is broken: {error}") from None
    if not stream.eof and len(plain) <= MOST_BYTES:
        raise BadEncoding("the compressed body is cut off")
    return plain


def _read_through(reader: str, body: bytes) -> bytes:
    """Decode by one of FastWARC's readers, up to the limit and a piece beyond."""
    try:
        with getattr(fastwarc().stream_io, reader)(io.BytesIO(body)) as stream:
            plain = bytearray()
            while len(plain) <= MOST_BYTES and (piece := stream.read(_PIECE)):
                plain += piece
                check_memory(_PIECE)
            return bytes(plain)
    except (OSError, ValueError, EOFError) as error:
        raise BadEncoding(f"the compressed body is broken: {error}") from None


def _without_gzip(body: bytes) -> bytes:
    return _inflated(body, 31) if body.startswith(_GZIP) else body


_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "chunked": _without_chunks,
    "gzip": _without_gzip,
    "x-gzip": _without_gzip,
    "deflate": lambda body: body if _is_plain(body) else _without_deflate(body),
    "br": lambda body: body if _is_plain(body) else _read_through("BrotliReader", body),
    "zstd": lambda body: _read_through("ZstdReader", body) if body.startswith(_ZSTD) else body,
}
