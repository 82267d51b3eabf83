"""The forms of a page: text, bytes, a file, a fetched page, a response, or the tree of a parser.

A str and bytes are content and never reach the file system or the network. If one is only a URL or the name of a page's
file, it is refused, and the message has the call that was meant.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from copy import copy, deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from tamis.errors import InputError, OptionError

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")

# At most this much is read of a file, standard input or a record of a batch. A page within the limits is smaller in
# every encoding.
MOST_BYTES = 100_000_000

# The first bytes of files that are not web pages.
_SIGNATURES = {
    b"%PDF-": "a PDF file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF87a": "a GIF image",
    b"GIF89a": "a GIF image",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip file",
    b"\x7fELF": "a program",
    b"PAR1": "a Parquet file",
    b"WARC/": "a WARC archive",
}

# Control characters that text never has. ISO-2022-JP uses ESC, and some old pages have form feeds.
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
# In the first bytes of random or compressed data, one in ten is such a character; of 8,624 files of fourteen corpora,
# none has more than one in 600. A few bytes make no difference.
_MOST_CONTROLS = 0.02  # of the first bytes
_FEW_CONTROLS = 50
_FIRST_BYTES = 16_384

# Longer input is not checked: no working URL is that long, and every real page is longer.
_LONGEST_NAME = 2_000
_LONGEST_SHOWN = 200  # characters in a message
_LONGEST_TIMEOUT = 10.0**9  # seconds
_URL = re.compile(r"https?://\S+", re.IGNORECASE)


class RawPage(NamedTuple):
    """A page as bytes, with its address, the charset of its HTTP header and the rest of the answer, as far as known.

    `tamis.fetch` returns it and `tamis.extract` accepts it. Wrap a page that another library has fetched:
    `tamis.RawPage(response.content, url)`. Status and headers help to tell the state of the page.
    """

    data: bytes
    url: str | None = None
    charset: str | None = None
    status: int | None = None  # of HTTP
    headers: Mapping[str, str] | None = None  # of HTTP

    def __repr__(self) -> str:
        return f"RawPage({len(self.data):,} bytes, url={self.url!r}, charset={self.charset!r})"


# The last one is a response or a tree of another library.
PageInput = str | bytes | bytearray | memoryview | os.PathLike[str] | RawPage | Any

_ACCEPTED = (
    "a page is str, bytes, a Document, a path (pathlib.Path), what tamis.fetch(url) returns, a Scrapy response, "
    "or a tree of lxml, Beautiful Soup, selectolax, turbohtml, xml.etree or parsel"
)


class NotAPage(InputError):
    """A PDF, an image or another file that is not a web page."""


class NotContent(OptionError):
    """The str or bytes is a URL or the name of a file; the message has the call that was meant."""


class Content(NamedTuple):
    """The content of a page, its address and its charset."""

    html: str | bytes
    url: str | None = None
    charset: str | None = None  # that the server named; for bytes only
    status: int | None = None  # of HTTP
    headers: Mapping[str, str] | None = None  # of HTTP


def content_of(page: PageInput) -> Content:
    """The content of a page in any form except a `Document`.

    Raises InputError if a file can't be read, NotAPage for the bytes of a PDF, an image and so on, NotContent for a URL
    or a file name, and OptionError for other objects.
    """
    if isinstance(page, Content):
        return page
    if isinstance(page, bytearray | memoryview):
        page = bytes(page)
    if isinstance(page, str | bytes):
        _check_is_content(page)
        if isinstance(page, bytes):
            check_signature(page)
        return Content(page)
    if isinstance(page, RawPage):
        if not isinstance(page.data, bytes) or not all(isinstance(each, str | None) for each in page[1:3]):
            raise OptionError("a RawPage has bytes, and a str or None as url and charset")
        if not isinstance(page.status, int | None) or not isinstance(page.headers, Mapping | None):
            raise OptionError("the status of a RawPage is an int or None, its headers are a mapping or None")
        check_signature(page.data, charset=page.charset)
        return Content(*page)
    if isinstance(page, os.PathLike):
        return Content(*read_file(page))
    if _is_response(page):
        return content_of(RawPage(page.body, page.url, page.encoding, page.status, _headers_of(page)))
    if (tree := read_tree(page)) is not None:
        return tree
    raise OptionError(f"{_ACCEPTED}; this is {type(page).__name__}{_advice_for_type(page)}")


def check_encoding(name: str) -> None:
    """Raise OptionError if there is no encoding with this name."""
    from tamis.document.parse import known_encoding  # its room imports NumPy, and a help text must be fast

    if not known_encoding(name):
        raise OptionError(f"no encoding is called {name!r}")


def check_timeout(timeout: float) -> None:
    """Raise OptionError unless this is a possible number of seconds."""
    if not (isinstance(timeout, int | float) and 0 < timeout < _LONGEST_TIMEOUT):
        raise OptionError("a timeout is a number of seconds above zero")


def _is_response(page: Any) -> bool:
    """Does it have the attributes of a Scrapy response? A request lacks the status."""
    return isinstance(getattr(page, "body", None), bytes) and all(
        hasattr(page, name) for name in ("url", "encoding", "status")
    )


def _headers_of(response: Any) -> Mapping[str, str] | None:
    """The headers of a Scrapy response; None if they have another form."""
    write = getattr(getattr(response, "headers", None), "to_unicode_dict", None)
    found = write() if callable(write) else None
    return found if isinstance(found, Mapping) else None


def _advice_for_type(page: Any) -> str:
    """How to call for an object of this kind."""
    if "content" in dir(page):  # of httpx or requests; getting its value may read from the network
        return ": give tamis.RawPage(response.content, url)"
    return ", an open file: give what its read() returns" if hasattr(page, "read") else ""


def _check_is_content(page: str | bytes) -> None:
    """Raise NotContent for a URL or the name of a file."""
    if len(page) > _LONGEST_NAME:
        return
    line = (page if isinstance(page, str) else page.decode("utf-8", "replace")).strip()
    if "<" in line or len(line.splitlines()) != 1:
        return
    if _URL.fullmatch(line):
        from tamis.document.addresses import without_credentials  # its room imports NumPy, and a help text must be fast

        raise NotContent(
            f"{_quoted_start(without_credentials(line))} is a URL, not a page: give tamis.fetch(url) instead"
        )
    if line.lower().endswith(PAGE_SUFFIXES):
        raise NotContent(f"{_quoted_start(line)} is a file name, not a page: give pathlib.Path(name) instead")


def _quoted_start(line: str) -> str:
    return repr(line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…")


def read_file(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> RawPage:
    """The page in a file. Raises InputError if it can't be read or is not a web page."""
    name = os.fsdecode(path)
    try:
        with Path(name).open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{name!r}: {error}") from None
    check_signature(data, name)
    return RawPage(data)


