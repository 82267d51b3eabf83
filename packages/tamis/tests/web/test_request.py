"""Fetching a page: against a server on this machine, never the web."""

from __future__ import annotations

import gzip
import socket
import sys
import threading
import tracemalloc
import zlib
from collections.abc import Iterator
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis.cli.main import main
from tamis.web import fetch as tamis_fetch
from tamis.web import is_url, request
from tests.servers import LocalHandler, LocalServer

WORDS = "Пекарь встаёт задолго до города, и к четырём часам утра печи горячи уже целый час или больше того."
PAGE = f"<title>Хлеб</title><p>{WORDS}</p>".encode("koi8-r")

TEXT = " ".join(map(str, range(20_000))).encode()

Answer = tuple[int, dict[str, str], bytes]  # status, headers, body


def html(body: bytes, coding: str = "", status: int = 200, content_type: str = "text/html") -> Answer:
    return status, {"Content-Type": content_type} | ({"Content-Encoding": coding} if coding else {}), body


ANSWERS: dict[str, Answer] = {  # by path
    "/page": html(PAGE, content_type="text/html; charset=KOI8-R"),
    "/plain": (200, {}, b"<p>no type"),
    "/xhtml": html(b"<p>xhtml", content_type="Application/XHTML+XML"),
    "/packed": html(gzip.compress(b"<p>packed"), "gzip"),
    "/broken": html(b"this is no gzip", "gzip"),
    "/bomb": html(gzip.compress(bytes(100_000_000)), "gzip"),
    "/zlib": html(zlib.compress(b"<p>packed"), "deflate"),
    "/bare": html(zlib.compress(b"<p>packed")[2:-4], "deflate"),
    "/members": html(gzip.compress(b"<p>pa") + gzip.compress(b"cked") + bytes(9), "x-gzip"),
    "/cut": html(gzip.compress(TEXT)[:-2_000], "gzip"),
    "/cut-checksum": html(gzip.compress(TEXT)[:-1], "gzip"),
    "/cut-zlib": html(zlib.compress(TEXT)[:-2_000], "deflate"),
    "/cut-bare": html(zlib.compress(TEXT)[2:-2_000], "deflate"),
    "/cut-member": html(gzip.compress(TEXT) + gzip.compress(TEXT)[:1_000], "gzip"),
    "/brotli": html(b"\x0b\x02\x80<p>ab\x03", "br"),
    "/spaces": html(b"<p>page", content_type="text/html; charset=" + " " * 60_000 + ";"),
    "/secret": html(b"<p>of the baker"),
    "/to-secret": (302, {"Location": "/secret"}, b""),
    "/words": html(b"", content_type="image/" + "x" * 10_000),
    "/moved": (302, {"Location": "/page"}, b""),
    "/odd-cookie": (302, {"Location": "/page", "Set-Cookie": "four=\xe0 chaleur"}, b""),
    "/missing": html(b"<p>not here", status=404),
    "/failing": html(b"<p>sorry", status=500),
    "/pdf": html(b"%PDF-1.7"),
    "/image": html(b"\x89PNG", content_type="image/png; q=1"),
    "/large": html(b"x" * 5_000),
}

