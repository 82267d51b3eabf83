"""Connections to given addresses that end at a deadline, for httpcore.

Each read and write gets the time that is left. So a server that sends one byte after the other can't hold a connection,
and no second thread has to watch it.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from tamis.web.addresses import Address

if TYPE_CHECKING:
    from httpcore import SOCKET_OPTION, NetworkBackend, NetworkStream
else:
    NetworkBackend = NetworkStream = object  # httpcore belongs to an extra, and uses these by their methods alone

# A socket that is ready takes this much at once, so each piece is one send, and the deadline is checked before each.
_WRITE = 4_096
_FAMILIES = (socket.AF_INET, socket.AF_INET6)
_LONGEST_WAIT = 1e6  # seconds; a socket takes more, but counts milliseconds in 32 bits


class DeadlinePassed(Exception):
    """The time for the whole page is over."""


class Unresolved(Exception):
    """No address of a name is known; the message says so."""


class Deadline:
    """The end of the time for a page."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left, as many as a socket can wait. Raises DeadlinePassed."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise DeadlinePassed
        return min(left, _LONGEST_WAIT)


class Backend(NetworkBackend):
    """Connects to one of `addresses`, whatever name is asked for: to those that were judged, and no others."""

    def __init__(self, addresses: Sequence[Address], deadline: Deadline) -> None:
        self._addresses = addresses
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> NetworkStream:
        """Try the addresses one after the other."""
        from httpcore import ConnectError, ConnectTimeout, SyncBackend

        for number, address in enumerate(self._addresses, 1):
            share = self._deadline.left() / (len(self._addresses) + 1 - number)
            try:
                return Stream(SyncBackend().connect_tcp(str(address), port, share), self._deadline)
            except (ConnectError, ConnectTimeout):
                if number == len(self._addresses):
                    raise
        raise ConnectError(f"{host} has no address")


class Stream(NetworkStream):
    """A connection whose reads and writes end at the deadline."""

    def __init__(self, stream: NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Up to `max_bytes`."""
        return self._stream.read(max_bytes, self._deadline.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all of `buffer`."""
        for start in range(0, len(buffer), _WRITE):
            self._stream.write(buffer[start : start + _WRITE], self._deadline.left())

    def close(self) -> None:
        """Close the socket."""
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> NetworkStream:
        """The same connection, encrypted."""
        return Stream(self._stream.start_tls(ssl_context, server_hostname, self._deadline.left()), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """What httpcore asks about its own streams."""
        return self._stream.get_extra_info(info)


def resolve_host(host: str, port: int, deadline: Deadline) -> list[Address]:
    """All IPv4 and IPv6 addresses of a host, at least one. Raises Unresolved and DeadlinePassed.

    The resolver can't be interrupted. It runs in a thread, which ends when the resolver itself gives up.
    """
    answers: list[list[Address]] = []

    def ask_resolver() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.append([ip_address(str(entry[4][0])) for entry in found if entry[0] in _FAMILIES])
        except (OSError, ValueError):
            answers.append([])

    thread = threading.Thread(target=ask_resolver, daemon=True)
    thread.start()
    thread.join(deadline.left())
    if not answers:
        raise DeadlinePassed
    if not answers[0]:
        raise Unresolved(f"the name {host} can't be resolved")
    return answers[0]
