"""Cells of data tables: each by its text, its row and its column."""

from __future__ import annotations

from collections.abc import Iterator

from tamis_lab.bench.structure.elements import Element, words
from tamis_lab.bench.structure.rows import Row, Rows

_TABLES = ("table", "grid", "treegrid")
_CELLS = ("cell", "gridcell", "columnheader", "rowheader")
_MOST_COLUMNS = 100
_MOST_WORDS = 40  # a cell, on average: with more, a table holds the page together
_LAYOUT = frozenset(("h1", "h2", "form", "article", "main", "nav"))


def cells(page: Rows) -> Iterator[Element]:
    """The cells of all tables. Those of tables for layout are not sure."""
    for number, row in enumerate(page.rows):
        if _is_table(row):
            yield from _cells(page, number)


def _is_table(row: Row) -> bool:
    return row.tag == "table" or (row.tag == "div" and row.attribute("role") in _TABLES)


def _is_row(row: Row) -> bool:
    return row.tag == "tr" or row.attribute("role") == "row"


def _is_cell(row: Row) -> bool:
    return row.tag in ("td", "th") or (row.tag in ("div", "span") and row.attribute("role") in _CELLS)


def _cells(page: Rows, number: int) -> Iterator[Element]:
    grid, is_nested = _grid(page, number)
    texts = {id(cell): words(page.text[cell.start : cell.end]) for line in grid for cell in line if cell}
    filled = [(line, keys) for line in grid if any(keys := [texts[id(cell)] if cell else "" for cell in line])]
    width = max((sum(map(bool, keys)) for _, keys in filled), default=0)
    sure = len(filled) > 1 and width > 1 and not is_nested and _is_data(page, number, list(texts.values()))
    whole = [(line, keys) for line, keys in filled if len(set(filter(None, keys))) > 1 or width == 1]
    heads = whole[0][1] if whole else []
    for line, keys in filled:
        if len(set(filter(None, keys))) == 1:  # one text over the whole row: a title, a part of the table
            place = next(place for place, key in enumerate(keys) if key)
            cell = line[place]
            if cell is not None:
                yield Element("table cell", (keys[place], "", ""), cell.start, cell.end, sure and heads is not keys)
            continue
        for place, (cell, key) in enumerate(zip(line, keys, strict=True)):
            if cell is not None and key:
                head = heads[place] if place < len(heads) else ""
                yield Element("table cell", (key, keys[0], head), cell.start, cell.end, sure)


def _grid(page: Rows, number: int) -> tuple[list[list[Row | None]], bool]:
    """The cells by row and column, those that span several in each of their places; and does a table hold another?"""
    grid: list[list[Row | None]] = []
    hanging: dict[int, tuple[Row, int]] = {}  # cells from the rows above, by column, with the rows that are left
    place, last, is_nested = number + 1, page.rows[number].last, False
    line: list[Row | None] = []

    def put_hanging() -> None:
        while len(line) in hanging and len(line) < _MOST_COLUMNS:
            cell, left = hanging.pop(len(line))
            if left > 1:
                following[len(line)] = cell, left - 1
            line.append(cell)

    following: dict[int, tuple[Row, int]] = {}
    while place < last:
        row = page.rows[place]
        if _is_table(row):
            is_nested = True
            place = row.last
            continue
        if _is_row(row):
            if grid:
                put_hanging()
            hanging = following
            following, line = {}, []
            grid.append(line)
        elif _is_cell(row) and grid:
            put_hanging()
            width = min(_span(row, "colspan"), _MOST_COLUMNS - len(line))
            height = _span(row, "rowspan")
            for _ in range(width):
                if height > 1:
                    following[len(line)] = row, height - 1
                line.append(row)
            is_nested = is_nested or any(map(_is_table, page.inside(place)))
            place = row.last
            continue
        place += 1
    if grid:
        put_hanging()
    width = max(map(len, grid), default=0)
    return [[*line, *[None] * (width - len(line))] for line in grid], is_nested


def _span(row: Row, name: str) -> int:
    value = row.attribute(name).strip()
    return max(1, min(int(value), 1000)) if value.isascii() and value.isdigit() else 1


def _is_data(page: Rows, number: int, texts: list[str]) -> bool:
    if page.rows[number].attribute("role") in ("presentation", "none"):
        return False
    if any(row.tag in _LAYOUT or row.code is not None for row in page.inside(number)):
        return False
    return sum(len(text.split()) for text in texts) <= _MOST_WORDS * max(1, len(list(filter(None, texts))))
