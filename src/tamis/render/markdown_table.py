"""Tables in Markdown: with pipes if each cell is a line, else in HTML.

A value that spans several places is repeated at each; a row that is one cell over the whole table says it once. The
lines of a cell are separated by `<br>`. The caption is a paragraph above.
"""

from __future__ import annotations

import re

from tamis.render import html
from tamis.render.content.node import Child, Node
from tamis.render.content.tables import Grid, grid, lines
from tamis.render.inline import inline

# Characters that may be repeated for spans, and how many more for each of the table's own. Beyond, places stay empty.
_MOST_REPEATED, _REPEATED_FOR_ONE = 2_000, 2
# A blank line would end the HTML.
_BLANK_LINE = re.compile(r"\n(?=[ \t]*\n)")
_SECTIONS = ("thead", "tbody", "tfoot")


def table_blocks(node: Node) -> list[str] | None:
    """The paragraphs and the table that a table is written as; None if it has no cells."""
    found = grid(node)
    if not found.rows:
        return None
    if not found.is_inline or any(lines(caption) is None for caption in found.captions):
        return [_html(node)]
    parts = [line for caption in found.captions for line in lines(caption) or ()]
    return [*(text for part in parts if (text := inline(part))), _piped(found)]


def _piped(found: Grid) -> str:
    texts: dict[int, str] = {}  # by the identity of cells
    written: list[str] = []
    width = max(map(len, found.rows))
    cells = {id(cell): cell for row in found.rows for cell in row if cell is not None}
    for key, filled in cells.items():
        parts = [inline(line, one_line=True, in_cell=True) for line in lines(filled) or ()]
        texts[key] = "<br>".join(part for part in parts if part)
    left = _MOST_REPEATED + _REPEATED_FOR_ONE * sum(map(len, texts.values()))
    seen: set[int] = set()
    for row in found.rows:
        values: list[str] = []
        for cell in row:
            text = texts[id(cell)] if cell is not None else ""
            if id(cell) in seen:
                left -= len(text)
                text = text if left >= 0 else ""
            seen.add(id(cell))
            values.append(text)
        if not written:
            values += [""] * (width - len(values))  # a row longer than the header would be cut
        written.append("| " + " | ".join(values) + " |")
    if not found.headers:
        written.insert(0, "|" + "  |" * width)
    written.insert(1, "| " + " | ".join(["---"] * width) + " |")
    return "\n".join(written)


def _html(table: Node) -> str:
    """A table in HTML, one row a line."""
    parts: list[str] = []
    for child in table.children:
        if isinstance(child, Node) and child.name in _SECTIONS:
            parts += [f"<{child.name}>", *_html_rows(child.children), f"</{child.name}>"]
        else:
            parts += _html_rows([child])
    text = "\n".join(["<table>", *parts, "</table>"])
    return _BLANK_LINE.sub("&#10;", text)


def _html_rows(children: list[Child]) -> list[str]:
    nodes = [_with_markdown(child) for child in children if isinstance(child, Node)]
    return ["".join(html.written([node])).strip() for node in nodes]


def _with_markdown(node: Node) -> Node:
    """A copy with the formulas and references to notes as Markdown writes them."""
    children: list[Child] = []
    for child in node.children:
        if isinstance(child, str):
            children.append(child)
        elif child.name == "formula":
            children.append(f"${' '.join(child.attributes['tex'].split())}$")
        elif child.name == "note-reference":
            children.append(f"[^{child.attributes['id']}]")
        else:
            children.append(_with_markdown(child))
    return Node(node.name, node.attributes, children, node.row)
