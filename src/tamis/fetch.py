"""One page from the web: http and https only, with limits on time, size and redirects."""

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


class Fetched(NamedTuple):
    """A page as it came: its bytes, where it was in the end, and the charset of its header."""

    data: bytes
    url: str
    charset: str | None


def is_url(source: str) -> bool:
    """Does this name something on the web, and not a file?"""
    return "://" in source[:16]


def fetch(url: str, *, timeout: float = TIMEOUT, max_bytes: int = MAX_BYTES) -> Fetched:
    """Fetch a page. Raises FetchError with one line that says what went wrong."""
    try:
        import httpx  # noqa: F401
    except ImportError:
        raise MissingExtra("reading a URL", "cli") from None
    # A server can send its header a letter at a time and never let a single read time out, so the
    # whole request runs beside us and is left behind when its time is over.
    answer: list[Fetched | FetchError] = []
    worker = threading.Thread(target=lambda: answer.append(_attempt(url, timeout, max_bytes)), daemon=True)
    worker.start()
    worker.join(timeout + 1)  # the request has its own idea of when time is over
    if not answer:
        raise FetchError(f"{url}: no answer within {timeout:g} s")
    if isinstance(answer[0], FetchError):
        raise answer[0]
    return answer[0]


def _attempt(url: str, timeout: float, max_bytes: int) -> Fetched | FetchError:
    """The page, or what went wrong."""
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
    except Exception as error:  # whatever goes wrong in the other thread must be told in this one
        return FetchError(f"{url}: {type(error).__name__}: {error}")


def _request(url: str, timeout: float, max_bytes: int) -> Fetched:
    import httpx

    deadline = time.monotonic() + timeout
    agent = {"user-agent": "Mozilla/5.0 (compatible; tamis)", "accept": "text/html,application/xhtml+xml,*/*;q=0.5"}
    with (
        httpx.Client(follow_redirects=True, max_redirects=MAX_REDIRECTS, timeout=timeout, headers=agent) as client,
        client.stream("GET", url) as response,
    ):
        if response.status_code >= 400:
            raise FetchError(f"{url}: the server answered {response.status_code} {response.reason_phrase}")
        kind = response.headers.get("content-type", "")
        if kind and not kind.lower().startswith(_PAGE_TYPES):
            raise FetchError(f"{url}: this is {kind.split(';')[0]}, not a web page")
        data = bytearray()
        for chunk in response.iter_bytes():
            data += chunk
            if len(data) > max_bytes:
                raise FetchError(f"{url}: larger than {max_bytes:,} bytes")
            if time.monotonic() > deadline:
                raise FetchError(f"{url}: took longer than {timeout:g} s")
        return Fetched(bytes(data), str(response.url), charset_of(kind))


def charset_of(content_type: str | None) -> str | None:
    """The charset parameter of an HTTP Content-Type header, if it has one."""
    match = re.search(r"charset\s*=\s*[\"']?\s*([^\s\"';]+)", content_type or "", re.IGNORECASE)
    return match.group(1) if match else None
