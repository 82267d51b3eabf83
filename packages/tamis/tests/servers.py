"""A web server on this machine, for tests that fetch; none of them reaches the web."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


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
    """/silent never answers; `answer` does the rest."""

    server: LocalServer

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path == "/silent":
            self.server.stopping.wait()
        else:
            self.answer()

    def answer(self) -> None:
        raise NotImplementedError

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""
