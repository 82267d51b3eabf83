"""A limit on the time of one call, in any thread.

It needs neither signals nor a second thread: the work calls `check` now and then. Code that is not written in Python,
such as the parser, is not interrupted; it takes about two seconds on the largest page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import NamedTuple, TypeVar

from tamis.errors import OutOfMemory, PageTooLarge, PageTooSlow

Item = TypeVar("Item")

# Turns of a loop between two checks; a turn takes a few microseconds.
_TURNS = 256


class _Limit(NamedTuple):
    end: float  # by the monotonic clock
    seconds: float


_NONE = _Limit(inf, inf)
_LIMIT: ContextVar[_Limit] = ContextVar("limit", default=_NONE)


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Limit the time of the block; None sets no limit. An earlier deadline of an outer block still holds.

    Raises PageTooSlow; and PageTooLarge where memory or the stack would overflow.
    """
    token = None if seconds is None else _LIMIT.set(min(_Limit(monotonic() + seconds, seconds), _LIMIT.get()))
    try:
        yield
    except OutOfMemory:
        raise
    except MemoryError as error:
        raise OutOfMemory("the page needs more memory than there is") from error
    except RecursionError as error:
        raise PageTooLarge("the page is nested too deep") from error
    finally:
        if token is not None:
            _LIMIT.reset(token)


def check() -> None:
    """Raise PageTooSlow if the time limit has passed."""
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
