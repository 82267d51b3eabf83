"""Tables in Markdown: with pipes if each cell is a line, else in HTML.

A value that spans several places is repeated at each; a row that is one cell over the whole table says it once. The
lines of a cell are separated by `<br>`. The caption is a paragraph above.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tamis.render import html
from tamis.render.content.node import Child, Node, inlines
from tamis.render.content.tables import Grid, lines
from tamis.render.inline import inline
from tamis.render.pen import MARKDOWN, PLAIN, SENTENCE, UNSEEN, Pen

# Characters that may be repeated for spans, and how many more for each of the table's own. Beyond, places stay empty.
_MOST_REPEATED, _REPEATED_FOR_ONE = 2_000, 2
_BLANK_LINE = re.compile(r"\n(?=[^\S\n]*+\n)")  # it would end the HTML
# Some readers look for Markdown in HTML, too.
_MARKUP = re.compile(r"\](?=[(\[:])")
_SECTIONS = ("thead", "tbody", "tfoot")


def piped(found: Grid, pen: Pen) -> str:
    """A table with pipes; as plain text, its rows with tabs."""
    width, rows = max(map(len, found.rows)), _shown(found)
    head = rows.pop(0) if found.headers else []
    if pen.is_plain:
        header, edges = f"{_row(head, PLAIN)}\n" if head else "", ("", "")
    else:
        named = _row(head + [None] * (width - len(head)), MARKDOWN) if head else "|" + "  |" * width
        header, edges = f"{named}\n| {' | '.join(['---'] * width)} |\n", ("| ", " |")
    pen.open(header)
    pen.open(*edges)
    written = [_row(row, pen) for row in rows]
    pen.close()
    text = pen.join("\n", written)
    pen.close()
    return (header + text).removesuffix("\n")


def _shown(found: Grid) -> list[list[Node | None]]:
    """The rows, with a cell at several places as often as there is room for it."""
    left = _MOST_REPEATED + _REPEATED_FOR_ONE * sum(
        len(cell.text()) for cell in {id(cell): cell for row in found.rows for cell in row if cell}.values()
    )
    seen: set[int] = set()
    shown: list[list[Node | None]] = []
    for row in found.rows:
        shown.append([])
        for cell in row:
            if cell is not None and id(cell) in seen:
                left -= len(cell.text())
            shown[-1].append(cell if cell is None or id(cell) not in seen or left >= 0 else None)
            seen.add(id(cell))
    return shown


def _row(cells: Sequence[Node | None], pen: Pen) -> str:
    values = [_cell(cell, pen) if cell is not None else "" for cell in cells]
    separator, edges = ("\t", ("", "")) if pen.is_plain else (" | ", ("| ", " |"))
    between = [pen.cut(separator, SENTENCE) + value for value in values[1:]]
    return f"{edges[0]}{values[0]}{''.join(between)}{edges[1]}"


def _cell(cell: Node, pen: Pen) -> str:
    parts: list[Child] = []
    for line in lines(cell) or ():
        if any(isinstance(node, Node) or node.strip() for node in line):
            parts += [Node("br"), *line] if parts else line
    text = inline(parts, pen, in_cell=True) if parts else ""
    return text.replace("\n", " ") if pen.is_plain else text


def html_table(table: Node, pen: Pen) -> str:
    """A table in HTML, one row a line; as plain text, its rows with tabs."""
    parts: list[str] = []
    pen.open(*(("", "") if pen.is_plain else ("<table>\n", "\n</table>")))
    for child in table.children:
        if isinstance(child, str):
            continue
        name = child.name if child.name in _SECTIONS else ""
        edges = (f"<{name}>\n", f"\n</{name}>") if name and not pen.is_plain else ("", "")
        rows = [row for row in (child.children if name else [child]) if isinstance(row, Node)]
        pen.open(*edges)
        text = pen.join("\n", [_plain_row(row) if pen.is_plain else _html_row(row) for row in rows])
        pen.close()
        parts.append(f"{edges[0]}{text}{edges[1]}")
    pen.close()
    text = "\n".join(parts)
    return text if pen.is_plain else f"<table>\n{text}\n</table>"


def _plain_row(row: Node) -> str:
    cells = [cell for cell in (row.children if row.name == "tr" else [row]) if isinstance(cell, Node)]
    return "\t".join(inline(list(inlines(cell.children)), PLAIN, one_line=True) for cell in cells) or UNSEEN


def _html_row(row: Node) -> str:
    written = "".join(html.written([in_html(row)])).strip().replace("\r\n", "\n").replace("\r", "\n")
    return _MARKUP.sub("&#93;", _BLANK_LINE.sub("&#10;", written)).replace("\0", "")


def in_html(node: Child) -> Child:
    """A node as HTML in Markdown has it: what HTML can't say there, in Markdown, and nothing that loads a page."""
    if isinstance(node, str):
        return node
    if node.name in ("formula", "note-reference"):
        return inline([node], one_line=True)
    if node.name == "embed":
        source = node.attributes.get("href") or node.attributes["src"]
        return Node("a", {"href": source}, [node.attributes.get("title") or source])
    children = [in_html(child) for child in node.children]
    if node.name == "callout":
        title = node.attributes.get("title") or node.attributes["kind"].capitalize()
        return Node("blockquote", {}, [Node("p", {}, [Node("b", {}, [title])]), *children])
    return Node(node.name, node.attributes, children, node.row)
