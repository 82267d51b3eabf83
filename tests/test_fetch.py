"""Fetching a page: against a server on this machine, never the web."""

from __future__ import annotations

import gzip
import socket
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import tamis
from tamis.cli.main import main
from tamis.fetch import charset_of, fetch, is_url

WORDS = "Пекарь встаёт задолго до города, и к четырём часам утра печи горячи уже целый час или больше того."
PAGE = f"<title>Хлеб</title><p>{WORDS}</p>".encode("koi8-r")

# path: status, headers, body
ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/page": (200, {"Content-Type": "text/html; charset=KOI8-R"}, PAGE),
    "/plain": (200, {}, b"<p>no type"),
    "/xhtml": (200, {"Content-Type": "Application/XHTML+XML"}, b"<p>xhtml"),
    "/packed": (200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, gzip.compress(b"<p>packed")),
    "/broken": (200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, b"this is no gzip"),
    "/bomb": (200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, gzip.compress(bytes(100_000))),
    "/moved": (302, {"Location": "/page"}, b""),
    "/loop": (302, {"Location": "/loop"}, b""),
    "/to-file": (302, {"Location": "file:///etc/passwd"}, b""),
    "/missing": (404, {"Content-Type": "text/html"}, b"<p>not here"),
    "/failing": (500, {"Content-Type": "text/html"}, b"<p>sorry"),
    "/image": (200, {"Content-Type": "image/png; q=1"}, b"\x89PNG"),
    "/large": (200, {"Content-Type": "text/html"}, b"x" * 5_000),
}


class Server(ThreadingHTTPServer):
    """Answers from ANSWERS; /silent never answers, /trickle and /drip never end."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.stopping = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what half of the tests are about."""

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        if self.path == "/silent":
            self.server.stopping.wait()
            return
        while self.path == "/drip" and not self.server.stopping.wait(0.02):
            self.wfile.write(b"H")  # of the first line of a header
        status, headers, body = ANSWERS.get(self.path, (200, {"Content-Type": "text/html"}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        while self.path == "/trickle" and not self.server.stopping.wait(0.02):
            self.wfile.write(b"drop ")
            self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.stopping.set()
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")


def refusal(url: str, *, timeout: float = 10.0, max_bytes: int = 1_000_000) -> str:
    """What the error says: one line that begins with the address."""
    with pytest.raises(tamis.FetchError) as error:
        fetch(url, timeout=timeout, max_bytes=max_bytes)
    message = str(error.value)
    assert message.startswith(f"{url}: ")
    assert "\n" not in message
    return message.removeprefix(f"{url}: ")


def test_a_page_with_the_charset_of_its_header(server: Server) -> None:
    page = fetch(server.address("/page"))
    assert page == (PAGE, server.address("/page"), "KOI8-R")


def test_the_command_line_reads_a_url_in_its_charset(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", server.address("/page"), "-e", "keep-all"]) == 0
    assert capsys.readouterr().out == f"{WORDS}\n"


def test_output_of_a_url_is_named_for_it(server: Server, tmp_path: Path) -> None:
    assert main(["extract", server.address("/page"), "-o", str(tmp_path)]) in (0, 1)
    assert [path.name for path in tmp_path.iterdir()] == [f"127.0.0.1_{server.server_port}_page.txt"]


@pytest.mark.parametrize(
    ("path", "data"), [("/plain", b"<p>no type"), ("/xhtml", b"<p>xhtml"), ("/packed", b"<p>packed")]
)
def test_what_else_is_a_page(path: str, data: bytes, server: Server) -> None:
    page = fetch(server.address(path))
    assert (page.data, page.charset) == (data, None)


def test_a_redirect_is_followed_and_the_last_address_returned(server: Server) -> None:
    page = fetch(server.address("/moved"))
    assert (page.data, page.url) == (PAGE, server.address("/page"))


def test_a_redirect_loop_ends(server: Server) -> None:
    assert "redirects" in refusal(server.address("/loop"))


def test_a_redirect_to_a_file_is_refused(server: Server) -> None:
    assert "protocol" in refusal(server.address("/to-file"))


@pytest.mark.parametrize(("path", "status"), [("/missing", "404 Not Found"), ("/failing", "500 Internal Server Error")])
def test_an_error_page_is_no_page(path: str, status: str, server: Server) -> None:
    assert refusal(server.address(path)) == f"the server answered {status}"


def test_what_is_no_page_is_called_by_its_type(server: Server) -> None:
    assert refusal(server.address("/image")) == "this is image/png, not a web page"


@pytest.mark.parametrize("path", ["/large", "/bomb"])
def test_a_page_larger_than_the_limit(path: str, server: Server) -> None:
    assert refusal(server.address(path), max_bytes=4_999) == "larger than 4,999 bytes"


def test_a_page_of_just_the_limit(server: Server) -> None:
    assert len(fetch(server.address("/large"), max_bytes=5_000).data) == 5_000


def test_broken_compression(server: Server) -> None:
    assert refusal(server.address("/broken"))


def test_a_server_that_does_not_answer(server: Server) -> None:
    assert refusal(server.address("/silent"), timeout=0.2) == "no answer within 0.2 s"


def test_a_page_that_never_ends(server: Server) -> None:
    assert refusal(server.address("/trickle"), timeout=0.2) == "took longer than 0.2 s"


def test_a_header_that_never_ends(server: Server) -> None:
    start = time.monotonic()
    assert refusal(server.address("/drip"), timeout=0.2) == "no answer within 0.2 s"
    assert time.monotonic() - start < 10


def test_a_refused_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert "refused" in refusal(f"http://127.0.0.1:{port}/").lower()


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://oven.example/page.html", "FILE:///etc/passwd"])
def test_only_http_and_https_are_fetched(url: str) -> None:
    scheme = url.partition(":")[0].lower()
    assert refusal(url) == f"only http and https are fetched, not {scheme}"


@pytest.mark.parametrize(
    "url", ["http://", "http:///page", "http://127.0.0.1:port/", "http://127.0.0.1/\x01", "http://["]
)
def test_a_bad_url(url: str) -> None:
    assert refusal(url)


def test_the_command_line_says_in_one_line_what_went_wrong(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", server.address("/large"), "--max-bytes", "100"]) == 3
    message = capsys.readouterr()
    assert (message.out, message.err) == ("", f"tamis: {server.address('/large')}: larger than 100 bytes\n")


def test_without_httpx_the_error_names_the_pip_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(tamis.MissingExtra, match=r"pip install 'tamis\[cli\]'"):
        fetch("http://127.0.0.1/")


@pytest.mark.parametrize(
    ("header", "charset"),
    [
        ("text/html; charset=utf-8", "utf-8"),
        ('text/html;CHARSET="KOI8-R"; x=y', "KOI8-R"),
        ("text/html; charset = 'latin1'", "latin1"),
        ("text/html", None),
        ("", None),
        (None, None),
    ],
)
def test_charset_of_a_header(header: str | None, charset: str | None) -> None:
    assert charset_of(header) == charset


@pytest.mark.parametrize(
    ("source", "expected"),
    [("https://oven.example", True), ("file:///a", True), ("page.html", False), ("-", False), ("C:\\a.html", False)],
)
def test_what_is_a_url(source: str, expected: bool) -> None:
    assert is_url(source) is expected
