"""Names of categories that name none: those that systems give to what has no category, and the home page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files

_TABLE = json.loads(files("tamis.metadata").joinpath("categories.json").read_text(encoding="utf-8"))
_NONE = frozenset(_TABLE["none"])
_HOME = frozenset(_TABLE["home"])


def categories(names: Iterable[str]) -> tuple[str, ...]:
    """Without the names of no category."""
    return tuple(name for name in names if name.casefold() not in _NONE)


def is_home(name: str) -> bool:
    """Is it what breadcrumbs call the home page?"""
    return name.strip().casefold() in _HOME
