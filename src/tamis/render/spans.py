"""Tables with spans as plain grids."""

from __future__ import annotations

_EMPTY_CELL = "<td></td>"

# No table of data needs a cell this wide or high; a hostile page could ask for billions.
_WIDEST = 100


class Grid:
    """Stands empty cells in for those that a colspan or rowspan covers, and for missing ones."""

    def __init__(self) -> None:
        self._column = 0
        self._wide = 1
        self._columns = 0
        self._covered: dict[int, int] = {}  # column: rows that a cell above still covers, if any

    def start_table(self, columns: int) -> str:
        """What to write before a table of this many columns."""
        self._columns = min(columns, _WIDEST)
        self._covered = {}
        return ""

    def start_row(self) -> str:
        """What to write before a row."""
        self._column = 0
        return ""

    def start_cell(self, colspan: str | None, rowspan: str | None) -> str:
        """What to write before a cell."""
        filler = 0
        while self._column in self._covered:
            self._step()
            filler += 1
        self._wide = _span(colspan)
        if (high := _span(rowspan)) > 1:
            self._covered |= dict.fromkeys(range(self._column, self._column + self._wide), high - 1)
        self._column += self._wide
        return _EMPTY_CELL * filler

    def end_cell(self) -> str:
        """What to write after a cell."""
        return _EMPTY_CELL * (self._wide - 1)

    def end_row(self) -> str:
        """What to write after the last cell of a row."""
        missing = max(0, self._columns - self._column)
        for column in [column for column in self._covered if column >= self._column]:
            self._column = column
            self._step()
        return _EMPTY_CELL * missing

    def _step(self) -> None:
        self._covered[self._column] -= 1
        if not self._covered[self._column]:
            del self._covered[self._column]
        self._column += 1


def _span(value: str | None) -> int:
    """The value of a colspan or rowspan; one that makes no sense counts as 1."""
    known = value is not None and value.isascii() and value.isdigit() and len(value) < 5
    return int(value) if known and value and 1 <= int(value) <= _WIDEST else 1
