"""What may be fetched, and how: the limits that hold for a page, its redirects and its robots.txt."""

from __future__ import annotations

from typing import NamedTuple

from tamis import __version__
from tamis.errors import OptionError
from tamis.inputs import check_timeout

MAX_BYTES = 20_000_000
MAX_REDIRECTS = 10
TIMEOUT = 30.0  # seconds for the whole page
PRODUCT = "tamis"  # the name by which a robots.txt calls us
USER_AGENT = f"Mozilla/5.0 (compatible; {PRODUCT}/{__version__}; +https://github.com/tamis-extract/tamis)"


class FetchRules(NamedTuple):
    """What a `Fetcher` may fetch. The defaults are for URLs that the caller has chosen.

    For URLs of strangers: `FetchRules(ports=frozenset({80, 443}), proxies=False, robots=True)`.
    """

    timeout: float = TIMEOUT  # seconds for the whole page, with its redirects and robots.txt
    max_bytes: int = MAX_BYTES  # of the page, unpacked
    max_redirects: int = MAX_REDIRECTS
    allow_private: bool = False  # fetch also what is not public; a redirect from a public address never leads there
    ports: frozenset[int] | None = None  # those that may be connected to, on every redirect; None: all
    proxies: bool = True  # use the proxies of the environment; behind one names can't be judged
    robots: bool = False  # fetch only what the robots.txt of the site allows
    user_agent: str = USER_AGENT

    def check(self) -> None:
        """Raise OptionError for what is no limit."""
        check_timeout(self.timeout)
        if not isinstance(self.max_bytes, int) or self.max_bytes < 1:
            raise OptionError("max_bytes is a whole number above zero")
        if not isinstance(self.max_redirects, int) or self.max_redirects < 0:
            raise OptionError("max_redirects is a whole number, zero or above")
        if self.ports is not None and not (
            isinstance(self.ports, frozenset)
            and all(isinstance(port, int) and 0 < port < 65_536 for port in self.ports)
        ):
            raise OptionError("ports is a frozenset of numbers from 1 to 65535, or None")
        if not isinstance(self.user_agent, str) or not (self.user_agent.isascii() and self.user_agent.isprintable()):
            raise OptionError("a user agent is one line of ASCII characters")
