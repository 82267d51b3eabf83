"""What a test sees of a page: its state to the byte, its highlights, and what the extension shows in it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.extension.browser import Panel, eventually

STATE = """() => {
  const parts = [];
  const look = (root) => {
    parts.push(root.documentElement ? root.documentElement.outerHTML : root.innerHTML);
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot);
      if (element.contentDocument) look(element.contentDocument);
    }
  };
  look(document);
  return parts;
}"""

HIGHLIGHTED = """() => {
  const found = {};
  const look = (window) => {
    for (const [name, highlight] of window.CSS.highlights) {
      for (const { startContainer, startOffset, endContainer, endOffset } of highlight) {
        const range = startContainer.ownerDocument.createRange();
        range.setStart(startContainer, startOffset);
        range.setEnd(endContainer, endOffset);
        (found[name] ??= []).push(range.toString());
      }
    }
    for (const { contentDocument, contentWindow } of window.document.querySelectorAll("iframe")) {
      if (contentDocument) look(contentWindow);
    }
  };
  look(window);
  return found;
}"""


def state(page: Page) -> list[str]:
    """All markup of a page: its own, that of its shadow roots and that of its frames."""
    found: list[str] = page.evaluate(STATE)
    return found


def highlighted(page: Page) -> dict[str, str]:
    """The texts below each highlight, joined."""
    found: dict[str, list[str]] = page.evaluate(HIGHLIGHTED)
    return {name: "|".join(texts) for name, texts in found.items()}


def kept(page: Page) -> str:
    """All highlighted text that is content."""
    return "|".join(text for name, text in highlighted(page).items() if name not in ("tamis-maybe", "tamis-off"))


def visibility(page: Page, selector: str) -> str:
    return str(page.locator(selector).first.evaluate("element => getComputedStyle(element).visibility"))


class Shown:
    """What the extension shows in a page, as assistive technology sees it: its shadow root is closed to scripts."""

    def __init__(self, page: Page) -> None:
        self._page = page
        session = page.context.new_cdp_session(page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        self._nodes = [node for node in nodes if not node.get("ignored")]
        self._places: dict[str, tuple[float, float]] = {}
        for node in self._nodes:
            if _text(node, "role") in ("button", "combobox", "menuitem", "MenuListPopup"):
                quads = session.send("DOM.getContentQuads", {"backendNodeId": node["backendDOMNodeId"]})["quads"]
                if quads:
                    x, y = quads[0][0:2], quads[0][4:6]
                    self._places[_text(node, "name")] = ((x[0] + y[0]) / 2, (x[1] + y[1]) / 2)
        session.detach()

    @property
    def text(self) -> str:
        """All words, in order."""
        return " ".join(_text(node, "name") for node in self._nodes if _text(node, "role") == "StaticText")

    def names(self, role: str) -> list[str]:
        """What things of this role are called."""
        return [_text(node, "name") for node in self._nodes if _text(node, "role") == role]

    @property
    def focus(self) -> str:
        """The name of what has the focus."""
        for node in reversed(self._nodes):
            for each in node.get("properties", []):
                if each["name"] == "focused" and each["value"]["value"]:
                    return _text(node, "name")
        return ""

    def click(self, button: str) -> None:
        self._page.mouse.click(*self._places[button])


def _text(node: dict[str, Any], key: str) -> str:
    return str(node.get(key, {}).get("value", ""))


def ours(page: Page) -> int:
    """How many elements of the extension are in the page."""
    return page.locator("tamis-ui").count()


def show_view(page: Page, panel: Panel, action: str) -> None:
    """Press the reader or why, and wait until it is there."""
    panel.press(action)
    eventually(lambda: ours(page), action)


def escape(page: Page) -> None:
    """Close it by its key."""
    page.keyboard.press("Escape")
    eventually(lambda: not ours(page), "the view to close")
