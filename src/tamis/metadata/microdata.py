"""Metadata in microdata: itemscope, itemprop and itemref in the markup. Pages forget itemscope; a type is enough."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tamis.arrays import places
from tamis.deadline import checked
from tamis.document import Document, tags
from tamis.metadata.candidate import Candidate
from tamis.metadata.described import Described
from tamis.metadata.markup import Mark, Markup, Scope, spelled
from tamis.metadata.view import View

# The ids, and the properties below them, that are read for one page; pages name a few.
_MOST_NAMED = 10_000


class Microdata:
    """The items of a page, and the properties that are in no item."""

    def __init__(self, view: View) -> None:
        markup = items(view.document)
        about = [scope for scope in markup.scopes if scope.is_about_page] if markup else []
        self._described = Described("microdata", view, [*about, markup.loose] if markup else [])

    def candidates(self, field: str) -> list[Candidate]:
        """The candidates for a field."""
        return self._described.candidates(field)


def items(document: Document) -> Markup | None:
    """The items of a page; None if it has no microdata."""
    marks = list(_marks(document))
    if not any(mark.names or mark.types for mark in marks):
        return None
    found = Markup(document, marks)
    _refer(found, document)
    return found


def _marks(document: Document) -> Iterator[Mark]:
    elements = document.elements
    rows = elements.notable
    nodes = elements.notable_nodes
    templates = frozenset[int]()
    if elements.has("template"):
        # What is in a template belongs to no item around it.
        templates = frozenset(places(elements.code == tags.CODES["template"]).tolist())
        rows = np.union1d(rows, list(templates))
        nodes = [elements.all_nodes[row] for row in rows.tolist()]
    for row, node in checked(zip(rows.tolist(), nodes, strict=True)):
        names, types = node.attr("itemprop"), node.attr("itemtype")
        if row in templates:
            types = types or ""
        if names is None and types is None:
            continue
        if types is None and node.attr("itemscope") is not None:
            types = ""
        yield Mark(row, node, tuple(map(spelled, names.split())) if names else (), types)


def _refer(found: Markup, document: Document) -> None:
    """Give items the properties in the elements that their itemref names."""
    left = _MOST_NAMED
    row_of: dict[str, int] = {}
    for scope in found.scopes:
        named = scope.node.attr("itemref") if scope.node is not None else None
        if not named:
            continue
        if not row_of:
            ids = document.elements.id
            row_of = {name: row for row, name in zip(range(len(ids) - 1, -1, -1), reversed(ids), strict=True) if name}
        for name in named.split():
            left -= 1
            if left <= 0:
                return
            if (row := row_of.get(name)) is None:
                continue
            for names, each in found.within(row):
                left -= 1
                if left <= 0:
                    return
                for key in names:
                    scope.properties.setdefault(key, []).append(each)
        _in_order(scope)


def _in_order(scope: Scope) -> None:
    for key, given in scope.properties.items():
        scope.properties[key] = sorted(dict.fromkeys(given), key=lambda each: each.row)
