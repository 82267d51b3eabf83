"""Fetch one page from the web: http and https only, with limits on time, size and redirects."""

from __future__ import annotations

import re
import threading
import time
from typing import NamedTuple
from urllib.parse import urlsplit

from tamis.errors import FetchError, MissingExtra

MAX_BYTES = 20_000_000
TIMEOUT = 30.0  # seconds for the whole page
MAX_REDIRECTS = 10

_PAGE_TYPES = ("text/", "application/xhtml+xml", "application/xml")


class RawPage(NamedTuple):
    """A page as bytes, with its address and the charset of its HTTP header, if they are known."""

    data: bytes
    url: str | None
    charset: str | None


def is_url(source: str) -> bool:
    """Is this a URL, not the name of a file?"""
    return "://" in source[:16]


def fetch(url: str, *, timeout: float = TIMEOUT, max_bytes: int = MAX_BYTES) -> RawPage:
    """Fetch a page; its address is that after redirects. Raises FetchError."""
    try:
        import httpx  # noqa: F401
    except ImportError:
        raise MissingExtra("reading a URL", "cli") from None
    # A server that sends its header byte by byte never lets a single read time out. So the request runs in another
    # thread, which is abandoned when the time is over.
    results: list[RawPage | FetchError] = []
    thread = threading.Thread(target=lambda: results.append(_attempt(url, timeout, max_bytes)), daemon=True)
    thread.start()
    thread.join(timeout + 1)  # the request has a time limit of its own
    if not results:
        raise FetchError(f"{url}: no answer within {timeout:g} s")
    if isinstance(results[0], FetchError):
        raise results[0]
    return results[0]


def _attempt(url: str, timeout: float, max_bytes: int) -> RawPage | FetchError:
    """The page, or an error for the thread that waits."""
    import httpx

    try:
        scheme = urlsplit(url).scheme.lower()
        if scheme not in ("http", "https"):
            return FetchError(f"{url}: only http and https are fetched, not {scheme or 'this'}")
        return _request(url, timeout, max_bytes)
    except FetchError as error:
        return error
    except httpx.TimeoutException:
        return FetchError(f"{url}: no answer within {timeout:g} s")
    except Exception as error:  # every error has to reach the thread that waits
        return FetchError(f"{url}: {type(error).__name__}: {error}")


def _request(url: str, timeout: float, max_bytes: int) -> RawPage:
    import httpx

    deadline = time.monotonic() + timeout
    headers = {"user-agent": "Mozilla/5.0 (compatible; tamis)", "accept": "text/html,application/xhtml+xml,*/*;q=0.5"}
    with (
        httpx.Client(follow_redirects=True, max_redirects=MAX_REDIRECTS, timeout=timeout, headers=headers) as client,
        client.stream("GET", url) as response,
    ):
        if response.status_code >= 400:
            raise FetchError(f"{url}: the server answered {response.status_code} {response.reason_phrase}")
        content_type = response.headers.get("content-type", "")
        if content_type and not content_type.lower().startswith(_PAGE_TYPES):
            raise FetchError(f"{url}: this is {content_type.split(';')[0]}, not a web page")
        data = bytearray()
        for chunk in response.iter_bytes():
            data += chunk
            if len(data) > max_bytes:
                raise FetchError(f"{url}: larger than {max_bytes:,} bytes")
            if time.monotonic() > deadline:
                raise FetchError(f"{url}: took longer than {timeout:g} s")
        return RawPage(bytes(data), str(response.url), charset_of(content_type))


def charset_of(content_type: str | None) -> str | None:
    """The charset parameter of an HTTP Content-Type header, if it has one."""
    match = re.search(r"charset\s*=\s*[\"']?\s*([^\s\"';]+)", content_type or "", re.IGNORECASE)
    return match.group(1) if match else None
