"""Fetch one page from the web: http and https only, with limits on time, size and redirects.

Redirects are followed here, one hop at a time. A hop resolves its host once, judges all of its addresses, and connects
to these alone, so a name that resolves to another address later has no effect. The body of a redirect or an error page
is never read. A robots.txt is fetched in the same way.

Proxies of the environment (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`) are used, as most tools do, unless the
rules say otherwise. A proxy resolves names itself, so with a proxy only hosts that spell out an address are judged.
"""

from __future__ import annotations

import os
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, unquote_to_bytes, urlsplit
from urllib.request import getproxies, proxy_bypass

from tamis.errors import FetchError, FetchRefused, FetchTimeout, MissingExtra
from tamis.inputs import NotAPage, RawPage, check_signature
from tamis.web import robots
from tamis.web.addresses import Address, is_public, literal_address
from tamis.web.connection import Backend, Deadline, DeadlinePassed, Unresolved, resolve_host
from tamis.web.fetcher import FetchRules

if TYPE_CHECKING:
    from ssl import SSLContext

    from httpcore import ConnectionPool, Response
    from httpx import URL, Cookies, Headers

_PAGE_TYPES = ("text/", "application/xhtml+xml", "application/xml")
_HEADERS = {
    "accept": "text/html,application/xhtml+xml,*/*;q=0.5",
    "accept-encoding": "gzip, deflate",  # zlib unpacks these piece by piece, and every server has them
}
_PORTS = {"http": 80, "https": 443}
_PIECE = 65_536  # bytes that are unpacked at once
_COOKIE = 4_096  # ASCII characters; browsers ignore longer cookies too
_NO_URL = "this is not a URL: a URL begins with https:// or http://. For a file: tamis.extract(pathlib.Path(name))"
_HINT = "allow_private or --allow-private fetches it"
_WORDS = 200  # characters of a server's words in an error message
_LONGEST_SHOWN = 2_000  # characters of a URL in an error message

# To a browser a backslash ends the host; other programs take it for a part of the name.
_BACKSLASH = re.compile(r"[^/?#]*//[^/?#]*\\")


class _Failed(Exception):
    """Why the page can't be fetched."""


class _Forbidden(_Failed):
    """Which rule forbids the page."""


class _TooManyRedirects(_Failed):
    """The page redirects more often than the rules allow."""


class _LastAnswer(NamedTuple):
    """The answer at the end of all redirects, with an unread body."""

    response: Response
    headers: Headers
    url: URL


def request_page(url: str, rules: FetchRules, known: robots.Robots | None) -> RawPage:
    """`Fetcher.fetch`; `known` are the robots.txt files, if these count. Raises FetchError and MissingExtra."""
    try:
        import httpcore
        import httpx  # noqa: F401
    except ImportError:
        raise MissingExtra("reading a URL", "cli") from None
    deadline = Deadline(rules.timeout)
    try:
        with _last_answer(_parse_url(url), rules, deadline, known) as answer:
            return _read_page(answer, deadline, rules.max_bytes)
    except (DeadlinePassed, httpcore.TimeoutException):
        raise FetchTimeout(_safe_message(url, f"took longer than {rules.timeout:g} s")) from None
    except _Forbidden as forbidden:
        raise FetchRefused(_safe_message(url, str(forbidden))) from None
    except (_Failed, NotAPage, Unresolved) as failed:
        raise FetchError(_safe_message(url, str(failed))) from None
    except _network_errors() as error:
        raise FetchError(_safe_message(url, f"{type(error).__name__}: {error}")) from None


def _network_errors() -> tuple[type[Exception], ...]:
    import httpcore
    import httpx

    of_httpcore = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError)
    return (*of_httpcore, httpx.InvalidURL, OSError, ValueError, zlib.error)


def _safe_message(url: str, why: str) -> str:
    """One line without credentials and control characters."""
    from tamis.document.addresses import without_credentials

    line = f"{without_credentials(url)[:_LONGEST_SHOWN]}: {why[:_WORDS]}"
    return "".join(character if character.isprintable() else "\ufffd" for character in line)


def _parse_url(url: str) -> URL:
    import httpx

    if _BACKSLASH.match(url):
        raise _Failed("the host has a backslash")
    return httpx.URL(url)


@contextmanager
def _last_answer(
    url: URL, rules: FetchRules, deadline: Deadline, known: robots.Robots | None = None
) -> Iterator[_LastAnswer]:
    """Follow redirects, judge each address before a connection is made, and give the last answer."""
    import httpx

    cookies = httpx.Cookies()
    allow_private = rules.allow_private
    for hop in range(rules.max_redirects + 1):
        _check_url(url, rules)
        route = _route_to_host(url, rules, allow_private, "a redirect may not lead there" if hop else _HINT, deadline)
        allow_private = not all(map(is_public, route.judged))  # no redirect leads back from the public web
        if known:
            _check_robots(url, rules._replace(allow_private=allow_private), known, deadline)
        with _open_response(url, rules, cookies, route, deadline) as response:
            headers = httpx.Headers(response.headers)
            if response.status not in (301, 302, 303, 307, 308) or "location" not in headers:
                yield _LastAnswer(response, headers, url)
                return
            _keep_cookies(cookies, url, headers)
            url = _redirect_target(url, headers["location"])
    raise _TooManyRedirects(f"more than {rules.max_redirects} redirects")


