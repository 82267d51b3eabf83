"""The content of a page, in whatever form the caller has it.

A str and bytes are content and never reach the file system or the network. If one is only a URL or the name of a page's
file, it is refused, and the message has the call that was meant.
"""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from tamis.errors import OptionError
from tamis.inputs.files import PAGE_SUFFIXES, RawPage, check_signature, read_file
from tamis.inputs.trees import read_tree

# Longer input is not checked: no working URL is that long, and every real page is longer.
_LONGEST_NAME = 2_000
_LONGEST_SHOWN = 200  # characters in a message
_LONGEST_TIMEOUT = 10.0**9  # seconds
_URL = re.compile(r"https?://\S+", re.IGNORECASE)

# The last one is a response or a tree of another library.
PageInput = str | bytes | bytearray | memoryview | os.PathLike[str] | RawPage | Any

_ACCEPTED = (
    "a page is str, bytes, a Document, a path (pathlib.Path), what tamis.fetch(url) returns, a Scrapy response, "
    "or a tree of lxml, Beautiful Soup, selectolax, turbohtml, xml.etree or parsel"
)


class Content(NamedTuple):
    """The content of a page, its address and its charset."""

    html: str | bytes
    url: str | None = None
    charset: str | None = None  # that the server named; for bytes only


class NotContent(OptionError):
    """The str or bytes is a URL or the name of a file; the message has the call that was meant."""


def content_of(page: PageInput) -> Content:
    """The content of a page in any form except a `Document`.

    Raises InputError if a file can't be read, NotAPage for the bytes of a PDF, an image and so on, NotContent for a URL
    or a file name, and OptionError for other objects.
    """
    if isinstance(page, bytearray | memoryview):
        page = bytes(page)
    if isinstance(page, str | bytes):
        _check_is_content(page)
        if isinstance(page, bytes):
            check_signature(page)
        return Content(page)
    if isinstance(page, RawPage):
        if not isinstance(page.data, bytes) or not all(isinstance(each, str | None) for each in page[1:]):
            raise OptionError("a RawPage has bytes, and a str or None as url and charset")
        check_signature(page.data, charset=page.charset)
        return Content(*page)
    if isinstance(page, os.PathLike):
        return Content(*read_file(page))
    if _is_response(page):
        return content_of(RawPage(page.body, page.url, page.encoding))
    if (tree := read_tree(page)) is not None:
        return Content(*tree)
    raise OptionError(f"{_ACCEPTED}; this is {type(page).__name__}{_advice(page)}")


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


def _advice(page: Any) -> str:
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

        raise NotContent(f"{_quoted(without_credentials(line))} is a URL, not a page: give tamis.fetch(url) instead")
    if line.lower().endswith(PAGE_SUFFIXES):
        raise NotContent(f"{_quoted(line)} is a file name, not a page: give pathlib.Path(name) instead")


def _quoted(line: str) -> str:
    return repr(line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…")
