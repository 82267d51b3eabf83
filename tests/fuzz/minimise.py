"""Shrinks an input that breaks a check, by leaving out pieces as long as it breaks in the same way."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

from tests.fuzz.children import attempt

_TOKEN = re.compile(r"<[^<>]*>|[^<]+|<")


def minimise(html: str, check: Callable[[str], None], *, seconds: float = 60.0) -> str:
    """The smallest page found that fails as `html` does: first without whole tags, then without letters.

    Each trial runs in a child process. The page comes back as it is if it does not fail.
    """
    found = attempt(lambda _: check(html))
    if found is None:
        return html
    signature, deadline = found.signature, time.monotonic() + seconds

    def fails(page: str) -> bool:
        find = attempt(lambda _: check(page))
        return find is not None and find.signature == signature

    tokens = _without_needless(_TOKEN.findall(html), fails, deadline)
    return "".join(_without_needless(list("".join(tokens)), fails, deadline))


def _without_needless(pieces: Sequence[str], fails: Callable[[str], bool], deadline: float) -> Sequence[str]:
    """The pieces without those that the failure does not need: halves first, then ever smaller slices."""
    size = max(1, len(pieces) // 2)
    while pieces:
        start, shrunk = 0, False
        while start < len(pieces):
            if time.monotonic() > deadline:
                return pieces
            rest = [*pieces[:start], *pieces[start + size :]]
            if fails("".join(rest)):
                pieces, shrunk = rest, True
            else:
                start += size
        if size == 1 and not shrunk:
            break
        size = max(1, size // 2) if not shrunk or size > 1 else 1
    return pieces