def _check_url(url: URL, rules: FetchRules) -> None:
    """Raise _Failed for a URL that no page can have, and _Forbidden for one that the rules forbid."""
    if url.scheme not in _PORTS:
        if len(url.scheme) < 2:  # C:/page.html has a drive
            raise _Failed(_NO_URL)
        raise _Forbidden(f"only http and https are fetched, not {url.scheme}")
    if not url.host:
        raise _Failed("the address has no host")
    if b"%" in url.raw_host and b":" not in url.raw_host:  # IPv6 may have a zone after one
        raise _Failed("the host has an escaped character")
    port = _port_of(url)
    if not 0 < port < 65_536:
        raise _Failed(f"there is no port {port}")
    if rules.ports is not None and port not in rules.ports:
        raise _Forbidden(f"port {port} is not allowed, only {', '.join(map(str, sorted(rules.ports)))}")


def _port_of(url: URL) -> int:
    return _PORTS[url.scheme] if url.port is None else url.port


def _check_robots(url: URL, rules: FetchRules, known: robots.Robots, deadline: Deadline) -> None:
    """Raise _Forbidden if the robots.txt of the site does not allow the page."""
    site = url.copy_with(userinfo=b"", raw_path=b"/robots.txt", fragment=None)
    origin = f"{url.scheme}://{site.netloc.decode('ascii')}"
    objection = known.objection(origin, url.raw_path.decode("ascii"), lambda: _robots_file(site, rules, deadline))
    if objection:
        raise _Forbidden(objection)


def _robots_file(url: URL, rules: FetchRules, deadline: Deadline) -> robots.RobotsFile:
    """Fetch a robots.txt in at most half of the remaining time."""
    import httpcore

    rules = rules._replace(max_redirects=robots.MAX_REDIRECTS)
    share = Deadline(deadline.left() / 2)
    try:
        with _last_answer(url, rules, share) as answer:
            status = answer.response.status
            if 400 <= status < 500:
                return robots.RobotsFile()
            if not 200 <= status < 300:
                return robots.RobotsFile(problem=f"the server answered {status}")
            return robots.RobotsFile(_first_lines(answer, robots.MAX_BYTES, share))
    except _TooManyRedirects:
        return robots.RobotsFile()  # RFC 9309, 2.3.1.2: as if there were none
    except (DeadlinePassed, httpcore.TimeoutException):
        return robots.RobotsFile(problem="it takes too long", lasting=False)
    except (_Failed, Unresolved) as failed:
        return robots.RobotsFile(problem=str(failed))
    except _network_errors() as error:
        return robots.RobotsFile(problem=f"{type(error).__name__}: {error}")


def _first_lines(answer: _LastAnswer, most: int, deadline: Deadline) -> str:
    """The first `most` bytes of a text, without the line that is cut there."""
    data = bytearray()
    for piece in _decoded_pieces(answer.response.iter_stream(), answer.headers.get("content-encoding", "")):
        data += piece
        if len(data) > most:
            data = data[: data.rfind(b"\n", 0, most) + 1]
            break
        deadline.left()
    return data.decode("utf-8-sig", "replace")


class _Route(NamedTuple):
    """How a hop reaches its host."""

    addresses: list[Address]  # to connect to: those of the host, or those of the proxy
    judged: list[Address]  # of the host, as far as they are known
    proxy: str | None


def _route_to_host(url: URL, rules: FetchRules, allow_private: bool, hint: str, deadline: Deadline) -> _Route:
    """The way to a host. Raises _Forbidden for a private host, unless that is allowed."""
    host = url.raw_host.decode("ascii")
    known = literal_address(host)
    judged = [known] if known else []
    _check_public(host, judged, allow_private, hint)  # before the name server hears of it
    proxy = _proxy_for(url.scheme, f"{host}:{_port_of(url)}") if rules.proxies else None
    if proxy:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        if parts.scheme not in _PORTS or not parts.hostname:
            raise _Failed(f"a proxy is an http or https address, not one of {parts.scheme}")
        addresses = resolve_host(parts.hostname, parts.port or _PORTS[parts.scheme], deadline)
        return _Route(addresses, judged, parts.geturl())
    addresses = resolve_host(host, _port_of(url), deadline)
    _check_public(host, addresses, allow_private, hint)
    return _Route(addresses, judged + addresses, None)


def _check_public(host: str, addresses: Iterable[Address], allow_private: bool, hint: str) -> None:
    private = next((address for address in addresses if not is_public(address)), None)
    if private and not allow_private:
        raise _Forbidden(f"{host} is not a public address; {hint}")  # strangers need not know the address


def _proxy_for(scheme: str, netloc: str) -> str | None:
    """The proxy of the environment for this host, if any."""
    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    return proxy if proxy and not proxy_bypass(netloc) else None


