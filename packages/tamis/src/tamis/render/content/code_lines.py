"""The lines of a block of code and its language.

Left out are the additions of highlighters: line numbers, buttons, prompts, titles. Languages are written as
the page writes them, in lower case, but for a few names that no highlighter of Markdown knows (`ipython3`, `c++`,
`css-scss`). A block of plain text (`plaintext`, `none`, `highlight-default`) has no language.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping
from importlib.resources import files
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from tamis.cached import cached_property
from tamis.document import parse, tags
from tamis.render.content.source import Source

TABLE: Mapping[str, Any] = json.loads(files("tamis.render.content").joinpath("code.json").read_text(encoding="utf-8"))
_KNOWN = frozenset(TABLE["languages"])
_ALIASES: Mapping[str, str] = TABLE["aliases"]
_NONE = frozenset(TABLE["none"])
_NATURAL = frozenset(TABLE["natural"])  # `lang` has the codes of human languages, too
_PREFIXES = tuple(TABLE["prefixes"])
_MARKERS = frozenset(TABLE["markers"])
_ATTRIBUTES = tuple(TABLE["attributes"])
_PARAMETERS = tuple(TABLE["parameters"])

# Other characters could end the line of a fence.
_NAME = re.compile(r"[a-z0-9_+#.\-]{1,40}")
# How many elements of a block, and how many above it, are asked for its language.
_INSIDE = 24
_ABOVE = 3
_MOST_CODE = 8  # of each tag: a column of line numbers may come first
_CODE_TAGS = ("pre", "code", "listing", "xmp")
_LONGEST_CLASS = 1_000
_VAGUE = ("highlight-", "src-", "hl-")  # what follows may be anything


def language(source: Source, row: int) -> str:
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
        if (found := _own(source, place, is_code=True)) is not None:
            return found
    for place in inner:
        if source.tag(place) not in ("span", *_CODE_TAGS) and (found := _own(source, place, is_code=False)) is not None:
            return found
    above = int(source.elements.parent[row])
    for _ in range(_ABOVE):
        if above >= 0 and (found := _own(source, above, is_code=source.tag(above) in _CODE_TAGS)) is not None:
            return found
        above = int(source.elements.parent[above]) if above >= 0 else -1
    return ""


def known(name: str) -> str:
    """The language of this name, if it is a known one; else empty."""
    name = name.strip().lower()
    named = _ALIASES.get(name, name)
    return named if named in _KNOWN else ""


def _own(source: Source, row: int, *, is_code: bool) -> str | None:
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


_GUTTERS = frozenset(TABLE["gutters"])
_TOOLS = frozenset(TABLE["tools"])
_TITLES = frozenset(TABLE["titles"])
_UNSELECTABLE = frozenset(TABLE["unselectable"])
_LINES = frozenset(TABLE["lines"])

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
# What may hide an element or put it on a line of its own, beside tags and classes.
_MARKED = (
    ":is([style*=display][style*=block], [style*=user-select][style*=none], [aria-hidden], [data-line-number], "
    "clipboard-copy)"
)
_MARKING = _GUTTERS | _TOOLS | _TITLES | _UNSELECTABLE


class Code(NamedTuple):
    """A block of code."""

    code: str
    titles: list[str]  # the names of files in the same element


def code_of(source: Source, row: int, *, folds: bool = False) -> Code:
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


def _is_coloured(source: Source, row: int, leaves: range) -> bool:
    """Is an element nothing but its text, in elements that colour it? So are most, and there is nothing to read."""
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

    def __init__(self, source: Source, row: int) -> None:
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
            and (after := parse.beside(node)[1])
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
