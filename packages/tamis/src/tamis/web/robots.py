"""What the robots.txt of each site allows, by RFC 9309; `request` fetches the files.

Protego matches paths to rules. It gets only the lines that concern us, in one spelling: in the original file,
thousands of names before thousands of rules would be multiplied with each other.
"""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from tamis.errors import MissingExtra
from tamis.web.fetcher import PRODUCT

if TYPE_CHECKING:
    from protego import Protego

MAX_BYTES = 500 * 1024  # RFC 9309, 2.5: at least this much of a file is read; what follows is ignored
MAX_REDIRECTS = 5  # RFC 9309, 2.3.1.2

_MOST_SITES = 1_000
_MOST_CHARACTERS = 2_000_000  # of our lines of all files together; measured: parsed, they take up to 60 bytes each
_LASTS = 3_600.0  # seconds; RFC 9309, 2.4: not more than a day
_FAILURE_LASTS = 60.0

_LINE = re.compile(r"\s*(?:(user[- ]?agent)|(allow)|diss?all?ow)\s*:([^#]*)", re.IGNORECASE)
_NAME = re.compile(r"[a-z_-]+|\*", re.IGNORECASE)


class RobotsFile(NamedTuple):
    """What a site answered when asked for its robots.txt."""

    text: str = ""  # of the file; empty if there is none, and all is allowed
    problem: str = ""  # why it can't be read, so that nothing is allowed; empty if it can
    lasting: bool = True  # False if the next request may well get another answer


class _CachedRules(NamedTuple):
    rules: Protego
    problem: str
    until: float
    size: int


class Robots:
    """The robots.txt files of the sites that were asked last. Threads may share it."""

    def __init__(self) -> None:
        """Raises MissingExtra without Protego."""
        try:
            import protego
        except ImportError:
            raise MissingExtra("respecting robots.txt", "server") from None
        self._parse = protego.Protego.parse
        self._known: OrderedDict[str, _CachedRules] = OrderedDict()
        self._lock = threading.Lock()

    def objection(self, origin: str, target: str, read: Callable[[], RobotsFile]) -> str | None:
        """Why a page may not be fetched; None if it may.

        `origin` is the scheme, host and port of the page, `target` its path with the query. `read` fetches the
        robots.txt of the origin; it is called if that is not known.
        """
        known = self._cached(origin) or self._cache(origin, read())
        if known.problem:
            return f"the robots.txt of {origin} can't be read, so nothing is allowed: {known.problem}"
        if not known.rules.can_fetch(f"http://site{target}", PRODUCT):
            return f"the robots.txt of {origin} forbids it"
        return None

    def _cached(self, origin: str) -> _CachedRules | None:
        with self._lock:
            known = self._known.get(origin)
            if known is None or known.until < time.monotonic():
                return None
            self._known.move_to_end(origin)
            return known

    def _cache(self, origin: str, file: RobotsFile) -> _CachedRules:
        lines = "\n".join(_our_groups(file.text))
        until = time.monotonic() + (_FAILURE_LASTS if file.problem else _LASTS)
        known = _CachedRules(self._parse(lines), file.problem, until, len(lines))
        if file.lasting:
            with self._lock:
                self._known[origin] = known
                self._known.move_to_end(origin)
                size = sum(entry.size for entry in self._known.values())
                while len(self._known) > _MOST_SITES or (size > _MOST_CHARACTERS and len(self._known) > 1):
                    size -= self._known.popitem(last=False)[1].size
        return known


def _our_groups(text: str) -> Iterator[str]:
    """The groups of rules for us and for all, in one spelling; all other crawlers get one name."""
    last = ""
    for found in map(_LINE.match, text.splitlines()):
        if not found:
            continue
        agent, allow, value = found.groups()
        if agent:
            name = _NAME.match(value.strip())
            word = name[0].lower() if name else ""
            line = f"User-agent: {word if word in (PRODUCT, '*') else 'another'}"
            if line == last:
                continue
        else:
            line = f"{'Allow' if allow else 'Disallow'}: {value.strip()}"
        yield line
        last = line
