"""Pages that a server fetches for its clients: in threads, a few at the same time."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

from tamis import web
from tamis.errors import FetchRefused
from tamis.inputs import RawPage
from tamis.worker.service import ServiceBusy


class FetchQueue:
    """Fetches pages by the rules of a server.

    A thread can't be killed, so it counts until it ends by itself, even if its client has gone. The end of the process
    does not wait for threads.
    """

    def __init__(self, rules: web.FetchRules | None, most: int) -> None:
        """At most `most` pages are fetched at the same time, and as many wait; without rules, nothing is fetched.

        Raises OptionError and MissingExtra.
        """
        self._fetcher = web.Fetcher(rules) if rules else None
        self._most, self._waiting = most, 0
        self._free = asyncio.Semaphore(most)

    async def page(self, url: str, *, wait: bool = False) -> RawPage:
        """The page at an address. With `wait`, it waits for its turn however many others wait.

        Raises FetchError, and ServiceBusy if too many wait.
        """
        if self._fetcher is None:
            raise FetchRefused(f"{url[:200]}: this server fetches nothing; send the page itself")
        if self._waiting >= self._most and not wait:
            raise ServiceBusy("too many addresses are being fetched")
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[RawPage] = loop.create_future()
        fetch = self._fetcher.fetch

        def settle(found: RawPage | Exception) -> None:
            self._free.release()
            if answered.done():  # the client has gone
                return
            if isinstance(found, Exception):
                answered.set_exception(found)
            else:
                answered.set_result(found)

        def work() -> None:
            found: RawPage | Exception
            try:
                found = fetch(url)
            except Exception as error:
                found = error
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(settle, found)

        try:
            threading.Thread(target=work, name="fetch", daemon=True).start()
        except RuntimeError:  # the system is out of threads
            self._free.release()
            raise ServiceBusy("too many addresses are being fetched") from None
        return await answered
