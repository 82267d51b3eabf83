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
REFERENCES, NOTES, BACKS, OF_WORD, HIDDEN = (
    ", ".join(_NAMES[key]) for key in ("references", "notes", "backs", "word", "hidden")
)
# As in kernel/tamis.h.
_IS_REFERENCE, _TO_NOTE, _IS_BACK, _TO_WORD, _RAISED = 1, 2, 4, 8, 16


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
        self._elements, self._tree = document.elements, document.tree
        self._known: dict[str, tuple[frozenset[parse.Element], dict[int, bool]]] = {}

    def of(self, link: int, target: int) -> int:
        """The bits of a link."""
        end, parent = self._elements.end.item, self._elements.parent.item
        is_raised = self._is_in(link, "sup") or any(
            node.tag == "sup" for node in self._elements.all_nodes[link + 1 : end(link)]
        )
        return (
            _IS_REFERENCE * self._is_in(link, REFERENCES)
            | _TO_NOTE * self._is_in(target, NOTES)
            | _IS_BACK * self._is_in(link, BACKS)
            | _TO_WORD * self._is_in(parent(target), OF_WORD)
            | _RAISED * is_raised
        )

    def _is_in(self, row: int, selector: str) -> bool:
        """Does a selector match an element, or one around it?"""
        if selector not in self._known:
            self._known[selector] = frozenset(parse.select(self._tree, selector)), {-1: False}
        matched, known = self._known[selector]
        path: list[int] = []
        while matched and row not in known:
            path.append(row)
            if self._elements.all_nodes[row] in matched:
                known[row] = True
                break
            row = self._elements.parent.item(row)
        known.update(dict.fromkeys(path, known.get(row, False)))
        return known.get(row, False)
