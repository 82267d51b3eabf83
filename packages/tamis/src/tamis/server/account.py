"""The bytes that requests hold in this process: one account for bodies, waiting pages and answers; reading bodies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress

from starlette.requests import ClientDisconnect, Request

from tamis.server.problems import BODY_TOO_SLOW, TOO_LARGE, WRONG_TYPE, RequestError
from tamis.worker.service import ServiceBusy

# A client that has taken nothing of its answer for this time is stalled. When the account is full, stalled clients are
# disconnected, so that they cost others nothing.
_STALLED_SECONDS = 1.0
_RETRY_SECONDS = 0.1  # of a line that waits for room


class Account:
    """All requests together hold at most `most` bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._shares: set[Share] = set()
        self.held = 0

    @contextmanager
    def share(self, hang_up: Callable[[], None] | None = None) -> Iterator[Share]:
        """The share of one request, until it is done. `hang_up` ends its connection at once."""
        share = Share(self, hang_up)
        self._shares.add(share)
        try:
            yield share
        finally:
            self.close(share)

    def close(self, share: Share) -> None:
        """Drop all that a request holds; it is done."""
        share.drop(share.held)
        share.is_closed = True
        self._shares.discard(share)

    def make_room(self, size: int, *, for_patient: bool = False) -> None:
        """Hang up on stalled clients, the longest stalled first, until `size` bytes fit. Raises ServiceBusy.

        Requests that can wait have only half of the account, so that the others find room.
        """
        late = time.monotonic() - _STALLED_SECONDS
        most = self._most // 2 if for_patient else self._most
        while self.held + size > most:
            stalled = [share for share in self._shares if share.hang_up and share.held and share.waits_since < late]
            if not stalled:
                raise ServiceBusy("request memory is exhausted; retry later")
            longest = min(stalled, key=lambda share: share.waits_since)
            if longest.hang_up:
                longest.hang_up()
            self.close(longest)


class Share:
    """The bytes that one request holds."""

    def __init__(self, account: Account, hang_up: Callable[[], None] | None) -> None:
        self._account, self.hang_up = account, hang_up
        self.held = 0
        self.is_closed = False
        self.waits_since = float("inf")  # time.monotonic when the client was sent what it has not taken yet

    async def add_patiently(self, size: int) -> None:
        """Hold more as soon as there is room. Raises ClientDisconnect if the request has ended."""
        while True:
            with suppress(ServiceBusy):
                self.add(size, for_patient=True)
                return
            await asyncio.sleep(_RETRY_SECONDS)

    def add(self, size: int, *, for_patient: bool = False) -> None:
        """Hold more. Raises ServiceBusy if it does not fit, and ClientDisconnect if the request has ended."""
        self._account.make_room(size, for_patient=for_patient)
        if self.is_closed:
            raise ClientDisconnect
        self.held += size
        self._account.held += size

    def drop(self, size: int) -> None:
        """Hold less; a closed share has dropped everything already."""
        size = min(size, self.held)
        self.held -= size
        self._account.held -= size

    @contextmanager
    def holding(self, size: int) -> Iterator[None]:
        """Hold `size` bytes meanwhile. Raises as `add`."""
        self.add(size)
        try:
            yield
        finally:
            self.drop(size)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Meanwhile the client has not taken what it was sent."""
        self.waits_since = time.monotonic()
        try:
            yield
        finally:
            self.waits_since = float("inf")


class Bodies:
    """Reads the bodies of requests, with limits on size and time. The share counts what is read."""

    def __init__(self, most: int, seconds: float) -> None:
        """`most`: bytes of one body; `seconds`: for the whole of it."""
        self._most, self._seconds = most, seconds

    async def whole(self, request: Request, share: Share) -> bytes:
        """The body. It counts until it is returned.

        Raises RequestError, ServiceBusy, and starlette's ClientDisconnect.
        """
        _check(request, self._most)
        parts: list[bytes] = []  # joined once; most pages are one part or two
        size = 0
        try:
            async with asyncio.timeout(self._seconds):
                async for part in request.stream():
                    if size + len(part) > self._most:
                        raise _too_large(self._most)
                    share.add(len(part))
                    size += len(part)
                    parts.append(part)
        except TimeoutError:
            raise RequestError(BODY_TOO_SLOW, f"the body took longer than {self._seconds:g} s") from None
        finally:
            share.drop(size)
        return b"".join(parts)

    async def lines(self, request: Request, share: Share) -> AsyncIterator[bytes]:
        """The lines of a body of any length as they come; none is longer than a body may be.

        The limit of time is for each line. The share counts a line until the caller drops it. Without room, the next
        line waits. Raises RequestError and ClientDisconnect.
        """
        _check(request, None)
        parts = request.stream()
        clock = asyncio.get_running_loop().time
        end = clock() + self._seconds
        begun = bytearray()  # an incomplete line
        while True:
            try:
                async with asyncio.timeout_at(end):
                    part = await anext(parts, None)
                    *ended, rest = (part or b"").split(b"\n")
                    await share.add_patiently(len(part or b"") - len(ended))
            except TimeoutError:
                raise RequestError(BODY_TOO_SLOW, f"no line came for {self._seconds:g} s") from None
            if part is None:
                break
            for number, piece in enumerate((*ended, rest)):
                if len(begun) + len(piece) > self._most:
                    raise _too_large(self._most)
                begun += piece
                if number < len(ended):
                    if begun and not begun.isspace():
                        yield _moved(begun)
                        end = clock() + self._seconds
                    share.drop(len(begun))
                    begun.clear()
        if begun and not begun.isspace():
            yield _moved(begun)


def _moved(line: bytearray) -> bytes:
    """The bytes of a line, which is emptied, so that there is no second copy while the line is in use."""
    found = bytes(line)
    line.clear()
    return found


def _check(request: Request, most: int | None) -> None:
    """Raise RequestError for a compressed body, and for one that is too long by its header."""
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("", "identity"):
        raise RequestError(WRONG_TYPE, f"send the body uncompressed, not as {coding[:40]}")
    length = request.headers.get("content-length", "")
    if most is not None and length.isdecimal() and int(length[:20]) > most:
        raise _too_large(most)


def _too_large(most: int) -> RequestError:
    return RequestError(TOO_LARGE, f"the body has more than {most:,} bytes")
