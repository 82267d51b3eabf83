"""Pages of very many nodes. How long what takes is in benchmarks/extension.py."""

from __future__ import annotations

import pytest

from tests.extension import pages
from tests.extension.browser import ExtensionBrowser, eventually
from tests.extension.conftest import ONCE_MORE, SITE
from tests.extension.seen import escape, highlighted, kept, state

pytestmark = pytest.mark.xdist_group("extension")

CARD = "<nav class=related><p><a href=/a>Bridge</a> <a href=/b>toll</a></p><ul><li>Eels<li>Trout</ul></nav>"
MUCH_TO_HIDE = pages.ARTICLE.replace("</article>", f"{CARD * 4_000}</article>")

# For each batch of changes: how many elements were hidden or shown by it. What one task changes comes as one batch.
BATCHES = """() => {
  window.batches = [];
  new MutationObserver((records) => {
    window.batches.push(records.reduce((sum, { target }) => sum + 1 + target.querySelectorAll("*").length, 0));
  }).observe(document, { subtree: true, attributeFilter: ["data-tamis-off"] });
}"""
AT_ONCE = 5_000  # elements (views/isolate.js)


def test_a_huge_page_shows_progress_and_can_be_cancelled(browser: ExtensionBrowser) -> None:
    page = browser.open(f"{SITE}/huge")
    panel = browser.click_button(page)
    panel.wait("!document.getElementById('working').hidden")
    panel.evaluate("document.getElementById('cancel').click()")
    panel.settle()
    assert panel.evaluate("document.getElementById('working').hidden")
    assert panel.status == "Cancelled."
    assert highlighted(page) == {}


def test_a_huge_page_is_hidden_and_given_back_in_pieces(browser: ExtensionBrowser) -> None:
    """A browser computes the style of all that a task changes in one go: benchmarks/extension.py has the times."""
    page = browser.open(browser.web.put(f"{SITE}/cards", MUCH_TO_HIDE))
    before = state(page)
    panel = browser.click_button(page, "tamis")
    page.evaluate(BATCHES)
    for on in (True, False):
        panel.switch("isolate", on=on)
        batches = page.evaluate("batches.splice(0)")
        assert sum(batches) > 4 * AT_ONCE
        assert max(batches) < AT_ONCE + 10  # a card more
    assert state(page) == before


def test_all_is_given_back_at_once_when_the_script_has_to_go(browser: ExtensionBrowser) -> None:
    page = browser.open(browser.web.put(f"{SITE}/cards", MUCH_TO_HIDE))
    before = state(page)
    panel = browser.click_button(page, "tamis")
    panel.switch("isolate", on=True)
    assert state(page) != before
    browser.close_panel()
    browser.in_worker(ONCE_MORE)
    assert state(page) == before


def test_of_one_long_paragraph_only_what_is_near_is_painted(browser: ExtensionBrowser) -> None:
    page, panel = browser.show(browser.web.put(f"{SITE}/paragraph", pages.huge_paragraph(20_000)), "tamis")
    panel.switch("highlight", on=True)
    painted = len(kept(page))
    assert painted > 1_000  # what is in sight
    assert painted < page.evaluate("document.body.textContent.length") / 4


def test_a_huge_page_is_painted_where_it_is_scrolled_to(browser: ExtensionBrowser) -> None:
    page = browser.open(f"{SITE}/huge")
    panel = browser.click_button(page)
    panel.switch("highlight", on=True)
    last = page.locator("p").last
    last.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 10_000
    below = """() => [...CSS.highlights.values()].some((highlight) => [...highlight].some(
      ({ endContainer }) => endContainer.parentElement.getBoundingClientRect().top > 0))"""
    eventually(lambda: page.evaluate(below), "the texts in sight to be painted")
    panel.switch("highlight", on=False)
    assert highlighted(page) == {}


def test_the_reader_of_a_huge_page_holds_the_focus_and_gives_it_back(browser: ExtensionBrowser) -> None:
    page = browser.open(f"{SITE}/huge")
    page.locator("nav a").first.focus()
    panel = browser.click_button(page, "r4")
    panel.press("reader")
    eventually(lambda: not panel.is_open, "the reader", 60)
    for key in ("Shift+Tab",) * 6:  # over the toolbar, and out of it
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.localName") == "tamis-ui"
    escape(page)
    assert page.evaluate("document.activeElement.textContent") == "Home"
