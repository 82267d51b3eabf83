"""Shrinks an input that breaks a check, by leaving out pieces as long as it breaks in the same way."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TypeVar

from tests.fuzz.children import MEMORY, attempt

Given = TypeVar("Given", str, bytes)

_TOKEN = re.compile(r"<[^<>]*>|[^<]+|<")


def minimise(
    given: Given, check: Callable[[Given], None], *, seconds: float = 30.0, memory: int | None = MEMORY
) -> Given:
    """The smallest input found that fails as `given` does: first without whole tags or lines, then without characters.

    Each trial runs in a child process. The input comes back as it is if it does not fail.
    """
    found = attempt(lambda _: check(given), memory=memory)
    if found is None:
        return given
    signature, deadline = found.signature, time.monotonic() + seconds

    def fails(shorter: Given) -> bool:
        find = attempt(lambda _: check(shorter), memory=memory)
        return find is not None and find.signature == signature

    empty = given[:0]
    tokens: list[Given] = _TOKEN.findall(given) if isinstance(given, str) else given.splitlines(keepends=True)
    whole = empty.join(_without_needless(tokens, empty, fails, deadline))
    letters = [whole[place : place + 1] for place in range(len(whole))]
    return empty.join(_without_needless(letters, empty, fails, deadline))


def _without_needless(
    pieces: list[Given], empty: Given, fails: Callable[[Given], bool], deadline: float
) -> list[Given]:
    """The pieces without those that the failure does not need: halves first, then ever smaller slices."""
    size = max(1, len(pieces) // 2)
    while pieces:
        start, shrunk = 0, False
        while start < len(pieces):
            if time.monotonic() > deadline:
                return pieces
            rest = pieces[:start] + pieces[start + size :]
            if fails(empty.join(rest)):
                pieces, shrunk = rest, True
            else:
                start += size
        if size == 1 and not shrunk:
            break
        size = max(1, size // 2) if not shrunk or size > 1 else 1
    return pieces
