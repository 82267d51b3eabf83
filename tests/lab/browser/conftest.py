"""One browser for the tests of this folder, and a server that counts what reaches it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tamis.lab.browser import Browser
from tests.conftest import own_chromium
from tests.lab.browser.pictures import HEIGHT, WIDTH


@pytest.fixture(scope="package")
def chromium() -> Iterator[None]:
    """For all tests of this folder."""
    with own_chromium():
        yield


@pytest.fixture(scope="package")
def browser(chromium: None) -> Iterator[Browser]:
    """A small one, as users have it: no network, no scripts."""
    with Browser(width=WIDTH, height=HEIGHT) as running:
        yield running


@pytest.fixture(scope="package")
def scripted(chromium: None) -> Iterator[Browser]:
    """One that runs scripts, without network."""
    with Browser(width=WIDTH, height=HEIGHT, scripts=True) as running:
        yield running


@pytest.fixture(scope="package")
def networked(chromium: None) -> Iterator[Browser]:
    """One that runs scripts and may reach this machine's servers."""
    with Browser(width=WIDTH, height=HEIGHT, scripts=True, network=True) as running:
        yield running


@contextmanager
def impatient(browser: Browser, seconds: float) -> Iterator[None]:
    """Another limit for a while: a busy machine needs the usual one for pages that are well."""
    worker = browser._started_worker()
    usual = worker._view
    worker._view = usual._replace(timeout=seconds)
    try:
        yield
    finally:
        worker._view = usual


class Server(ThreadingHTTPServer):
    """Answers everything with a page and remembers what was asked for; /silent never answers."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []
        self.page = "<link rel=stylesheet href=/red.css>a page"
        self.connections = 0
        self.stopping = threading.Event()

    def verify_request(self, request: object, client_address: object) -> bool:
        self.connections += 1  # a preconnect asks for nothing
        return True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up is no error."""

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path == "/silent":
            self.server.stopping.wait()
            return
        self.send_response(404 if self.path == "/missing" else 200)
        if self.path == "/red.css":
            self.send_header("Content-Type", "text/css")
            self.end_headers()
            self.wfile.write(b"html { background: red }")
            return
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.server.page.encode() if self.path == "/page" else b"something")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.stopping.set()
        running.shutdown()
        thread.join()
