"""Decodes bytes as a browser does, but does not trust a wrong label.

The order is: byte-order mark, the charset of the HTTP header, the page's own ``<meta>``, detection. Two rules override
a label: bytes that are valid UTF-8 are UTF-8 (text in another encoding is practically never valid), and bytes that are
not valid UTF-8 are in another encoding.
"""

from __future__ import annotations

import codecs
from typing import NamedTuple

from tamis.document import parse

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))

# An encoding of ASCII bytes only: such a page is valid UTF-8, but is not UTF-8.
_SEVEN_BIT = "iso-2022-jp"
_ESCAPE = b"\x1b"  # without it, ISO-2022-JP is plain ASCII

_WIDE = ("utf-16le", "utf-16be")
_WIDE_WINDOW = 512

# With fewer errors than one in this many bytes a page is UTF-8 with a few damaged places (a cut-off end, a stray byte
# of an advertisement). Legacy text in an 8-bit encoding has far more errors in any language.
_BYTES_PER_TOLERATED_ERROR = 2_000

# How much of the page is searched for its <meta charset>. Browsers search 1,024 bytes, but some pages have it behind
# long inline scripts.
_META_WINDOW = 16_384


class DecodedPage(NamedTuple):
    """The text of a page and the encoding it was read in (a WHATWG or Python name)."""

    text: str
    encoding: str


def decode(data: bytes, *, encoding: str | None = None) -> DecodedPage:
    """Decode the bytes of a page. Never fails: bytes that can't be decoded become U+FFFD.

    `encoding` is the charset of the HTTP header; an unknown name is ignored.
    """
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return DecodedPage(data[len(mark) :].decode(codec, "replace"), codec)

    declared = parse.known_encoding(encoding) if encoding else None
    if 0 in data[:_WIDE_WINDOW] and (wide := declared if declared in _WIDE else _utf16_without_mark(data)):
        return DecodedPage(data.decode(wide, "replace"), wide)
    if _ESCAPE in data and (declared or parse.meta_encoding(data[:_META_WINDOW])) == _SEVEN_BIT:
        return DecodedPage(parse.decode_as(data, _SEVEN_BIT), _SEVEN_BIT)
    try:
        return DecodedPage(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    declared = declared or parse.meta_encoding(data[:_META_WINDOW])
    if declared is None or declared in ("utf-8", *_WIDE):
        lenient = data.decode("utf-8", "replace")
        errors = lenient.count("\ufffd") - data.count("\ufffd".encode())
        if errors * _BYTES_PER_TOLERATED_ERROR <= len(data):
            return DecodedPage(lenient, "utf-8")
        declared = parse.detect_encoding(data)
    return DecodedPage(parse.decode_as(data, declared), declared)


def charset_of(content_type: str | None) -> str | None:
    """The charset parameter of an HTTP Content-Type header, if it has one."""
    for parameter in (content_type or "").split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return value.strip(" \t\r\n\"'") or None
    return None


def clean_text(html: str) -> str:
    """Return `html` without lone surrogates, which no output encoding can write."""
    if html.isascii():
        return html
    try:
        html.encode("utf-8")
    except UnicodeEncodeError:
        # A pair of surrogates is one character in UTF-16; only lone surrogates are damage.
        return html.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return html


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 text in a Latin script has a NUL in every other byte."""
    head = data[:_WIDE_WINDOW]
    if len(head) < 4 or head.count(0) * 5 < len(head) * 2:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 4 * even:
        return "utf-16le"
    return "utf-16be" if even > 4 * odd else None
