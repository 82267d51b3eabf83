"""Draw the pictures of the playground, with its own example page: python -m tools.playground_pictures.

Needs the extras `server` and `render` and a Chromium on the machine.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tamis.web.browser import program
from tests.server.conftest import serving
from tools.pictures import PROJECT, save, write_record

EXAMPLE = PROJECT / "packages" / "tamis" / "src" / "tamis" / "server" / "playground" / "example.html"
# The block whose reasons a picture shows.
OPENED = "One letter from the coast"


def shown(browser: Browser, address: str, **settings: Any) -> Any:
    """The playground with its example extracted."""
    page = browser.new_context(**settings, reduced_motion="reduce").new_page()
    page.goto(address)
    page.wait_for_selector("#extractor option", state="attached")
    page.click("#example")
    page.wait_for_selector("#results:not([aria-busy]):visible")
    page.frame_locator("iframe.page").locator("mark").first.wait_for()
    return page


def still(page: Any) -> bytes:
    """A screenshot without pointer and focus."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    picture: bytes = page.screenshot()
    return picture


def light(browser: Browser, address: str) -> bytes:
    """A text of the page, and why it was dropped."""
    page = shown(browser, address, viewport={"width": 1280, "height": 1230})
    page.frame_locator("iframe.page").locator("mark", has_text=OPENED).click()
    page.wait_for_selector(".reasons table")
    return still(page)


def compare(browser: Browser, address: str) -> bytes:
    """Two extractors side by side, in the dark."""
    page = shown(browser, address, viewport={"width": 1280, "height": 1230}, color_scheme="dark")
    page.click("#tab-compare")
    page.wait_for_selector(".rows")
    return still(page)


def phone(browser: Browser, address: str) -> bytes:
    """The result on a phone."""
    page = shown(browser, address, viewport={"width": 390, "height": 1100})
    page.evaluate("scrollTo(0, document.querySelector('#results').offsetTop - 8)")
    return still(page)


def main() -> None:
    """Draw all pictures."""
    flags = [] if program.should_sandbox() else ["--no-sandbox"]
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program.chromium_path(), args=flags)
        pictures = [save(draw(browser, address), f"playground-{draw.__name__}") for draw in (light, compare, phone)]
        browser.close()
    write_record("playground", pictures, EXAMPLE)


if __name__ == "__main__":
    main()
