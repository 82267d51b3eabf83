"""The place of a leaf in the page, as an XPath and as a path of tags."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

from tamis.deadline import checked
from tamis.document import parse
from tamis.document.table import Document

# A deeper element is named by its number among those of its tag, which is valid XPath, too. Paths from the root would
# grow with the square of the depth.
_DEEPEST = 200

# Other names, such as the o:p of Word, are not valid in an XPath without a declaration.
_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class _Path(NamedTuple):
    row: int
    end: int
    xpath: str
    tags: str


class Paths:
    """The paths of all leaves of a document."""

    def __init__(self, document: Document) -> None:
        self._elements = elements = document.elements
        self._element, self._depth = document.leaves.element.tolist(), elements.depth.tolist()
        self._open = [_Path(-1, len(elements), "", "")]  # above the last element; the first is above all
        among_siblings: dict[tuple[int, str], int] = {}
        among_all: dict[str, int] = {}
        children: dict[int, int] = {}
        self._steps: list[str] = []
        self._short: list[str] = []
        for tag, parent in checked(zip(elements.tag, elements.parent.tolist(), strict=True)):
            position = among_siblings[parent, tag] = among_siblings.get((parent, tag), 0) + 1
            number = among_all[tag] = among_all.get(tag, 0) + 1
            child = children[parent] = children.get(parent, 0) + 1
            plain = _PLAIN_NAME.fullmatch(tag) is not None
            self._steps.append(f"{tag}[{position}]" if plain else f"*[{child}]")
            self._short.append(f"(//{tag})[{number}]" if plain else f"(//*)[{len(self._short) + 1}]")
        ordinals = iter(parse.text_ordinals(document.tree))
        self._text_step = ["" if media else f"/text()[{next(ordinals)}]" for media in document.leaves.is_media]

    def xpath(self, leaf: int) -> str:
        """The XPath of a leaf: a text node or a media element."""
        row = self._element[leaf]
        path = self._short[row] if self._depth[row] > _DEEPEST else self._around(row).xpath
        return path + self._text_step[leaf]

    def tag_path(self, leaf: int) -> str:
        """The tags from the root to the leaf's element, such as html/body/div/p."""
        row = self._element[leaf]
        if self._depth[row] > _DEEPEST:
            return f".../{self._elements.tag[row]}"
        return self._around(row).tags

    def _around(self, row: int) -> _Path:
        """The path of an element. Those above the last one are kept, so that leaves in order take linear time."""
        elements, opened = self._elements, self._open
        if opened[-1].row == row:
            return opened[-1]
        while not opened[-1].row <= row < opened[-1].end:
            opened.pop()
        missing = list(takewhile(opened[-1].row.__ne__, elements.ancestors(row)))
        for each in reversed(missing):
            above, tag = opened[-1], elements.tag[each]
            tags = f"{above.tags}/{tag}" if above.tags else tag
            opened.append(_Path(each, int(elements.end[each]), f"{above.xpath}/{self._steps[each]}", tags))
        return opened[-1]
