"""Pages that change under the reader."""

from __future__ import annotations

import pytest

from tests.extension import pages
from tests.extension.browser import ExtensionBrowser, eventually
from tests.extension.conftest import SITE
from tests.extension.seen import Shown, kept, state, visibility

pytestmark = pytest.mark.xdist_group("extension")


def test_a_page_that_changes_is_followed(browser: ExtensionBrowser) -> None:
    page, panel = browser.show(f"{SITE}/lazy")
    panel.switch("highlight", on=True)
    assert pages.THIRD not in kept(page)
    page.evaluate("load()")
    eventually(lambda: pages.THIRD in kept(page), "the new paragraph")
    panel.wait("document.getElementById('stale').hidden")


def test_a_page_that_changes_is_read_again_when_asked_to(browser: ExtensionBrowser) -> None:
    page, panel = browser.show(f"{SITE}/lazy", "boilernet-small")
    panel.evaluate("document.getElementById('follow').click()")
    panel.switch("highlight", on=True)
    page.evaluate("load()")
    panel.wait("!document.getElementById('stale').hidden")
    page.wait_for_timeout(1200)  # longer than following would take
    assert pages.THIRD not in kept(page)
    panel.evaluate("document.getElementById('refresh').click()")
    eventually(lambda: pages.THIRD in kept(page), "the new paragraph")
    assert browser.in_worker("chrome.storage.local.get()") == {"extractor": "boilernet-small", "follow": False}


def test_views_catch_up_when_the_panel_opens(browser: ExtensionBrowser) -> None:
    page, panel = browser.show(f"{SITE}/lazy")
    panel.switch("highlight", on=True)
    browser.close_panel()
    page.evaluate("load()")
    browser.click_button(page).settle()
    assert pages.THIRD in kept(page)


def test_a_change_is_not_forgotten_when_the_panel_opens(browser: ExtensionBrowser) -> None:
    """Without following, what is seen is what was, and the panel says so."""
    page, panel = browser.show(f"{SITE}/lazy")
    panel.evaluate("document.getElementById('follow').click()")
    panel.switch("highlight", on=True)
    browser.close_panel()
    page.evaluate("load()")
    panel = browser.click_button(page)
    panel.settle()
    panel.wait("!document.getElementById('stale').hidden")
    assert pages.THIRD not in kept(page)
    # What is taken away is the page as it is, and then the views are no older.
    panel.evaluate("document.querySelector('[data-form=copy]').click()")
    panel.wait("document.getElementById('status').textContent === 'Copied as Markdown.'")
    assert pages.THIRD in kept(page)
    assert panel.evaluate("document.getElementById('stale').hidden")


def test_the_reader_stays_where_it_is_when_the_page_changes(browser: ExtensionBrowser) -> None:
    long = pages.LAZY.replace("</article>", f"{f'<p>{pages.SECOND}</p>' * 60}</article>")
    page, panel = browser.show(browser.web.put(f"{SITE}/long", long), "r4")
    panel.press("reader")
    eventually(lambda: not panel.is_open, "the reader")
    page.mouse.move(500, 400)
    page.mouse.wheel(0, 2_345)  # lines are not where they were
    page.wait_for_timeout(300)
    column = {"x": 100, "y": 100, "width": 700, "height": 500}
    before = page.screenshot(clip=column)  # type: ignore[arg-type]
    page.evaluate("load()")  # at the end
    eventually(lambda: pages.THIRD in Shown(page).text, "the new paragraph")
    assert page.screenshot(clip=column) == before  # type: ignore[arg-type]


def test_isolation_survives_a_change_and_ends_without_a_trace(browser: ExtensionBrowser) -> None:
    page, panel = browser.show(f"{SITE}/lazy")
    panel.switch("isolate", on=True)
    page.evaluate("load(); document.querySelector('nav').append('one more')")
    eventually(lambda: visibility(page, "#late") == "visible", "the new paragraph")
    page.wait_for_timeout(1000)
    panel.settle()
    panel.switch("isolate", on=False)
    assert "tamis" not in "".join(state(page))
