"""The bytes that requests hold in this process: one account for bodies, pages that wait, and answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from starlette.requests import ClientDisconnect

from tamis.worker.service import ServiceBusy

# A client that has taken nothing of its answer for so many seconds is stalled. Where the account is full, stalled
# clients are hung up on, so that they cost others nothing.
_STALLED_SECONDS = 1.0
_LOOK_SECONDS = 0.1  # between two looks if there is room


class Account:
    """All requests together hold at most `most` bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._shares: set[Share] = set()
        self.held = 0

    @contextmanager
    def share(self, hang_up: Callable[[], None] | None = None) -> Iterator[Share]:
        """What one request holds, until it is done. `hang_up` ends its connection at once."""
        share = Share(self, hang_up)
        self._shares.add(share)
        try:
            yield share
        finally:
            self.close(share)

    def close(self, share: Share) -> None:
        """The request is done: it holds nothing any more."""
        share.drop(share.held)
        share.is_closed = True
        self._shares.discard(share)

    def make_room(self, size: int, *, for_patient: bool = False) -> None:
        """Hang up on stalled clients, the longest stalled first, until `size` bytes fit. Raises ServiceBusy.

        Those who can wait have half of the account, so that the others find room.
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
    """What one request holds."""

    def __init__(self, account: Account, hang_up: Callable[[], None] | None) -> None:
        self._account, self.hang_up = account, hang_up
        self.held = 0
        self.is_closed = False
        self.waits_since = float("inf")  # time.monotonic when the client was given what it has not taken yet

    async def add_patiently(self, size: int) -> None:
        """Hold more as soon as there is room. Raises ClientDisconnect if the request has ended."""
        while True:
            with suppress(ServiceBusy):
                self.add(size, for_patient=True)
                return
            await asyncio.sleep(_LOOK_SECONDS)

    def add(self, size: int, *, for_patient: bool = False) -> None:
        """Hold more. Raises ServiceBusy if it does not fit, and ClientDisconnect if the request has ended."""
        self._account.make_room(size, for_patient=for_patient)
        if self.is_closed:
            raise ClientDisconnect
        self.held += size
        self._account.held += size

    def drop(self, size: int) -> None:
        """Hold less; what a closed share held is dropped already."""
        size = min(size, self.held)
        self.held -= size
        self._account.held -= size

    @contextmanager
    def holding(self, size: int) -> Iterator[None]:
        """Hold so much meanwhile. Raises as `add`."""
        self.add(size)
        try:
            yield
        finally:
            self.drop(size)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait meanwhile for the client to take what it is sent."""
        self.waits_since = time.monotonic()
        try:
            yield
        finally:
            self.waits_since = float("inf")
