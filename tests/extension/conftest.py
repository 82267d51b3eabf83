"""The extension, built from what is in the tree, in Debian's Chromium."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import ConsoleMessage, Page, sync_playwright

from tamis.web.browser import program
from tests.environment import own_chromium
from tests.extension import pages
from tests.extension.browser import ExtensionBrowser
from tests.extension.parity.harness import Core, core_in_chromium, kernel
from tests.extension.web import Answer, Web

PROJECT = Path(__file__).resolve().parents[2]
BUILT = PROJECT / "build" / "extension"

SITE = "http://valley.example"
ARTICLE = f"{SITE}/mill"

# The script for pages, into the page in front.
ONCE_MORE = """(async () => {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ["page.js"] });
})()"""
# A grey picture of one point.
PICTURE = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9cch\0\0\0\x82\0\x81w\xcdr\xb6"
    b"\0\0\0\0IEND\xaeB`\x82"
)


@pytest.fixture(scope="session")
def built() -> Path:
    """Both extensions, from the present sources; `make extension` installs what that needs."""
    node = shutil.which("node")
    if node is None or not (PROJECT / "extension" / "node_modules").is_dir():
        pytest.skip("no Node or none of its packages here: make extension")
    kernel()
    run = subprocess.run(
        [node, "tools/build.js"], cwd=PROJECT / "extension", capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return BUILT


@pytest.fixture(scope="session")
def core() -> Iterator[Core]:
    """The core in a browser, one for all tests of a process."""
    with ExitStack() as stack:
        with own_chromium():  # not while it runs: other tests of this process are to find no browser
            running = stack.enter_context(core_in_chromium())
        yield running


@pytest.fixture(scope="package")
def web() -> Iterator[Web]:
    """All addresses that the tests' browser can reach."""
    with Web() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        server.put(ARTICLE, pages.ARTICLE)
        for name in ("wheel", "x"):
            server.pages[f"http://valley.example/{name}.png"] = Answer(PICTURE, "image/png")
        server.put("http://valley.example/strict", pages.STRICT_ARTICLE, Content_Security_Policy=pages.STRICT)
        server.put("http://valley.example/shadow", pages.SHADOW_AND_FRAME)
        server.put("http://valley.example/inside", pages.INSIDE)
        server.put("http://valley.example/lazy", pages.LAZY)
        server.put("http://valley.example/hostile", pages.HOSTILE)
        server.put("http://valley.example/empty", "<!doctype html><title>Empty</title><body></body>")
        server.put("http://valley.example/huge", pages.huge(50_000))
        drawing = b"<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>drawn</text></svg>"
        server.pages["http://valley.example/drawing.svg"] = Answer(drawing, "image/svg+xml")
        server.pages["http://valley.example/paper.pdf"] = Answer(pages.pdf(), "application/pdf")
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="package")
def running(built: Path, web: Web, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExtensionBrowser]:
    """One browser for all tests of this folder."""
    with own_chromium(), sync_playwright() as playwright:
        flags = [] if program.should_sandbox() else ["--no-sandbox"]
        profile = tmp_path_factory.mktemp("profile")
        browser = ExtensionBrowser(playwright, program.chromium_path(), built / "chrome", profile, web, *flags)
        yield browser
        browser.close()


@pytest.fixture
def browser(running: ExtensionBrowser) -> Iterator[ExtensionBrowser]:
    """The browser with no page open and nothing remembered. A test in which anybody complains has failed."""
    running.in_worker("chrome.storage.local.clear()")
    running.complaints()
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.text} ({message.location})")

    def follow(page: Page) -> None:
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))

    running.context.on("page", follow)
    yield running
    running.close_panel()
    for page in running.context.pages[1:]:
        page.close()
    running.context.remove_listener("page", follow)
    assert complaints + running.complaints() == []
