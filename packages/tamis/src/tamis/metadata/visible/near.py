"""The links of a page, and the elements near the begin and the end of its content by their classes."""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice

from tamis.arrays import places
from tamis.cached import cached_property
from tamis.document import parse, tags
from tamis.metadata.cues import BORDER, holders
from tamis.metadata.head import values
from tamis.metadata.view import View

_LINK, _NAV, _ASIDE, _HEADER, _FOOTER, _FIGURE = (
    tags.CODES[tag] for tag in ("a", "nav", "aside", "header", "footer", "figure")
)
_PARTS = frozenset(
    tags.CODES[tag] for tag in ("article", "aside", "body", "footer", "header", "main", "nav", "section")
)
_CONTENT = frozenset(tags.CODES[tag] for tag in ("article", "main"))

# Leaves before and after the begin and the end of the content that are near.
_AT_BEGIN, _AT_END = (18, 8), (6, 28)  # where nearly all of them stand on WCXB dev
_MOST_ROWS = 1_500  # of elements at each end
_MOST_NAMED = 200  # elements that are named alike
_MOST_PARENTS = 100  # of parts of a page
_LONGEST_TEXT = 1_000  # of a link
_LONGEST_CLASS = 300
_MOST_LEVELS = 4  # from a link up to the list that it belongs to
_MOST_LEVELS_OF_ITEM = 10  # from a link up to the list of teasers that it is in
_IN_SENTENCE = 8  # leaves before and after a link that are read
_LONGEST_LABEL = 60  # characters beside links, such as "Filed under:"; more is a sentence


class Near:
    """What is near the content. Links are named by their places in `links`, the rows of all of them."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._elements, self._leaves = view.document.elements, view.document.leaves
        self.nodes = self._elements.all_nodes

    @cached_property
    def links(self) -> list[int]:
        """The rows of all links."""
        rows: list[int] = places(self._elements.code == _LINK).tolist()
        return rows

    def links_in(self, row: int) -> range:
        """The links in an element; itself, if it is one."""
        return range(bisect_left(self.links, row), bisect_left(self.links, self._elements.end.item(row)))

    @cached_property
    def content(self) -> tuple[int, int] | None:
        """The first and the last leaf of the content; None if it is not known."""
        labels = self.view.labels
        if labels is None or len(labels.keep) != len(self._leaves):
            return None
        kept = places(labels.keep)
        return (kept.item(0), kept.item(-1)) if kept.size else None

    @cached_property
    def _windows(self) -> list[tuple[int, int]]:
        """The first row that is near, and the one behind the last, at the begin and at the end of the content."""
        opened, rows = self.view.opened, len(self._elements)
        if not opened:
            return []
        if self.content is None:
            return [(0, min(rows, _MOST_ROWS))]
        found: list[tuple[int, int]] = []
        for leaf, (before, after) in zip(self.content, (_AT_BEGIN, _AT_END), strict=True):
            start = opened[max(leaf - before, 0)]
            stop = opened[leaf + after] + 1 if leaf + after < len(opened) else rows
            found.append((max([start, *(stop for _, stop in found)]), min(stop, start + _MOST_ROWS)))
        return found

    @cached_property
    def near_links(self) -> list[int]:
        """The links near the begin and the end of the content."""
        edges = ((bisect_left(self.links, edge) for edge in window) for window in self._windows)
        return [link for start, stop in edges for link in range(start, stop)]

    @cached_property
    def _names(self) -> list[tuple[int, str]]:
        """The classes of the elements closely around these links, with their rows."""
        parent, nodes = self._elements.parent.item, self.nodes
        rows = {self.links[link] for link in self.near_links}
        around: set[int] = set()
        for _ in range(_MOST_LEVELS):
            rows = {parent(row) for row in rows if row >= 0}
            around |= rows
        around.discard(-1)
        return [(row, name[:_LONGEST_CLASS]) for row in sorted(around) if (name := nodes[row].attr("class"))]

    @cached_property
    def _all_names(self) -> str:
        return BORDER.join([name for _, name in self._names]).lower()

    def named(self, *cues: str) -> list[tuple[int, str]]:
        """The rows of those elements whose class holds one of the cues, with that class."""
        return [self._names[number] for number in holders(self._all_names, cues, _MOST_NAMED)]

    def related(self, relation: str, most: int) -> list[int]:
        """The links with a relation."""
        found = set(parse.select(self.view.document.tree, f"a[rel~={relation} i]")[:most])
        return [link for link, row in enumerate(self.links) if self.nodes[row] in found] if found else []

    def address(self, link: int) -> str:
        """The address of a link as it is written."""
        return self.nodes[self.links[link]].attr("href") or ""

    def text(self, link: int) -> str:
        """The text of a link, without a number of its own at its end."""
        row = self.links[link]
        text = self.nodes[row].text[:_LONGEST_TEXT]
        if text[-1:].isdecimal():
            leaves = self.view.leaves_in(row)
            if len(leaves) > 1 and self._leaves.text[leaves[-1]].strip().isdecimal():
                text = self.view.text_of(leaves[:-1])
        return (values.text(text) or "").strip("#<>‹›«»,; ")

    def are_together(self, first: int, second: int) -> bool:
        """Do two adjacent links belong to one list? They share a close ancestor within their part of the page."""
        elements, before, row = self._elements, self.links[first], self.links[second]
        for _ in range(_MOST_LEVELS):
            row = elements.parent.item(row)
            if row < before:  # so it holds both
                leaf, other = self.view.leaf(before), self.view.leaf(self.links[second])
                return row >= 0 and self.view.is_foreign(leaf) == self.view.is_foreign(other)
            if elements.code.item(row) in _PARTS:
                return False
        return False

    def leaf(self, link: int) -> int:
        """The first visible leaf of a link; -1 if there is none."""
        return next(iter(self.view.leaves_in(self.links[link])), -1)

    def repeated(self, rows: list[int], least: int) -> set[int]:
        """Those of some elements that are in different children of one element, at least so many: its items."""
        held: dict[int, dict[int, list[int]]] = {}
        for row in rows:
            child, *parents = [
                above for _, above in zip(range(_MOST_LEVELS_OF_ITEM), self._elements.ancestors(row), strict=False)
            ]
            for parent in parents:
                held.setdefault(parent, {}).setdefault(child, []).append(row)
                child = parent
        return {row for items in held.values() if len(items) >= least for item in items.values() for row in item}

    def is_elsewhere(self, link: int, leaf: int) -> bool:
        """Is a link in a menu, beside the content, or about another page?"""
        if self.view.is_foreign(leaf):
            return True
        above = self._codes_above(link)
        if _NAV in above or _ASIDE in above:
            return True
        return (_FOOTER in above or _HEADER in above) and _CONTENT.isdisjoint(above)

    def is_in_figure(self, link: int) -> bool:
        """Is a link in a figure?"""
        return _FIGURE in self._codes_above(link)

    def is_in_sentence(self, leaf: int) -> bool:
        """Is a leaf of a link a part of a sentence?"""
        leaves = self._leaves
        around = range(max(leaf - _IN_SENTENCE, 0), min(leaf + _IN_SENTENCE + 1, len(leaves)))
        beside = [each for each in around if leaves.is_visible_text[each] and not leaves.in_link[each]]
        inside = (leaves.text[each].strip() for each in beside if leaves.block[each] == leaves.block[leaf])
        return sum(map(len, inside)) > _LONGEST_LABEL

    def _codes_above(self, link: int) -> list[int]:
        parents = islice(self._elements.ancestors(self.links[link]), _MOST_PARENTS)
        return list(map(self._elements.code.item, parents))
