"""The place of a leaf in the page, as an XPath and as a path of tags."""

from __future__ import annotations

import re

from tamis.document import parse
from tamis.document.table import Document

# A deeper element is named by its number among those of its tag, which is valid XPath, too. Paths from the root would
# grow with the square of the depth.
_DEEPEST = 200

# Other names, such as the o:p of Word, are not valid in an XPath without a declaration.
_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class Paths:
    """The paths of all leaves of a document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        elements = document.elements
        among_siblings: dict[tuple[int, str], int] = {}
        among_all: dict[str, int] = {}
        children: dict[int, int] = {}
        self._steps: list[str] = []
        self._short: list[str] = []
        for tag, parent in zip(elements.tag, elements.parent.tolist(), strict=True):
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
        return self._element(int(self._document.leaves.element[leaf])) + self._text_step[leaf]

    def tag_path(self, leaf: int) -> str:
        """The tags from the root to the leaf's element, such as html/body/div/p."""
        row = int(self._document.leaves.element[leaf])
        if self._document.elements.depth[row] > _DEEPEST:
            return f".../{self._document.elements.tag[row]}"
        return "/".join(self._document.tag_path(row))

    def _element(self, row: int) -> str:
        elements = self._document.elements
        if elements.depth[row] > _DEEPEST:
            return self._short[row]
        return "/" + "/".join([self._steps[ancestor] for ancestor in elements.ancestors(row)][::-1])
