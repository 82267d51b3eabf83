"""The kept part of a page, as recognisers read it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from tamis.arrays import Bools, Ints, places
from tamis.document import Document, parse
from tamis.render.content.node import Child, Node

# Trees are read by recursion. What is nested deeper is read as its text.
_DEEPEST = 60


class Source:
    """Elements that hold kept leaves, by tag and by class, and what is in them."""

    def __init__(self, document: Document, keep: Bools) -> None:
        self.document, self.keep = document, keep
        self.elements, self.leaves = document.elements, document.leaves

    @cached_property
    def kept(self) -> Ints:
        """The kept leaves."""
        return places(self.keep)

    @cached_property
    def holds(self) -> Bools:
        """For each element: does it hold a kept leaf?"""
        held = np.bincount(self.leaves.element.take(self.kept), minlength=len(self.elements))
        holds: Bools = self.elements.sums(held) > 0
        return holds

    @cached_property
    def nodes(self) -> dict[int, parse.Element]:
        """The parser's elements that hold kept leaves, by row, in document order."""
        return dict(zip(places(self.holds).tolist(), self.elements.nodes(self.holds), strict=True))

    @cached_property
    def _by_tag(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for row, node in self.nodes.items():
            found.setdefault(node.tag, []).append(row)
        return found

    @cached_property
    def _by_class(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for row, node in self.nodes.items():
            if names := node.attr("class"):
                for name in names.split():
                    found.setdefault(name, []).append(row)
        return found

    @property
    def tags(self) -> dict[str, list[int]]:
        """The rows of each tag, of elements that hold kept leaves."""
        return self._by_tag

    @property
    def classes(self) -> dict[str, list[int]]:
        """The rows of each class, of elements that hold kept leaves. Class names are as written."""
        return self._by_class

    @cached_property
    def styles(self) -> dict[int, str]:
        """The style attributes of elements that hold kept leaves, by row."""
        return {row: style for row, node in self.nodes.items() if (style := node.attr("style"))}

    def tag(self, row: int) -> str:
        """The tag of any element."""
        return self.elements.tag[row]

    def attribute(self, row: int, name: str) -> str | None:
        """An attribute of any element."""
        return self.elements.attribute(row, name)

    def class_names(self, row: int) -> list[str]:
        """The classes of any element."""
        return (self.elements.attribute(row, "class") or "").split()

    def children(self, row: int) -> list[int]:
        """The rows of the child elements."""
        found, child, end = [], row + 1, int(self.elements.end[row])
        while child < end:
            found.append(child)
            child = int(self.elements.end[child])
        return found

    def leaves_in(self, row: int) -> range:
        """All leaves in an element, kept or not, shown or not; media count once."""
        opened, elements = self._opened, self._holders
        first, last = bisect_left(opened, row), bisect_left(opened, int(self.elements.end[row]))
        while first < last and elements[last - 1] < row:  # text behind the element, before another one is opened
            last -= 1
        return range(first, last)

    @cached_property
    def _opened(self) -> list[int]:
        return self.leaves.opened.tolist()

    @cached_property
    def _holders(self) -> list[int]:
        return self.leaves.element.tolist()

    def text(self, row: int) -> str:
        """All text in an element as it is written, shown or not, with the white space between texts."""
        parts: list[str] = []
        for leaf in self.leaves_in(row):
            if parts:
                parts.append(self.leaves.gap[leaf])
            parts.append(self.leaves.text[leaf])
        return "".join(parts)

    def content(self, row: int) -> Iterator[tuple[int, str | None]]:
        """All below an element as it is, white space too: (row, None) where one opens, (row of the holder, text)."""
        return ((row + place, text) for place, text in parse.content(self.elements.node(row)))

    def script(self, row: int) -> str:
        """The source in a script element, which is no leaf."""
        return self.elements.source(row)

    def subtree(self, row: int, attributes: Sequence[str] = ()) -> Node:
        """An element as a plain tree: tags as names, the wanted attributes, texts as they are, shown or not.

        Deeply nested elements are read as their text.
        """
        return self._subtree(row, attributes, 0)

    def _subtree(self, row: int, attributes: Sequence[str], depth: int) -> Node:
        values = {name: value for name in attributes if (value := self.attribute(row, name)) is not None}
        node = Node(self.tag(row), values, row=row)
        if depth == _DEEPEST:
            node.children = [self.text(row)]
            return node
        inner = self.children(row)
        content: list[tuple[int, int, Child]] = []  # by what was opened before
        for leaf in self.leaves_in(row):
            if self._holders[leaf] == row and not self.leaves.is_media[leaf]:
                content.append((self._opened[leaf], 1, self.leaves.gap[leaf] + self.leaves.text[leaf]))
        content += [(child, 0, self._subtree(child, attributes, depth + 1)) for child in inner]
        content.sort(key=lambda each: each[:2])
        node.children = [child for *_, child in content]
        return node
