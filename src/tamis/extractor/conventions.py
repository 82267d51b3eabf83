"""What people who write pages call their parts: in names of classes and ids, in ARIA roles, with schema.org.

The table is in conventions.json, which the browser extension reads, too. Words that mean about the same are one group;
whole names are not looked at, for they say more about a site than about a page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from tamis.document.parse import Element

_TABLE: Mapping[str, Mapping[str, list[str]]] = json.loads(
    files("tamis.extractor").joinpath("conventions.json").read_text(encoding="utf-8")
)
NAMES, ROLES, PROPERTIES, TYPES = (
    tuple(_TABLE[kind]) for kind in ("names", "roles", "properties", "types")
)  # the groups of each kind
ENTITIES: Mapping[str, str] = _TABLE["entities"]  # type: ignore[assignment]

# camelCase, snake_case and kebab-case fall apart into words.
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LONGEST = 100  # characters of a name; what is behind them is layout

# Pages of a site use the same names; of many sites, no more than so many are remembered.
_MOST_REMEMBERED = 50_000


def _bits(kind: str) -> dict[str, int]:
    """From each word of a kind to the bit of its group."""
    return {word: 1 << number for number, words in enumerate(_TABLE[kind].values()) for word in words}


_NAME, _ROLE, _PROPERTY, _TYPE = (_bits(kind) for kind in ("names", "roles", "properties", "types"))


class _Remembered(dict[str | None, int]):
    """From an attribute to the groups that it names, worked out once."""

    def __init__(self, work_out: Callable[[str], int]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, given: str | None) -> int:
        found = self._work_out(given or "")
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        if given is None or len(given) <= _LONGEST:
            self[given] = found
        return found


def _names(given: str) -> int:
    if len(given) > _LONGEST:
        return _NAMES_OF[given[:_LONGEST]]  # which is remembered
    found = 0
    for part in NAME_PART.findall(given):
        found |= _NAME.get(part.lower(), 0)
    return found


def _role(given: str) -> int:
    return _ROLE.get(given.strip().lower(), 0)


def _properties(given: str) -> int:
    """The groups of all that an element has, behind those of roles."""
    found = 0
    for name in given.lower().split():
        found |= _PROPERTY.get(name, 0)
    return found << len(ROLES)


_NAMES_OF, _ROLE_OF, _PROPERTIES_OF = map(_Remembered, (_names, _role, _properties))


def name_bits(nodes: Sequence[Element]) -> NDArray[np.uint64]:
    """For each of these elements the groups that its class and its id are of."""
    classes, ids = (
        np.fromiter(map(_NAMES_OF.__getitem__, names), np.uint64, len(nodes))
        for names in ([node.attr("class") for node in nodes], [node.attr("id") for node in nodes])
    )
    return classes | ids


def mark_bits(node: Element) -> int:
    """The group of an element's ARIA role, and behind those of roles the groups of its schema.org properties."""
    return _ROLE_OF[node.attr("role")] | _PROPERTIES_OF[node.attr("itemprop")]


def type_bit(name: str) -> int:
    """The group of a schema.org type, with or without its address."""
    return _TYPE.get(name.strip().rstrip("/").rsplit("/", 1)[-1].lower(), 0)
