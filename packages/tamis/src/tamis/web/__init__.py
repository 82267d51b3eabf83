"""Fetch one page from the web: the rules, the request, the addresses it may go to, the connection and its deadline."""

from __future__ import annotations

from tamis.inputs import RawPage
from tamis.web.fetcher import MAX_BYTES, TIMEOUT, USER_AGENT, Fetcher, FetchRules

__all__ = ["MAX_BYTES", "TIMEOUT", "USER_AGENT", "FetchRules", "Fetcher", "fetch", "is_url"]


def is_url(source: str) -> bool:
    """Is this a URL, not the name of a file?"""
    return "://" in source[:16]


def fetch(
    url: str, *, timeout: float = TIMEOUT, max_bytes: int = MAX_BYTES, allow_private: bool = False, robots: bool = False
) -> RawPage:
    """Fetch a page from the web, for `tamis.extract`, which opens no connection itself.

    Args:
        url: An http or https address. A user name and password in it are sent as basic authentication.
        timeout: The most seconds for the whole page.
        max_bytes: The most bytes of the page, unpacked.
        allow_private: Also fetch addresses that are not public: this machine, the local network, the cloud's own
            services. A redirect from a public address to a private one is still refused.
        robots: Fetch only pages that the site's robots.txt allows to `tamis`. Each call fetches it again; a
            `tamis.web.Fetcher` remembers it.

    Returns:
        The bytes, the address after redirects, without credentials, and the charset of the HTTP header.

    Raises:
        FetchError: The page does not exist, is too large or is not a web page. Its subclasses: FetchRefused if the
            address is not public, not http or https, or robots.txt forbids it; FetchTimeout if it is too slow.
        OptionError: The URL is not a str, or `timeout` or `max_bytes` is not a number above zero.
        MissingExtra: The extra `cli` is not installed, or `server`, for robots.txt.
    """
    rules = FetchRules(timeout=timeout, max_bytes=max_bytes, allow_private=allow_private, robots=robots)
    return Fetcher(rules).fetch(url)
