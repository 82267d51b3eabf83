"""What is written from hostile pages, in a real browser that runs scripts: none runs, and nothing is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright")

from markdown_it import MarkdownIt

import tamis
from tests.attacks import AWAY, FRAGMENTS, page
from tests.servers import LocalHandler, LocalServer

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.usefixtures("chromium")]

# Every address as the browser itself reads it.
SCHEMES = "[...document.querySelectorAll('a, area, iframe, img')].map(each => each.protocol ?? each.src.split(':')[0])"
SAFE = {"", ":", "http", "https", "file", "http:", "https:", "file:", "mailto:", "tel:", "ftp:"}


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer(LocalHandler).running() as running:
        yield running


@pytest.fixture
def tab() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    from tamis.web.browser import chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


def hostile(server: LocalServer) -> Iterator[str]:
    """The pages; what they load is on our own server."""
    for fragment in FRAGMENTS:
        yield page(fragment.replace(AWAY, server.address("/away/")))


def test_copies_run_and_load_nothing(tab: Any, server: LocalServer, tmp_path: Path) -> None:
    file = tmp_path / "copy.html"
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    for source in hostile(server):
        file.write_text(tamis.extract(source, extractor="keep-all").highlighted, encoding="utf-8")
        tab.goto(file.as_uri())
        assert tab.url == file.as_uri()
        assert tab.evaluate("window.ran") is None, source
        assert set(tab.evaluate(SCHEMES)) <= SAFE, source
        assert tab.locator("mark.tamis").count() >= 2
    assert {url for url in asked if not url.startswith(("data:", "about:"))} == {file.as_uri()}
    assert server.connections == 0


def test_content_runs_nothing(tab: Any, server: LocalServer, tmp_path: Path) -> None:
    """Images and frames of the content may load; scripts may not run in them."""
    file = tmp_path / "content.html"
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for source in hostile(server):
        found = tamis.extract(source, extractor="keep-all", url="page.html")
        file.write_text(found.html + "<hr>" + renderer.render(found.markdown), encoding="utf-8")
        tab.goto(file.as_uri(), wait_until="domcontentloaded")
        assert tab.url == file.as_uri()
        assert tab.evaluate("window.ran") is None, source
        assert set(tab.evaluate(SCHEMES)) <= SAFE, source


def test_the_attacks_are_real(tab: Any, server: LocalServer, tmp_path: Path) -> None:
    """Without tamis many of these pages run their script or load something, so the tests above see it."""
    file = tmp_path / "page.html"
    ran = 0
    for source in list(hostile(server))[:40]:
        file.write_text(source, encoding="utf-8")
        tab.goto(file.as_uri(), wait_until="domcontentloaded")
        ran += tab.evaluate("window.ran") == 1
    assert ran > 8
    assert server.connections
