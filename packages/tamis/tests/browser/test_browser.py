"""A page in, a picture out; what comes with the page is shown, and nothing else is."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

import tamis
from tamis.web.browser import Browser, processes
from tamis.web.browser import browser as module
from tests.browser.pictures import GREEN, HEIGHT, RED, SQUARE, WHITE, WIDTH, pixel, size

pytestmark = pytest.mark.xdist_group("browser")


def test_a_page_is_drawn(browser: Browser) -> None:
    picture = browser.screenshot(SQUARE)
    assert Image.open(io.BytesIO(picture)).format == "PNG"
    assert size(picture) == (WIDTH, HEIGHT)
    assert [pixel(picture, *place) for place in ((0, 0), (99, 99), (100, 50), (50, 100))] == [RED, RED, WHITE, WHITE]


def test_the_same_page_gives_the_same_picture_in_any_charset(browser: Browser) -> None:
    page = "<h1>Хлеб</h1><p>Пекарь встаёт задолго до города"
    bytes_ = page.encode("koi8-r")
    assert browser.screenshot(page) == browser.screenshot(bytes_, url="https://oven.example/page", charset="koi8-r")


def test_a_picture_can_be_jpeg(browser: Browser) -> None:
    picture = browser.screenshot(SQUARE, image="jpeg")
    assert Image.open(io.BytesIO(picture)).format == "JPEG"
    assert pixel(picture, 50, 50)[0] > 250


def test_an_image_inside_the_page_is_shown(browser: Browser) -> None:
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'><rect width='50' height='50' fill='red'/></svg>"
    )
    page = f'<body style="margin:0"><img src="data:image/svg+xml,{svg.replace("#", "%23")}">'
    assert pixel(browser.screenshot(page), 25, 25) == RED


def test_an_icon_without_a_size_does_not_fill_the_screen(browser: Browser) -> None:
    picture = browser.screenshot(
        "<body style='margin:0'><svg viewBox='0 0 1 1'><rect width=1 height=1 fill=red /></svg>"
    )
    assert pixel(picture, 4, 4) == RED
    assert pixel(picture, 40, 4) == WHITE


def test_scripts_run_only_when_asked_to(browser: Browser, scripted: Browser) -> None:
    page = SQUARE + "<script>document.querySelector('div').style.background = 'green'</script>"
    assert pixel(browser.screenshot(page), 50, 50) == RED
    assert pixel(scripted.screenshot(page), 50, 50) == GREEN


def test_a_page_can_be_too_large(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CHARACTERS", 100)
    with pytest.raises(tamis.PageTooLarge, match="101 characters; the limit is 100"):
        browser.screenshot("x" * 101)


def test_threads_may_share_a_browser(browser: Browser) -> None:
    pages = [f"<body style='background:rgb({number},0,0)'>" for number in range(0, 240, 60)]
    with ThreadPoolExecutor(8) as pool:
        pictures = list(pool.map(browser.screenshot, pages))
    assert [pixel(picture, 9, 9) for picture in pictures] == [(number, 0, 0) for number in range(0, 240, 60)]


@pytest.mark.parametrize("side", [0, -1, 100_000])
def test_sizes_that_can_not_be(side: int) -> None:
    with pytest.raises(tamis.OptionError, match="pixels a side"):
        Browser(width=side)
    with pytest.raises(tamis.OptionError, match="pixels a side"):
        Browser(height=side)


def test_a_limit_that_can_not_be() -> None:
    with pytest.raises(tamis.OptionError, match="more than 0 seconds"):
        Browser(timeout=0)


def test_a_browser_that_was_never_used_may_be_closed() -> None:
    Browser().close()


@pytest.mark.usefixtures("chromium")
def test_nothing_is_left_of_a_browser() -> None:
    """Not when it is closed, forgotten, or when Python ends; a forked child has one of its own."""
    code = """
import os, sys, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads, from Python 3.12
from tamis.web.browser import Browser, processes

def draw(page):
    browser.screenshot(page)
    marker = browser._worker.marker
    assert processes.marked_process_groups(marker)
    print(marker, flush=True)
    return marker

browser = Browser(width=100, height=100)
first = draw("x")
child = os.fork()
if child == 0:
    own = draw("y")
    del browser
    assert processes.marked_process_groups(own) == []
    assert processes.marked_process_groups(first)
    sys.exit()
assert os.waitpid(child, 0)[1] == 0
draw("z")
profile = processes.marked_profile_folder(first)
assert profile.exists()
browser.close()
browser.close()
assert processes.marked_process_groups(first) == []
assert not profile.exists()
draw("again, and not closed")
"""
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, encoding="utf-8", check=False, timeout=90
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    first, child, again, second = ended.stdout.split()
    assert first == again
    assert len({first, child, second}) == 3
    assert [processes.marked_process_groups(marker) for marker in (first, child, second)] == [[], [], []]


def test_only_marked_processes_are_found() -> None:
    assert processes.marked_process_groups(processes.new_marker()) == []
    assert os.getpid() not in processes.marked_processes("--no-such-argument")
