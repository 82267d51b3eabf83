"""Write the tables of docs/reference/structure.md: all golden structure pages, with the Markdown that each becomes.

python -m tools.structures_table
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from tests.golden import GoldenPage, structure_pages

FILE = Path(__file__).parents[1] / "docs" / "reference" / "structure.md"
# What stands before it is written by hand.
MARK = "<!-- The tables below are written by python -m tools.structures_table -->\n"
_MARKUP = frozenset("\\`*_{}[]()#+-.!|~$:^=@&<>")


def written() -> str:
    """The whole file with its tables anew."""
    by_hand = FILE.read_text(encoding="utf-8").partition(MARK)[0]
    tables = [_table(group, list(pages)) for group, pages in groupby(structure_pages(), lambda page: page.group)]
    return by_hand + MARK + "\n" + "\n".join(tables)


def _table(group: str, pages: list[GoldenPage]) -> str:
    rows = [f"| {page.name} | {page.head['about']} | {_code(page.markdown)} |" for page in pages]
    return "\n".join(
        [f"### {group.capitalize()}\n", "| page | what it shows | Markdown |", "| --- | --- | --- |", *rows, ""]
    )


def _code(text: str) -> str:
    lines = ("".join(map(_sign, line)).replace("  ", " &nbsp;") for line in text.split("\n"))
    return f"<code>{'<br>'.join(lines)}</code>"


def _sign(character: str) -> str:
    """A character that Markdown or HTML could read as markup, as a character reference."""
    return f"&#{ord(character)};" if character in _MARKUP else character


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
