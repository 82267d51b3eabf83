"""Highlight, isolate, reader and why, on a page as news sites have them."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from PIL import Image
from playwright.sync_api import Page

from tests.extension import pages
from tests.extension.browser import ExtensionBrowser, eventually
from tests.extension.conftest import ARTICLE
from tests.extension.seen import Shown, escape, highlighted, kept, ours, show_view, state, visibility

pytestmark = pytest.mark.xdist_group("extension")

# A view is the same for each extractor. The papers' own demonstrations are among these.
HIGHLIGHTING = ("tamis", "boilernet-small")
ISOLATING = ("tamis", "r4")


def colour(page: Page, selector: str) -> tuple[int, ...]:
    """The commonest colour in the place of an element."""
    picture = page.locator(selector).screenshot()
    points = Image.open(io.BytesIO(picture)).convert("RGB").tobytes()
    counted = Counter(zip(points[::3], points[1::3], points[2::3], strict=True))
    return counted.most_common(1)[0][0]


def darkest(picture: bytes) -> int:
    """The darkest grey in a picture."""
    lowest, _ = Image.open(io.BytesIO(picture)).convert("L").getextrema()
    assert isinstance(lowest, int)
    return lowest


@pytest.mark.parametrize("extractor", HIGHLIGHTING)
def test_highlight_paints_content_and_leaves_the_page_as_it_is(browser: ExtensionBrowser, extractor: str) -> None:
    page = browser.open(ARTICLE)
    before = state(page)
    panel = browser.click_button(page, extractor)
    panel.switch("highlight", on=True)
    content = kept(page)
    assert pages.FIRST in content
    assert pages.THIRD in content
    assert "Weather" not in content
    assert "Imprint" not in content
    assert colour(page, "#first") != (255, 255, 255)
    assert "words are content" in panel.status
    assert not panel.evaluate("document.getElementById('legend').hidden")
    panel.switch("highlight", on=False)
    assert highlighted(page) == {}
    assert colour(page, "#first") == (255, 255, 255)
    assert state(page) == before


def test_comments_captions_and_titles_are_told_apart(browser: ExtensionBrowser) -> None:
    page, panel = browser.show(ARTICLE, "r4")
    panel.switch("highlight", on=True)
    seen = highlighted(page)
    assert pages.CAPTION in seen["tamis-caption"]
    assert seen["tamis-title"] == "The mill at Oakham Weir turns again"  # and no other heading
    assert pages.COMMENT in seen["tamis-comment"]
    assert page.locator("#wheel").get_attribute("data-tamis-kept") == ""
    panel.switch("highlight", on=False)
    assert page.locator("#wheel").get_attribute("data-tamis-kept") is None


@pytest.mark.parametrize("extractor", HIGHLIGHTING)
def test_only_the_title_of_the_page_is_painted_as_one(browser: ExtensionBrowser, extractor: str) -> None:
    page, panel = browser.show(ARTICLE, extractor)
    panel.switch("highlight", on=True)
    seen = highlighted(page)
    assert any("A dispute about fish" in text for name, text in seen.items() if name.startswith("tamis-text-"))
    assert seen.get("tamis-title", "") in ("", "The mill at Oakham Weir turns again")


@pytest.mark.parametrize("extractor", ISOLATING)
def test_isolate_hides_the_rest_where_it_stands_and_gives_it_back(browser: ExtensionBrowser, extractor: str) -> None:
    page = browser.open(ARTICLE)
    before = state(page)
    place = page.locator("#third").bounding_box()
    panel = browser.click_button(page, extractor)
    panel.switch("isolate", on=True)
    assert [visibility(page, each) for each in ("nav a", "aside a", "footer", "#footer a")] == ["hidden"] * 4
    assert [visibility(page, each) for each in ("#first", "#third", "#link")] == ["visible"] * 3
    assert page.locator("#third").bounding_box() == place
    assert state(page) != before  # or the next line could not fail
    panel.switch("isolate", on=False)
    assert state(page) == before
    assert visibility(page, "nav a") == "visible"


def test_a_dropped_text_beside_kept_ones_is_not_seen(browser: ExtensionBrowser) -> None:
    page = browser.open(
        browser.web.put(
            "http://valley.example/mixed",
            f"<!doctype html><title>Mixed</title><body><div>Advertisement, in a line of its own"
            f"<p>{pages.SECOND}</p><p>{pages.THIRD}</p></div>",
        )
    )
    before = state(page)
    line = {"x": 0, "y": 0, "width": 400, "height": 28}
    assert darkest(page.screenshot(clip=line)) < 100  # type: ignore[arg-type]
    panel = browser.click_button(page, "r4")
    panel.switch("isolate", on=True)
    assert highlighted(page) == {"tamis-off": "Advertisement, in a line of its own"}
    assert darkest(page.screenshot(clip=line)) == 255  # type: ignore[arg-type]
    panel.switch("isolate", on=False)
    assert highlighted(page) == {}
    assert state(page) == before


def test_views_go_together_and_leave_nothing(browser: ExtensionBrowser) -> None:
    page = browser.open(ARTICLE)
    before = state(page)
    panel = browser.click_button(page)
    for action in ("highlight", "isolate"):
        panel.switch(action, on=True)
    panel.choose("boilernet-small")
    panel.choose("r4")
    assert visibility(page, "nav a") == "hidden"
    assert kept(page)
    for action in ("isolate", "highlight"):
        panel.switch(action, on=False)
    assert state(page) == before


def test_reader_shows_the_content_alone(browser: ExtensionBrowser) -> None:
    page = browser.open(ARTICLE)
    before = state(page)
    page.locator("#link").focus()
    panel = browser.click_button(page)
    panel.settle()
    show_view(page, panel, "reader")
    eventually(lambda: not panel.is_open, "the panel to make room")
    reader = Shown(page)
    assert reader.names("dialog") == ["Reader"]
    assert pages.FIRST in reader.text
    assert "Weather" not in reader.text
    assert "valley.example" in reader.text
    assert "The mill at Oakham Weir turns again" in reader.names("heading")
    escape(page)
    assert state(page) == before
    assert page.evaluate("document.activeElement.id") == "link"  # the focus is back where it was


def test_reader_remembers_size_and_colours(browser: ExtensionBrowser) -> None:
    page = browser.open(ARTICLE)
    for _ in range(2):
        panel = browser.click_button(page)
        panel.settle()
        show_view(page, panel, "reader")
        Shown(page).click("Larger letters")
        Shown(page).click("Close the reader")
        eventually(lambda: not ours(page), "the reader to close")
    assert browser.in_worker("chrome.storage.local.get()") == {"readerSize": 25}


def test_reader_follows_the_dark_mode_of_the_system(browser: ExtensionBrowser) -> None:
    page, panel = browser.show(ARTICLE)
    show_view(page, panel, "reader")
    grounds = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="light" if scheme == "light" else "dark")
        image = Image.open(io.BytesIO(page.screenshot())).convert("L")
        grounds.append(image.getpixel((20, 400)))
    page.emulate_media(color_scheme=None)
    light, dark = grounds
    assert isinstance(light, int)
    assert isinstance(dark, int)
    assert light > 240
    assert dark < 60


def test_why_says_the_score_of_what_is_pointed_at(browser: ExtensionBrowser) -> None:
    page = browser.open(ARTICLE)
    before = state(page)
    panel = browser.click_button(page, "r4")
    show_view(page, panel, "why")
    page.mouse.move(100, 200)
    page.locator("#first").hover(position={"x": 40, "y": 12})
    eventually(lambda: pages.FIRST[:40] in Shown(page).text.split("kept as")[-1], "the first paragraph")
    assert "kept as text" in Shown(page).text
    assert "100%" in Shown(page).text
    page.locator("nav a").first.hover()
    eventually(lambda: "dropped as boilerplate" in Shown(page).text, "the menu")
    escape(page)
    assert state(page) == before


def test_why_goes_from_block_to_block_by_keys(browser: ExtensionBrowser) -> None:
    page, panel = browser.show(ARTICLE)
    show_view(page, panel, "why")
    eventually(lambda: not panel.is_open, "the panel to make room")
    seen = []
    for _ in range(3):
        seen.append(Shown(page).text)
        page.keyboard.press("ArrowDown")
        eventually(lambda: Shown(page).text != seen[-1], "the next block")
    page.keyboard.press("ArrowUp")
    eventually(lambda: Shown(page).text == seen[-1], "the block before")
    assert len(set(seen)) == 3
    assert "Why a block was kept or dropped" in Shown(page).focus
