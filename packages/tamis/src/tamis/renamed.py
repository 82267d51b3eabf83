"""Options that had another name: the old one still works for a release, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

# The current name of each option by its name in 0.2.
OLD_NAMES = {
    "deadline": "timeout",
    "charset_hint": "encoding",
    "max_tokens": "chunk_tokens",
    "overlap": "chunk_overlap",
}


def with_new_names(given: Mapping[str, Any], known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Options by their current names, with a DeprecationWarning for the caller's caller for each old one.

    With `known`, only old names of those are translated. Raises TypeError if both names are given.
    """
    if OLD_NAMES.keys().isdisjoint(given):
        return dict(given)
    named: dict[str, Any] = {}
    for name, value in given.items():
        new = OLD_NAMES.get(name, name)
        if new == name or (known is not None and new not in known):
            named[name] = value
            continue
        if new in given:
            raise TypeError(f"{name} and {new} are the same; give {new}")
        warnings.warn(f"{name} is called {new} now", DeprecationWarning, stacklevel=4)
        named[new] = value
    return named


def with_favor(given: dict[str, Any]) -> dict[str, Any]:
    """The same for the server's option `favor`, whose values are options now. Raises ValueError for other values."""
    others = {name: value for name, value in given.items() if name != "favor"}
    if not (favor := given.get("favor")):
        return others
    if favor not in ("precision", "recall"):
        raise ValueError("favor is precision or recall")
    warnings.warn(f"favor={favor} is called favor_{favor}=true now", DeprecationWarning, stacklevel=2)
    return others | {f"favor_{favor}": True}


def takes_old_names(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """The function, which also takes its options by their old names; type checkers see only the current names."""

    @wraps(function)
    def named(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        return _called(function, args, kwargs)

    return named


def class_takes_old_names(cls: type[Result]) -> type[Result]:
    """The same for the constructor of a class."""
    cls.__init__ = takes_old_names(cls.__init__)  # type: ignore[method-assign]
    return cls


def _called(function: Callable[..., Result], args: Any, kwargs: Mapping[str, Any]) -> Result:
    return function(*args, **with_new_names(kwargs))


def old_attributes(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` of a module that also finds functions by their old names, with a warning."""

    def found(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} is called {names[name]} now", DeprecationWarning, stacklevel=2)
        return getattr(import_module(module), names[name])

    return found
