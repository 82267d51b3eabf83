from __future__ import annotations

import gzip
import zlib
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.batch.bodies import BadEncoding, BodyTooLarge, codings_of, decoded
from tests.batch.archives import zstd

brotli = import_module("brotli")  # comes with FastWARC, without types
HTML = b"<html><p>Some words of a page.</p></html>" * 20


def chunked(body: bytes, size: int = 100) -> bytes:
    parts = [body[begin : begin + size] for begin in range(0, len(body), size)]
    return b"".join(b"%x;x=y\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def bare_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


CODED = {
    "gzip": gzip.compress(HTML),
    "x-gzip": gzip.compress(HTML),
    "deflate": zlib.compress(HTML),
    "br": brotli.compress(HTML),
    "zstd": zstd(HTML),
    "chunked": chunked(HTML),
    "identity": HTML,
}


@pytest.mark.parametrize("coding", CODED)
def test_a_coding_is_taken_off_unless_the_archive_has_done_that(coding: str) -> None:
    assert decoded(CODED[coding], (coding,)) == HTML
    assert decoded(HTML, (coding,)) == HTML
    assert decoded(b"", (coding,)) == b""


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "chunked"])
def test_a_body_that_breaks_off_is_an_error(coding: str) -> None:
    with pytest.raises(BadEncoding):
        decoded(CODED[coding][:-12], (coding,))


def test_codings_come_off_in_the_order_they_were_put_on() -> None:
    codings = codings_of("chunked", "deflate, GZIP")
    assert codings == ("deflate", "gzip", "chunked")
    assert decoded(chunked(gzip.compress(bare_deflate(HTML))), codings) == HTML
    assert codings_of(None, None) == ()


@given(st.binary(max_size=300), st.integers(1, 50))
def test_chunks_are_put_together(body: bytes, size: int) -> None:
    assert decoded(chunked(body, size), ("chunked",)) == body


@pytest.mark.parametrize(
    ("body", "coding", "words"),
    [
        (b"5\r\nabcdefgh\r\n0\r\n\r\n", "chunked", "does not end where it should"),
        (b"5\r\nabcde\r\nzz\r\n", "chunked", "no chunk begins after 10 bytes"),
        (HTML, "sdch", "'sdch', which is not supported"),
    ],
)
def test_broken_chunks_and_unknown_codings_are_errors(body: bytes, coding: str, words: str) -> None:
    with pytest.raises(BadEncoding, match=words):
        decoded(body, (coding,))


@pytest.mark.parametrize("coding", ["gzip", "zstd", "br", "identity"])
def test_a_bomb_ends_at_the_limit(coding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.batch.bodies.MOST_BYTES", 500)
    with pytest.raises(BodyTooLarge):
        decoded(CODED[coding], (coding,))
