"""The settings of a server. The command line fills them; a program that embeds the server can, too."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from tamis.errors import OptionError
from tamis.renamed import class_takes_old_names
from tamis.web import FetchRules
from tamis.web.addresses import literal
from tamis.worker.pool import available_cores

# The ports of web servers. Other ports belong to databases, mail servers and consoles.
PORTS = frozenset({80, 443, 8000, 8080, 8443})

# Names by which a browser on this machine reaches a local server. Without the check, any web page could point its own
# name at this machine and read the answers of the server.
_OWN_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


def default_rules(*, allow_private: bool = False, robots: bool = True) -> FetchRules:
    """The rules of a server: public pages on the ports of web servers, at addresses that it resolves itself."""
    return FetchRules(
        timeout=20.0, allow_private=allow_private, ports=None if allow_private else PORTS, proxies=False, robots=robots
    )


@class_takes_old_names
@dataclass(frozen=True)
class Settings:
    """The features and limits of a server."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=available_cores)
    queue: int = 256  # pages that wait
    patience: float = 30.0  # seconds that a page waits, at most
    timeout: float = 10.0  # seconds for a page, once it is in work
    memory: int | None = 1_024 if sys.platform == "linux" else None  # megabytes for a page
    max_bytes: int = 20_000_000  # of a body, or a line of a batch
    body_seconds: float = 30.0  # for the whole body, or a line of a batch
    fetch: FetchRules | None = field(default_factory=default_rules)  # None: nothing is fetched
    fetches: int = 32  # addresses that are fetched at the same time; as many may wait
    key: str | None = field(default=None, repr=False)
    cors: tuple[str, ...] = ()  # origins whose pages may call the server
    allowed_hosts: tuple[str, ...] = ()  # further names that the Host header may have; "*" allows all
    playground: bool = True

    @property
    def most_answered(self) -> int:
        """Bytes of one answer."""
        return 4 * self.max_bytes

    @property
    def most_held(self) -> int:
        """Bytes that all requests hold together: bodies, pages that wait, and answers."""
        return 8 * self.max_bytes

    def __post_init__(self) -> None:
        """Raise OptionError for what can't work."""
        for name in ("workers", "queue", "max_bytes", "fetches"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} must be at least 1")
        for name in ("patience", "timeout", "body_seconds"):
            if not 0 < getattr(self, name) < float("inf"):
                raise OptionError(f"{name} must be a number of seconds above zero")
        if self.key == "":
            raise OptionError("the API key is empty")
        if self.fetch and self.fetch.allow_private and not (self.key or self.allowed_hosts or self._is_local):
            raise OptionError(
                f"{self.host} is open to other machines, which could read private addresses through this server: "
                "set a key, or --allow-host NAME, or leave out --allow-private"
            )

    @property
    def hosts(self) -> frozenset[str] | None:
        """The names that the Host header may have; None for any."""
        if "*" in self.allowed_hosts:
            return None
        if not (self._is_local or self.allowed_hosts):
            return None
        return _OWN_NAMES | {name.lower() for name in (*self.allowed_hosts, *([self.host] if self._is_local else []))}

    @property
    def _is_local(self) -> bool:
        """Can this machine alone reach the server?"""
        address = literal(self.host)
        return address is not None and address.is_loopback
