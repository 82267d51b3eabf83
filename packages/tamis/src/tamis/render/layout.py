"""What separates leaves on the page: lines, paragraphs, list items, table rows and cells.

Tables that show data are told from those that arrange the page. ARIA's roles make tables, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools, Bytes, Ints, places
from tamis.cached import cached_property
from tamis.document import Document, parse, tags
from tamis.document.table import Elements
from tamis.kernel import address, byref, library

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
    # For the first leaf of each cell: how many columns after the cell before on its line; for others 0.
    tabs: Ints | None  # None without a table


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
        breaks, elements = self.columns[0], self.document.elements
        if len(breaks) > 1 and (elements.has("table") or elements.has_role_table):
            tables = data_tables(self.document, self.leaves, self._code)
            if tables.any():
                return self._with_cells_joined(breaks, tables)
        return Separations(breaks, None)

    @cached_property
    def columns(self) -> tuple[NDArray[np.int8], Bools]:
        """The break before each leaf, tables aside, and whether its white space is kept unchanged."""
        page, count = self.document.kernel_page, len(self.leaves)
        breaks, preformatted = np.empty(count, np.int8), np.empty(count, np.bool_)
        memory = np.empty(library().tamis_layout_memory(byref(page)), np.uint8)
        addresses = map(address, (memory, breaks, preformatted))
        library().tamis_layout(byref(page), address(self._code), address(self.leaves), count, *addresses)
        return breaks, preformatted

    def _with_cells_joined(self, breaks: NDArray[np.int8], tables: Bools) -> Separations:
        """`breaks` with each row of a data table on one line, and the tabs that put its cells into their columns."""
        elements = self.document.elements
        code = codes_of_outer_tables(elements, tables, self._code)
        in_table = elements.inside(tables).take(self._element)
        table, row, cell = (self._nearest(mask, in_table) for mask in (tables, _IS_ROW.take(code), _IS_CELL.take(code)))
        # For each leaf but the first: is it in the same element as the one before?
        same_table, in_row, in_cell = ((rows[1:] == rows[:-1]) & (rows[1:] >= 0) for rows in (table, row, cell))
        same_row = same_table & in_row
        same_cell = same_row & in_cell
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

    def _nearest(self, mask: Bools, within: Bools) -> Ints:
        """The row of the nearest element in `mask` above each leaf, else -1.

        `within` are the leaves that may have one: for others the search up to the root would be wasted.
        """
        rows = np.full(len(self.leaves), -1, dtype=np.int64)
        rows[within] = self.document.elements.nearest(mask, self._element[within])
        return rows


def follows_other(document: Document, leaves: Ints) -> Bools:
    """For each of these leaves: is other visible text, or space before a medium, between it and the one before?"""
    apart = document.leaves.separating
    follows = np.zeros(len(leaves), dtype=np.bool_)
    follows[1:] = apart.searchsorted(leaves[1:]) > apart.searchsorted(leaves[:-1], side="right")
    return follows


def shown_codes(document: Document, holders: Ints) -> Bytes:
    """The tag codes as the page is seen by a reader of the text in `holders`.

    A form control beside text is in the line of that text, and a style can make any element a block.
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


_IS_ROW = tags.lookup("tr")
_IS_CELL = tags.lookup("td", "th")
_IS_TH = tags.lookup("th")
_IS_TABLE = tags.lookup("table")
_IS_CAPTION = tags.lookup("caption")
# A table with one of these in it arranges the page, whatever else it has.
_ARRANGES = tags.lookup("h1", "article", "form")
# Or it does so without a header.
_NEEDS_HEADER = tags.lookup("table", "h2", "h3", "section", "hr", "blockquote")
_IS_TITLE = tags.lookup("h2", "h3")  # but for those in its first row
_NEEDS_GRID = tags.lookup("pre")  # or if its rows differ in length
_DOUBTFUL = _ARRANGES | _NEEDS_HEADER | _NEEDS_GRID

# A table with a longer cell (in characters) holds prose, not data.
_LONGEST_CELL = 600
_LONGEST_UNDER_HEADER = 3_000

# The parser finds the elements of one tag at once, not those of several.
_SPANS = ("td[colspan]", "td[rowspan]", "th[colspan]", "th[rowspan]")
# A hostile page can ask for billions of cells. Spans end at WIDEST; together they may cover MOST_ADDED places besides
# the table's own cells, and ADDED_FOR_CELL more for each cell. Further spans count as one cell.
WIDEST = 100
MOST_ADDED = 100
ADDED_FOR_CELL = 16


