"""Fetch one page from the web: http and https only, with limits on time, size and redirects.

Redirects are followed here, one hop at a time. A hop resolves its host once, judges all of its addresses, and connects
to these alone, so a name that resolves to another address later has no effect. The body of a redirect or an error page
is never read.

Proxies of the environment (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`) are used, as most tools do. A proxy
resolves names itself, so behind one only hosts that spell out an address are judged.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, unquote_to_bytes, urlsplit
from urllib.request import getproxies, proxy_bypass

from tamis.errors import FetchError, MissingExtra
from tamis.inputs import NotAPage, RawPage, check_signature
from tamis.web.addresses import Address, is_public, literal
from tamis.web.connection import Backend, Deadline, DeadlinePassed, Unresolved, resolve

if TYPE_CHECKING:
    from ssl import SSLContext

    from httpcore import ConnectionPool, Response
    from httpx import URL, Cookies, Headers

MAX_REDIRECTS = 10

_PAGE_TYPES = ("text/", "application/xhtml+xml", "application/xml")
_HEADERS = {
    "user-agent": "Mozilla/5.0 (compatible; tamis)",
    "accept": "text/html,application/xhtml+xml,*/*;q=0.5",
    "accept-encoding": "gzip, deflate",  # zlib unpacks these piece by piece, and every server has them
}
_PIECE = 65_536  # bytes that are unpacked at once
_COOKIE = 4_096  # ASCII characters; browsers ignore longer cookies too
_NO_URL = "this is not a URL: a URL begins with https:// or http://. For a file: tamis.extract(pathlib.Path(name))"
_WORDS = 200  # characters of a server's words in an error message


class _Refused(Exception):
    """Why there is no page."""


def request(url: str, timeout: float, max_bytes: int, allow_private: bool) -> RawPage:
    """`tamis.fetch`. Raises FetchError and MissingExtra."""
    try:
        import httpcore
        import httpx
    except ImportError:
        raise MissingExtra("reading a URL", "cli") from None
    from tamis.document.urls import without_credentials

    try:
        return _follow(httpx.URL(url), Deadline(timeout), max_bytes, allow_private)
    except (DeadlinePassed, httpcore.TimeoutException):
        why = f"took longer than {timeout:g} s"
    except (_Refused, NotAPage, Unresolved) as refused:
        why = str(refused)
    except (
        *(httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError),
        *(httpx.InvalidURL, OSError, ValueError, zlib.error),
    ) as error:
        why = f"{type(error).__name__}: {error}"
    raise FetchError(f"{without_credentials(url)}: {why[:_WORDS]}")


def _follow(url: URL, deadline: Deadline, max_bytes: int, allow_private: bool) -> RawPage:
    import httpx

    cookies = httpx.Cookies()
    for hop in range(MAX_REDIRECTS + 1):
        if url.scheme not in ("http", "https"):
            is_name = len(url.scheme) < 2  # C:/page.html has a drive
            raise _Refused(_NO_URL if is_name else f"only http and https are fetched, not {url.scheme}")
        if not url.host:
            raise _Refused("the address has no host")
        if "%" in url.host and ":" not in url.host:  # IPv6 may have a zone behind one
            raise _Refused("the host has an escaped character")
        route = _route(url, deadline)
        private = next((address for address in route.judged if not is_public(address)), None)
        if private and not allow_private:
            hint = "a redirect may not lead there" if hop else "allow_private or --allow-private fetches it"
            host = url.host if url.host == str(private) else f"{url.host} ({private})"
            raise _Refused(f"{host} is not a public address; {hint}")
        allow_private = private is not None  # from the public web no redirect leads back
        with _answer(url, cookies, route, deadline) as response:
            headers = httpx.Headers(response.headers)
            if response.status in (301, 302, 303, 307, 308) and "location" in headers:
                _remember(cookies, url, headers)
                url = _target(url, headers["location"])
                continue
            return _page(response, url, headers, deadline, max_bytes)
    raise _Refused(f"more than {MAX_REDIRECTS} redirects")


class _Route(NamedTuple):
    """How a hop reaches its host."""

    addresses: list[Address]  # to connect to: those of the host, or those of the proxy
    judged: list[Address]  # those of the host that are known
    proxy: str | None


def _route(url: URL, deadline: Deadline) -> _Route:
    port = url.port or {"http": 80, "https": 443}[url.scheme]
    host = url.raw_host.decode("ascii")
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(f"{host}:{port}"):
        addresses = resolve(host, port, deadline)
        return _Route(addresses, addresses, None)
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _Refused(f"a proxy is an http or https address, not one of {parts.scheme}")
    proxy_port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    known = literal(host)
    return _Route(resolve(parts.hostname, proxy_port, deadline), [known] if known else [], parts.geturl())


@contextmanager
def _answer(url: URL, cookies: Cookies, route: _Route, deadline: Deadline) -> Iterator[Response]:
    """The answer to one request, on a connection of its own that is closed at the end."""
    import httpcore
    import httpx

    request = httpx.Request("GET", url, headers=_HEADERS, cookies=cookies)
    if url.userinfo:
        request.headers["authorization"] = _basic(url.userinfo)
    target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
    context = httpx.create_ssl_context() if url.scheme == "https" else None
    with _pool(route, deadline, context) as pool, pool.stream("GET", target, headers=request.headers.raw) as response:
        yield response


def _pool(route: _Route, deadline: Deadline, context: SSLContext | None) -> ConnectionPool:
    import httpcore

    backend = Backend(route.addresses, deadline)
    if route.proxy is None:
        return httpcore.ConnectionPool(ssl_context=context, network_backend=backend)
    parts = urlsplit(route.proxy)
    user = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return httpcore.HTTPProxy(route.proxy, user, ssl_context=context, network_backend=backend)


def _basic(userinfo: bytes) -> str:
    """The header for the credentials of a URL."""
    user, _, password = map(unquote_to_bytes, userinfo.partition(b":"))
    return "Basic " + b64encode(user + b":" + password).decode("ascii")


def _remember(cookies: Cookies, url: URL, headers: Headers) -> None:
    """Keep the cookies of a redirect: many sites redirect until they get theirs back."""
    import httpx

    found = [value for value in headers.get_list("set-cookie") if len(value) <= _COOKIE and value.isascii()]
    given = [("set-cookie", value) for value in found]
    cookies.extract_cookies(httpx.Response(200, headers=given, request=httpx.Request("GET", url)))


def _target(url: URL, location: str) -> URL:
    """Where a redirect leads; credentials stay with their host."""
    target = url.join(location)
    same = (target.scheme, target.host, target.port) == (url.scheme, url.host, url.port)
    return target.copy_with(userinfo=url.userinfo) if same and not target.userinfo else target


def _page(response: Response, url: URL, headers: Headers, deadline: Deadline, max_bytes: int) -> RawPage:
    from tamis.document.decode import charset_of
    from tamis.document.urls import without_credentials

    if response.status >= 400:
        reason = response.extensions.get("reason_phrase", b"").decode("ascii", "replace")
        raise _Refused(f"the server answered {response.status} {reason}".rstrip())
    content_type = headers.get("content-type", "")
    if content_type and not content_type.lower().startswith(_PAGE_TYPES):
        raise _Refused(f"this is {content_type.partition(';')[0]}, not a web page")
    data = bytearray()
    for piece in _unpacked(response.iter_stream(), headers.get("content-encoding", "")):
        data += piece
        if len(data) > max_bytes:
            raise _Refused(f"larger than {max_bytes:,} bytes")
        deadline.left()
    check_signature(data)
    return RawPage(bytes(data), without_credentials(str(url)), charset_of(content_type))


def _unpacked(chunks: Iterable[bytes], coding: str) -> Iterator[bytes]:
    """The body without its content coding, in small pieces: a bomb is noticed before it has grown."""
    coding = coding.strip().lower()
    if coding in ("", "identity"):
        yield from chunks
    elif coding in ("gzip", "x-gzip"):
        yield from _inflated(chunks, 31)
    elif coding == "deflate":
        yield from _inflated(chunks, zlib.MAX_WBITS)
    else:
        raise _Refused(f"the server packed the page as {coding}, and was asked for gzip or deflate")


def _inflated(chunks: Iterable[bytes], bits: int) -> Iterator[bytes]:
    unpack = None
    first = True
    for chunk in chunks:
        while chunk:
            if unpack is None:
                if not first and not chunk.startswith(b"\x1f"):
                    return  # what follows is no further gzip member
                unpack = zlib.decompressobj(-zlib.MAX_WBITS if bits == zlib.MAX_WBITS and _is_bare(chunk) else bits)
                first = False
            yield unpack.decompress(chunk, _PIECE)
            chunk = unpack.unconsumed_tail
            if unpack.eof:
                chunk, unpack = unpack.unused_data, None
    if unpack:
        yield unpack.flush()
        if not unpack.eof:
            raise _Refused("the packed page is cut off")


def _is_bare(start: bytes) -> bool:
    """Is this a deflate stream without zlib's header? The standard means one with it, but many servers send none."""
    return start[0] & 15 != 8 or (len(start) > 1 and int.from_bytes(start[:2], "big") % 31 != 0)
