"""A page as methods read it that work on the source: tags and texts in the order in which they are written.

The sequence is read from the tree, so that two ways to write the same page get the same answer: an end tag that the
source omits is there, a comment is not. Scripts and styles are left out with their tags, and so is text that nobody
sees, because all of these methods remove code first and none may keep such text.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Ints
from tamis.document import Document, Elements, parse, tags

# Elements without an end tag.
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())


@dataclass(frozen=True, eq=False)
class Pieces:
    """The tags and texts of a page in their order. A text of several lines is one piece a line."""

    size: Ints  # characters; white space of texts is folded
    line: Ints  # of the source, counted by the line breaks in texts
    leaf: Ints  # row of the leaf of a text; -1 for a tag
    is_link: Bools  # is it a start or end tag of a link?

    def __len__(self) -> int:
        return len(self.size)

    @property
    def is_tag(self) -> Bools:
        """Is it a tag? Everything else is text."""
        is_tag: Bools = self.leaf < 0
        return is_tag


def source_pieces(document: Document) -> Pieces:
    """Read the tags and texts of a page."""
    elements, leaves = document.elements, document.leaves
    size, line, leaf, is_link = list[int](), list[int](), list[int](), list[bool]()
    parent, visible, holders = elements.parent.tolist(), leaves.visible.tolist(), leaves.element.tolist()
    sizes = _end_sizes(elements)
    texts = [row for row, is_media in enumerate(leaves.is_media.tolist()) if not is_media]
    open_rows: list[int] = []
    here = next_text = 0

    def add_tag(row: int, characters: int) -> None:
        if characters:
            size.append(characters)
            line.append(here)
            leaf.append(-1)
            is_link.append(elements.code[row] == tags.CODES["a"])

    def close_to(row: int) -> None:
        while open_rows and open_rows[-1] != row:
            closed = open_rows.pop()
            add_tag(closed, sizes[closed])

    root = elements.all_nodes[0]
    open_rows.append(0)
    add_tag(0, _start_size(root))
    for row, node in parse.content(root):
        if not isinstance(node, str):
            close_to(parent[row])
            open_rows.append(row)
            add_tag(row, 0 if node.tag in tags.CODE else _start_size(node))
            continue
        close_to(row)
        if next_text == len(texts) or holders[texts[next_text]] != row or leaves.text[texts[next_text]] != node:
            here += node.count("\n")  # blank, or code
            continue
        place = texts[next_text]
        next_text += 1
        for number, part in enumerate(node.split("\n")):
            here += number > 0
            if visible[place] and (characters := len(" ".join(part.split()))):
                size.append(characters)
                line.append(here)
                leaf.append(place)
                is_link.append(False)
    close_to(-1)
    return Pieces(np.array(size, np.int64), np.array(line, np.int64), np.array(leaf, np.int64), np.array(is_link, bool))


def _start_size(node: parse.Element) -> int:
    """The characters of a start tag, its attributes written with quotes."""
    return len(node.tag) + 2 + sum(len(name) + len(value) + 4 for name, value in parse.attributes(node))


def _end_sizes(elements: Elements) -> list[int]:
    """The characters of the end tag of each element; 0 where there is none, or where it ends code."""
    return [0 if name in VOID or name in tags.CODE else len(name) + 3 for name in elements.tag]
