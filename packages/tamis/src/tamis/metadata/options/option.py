"""A possible value of a field: all candidates that agree on it, and what speaks for and against it as features."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from tamis.document import tags
from tamis.metadata.candidate import Candidate, Value
from tamis.metadata.view import View
from tamis.page_type import PageType

Features = dict[str, float]

# Parts of a page that tell what stands in them.
_PARTS = {
    tags.CODES[name]: f"in {name}"
    for name in ("nav", "header", "footer", "aside", "article", "main", "li", "td", "blockquote")
}
LIST_PARTS = frozenset({"in li", "in aside", "in nav"})  # where teasers stand
_MOST_PARENTS = 25
_NEAR, _FAR = 8, 40  # leaves from the title


_LISTS = (PageType.LISTING, PageType.COLLECTION, PageType.PRODUCT, PageType.SERVICE)


class Option(NamedTuple):
    """A value, who says so, and its features."""

    value: Value
    candidates: tuple[Candidate, ...]
    features: Features


def said_by(candidates: list[Candidate], page_type: str = "") -> Features:
    """One feature for each place that gives the value, and how many sources agree."""
    found: Features = {}
    for each in candidates:
        place = f"{each.source} {each.place}"
        found[place] = found[each.source] = 1.0
        if page_type:
            found[f"{page_type}: {place}"] = 1.0
    found["sources"] = min(len({each.source for each in candidates}), 4) - 1.0
    return found


class Surroundings:
    """Where elements stand: how far from the title, in which part of the page, in the content or beside it."""

    def __init__(self, view: View, title_row: int) -> None:
        self._view = view
        self._leaf = view.leaf
        self._title = view.leaf(title_row) if title_row >= 0 else None
        self._parts_of: dict[int, frozenset[str]] = {}

    def features(self, rows: Iterable[int]) -> Features:
        """The features of the element that is nearest to the title."""
        places = [(self._distance(row), row) for row in rows if row >= 0]
        if not places:
            return {}
        distance, row = min(places)
        found = {"shown": 1.0} | dict.fromkeys(self._parts(row), 1.0)
        if self._title is not None:
            behind = self._leaf(row) >= self._title
            found["near title" if behind else "before title"] = 1 / (1 + distance / 4)
        if distance > _FAR:
            found["far from title"] = 1.0
        leaf, kept = self._leaf(row), self._view.kept
        if kept and leaf > kept[-1]:
            found["behind content"] = 1.0
        elif kept and kept[bisect_left(kept, leaf)] == leaf:
            found["kept"] = 1.0
        return found

    def look(self, group: Iterable[Candidate]) -> tuple[str | None, ...]:
        """The tag and class of the element that shows a value first: the parts of a list have the same."""
        row = next((each.row for each in group if each.row >= 0), -1)
        node = self._view.document.elements.all_nodes[row] if row >= 0 else None
        return (node.tag, node.attr("class")) if node is not None else ()

    def is_foreign(self, candidate: Candidate) -> bool:
        """Is it shown in a comment or in a teaser of another page?"""
        if candidate.row < 0:
            return False
        leaf = self._leaf(candidate.row)
        if not self._view.is_foreign(leaf):
            return False
        is_near = self._title is not None and 0 <= leaf - self._title <= _NEAR
        return not is_near or not LIST_PARTS.isdisjoint(self._parts(candidate.row))

    def _distance(self, row: int) -> int:
        """How many leaves are between an element and the title."""
        return abs(self._leaf(row) - (self._title or 0))

    def _parts(self, row: int) -> frozenset[str]:
        if row not in self._parts_of:
            elements = self._view.document.elements
            codes = map(elements.code.item, islice(elements.ancestors(row), _MOST_PARENTS))
            self._parts_of[row] = frozenset([_PARTS[code] for code in codes if code in _PARTS])
        return self._parts_of[row]


def is_of_list(features: Features, page_type: PageType | None, *others: str) -> bool:
    """Does a value belong to an entry of a list, or to a review, on a page that is about many things or a product?"""
    return page_type in _LISTS and not features.keys().isdisjoint(("in a series", "behind content", *others))
