"""The panel: taking content away, keys, words for assistive technology, what is remembered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.extension import pages
from tests.extension.browser import ExtensionBrowser, Panel, eventually
from tests.extension.conftest import ARTICLE
from tests.extension.seen import highlighted, kept, ours, show_view, state

pytestmark = pytest.mark.xdist_group("extension")


@pytest.fixture
def panel(browser: ExtensionBrowser) -> Panel:
    _, panel = browser.show(ARTICLE, "r4")
    return panel


@pytest.fixture
def downloads(browser: ExtensionBrowser, tmp_path: Path) -> Iterator[Path]:
    browser.pipe.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    yield tmp_path
    browser.pipe.send("Browser.setDownloadBehavior", behavior="default")


def click(panel: Panel, form: str) -> None:
    panel.evaluate(f"document.querySelector('[data-form={form}]').click()")


def test_copy_as_markdown(browser: ExtensionBrowser, panel: Panel) -> None:
    browser.pipe.send(
        "Browser.grantPermissions",
        permissions=["clipboardReadWrite"],
        origin=f"chrome-extension://{browser.id}",
    )
    click(panel, "copy")
    panel.wait("document.getElementById('status').textContent === 'Copied as Markdown.'")
    copied = panel.evaluate("navigator.clipboard.readText()")
    assert copied.count("# The mill at Oakham Weir turns again") == 1
    assert "## A dispute about fish" in copied
    assert pages.FIRST in copied
    assert "[the plan of the weir](http://valley.example/plan?a=1&b=2)" in copied
    assert "Weather" not in copied


@pytest.mark.parametrize(("form", "ending"), [("markdown", "md"), ("html", "html"), ("text", "txt")])
def test_save(panel: Panel, downloads: Path, form: str, ending: str) -> None:
    click(panel, form)
    # A bar cannot be in the name of a file everywhere.
    file = downloads / f"The mill at Oakham Weir turns again Valley Post.{ending}"
    panel.wait("document.getElementById('status').textContent.startsWith('Saved as')")
    eventually(file.exists, f"the file; there are {list(downloads.iterdir())}")
    saved = file.read_text(encoding="utf-8")
    assert pages.FIRST in saved
    assert pages.THIRD in saved
    assert "Weather" not in saved
    heading = {
        "markdown": "## A dispute about fish",
        "html": "<h2>A dispute about fish</h2>",
        "text": "A dispute about fish",
    }
    assert heading[form] in saved
    if form == "html":
        assert "<title>The mill at Oakham Weir turns again | Valley Post</title>" in saved
        assert "<script" not in saved


def test_single_keys_do_what_buttons_do(browser: ExtensionBrowser, panel: Panel) -> None:
    page = browser.context.pages[-1]
    before = state(page)
    panel.key("h")
    eventually(lambda: kept(page), "the highlight")
    panel.key("i")
    eventually(lambda: state(page) != before, "isolation")
    panel.key("h")
    panel.key("i")
    eventually(lambda: state(page) == before and not highlighted(page), "the page as it was")


def test_the_panel_is_used_with_tab_and_enter(browser: ExtensionBrowser, panel: Panel) -> None:
    page = browser.context.pages[-1]
    reached = []
    for _ in range(12):
        panel.key("Tab")
        reached.append(
            panel.evaluate("(({ id, dataset }) => id || dataset.action || dataset.form || '')(document.activeElement)")
        )
    wanted = ["extractor", "highlight", "isolate", "reader", "why", "copy", "markdown", "html", "text", "follow"]
    start = reached.index("extractor")
    assert reached[start : start + len(wanted)] == wanted[: len(reached) - start]
    panel.evaluate("document.querySelector('[data-action=highlight]').focus()")
    panel.key("Enter")
    eventually(lambda: kept(page), "the highlight")


def test_every_control_has_a_name(browser: ExtensionBrowser, panel: Panel) -> None:
    nodes = browser.pipe.send("Accessibility.getFullAXTree", panel.session)["nodes"]
    controls = {
        (node["role"]["value"], node["name"]["value"])
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in ("button", "combobox", "checkbox", "status", "group")
    }
    names = {name for role, name in controls if role == "button"}
    wanted = {"Highlight", "Isolate", "Reader", "Why", "Copy as Markdown"}
    assert wanted | {"Save as Markdown", "Save as HTML", "Save as plain text"} <= {name.strip() for name in names}
    assert {"combobox", "checkbox", "status"} <= {role for role, _ in controls}
    assert ("combobox", "Extractor") in controls
    pressed = [
        each["value"]["value"] for node in nodes for each in node.get("properties", []) if each["name"] == "pressed"
    ]
    assert pressed == ["false"] * 4


def test_the_panel_follows_the_dark_mode_of_the_system(browser: ExtensionBrowser, panel: Panel) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = panel.evaluate(ground)
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.pipe.send("Emulation.setEmulatedMedia", panel.session, features=features)
    assert (light, panel.evaluate(ground)) == ("rgb(255, 255, 255)", "rgb(28, 33, 43)")


def test_the_chosen_extractor_is_remembered(browser: ExtensionBrowser, panel: Panel) -> None:
    assert panel.evaluate("document.getElementById('extractor').value") != "boilernet-small"
    panel.choose("boilernet-small")
    page = browser.open("http://valley.example/lazy")
    again = browser.click_button(page)
    again.settle()
    assert again.evaluate("document.getElementById('extractor').value") == "boilernet-small"
    names = again.evaluate("[...document.getElementById('extractor').options].map(option => option.value)")
    assert {"r4", "boilernet-small"} <= set(names)


def test_what_is_remembered_and_makes_no_sense_is_forgotten(browser: ExtensionBrowser) -> None:
    bad = {"extractor": "gone", "readerSize": "huge", "readerTheme": 7, "follow": "yes"}
    browser.in_worker(f"chrome.storage.local.set({json.dumps(bad)})")
    page = browser.open(ARTICLE)
    panel = browser.click_button(page)
    assert "words are content" in panel.settle()
    show_view(page, panel, "reader")


def test_the_panel_may_be_closed_and_opened(browser: ExtensionBrowser, panel: Panel) -> None:
    page = browser.context.pages[-1]
    panel.switch("highlight", on=True)
    again = browser.click_button(page)
    again.settle()
    assert again.evaluate("document.querySelector('[data-action=highlight]').getAttribute('aria-pressed')") == "true"
    again.switch("highlight", on=False)
    assert highlighted(page) == {}


def test_keys_of_the_browser(browser: ExtensionBrowser, panel: Panel) -> None:
    """The key itself is the browser's business and no protocol presses it: its event is sent here, on a page that the
    button was pressed on before."""
    page = browser.context.pages[-1]
    before = state(page)
    browser.close_panel()
    page.bring_to_front()  # the panel that closes gives the focus back a little later
    fire = """(async () => {
      const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
      chrome.commands.onCommand.dispatch(%r, tab);
    })()"""
    browser.in_worker(fire % "highlight")
    eventually(lambda: kept(page), "the highlight")
    browser.in_worker(fire % "highlight")
    eventually(lambda: not highlighted(page), "no highlight")
    browser.in_worker(fire % "isolate")
    eventually(lambda: state(page) != before, "isolation")
    browser.in_worker(fire % "isolate")
    eventually(lambda: state(page) == before, "the page as it was")
    browser.in_worker(fire % "reader")
    eventually(lambda: ours(page), "the reader")
    browser.in_worker(fire % "reader")
    eventually(lambda: not ours(page), "the reader to close")
    keys = browser.in_worker("chrome.commands.getAll()")
    assert {each["name"]: each["shortcut"] for each in keys} == {
        "_execute_action": "Alt+Shift+M",
        "highlight": "Alt+Shift+H",
        "isolate": "Alt+Shift+O",
        "reader": "Alt+Shift+E",
        "why": "",
    }
