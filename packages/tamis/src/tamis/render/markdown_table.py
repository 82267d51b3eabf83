"""Tables in Markdown: with pipes if each cell is a line, else in HTML.

HTML's spans are resolved in a grid: a cell is at every place that it covers. A column in which no cell starts is
left out, so a span that is only wide (a title over the whole table, spacers) adds nothing. The value of a cell is
repeated at each of its places, but only written once in a row that is one cell over the whole table. The lines of a
cell are separated by `<br>`. The caption is a paragraph above.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamis.render import html
from tamis.render.content import BLOCKS, Child, Node, inlines
from tamis.render.inline import inline
from tamis.render.layout import ADDED_FOR_CELL, MOST_ADDED, WIDEST, span
from tamis.render.pen import MARKDOWN, PLAIN, SENTENCE, UNSEEN, Pen

# Characters that may be repeated for spans, and how many more for each of the table's own. Beyond, places stay empty.
_MOST_REPEATED = 2_000
_REPEATED_FOR_ONE = 2
_BLANK_LINE = re.compile(r"\n(?=[^\S\n]*+\n)")  # it would end the HTML
# Some readers look for Markdown in HTML, too.
_MARKUP = re.compile(r"\](?=[(\[:])")


def piped(found: Grid, pen: Pen) -> str:
    """A table with pipes; as plain text, its rows with tabs."""
    width, rows = max(map(len, found.rows)), _repeated_rows(found)
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


def _repeated_rows(found: Grid) -> list[list[Node | None]]:
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
    values = []
    for cell in cells:
        parts: list[Child] = []
        for line in lines_of_cell(cell) or () if cell is not None else ():
            if any(isinstance(node, Node) or node.strip() for node in line):
                parts += [Node("br"), *line] if parts else line
        text = inline(parts, pen, in_cell=True) if parts else ""
        values.append(text.replace("\n", " ") if pen.is_plain else text)
    separator, edges = ("\t", ("", "")) if pen.is_plain else (" | ", ("| ", " |"))
    between = [pen.cut(separator, SENTENCE) + value for value in values[1:]]
    return f"{edges[0]}{values[0]}{''.join(between)}{edges[1]}"


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
        text = pen.join("\n", [_html_row(row, pen) for row in rows])
        pen.close()
        parts.append(f"{edges[0]}{text}{edges[1]}")
    pen.close()
    text = "\n".join(parts)
    return text if pen.is_plain else f"<table>\n{text}\n</table>"


def _html_row(row: Node, pen: Pen) -> str:
    if pen.is_plain:
        cells = [cell for cell in (row.children if row.name == "tr" else [row]) if isinstance(cell, Node)]
        return "\t".join(inline(list(inlines(cell.children)), PLAIN, one_line=True) for cell in cells) or UNSEEN
    written = "".join(html.html_pieces([in_html(row)])).strip().replace("\r\n", "\n").replace("\r", "\n")
    return _MARKUP.sub("&#93;", _BLANK_LINE.sub("&#10;", written)).replace("\0", "")


def in_html(node: Child) -> Child:
    """A node for HTML in Markdown: formulas and notes as Markdown, and a link in place of a frame."""
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


_SECTIONS = ("thead", "tbody", "tfoot")
_CELLS = ("td", "th")

_MOST_PADDED = 10_000  # places of a table whose shorter rows are filled up
_MOST_TITLES = 3  # rows of one cell above a header

# Elements that can't be in a line of Markdown. One alone is written as its content.
_BLOCKS = BLOCKS | {"embed"}
_LINES = frozenset({"p", "div", "section", "h1", "h2", "h3", "h4", "h5", "h6", "figure", "address", "article"})
_BOLD = frozenset({"b", "strong", "h1", "h2", "h3", "h4", "h5", "h6"})

# "1,234.5", "+3 %", "$12", "(4)", "12 km"
_NUMBER = re.compile(r"[^\w]{0,4}[0-9][0-9.,'\s\u2009\u202f]{0,24}[^\w]{0,4}[^\W\d]{0,4}[^\w]{0,2}")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_LONGEST_HEADER = 80


@dataclass(frozen=True)
class Grid:
    """A table: rows of places, of one length unless it is huge. A place without a cell of its own is None."""

    captions: list[Node]  # the caption, and rows above the header that are one cell
    rows: list[list[Node | None]]
    headers: int  # how many of the rows are headers
    is_inline: bool  # can each cell be written in one line?


def grid(table: Node) -> Grid:
    """The grid of a table."""
    captions, sections = _sections(table)
    rows: list[list[Node | None]] = []
    in_head = 0
    count = sum(len(row) for _, section in sections for row in section)
    left = MOST_ADDED + ADDED_FOR_CELL * count
    starts: set[int] = set()  # the columns in which a cell starts
    for name, section in sections:
        placed, left = _placed(section, left, starts)
        rows += placed
        in_head += len(placed) if name == "thead" and len(rows) == in_head + len(placed) else 0
    columns = sorted(starts)
    rows = [[row[column] for column in columns[: bisect_left(columns, len(row))]] for row in rows]
    if len(rows) * len(columns) <= _MOST_PADDED + ADDED_FOR_CELL * count:
        rows = [row + [None] * (len(columns) - len(row)) for row in rows]
    is_shown = [any(map(_is_filled, row)) for row in rows]
    in_head = sum(is_shown[:in_head])
    rows = [row for row, shown in zip(rows, is_shown, strict=True) if shown]
    titles = 0
    while (
        titles < min(_MOST_TITLES, len(rows) - 1)
        and _is_one(rows[titles])
        and _headers(rows[titles + 1 :], in_head - titles - 1)
    ):
        titles += 1
    captions += [cell for row in rows[:titles] for cell in row[:1] if cell is not None]
    rows = rows[titles:]
    headers = _headers(rows, in_head - titles)
    rows = [[row[0], *[None] * (len(row) - 1)] if _is_one(row) else row for row in rows]
    cells = {id(cell): cell for row in rows for cell in row if cell is not None}
    is_inline = all(lines_of_cell(cell) is not None for cell in cells.values())
    return Grid(captions, rows, headers, is_inline)


def _is_filled(cell: Node | None) -> bool:
    return cell is not None and any(isinstance(child, Node) or child.strip() for child in cell.children)


def _is_one(row: list[Node | None]) -> bool:
    """Is a row one cell over several columns?"""
    return len(row) > 1 and row[0] is not None and all(cell is row[0] for cell in row)


def _sections(table: Node) -> tuple[list[Node], list[tuple[str, list[list[Node]]]]]:
    """The captions of a table, and the cells of its rows by section. Footers come last."""
    captions: list[Node] = []
    sections: list[tuple[str, list[list[Node]]]] = []
    todo: list[tuple[Child, str]] = [(child, "") for child in reversed(table.children)]
    while todo:
        node, section = todo.pop()
        if isinstance(node, str):
            if node.strip():
                captions.append(Node("caption", {}, [node]))  # ARIA's tables may hold anything
        elif node.name in ("caption", "table"):
            captions.append(node)
        elif node.name == "tr":
            if not sections or sections[-1][0] != section:
                sections.append((section, []))
            sections[-1][1].append(list(_cells(node)))
        else:
            if node.name in _SECTIONS:
                section = node.name
                sections.append((section, []))
            todo += [(child, section) for child in reversed(node.children)]
    return captions, sorted(sections, key=lambda section: section[0] == "tfoot")


def _cells(row: Node) -> Iterator[Node]:
    for node in row.children:
        if isinstance(node, str):
            if node.strip():
                yield Node("td", {}, [node])
        elif node.name in _CELLS:
            yield node
        else:
            yield from _cells(node)


def _placed(section: list[list[Node]], left: int, starts: set[int]) -> tuple[list[list[Node | None]], int]:
    """The rows of one section with each cell at all of its places, and how many more places may be covered."""
    covered: dict[int, tuple[Node, int]] = {}  # by column: a cell from above, and how many rows it still covers
    rows: list[list[Node | None]] = []
    for number, cells in enumerate(section):
        row: list[Node | None] = []
        for cell in cells:
            while len(row) in covered:
                row.append(covered[len(row)][0])
            wide, high = span(cell.attributes.get("colspan")), span(cell.attributes.get("rowspan"), of_zero=0)
            high = min(high or WIDEST, len(section) - number)
            if wide * high - 1 > left:
                wide = high = 1
            left -= wide * high - 1
            starts.add(len(row))
            for _ in range(wide):
                if high > 1:
                    covered[len(row)] = cell, high
                row.append(cell)
        for column in sorted(column for column in covered if column >= len(row)):
            row += [None] * (column - len(row)) + [covered[column][0]]
        rows.append(row)
        covered = {column: (cell, rest - 1) for column, (cell, rest) in covered.items() if rest > 1}
    return rows, left


def _headers(rows: list[list[Node | None]], in_head: int) -> int:
    """How many rows at the top are headers: those of the head or all of `th`, or else a first row that looks so."""
    if not rows or in_head > 0:
        return in_head if rows else 0
    named = 0
    while named < len(rows):
        filled = [cell for cell in rows[named] if cell is not None and _is_filled(cell)]
        is_lone = len(rows[named]) > 1 and len(filled) == 1  # the header of its row
        if not filled or is_lone or any(cell.name != "th" for cell in filled):
            break
        named += 1
    if named:
        return named if named < len(rows) else 1
    return int(len(rows) > 1 and _looks_like_header(rows))


def _looks_like_header(rows: list[list[Node | None]]) -> bool:
    """Is the first row bold, or text over numbers?"""
    first = [_text(cell) for cell in rows[0]]
    if len(first) < 2 or _is_one(rows[0]) or not all(first[1:]) or any(len(text) > _LONGEST_HEADER for text in first):
        return False
    if all(cell is None or _is_bold(cell) or not text for cell, text in zip(rows[0], first, strict=True)):
        return not all(cell is None or _is_bold(cell) for cell in rows[1])
    if len(rows) < 3:
        return False
    if all(_YEAR.fullmatch(text) for text in first[1:]) and not _is_number(first[0]):
        return True
    if any(map(_is_number, first)):
        return False
    for column in range(1, min(len(first), WIDEST)):
        below = [text for row in rows[1:] if column < len(row) and (text := _text(row[column]))]
        if len(below) > 1 and all(map(_is_number, below)):
            return True
    return False


def _text(cell: Node | None) -> str:
    return " ".join(cell.text().split()) if cell is not None else ""


def _is_number(text: str) -> bool:
    return len(text) <= 40 and _NUMBER.fullmatch(text) is not None


def _is_bold(cell: Node) -> bool:
    """Is all text of a cell bold?"""
    todo: list[Child] = list(cell.children)
    found = False
    while todo:
        if isinstance(node := todo.pop(), str):
            if node.strip():
                return False
        elif node.name in _BOLD:
            found = True
        else:
            todo += node.children
    return found


def lines_of_cell(cell: Node) -> list[list[Child]] | None:
    """The lines of a cell, each of inline nodes; None if it holds a list, code or several paragraphs."""
    filled = [child for child in cell.children if isinstance(child, Node) or child.strip()]
    if len(filled) == 1 and isinstance(filled[0], Node) and filled[0].name in _LINES:
        return lines_of_cell(filled[0])
    found: list[list[Child]] = []
    is_open = False  # more of the same line may follow
    for child in cell.children:
        if isinstance(child, str) and not is_open and not child.strip():
            continue
        is_block = isinstance(child, Node) and child.name in _BLOCKS
        if isinstance(child, Node) and any(each.name in _BLOCKS for each in child.walk() if each is not child):
            return None
        if isinstance(child, Node) and child.name == "br":
            is_open = False
            continue
        if not is_block:
            if not is_open:
                found.append([])
            found[-1].append(child)
        elif isinstance(child, Node) and child.name == "div":
            found.append(child.children)
        else:
            return None
        is_open = not is_block
    return found
