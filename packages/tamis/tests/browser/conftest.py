"""One browser for the tests of this folder, and a server with a page to draw."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

pytest.importorskip("playwright")
pytest.importorskip("PIL")

from tamis.web.browser import Browser
from tests.browser.pictures import HEIGHT, WIDTH
from tests.environment import own_chromium
from tests.servers import LocalHandler, LocalServer


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


class Server(LocalServer):
    """Answers everything with a page."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.page = "<link rel=stylesheet href=/red.css>a page"


class Handler(LocalHandler):
    server: Server

    def answer(self) -> None:
        self.send_response(404 if self.path == "/missing" else 200)
        if self.path == "/red.css":
            self.send_header("Content-Type", "text/css")
            self.end_headers()
            self.wfile.write(b"html { background: red }")
            return
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.server.page.encode() if self.path == "/page" else b"something")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server().running() as running:
        yield running
