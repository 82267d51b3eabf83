"""What separates leaves on the page: lines, paragraphs, list items, table rows and cells."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools, Bytes, Ints, places
from tamis.cached import cached_property
from tamis.document import Document, tags
from tamis.kernel import address, byref, library
from tamis.render.data_tables import cell_columns, data_tables, own_codes
from tamis.render.roles import table_codes

_IS_ROW = tags.lookup("tr")
_IS_CELL = tags.lookup("td", "th")
_CONTROLS = ("button", "select", "textarea")
_IS_CONTROL = tags.lookup(*_CONTROLS)
_BLOCK_STYLE = re.compile(r"(?:^|[;\s])display\s{0,3}:\s{0,3}(?:block|flex|grid|table|list-item)\b", re.IGNORECASE)


class Break(IntEnum):
    """What separates a leaf from the one before it."""

    NONE = 0
    SPACE = 1  # another block of the same cell
    CELL = 2  # the next cell of the same row
    LINE = 3  # a line break, the next list item, the next row
    PARAGRAPH = 4


class Separations(NamedTuple):
    """What separates the leaves of a layout from each other."""

    breaks: NDArray[np.int8]  # the Break before each leaf
    # For leaves that begin a table's cell: how many columns after the cell before on their line; for others 0.
    tabs: Ints | None  # None if there is no table


class Layout:
    """The separation of some leaves of a page, as columns over those leaves."""

    def __init__(self, document: Document, leaves: Ints) -> None:
        self.document = document
        self.leaves = np.ascontiguousarray(leaves)
        self._element = document.leaves.element.take(leaves)
        self._code = shown_codes(document, self._element)

    @cached_property
    def separations(self) -> Separations:
        """What separates each leaf from the one before; nothing for the first."""
        breaks, elements = self._columns[0], self.document.elements
        if len(breaks) > 1 and (elements.has("table") or elements.has_role_table):
            tables = data_tables(self.document, self.leaves, self._code)
            if tables.any():
                return self._with_cells_joined(breaks, tables)
        return Separations(breaks, None)

    @property
    def preformatted(self) -> Bools:
        """Is the white space of each leaf kept unchanged?"""
        return self._columns[1]

    @cached_property
    def _columns(self) -> tuple[NDArray[np.int8], Bools]:
        """The break before each leaf, tables aside, and whether it is preformatted."""
        page, count = self.document.kernel_page, len(self.leaves)
        breaks, preformatted = np.empty(count, np.int8), np.empty(count, np.bool_)
        memory = np.empty(library().tamis_layout_memory(byref(page)), np.uint8)
        addresses = map(address, (memory, breaks, preformatted))
        library().tamis_layout(byref(page), address(self._code), address(self.leaves), count, *addresses)
        return breaks, preformatted

    def _with_cells_joined(self, breaks: NDArray[np.int8], tables: Bools) -> Separations:
        """`breaks` with each row of a data table on one line, and the tabs that put its cells into their columns."""
        elements = self.document.elements
        code = own_codes(elements, tables, self._code)
        in_table = elements.inside(tables).take(self._element)
        table, row, cell = (self._nearest(mask, in_table) for mask in (tables, _IS_ROW.take(code), _IS_CELL.take(code)))
        same_table = self._same(table)
        same_row = same_table & self._same(row)
        same_cell = same_row & self._same(cell)
        joined = breaks.copy()
        after_first = joined[1:]
        is_apart = after_first.astype(np.bool_)
        after_first[same_table & is_apart] = Break.LINE
        after_first[same_cell & is_apart] = Break.SPACE
        after_first[same_row & ~same_cell] = Break.CELL
        column = cell_columns(self.document, tables, code, row, cell)
        tabs = column.copy()
        tabs[1:][same_row] -= column[:-1][same_row]
        tabs[1:][same_cell] = 0
        np.maximum(tabs[1:], after_first == Break.CELL, out=tabs[1:])
        return Separations(joined, tabs)

    @cached_property
    def follows_text(self) -> Bools:
        """Is there something between each leaf and the one before that keeps their texts apart?"""
        return follows_other(self.document, self.leaves)

    def _nearest(self, mask: Bools, within: Bools) -> Ints:
        """The row of the nearest element in `mask` above each leaf, else -1.

        `within` are the leaves that may have one: for others the search up to the root would be wasted.
        """
        rows = np.full(len(self.leaves), -1, dtype=np.int64)
        rows[within] = self.document.elements.nearest(mask, self._element[within])
        return rows

    @staticmethod
    def _same(rows: Ints) -> Bools:
        """For each leaf but the first: is it in the same element as the one before?"""
        same: Bools = (rows[1:] == rows[:-1]) & (rows[1:] >= 0)
        return same


def follows_other(document: Document, leaves: Ints) -> Bools:
    """For each of these leaves: is there visible text, or white space before a medium, between it and the one before?

    What is between two of these leaves is none of them.
    """
    apart = document.leaves.separating
    follows = np.zeros(len(leaves), dtype=np.bool_)
    follows[1:] = apart.searchsorted(leaves[1:]) > apart.searchsorted(leaves[:-1], side="right")
    return follows


def shown_codes(document: Document, holders: Ints) -> Bytes:
    """The tag codes as the page is seen by a reader of the text in `holders`.

    A form control beside text stands in the line of that text, and a style can make any element a block.
    """
    elements, code = document.elements, table_codes(document.elements)
    blocks: list[int] = []
    if any(map(makes_block, elements.styles)):
        blocks = [row for row, style in elements.styled if makes_block(style) and code[row] == tags.OTHER]
    controls = places(_IS_CONTROL.take(code)) if elements.has(*_CONTROLS) else places(np.zeros(0))
    if controls.size:
        beside_text = np.zeros(len(elements), dtype=np.bool_)
        beside_text[holders] = True
        controls = controls[beside_text.take(elements.parent.take(controls))]
    if not (blocks or controls.size):
        return code
    shown = code.copy()
    shown[controls] = tags.OTHER
    shown[blocks] = tags.CODES["div"]
    return shown


@lru_cache(maxsize=1_024)  # the same few styles recur on a page
def makes_block(style: str) -> bool:
    """Does a style attribute make an element a block?"""
    return "display" in style.lower() and _BLOCK_STYLE.search(style) is not None
