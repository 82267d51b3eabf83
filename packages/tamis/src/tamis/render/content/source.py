"""The kept part of a page as recognisers read it (`PageSource`), and what they answer (`Marks`)."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tamis.arrays import Bools, Ints, places
from tamis.cached import cached_property
from tamis.document import Document, parse, tags
from tamis.render.content import Child, Node
from tamis.render.layout import table_codes
from tamis.render.safe import safe_url

# Names of scripts that draw formulas or hold one.
_DRAWERS = ("mathjax", "katex", "tex-mml", "math/tex")

TEX_CLASSES = frozenset({"latex", "tex", "math", "mathtex", "mwe-math-fallback-image-inline",
                         "mwe-math-fallback-image-display"})  # fmt: skip

# Trees are read by recursion. Deeper elements are read as their text.
_DEEPEST = 60

_IS_CELL = tags.lookup("td", "th")
_IS_ROW = tags.lookup("tr")
_IS_VOID = tags.lookup("br", "hr")


# Marks where a line may be broken. In scripts of South-East Asia some divide words and stay.
_UNSEEN = re.compile("[\u00ad\u2060\ufeff]|(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b")

# Characters: the base's, times the elements that could hold a link.
_MOST_REPEATED = 20_000_000


def folded(text: str) -> str:
    """A text with its white space folded, and without invisible marks."""
    if text.isprintable() and "  " not in text:  # as most texts are; the only white space in them is the space
        return text
    inner = without_invisible_marks(" ".join(text.split()))
    before, after = " " if text[:1].isspace() else "", " " if text[-1:].isspace() else ""
    return f"{before}{inner}{after}" if inner else before or after


def without_invisible_marks(text: str) -> str:
    """A text without invisible marks."""
    return text if text.isprintable() else _UNSEEN.sub("", text)


def base_url(document: Document) -> str | None:
    """The base of relative links: the page's <base>, which is itself relative to its URL, or else its URL.

    None if it is so long that the links of this page would fill the memory; then they stay relative.
    """
    urls = (safe_url(node.attr("href"), document.url) for node in parse.select(document.tree, "base"))
    base = next(filter(None, urls), document.url)
    return base if base and len(base) * len(document.elements) <= _MOST_REPEATED else None


class PageSource:
    """Elements that hold kept leaves, by tag and by class, and their content."""

    def __init__(self, document: Document, keep: Bools, *, for_text: bool = False) -> None:
        self.document, self.keep = document, keep
        self.for_text = for_text  # plain text shows no languages of code
        self.elements, self.leaves = document.elements, document.leaves
        self._tagged: dict[str, list[int]] = {}
        self._selected: dict[str, frozenset[parse.Element]] = {}

    @cached_property
    def kept(self) -> Ints:
        """The kept leaves."""
        return places(self.keep)

    @cached_property
    def base(self) -> str | None:
        """The base of relative links."""
        return base_url(self.document)

    @cached_property
    def holds(self) -> Bools:
        """For each element: does it hold a kept leaf?"""
        held = np.bincount(self.leaves.element.take(self.kept), minlength=len(self.elements))
        holds: Bools = self.elements.sums(held) > 0
        return holds

    @cached_property
    def shown(self) -> Bools:
        """For each leaf: can a reader see it, or is it kept?"""
        return self.leaves.visible | self.leaves.folded | self.keep

    @cached_property
    def needed(self) -> Bools:
        """For each element: does it hold a kept leaf, is it an empty cell, or a <br> or <hr> between kept leaves?"""
        elements, leaves = self.elements, self.leaves
        needed = self.holds.copy()
        # Empty cells stay, so that those after them stay in their columns.
        code = table_codes(elements)
        cells = places(_IS_CELL.take(code))
        above = elements.parent.take(cells)
        needed[cells[_IS_ROW.take(code.take(above)) & needed.take(above)]] = True
        # A <br> or <hr> stays if the shown leaves before and after it are kept.
        shown = places(leaves.is_visible_text | self.keep)
        is_kept = np.zeros(len(shown) + 2, dtype=np.bool_)  # the outer two: before the first and after the last leaf
        is_kept[1:-1] = self.keep.take(shown)
        voids = places(_IS_VOID.take(elements.code))
        after = leaves.opened.take(shown).searchsorted(voids)
        needed[voids[is_kept.take(after) & is_kept.take(after + 1)]] = True
        return needed

    @property
    def _needed(self) -> Bools:
        return self.holds if self.for_text else self.needed

    @cached_property
    def nodes(self) -> dict[int, parse.Element]:
        """The parser's elements that are needed, by row, in document order."""
        return dict(zip(places(self._needed).tolist(), self.elements.nodes(self._needed), strict=True))

    def tagged(self, tag: str) -> list[int]:
        """The rows of the needed elements with this tag."""
        if tag not in self._tagged:
            rows, nodes = [], self.elements.all_nodes
            if self.elements.has(tag):
                rows = places((self.elements.code == tags.CODES.get(tag, tags.OTHER)) & self._needed).tolist()
            self._tagged[tag] = rows if tag in tags.CODES else [row for row in rows if nodes[row].tag == tag]
        return self._tagged[tag]

    @cached_property
    def classes(self) -> dict[str, list[int]]:
        """The rows of each class, of needed elements. Class names are as written."""
        by_value: dict[str | None, list[int]] = {}  # most elements share their class attribute with others
        for row, node in self.nodes.items():
            value = node.attr("class")
            if value in by_value:
                by_value[value].append(row)
            else:
                by_value[value] = [row]
        found: dict[str, list[int]] = {}
        for value, rows in by_value.items():
            for name in (value or "").split():
                found.setdefault(name, []).extend(rows)
        for rows in found.values():
            rows.sort()
        return found

    def selected(self, selector: str) -> frozenset[parse.Element]:
        """The elements of the page that a CSS selector matches; the parser is asked once."""
        if selector not in self._selected:
            self._selected[selector] = frozenset(parse.select(self.document.tree, selector))
        return self._selected[selector]

    def tag(self, row: int) -> str:
        """The tag of any element."""
        return self.elements.all_nodes[row].tag

    def attribute(self, row: int, name: str) -> str | None:
        """An attribute of any element."""
        return self.elements.all_nodes[row].attr(name)

    def class_names(self, row: int) -> list[str]:
        """The classes of any element."""
        return (self.attribute(row, "class") or "").split()

    def children(self, row: int) -> list[int]:
        """The rows of the child elements."""
        found, child, end = [], row + 1, int(self.elements.end[row])
        while child < end:
            found.append(child)
            child = int(self.elements.end[child])
        return found

    def leaves_in(self, row: int) -> range:
        """All leaves in an element, kept or not, shown or not; media count once."""
        opened, elements = self._columns
        first, last = bisect_left(opened, row), bisect_left(opened, int(self.elements.end[row]))
        while first < last and elements[last - 1] < row:  # text behind the element, before another one is opened
            last -= 1
        return range(first, last)

    @cached_property
    def _columns(self) -> tuple[list[int], list[int]]:
        """The last element that was opened before each leaf, and the one that holds it."""
        return self.leaves.opened.tolist(), self.leaves.element.tolist()

    def text(self, row: int) -> str:
        """All text in an element as it is written, shown or not, with the white space between texts."""
        leaves, gaps, texts = self.leaves_in(row), self.leaves.gap, self.leaves.text
        return "".join([gaps[leaf] + texts[leaf] if leaf > leaves.start else texts[leaf] for leaf in leaves])

    def content(self, row: int) -> Iterator[tuple[int, parse.Element | str]]:
        """All below a needed element as it is, white space too: elements with their rows, texts with their holders."""
        return ((row + place, each) for place, each in parse.content(self.elements.all_nodes[row]))

    def subtree(self, row: int, attributes: Sequence[str] = (), depth: int = 0) -> Node:
        """An element as a plain tree: tags as names, the wanted attributes, texts as they are, shown or not.

        Deeply nested elements are read as their text.
        """
        values = {name: value for name in attributes if (value := self.attribute(row, name)) is not None}
        node = Node(self.tag(row), values, row=row)
        if depth == _DEEPEST:
            node.children = [self.text(row)]
            return node
        opened, holders = self._columns
        content: list[tuple[int, int, Child]] = []  # by the element that was opened before
        for leaf in self.leaves_in(row):
            if holders[leaf] == row and not self.leaves.is_media[leaf]:
                content.append((opened[leaf], 1, self.leaves.gap[leaf] + self.leaves.text[leaf]))
        content += [(child, 0, self.subtree(child, attributes, depth + 1)) for child in self.children(row)]
        content.sort(key=lambda each: each[:2])
        node.children = [child for *_, child in content]
        return node


