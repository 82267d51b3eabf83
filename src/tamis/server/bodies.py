"""The body of a request, with limits on its size, its time, and on all pages together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from starlette.requests import Request

from tamis.server.problems import BODY_TOO_SLOW, TOO_LARGE, WRONG_TYPE, RequestError
from tamis.worker.service import ServiceBusy


class Bodies:
    """Reads bodies. Those that are read, and the pages that wait for their answers, have at most `most_held` bytes."""

    def __init__(self, most: int, most_held: int, seconds: float) -> None:
        """`most`: bytes of one body; `seconds`: for the whole of it."""
        self.most = most
        self._most_held, self._seconds = most_held, seconds
        self.held = 0

    @contextmanager
    def holding(self, size: int) -> Iterator[None]:
        """Count a page that is kept meanwhile. Raises ServiceBusy if there are too many."""
        self.held += size
        try:
            self._check_held()
            yield
        finally:
            self.held -= size

    async def whole(self, request: Request) -> bytes:
        """The body. It counts until it is returned; who keeps it calls `holding`.

        Raises RequestError, ServiceBusy, and starlette's ClientDisconnect.
        """
        _check(request, self.most)
        parts: list[bytes] = []  # joined once; most pages are one part or two
        size = 0
        try:
            async with asyncio.timeout(self._seconds):
                async for part in request.stream():
                    size += len(part)
                    self.held += len(part)
                    if size > self.most:
                        raise _too_large(self.most)
                    self._check_held()
                    parts.append(part)
        except TimeoutError:
            raise RequestError(BODY_TOO_SLOW, f"the body took longer than {self._seconds:g} s") from None
        finally:
            self.held -= size
        return b"".join(parts)

    async def lines(self, request: Request) -> AsyncIterator[bytes]:
        """The lines of a body of any length as they come; none is longer than a body may be.

        The time is that for each next line. Raises as `whole`.
        """
        _check(request, None)
        parts = request.stream()
        clock = asyncio.get_running_loop().time
        end = clock() + self._seconds
        begun = bytearray()  # a line that is not there to its end
        try:
            while True:
                try:
                    async with asyncio.timeout_at(end):
                        part = await anext(parts, None)
                except TimeoutError:
                    raise RequestError(BODY_TOO_SLOW, f"no line came for {self._seconds:g} s") from None
                if part is None:
                    break
                *ended, rest = part.split(b"\n")
                for piece in ended:
                    line = bytes(begun + piece)
                    self.held -= len(begun)
                    begun.clear()
                    if len(line) > self.most:
                        raise _too_large(self.most)
                    if line.strip():
                        yield line
                        end = clock() + self._seconds
                begun += rest
                self.held += len(rest)
                if len(begun) > self.most:
                    raise _too_large(self.most)
                self._check_held()
            if begun.strip():
                yield bytes(begun)
        finally:
            self.held -= len(begun)

    def _check_held(self) -> None:
        if self.held > self._most_held:
            raise ServiceBusy("the pages of other requests take all memory")


def _check(request: Request, most: int | None) -> None:
    """Raise RequestError for a body that is packed, or is too long by its header."""
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("", "identity"):
        raise RequestError(WRONG_TYPE, f"send the body as it is, not packed as {coding[:40]}")
    length = request.headers.get("content-length", "")
    if most is not None and length.isdecimal() and int(length[:20]) > most:
        raise _too_large(most)


def _too_large(most: int) -> RequestError:
    return RequestError(TOO_LARGE, f"the body has more than {most:,} bytes")
