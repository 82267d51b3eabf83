"""The body of a request, with limits on its size and its time; what is read counts in the account."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request

from tamis.server.account import Share
from tamis.server.problems import BODY_TOO_SLOW, TOO_LARGE, WRONG_TYPE, RequestError


class Bodies:
    """Reads bodies."""

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

        The time is that for each next line. A line counts when it is there, and who takes it drops it. Where there is
        no room, it waits. Raises RequestError and ClientDisconnect.
        """
        _check(request, None)
        parts = request.stream()
        clock = asyncio.get_running_loop().time
        end = clock() + self._seconds
        begun = bytearray()  # a line that is not there to its end
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
                        yield _taken(begun)
                        end = clock() + self._seconds
                    share.drop(len(begun))
                    begun.clear()
        if begun and not begun.isspace():
            yield _taken(begun)


def _taken(line: bytearray) -> bytes:
    """The bytes of a line, which is empty afterwards: nobody keeps a second copy while the first is in use."""
    found = bytes(line)
    line.clear()
    return found


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
