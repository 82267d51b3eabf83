"""A property that is computed once an object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801
    """As in functools, without its lock, which Python 3.11 has for all objects of a class together.

    Threads with pages of their own would wait for each other, and a process that is forked while one computes would
    wait for ever. Here two threads may compute the same value, and the first one counts for both.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """The value lies in the dictionary of the object under this name, where Python looks first."""
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Self | T:
        if instance is None:
            return self
        values: dict[str, T] = vars(instance)
        if self._name not in values:  # in `loaded`, another thread may have computed it meanwhile
            values.setdefault(self._name, self._compute(instance))
        return values[self._name]