@contextmanager
def _open_response(
    url: URL, rules: FetchRules, cookies: Cookies, route: _Route, deadline: Deadline
) -> Iterator[Response]:
    """The answer to one request, on a connection of its own that is closed at the end."""
    import httpcore
    import httpx

    request = httpx.Request("GET", url, headers={"user-agent": rules.user_agent, **_HEADERS}, cookies=cookies)
    if url.userinfo:
        request.headers["authorization"] = _basic_authorization(url.userinfo)
    target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
    trusted = (os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
    context = _tls_context(*trusted) if url.scheme == "https" else None
    with (
        _connection_pool(route, deadline, context) as pool,
        pool.stream("GET", target, headers=request.headers.raw) as response,
    ):
        yield response


@lru_cache(maxsize=2)
def _tls_context(_file: str | None, _folder: str | None) -> SSLContext:
    """The TLS settings, cached, because httpx takes 30 ms to read the certificates that these variables name."""
    import httpx

    return httpx.create_ssl_context()


def _connection_pool(route: _Route, deadline: Deadline, context: SSLContext | None) -> ConnectionPool:
    import httpcore

    backend = Backend(route.addresses, deadline)
    if route.proxy is None:
        return httpcore.ConnectionPool(ssl_context=context, network_backend=backend)
    parts = urlsplit(route.proxy)
    user = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return httpcore.HTTPProxy(route.proxy, user, ssl_context=context, network_backend=backend)


def _basic_authorization(userinfo: bytes) -> str:
    """The header for the credentials of a URL."""
    user, _, password = map(unquote_to_bytes, userinfo.partition(b":"))
    return "Basic " + b64encode(user + b":" + password).decode("ascii")


def _keep_cookies(cookies: Cookies, url: URL, headers: Headers) -> None:
    """Keep the cookies of a redirect: many sites redirect until they get theirs back."""
    import httpx

    found = [value for value in headers.get_list("set-cookie") if len(value) <= _COOKIE and value.isascii()]
    given = [("set-cookie", value) for value in found]
    cookies.extract_cookies(httpx.Response(200, headers=given, request=httpx.Request("GET", url)))


def _redirect_target(url: URL, location: str) -> URL:
    """The URL of a redirect. The caller's credentials are kept only for their own host."""
    _parse_url(location)
    target = url.join(location)
    same = (target.scheme, target.host, target.port) == (url.scheme, url.host, url.port)
    return target.copy_with(userinfo=url.userinfo if same else b"")


def _read_page(answer: _LastAnswer, deadline: Deadline, max_bytes: int) -> RawPage:
    from tamis.document.addresses import without_credentials
    from tamis.document.decode import charset_of

    response, headers, url = answer
    if response.status >= 400:
        reason = response.extensions.get("reason_phrase", b"").decode("ascii", "replace")
        raise _Failed(f"the server answered {response.status} {reason}".rstrip())
    content_type = headers.get("content-type", "")
    if content_type and not content_type.lower().startswith(_PAGE_TYPES):
        raise _Failed(f"this is {content_type.partition(';')[0]}, not a web page")
    data = bytearray()
    for piece in _decoded_pieces(response.iter_stream(), headers.get("content-encoding", "")):
        data += piece
        if len(data) > max_bytes:
            raise _Failed(f"larger than {max_bytes:,} bytes")
        deadline.left()
    charset = charset_of(content_type)
    check_signature(data, charset=charset)
    return RawPage(bytes(data), without_credentials(str(url)), charset, response.status, dict(headers))


def _decoded_pieces(chunks: Iterable[bytes], coding: str) -> Iterator[bytes]:
    """The body without its content coding, in small pieces: a bomb is noticed before it has grown."""
    coding = coding.strip().lower()
    if coding in ("", "identity"):
        yield from chunks
    elif coding in ("gzip", "x-gzip"):
        yield from _inflated_pieces(chunks, 31)
    elif coding == "deflate":
        yield from _inflated_pieces(chunks, zlib.MAX_WBITS)
    else:
        raise _Failed(f"the server compressed the page as {coding}, but only gzip and deflate were requested")


def _inflated_pieces(chunks: Iterable[bytes], bits: int) -> Iterator[bytes]:
    unpack = None
    first = True
    for chunk in chunks:
        while chunk:
            if unpack is None:
                if not first and not chunk.startswith(b"\x1f"):
                    return  # not another gzip member
                unpack = zlib.decompressobj(-zlib.MAX_WBITS if bits == zlib.MAX_WBITS and _is_bare(chunk) else bits)
                first = False
            yield unpack.decompress(chunk, _PIECE)
            chunk = unpack.unconsumed_tail
            if unpack.eof:
                chunk, unpack = unpack.unused_data, None
    if unpack:
        yield unpack.flush()
        if not unpack.eof:
            raise _Failed("the compressed page is cut off")


def _is_bare(start: bytes) -> bool:
    """Is this a deflate stream without zlib's header? The standard demands the header, but many servers omit it."""
    return start[0] & 15 != 8 or (len(start) > 1 and int.from_bytes(start[:2], "big") % 31 != 0)
