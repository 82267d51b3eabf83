"""Tables that are written without HTML's tags, by ARIA's roles."""

from __future__ import annotations

from tamis.arrays import Bytes
from tamis.document import tags
from tamis.document.table import Elements

_ROLES = {
    "table": "table", "grid": "table", "treegrid": "table", "rowgroup": "tbody", "row": "tr", "cell": "td",
    "gridcell": "td", "columnheader": "th", "rowheader": "th", "caption": "caption",
}  # fmt: skip
_NO_TABLE = tags.lookup(*tags.HEADINGS, "article", "section", "form", "table")


def table_parts(elements: Elements) -> dict[int, str]:
    """The tag that each element of such a table stands for, by row; empty if there is no table."""
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
            if _is_data(list(table.values())):
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
    """The tag codes of all elements, with those of such tables."""
    parts = table_parts(elements)
    if not parts:
        return elements.code
    code = elements.code.copy()
    for row, name in parts.items():
        code[row] = tags.CODES[name]
    return code


def _is_data(names: list[str]) -> bool:
    """Are there two rows or more, and more cells than rows? Others show no data but a list of things."""
    rows, cells = names.count("tr"), names.count("td") + names.count("th")
    return rows > 1 and cells > rows
