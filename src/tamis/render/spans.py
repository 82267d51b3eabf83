"""Tables with spans as plain grids, for Markdown."""

from __future__ import annotations

_EMPTY_CELL = "<td></td>"

# Larger spans and tables are cut or ignored: data tables need none, and a hostile page can ask for billions of cells.
_WIDEST = 100

# The most empty cells that are added to the tables of a page, and how many more for each cell. Beyond, spans count as
# one cell, and missing cells stay missing.
_MOST_ADDED, _ADDED_FOR_CELL = 10_000, 8


class Grid:
    """Adds the empty cells that make a table a plain grid: for cells covered by a span, and for missing ones."""

    def __init__(self) -> None:
        self._column = 0
        self._colspan = 1  # of the current cell
        self._columns = 0
        self._left = _MOST_ADDED
        self._covered: dict[int, int] = {}  # column: the number of rows that a cell above still covers

    def start_table(self, columns: int) -> None:
        """Begin a table of this many columns."""
        self._columns, self._column = min(columns, _WIDEST), 0
        self._covered = {}

    def start_cell(self, colspan: str | None, rowspan: str | None) -> str:
        """The empty cells before a cell."""
        skipped = 0
        while self._column in self._covered:
            self._skip_covered()
            skipped += 1
        self._colspan, high = _span(colspan), _span(rowspan)
        if not self._may_add(self._colspan * high - 1):
            self._colspan = high = 1
        self._left += _ADDED_FOR_CELL
        if high > 1:
            self._covered |= dict.fromkeys(range(self._column, self._column + self._colspan), high - 1)
        self._column += self._colspan
        return _EMPTY_CELL * skipped

    def end_cell(self) -> str:
        """The empty cells after a cell."""
        return _EMPTY_CELL * (self._colspan - 1)

    def end_row(self) -> str:
        """The empty cells after the last cell of a row."""
        missing = max(0, self._columns - self._column)
        for column in [column for column in self._covered if column >= self._column]:
            self._column = column
            self._skip_covered()
        self._column = 0
        return _EMPTY_CELL * missing if self._may_add(missing) else ""

    def _may_add(self, cells: int) -> bool:
        if cells > self._left:
            return False
        self._left -= cells
        return True

    def _skip_covered(self) -> None:
        self._covered[self._column] -= 1
        if not self._covered[self._column]:
            del self._covered[self._column]
        self._column += 1


def _span(value: str | None) -> int:
    """The value of a colspan or rowspan; 1 if it is invalid or too large."""
    digits = value or ""
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 5 else 1
    return number if 1 <= number <= _WIDEST else 1
