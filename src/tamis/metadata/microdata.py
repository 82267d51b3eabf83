"""Metadata in microdata: itemscope, itemprop and itemref in the markup.

An item has the properties inside it, up to the next item, and those in the elements that its itemref names. Values are
read last, one for each field, so items that nest or name each other cost no more than others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import chain

import numpy as np

from tamis.document import Document, parse, tags
from tamis.metadata.linked_data import CONTENT_TYPE, KEYS
from tamis.metadata.values import names

_WANTED = frozenset(chain.from_iterable(KEYS.values()))
_IS_TEMPLATE = tags.lookup("template")

# Where an element has its value, if that is not its text.
_VALUES = {
    "meta": "content", "a": "href", "area": "href", "link": "href", "object": "data", "data": "value", "meter": "value",
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
}  # fmt: skip

# The ids, and the properties below them, that are read for one page; pages name a few.
_MOST_NAMED = 10_000


class Microdata:
    """The items of types that describe content, in document order."""

    def __init__(self, document: Document) -> None:
        self._items: list[dict[str, int]] = []  # of each item: from a key to the row of its first element
        scopes = parse.select(document.tree, "[itemscope]")
        kinds = {node: node.attr("itemtype") or "" for node in scopes if node.attr("itemprop") is None}
        items = {node for node, kind in kinds.items() if CONTENT_TYPE.search(kind)}
        if not items:
            return
        self._elements, self._nodes = document.elements, document.elements.all_nodes
        self._left = _MOST_NAMED
        self._read(frozenset(scopes), frozenset(parse.select(document.tree, "[itemprop]")))
        for row, node in enumerate(self._nodes):
            if node in items:
                self._items.append(self._firsts(row))

    def get(self, field: str) -> object:
        """The first value of a field."""
        rows = (item[key] for item in self._items for key in KEYS.get(field, ()) if key in item)
        row = next(rows, None)
        value = None if row is None else self._value(row)
        return names(value) if field == "author" else value

    def _read(self, scopes: frozenset[parse.Element], properties: frozenset[parse.Element]) -> None:
        """Find the elements with a wanted property: their rows, their keys, and the row of the item around each."""
        nodes, elements = self._nodes, self._elements
        self._scopes = np.fromiter((node in scopes for node in nodes), np.bool_, len(nodes))
        keys = {
            row: wanted
            for row, node in enumerate(nodes)
            if node in properties and (wanted := _WANTED.intersection((node.attr("itemprop") or "").split()))
        }
        self._rows, self._keys = list(keys), list(keys.values())
        # What is in a template belongs to no item around it.
        borders = self._scopes | _IS_TEMPLATE[elements.code]
        self._around = elements.nearest(borders, elements.parent[self._rows]).tolist()
        self._inside: dict[int, list[int]] = {}
        for place, row in enumerate(self._around):
            self._inside.setdefault(row, []).append(place)

    def _firsts(self, item: int, *, plain: bool = False) -> dict[str, int]:
        """From each key of an item to the row of its first element; with `plain` to the first that is no item."""
        places = self._inside.get(item, [])
        if named := self._nodes[item].attr("itemref"):
            places = sorted({*places, *self._named(named)})
        firsts: dict[str, int] = {}
        for place in places:
            if not (plain and self._scopes[self._rows[place]]):
                for key in self._keys[place]:
                    firsts.setdefault(key, self._rows[place])
        return firsts

    def _named(self, ids: str) -> Iterator[int]:
        """The properties in the elements with these ids."""
        for name in ids.split():
            self._left -= 1
            if self._left <= 0:
                return
            if (row := self._row_of.get(name)) is None:
                continue
            first, stop = (bisect_left(self._rows, edge) for edge in (row, int(self._elements.end[row])))
            for place in range(first, stop):
                if self._left <= 0:
                    return
                self._left -= 1
                if self._around[place] < row:  # else it belongs to an item in that element
                    yield place

    @cached_property
    def _row_of(self) -> dict[str, int]:
        """From each id to its first element."""
        ids = self._elements.id
        return {name: row for row, name in zip(range(len(ids) - 1, -1, -1), reversed(ids), strict=True) if name}

    def _value(self, row: int) -> object:
        """The value of a property: a text, or the name of an item."""
        node = self._nodes[row]
        if self._scopes[row]:
            name = self._firsts(row, plain=True).get("name")
            return {"name": None if name is None else self._value(name)}
        if attribute := _VALUES.get(node.tag):
            return node.attr(attribute) or ""
        return node.text if node.tag != "time" or (day := node.attr("datetime")) is None else day