def data_tables(document: Document, leaves: Ints, code: Bytes) -> Bools:
    """For each element: is it a data table, with `leaves` in at least two cells, and not a layout table?

    `code` are the tag codes of the elements. Of data tables in each other the outer one is one.
    """
    elements = document.elements
    is_data = _IS_TABLE.take(code)
    tables = places(is_data)
    holders = document.leaves.element.take(leaves)
    if not tables.size or not elements.inside(is_data).take(holders).any():
        return np.zeros(len(elements), dtype=np.bool_)
    # Each sum counts the table itself.
    is_plain = elements.sums(_DOUBTFUL.take(code)).take(tables) == 1
    is_data[tables] = is_plain
    has_header = np.zeros(len(elements), dtype=np.bool_)
    if not is_plain.all():
        has_header, is_grid, titles = _structure(elements, code)
        inside = [elements.sums(kind.take(code)).take(tables) for kind in (_ARRANGES, _NEEDS_HEADER)]
        is_simple = inside[1] == 1 + titles.take(tables)
        is_data[tables] = is_plain | ((inside[0] == 0) & (has_header.take(tables) | (is_simple & is_grid.take(tables))))
    for row, node in zip(elements.notable.tolist(), elements.notable_nodes, strict=True):
        if is_data[row] and node.attr("role") in ("presentation", "none"):
            is_data[row] = False
    if not is_data.any():
        return is_data
    within = elements.inside(is_data).take(holders)
    leaves, holders = leaves[within], holders[within]
    cell = elements.nearest(_IS_CELL.take(code), holders)
    lengths = [len(document.leaves.text[leaf]) for leaf in leaves.tolist()]
    size = np.bincount(cell + 1, weights=lengths, minlength=len(elements) + 1)[1:]  # [0]: leaves outside of cells
    cells = places(size)
    table = elements.nearest(is_data, cells)
    is_long = (size.take(cells) > _LONGEST_CELL) & (table >= 0)
    if is_long.any():
        if is_plain.all():
            has_header = _structure(elements, code)[0]
        longest = np.where(has_header.take(table), _LONGEST_UNDER_HEADER, _LONGEST_CELL)
        is_data[table[is_long & (size.take(cells) > longest)]] = False
    filled = np.bincount(table + 1, minlength=len(elements) + 1)[1:]
    is_data &= filled >= 2
    if not is_plain.all():
        is_data &= elements.covering(is_data)[:-1] < 2
    return is_data


def _structure(elements: Elements, code: Bytes) -> tuple[Bools, Bools, Ints]:
    """For each element: is it a table of two rows or more with a caption or headers, and is it a regular grid?

    The third are the headings in its first row, which may be shorter than the others.
    """
    size = len(elements)
    is_table, is_cell = _IS_TABLE.take(code), _IS_CELL.take(code)
    cells, rows = places(is_cell), places(_IS_ROW.take(code))
    width = np.bincount(elements.nearest(_IS_ROW.take(code), cells) + 1, minlength=size + 1)[1:].take(rows)
    table_of_row, table_of_cell = elements.nearest(is_table, rows), elements.nearest(is_table, cells)
    is_wide = width > 1

    def count(tables: Ints) -> Ints:
        counted: Ints = np.bincount(tables + 1, minlength=size + 1)[1:]
        return counted

    wide_rows = count(table_of_row[is_wide])
    headers = count(table_of_cell[_IS_TH.take(code.take(cells))])
    captions = count(elements.parent.take(places(_IS_CAPTION.take(code))))
    has_header = (wide_rows > 1) & ((captions > 0) | ((headers > 1) & (headers < count(table_of_cell))))
    widest = np.zeros(size + 1, dtype=np.int64)
    np.maximum.at(widest, table_of_row, width)
    tables, firsts = np.unique(table_of_row, return_index=True)
    is_narrow = width < widest.take(table_of_row)
    is_narrow[firsts] = False
    is_regular = count(table_of_row[is_narrow]) == 0
    titles: Ints = np.zeros(size + 1, dtype=np.int64)
    titles[tables] = elements.sums(_IS_TITLE.take(code)).take(rows[firsts])
    return has_header, is_regular & (wide_rows > 1), titles


