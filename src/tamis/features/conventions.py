"""What people who write pages call their parts: in names of classes and ids, in ARIA roles, with schema.org.

The table is in conventions.json, which the browser extension reads, too. Words that mean about the same are one group;
whole names are not looked at, for they say more about a site than about a page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from tamis.document.parse import Element

_TABLE: Mapping[str, Mapping[str, list[str]]] = json.loads(
    files("tamis.features").joinpath("conventions.json").read_text(encoding="utf-8")
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


class _NameBits(dict[str | None, int]):
    """From a class attribute or an id to the groups that its words are of."""

    def __missing__(self, name: str | None) -> int:
        found = 0
        for part in NAME_PART.findall((name or "")[:_LONGEST]):
            found |= _NAME.get(part.lower(), 0)
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        if name is None or len(name) <= _LONGEST:
            self[name] = found
        return found


_NAME_BITS = _NameBits()


def name_bits(nodes: Sequence[Element]) -> NDArray[np.uint64]:
    """For each of these elements the groups that its class and its id are of."""
    classes, ids = (
        np.fromiter(map(_NAME_BITS.__getitem__, names), np.uint64, len(nodes))
        for names in ([node.attr("class") for node in nodes], [node.attr("id") for node in nodes])
    )
    return classes | ids


def role_bit(role: str | None) -> int:
    """The group of an ARIA role; 0 for others and none."""
    return _ROLE.get(role.strip().lower(), 0) if role else 0


def property_bits(properties: str | None) -> int:
    """The groups of schema.org properties, of which an element may have several."""
    found = 0
    for name in properties.lower().split() if properties else ():
        found |= _PROPERTY.get(name, 0)
    return found


def type_bit(name: str) -> int:
    """The group of a schema.org type, with or without its address."""
    return _TYPE.get(name.strip().rstrip("/").rsplit("/", 1)[-1].lower(), 0)
