"""Write the table of docs/reference/structure.md: the names of all golden structure pages.

python -m tools.structures_table
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from tests.golden import structure_pages

FILE = Path(__file__).parents[1] / "docs" / "reference" / "structure.md"
# The text above it is written by hand.
MARK = "<!-- The table below is written by python -m tools.structures_table -->\n"


def written() -> str:
    """The whole file with a new table."""
    by_hand = FILE.read_text(encoding="utf-8").partition(MARK)[0]
    rows = [
        f"| `{group}` | {', '.join(page.name for page in pages)} |"
        for group, pages in groupby(structure_pages(), lambda page: page.group)
    ]
    return by_hand + MARK + "\n" + "\n".join(["| folder | pages |", "| --- | --- |", *rows, ""])


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
