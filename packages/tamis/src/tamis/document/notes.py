"""Links to places on their page, and the footnotes that they refer to.

This module finds the links and their targets, and reads the names that publishing systems give to both; the kernel
decides which links refer to a note (kernel/notes.c).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, compress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from tamis.arrays import Bytes, Ints
from tamis.document import parse
from tamis.errors import TamisError
from tamis.kernel import FragmentTables, address, byref, library

if TYPE_CHECKING:
    from tamis.document.table import Document

_NAMES: Mapping[str, list[str]] = json.loads(Path(__file__).with_name("notes.json").read_text(encoding="utf-8"))
REFERENCES, NOTES, BACKS, OF_WORD, HIDDEN = (
    ", ".join(_NAMES[key]) for key in ("references", "notes", "backs", "word", "hidden")
)
# As in kernel/tamis.h.
_IS_REFERENCE = 1
_TO_NOTE = 2
_IS_BACK = 4
_TO_WORD = 8
_RAISED = 16
_BITS = {"references": _IS_REFERENCE, "notes": _TO_NOTE, "backs": _IS_BACK, "word": _TO_WORD}
_LONGEST = 80  # characters of a link that is a mark
_LONGEST_MARK = 32  # with brackets and points around it
# A page has notes only if a link shows a bracket, a sign, a label with a digit, or a letter or two.
_DIGIT = r"\d⁰¹²³⁴-⁹"
_AROUND = r"[\s\])}）］.:,;^\u200b\ufe0e\ufe0f]*+"
_MARK = re.compile(
    rf"{_AROUND}(?:(?=[^{_DIGIT}]*+[{_DIGIT}])[\w\s+.:-]++|[A-Za-z]\s*+[A-Za-z]?+|[ivxlc\s]++){_AROUND}$"
    r"|.*[\[({（［*†‡‖]",
    re.DOTALL,
)

_CLASS = re.compile(r"([a-z]*)\.([\w-]+)")
_ATTRIBUTE = re.compile(r"\[([\w-]+)(?:='([\w-]+)')?\]")
_ID = re.compile(r"\[id\^='([\w:-]+)'\]((?::not\(\[id\*='\w+'\]\))*)")


class _Rules:
    """The selectors of notes.json as tables: asking the parser for each of them would dominate the time."""

    def __init__(self) -> None:
        self.by_class: dict[str, list[tuple[str, int]]] = {}  # the tag, or empty for any, and the bit
        self.by_attribute: dict[str, dict[str, int]] = {}  # the bit by value, empty for any
        self.by_id: list[tuple[str, list[str], int]] = []  # the start of the id, what it must not contain, the bit
        for kind, bit in _BITS.items():
            for selector in _NAMES[kind]:
                self._add(selector, bit)
        # Few elements have any of these.
        self.classes = frozenset(self.by_class)
        self.any_attribute = ", ".join(f"[{name}]" for name in self.by_attribute)
        self.starts = tuple(start for start, *_ in self.by_id)

    def _add(self, selector: str, bit: int) -> None:
        if found := _CLASS.fullmatch(selector):
            self.by_class.setdefault(found[2], []).append((found[1], bit))
        elif found := _ATTRIBUTE.fullmatch(selector):
            self.by_attribute.setdefault(found[1], {})[found[2] or ""] = bit
        elif found := _ID.fullmatch(selector):
            self.by_id.append((found[1], re.findall(r"\*='(\w+)'", found[2]), bit))
        else:
            raise ValueError(f"notes.json: {selector}")

    def bits(self, node: parse.Element) -> int:
        """The bits that the names of one element tell."""
        found = _RAISED if node.tag == "sup" else 0
        names = (node.attr("class") or "").split()
        if not self.classes.isdisjoint(names):
            for tag, bit in chain.from_iterable(self.by_class.get(name, ()) for name in names):
                if tag in ("", node.tag):
                    found |= bit
        if node.matches(self.any_attribute):
            for attribute, values in self.by_attribute.items():
                if (value := node.attr(attribute)) is not None:
                    found |= values.get(value, 0) | values.get("", 0)
        if (name := node.attr("id") or "").startswith(self.starts):
            for start, others, bit in self.by_id:
                if name.startswith(start) and not any(other in name for other in others):
                    found |= bit
        return found


_RULES = _Rules()


@dataclass(frozen=True, eq=False)
class Fragments:
    """The links of a page to places on it; none unless one of them may be the mark of a note."""

    later: Mapping[
        int, int
    ]  # from the row of a link to the next element with the name that it leads to, else the first
    earlier: Mapping[int, int]  # to the last such element before the link, or -1
    references: Ints  # rows of the links that refer to a note, in document order
    notes: Ints  # the rows of those notes


_NONE = Fragments({}, {}, np.zeros(0, np.int64), np.zeros(0, np.int64))


def fragments_of(document: Document) -> Fragments:
    """The links of a page to places on it."""
    links = parse.select(document.tree, "a[href*='#']")
    if not any(map(_may_be_mark, links)):
        return _NONE
    short = [link for link in links if len(link.text) <= _LONGEST]
    names = {link: name for link in short if (name := (link.attr("href") or "").partition("#")[2])}
    named = _target_names(document, set(names.values()))
    known = set[str]().union(*named.values())
    names = {link: name for link, name in names.items() if name in known or unquote(name) in known}
    if not any(map(_may_be_mark, names)):
        return _NONE
    nodes = document.elements.all_nodes
    rows = list(compress(range(len(nodes)), map((names.keys() | named.keys()).__contains__, nodes)))
    targets: dict[str, list[int]] = {}
    for row in rows:
        for name in named.get(nodes[row], ()):
            targets.setdefault(name, []).append(row)
    found = list[tuple[int, int, int]]()
    for row in rows:
        name = names.get(nodes[row], "")
        if some := targets.get(name) or targets.get(unquote(name)):
            later, earlier = bisect_right(some, row), bisect_left(some, row)
            found.append((row, some[later] if later < len(some) else some[0], some[earlier - 1] if earlier else -1))
    names_around = _NamesAround(document)
    bits = np.array([names_around.bits(row, target) for row, target, _ in found], np.uint8)
    columns: Ints = np.array(found, np.int64).reshape(-1, 3).T.copy()
    note = _note_rows(document, columns, bits)
    is_reference = note >= 0
    link_rows, later_rows, earlier_rows = columns.tolist()
    return Fragments(
        dict(zip(link_rows, later_rows, strict=True)),
        dict(zip(link_rows, earlier_rows, strict=True)),
        columns[0][is_reference],
        note[is_reference],
    )


def _note_rows(document: Document, columns: Ints, bits: Bytes) -> Ints:
    """The row of the note that each link refers to, or -1."""
    links, page = len(bits), document.kernel_page
    note = np.empty(links, np.int64)
    given = FragmentTables(links, *map(address, columns), address(bits))
    memory = np.empty(library().tamis_notes_memory(byref(page)), np.uint8)
    if library().tamis_notes(byref(page), byref(given), address(memory), address(note)):
        raise TamisError("the kernel refused the links of the page")
    return note


def _may_be_mark(link: parse.Element) -> bool:
    text = link.text.strip()
    return len(text) <= _LONGEST_MARK and _MARK.match(text) is not None


def _target_names(document: Document, names: set[str]) -> dict[parse.Element, set[str]]:
    """The elements that links lead to, with their id or name."""
    wanted = names.union(map(unquote, names))
    found: dict[parse.Element, set[str]] = {}
    for selector, attribute in (("[id]", "id"), ("a[name]", "name")):
        for node in parse.select(document.tree, selector):
            if (name := node.attr(attribute)) in wanted:
                found.setdefault(node, set()).add(name)
    return found


class _NamesAround:
    """What the names of the elements around links and their targets tell."""

    def __init__(self, document: Document) -> None:
        self._nodes = document.elements.all_nodes
        self._parent, self._end = document.elements.parent.item, document.elements.end.item
        self._known = {-1: 0}
        self._has_sup = document.elements.has("sup")

    def bits(self, link: int, target: int) -> int:
        """The bits of a link."""
        around = self._around(link)
        found = around & (_IS_REFERENCE | _IS_BACK | _RAISED) | self._around(target) & _TO_NOTE
        found |= self._around(self._parent(target)) & _TO_WORD
        if self._has_sup and any(node.tag == "sup" for node in self._nodes[link + 1 : self._end(link)]):
            found |= _RAISED
        return found

    def _around(self, row: int) -> int:
        """The bits of an element and of all its ancestors."""
        path: list[int] = []
        while row not in self._known:
            path.append(row)
            row = self._parent(row)
        found = self._known[row]
        for row in reversed(path):
            found |= _RULES.bits(self._nodes[row])
            self._known[row] = found
        return found