def codes_of_outer_tables(elements: Elements, tables: Bools, code: Bytes) -> Bytes:
    """The tag codes, with the rows and cells of other tables inside of data tables as plain blocks."""
    inner = _IS_TABLE.take(code) & ~tables
    if not inner.any() or not (inner := inner & elements.inside(tables)).any():
        return code
    return np.where(elements.inside(inner) & (_IS_ROW | _IS_CELL).take(code), np.uint8(tags.CODES["div"]), code)


def cell_columns(document: Document, tables: Bools, code: Bytes, rows: Ints, cells: Ints) -> Ints:
    """The column of each of `cells`, which are in `rows`; 0 if it is in none. Spans count as all of their columns."""
    is_cell, elements = _IS_CELL.take(code), document.elements
    if not any(parse.select(document.tree, selector) for selector in _SPANS):
        before = is_cell.cumsum()
        return np.where((cells > rows) & (rows >= 0), before.take(cells) - before.take(rows) - 1, 0)
    columns: Ints = np.zeros(len(elements) + 1, dtype=np.int64)  # of each element, and at the end for row -1
    mask = is_cell & elements.inside(tables)
    positions = places(mask)
    table, row = elements.nearest(tables, positions), elements.nearest(_IS_ROW.take(code), positions)
    starts = places(np.append(True, table[1:] != table[:-1])).tolist()
    nodes = elements.nodes(mask)
    for first, last in pairwise([*starts, len(positions)]):
        spans = [(span(node.attr("colspan")), span(node.attr("rowspan"))) for node in nodes[first:last]]
        columns[positions[first:last]] = _with_spans(row[first:last].tolist(), spans)
    return columns.take(cells)


def _with_spans(rows: Sequence[int], spans: Sequence[tuple[int, int]]) -> list[int]:
    """The columns of the cells of one table. Columns in which no cell begins do not count."""
    left = MOST_ADDED + ADDED_FOR_CELL * len(rows)
    column, row = 0, -1
    found: list[int] = []
    covered: dict[int, int] = {}  # by column: how many more rows a cell from above covers
    coming: dict[int, int] = {}  # the same for the row after
    for this, (wide, high) in zip(rows, spans, strict=True):
        if this != row:
            row, column = this, 0
            covered = {place: rest - 1 for place, rest in (covered | coming).items() if rest > 1}
            coming = {}
        while column in covered:
            column += 1
        if wide * high - 1 > left:
            wide = high = 1
        left -= wide * high - 1
        found.append(column)
        if high > 1:
            coming |= dict.fromkeys(range(column, column + wide), high)
        column += wide
    number = {place: rank for rank, place in enumerate(sorted(set(found)))}
    return [number[place] for place in found]


def span(value: str | None, of_zero: int = 1) -> int:
    """A colspan or rowspan; 1 if it is invalid."""
    digits = (value or "").strip()
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 6 else 1
    return min(number, WIDEST) if number else of_zero


_ROLES = {
    "table": "table", "grid": "table", "treegrid": "table", "rowgroup": "tbody", "row": "tr", "cell": "td",
    "gridcell": "td", "columnheader": "th", "rowheader": "th", "caption": "caption",
}  # fmt: skip
_NO_TABLE = tags.lookup(*tags.HEADINGS, "article", "section", "form", "table")


def table_parts(elements: Elements) -> dict[int, str]:
    """The tag that ARIA's roles give each element of a table, by row."""
    if not elements.has_role_table:
        return {}
    found = [
        (row, name)
        for row, node in zip(elements.notable.tolist(), elements.notable_nodes, strict=True)
        if (name := _ROLES.get(node.attr("role") or ""))
    ]
    parts: dict[int, str] = {}
    table: dict[int, str] = {}
    end = -1
    for row, name in [*found, (len(elements), "table")]:
        if row >= end:
            count = Counter(table.values())
            if 1 < count["tr"] < count["td"] + count["th"]:  # others show a list of things
                parts |= table
            table, end = {}, -1
            if name == "table" and row < len(elements):
                end = int(elements.end[row])
                if not _NO_TABLE.take(elements.code[row:end]).any():
                    table[row] = name
        elif table and name != "table":
            table[row] = name
    return parts


def table_codes(elements: Elements) -> Bytes:
    """The tag codes of all elements, with those that ARIA's roles give."""
    parts = table_parts(elements)
    if not parts:
        return elements.code
    code = elements.code.copy()
    for row, name in parts.items():
        code[row] = tags.CODES[name]
    return code
