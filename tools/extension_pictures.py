"""Draw the pictures of the extension: python -m tools.extension_pictures, after `make extension`."""

from __future__ import annotations

import base64
import io
import tempfile
import threading
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter
from playwright.sync_api import Page, sync_playwright

from tamis.web.browser import program
from tests.extension.browser import ExtensionBrowser, Panel, eventually
from tests.extension.seen import ours
from tests.extension.web import Web
from tools import pictures

ADDRESS = "http://harbour-gazette.example/bridge"
WIDTH, HEIGHT = 1000, 700
EXTRACTOR = "tamis"


def picture(page: Page) -> Image.Image:
    """A screenshot of a page."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def with_panel(below: Image.Image, panel: Panel) -> Image.Image:
    """The screenshot with the open panel in the corner where the browser shows it."""
    above = Image.open(io.BytesIO(base64.b64decode(panel.picture()))).convert("RGB")
    corner = Image.new("L", above.size, 0)
    ImageDraw.Draw(corner).rounded_rectangle((0, 0, above.width - 1, above.height - 1), 10, fill=255)
    x, y = below.width - above.width - 30, 10
    shade = Image.new("L", below.size, 0)
    shade.paste(corner.point(lambda value: value // 3), (x, y + 6))
    shaded = Image.composite(Image.new("RGB", below.size, "black"), below, shade.filter(ImageFilter.GaussianBlur(12)))
    shaded.paste(above, (x, y), corner)
    return shaded


def save(image: Image.Image, name: str) -> Path:
    """Write docs/images/extension-NAME.png."""
    data = io.BytesIO()
    image.save(data, "PNG")
    return pictures.save(data.getvalue(), f"extension-{name}")


def main() -> None:
    """Show the example in each view and write the pictures."""
    flags = [] if program.should_sandbox() else ["--no-sandbox"]
    with Web() as web, sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        web.put(ADDRESS, pictures.EXAMPLE.read_text(encoding="utf-8"))
        extension = pictures.PROJECT / "build" / "extension" / "chrome"
        browser = ExtensionBrowser(playwright, program.chromium_path(), extension, Path(profile), web, *flags)
        page = browser.open(ADDRESS, width=WIDTH, height=HEIGHT)
        page.add_style_tag(content="html { scrollbar-width: none }")
        panel = browser.click_button(page)
        panel.choose(EXTRACTOR)
        panel.switch("highlight", on=True)
        drawn = [save(with_panel(picture(page), panel), "highlight")]
        panel.switch("highlight", on=False)
        panel.switch("isolate", on=True)
        drawn.append(save(with_panel(picture(page), panel), "isolate"))
        panel.switch("isolate", on=False)
        for view in ("why", "reader"):
            panel.press(view)
            eventually(lambda: ours(page), view)
            if view == "why":
                page.locator("aside a").first.hover()
                page.wait_for_timeout(300)
            drawn.append(save(picture(page), view))
            page.keyboard.press("Escape")
            eventually(lambda: not ours(page), f"{view} to close")
            panel = browser.click_button(page)
            panel.settle()
        browser.close()
        web.shutdown()
    pictures.write_record("extension", drawn)


if __name__ == "__main__":
    main()
