"""The object that fetches pages by fixed rules, and remembers what robots.txt files said."""

from __future__ import annotations

from tamis.errors import OptionError
from tamis.inputs import RawPage
from tamis.web.rules import FetchRules


class Fetcher:
    """Fetches pages by the same rules. Threads may share it; they then share what it knows of robots.txt files."""

    def __init__(self, rules: FetchRules | None = None) -> None:
        """The rules are `FetchRules()` unless given.

        Raises OptionError for rules that make no sense, and MissingExtra if robots.txt counts and the extra `server` is
        not installed.
        """
        self.rules = FetchRules() if rules is None else rules
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
            FetchError: There is no such page, it is too large, or it is no page.
            OptionError: The URL is no str.
            MissingExtra: The extra `cli` is not installed.
        """
        if not isinstance(url, str):
            raise OptionError(f"a URL is a str, not {type(url).__name__}")
        from tamis.web.request import request  # what it imports takes longer than to extract a file

        return request(url, self.rules, self._robots)
