"""The whole web, as far as the tests' browsers can tell: a proxy that answers every address and writes it down."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Answer(NamedTuple):
    """What is found at an address."""

    body: bytes
    content_type: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


class Web(ThreadingHTTPServer):
    """Pages by address; whatever else is asked for is not found, and is written down as well."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages: dict[str, Answer] = {}
        self.asked: list[str] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up is no error."""

    def put(self, url: str, html: str, **headers: str) -> str:
        """A page; names of headers have underscores."""
        named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
        self.pages[url] = Answer(html.encode(), headers=named)
        return url


class _Handler(BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        answer = self.server.pages.get(self.path)
        if answer is None and self.path.endswith("/favicon.ico"):
            answer = Answer(b"", "image/x-icon")  # browsers ask for it, and say so when there is none
        self.send_response(200 if answer else 404)
        if answer:
            self.send_header("Content-Type", answer.content_type)
            for name, value in answer.headers:
                self.send_header(name, value)
        body = answer.body if answer else b""
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_CONNECT(self) -> None:
        self.server.asked.append(self.path)
        self.send_error(502)

    do_POST = do_HEAD = do_CONNECT

    def log_message(self, format: str, *args: object) -> None:
        """Tests speak for themselves."""
