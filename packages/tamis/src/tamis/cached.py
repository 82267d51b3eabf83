"""A property that is computed once for each object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801
    """As in functools, but without the lock that Python 3.11 shares among all objects of a class.

    With it, threads would wait for each other's pages, and a process forked during a computation would hang. Here two
    threads may compute the same value; the first result is kept for both.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name  # the key of the value in the object's dictionary, where Python looks first

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