def leads_out(path: Path, folder: Path) -> bool:
    """Does a symbolic link make this path lead out of the folder? A stranger may have put it there."""
    return not path.resolve().is_relative_to(folder.resolve())


def check_signature(data: bytes | bytearray, name: str | None = None, charset: str | None = None) -> None:
    """Raise NotAPage for the bytes of a PDF, an image and so on, and for bytes that are not text.

    `name` is the source in the message; `charset` comes from the HTTP header.
    """
    kind = next((kind for signature, kind in _SIGNATURES.items() if data.startswith(signature)), None)
    if kind is None and _is_binary(bytes(data[:_FIRST_BYTES]), charset):
        kind = "binary data"
    if kind:
        raise NotAPage(f"{f'{name}: ' if name else ''}this is {kind}, not a web page")


def _is_binary(data: bytes, charset: str | None) -> bool:
    if _too_many(len(data) - len(data.translate(None, _CONTROLS)), len(data)):
        from tamis.document.decode import decode  # its room imports NumPy, and a help text must be fast

        text = decode(data, encoding=charset).text  # in UTF-16, half of all bytes may be control characters
        return _too_many(sum(text.count(each) for each in ("\ufffd", *map(chr, _CONTROLS))), len(text))
    return False


def _too_many(controls: int, size: int) -> bool:
    return controls > _FEW_CONTROLS and controls > _MOST_CONTROLS * size


# Trees of other libraries. A library is recognised by the module of a class or of one of its bases, and never imported
# here: a caller who has a tree has imported it already.


def read_tree(page: Any) -> Content | None:
    """The tree of a known library as HTML; None for any other object. Raises InputError for one that is too deep."""
    packages = {base.__module__.partition(".")[0] for base in type(page).__mro__}
    write = next((_WRITERS[package] for package in _WRITERS if package in packages), None)
    try:
        return write(page) if write else None
    except RecursionError:
        raise InputError(f"the {type(page).__name__} is nested too deeply to be written as HTML") from None


def _content_of_lxml(page: Any) -> Content | None:
    etree: Any = sys.modules["lxml.etree"]
    if not (etree.iselement(page) or hasattr(page, "getroot")):
        return None
    tree = page if hasattr(page, "getroot") else page.getroottree()
    address = tree.docinfo.URL if tree.getroot() is not None else None
    url = address if (address or "").lower().startswith(("http://", "https://")) else None
    html = etree.tostring(_without_namespaces(page), method="html", encoding="unicode", with_tail=False)
    return Content(html or "", url)


def _xml_etree(page: Any) -> Content | None:
    etree: Any = sys.modules.get("xml.etree.ElementTree")
    root = page.getroot() if hasattr(page, "getroot") else page
    if etree is None or not (root is None or etree.iselement(root)):
        return None
    if root is None:
        return Content("")
    part = copy(_without_namespaces(root))
    part.tail = None  # the text after a part of a page
    return Content(etree.tostring(part, method="html", encoding="unicode"))


def _without_namespaces(page: Any) -> Any:
    """The page itself, or a copy without namespaces: XML would write them as part of names that HTML lacks."""
    root = page.getroot() if hasattr(page, "getroot") else page
    if root is None or not any(isinstance(node.tag, str) and node.tag.startswith("{") for node in root.iter()):
        return page
    plain = deepcopy(root)
    for node in plain.iter():
        if isinstance(node.tag, str):
            node.tag = node.tag.rpartition("}")[2]
    return plain


def _beautiful_soup(page: Any) -> Content | None:
    return Content(str(page)) if hasattr(page, "decode") else None


def _by_html_property(page: Any) -> Content | None:
    html = getattr(page, "html", None)
    return Content(html) if isinstance(html, str) else None


def _content_of_selector(page: Any) -> Content | None:
    """A selector of parsel or Scrapy over a tree of lxml, or a list of them."""
    if isinstance(page, list):
        found = [each for each in map(_content_of_selector, page) if each]
        return Content("".join(str(each.html) for each in found), found[0].url if found else None)
    return read_tree(getattr(page, "root", None)) or (Content(str(page.get())) if hasattr(page, "get") else None)


_WRITERS: dict[str, Callable[[Any], Content | None]] = {
    "lxml": _content_of_lxml,
    "xml": _xml_etree,
    "bs4": _beautiful_soup,
    "selectolax": _by_html_property,
    "turbohtml": _by_html_property,
    "parsel": _content_of_selector,
    "scrapy": _content_of_selector,
}
