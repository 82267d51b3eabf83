"""How leaves stand to each other on the page: what a reader sees as lines, items, rows and cells."""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tamis.document import Document, tags

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

_IS_BLOCK = tags.lookup(*tags.BLOCK)
_IS_BR = tags.lookup("br")
_IS_LIST = tags.lookup("ul", "ol", "dl", "menu", "dir", "select")
_IS_ROW = tags.lookup("tr")
_IS_CELL = tags.lookup("td", "th")
_IS_TABLE = tags.lookup("table")
_IS_PRE = tags.lookup(*tags.PREFORMATTED)
# A table with one of these in it arranges a page and does not show data.
_MAKES_LAYOUT = tags.lookup("table", "h1", "h2", "h3", "article", "section", "form", "hr")

# A cell with more characters than this holds prose; so does its table.
_LONGEST_DATA_CELL = 600


class Break(IntEnum):
    """What stands between a leaf and the one before it."""

    NONE = 0
    CELL = 1  # the next cell of the same row
    LINE = 2  # a line break, the next list item, the next row
    PARAGRAPH = 3


class Layout:
    """The structure around some leaves of a page, as columns over those leaves."""

    def __init__(self, document: Document, leaves: Ints) -> None:
        self.document = document
        self.leaves = leaves
        self._element = document.leaves.element[leaves]
        self._opened = document.leaves.opened[leaves]
        self._code = document.elements.code

    @cached_property
    def breaks(self) -> NDArray[np.int8]:
        """The Break before each leaf; the first leaf has none."""
        breaks = np.zeros(len(self.leaves), dtype=np.int8)
        if len(self.leaves) < 2:
            return breaks
        blocks_opened = np.diff(np.cumsum(_IS_BLOCK[self._code])[self._opened])
        lines_broken = np.diff(np.cumsum(_IS_BR[self._code])[self._opened])
        new_block = (np.diff(self.document.leaves.block[self.leaves]) != 0) | (blocks_opened != 0)
        apart = np.where(new_block | (lines_broken > 1), Break.PARAGRAPH, Break.NONE)
        apart = np.where(~new_block & (lines_broken == 1), Break.LINE, apart)
        apart = np.where(new_block & self._same(self._outermost_list), Break.LINE, apart)
        table = self.data_table
        if (table >= 0).any():
            same_table = self._same(table)
            same_row = same_table & self._same(self._nearest(_IS_ROW))
            same_cell = same_row & self._same(self._nearest(_IS_CELL))
            apart = np.where(new_block & same_table, Break.LINE, apart)
            apart = np.where(new_block & same_row & ~same_cell, Break.CELL, apart)
        breaks[1:] = apart
        return breaks

    @cached_property
    def cells_apart(self) -> Ints:
        """How many cells opened between each leaf and the one before; more than 1 skips empty ones."""
        return np.diff(np.cumsum(_IS_CELL[self._code])[self._opened], prepend=0).astype(np.int32)

    @cached_property
    def preformatted(self) -> Bools:
        """Is white space kept as it stands?"""
        return self.document.elements.inside(_IS_PRE[self._code])[self._element]

    @cached_property
    def data_table(self) -> Ints:
        """The row of the table of data that holds the leaf, else -1."""
        tables = data_tables(self.document)
        if not tables.any():
            return np.full(len(self.leaves), -1, dtype=np.int32)
        return self.document.elements.nearest(tables)[self._element]

    @cached_property
    def _outermost_list(self) -> Ints:
        elements = self.document.elements
        lists = _IS_LIST[self._code]
        outermost = lists & ~elements.inside(lists)[elements.parent]
        # The root has no parent: row -1 looked at the last row above, and the root is no list.
        return elements.nearest(outermost)[self._element] if lists.any() else np.full(len(self.leaves), -1, np.int32)

    def _nearest(self, is_tag: Bools) -> Ints:
        return self.document.elements.nearest(is_tag[self._code])[self._element]

    @staticmethod
    def _same(rows: Ints) -> Bools:
        """For each leaf but the first: do it and the one before stand in the same element?"""
        same: Bools = (np.diff(rows) == 0) & (rows[1:] >= 0)
        return same


def data_tables(document: Document) -> Bools:
    """For each element: is it a table that shows data, and not one that arranges the page?"""
    elements = document.elements
    is_data = _IS_TABLE[elements.code]
    tables = np.flatnonzero(is_data)
    if not tables.size:
        return is_data
    arranging = np.concatenate([[0], np.cumsum(_MAKES_LAYOUT[elements.code])])
    # The table itself counts once in its own range.
    is_data[tables] = arranging[elements.end[tables]] - arranging[tables] == 1
    cells = elements.nearest(_IS_CELL[elements.code])[document.leaves.element]
    sizes = np.bincount(cells + 1, weights=[len(text) for text in document.leaves.text], minlength=len(elements) + 1)
    for cell in np.flatnonzero(sizes[1:] > _LONGEST_DATA_CELL):
        table = next((row for row in elements.ancestors(int(cell)) if elements.tag[row] == "table"), None)
        if table is not None:
            is_data[table] = False
    return is_data
