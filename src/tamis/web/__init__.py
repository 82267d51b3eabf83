"""Fetch one page from the web: the request, the addresses it may go to, the connection and its deadline."""

from __future__ import annotations

from tamis.errors import OptionError
from tamis.inputs import RawPage, check_timeout

MAX_BYTES = 20_000_000
TIMEOUT = 30.0  # seconds for the whole page


def is_url(source: str) -> bool:
    """Is this a URL, not the name of a file?"""
    return "://" in source[:16]


def fetch(url: str, *, timeout: float = TIMEOUT, max_bytes: int = MAX_BYTES, allow_private: bool = False) -> RawPage:
    """Fetch a page from the web, for `tamis.extract`, which opens no connection itself.

    Args:
        url: An http or https address. A user name and password in it are sent as basic authentication.
        timeout: The most seconds for the whole page.
        max_bytes: The most bytes of the page, unpacked.
        allow_private: Fetch also what is not public: this machine, the local network, the cloud's own services. A
            redirect from a public address to one that is not is still refused.

    Returns:
        The bytes, the address after redirects, without credentials, and the charset of the HTTP header.

    Raises:
        FetchError: There is no such page, or it is too large, too slow or refused.
        OptionError: The URL is no str, or `timeout` or `max_bytes` is no number above zero.
        MissingExtra: The extra `cli` is not installed.
    """
    if not isinstance(url, str):
        raise OptionError(f"a URL is a str, not {type(url).__name__}")
    check_timeout(timeout)
    if not isinstance(max_bytes, int) or max_bytes < 1:
        raise OptionError("max_bytes is a whole number above zero")
    from tamis.web.request import request  # what it imports takes longer than to extract a file

    return request(url, timeout, max_bytes, allow_private)