# path: what is sent first, the pause in seconds, what is then sent again and again
ENDLESS: dict[str, tuple[bytes, float, bytes]] = {
    "/drip": (b"", 0.02, b"H"),  # of the first line of a header
    "/header": (b"HTTP/1.1 200 OK\r\n", 0.02, b"X: y\r\n"),
    "/trickle": (b"HTTP/1.1 200 OK\r\n\r\n", 0.02, b"drop "),
    "/early": (b"", 0, b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100),
    "/empty-members": (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", 0, gzip.compress(b"") * 1_000),
    "/moved-endless": (b"HTTP/1.1 302 Found\r\nLocation: /page\r\n\r\n", 0, bytes(100_000)),
    "/missing-endless": (b"HTTP/1.1 404 Not Found\r\n\r\n", 0, bytes(100_000)),
}

# The servers of these tests are on this machine.
fetch = partial(tamis_fetch, allow_private=True)


class Handler(LocalHandler):
    """Answers from ANSWERS; some paths never end, and the server notes when the client hangs up on them."""

    server: Server

    def answer(self) -> None:
        if self.path in ENDLESS:
            self.never_end(*ENDLESS[self.path])
        status, headers, body = ANSWERS.get(self.path, html(b""))
        if self.path == "/secret" and self.headers["Authorization"] != "Basic YmFrZXI6cuB5ZS9AbWlsbA==":
            status = 401
        if self.path == "/cookie" and "oven=hot" not in self.headers.get("Cookie", ""):
            status, headers = 302, {"Location": "/cookie", "Set-Cookie": "oven=hot"}
        if self.path == "/late":
            self.server.stopping.wait(0.5)
            body = PAGE
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def never_end(self, start: bytes, pause: float, more: bytes) -> None:
        try:
            self.wfile.write(start)
            while not self.server.stopping.wait(pause):
                self.wfile.write(more)
        except OSError:
            self.server.hung_up.set()
            raise


class Server(LocalServer):
    def __init__(self) -> None:
        super().__init__(Handler)
        self.hung_up = threading.Event()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server().running() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture
def no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused here is refused before a connection is made."""
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: pytest.fail("a connection was made"))


def resolve_as(monkeypatch: pytest.MonkeyPatch, names: dict[str, list[str]]) -> list[str]:
    """Resolve these names so, and return the list of names that are asked for."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolver(host: str, port: int, *rest: Any, **options: Any) -> list[Any]:
        asked.append(host)
        found = names.get(host, [host])
        return [entry for address in found for entry in real(address, port, *rest, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    return asked


def refusal(url: str, *, timeout: float = 10.0, max_bytes: int = 1_000_000) -> str:
    """What the error says: one line that begins with the address."""
    with pytest.raises(tamis.FetchError) as error:
        fetch(url, timeout=timeout, max_bytes=max_bytes)
    message = str(error.value)
    shown = url.replace("\x01", "\ufffd")
    assert message.startswith(f"{shown}: ")
    assert "\n" not in message
    return message.removeprefix(f"{shown}: ")


def test_a_page_with_the_charset_of_its_header(server: Server) -> None:
    page = fetch(server.address("/page"))
    assert page[:4] == (PAGE, server.address("/page"), "KOI8-R", 200)
    assert (page.headers or {})["content-type"].endswith("KOI8-R")


def test_a_fetched_page_is_extracted_in_its_charset_and_with_its_address(server: Server) -> None:
    page = tamis.extract(tamis.fetch(server.address("/moved"), allow_private=True), extractor="keep-all")
    assert (page.text, page.url) == (WORDS, server.address("/page"))
    assert tamis.read_metadata(tamis.fetch(server.address("/page"), allow_private=True)).title == "Хлеб"


def test_limits_are_numbers() -> None:
    wrong: Any
    for wrong in (None, "5", 0, -1, 1e10, float("inf"), float("nan")):
        with pytest.raises(tamis.OptionError, match="a timeout is a number of seconds above zero"):
            tamis.fetch("http://127.0.0.1:1/", timeout=wrong)
    for wrong in (None, "5", 0, 1e6):
        with pytest.raises(tamis.OptionError, match="max_bytes is a whole number above zero"):
            tamis.fetch("http://127.0.0.1:1/", max_bytes=wrong)


def test_a_long_timeout_is_waited(server: Server) -> None:
    assert fetch(server.address("/late"), timeout=2**32 / 1_000 + 0.1).data == PAGE


def test_the_command_line_reads_a_url_in_its_charset(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", server.address("/page"), "-e", "keep-all", "--allow-private"]) == 0
    assert capsys.readouterr().out == f"{WORDS}\n"


def test_output_of_a_url_is_named_for_it(server: Server, tmp_path: Path) -> None:
    assert main(["extract", server.address("/page"), "-o", str(tmp_path), "--allow-private"]) in (0, 1)
    assert [path.name for path in tmp_path.iterdir()] == [f"127.0.0.1_{server.server_port}_page.txt"]


@pytest.mark.parametrize("path", ["/plain", "/xhtml", "/packed", "/zlib", "/bare", "/members"])
def test_other_pages(path: str, server: Server) -> None:
    expected = {"/plain": b"<p>no type", "/xhtml": b"<p>xhtml"}.get(path, b"<p>packed")
    assert fetch(server.address(path))[:3] == (expected, server.address(path), None)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/missing", "the server answered 404 Not Found"),
        ("/failing", "the server answered 500 Internal Server Error"),
        ("/image", "this is image/png, not a web page"),
        ("/pdf", "this is a PDF file, not a web page"),
        ("/brotli", "the server compressed the page as br, but only gzip and deflate were requested"),
        ("/broken", "error"),
        *((path, "the compressed page is cut off") for path in ANSWERS if path.startswith("/cut")),
    ],
)
def test_other_answers_are_errors_but_not_refused(path: str, reason: str, server: Server) -> None:
    with pytest.raises(tamis.FetchError, match=reason) as caught:
        fetch(server.address(path))
    assert type(caught.value) is tamis.FetchError


@pytest.mark.parametrize("name", ["page.html", "example.org", "C:/page.html", "/pages/1.html"])
def test_a_name_is_no_url(name: str) -> None:
    assert refusal(name).startswith(
        "this is not a URL: a URL begins with https:// or http://. For a file: tamis.extract("
    )


def test_a_page_may_have_as_many_bytes_as_the_limit(server: Server) -> None:
    assert refusal(server.address("/large"), max_bytes=4_999) == "larger than 4,999 bytes"
    assert len(fetch(server.address("/large"), max_bytes=5_000).data) == 5_000


def test_a_bomb_is_never_unpacked(server: Server) -> None:
    tracemalloc.start()
    try:
        assert refusal(server.address("/bomb"), max_bytes=1_000_000) == "larger than 1,000,000 bytes"
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("path", ["/silent", "/trickle", "/drip", "/header", "/early", "/empty-members"])
def test_what_never_ends_ends_at_the_deadline_and_leaves_nothing_behind(path: str, server: Server) -> None:
    server.hung_up.clear()
    before = set(threading.enumerate())
    assert refusal(server.address(path), timeout=0.3) == "took longer than 0.3 s"
    left = [thread.name for thread in set(threading.enumerate()) - before]
    assert not [name for name in left if "process_request" not in name]  # those are the server's
    assert path == "/silent" or server.hung_up.wait(10)  # the socket is closed


def test_the_body_of_a_redirect_or_an_error_is_not_read(server: Server) -> None:
    server.hung_up.clear()
    assert fetch(server.address("/moved-endless")).data == PAGE
    assert server.hung_up.wait(10)
    server.hung_up.clear()
    assert refusal(server.address("/missing-endless")) == "the server answered 404 Not Found"
    assert server.hung_up.wait(10)


def test_odd_headers(server: Server) -> None:
    assert fetch(server.address("/spaces"), timeout=8).charset is None
    assert len(refusal(server.address("/words"))) <= 200, "messages of a server are cut"
    assert fetch(server.address("/odd-cookie")).url == server.address("/page"), "it is not sent back"


def test_cookies_are_returned_to_the_server_that_redirects(server: Server) -> None:
    assert fetch(server.address("/cookie")).url == server.address("/cookie")


class TestAddresses:
    """Which addresses and URLs are refused is tested in test_refused."""

    @pytest.mark.usefixtures("no_socket")
    def test_an_address_that_is_not_public_is_refused(self) -> None:
        with pytest.raises(tamis.FetchError, match="not a public address; allow_private or --allow-private"):
            tamis_fetch("http://127.0.0.1:1/")

    def test_the_next_address_is_tried(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        resolve_as(monkeypatch, {"oven.example": ["127.0.0.2", "127.0.0.1"]})
        assert fetch(f"http://oven.example:{server.server_port}/page").data == PAGE

    def test_a_redirect_may_not_leave_the_public_web(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(request, "is_public", lambda address: address == ip_address("127.0.0.1"))
        monkeypatch.setitem(ANSWERS, "/inside", (302, {"Location": "http://127.0.0.9:1/"}, b""))
        refused = "127.0.0.9 is not a public address; a redirect may not lead there"
        assert refusal(server.address("/inside")) == refused

    def test_the_command_line_has_a_flag(self, server: Server, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["extract", server.address("/page"), "-e", "keep-all"]) == 3
        assert "--allow-private" in capsys.readouterr().err


class TestCredentials:
    def test_they_are_sent_and_not_shown(self, server: Server) -> None:
        url = server.address("/to-secret").replace("//", "//baker:r%E0ye%2F@mill@")
        assert fetch(url).url == server.address("/secret")

    def test_not_to_another_host(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        resolve_as(monkeypatch, {"oven.example": ["127.0.0.1"]})
        elsewhere = f"http://oven.example:{server.server_port}/secret"
        monkeypatch.setitem(ANSWERS, "/elsewhere", (302, {"Location": elsewhere}, b""))
        with pytest.raises(tamis.FetchError, match="401") as error:
            fetch(server.address("/elsewhere").replace("//", "//baker:rye@"))
        assert "rye" not in str(error.value)

    def test_nor_on_the_command_line(self, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        url = server.address("/missing").replace("//", "//baker:rye@")
        assert main(["extract", url, "--allow-private", "-o", str(tmp_path)]) == 3
        assert capsys.readouterr().err == f"tamis: {server.address('/missing')}: the server answered 404 Not Found\n"
        url = server.address("/plain").replace("//", "//baker:rye@")
        main(["extract", url, "--allow-private", "-o", str(tmp_path)])
        assert "rye" not in capsys.readouterr().err
        assert "rye" not in str(list(tmp_path.iterdir()))


class TestProxies:
    @pytest.fixture(autouse=True)
    def _proxy(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("NO_PROXY", "")
        monkeypatch.setenv("http_proxy", f"http://user:word@127.0.0.1:{server.server_port}")

    def test_the_proxy_of_the_environment_resolves_the_name(self, server: Server) -> None:
        assert tamis_fetch("http://oven.example/page").url == "http://oven.example/page"
        assert server.asked[-1] == "http://oven.example/page"

    @pytest.mark.usefixtures("no_socket")
    @pytest.mark.parametrize("host", ["169.254.169.254", "localhost", "0x7f.1", "a.localhost."])
    def test_a_host_that_is_an_address_is_judged(self, host: str) -> None:
        with pytest.raises(tamis.FetchError, match="not a public address"):
            tamis_fetch(f"http://{host}/")

    @pytest.mark.usefixtures("no_socket")
    @pytest.mark.parametrize("host", ["127%2e0.0.1", "loc%61lhost", "%6c%6f%63alhost:80"])
    def test_a_host_that_the_proxy_would_unescape_is_refused(self, host: str) -> None:
        assert refusal(f"http://{host}/") == "the host has an escaped character"

    def test_other_proxies_are_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("http_proxy", "socks5://user:word@127.0.0.1:1")
        assert refusal("http://oven.example/") == "a proxy is an http or https address, not one of socks5"


def test_a_refused_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert "refused" in refusal(f"http://127.0.0.1:{port}/").lower()


def test_the_command_line_reports_errors_in_one_line(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", server.address("/large"), "--max-bytes", "100", "--allow-private"]) == 3
    assert capsys.readouterr() == ("", f"tamis: {server.address('/large')}: larger than 100 bytes\n")


def test_without_httpx_the_error_names_the_pip_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(tamis.MissingExtra, match=r"pip install 'tamis\[cli\]'"):
        fetch("http://127.0.0.1/")


def test_a_url_has_a_scheme() -> None:
    sources = ["https://oven.example", "file:///a", "page.html", "-", "C:\\a.html"]
    assert [is_url(source) for source in sources] == [True, True, False, False, False]
