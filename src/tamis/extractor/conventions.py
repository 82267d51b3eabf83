"""The names that authors give to the parts of a page: in classes and ids, ARIA roles and schema.org attributes.

The table is conventions.json, which the browser extension reads, too. Words of about the same meaning are one group.
Whole names are not looked up: they tell the site rather than the part of the page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tamis.document.linked_data import type_name
from tamis.document.parse import Element

_TABLE: Mapping[str, Mapping[str, list[str]]] = json.loads(
    Path(__file__).with_name("conventions.json").read_text(encoding="utf-8")
)
_KINDS = ("names", "roles", "properties", "types")
NAMES, ROLES, PROPERTIES, TYPES = (tuple(_TABLE[kind]) for kind in _KINDS)  # the groups of each kind
ENTITIES: Mapping[str, str] = _TABLE["entities"]  # type: ignore[assignment]

# The words of camelCase, snake_case and kebab-case.
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LONGEST = 100  # characters of a class attribute that are read; the rest is layout
_SHORTEST_PART = 3  # letters of a word that is a part of a longer one
_COMMENT, _COMMENTARY = "comment", "commentary"

# The pages of a site use the same names. This bounds the memory for the names of many sites.
_MOST_REMEMBERED = 50_000

# For each kind: from a word to the bit of its group.
_NAME, _ROLE, _PROPERTY, _TYPE = (
    {word: 1 << group for group, words in enumerate(_TABLE[kind].values()) for word in words} for kind in _KINDS
)


class _Remembered(dict[str | None, int]):
    """From the value of an attribute to the bits of its groups, each computed once."""

    def __init__(self, compute: Callable[[str], int]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, given: str | None) -> int:
        found = self._compute(given or "")
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        if given is None or len(given) <= _LONGEST:
            self[given] = found
        return found


def _names(given: str) -> int:
    if len(given) > _LONGEST:
        return _NAMES_OF[given[:_LONGEST]]  # which is remembered
    return reduce(or_, (_WORDS_OF[part.lower()] for part in NAME_PART.findall(given)), 0)


def _words(given: str) -> int:
    """The groups of a known word, or of the two that a word is made of ("articletext"), or of what comments it is."""
    if found := _NAME.get(given):
        return found
    for cut in range(_SHORTEST_PART, len(given) - _SHORTEST_PART + 1):
        first, second = _NAME.get(given[:cut]), _NAME.get(given[cut:])
        if first and second:
            return first | second
    return _NAME[_COMMENT] if given.startswith(_COMMENT) and given != _COMMENTARY else 0


def _role(given: str) -> int:
    return _ROLE.get(given.strip().lower(), 0)


def _properties(given: str) -> int:
    return reduce(or_, (_PROPERTY.get(name, 0) for name in given.lower().split()), 0) << len(ROLES)


_NAMES_OF, _WORDS_OF, _ROLE_OF, _PROPERTIES_OF = map(_Remembered, (_names, _words, _role, _properties))


def name_bits(nodes: Sequence[Element]) -> NDArray[np.uint64]:
    """For each of these elements: the bits of the groups of its class and its id."""
    classes, ids = (
        np.fromiter(map(_NAMES_OF.__getitem__, names), np.uint64, len(nodes))
        for names in ([node.attr("class") for node in nodes], [node.attr("id") for node in nodes])
    )
    return classes | ids


def mark_bits(node: Element) -> int:
    """The bit of an element's ARIA role, and above the bits of roles those of its schema.org properties."""
    return _ROLE_OF[node.attr("role")] | _PROPERTIES_OF[node.attr("itemprop")]


def type_bit(name: str) -> int:
    """The bit of the group of a schema.org type, with or without its address."""
    return _TYPE.get(type_name(name).lower(), 0)
