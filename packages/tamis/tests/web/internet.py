"""An internet of the tests' own: names have the addresses that a test gives them, and one server plays all hosts.

Whatever address tamis connects to is written down, and the server on this machine answers. A connection to an address
that is not one of PUBLIC fails the test, and so does any other socket that is opened.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import pytest

from tests.servers import LocalHandler, LocalServer

# The addresses that the tests call public. None is ever contacted.
PUBLIC = ("93.184.215.14", "93.184.215.15", "2606:4700::1111")


class Answer(NamedTuple):
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({"Content-Type": "text/html"})
    body: bytes = b"<p>page"

    @classmethod
    def to(cls, location: str, status: int = 302) -> Self:
        return cls(status, {"Location": location}, b"")

    @classmethod
    def text(cls, body: str | bytes) -> Self:
        return cls(200, {"Content-Type": "text/plain"}, body.encode() if isinstance(body, str) else body)


class Asked(NamedTuple):
    url: str  # host and path, without scheme
    headers: dict[str, str]


class Handler(LocalHandler):
    server: Internet

    def answer(self) -> None:
        url = f"{self.headers['Host']}{self.path}"
        self.server.requests.append(Asked(url, {name.lower(): value for name, value in self.headers.items()}))
        answer = self.server.answers.get(url, Answer(404))
        if answer.status == 0:
            return  # hangs up
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value.encode().decode("latin-1"))  # as UTF-8
        self.end_headers()
        self.wfile.write(answer.body)


class Internet(LocalServer):
    def __init__(self) -> None:
        super().__init__(Handler)
        # Name to its addresses, look-up by look-up; the last one stays.
        self.names: dict[str, list[list[str]]] = {}
        self.answers: dict[str, Answer] = {}  # by host and path, without scheme
        self.looked_up: list[str] = []
        self.connected: list[tuple[str, int]] = []
        self.requests: list[Asked] = []

    @property
    def urls(self) -> list[str]:
        """What was asked for, in order."""
        return [asked.url for asked in self.requests]

    def resolve(self, host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        self.looked_up.append(host)
        if host not in self.names:
            return _numeric(host, port)
        answers = self.names[host]
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return [entry for address in found for entry in _numeric(address, port)]

    @contextmanager
    def instead_of_the_real_one(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Self]:
        connect = socket.socket.connect

        def create_connection(address: tuple[str, int], timeout: float, source_address: None) -> socket.socket:
            self.connected.append(address)
            if address[0] not in PUBLIC:
                pytest.fail(f"a connection to {address} was asked for")
            opened = socket.socket()
            opened.settimeout(timeout)
            opened.connect(self.server_address)
            return opened

        def guarded(self_: socket.socket, address: Any) -> None:
            if address != self.server_address:
                pytest.fail(f"a socket was connected to {address}")
            connect(self_, address)

        monkeypatch.setattr(socket, "getaddrinfo", self.resolve)
        monkeypatch.setattr(socket, "create_connection", create_connection)
        monkeypatch.setattr(socket.socket, "connect", guarded)
        for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(name.upper(), raising=False)
        with self.running():
            yield self


_numeric_only = socket.getaddrinfo


def _numeric(host: str, port: int) -> list[Any]:
    """What a resolver answers to an address, in any notation; no name server is asked."""
    if host == "unix":  # an address of a strange family
        return [(socket.AF_UNIX, socket.SOCK_STREAM, 0, "", "/run/oven.sock")]
    if host == "packed":  # IPv6, in a Python without it
        return [(socket.AF_INET6, socket.SOCK_STREAM, 0, "", (10, b"\0" * 26))]
    try:
        plain = str(ip_address(host))
    except ValueError:
        plain = host
    return _numeric_only(plain, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
