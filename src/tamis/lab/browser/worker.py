"""One thread that owns one Chromium: pages go in from any thread, one after the other.

Playwright's calls have to be made in the event loop it was started in, so there is a loop in a thread
of its own. A page that takes too long or crashes costs the Chromium it was in, which is killed and
not asked to close, for it may be stuck; the next page gets a new one.
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
from tamis.lab.browser import processes, program, show
from tamis.lab.browser.show import Job, View

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import Playwright

STARTING = 60.0  # seconds; on a busy machine it takes a few, and it is no part of a page's time
CLOSING = 5.0  # seconds in which a browser that is well has closed


class Worker:
    """The thread, its loop and its Chromium. Belongs to the process that made it."""

    def __init__(self, executable: str, view: View) -> None:
        self._executable = executable
        self._view = view
        self._process = os.getpid()
        self._closed = False
        self._gate = threading.Lock()  # nothing is handed in once it is closed
        self._running: _Running | None = None
        self._has_run = False
        self._loop = asyncio.new_event_loop()
        # Calls that were waiting when their browser was killed complain to the loop; the page's own
        # error has said it already.
        self._loop.set_exception_handler(lambda loop, context: None)
        self._turn = asyncio.Lock()
        self._thread = threading.Thread(target=self._run, name="tamis-browser", daemon=True)
        self._thread.start()

    def picture(self, job: Job) -> bytes:
        """The picture of a page. Raises RenderError, or BrowserMissing where Chromium never started."""
        with self._gate:
            if self._closed:
                raise RenderError("the browser was closed before this page was drawn", "error")
            future = asyncio.run_coroutine_threadsafe(self._picture(job), self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()  # the page is given up, and its browser with it
            raise

    def close(self) -> None:
        """End Chromium, the loop and the thread, after the pages that were handed in before.

        May be called again, and does nothing in a forked child.
        """
        if os.getpid() != self._process:
            return
        with self._gate:
            if self._closed:
                return
            self._closed = True
            future = asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        if threading.current_thread() is not self._thread:  # the garbage collector runs in any
            future.result()
            self._thread.join()

    @property
    def marker(self) -> str | None:
        """What Chromium's process is found by, while there is one."""
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

    async def _picture(self, job: Job) -> bytes:
        async with self._turn:
            running = await self._start()
            try:
                task = asyncio.create_task(self._show(running, job))
                ends: set[asyncio.Future[Any]] = {task, running.gone}
                await asyncio.wait(ends, timeout=self._view.timeout, return_when=asyncio.FIRST_COMPLETED)
                return await self._outcome(running, task)
            except BaseException as error:
                # Not waited for: what it is stuck in may not end before its browser does.
                task.cancel()
                if not isinstance(error, RenderError) or error.kind != "error":
                    await self._stop(politely=False)
                raise

    async def _outcome(self, running: _Running, task: asyncio.Task[bytes]) -> bytes:
        """The picture, or the error that says what became of the page."""
        if running.gone.done():
            raise RenderError("the browser crashed on this page", "crash")
        if not task.done():
            raise RenderError(f"took longer than {self._view.timeout:g} s to draw", "timeout")
        well = await _tidied(running)
        error = task.exception()
        if error is None:
            if not well:
                await self._stop(politely=False)
            return task.result()
        # Calls fail a moment before it is known that the browser is gone.
        if not well or running.gone.done() or "crashed" in str(error):
            raise RenderError("the browser crashed on this page", "crash")
        raise error if isinstance(error, RenderError) else RenderError(_one_line(error), "error") from None

    async def _show(self, running: _Running, job: Job) -> bytes:
        context = await show.open_context(running.chromium, self._view)
        # Set up before there is a page, which can crash before we are told that it is there.
        context.on("page", lambda page: page.on("crash", lambda _: running.lost()))
        page = await context.new_page()
        return await show.picture(context, page, job, self._view)

    async def _start(self) -> _Running:
        """The running Chromium, or a new one."""
        if self._running and self._running.gone.done():  # it died between two pages
            await self._stop(politely=False)
        if self._running is None:
            from playwright.async_api import Error

            try:
                self._running = await _Running.start(self._executable, self._view)
            except (Error, OSError, TimeoutError) as error:
                why = f"{self._executable} did not start ({_one_line(error)})"
                raise RenderError(why, "error") if self._has_run else BrowserMissing(why) from None
            self._has_run = True
        return self._running

    async def _stop(self, *, politely: bool) -> None:
        running, self._running = self._running, None
        if running:
            await running.stop(politely=politely)


class _Running:
    """A Playwright and the one Chromium it has started."""

    def __init__(self, playwright: Playwright, chromium: Chromium, marker: str) -> None:
        self.chromium = chromium
        self.marker = marker
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._playwright = playwright
        self._profile = processes.profile(marker)
        chromium.on("disconnected", lambda _: self.lost())

    @classmethod
    async def start(cls, executable: str, view: View) -> _Running:
        """Raises Playwright's errors, OSError or TimeoutError; nothing is left running then."""
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
                # An interrupt reaches the whole process group. It is ours to close the browser then.
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
        except BaseException:
            processes.kill(marker)
            await _within(CLOSING, playwright.stop())
            raise
        return cls(playwright, chromium, marker)

    def lost(self) -> None:
        """The browser, or the renderer of its page, has died."""
        if not self.gone.done():
            self.gone.set_result(None)

    async def stop(self, *, politely: bool) -> None:
        """End Chromium and Playwright's own process; never fails."""
        if not politely:
            processes.kill(self.marker)
        await _within(CLOSING, self.chromium.close())
        processes.kill(self.marker)
        await _within(CLOSING, self._playwright.stop())
        if self._profile:  # of a browser that was killed, Playwright may not have had the time to
            shutil.rmtree(self._profile, ignore_errors=True)


async def _tidied(running: _Running) -> bool:
    """Close the window of the last page. False where that fails, so that the browser can't be trusted."""
    contexts = running.chromium.contexts
    return bool(contexts) and all([await _within(CLOSING, context.close()) for context in contexts])


async def _within(seconds: float, work: Awaitable[object]) -> bool:
    """Did this end well in time?"""
    with suppress(Exception):
        await asyncio.wait_for(work, seconds)
        return True
    return False


def _one_line(error: BaseException | None) -> str:
    """What Playwright says, without the name of the call and the log below it."""
    lines = str(error).strip().splitlines()
    words = lines[0].split(": ", 1)[-1] if lines else ""
    return words.strip() or type(error).__name__
