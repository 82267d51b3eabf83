"""What may be fetched, and the object that fetches it: the limits hold for a page, its redirects and its robots.txt."""

from __future__ import annotations

from typing import NamedTuple

from tamis import __version__
from tamis.errors import OptionError
from tamis.inputs import RawPage, check_timeout

MAX_BYTES = 20_000_000
MAX_REDIRECTS = 10
TIMEOUT = 30.0  # seconds for the whole page
PRODUCT = "tamis"  # the name by which a robots.txt calls us
USER_AGENT = f"Mozilla/5.0 (compatible; {PRODUCT}/{__version__}; +https://github.com/tamis-extract/tamis)"


class FetchRules(NamedTuple):
    """What a `Fetcher` may fetch. The defaults suit URLs that the caller has chosen.

    For URLs of strangers: `FetchRules(ports=frozenset({80, 443}), proxies=False, robots=True)`.
    """

    timeout: float = TIMEOUT  # seconds for the whole page, with its redirects and robots.txt
    max_bytes: int = MAX_BYTES  # of the page, unpacked
    max_redirects: int = MAX_REDIRECTS
    allow_private: bool = False  # also fetch private addresses; a redirect from a public one never leads there
    ports: frozenset[int] | None = None  # those that may be connected to, on every redirect; None: all
    proxies: bool = True  # use the proxies of the environment; with a proxy, names can't be judged
    robots: bool = False  # fetch only what the robots.txt of the site allows
    user_agent: str = USER_AGENT

    def check(self) -> None:
        """Raise OptionError for an impossible limit."""
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


class Fetcher:
    """Fetches pages by the same rules. Threads may share it; they then share what it knows of robots.txt files."""

    def __init__(self, rules: FetchRules | None = None) -> None:
        """Raises OptionError for impossible rules, and MissingExtra if `robots` is set without the extra `server`."""
        self.rules = rules or FetchRules()
        self.rules.check()
        self._robots = None
        if self.rules.robots:
            from tamis.web.robots import Robots

            self._robots = Robots()

    def fetch(self, url: str) -> RawPage:
        """Fetch a page from the web.

        Args:
            url: An http or https address. A user name and password in it are sent as basic authentication.

        Returns:
            The bytes, the address after redirects, without credentials, and the charset of the HTTP header.

        Raises:
            FetchRefused: The rules forbid the page, or where it redirects to.
            FetchTimeout: It takes longer than the timeout.
            FetchError: The page does not exist, is too large or is not a web page.
            OptionError: The URL is not a str.
            MissingExtra: The extra `cli` is not installed.
        """
        if not isinstance(url, str):
            raise OptionError(f"a URL is a str, not {type(url).__name__}")
        from tamis.web.request import request  # what it imports takes longer than to extract a file

        return request(url, self.rules, self._robots)
