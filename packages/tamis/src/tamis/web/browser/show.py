"""Draws a page. The steps are the same for every page, since classifiers are trained on the pictures."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlsplit

from tamis.errors import RenderError

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Page, Request, Route

NOWHERE = "http://page.invalid/"  # the address of a page without one
JPEG_QUALITY = 90
LOADING_SHARE = 2 / 3  # of the time limit; then the picture shows what has been loaded so far

# Without their style sheet, icons would fill the screen.
_STYLE = ":where(svg:not([width])){width:1em;height:1em}"
# Playwright's add_style_tag needs scripts, which may be off.
_ADD_STYLE = """css => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""

_WEB = ("http", "https")
_ALLOWED = (*_WEB, "data", "blob")  # schemes that pages may request with network on: no files, no other programs


class View(NamedTuple):
    """The settings of all pages of a browser. `timeout` is in seconds."""

    width: int
    height: int
    timeout: float
    network: bool
    scripts: bool


class PictureJob(NamedTuple):
    """A page to draw: `body` is its HTML, or None for what the server at `address` sends."""

    address: str
    body: bytes | None
    image: Literal["png", "jpeg"]


def address_of(url: str | None) -> str:
    """The address of a page if it is http or https, otherwise NOWHERE."""
    with suppress(ValueError):
        if url and (parts := urlsplit(url)).scheme.lower() in _WEB and parts.hostname:
            return url
    return NOWHERE


async def open_context(chromium: Chromium, view: View) -> BrowserContext:
    """A new window without cookies, cache and permissions."""
    context = await chromium.new_context(
        viewport={"width": view.width, "height": view.height},
        device_scale_factor=1,
        java_script_enabled=view.scripts,
        offline=not view.network,
        service_workers="block",
        accept_downloads=False,
    )
    context.set_default_timeout(0)  # the thread has one time limit for the whole page
    return context


async def picture(context: BrowserContext, page: Page, job: PictureJob, view: View) -> bytes:
    """The picture of a page. Raises RenderError or Playwright's errors."""
    from playwright.async_api import Error

    guard = _RequestGuard(page, job, view)
    await context.route("**/*", guard.handle)
    try:
        await _navigate(page, job.address, guard)
    except Error:
        if job.body is None or guard.served:
            raise
        # Chromium refuses some addresses, such as http://example.org:1/ for its unsafe port.
        await _navigate(page, NOWHERE, guard)
    await _wait_until_loaded(context, page, view)
    await _add_style(page)
    quality = JPEG_QUALITY if job.image == "jpeg" else None
    return await page.screenshot(type=job.image, quality=quality, animations="disabled")


class _RequestGuard:
    """Allows or refuses each request of a page."""

    def __init__(self, page: Page, job: PictureJob, view: View) -> None:
        self.served = False  # has the HTML of the page been delivered?
        self._page = page
        self._body = job.body
        self._network = view.network

    # With a second parameter, Playwright would pass the request too.
    async def handle(self, route: Route) -> None:
        from playwright.async_api import Error

        # Requests of a page that is being closed can't be answered.
        with suppress(Error):
            await self._answer(route)

    async def _answer(self, route: Route) -> None:
        request = route.request
        if self._body is not None and self._is_own_navigation(request):
            if self.served:
                # The page redirects, to itself or elsewhere. "aborted" leaves the current page on the screen.
                await route.abort("aborted")
            else:
                self.served = True
                await route.fulfill(body=self._body, content_type="text/html; charset=utf-8")
        elif self._network and request.url.partition(":")[0].lower() in _ALLOWED:
            await route.continue_()
        else:
            await route.abort()

    def _is_own_navigation(self, request: Request) -> bool:
        from playwright.async_api import Error

        try:
            return request.is_navigation_request() and request.frame == self._page.main_frame
        except Error:  # a new window that the page has opened is still without a frame
            return False


async def _navigate(page: Page, address: str, guard: _RequestGuard) -> None:
    guard.served = False
    response = await page.goto(address, wait_until="commit")
    if response is not None and response.status >= 400:
        raise RenderError(f"the server answered {response.status} {response.status_text}".rstrip(), "error")


async def _wait_until_loaded(context: BrowserContext, page: Page, view: View) -> None:
    """Wait until the page is loaded. After LOADING_SHARE of the time limit, loading is stopped.

    A page whose redirect was refused never reports that it is loaded.
    """
    from playwright.async_api import TimeoutError as LoadingTimeout

    complete: Literal["load", "domcontentloaded"] = "load" if view.network or view.scripts else "domcontentloaded"
    try:
        await page.wait_for_load_state(complete, timeout=view.timeout * LOADING_SHARE * 1000)
    except LoadingTimeout:
        session = await context.new_cdp_session(page)
        await session.send("Page.stopLoading")


async def _add_style(page: Page) -> None:
    from playwright.async_api import Error

    try:
        await page.evaluate(_ADD_STYLE, _STYLE)
    except Error:
        # With network on, the page may be navigating at this moment.
        await page.wait_for_load_state("domcontentloaded")
        await page.evaluate(_ADD_STYLE, _STYLE)
