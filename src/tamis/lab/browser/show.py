"""How a page is shown: the same steps for every page, since classifiers learn from the pictures."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlsplit

from tamis.errors import RenderError

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Page, Request, Route

NOWHERE = "http://page.invalid/"  # the address of a page that has none
JPEG_QUALITY = 90
LOADING_SHARE = 2 / 3  # of the time limit; the rest is for the picture of what has come by then

# An icon without its style sheet would fill the screen.
_STYLE = ":where(svg:not([width])){width:1em;height:1em}"
# Not add_style_tag, which waits for a script to run where there are none.
_ADD_STYLE = """css => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""

_WEB = ("http", "https")
_PASSED = (*_WEB, "data", "blob")  # with network on; no file, no other program's scheme


class View(NamedTuple):
    """The window that pages are seen through. `timeout` is in seconds."""

    width: int
    height: int
    timeout: float
    network: bool
    scripts: bool


class Job(NamedTuple):
    """A page to show: its HTML under an address, or with `body` None what the web has there."""

    address: str
    body: bytes | None
    image: Literal["png", "jpeg"]


def address_of(url: str | None) -> str:
    """The address a page is shown under: its own where that is one of the web."""
    with suppress(ValueError):
        if url and (parts := urlsplit(url)).scheme.lower() in _WEB and parts.hostname:
            return url
    return NOWHERE


async def open_context(chromium: Chromium, view: View) -> BrowserContext:
    """A window without a past: no cookies, no cache, no permissions."""
    context = await chromium.new_context(
        viewport={"width": view.width, "height": view.height},
        device_scale_factor=1,
        java_script_enabled=view.scripts,
        offline=not view.network,
        service_workers="block",
        accept_downloads=False,
    )
    context.set_default_timeout(0)  # there is one limit for the whole page, and it is kept elsewhere
    return context


async def picture(context: BrowserContext, page: Page, job: Job, view: View) -> bytes:
    """The picture of a page. Raises RenderError or Playwright's errors."""
    from playwright.async_api import Error

    guard = _Guard(page, job, view)
    await context.route("**/*", guard.handle)
    try:
        await _go(page, job.address, guard)
    except Error:
        if job.body is None or guard.served:
            raise
        # Chromium does not go everywhere (http://example.org:1/ is a port it thinks unsafe).
        await _go(page, NOWHERE, guard)
    await _loaded(context, page, view)
    await _add_style(page)
    quality = JPEG_QUALITY if job.image == "jpeg" else None
    return await page.screenshot(type=job.image, quality=quality, animations="disabled")


class _Guard:
    """Decides on each request of a page."""

    def __init__(self, page: Page, job: Job, view: View) -> None:
        self.served = False  # has the page's own HTML been given out?
        self._page = page
        self._body = job.body
        self._network = view.network

    # Playwright gives a handler with two parameters the request as well: this one has to have one.
    async def handle(self, route: Route) -> None:
        from playwright.async_api import Error

        # A request of a page that is being closed can't be answered any more.
        with suppress(Error):
            await self._answer(route)

    async def _answer(self, route: Route) -> None:
        request = route.request
        if self._body is not None and self._is_own_navigation(request):
            if self.served:
                # A redirect by the page, to another or to itself. "aborted" leaves the page on the screen.
                await route.abort("aborted")
            else:
                self.served = True
                await route.fulfill(body=self._body, content_type="text/html; charset=utf-8")
        elif self._network and request.url.partition(":")[0].lower() in _PASSED:
            await route.continue_()
        else:
            await route.abort()

    def _is_own_navigation(self, request: Request) -> bool:
        from playwright.async_api import Error

        try:
            return request.is_navigation_request() and request.frame == self._page.main_frame
        except Error:  # a window that the page opens has no frame yet
            return False


async def _go(page: Page, address: str, guard: _Guard) -> None:
    guard.served = False
    response = await page.goto(address, wait_until="commit")
    if response is not None and response.status >= 400:
        raise RenderError(f"the server answered {response.status} {response.status_text}".rstrip(), "error")


async def _loaded(context: BrowserContext, page: Page, view: View) -> None:
    """Wait until all has come, or for as long as there is time; what is still coming is then let go.

    A page that goes elsewhere and is held back never says that it is complete.
    """
    from playwright.async_api import TimeoutError as TookLonger

    complete: Literal["load", "domcontentloaded"] = "load" if view.network or view.scripts else "domcontentloaded"
    try:
        await page.wait_for_load_state(complete, timeout=view.timeout * LOADING_SHARE * 1000)
    except TookLonger:
        session = await context.new_cdp_session(page)
        await session.send("Page.stopLoading")


async def _add_style(page: Page) -> None:
    from playwright.async_api import Error

    try:
        await page.evaluate(_ADD_STYLE, _STYLE)
    except Error:
        # With network on, a page can be in the middle of going elsewhere.
        await page.wait_for_load_state("domcontentloaded")
        await page.evaluate(_ADD_STYLE, _STYLE)
