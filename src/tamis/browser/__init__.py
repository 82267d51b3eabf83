"""Pages as pictures: headless Chromium, driven by Playwright (the extra `render`)."""

from tamis.browser.browser import Browser
from tamis.browser.program import available, chromium
from tamis.errors import BrowserMissing, RenderError

__all__ = ["Browser", "BrowserMissing", "RenderError", "available", "chromium"]
