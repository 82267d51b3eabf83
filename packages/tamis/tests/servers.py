"""A web server on this machine, for tests that fetch; none of them reaches the web."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Self


class LocalServer(ThreadingHTTPServer):
    """Counts its connections and remembers what was asked for; `stopping` ends handlers that wait."""

    daemon_threads = True

    def __init__(self, handler: type[LocalHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.asked: list[str] = []
        self.connections = 0
        self.stopping = threading.Event()

    def verify_request(self, request: object, client_address: object) -> bool:
        self.connections += 1  # a preconnect asks for nothing
        return True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what half of the tests are about."""

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"

    @contextmanager
    def running(self) -> Iterator[Self]:
        with self:
            thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            yield self
            self.stopping.set()
            self.shutdown()
            thread.join()


class LocalHandler(BaseHTTPRequestHandler):
    """/silent never answers; `answer` does the rest, by default from `pages`."""

    server: LocalServer
    pages: ClassVar[dict[str, tuple[int, dict[str, str], bytes]]] = {}  # by path: status, headers, body

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path == "/silent":
            self.server.stopping.wait()
        else:
            self.answer()

    def answer(self) -> None:
        status, headers, body = self.pages.get(self.path.partition("?")[0], (404, {}, b""))
        self.send_response(status)
        for name, value in ({"Content-Type": "text/html", "Content-Length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""


def connection_to(address: str, *, room: int | None = None) -> socket.socket:
    """A connection to a server; `room` is how much of an answer the system takes for a client that does not read."""
    host, _, port = address.removeprefix("http://").partition("/")[0].partition(":")
    connection = socket.socket()
    if room:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    connection.settimeout(30)
    connection.connect((host, int(port)))
    return connection
