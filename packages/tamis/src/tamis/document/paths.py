"""The place of a leaf in the page, as an XPath and as a path of tags."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from tamis.arrays import Ints, places
from tamis.cached import cached_property
from tamis.deadline import checked
from tamis.document import parse, tags
from tamis.document.table import Document

# A deeper element is named by its number among those of its tag, which is also valid XPath. Paths from the root would
# grow with the square of the depth.
_DEEPEST = 200

# Other names, such as Word's o:p, need a declaration to be valid in an XPath.
_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@lru_cache(maxsize=1024)
def _is_plain(tag: str) -> bool:
    return _PLAIN_NAME.fullmatch(tag) is not None


class Paths:
    """The paths of elements and leaves of a document. Asked in document order, they take linear time."""

    def __init__(self, document: Document) -> None:
        self._document, self._elements = document, document.elements
        self._tag, self._holder = document.elements.tag, document.leaves.element.tolist()
        self._deep = (document.elements.depth > _DEEPEST).tolist()
        self._parent, self._end = document.elements.parent.tolist(), document.elements.end.tolist()
        # The last element and its ancestors: row, end, XPath and tags. The first entry contains them all.
        self._open = [(-1, len(self._tag), "", "")]
        self._is_media = document.leaves.is_media.tolist()
        self._ordinals: dict[int, list[int]] = {}  # of the texts in an element

    def xpath(self, leaf: int) -> str:
        """The XPath of a leaf: a text node or a media element."""
        return self.xpath_and_tags(leaf)[0]

    def tag_path(self, leaf: int) -> str:
        """The tags from the root to the leaf's element, such as html/body/div/p."""
        return self.xpath_and_tags(leaf)[1]

    def xpath_and_tags(self, leaf: int) -> tuple[str, str]:
        """`xpath` and `tag_path`."""
        row = self._holder[leaf]
        xpath, tags = (self._short[row], f".../{self._tag[row]}") if self._deep[row] else self._around(row)
        return xpath if self._is_media[leaf] else f"{xpath}/text()[{self._ordinal(leaf)}]", tags

    def element_xpath(self, row: int) -> str:
        """The XPath of an element."""
        return self._short[row] if self._deep[row] else self._around(row)[0]

    def _around(self, row: int) -> tuple[str, str]:
        """The XPath and the tags of an element. Those of the last element's ancestors are remembered."""
        opened = self._open
        if opened[-1][0] == row:
            return opened[-1][2:]
        while not opened[-1][0] <= row < opened[-1][1]:
            opened.pop()
        above, _, xpath, path = opened[-1]
        missing: list[int] = []
        while row != above:
            missing.append(row)
            row = self._parent[row]
        for row in reversed(missing):
            tag = self._tag[row]
            path = f"{path}/{tag}" if path else tag
            xpath += f"/{tag}[{self._position[row]}]" if _is_plain(tag) else f"/*[{self._child[row]}]"
            opened.append((row, self._end[row], xpath, path))
        return xpath, path

    @cached_property
    def _kind(self) -> Ints:
        """For each element: a number for its tag."""
        code = self._elements.code.astype(np.int64)
        others: dict[str, int] = {}
        for row in places(code == tags.OTHER).tolist():
            code[row] = others.setdefault(self._tag[row], tags.OTHER + len(others))
        return code

    @cached_property
    def _position(self) -> list[int]:
        """For each element: its number among the children of its parent that have its tag."""
        return _numbers((self._elements.parent + 1) * (self._kind.max(initial=0) + 1) + self._kind)

    @cached_property
    def _child(self) -> list[int]:
        """For each element: its number among the children of its parent."""
        return _numbers(self._elements.parent + 1)

    @cached_property
    def _short(self) -> list[str]:
        """For each element: how it is named by its number."""
        numbered = enumerate(zip(self._tag, _numbers(self._kind), strict=True), 1)
        return [
            f"(//{tag})[{number}]" if _is_plain(tag) else f"(//*)[{row}]" for row, (tag, number) in checked(numbered)
        ]

    def _ordinal(self, leaf: int) -> int:
        """Which text child of its element a text leaf is, from 1."""
        numbers, counts = self._places
        row = self._holder[leaf]
        if row not in self._ordinals:
            self._ordinals[row] = self._elements.text_ordinals(row)
        found = self._ordinals[row]
        # In a template, and where the parser has moved texts, elements and their leaves differ.
        return found[numbers[leaf] - 1] if len(found) == counts[row] else self._all_ordinals[leaf]

    @cached_property
    def _places(self) -> tuple[list[int], list[int]]:
        """For each leaf its number among the texts of its element, and for each element how many it has."""
        leaves = self._document.leaves
        element = np.where(leaves.is_media, len(self._tag), leaves.element)
        return _numbers(element), np.bincount(element, minlength=len(self._tag)).tolist()

    @cached_property
    def _all_ordinals(self) -> dict[int, int]:
        """The ordinals of all text leaves, by a walk over the page."""
        texts = places(~self._document.leaves.is_media).tolist()
        return dict(zip(texts, parse.all_text_ordinals(self._document.tree), strict=True))


def _numbers(group: Ints) -> list[int]:
    """For each row: its number, from 1, among the rows of its group."""
    order = np.argsort(group, kind="stable")
    begins = np.append(True, np.diff(group[order]) != 0)
    rows = np.arange(len(order))
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = rows - np.maximum.accumulate(np.where(begins[: len(order)], rows, 0)) + 1
    return numbers.tolist()