@dataclass
class Marks:
    """Findings about elements and leaves, by their rows in the document.

    Of a node without a name only the content is written.
    """

    replaced: dict[int, Node] = field(default_factory=dict)  # the node is written; the element's content is not read
    named: dict[int, Node] = field(default_factory=dict)  # its name and attributes are written, the content as usual
    skipped: set[int] = field(default_factory=set)  # elements that are not written
    text: dict[int, str] = field(default_factory=dict)  # plain text of a replaced element, if not that of its node
    trimmed: dict[int, str] = field(default_factory=dict)  # the rest of a leaf without a mark that is written elsewhere
    split: dict[int, list[Child]] = field(default_factory=dict)  # texts and nodes that are written for a leaf

    def __or__(self, other: Marks) -> Marks:
        """Both; where they differ, the left side."""
        return Marks(
            {**other.replaced, **self.replaced},
            {**other.named, **self.named},
            self.skipped | other.skipped,
            {**other.text, **self.text},
            {**other.trimmed, **self.trimmed},
            {**other.split, **self.split},
        )


Recogniser = Callable[[PageSource], Marks | None]


def find_marks(source: PageSource, recognisers: Sequence[Recogniser]) -> Marks:
    """The findings of all recognisers."""
    found = Marks()
    for recognise in recognisers:
        if more := recognise(source):
            found |= more
    return found


NAMES: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("names.json").read_text(encoding="utf-8"))


def has_formulas(document: Document, keep: Bools) -> bool:
    """May the kept part have formulas? A quick look."""
    elements, leaves = document.elements, document.leaves
    if elements.has("math", "mjx-container", "math-renderer") or any(names_tex(node) for node in elements.of_formulas):
        return True
    for row in leaves.element.take(places(keep & leaves.is_media)).tolist():
        image = elements.all_nodes[row]
        alt = image.attr("alt") or image.attr("title") or ""
        is_named = not TEX_CLASSES.isdisjoint((image.attr("class") or "").split())
        if alt and image.tag == "img" and (is_named or "\\" in alt or "^" in alt or alt[0] == "$"):
            return True
    return False


def names_tex(script: parse.Element) -> bool:
    """Does a script draw formulas, or hold one?"""
    says = " ".join(script.attr(name) or "" for name in ("src", "type", "id")).lower()
    return any(name in says for name in _DRAWERS)
