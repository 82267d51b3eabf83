"""A limit on the time of one call, which holds in any thread.

No signal and no second thread is needed: work asks now and then with `check` whether the time is over. What is not
written in Python, such as the parser, is not interrupted; it takes about two seconds on the largest page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextvars import ContextVar, Token
from math import inf
from time import monotonic
from types import TracebackType
from typing import NamedTuple, TypeVar

from tamis.errors import OutOfMemory, PageTooLarge, PageTooSlow

Item = TypeVar("Item")

# Turns of a loop between two questions; a turn takes a few microseconds.
_TURNS = 256


class _Limit(NamedTuple):
    end: float  # by the monotonic clock
    seconds: float


_NONE = _Limit(inf, inf)
_LIMIT: ContextVar[_Limit] = ContextVar("limit", default=_NONE)


class limited:  # noqa: N801 (a context manager is used like a function)
    """What runs inside may take so many seconds; None is no limit. An earlier end around it still holds.

    Raises PageTooSlow; and PageTooLarge where memory or the stack would overflow.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._token: Token[_Limit] | None = None

    def __enter__(self) -> None:
        if self._seconds is not None:
            new = _Limit(monotonic() + self._seconds, self._seconds)
            self._token = _LIMIT.set(min(new, _LIMIT.get()))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            _LIMIT.reset(self._token)
        if isinstance(error, MemoryError) and not isinstance(error, OutOfMemory):
            raise OutOfMemory("the page needs more memory than there is") from error
        if isinstance(error, RecursionError):
            raise PageTooLarge("the page is nested too deep") from error


def check() -> None:
    """Raise PageTooSlow if the time is over."""
    limit = _LIMIT.get()
    if monotonic() > limit.end:
        raise PageTooSlow(f"the page takes longer than {limit.seconds:g} s")


def checked(items: Iterable[Item]) -> Iterable[Item]:
    """The same items, with a `check` now and then."""
    return items if _LIMIT.get().end == inf else _checked(items)


def _checked(items: Iterable[Item]) -> Iterator[Item]:
    for turn, item in enumerate(items):
        if not turn % _TURNS:
            check()
        yield item
