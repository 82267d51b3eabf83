"""Pages that hang or crash are reported as such, and the rest go on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tamis.web.browser import Browser, BrowserMissing, RenderError, processes, show
from tests.browser.conftest import impatient
from tests.browser.pictures import HEIGHT, RED, SQUARE, WIDTH, is_blank, pixel, size
from tests.hostile import HOSTILE

pytestmark = pytest.mark.xdist_group("browser")

HANGING = "<p>soon<script>while (true) {}</script>"
LIMIT = 2.0  # seconds for a page that hangs

# Pages of the hundred that are not plain, by number. Each is drawn as a red square ...
SQUARES = {
    4: ("http://google.com/", ""),
    14: ("https://oven.example:1/a#b", ""),  # a port that Chromium thinks unsafe
    24: ("file:///etc/passwd", ""),
    34: ("http://[", ""),
    44: ("a", ""),
    54: (None, "<meta http-equiv=refresh content='0;url=https://oven.example/'>"),
    64: (None, "<meta http-equiv=refresh content='0'>"),
    74: (None, "<iframe srcdoc='<a>x</a>' style='display:none'></iframe>"),
}
# ... or white ...
NOTHING: dict[int, str | bytes] = {6: "", 26: b"", 46: "\0", 66: "<html></html>", 86: "<!-- nothing -->"}
# ... or somehow.
UGLY = {
    2: "nested divs with text",
    22: "lone surrogates",
    42: "many cells",
    62: "random bytes",
    82: "NULs",
}
HANGS, CRASHES, DIES_BEFORE = 10, 50, 70


@contextmanager
def deadly(browser: Browser) -> Iterator[None]:
    """While this lasts, a page's renderer is killed as soon as the page has come to it."""
    loaded = show._wait_until_loaded

    async def killed(*arguments: Any) -> None:
        for process in processes.group(marker_of(browser)):
            with suppress(OSError):
                if b"--type=renderer" in Path(f"/proc/{process}/cmdline").read_bytes():
                    os.kill(process, signal.SIGKILL)
        await loaded(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(show, "_wait_until_loaded", killed)
        yield


def marker_of(browser: Browser) -> str:
    marker = browser._started_worker().marker
    assert marker is not None
    return marker


def drawn(browser: Browser, number: int) -> bytes:
    """One of the hundred pages, as a picture."""
    if number == HANGS:
        with impatient(browser, LIMIT):
            return browser.screenshot(HANGING)
    if number == CRASHES:
        with deadly(browser):
            return browser.screenshot(HANGING)
    if number in SQUARES:
        url, before = SQUARES[number]
        return browser.screenshot(before + SQUARE, url=url)
    if number in NOTHING:
        return browser.screenshot(NOTHING[number])
    if number in UGLY:
        return browser.screenshot(HOSTILE[UGLY[number]](3_000))
    return browser.screenshot(f"<body style='background:rgb({number},0,0)'>")


def is_right(number: int, picture: bytes) -> bool:
    if number in SQUARES:
        return pixel(picture, 50, 50) == RED
    if number in NOTHING:
        return is_blank(picture)
    if number in UGLY:
        return size(picture) == (WIDTH, HEIGHT)
    return pixel(picture, 9, 9) == (number, 0, 0)


FAILURES = {
    HANGS: ("timeout", "took longer than 2 s to draw"),
    CRASHES: ("crash", "the browser crashed on this page"),
}


@pytest.mark.nightly
@pytest.mark.parametrize("pages", [range(34), range(34, 67), range(67, 100)], ids=str)
def test_of_a_hundred_pages_none_is_lost(pages: range, scripted: Browser) -> None:
    """One hangs, one crashes, and once the browser dies between two: all others are drawn, each as itself."""
    pictures: dict[int, bytes] = {}
    reports: dict[int, tuple[str, str]] = {}
    for number in pages:
        if number == DIES_BEFORE:
            die(scripted)
        try:
            pictures[number] = drawn(scripted, number)
        except RenderError as error:
            reports[number] = error.kind, str(error)
    assert reports == {number: failure for number, failure in FAILURES.items() if number in pages}
    assert len(pictures) + len(reports) == len(pages)
    assert [number for number, picture in pictures.items() if not is_right(number, picture)] == []


def die(browser: Browser) -> None:
    """Kill the browser, and wait until its death is known."""
    worker = browser._started_worker()
    assert worker._running is not None
    gone = worker._running.gone
    processes.kill(marker_of(browser))
    while not gone.done():
        worker._thread.join(0.01)


def test_a_page_that_keeps_reloading_is_drawn(scripted: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "LOADING_SHARE", 0.1)  # of 15 seconds; with the usual share it is 10 of them
    assert pixel(scripted.screenshot(SQUARE + "<script>location.reload()</script>"), 50, 50) == RED


@pytest.mark.usefixtures("chromium")
def test_a_program_that_is_no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAMIS_CHROMIUM", "/bin/false")
    with Browser() as browser, pytest.raises(BrowserMissing) as error:
        browser.screenshot("x")
    assert str(error.value).startswith("/bin/false did not start (")
    assert "\n" not in str(error.value)
