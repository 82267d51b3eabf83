"""`Browser`: HTML or a URL in, a picture of the page out."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Literal

from tamis.document.decode import clean_text, decode
from tamis.document.table import MAX_CHARACTERS
from tamis.errors import FetchError, OptionError, PageTooLarge
from tamis.web.browser import program
from tamis.web.browser.show import PictureJob, View, address_of
from tamis.web.browser.worker import BrowserThread

LARGEST_SIDE = 16_384  # pixels; Chromium's pictures can't be larger

Image = Literal["png", "jpeg"]

_BROWSERS: weakref.WeakSet[Browser] = weakref.WeakSet()


class Browser:
    """A headless Chromium for many pages, started with the first page.

    Threads can share it; pages are drawn one at a time. A forked process starts its own Chromium. `timeout` is the
    time limit of a page in seconds. Without `network`, requests never leave the machine, so style sheets and images
    outside the page are missing. Without `scripts`, scripts never run. Pages can never read local files.
    """

    _worker: BrowserThread | None
    _finalizer: weakref.finalize[[], Browser] | None  # closes the worker, once

    def __init__(
        self,
        *,
        width: int = 1024,
        height: int = 6144,
        timeout: float = 15.0,
        network: bool = False,
        scripts: bool = False,
    ) -> None:
        """Raises OptionError for an impossible size or time limit."""
        if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
            raise OptionError(f"a picture has from 1 to {LARGEST_SIDE:,} pixels a side, not {width} x {height}")
        if not timeout > 0:
            raise OptionError("a time limit has to be more than 0 seconds")
        self._view = View(width, height, timeout, network, scripts)
        self._reset()
        _BROWSERS.add(self)

    def screenshot(
        self, html: str | bytes, *, url: str | None = None, charset: str | None = None, image: Image = "png"
    ) -> bytes:
        """The picture of a page, as the bytes of an image file.

        `url` is the address of the page; `charset` is that of the HTTP header, for bytes only.
        Raises PageTooLarge or RenderError, and MissingExtra or BrowserMissing if something is not installed.
        """
        text = clean_text(html) if isinstance(html, str) else decode(html, encoding=charset).text
        if len(text) > MAX_CHARACTERS:
            raise PageTooLarge(f"the page has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}")
        return self._started_worker().picture(PictureJob(address_of(url), clean_text(text).encode(), image))

    def screenshot_of(self, url: str, *, image: Image = "png") -> bytes:
        """The picture of a page that the browser itself fetches.

        Raises OptionError without `network`, FetchError for a URL that is not http or https, and the errors of
        `screenshot`.
        """
        if not self._view.network:
            raise OptionError("a browser without network can't open a URL")
        if address_of(url) != url:
            raise FetchError(f"{url}: only http and https are opened")
        return self._started_worker().picture(PictureJob(url, None, image))

    def close(self) -> None:
        """End Chromium. The next page starts a new one."""
        with self._lock:
            self._worker = None
            if self._finalizer:
                self._finalizer()

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._worker = None
        self._finalizer = None

    def _started_worker(self) -> BrowserThread:
        with self._lock:
            if self._worker is None:
                self._worker = BrowserThread(program.require(), self._view)
                # Also closes it when this browser is garbage-collected and when Python exits.
                self._finalizer = weakref.finalize(self, self._worker.close)
            return self._worker


def _reset_all() -> None:
    """A forked child lacks the thread, and must not use the parent's Chromium."""
    for browser in list(_BROWSERS):
        browser._reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_all)
