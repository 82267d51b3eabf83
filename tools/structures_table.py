"""Write the tables of docs/reference/structure.md: all golden structure pages, and what each shows.

python -m tools.structures_table
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from tests.golden import GoldenPage, structure_pages

FILE = Path(__file__).parents[1] / "docs" / "reference" / "structure.md"
# The text above it is written by hand.
MARK = "<!-- The tables below are written by python -m tools.structures_table -->\n"


def written() -> str:
    """The whole file with new tables."""
    by_hand = FILE.read_text(encoding="utf-8").partition(MARK)[0]
    tables = [_table(group, list(pages)) for group, pages in groupby(structure_pages(), lambda page: page.group)]
    return by_hand + MARK + "\n" + "\n".join(tables)


def _table(group: str, pages: list[GoldenPage]) -> str:
    rows = [f"| `{page.name}` | {page.head['about']} |" for page in pages]
    return "\n".join([f"### {group.capitalize()}\n", "| page | what it shows |", "| --- | --- |", *rows, ""])


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
