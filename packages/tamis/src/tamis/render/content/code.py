"""Blocks of code: <pre>, and the elements that highlighters and editors write instead of it.

A table with a column of line numbers is one block. `code` around `pre` is the block, `code` with line breaks and
no other text in its paragraph is one, and so is an element with `white-space: pre`. The label of a language next to a
block is skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from tamis.arrays import places
from tamis.document import tags
from tamis.render.content import Child, Node
from tamis.render.content.code_lines import TABLE, ascending, code_of, known, language
from tamis.render.content.source import Marks, Source

_PRE = ("pre", "listing", "xmp", "plaintext")
_CONTAINERS = tuple(TABLE["containers"])
_CELLS = tuple(TABLE["cells"])
_LABELS = tuple(TABLE["labels"])
_GUTTERS = frozenset(TABLE["gutters"])
_INLINE = frozenset({"b", "code", "em", "font", "i", "kbd", "samp", "span", "strong", "tt"})
# An element with one of these in it is not code, whatever its style says.
_IS_PROSE = tags.lookup(*tags.HEADINGS, "img", "picture", "blockquote", "iframe", "video", "figure")
_BR = tags.CODES["br"]

_PRE_STYLE = re.compile(r"white-space:\s*(pre(?:-wrap)?)(?![\w-])")
_FIXED_FONT = re.compile(r"font-family:[^;]*(?:mono|courier|consolas|menlo)", re.IGNORECASE)
_STYLED = frozenset({"div", "p", "span", "code", "td", "section"})
# How far above a block its table, and the elements that hold nothing else, are looked for.
_LEVELS = 6
# The bar above a block: its name, its language, its buttons.
_MOST_BAR_LEAVES = 4
_BAR_TAGS = ("div", "span", "small")
_BAR_LEVELS = 3


def code_blocks(source: Source) -> Marks | None:
    """The blocks of code of a page."""
    candidates = _candidates(source)
    if not candidates:
        return None
    finder = _CodeFinder(source)
    for row in sorted(candidates):
        finder.add(row, candidates[row])
    return finder.marks


def _candidates(source: Source) -> dict[int, str]:
    """The elements that may be blocks of code, with the reason."""
    elements, by_class = source.elements, source.classes
    found: dict[int, str] = {}
    for row, style in elements.styled:
        if "white-space" in style and _PRE_STYLE.search(style) and source.needed[row]:
            found[row] = "style"
    if elements.has("br") and elements.has("code"):
        has_break = elements.sums(elements.code == _BR) > 0
        rows = places(source.holds & has_break & (elements.code == tags.OTHER)).tolist()
        found |= {row: "br" for row in rows if source.tag(row) == "code"}
    for why, names in (("cell", _CELLS), ("container", _CONTAINERS)):
        for name in names:
            found |= dict.fromkeys(by_class.get(name, ()), why)
    for tag in _PRE:
        found |= dict.fromkeys(source.tagged(tag), "pre")
    return found


class _CodeFinder:
    """Collects the marks of a page, candidate by candidate in document order."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._end = 0  # of the last block
        self._tables: dict[int, bool] = {}  # is it a table of code?
        self.marks = Marks()

    def add(self, row: int, why: str) -> None:
        """Mark the block of one candidate, if it is one."""
        if row < self._end:
            return
        block, code, titles = self._block(row, why), "", list[str]()
        if block >= 0:
            code, titles = code_of(self._source, row if why == "br" else block, folds=why == "br")
        if not code or (why == "style" and not self._is_block(row, code)):
            if why == "pre":
                self.marks.named[row] = Node("div")
            return
        name = "" if self._source.for_text else language(self._source, block)
        label = self._label(block, name)
        pre = Node("pre", {"language": name or label} if name or label else {}, [code], block)
        if titles:
            content: list[Child] = [*(Node("p", {}, [title]) for title in titles), pre]
            self.marks.replaced[block] = Node("div", {}, content, block)
            self.marks.text[block] = "\n\n".join([*titles, code])
        else:
            self.marks.replaced[block] = pre
        self._end = int(self._source.elements.end[block])

    def _block(self, row: int, why: str) -> int:
        """The element to write as the block, or -1."""
        source = self._source
        if why == "container":
            has_lines = any("line" in source.class_names(child) for child in source.children(row)[:3])
            is_one = "fragment" not in source.class_names(row) or has_lines
            return row if is_one else -1
        if why == "br":
            return self._alone(row)
        if why == "style":
            return row
        if (table := self._code_table(row)) >= 0:
            return table
        if why == "cell":
            return -1
        if self._holds_prose(row):  # a <pre> around headings, pictures and the like, without lines of its own
            leaves = source.leaves
            if all(leaves.is_media[leaf] or leaves.block[leaf] != row for leaf in source.leaves_in(row)):
                return -1
        for _ in range(_LEVELS):
            above = int(source.elements.parent[row])
            if source.tag(above) not in _INLINE or source.leaves_in(above) != source.leaves_in(row):
                break
            row = above
        return row

    def _alone(self, row: int) -> int:
        """The block of a `code` with line breaks, which is alone in its paragraph; else -1."""
        source, above = self._source, int(self._source.elements.parent[row])
        while source.tag(above) in _INLINE and source.leaves_in(above) == source.leaves_in(row):
            row, above = above, int(source.elements.parent[above])
        if source.tag(above) not in ("p", "div", "li", "td", "dd", "figure", "section", "blockquote"):
            return -1
        if source.leaves_in(above) != source.leaves_in(row):
            return -1
        return above if source.tag(above) == "p" else row

    def _holds_prose(self, row: int) -> bool:
        elements = self._source.elements
        return bool(_IS_PROSE.take(elements.code[row : elements.end[row]]).any())

    def _is_block(self, row: int, code: str) -> bool:
        """Is an element with `white-space: pre` code?"""
        source = self._source
        tag, style = source.tag(row), source.attribute(row, "style") or ""
        if tag not in _STYLED or self._holds_prose(row):
            return False
        found = _PRE_STYLE.search(style)
        is_wrapped = found is not None and found[1] != "pre"  # editors set pre-wrap for prose
        is_fixed = tag == "code" or bool(_FIXED_FONT.search(style))
        if (is_wrapped or tag == "p") and not is_fixed:
            return False
        return "\n" in code or (is_fixed and tag == "div")

    def _code_table(self, row: int) -> int:
        """The table around that has a column of line numbers, else -1."""
        source = self._source
        if not source.elements.has("table"):
            return -1
        above, is_cell = row, False
        for _ in range(_LEVELS + 2):
            if source.tag(above) == "table":
                if above not in self._tables:
                    self._tables[above] = is_cell and self._has_gutter(above)
                return above if self._tables[above] else -1
            is_cell = is_cell or source.tag(above) in ("td", "th")
            above = int(source.elements.parent[above])
            if above < 0:
                break
        return -1

    def _has_gutter(self, table: int) -> bool:
        """Does each row of several cells begin with the number of a line?"""
        source = self._source
        rows = [row for row in range(table + 1, int(source.elements.end[table])) if source.tag(row) == "tr"]
        firsts = [cells[0] for cells in map(source.children, rows) if len(cells) > 1]
        if not firsts:
            return False
        if all(self._is_gutter(cell) for cell in firsts):
            return True
        return len(firsts) == 1 and ascending(source.text(firsts[0]))

    def _is_gutter(self, cell: int) -> bool:
        source = self._source
        for row in range(cell, min(int(source.elements.end[cell]), cell + 4)):
            if not _GUTTERS.isdisjoint(source.class_names(row)):
                return True
        return any(source.attribute(cell, name) is not None for name in ("data-line-number", "data-linenumber"))

    def _label(self, block: int, name: str) -> str:
        """The language that the bar of a block names. The label is skipped if it says only that."""
        source, above = self._source, block
        for label in _LABELS:
            rows = source.classes.get(label, [])
            place = bisect_left(rows, block)
            if place < len(rows) and rows[place] < source.elements.end[block]:
                return known(source.text(rows[place]))
        inner = source.leaves_in(block)
        for _ in range(_BAR_LEVELS):
            above = int(source.elements.parent[above])
            if above < 0 or source.tag(above) in ("body", "article", "main", "td", "li"):
                break
            around = source.leaves_in(above)
            if len(around) - len(inner) > _MOST_BAR_LEAVES:
                break
            for leaf in (*range(around.start, inner.start), *range(inner.stop, around.stop)):
                holder, label = int(source.leaves.element[leaf]), known(source.leaves.text[leaf])
                if not label or source.tag(holder) not in _BAR_TAGS or len(source.leaves_in(holder)) != 1:
                    continue
                if name in ("", label) or known(name) == label:
                    self.marks.skipped.add(holder)
                    return label
        return ""
