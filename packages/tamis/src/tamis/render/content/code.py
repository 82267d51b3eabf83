"""Blocks of code: <pre>, and the elements that highlighters and editors write instead of it.

A table with a column of line numbers is one block. `code` around `pre` is the block, `code` with line breaks and
no other text in its paragraph is one, and so is an element with `white-space: pre`. Left out are the additions of
highlighters: line numbers, buttons, prompts, titles and labels.

Languages are written as the page writes them, in lower case, but for a few names that no highlighter of Markdown knows
(`ipython3`, `c++`, `css-scss`). A block of plain text (`plaintext`, `none`, `highlight-default`) has no language.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping
from importlib.resources import files
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from tamis.arrays import places
from tamis.cached import cached_property
from tamis.document import parse, tags
from tamis.render.content import Child, Node
from tamis.render.content.source import Marks, PageSource

_TABLE: Mapping[str, Any] = json.loads(files("tamis.render.content").joinpath("code.json").read_text(encoding="utf-8"))
_KNOWN = frozenset(_TABLE["languages"])
_ALIASES: Mapping[str, str] = _TABLE["aliases"]
_NONE = frozenset(_TABLE["none"])
_NATURAL = frozenset(_TABLE["natural"])  # `lang` has the codes of human languages, too
_PREFIXES = tuple(_TABLE["prefixes"])
_MARKERS = frozenset(_TABLE["markers"])
_ATTRIBUTES = tuple(_TABLE["attributes"])
_PARAMETERS = tuple(_TABLE["parameters"])

# Other characters could end the line of a fence.
_NAME = re.compile(r"[a-z0-9_+#.\-]{1,40}")
# How many elements of a block, and how many above it, are asked for its language.
_INSIDE = 24
_ABOVE = 3
_MOST_CODE = 8  # of each tag: a column of line numbers may come first
_CODE_TAGS = ("pre", "code", "listing", "xmp")
_LONGEST_CLASS = 1_000
_VAGUE = ("highlight-", "src-", "hl-")  # what follows may be anything


def language(source: PageSource, row: int) -> str:
    """The language of the block of code in an element; empty if it is not known."""
    end = int(source.elements.end[row])
    inner = [place for place in range(row, min(end, row + _INSIDE)) if place in source.nodes]
    code: list[int] = []
    for tag in _CODE_TAGS:
        rows = source.tagged(tag)
        first = bisect_left(rows, row)
        code += [place for place in rows[first : first + _MOST_CODE] if place < end]
    # The innermost says it best: a wrapper may be named for the page.
    for place in sorted(code)[::-1]:
        if (found := _own_language(source, place, is_code=True)) is not None:
            return found
    for place in inner:
        if (
            source.tag(place) not in ("span", *_CODE_TAGS)
            and (found := _own_language(source, place, is_code=False)) is not None
        ):
            return found
    above = int(source.elements.parent[row])
    for _ in range(_ABOVE):
        if above >= 0 and (found := _own_language(source, above, is_code=source.tag(above) in _CODE_TAGS)) is not None:
            return found
        above = int(source.elements.parent[above]) if above >= 0 else -1
    return ""


def known_language(name: str) -> str:
    """The language of this name, if it is a known one; else empty."""
    name = name.strip().lower()
    named = _ALIASES.get(name, name)
    return named if named in _KNOWN else ""


def _own_language(source: PageSource, row: int, *, is_code: bool) -> str | None:
    """The language that one element names, empty for plain text. Elements other than code name known ones only."""
    attributes = dict(parse.attributes(source.nodes[row]))  # one by one they would be slow to ask for
    if not attributes:
        return None
    words = attributes.get("class", "")[:_LONGEST_CLASS].split()
    for prefix in _PREFIXES:
        for place, word in enumerate(words):
            if not word.lower().startswith(prefix):
                continue
            name = word[len(prefix) :] or (words[place + 1] if place + 1 < len(words) else "")
            if (found := _named(name, any_name=is_code and prefix not in _VAGUE)) is not None:
                return found
    for attribute in _ATTRIBUTES:
        if (value := attributes.get(attribute)) and (found := _named(value, any_name=is_code)) is not None:
            return found
    for attribute in _PARAMETERS:
        value = attributes.get(attribute, "")[:_LONGEST_CLASS]
        if "brush:" in value and (found := _named(value.split("brush:")[1].split(";")[0])) is not None:
            return found
    if is_code or not _MARKERS.isdisjoint(words):
        for word in words:
            if word not in _MARKERS and (found := _named(word)):
                return found
    value = attributes.get("lang") if is_code else None
    return (_named(value) or None) if value and value.lower() not in _NATURAL else None


def _named(name: str, *, any_name: bool = False) -> str | None:
    """The language of this name; empty for plain text, None for other words."""
    name = name.strip(" ;,").lower()
    name = _ALIASES.get(name, name)
    if name in _NONE:
        return ""
    is_known = name in _KNOWN or name.split("+")[0] in _KNOWN  # html+jinja
    return name if (is_known or any_name) and _NAME.fullmatch(name) else None


_GUTTERS = frozenset(_TABLE["gutters"])
_TOOLS = frozenset(_TABLE["tools"])
_TITLES = frozenset(_TABLE["titles"])
_UNSELECTABLE = frozenset(_TABLE["unselectable"])
_LINES = frozenset(_TABLE["lines"])

_NO_CODE_TAGS = tags.CODE | {"button", "select", "textarea", "clipboard-copy", "template", "svg"}
_IS_TABLE_TAG = tags.lookup("table", "thead", "tbody", "tfoot", "tr", "ol", "ul")  # white space in them is not shown
# Each of these begins on a line of its own. The cells of a row are one line.
_LINE_TAGS = tags.BLOCK - {"td", "th", "tbody", "thead", "tfoot", "col", "colgroup", "button", "select", "textarea"}
_IS_LINE_TAG = tags.lookup(*_LINE_TAGS)

# Line numbers, and the signs of added and removed lines beside them.
_NUMBERS = re.compile(r"[\s0-9.:|+\-]*")
_NO_SELECT = re.compile(r"user-select:\s*none")
_BLOCK_STYLE = re.compile(r"display:\s*block")
_LINE_END = "\r"  # of a <br>; parsers read no other
_SPACE = re.compile(r"[ \t\n]+")
# Prompts and marks that can't be selected are short.
_LONGEST_MARK = 16
# Attributes that may hide an element or put it on a line of its own, besides tags and classes.
_MARKED = (
    ":is([style*=display][style*=block], [style*=user-select][style*=none], [aria-hidden], [data-line-number], "
    "clipboard-copy)"
)
_MARKING = _GUTTERS | _TOOLS | _TITLES | _UNSELECTABLE


class Code(NamedTuple):
    """A block of code."""

    code: str
    titles: list[str]  # the names of files in the same element


def code_of(source: PageSource, row: int, *, folds: bool = False) -> Code:
    """The code in an element. `folds`: its lines end in <br>, and white space is shown as in prose."""
    leaves, end = source.leaves_in(row), int(source.elements.end[row])
    titles: list[str] = []
    is_one = len(leaves) == 1 and not source.leaves.gap[leaves[0]] and not source.leaves.is_media[leaves[0]]
    if is_one and (end == row + 1 or (end == row + 2 and source.tag(row + 1) == "code")):
        raw = source.leaves.text[leaves[0]]
    elif _is_coloured(source, row, leaves):
        raw = source.elements.source(row)
    else:
        reader = _CodeReader(source, row)
        raw, titles = reader.read(), reader.titles
    if folds:
        code = "\n".join(line.strip(" ") for line in _SPACE.sub(" ", raw).split(_LINE_END))
    else:
        breaks = raw.count(_LINE_END)
        # Written by a program that breaks each line twice.
        if breaks > 1 and breaks == raw.count("\n") == raw.count(_LINE_END + "\n"):
            raw = raw.replace("\n", "")
        code = raw.replace(_LINE_END, "\n")
    code = code.replace("\xa0", " ").replace("\u200b", "").replace("\ufeff", "")
    lines = ["" if line.isspace() else line for line in code.splitlines()]
    return Code("\n".join(lines).strip("\n").rstrip(), titles)


def _is_coloured(source: PageSource, row: int, leaves: range) -> bool:
    """Is an element only text in elements that colour it, as most are? Its source then is the code."""
    elements = source.elements
    end = int(elements.end[row])
    if (elements.code[row + 1 : end] != tags.OTHER).any() or not source.shown[leaves.start : leaves.stop].all():
        return False
    inside, marked = elements.all_nodes[row + 1 : end], source.selected(_MARKED)
    if marked and not marked.isdisjoint(inside):
        return False
    values = [node.attr("class") or "" for node in inside]
    names = {name for value in set(values) for name in value.split()}
    if _LINES.isdisjoint(names) or not _MARKING.isdisjoint(names):
        return _MARKING.isdisjoint(names)
    lines = [line for line, value in enumerate(values, row + 1) if not _LINES.isdisjoint(value.split())]
    for line, after in pairwise(lines):
        node = elements.all_nodes[line]
        behind = node.next_sibling
        ends_line = (isinstance(behind, parse.Text) and "\n" in behind.data) or "\n" in node.text
        if elements.end[line] > after or not ends_line:
            return False
    return True


class _CodeReader:
    """Reads one block of code."""

    def __init__(self, source: PageSource, row: int) -> None:
        self._source, self._row = source, row
        self._leaves = source.leaves_in(row)
        self._lines_in: dict[int, bool] = {}
        self.titles: list[str] = []

    def read(self) -> str:
        source, end_of = self._source, self._source.elements.end
        parts: list[str] = []
        breaks = 0  # how many lines have ended
        at_start = True  # of a line
        skipped = skipped_to = 0  # the element that is not code, and its end
        blocks: list[tuple[int, int]] = []  # open ones, with their ends
        ended = False  # a block has ended on this line
        space_after = ""  # a gutter or a prompt
        last: dict[int, tuple[str, int]] = {}  # by parent: the kind of its last line, and how many had ended before
        for row, node in source.content(self._row):
            if skipped <= row < skipped_to:
                continue
            while blocks and not blocks[-1][0] <= row < blocks[-1][1]:
                blocks.pop()
                ended = True
            if not isinstance(node, str):
                tag = node.tag
                if tag == "br":
                    parts.append("\n" + _LINE_END if ended and not at_start else _LINE_END)
                    breaks, at_start, ended = breaks + 1, True, False
                    continue
                names = (node.attr("class") or "").split()
                if self._is_no_code(row, node, names):
                    skipped, skipped_to = row, int(end_of[row])
                    space_after = "" if not at_start else "\xa0" if self._is_number(row) else " \xa0"
                    continue
                is_block = tag in _LINE_TAGS or bool(_BLOCK_STYLE.search(node.attr("style") or ""))
                if not is_block and _LINES.isdisjoint(names):
                    continue
                parent, kind = int(source.elements.parent[row]), tag
                if names and tag not in ("li", "tr"):
                    kind += " " + names[0].rstrip("0123456789")
                if (is_block and not at_start) or last.get(parent) == (kind, breaks):
                    parts.append("\n")
                    breaks, at_start, ended = breaks + 1, True, False
                last[parent] = kind, breaks
                if is_block:
                    blocks.append((row, int(end_of[row])))
                continue
            text = node
            if not self._holders.get(row, True) or (text.isspace() and self._is_between_lines(row)):
                continue
            if space_after and text[0] in space_after:
                text = text[1:]
            space_after = ""
            if not text:
                continue
            if ended and not at_start:
                parts.append("\n")
                breaks += 1
            ended = False
            parts.append(text)
            breaks += text.count("\n")
            at_start = text.endswith("\n")
        return "".join(parts)

    def _is_no_code(self, row: int, node: parse.Element, names: list[str]) -> bool:
        source, tag = self._source, node.tag
        if tag in _NO_CODE_TAGS or not _TOOLS.isdisjoint(names):
            return True
        if (
            "error" in names
            and (after := parse.neighbours(node)[1])
            and "error-behind" in (after.attr("class") or "").split()
        ):
            return True  # what TypeScript says about a line is shown twice, over it and below it
        if tag in ("caption", "figcaption") or not _TITLES.isdisjoint(names):
            self.titles.append(" ".join(source.text(row).split()))
            return True
        if not _GUTTERS.isdisjoint(names) and self._is_number(row):
            return True
        number = node.attr("data-line-number")
        if number is not None and self._is_short(row) and source.text(row).strip() in ("", number.strip()):
            return True
        if tag == "a":
            # A link whose text is the number of a line, which is its own target.
            targets, line = [node.attr(name) or "" for name in ("href", "id", "name")], source.text(row).strip()
            is_own = targets[0][:1] in ("", "#") and any(target.endswith(line) for target in targets)
            return self._is_short(row) and line.isascii() and line.isdigit() and is_own
        if (
            node.attr("aria-hidden") == "true"
            or not _UNSELECTABLE.isdisjoint(names)
            or _NO_SELECT.search(node.attr("style") or "")
        ):
            return self._is_short(row)
        parent, end = int(source.elements.parent[row]), source.elements.end
        is_first = tag in ("td", "th") and row == parent + 1 and bool(end[row] < end[parent])  # of several cells
        return is_first and self._is_number(row) and ascending(source.text(row))

    def _is_number(self, row: int) -> bool:
        """Does an element hold nothing but numbers?"""
        inside, first = self._source.leaves_in(row), self._leaves.start
        return not inside or self._words_before[inside.stop - first] == self._words_before[inside.start - first]

    @cached_property
    def _words_before(self) -> list[int]:
        """How many leaves before each one are not line numbers."""
        texts = self._source.leaves.text
        return [0, *accumulate(not _NUMBERS.fullmatch(texts[leaf]) for leaf in self._leaves)]

    def _is_short(self, row: int) -> bool:
        inside = self._source.leaves_in(row)
        return len(inside) < 4 and sum(len(self._source.leaves.text[leaf]) for leaf in inside) <= _LONGEST_MARK

    @cached_property
    def _holders(self) -> Mapping[int, bool]:
        """The elements that hold a text of their own; is it shown or kept?"""
        first, last = self._leaves.start, self._leaves.stop
        holders, shown = self._source.leaves.element[first:last], self._source.shown[first:last]
        return dict(zip(holders.tolist(), shown.tolist(), strict=True))

    def _is_between_lines(self, row: int) -> bool:
        """Is white space in this element only between the elements of lines?"""
        if row in self._holders:
            return False
        if row not in self._lines_in:
            source, code = self._source, self._source.elements.code
            is_line = {child: bool(_IS_LINE_TAG[code[child]]) for child in source.children(row)}
            others = (child for child, is_one in is_line.items() if not is_one)
            self._lines_in[row] = bool(_IS_TABLE_TAG[code[row]]) or (
                any(is_line.values()) and not any(source.leaves_in(child) for child in others)
            )
        return self._lines_in[row]


def ascending(text: str) -> bool:
    """Are these the numbers of lines, each one more than the one before?"""
    words = text.split()
    numbers = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 7]
    return 0 < len(numbers) == len(words) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


_PRE = ("pre", "listing", "xmp", "plaintext")
_CONTAINERS = tuple(_TABLE["containers"])
_CELLS = tuple(_TABLE["cells"])
_LABELS = tuple(_TABLE["labels"])
_INLINE = frozenset({"b", "code", "em", "font", "i", "kbd", "samp", "span", "strong", "tt"})
# An element with one of these in it is not code, whatever its style says.
_IS_PROSE = tags.lookup(*tags.HEADINGS, "img", "picture", "blockquote", "iframe", "video", "figure")
_BR = tags.CODES["br"]

_PRE_STYLE = re.compile(r"white-space:\s*(pre(?:-wrap)?)(?![\w-])")
_FIXED_FONT = re.compile(r"font-family:[^;]*(?:mono|courier|consolas|menlo)", re.IGNORECASE)
_STYLED = frozenset({"div", "p", "span", "code", "td", "section"})
# How far above a block we look for its table, and for elements that only hold the block.
_LEVELS = 6
# The bar above a block: its name, its language, its buttons.
_MOST_BAR_LEAVES = 4
_BAR_TAGS = ("div", "span", "small")
_BAR_LEVELS = 3


def code_blocks(source: PageSource) -> Marks | None:
    """The blocks of code of a page."""
    candidates = _candidates(source)
    if not candidates:
        return None
    finder = _CodeFinder(source)
    for row in sorted(candidates):
        finder.add(row, candidates[row])
    return finder.marks


def _candidates(source: PageSource) -> dict[int, str]:
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

    def __init__(self, source: PageSource) -> None:
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
        for rows in (source.classes.get(label, []) for label in _LABELS):
            place = bisect_left(rows, block)
            if place < len(rows) and rows[place] < source.elements.end[block]:
                return known_language(source.text(rows[place]))
        inner = source.leaves_in(block)
        for _ in range(_BAR_LEVELS):
            above = int(source.elements.parent[above])
            if above < 0 or source.tag(above) in ("body", "article", "main", "td", "li"):
                break
            around = source.leaves_in(above)
            if len(around) - len(inner) > _MOST_BAR_LEAVES:
                break
            for leaf in (*range(around.start, inner.start), *range(inner.stop, around.stop)):
                holder, label = int(source.leaves.element[leaf]), known_language(source.leaves.text[leaf])
                if not label or source.tag(holder) not in _BAR_TAGS or len(source.leaves_in(holder)) != 1:
                    continue
                if name in ("", label) or known_language(name) == label:
                    self.marks.skipped.add(holder)
                    return label
        return ""
