"""Metadata in microdata: itemscope, itemprop and itemref in the markup. Pages forget itemscope; a type is enough."""

from __future__ import annotations

from functools import lru_cache

from tamis.arrays import places
from tamis.deadline import checked
from tamis.document import Document, tags
from tamis.metadata.schema.described import Described
from tamis.metadata.schema.markup import Markup, Scope, spelled
from tamis.metadata.view import View

# The ids, and the properties below them, that are read for one page; pages name a few.
_MOST_NAMED = 10_000


class Microdata(Described):
    """The items of a page, and the properties that are in no item."""

    def __init__(self, view: View) -> None:
        super().__init__("microdata", view, _about_page)


def _about_page(view: View) -> list[Scope]:
    markup = items(view.document)
    return markup.about_page if markup else []


def items(document: Document) -> Markup | None:
    """The items of a page; None if it has no microdata."""
    elements = document.elements
    rows, nodes = elements.notable.tolist(), elements.notable_nodes
    templates = frozenset[int]()
    if elements.has("template"):
        # What is in a template belongs to no item around it.
        templates = frozenset(places(elements.code == tags.CODES["template"]).tolist())
        rows = sorted(templates.union(rows))
        nodes = [elements.all_nodes[row] for row in rows]
    found = Markup(document)
    is_marked = refers = False
    for row, node in checked(zip(rows, nodes, strict=True)):
        names, types = node.attr("itemprop"), node.attr("itemtype")
        if types is not None:
            refers = refers or node.attr("itemref") is not None
        elif row in templates or (names is not None and node.attr("itemscope") is not None):
            types = ""
        elif names is None:
            continue
        is_marked = is_marked or bool(names or types)
        found.add(row, node, _spelled(names) if names else (), types)
    if refers:
        _refer(found, document)
    return found if is_marked else None


@lru_cache(maxsize=1024)
def _spelled(names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(spelled, names.split())))


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
