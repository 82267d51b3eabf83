"""Links to places on their page, and the footnotes that they refer to.

The kernel decides which links refer to a note (kernel/notes.c); here the links and their targets are found, and the
names that publishing systems give to both are read.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from tamis.arrays import Bytes, Ints, places
from tamis.document import parse, tags
from tamis.errors import TamisError
from tamis.kernel import Fragments as Given
from tamis.kernel import address, byref, library

if TYPE_CHECKING:
    from tamis.document.table import Document

_NAMES: Mapping[str, list[str]] = json.loads(Path(__file__).with_name("notes.json").read_text(encoding="utf-8"))
REFERENCE_NAMES, NOTE_NAMES, BACK_NAMES, HIDDEN_NAMES = (
    frozenset(_NAMES[key]) for key in ("references", "notes", "backs", "hidden")
)
_OF_WORD = tuple(_NAMES["word"])

# As in kernel/tamis.h.
IS_REFERENCE, TO_NOTE, IS_BACK, TO_WORD, RAISED = 1, 2, 4, 8, 16
_AROUND_LINK, _AROUND_TARGET, _AROUND_WORD, _AROUND_RAISED = 4, 6, 3, 2  # elements that are looked at, from the inside


@dataclass(frozen=True, eq=False)
class Fragments:
    """The links of a page to places on it, in document order."""

    link: Ints  # rows of the links
    later: Ints  # the next element with the name that a link has, else the first one
    earlier: Ints  # the last such element before the link, or -1
    names: Bytes  # what names say, in bits
    note: Ints  # the row of the note that a link refers to, or -1
    given: Given = field(repr=False)  # the same as the kernel reads them

    @property
    def references(self) -> Ints:
        """Which of the links refer to a note, as places in the columns."""
        return places(self.note >= 0)


def fragments_of(document: Document) -> Fragments:
    """The links of a page to places on it."""
    nodes, found = document.elements.all_nodes, list[tuple[int, int, int]]()
    rows = places(document.elements.code == tags.CODES["a"]).tolist() if document.elements.has("a") else []
    names = {row: href.partition("#")[2] for row in rows if "#" in (href := nodes[row].attr("href") or "")}
    targets = _targets(document, {name for name in names.values() if name})
    for row, name in names.items():
        if some := targets.get(name) or ("%" in name and targets.get(unquote(name))):
            later, earlier = bisect_right(some, row), bisect_left(some, row)
            found.append((row, some[later] if later < len(some) else some[0], some[earlier - 1] if earlier else -1))
    link, later_rows, earlier_rows = np.array(found, np.int64).reshape(-1, 3).T.copy()
    said = _Names(document)
    bits = np.array([said.of(row, target) for row, target, _ in found], np.uint8)
    note = np.empty(len(found), np.int64)
    given = Given(len(found), *map(address, (link, later_rows, earlier_rows, bits)))
    if found:
        page = document.kernel_page
        memory = np.empty(library().tamis_notes_memory(byref(page)), np.uint8)
        if library().tamis_notes(byref(page), byref(given), address(memory), address(note)):
            raise TamisError("the kernel refused the links of the page")
    return Fragments(link, later_rows, earlier_rows, bits, note, given)


def _targets(document: Document, wanted: set[str]) -> dict[str, list[int]]:
    """The rows of the elements that links lead to, by their id or name."""
    if not wanted:
        return {}
    wanted |= set(map(unquote, wanted))
    named: dict[parse.Element, set[str]] = {}
    for selector, attribute in (("[id]", "id"), ("a[name]", "name")):
        for node in parse.select(document.tree, selector):
            if (name := node.attr(attribute)) in wanted:
                named.setdefault(node, set()).add(name)
    nodes = document.elements.all_nodes if named else []
    found: dict[str, list[int]] = {}
    for row, node in compress(enumerate(nodes), map(named.__contains__, nodes)):
        for name in named[node]:
            found.setdefault(name, []).append(row)
    return found


class _Names:
    """What the names of elements around links and their targets say."""

    def __init__(self, document: Document) -> None:
        self._elements = document.elements
        self._nodes = document.elements.all_nodes
        self._parent = document.elements.parent.item
        self._own: dict[int, int] = {}

    def of(self, link: int, target: int) -> int:
        """The bits of a link."""
        found = 0
        for row in self._up(link, _AROUND_LINK):
            found |= self._bits(row) & (IS_REFERENCE | IS_BACK)
            if self._nodes[row].tag in tags.BLOCK:
                break
        for row in self._up(target, _AROUND_TARGET):
            found |= self._bits(row) & TO_NOTE
        if any(is_of_word(self._nodes[row].attr("id") or "") for row in self._up(self._parent(target), _AROUND_WORD)):
            found |= TO_WORD
        inside = range(link + 1, min(int(self._elements.end[link]), link + _AROUND_LINK))
        if any(self._nodes[row].tag == "sup" for row in (*inside, *self._up(link, _AROUND_RAISED + 1))):
            found |= RAISED
        return found

    def _up(self, row: int, most: int) -> list[int]:
        found: list[int] = []
        while row >= 0 and len(found) < most:
            found.append(row)
            row = self._parent(row)
        return found

    def _bits(self, row: int) -> int:
        if row not in self._own:
            self._own[row] = own_names(self._nodes[row])
        return self._own[row]


def own_names(node: parse.Element) -> int:
    """What the classes, the role and the markers of one element say: IS_REFERENCE, TO_NOTE and IS_BACK."""
    words = {*(node.attr("class") or "").split(), node.attr("role") or ""}
    is_reference = (
        not REFERENCE_NAMES.isdisjoint(words)
        or node.attr("data-footnote-ref") is not None
        or ("reference" in words and node.tag == "sup")
    )
    is_note = not NOTE_NAMES.isdisjoint(words) or node.attr("data-footnotes") is not None
    return IS_REFERENCE * is_reference | TO_NOTE * is_note | IS_BACK * (not BACK_NAMES.isdisjoint(words))


def is_of_word(name: str) -> bool:
    """Is this the id of a note that Word or LibreOffice wrote?"""
    return name.startswith(_OF_WORD) and name[-1:].isdigit()
