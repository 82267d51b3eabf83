"""Pages as pictures: headless Chromium, driven by Playwright (the extra `render`)."""

from tamis.errors import BrowserMissing, RenderError
from tamis.web.browser.browser import Browser
from tamis.web.browser.program import chromium_path, is_browser_available

__all__ = ["Browser", "BrowserMissing", "RenderError", "chromium_path", "is_browser_available"]
