"""Pages that are not plain: strict policies, shadows and frames, hostile ones, and those that say no."""

from __future__ import annotations

from typing import Any

import pytest

from tests.extension import pages
from tests.extension.browser import ExtensionBrowser, eventually
from tests.extension.conftest import ARTICLE, ONCE_MORE, SITE
from tests.extension.seen import Shown, escape, highlighted, kept, show_view, state, visibility

pytestmark = pytest.mark.xdist_group("extension")


@pytest.mark.parametrize("extractor", ["tamis", "boilernet-small"])
def test_a_strict_content_security_policy_changes_nothing(browser: ExtensionBrowser, extractor: str) -> None:
    page, panel = browser.show(f"{SITE}/strict", extractor)
    before = state(page)
    panel.switch("highlight", on=True)
    assert pages.FIRST in kept(page)
    panel.switch("isolate", on=True)
    assert visibility(page, "nav a") == "hidden"
    panel.switch("isolate", on=False)
    panel.switch("highlight", on=False)
    show_view(page, panel, "reader")
    assert pages.FIRST in Shown(page).text
    escape(page)
    assert state(page) == before


def test_shadow_trees_and_frames_of_the_same_site(browser: ExtensionBrowser) -> None:
    page = browser.open(f"{SITE}/shadow")
    places = [page.locator("#inner"), page.locator("#slotted"), page.frame_locator("#frame").locator("#framed")]
    pictures = [place.screenshot() for place in places]
    before = state(page)
    panel = browser.click_button(page, "boilernet-small")
    panel.switch("highlight", on=True)
    content = kept(page)
    assert all(text in content for text in (pages.FIRST, pages.SECOND, pages.THIRD))
    assert [place.screenshot() == was for place, was in zip(places, pictures, strict=True)] == [False] * 3
    panel.switch("isolate", on=True)
    look = "element => getComputedStyle(element).visibility"
    assert [place.evaluate(look) for place in places] == ["visible"] * 3
    assert visibility(page, "nav a") == "hidden"
    for action in ("highlight", "isolate"):
        panel.switch(action, on=False)
    assert state(page) == before


def test_names_that_stand_in_the_way(browser: ExtensionBrowser) -> None:
    """A form with a field called parentNode, a document with an image called body: every view works all the same."""
    page = browser.open(f"{SITE}/hostile")
    before = page.content()
    panel = browser.click_button(page, "boilernet-small")
    for action in ("highlight", "isolate"):
        panel.switch(action, on=True)
    assert pages.FIRST in kept(page)
    assert page.locator("[data-tamis-off]").count() > 0
    for action in ("highlight", "isolate"):
        panel.switch(action, on=False)
    assert page.content() == before
    show_view(page, panel, "why")
    for _ in range(6):  # through the first form and out of it
        card = Shown(page).text
        page.keyboard.press("ArrowDown")
        eventually(lambda: Shown(page).text != card, "the next block")  # noqa: B023
    escape(page)


def test_what_a_page_smuggles_in_does_nothing_in_the_reader(browser: ExtensionBrowser) -> None:
    page, panel = browser.show(f"{SITE}/hostile", "r4")
    show_view(page, panel, "reader")
    session = page.context.new_cdp_session(page)
    host = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    found = [node for node in walk(host) if node["nodeName"] == "TAMIS-UI"]
    inside = [node for shadow in found[0]["shadowRoots"] for node in walk(shadow)]
    session.detach()
    assert {"IMG", "P"} <= {node["nodeName"] for node in inside}
    attributes = [name for node in inside for name in node.get("attributes", [])[::2]]
    values = [value for node in inside for value in node.get("attributes", [])[1::2]]
    assert not [name for name in attributes if name.startswith("on")]
    assert not [value for value in values if value.startswith(("javascript:", "data:text"))]
    assert not {"SCRIPT", "SVG", "IFRAME"} & {node["nodeName"].upper() for node in inside}
    assert page.evaluate("window.hurt") is None


def walk(node: dict[str, Any]) -> list[dict[str, Any]]:
    """A node of the protocol's tree and all below it."""
    found = [node]
    for key in ("children", "shadowRoots"):
        for child in node.get(key, []):
            found += walk(child)
    return found


def test_a_second_script_in_the_page_takes_over_from_the_first(browser: ExtensionBrowser) -> None:
    """As after an update of the extension, when the first one hears nothing any more."""
    page = browser.open(ARTICLE)
    before = state(page)
    panel = browser.click_button(page)
    for action in ("highlight", "isolate"):
        panel.switch(action, on=True)
    browser.close_panel()
    browser.in_worker(ONCE_MORE)
    assert state(page) == before
    assert highlighted(page) == {}
    panel = browser.click_button(page)
    panel.switch("highlight", on=True)
    assert pages.FIRST in kept(page)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("chrome://version/", "does not let extensions read this page"),
        ("about:blank", "does not let extensions read this page"),
        (f"{SITE}/empty", "nothing on this page"),
        (f"{SITE}/paper.pdf", "PDF"),
        (f"{SITE}/drawing.svg", "no web page but a file"),
    ],
)
def test_pages_without_content_get_a_word(browser: ExtensionBrowser, url: str, words: str) -> None:
    _, panel = browser.show(url)
    assert words in panel.status
    assert panel.evaluate("document.getElementById('controls').inert")


def test_nothing_leaves(browser: ExtensionBrowser) -> None:
    """Every address that the browser turns to is in `asked`; Google's are the browser's own, before and after."""
    page = browser.open(ARTICLE)
    page.wait_for_load_state("networkidle")
    browser.web.asked.clear()
    panel = browser.click_button(page)
    for extractor in ("tamis", "r4", "boilernet-small"):
        panel.choose(extractor)
        for on in (True, False):
            panel.switch("highlight", on=on)
            panel.switch("isolate", on=on)
    panel.evaluate("document.querySelector('[data-form=copy]').click()")
    panel.wait("document.getElementById('status').textContent === 'Copied as Markdown.'")
    for action in ("why", "reader"):
        show_view(page, panel, action)
        escape(page)
        panel = browser.click_button(page)
        panel.settle()
    page.wait_for_timeout(300)
    assert [url for url in browser.web.asked if "google" not in url] == []
    page.reload()
    assert ARTICLE in browser.web.asked  # the list can grow
