"""One thread that owns one Chromium and draws the pages of all threads, one after the other.

Playwright can only be called in the event loop in which it was started, so a thread runs that loop. After a page that
took too long or crashed, Chromium is killed, since it may hang and never close; the next page starts a new one.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Awaitable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tamis.errors import BrowserMissing, RenderError
from tamis.web.browser import processes, program, show
from tamis.web.browser.show import PictureJob, View

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import Playwright

STARTING = 60.0  # seconds to start, outside the time limit of a page; a busy machine needs a few
CLOSING = 5.0  # seconds in which a healthy browser closes


class BrowserThread:
    """The thread, its event loop and its Chromium. Only for the process that created it."""

    def __init__(self, executable: str, view: View) -> None:
        self._executable = executable
        self._view = view
        self._process = os.getpid()
        self._closed = False
        self._closing = threading.Lock()  # no page is accepted once the worker is closed
        self._running: _RunningChromium | None = None
        self._was_started = False
        self._loop = asyncio.new_event_loop()
        # Calls that wait for a killed browser fail in the loop; the page has its own error already.
        self._loop.set_exception_handler(lambda loop, context: None)
        self._turn = asyncio.Lock()
        self._thread = threading.Thread(target=self._run, name="tamis-browser", daemon=True)
        self._thread.start()

    def picture(self, job: PictureJob) -> bytes:
        """The picture of a page. Raises RenderError, or BrowserMissing if Chromium has never started."""
        with self._closing:
            if self._closed:
                raise RenderError("the browser was closed before this page was drawn", "error")
            future = asyncio.run_coroutine_threadsafe(self._picture(job), self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()  # this also stops the browser
            raise

    def close(self) -> None:
        """End Chromium, the loop and the thread, after the pages that are already waiting.

        Further calls do nothing, and neither do calls in a forked child.
        """
        if os.getpid() != self._process:
            return
        with self._closing:
            if self._closed:
                return
            self._closed = True
            future = asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        if threading.current_thread() is not self._thread:  # the garbage collector runs in any thread
            future.result()
            self._thread.join()

    @property
    def marker(self) -> str | None:
        """The argument that Chromium's process is found by; None if none is running."""
        running = self._running
        return running.marker if running else None

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    async def _end(self) -> None:
        async with self._turn:
            await self._stop(politely=True)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=CLOSING)
        self._loop.call_soon(self._loop.stop)

    async def _picture(self, job: PictureJob) -> bytes:
        async with self._turn:
            running = await self._start()
            try:
                task = asyncio.create_task(self._show(running, job))
                ends: set[asyncio.Future[Any]] = {task, running.gone}
                await asyncio.wait(ends, timeout=self._view.timeout, return_when=asyncio.FIRST_COMPLETED)
                return await self._outcome(running, task)
            except BaseException as error:
                # Not awaited: a hanging task may only end with its browser.
                task.cancel()
                if not isinstance(error, RenderError) or error.kind != "error":
                    await self._stop(politely=False)
                raise

    async def _outcome(self, running: _RunningChromium, task: asyncio.Task[bytes]) -> bytes:
        """The picture. Raises RenderError."""
        if running.gone.done():
            raise RenderError("the browser crashed on this page", "crash")
        if not task.done():
            raise RenderError(f"took longer than {self._view.timeout:g} s to draw", "timeout")
        healthy = await _close_windows(running)
        error = task.exception()
        if error is None:
            if not healthy:
                await self._stop(politely=False)
            return task.result()
        # Calls fail a moment before `gone` is set.
        if not healthy or running.gone.done() or "crashed" in str(error):
            raise RenderError("the browser crashed on this page", "crash")
        raise error if isinstance(error, RenderError) else RenderError(_one_line(error), "error") from None

    async def _show(self, running: _RunningChromium, job: PictureJob) -> bytes:
        context = await show.open_context(running.chromium, self._view)
        # Set up before the page is created, which may crash at once.
        context.on("page", lambda page: page.on("crash", lambda _: running.set_gone()))
        page = await context.new_page()
        return await show.picture(context, page, job, self._view)

    async def _start(self) -> _RunningChromium:
        """The running Chromium, or a new one."""
        if self._running and self._running.gone.done():  # it died between two pages
            await self._stop(politely=False)
        if self._running is None:
            from playwright.async_api import Error

            try:
                self._running = await _RunningChromium.start(self._executable, self._view)
            except (Error, OSError, TimeoutError) as error:
                message = f"{self._executable} did not start ({_one_line(error)})"
                raise RenderError(message, "error") if self._was_started else BrowserMissing(message) from None
            self._was_started = True
        return self._running

    async def _stop(self, *, politely: bool) -> None:
        running, self._running = self._running, None
        if running:
            await running.stop(politely=politely)


class _RunningChromium:
    """A Playwright and the Chromium that it has started."""

    def __init__(self, playwright: Playwright, chromium: Chromium, marker: str) -> None:
        self.chromium = chromium
        self.marker = marker
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._playwright = playwright
        self._profile = processes.profile(marker)
        chromium.on("disconnected", lambda _: self.set_gone())

    @classmethod
    async def start(cls, executable: str, view: View) -> _RunningChromium:
        """Start both. Raises Playwright's errors, OSError or TimeoutError; then nothing is left running."""
        from playwright.async_api import async_playwright

        marker = processes.new_marker()
        playwright = await asyncio.wait_for(async_playwright().start(), STARTING)
        try:
            chromium = await playwright.chromium.launch(
                executable_path=executable,
                headless=True,
                args=program.arguments(network=view.network, marker=marker),
                chromium_sandbox=program.sandboxed(),
                timeout=STARTING * 1000,
                # Signals are not for Playwright: the worker closes the browser.
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
        except BaseException:
            processes.kill(marker)
            await _within(CLOSING, playwright.stop())
            raise
        return cls(playwright, chromium, marker)

    def set_gone(self) -> None:
        """Note that the browser, or the renderer of its page, has ended."""
        if not self.gone.done():
            self.gone.set_result(None)

    async def stop(self, *, politely: bool) -> None:
        """End Chromium and Playwright's own process; never fails."""
        if not politely:
            processes.kill(self.marker)
        await _within(CLOSING, self.chromium.close())
        processes.kill(self.marker)
        await _within(CLOSING, self._playwright.stop())
        if self._profile:  # Playwright may not remove the profile of a killed browser
            shutil.rmtree(self._profile, ignore_errors=True)


async def _close_windows(running: _RunningChromium) -> bool:
    """Close the windows of the last page. False if that fails: then the browser is unusable."""
    contexts = running.chromium.contexts
    return bool(contexts) and all([await _within(CLOSING, context.close()) for context in contexts])


async def _within(seconds: float, work: Awaitable[object]) -> bool:
    """Await `work`; True if it ends in time and without error."""
    with suppress(Exception):
        await asyncio.wait_for(work, seconds)
        return True
    return False


def _one_line(error: BaseException | None) -> str:
    """Playwright's message without the name of the call and without its log."""
    lines = str(error).strip().splitlines()
    message = lines[0].split(": ", 1)[-1] if lines else ""
    return message.strip() or type(error).__name__
