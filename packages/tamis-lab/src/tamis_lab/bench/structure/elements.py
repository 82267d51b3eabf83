"""All elements of a page, or of the output of a contestant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from tamis.document import parse
from tamis_lab.bench.structure.page import (
    ElementRow,
    PageRows,
    StructureElement,
    address,
    formula_pattern,
    language_of,
    page_rows,
    plain_tex,
    raw_formulas,
    words,
)

_HEADINGS = {f"h{level}": str(level) for level in range(1, 7)}
_INNER = frozenset(("ul", "ol", "dl", "table", "pre", "blockquote"))
_MOST_HEADING_WORDS = 60
_MOST_ITEM_WORDS = 150
_MOST_ITEM_LINES = 6
_CALLOUTS = frozenset(("admonition", "markdown-alert", "theme-admonition"))
_CALLOUT_KIND = re.compile(r"(?:^|[\s_-])(?:note|info|tip|hint|important|warning|caution|danger)(?:$|\s)")
_CALLOUT_MARK = re.compile(r"\[!\w{1,20}\][+-]?")
_TASK_BOX = re.compile(r"^\s*\[[ xX]\] ")

# Images
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:$|[?#&@:,/])", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"blank|placeholder|spacer|pixel|transparent|loading|lazy|1x1|grey\.|gray\.|empty", re.IGNORECASE
)
_CANDIDATE = re.compile(r"([^\s,]\S*[^\s,])(?:\s+[\d.]+[wxh])?\s*(?:,|$)")  # of a srcset
_SOURCES = frozenset(
    "src data-src data-original data-lazy-src data-lazy data-original-src data-img-src data-image data-full-url".split()
)
_SMALL = 40  # pixels: an icon
_ICON = re.compile(r"(?:^|[\s_-])(?:emoji|icon|smiley|avatar|logo|badge|spinner|tracking|pixel)", re.IGNORECASE)

# Tables
_TABLES = ("table", "grid", "treegrid")
_CELLS = ("cell", "gridcell", "columnheader", "rowheader")
_MOST_COLUMNS = 100
_MOST_CELL_WORDS = 40  # a cell, on average: with more, a table holds the page together
_LAYOUT_TAGS = frozenset(("h1", "h2", "form", "article", "main", "nav"))

# Notes
_NOTE_MARK = re.compile(r"[\[(]?(?:(?:note|nb|fn) ?)?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§¶]{1,3})[\])]?", re.IGNORECASE)
_NOTE_NAME = re.compile(
    r"(?:^|[-_:.])(?:s?d?foot|end|side|cite_?)?_?(?:fn|ftn|edn|note|footnote|endnote|reference|ref)s?\d*(?:$|[-_:.\d])",
    re.IGNORECASE,
)
_HOLDERS = frozenset(("li", "p", "div", "td", "dd", "aside", "section"))
_BACKLINK = "mw-cite-backlink"  # Wikipedia's class
_MOST_NOTE_WORDS = 400


@dataclass(frozen=True)
class PageElements:
    """The text of a page, the elements in it, and what identifies its formulas and images."""

    text: str  # a line for each block; formulas and marks of notes are left out
    elements: list[StructureElement]
    images: dict[str, str]  # each address of an image with the one by which it is counted
    raw_formulas: re.Pattern[str] | None  # the delimiters in use, if any
    unnamed_formulas: int  # formulas whose TeX the page does not say
    embedded: frozenset[str] = frozenset()  # addresses of frames, videos and sounds, which may be written as links

    @property
    def has_formulas(self) -> bool:
        """Does the page have a formula?"""
        return self.unnamed_formulas > 0 or any(element.kind == "formula" for element in self.elements)


def read_elements(
    html: str, url: str | None, *, like: PageElements | None = None, with_hidden: bool = False
) -> PageElements:
    """The elements of HTML. The output for a page is read `like` that page: with its delimiters and images."""
    page = page_rows(html, url, with_hidden=with_hidden)
    delimiters = like.raw_formulas if like else formula_pattern(html)
    elements = [StructureElement("formula", (plain_tex(row.tex),), row.start, row.end) for row in page.rows if row.tex]
    if delimiters:
        in_code = [(row.start, row.end) for row in page.rows if row.code is not None or row.tag == "code"]
        for tex, start, end in list(raw_formulas(page.text, delimiters)):
            if not any(low <= start < high for low, high in in_code):
                elements.append(StructureElement("formula", (plain_tex(tex),), start, end))
                page.blank(start, end)
    noted = list(_notes(page))
    for start, end in list(_marks(page)):  # gold texts have them or leave them out as they like
        page.blank(start, end)
    pictures, names = _images(page)
    if like:
        pictures = [one._replace(key=(like.images.get(one.key[0], one.key[0]),)) for one in pictures]
    elements += [
        *_headings(page),
        *_items(page, noted),
        *_tables(page),
        *_code(page),
        *(
            StructureElement("footnote", (note.text,), page.rows[note.row].start, page.rows[note.row].end)
            for note in noted
        ),
        *_links(page),
        *pictures,
        *_quotations(page),
    ]
    unnamed = sum(row.tex == "" for row in page.rows)
    return PageElements(page.text, elements, names, delimiters, unnamed, frozenset(page.embedded))


def _headings(page: PageRows) -> Iterator[StructureElement]:
    for number, row in enumerate(page.rows):
        level = _HEADINGS.get(row.tag) or (row.attribute("role") == "heading" and row.attribute("aria-level"))
        if level and (text := words(page.text[row.start : row.end])):
            # A heading in a cell is a heading in a layout table, and the cell of another one.
            in_cell = any(page.rows[each].tag in ("td", "th") for each in page.around(number))
            sure = len(text.split()) <= _MOST_HEADING_WORDS and not in_cell
            yield StructureElement("heading", (text,), row.start, row.end, sure)
            yield StructureElement("heading level", (text, level), row.start, row.end, sure)


def _items(page: PageRows, noted: list[_PageNote]) -> Iterator[StructureElement]:
    note_rows = {note.row for note in noted}
    layout = {number for number, row in enumerate(page.rows) if row.tag == "li" and _is_layout(page, number)}
    for number, row in enumerate(page.rows):
        if row.tag == "dl":
            yield from _definitions(page, number)
        # The box of a task as Markdown writes it does not belong to the text.
        if row.tag != "li" or not (text := words(_TASK_BOX.sub("", _own_text(page, number)))):
            continue
        # A list in an item that is a part of the page is at its first level, whatever is around.
        inside = takewhile(lambda each: each not in layout, page.around(number))
        lists = [page.rows[each].tag for each in inside if page.rows[each].tag in ("ol", "ul")] or ["ul"]
        sure = number not in layout and number not in note_rows
        yield StructureElement("list item", (text,), row.start, row.end, sure)
        yield StructureElement("list depth", (text, str(len(lists)), lists[0]), row.start, row.end, sure)


def _own_text(page: PageRows, number: int) -> str:
    """The text of an item without inner lists, tables, code and quotations."""
    row = page.rows[number]
    parts, at, inner = [], row.start, number + 1
    while inner < row.last:
        child = page.rows[inner]
        if child.tag in _INNER:
            parts.append(page.text[at : child.start])
            at, inner = child.end, child.last
        else:
            inner += 1
    return "\n".join((*parts, page.text[at : row.end]))


def _is_layout(page: PageRows, number: int) -> bool:
    """Is an item a part of the page, such as an article or a comment, rather than of a list that someone wrote?"""
    if any(row.tag in _HEADINGS or row.tag in ("article", "form", "nav", "section") for row in page.inside(number)):
        return True
    text = _own_text(page, number)
    return len(text.split()) > _MOST_ITEM_WORDS or sum(map(bool, map(str.strip, text.split("\n")))) > _MOST_ITEM_LINES


def _definitions(page: PageRows, number: int) -> Iterator[StructureElement]:
    """Terms with their definitions, together and alone: Markdown lacks such lists, so all of these may be items."""
    term = ""
    for row in page.inside(number):
        if row.tag in ("dt", "dd") and (text := words(page.text[row.start : row.end])):
            term = text if row.tag == "dt" else f"{term} {text}"
            for key in {text, term}:
                yield StructureElement("list item", (key,), row.start, row.end, sure=False)
                yield StructureElement("list depth", (key, "1", "ul"), row.start, row.end, sure=False)


def _code(page: PageRows) -> Iterator[StructureElement]:
    for row in page.rows:
        if row.code:
            yield StructureElement("code", (row.code,), row.start, row.end)
            if language := language_of(row.node):
                yield StructureElement("code language", (row.code, language), row.start, row.end)


def _links(page: PageRows) -> Iterator[StructureElement]:
    here = address(page.base, page.base).partition("#")[0]
    for number, row in enumerate(page.rows):
        if (
            row.tag != "a"
            or not (target := row.attribute("href"))
            or not (text := words(page.text[row.start : row.end]))
        ):
            continue
        where = address(target, page.base)
        if where:
            within = where.partition("#")[0] == here and "#" in where
            blocks = any(inner.is_block for inner in page.inside(number))
            yield StructureElement("link", (text, where), row.start, row.end, sure=not within and not blocks)


def _quotations(page: PageRows) -> Iterator[StructureElement]:
    end = -1
    for number, row in enumerate(page.rows):
        if number < end or not row.is_block:
            continue
        if row.tag == "blockquote":
            end = row.last
            if _CALLOUT_MARK.match(page.text[row.start : row.end].lstrip()):
                yield from _last_paragraph(page, row)
            else:
                yield from (one._replace(kind="quotation") for one in _paragraphs(page, row))
        elif _is_callout(row):
            yield from _last_paragraph(page, row)


def _is_callout(row: ElementRow) -> bool:
    classes = row.classes
    if _CALLOUTS.intersection(classes):
        return True
    boxed = "callout" in classes or "alert" in classes
    return boxed and bool(row.attribute("data-callout") or _CALLOUT_KIND.search(" ".join(classes)))


def _last_paragraph(page: PageRows, row: ElementRow) -> list[StructureElement]:
    return [one._replace(kind="callout") for one in _paragraphs(page, row)][-1:]


def _paragraphs(page: PageRows, row: ElementRow) -> Iterator[StructureElement]:
    at = row.start
    for line in page.text[row.start : row.end].split("\n"):
        if text := words(_CALLOUT_MARK.sub("", line)):
            yield StructureElement("", (text,), at, at + len(line))
        at += len(line) + 1


def _images(page: PageRows) -> tuple[list[StructureElement], dict[str, str]]:
    """The images, and for each address the one by which its image is counted."""
    names: dict[str, str] = {}
    found: list[StructureElement] = []
    for number, row in enumerate(page.rows):
        if row.tag != "img" or row.tex is not None:
            continue
        around = [page.rows[above] for above in page.around(number)]
        picture = next((above for above in around[:2] if above.tag == "picture"), None)
        figure = next((above for above in around[:6] if above.tag == "figure"), row)
        twins = [
            twin for above in (row.parent, page.rows[row.parent].parent) for twin in page.unscripted.get(above, ())
        ]
        nodes = [row.node, *(picture.node.select("source") if picture else ()), *(twins if len(twins) == 1 else ())]
        found += _image(nodes, page, names, (figure.start, figure.end), sure=_is_large(row.node))
    for number, nodes in page.unscripted.items():
        place = page.rows[number].start if number >= 0 else 0
        for node in nodes:
            known = [each for each in _addresses(node, page.base) if each in names]
            found += () if known else _image([node], page, names, (place, place), sure=False)
    return found, names


def _image(
    nodes: list[parse.Element], page: PageRows, names: dict[str, str], place: tuple[int, int], *, sure: bool
) -> Iterator[StructureElement]:
    own = [each for node in nodes for each in _addresses(node, page.base)]
    real = [each for each in own if not _PLACEHOLDER.search(each)] or own
    if real:
        name = next((names[each] for each in real if each in names), real[0])
        for each in real:
            names.setdefault(each, name)
        yield StructureElement("image", (name,), *place, sure)


def _addresses(node: parse.Element, base: str) -> list[str]:
    found = []
    for name, value in parse.attributes(node):
        if "srcset" in name:
            candidates = _CANDIDATE.findall(value)
        elif name in _SOURCES or (name.startswith("data-") and _PICTURE.search(value) and " " not in value.strip()):
            candidates = [value]
        else:
            continue
        found += [address(each, base) for each in candidates if each.strip() and not each.startswith(("{", "data:"))]
    return [each for each in found if each]


def _is_large(node: parse.Element) -> bool:
    sizes = [node.attr("width") or "", node.attr("height") or ""]
    if any(size.isascii() and size.isdigit() and int(size) <= _SMALL for size in sizes):
        return False
    return not _ICON.search(node.attr("class") or "")


def _tables(page: PageRows) -> Iterator[StructureElement]:
    """The cells of all tables. Those of layout tables are unsure."""
    for number, row in enumerate(page.rows):
        if _is_table(row):
            yield from _cells(page, number)


def _is_table(row: ElementRow) -> bool:
    return row.tag == "table" or (row.tag == "div" and row.attribute("role") in _TABLES)


def _cells(page: PageRows, number: int) -> Iterator[StructureElement]:
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
                yield StructureElement(
                    "table cell", (keys[place], "", ""), cell.start, cell.end, sure and heads is not keys
                )
            continue
        for place, (cell, key) in enumerate(zip(line, keys, strict=True)):
            if cell is not None and key:
                head = heads[place] if place < len(heads) else ""
                yield StructureElement("table cell", (key, keys[0], head), cell.start, cell.end, sure)


def _grid(page: PageRows, number: int) -> tuple[list[list[ElementRow | None]], bool]:
    """The cells by row and column, those that span several in each of their places; and does a table hold another?"""
    grid: list[list[ElementRow | None]] = []
    hanging: dict[int, tuple[ElementRow, int]] = {}  # cells from the rows above, by column, with the rows that are left
    place, last, is_nested = number + 1, page.rows[number].last, False
    line: list[ElementRow | None] = []

    def put_hanging() -> None:
        while len(line) in hanging and len(line) < _MOST_COLUMNS:
            cell, left = hanging.pop(len(line))
            if left > 1:
                following[len(line)] = cell, left - 1
            line.append(cell)

    following: dict[int, tuple[ElementRow, int]] = {}
    while place < last:
        row = page.rows[place]
        if _is_table(row):
            is_nested = True
            place = row.last
            continue
        if row.tag == "tr" or row.attribute("role") == "row":
            if grid:
                put_hanging()
            hanging = following
            following, line = {}, []
            grid.append(line)
        elif grid and (row.tag in ("td", "th") or (row.tag in ("div", "span") and row.attribute("role") in _CELLS)):
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


def _span(row: ElementRow, name: str) -> int:
    value = row.attribute(name).strip()
    return max(1, min(int(value), 1000)) if value.isascii() and value.isdigit() else 1


def _is_data(page: PageRows, number: int, texts: list[str]) -> bool:
    if page.rows[number].attribute("role") in ("presentation", "none"):
        return False
    if any(row.tag in _LAYOUT_TAGS or row.code is not None for row in page.inside(number)):
        return False
    return sum(len(text.split()) for text in texts) <= _MOST_CELL_WORDS * max(1, len(list(filter(None, texts))))


class _PageNote(NamedTuple):
    """A note, the row of its text, and the row of the first mark that refers to it."""

    text: str
    row: int
    mark: int


def _marks(page: PageRows) -> Iterator[tuple[int, int]]:
    """The places of marks that lead to another place of the page, whether there is a note or not."""
    here = address(page.base, page.base).partition("#")[0]
    for row in page.rows:
        if row.tag == "a" and "#" in (target := row.attribute("href")):
            leads_here = address(target, page.base).partition("#")[0] == here
            if leads_here and _NOTE_MARK.fullmatch(page.text[row.start : row.end].strip()):
                yield row.start, row.end


def _notes(page: PageRows) -> Iterator[_PageNote]:
    """The notes that a mark before them refers to, each once."""
    targets: dict[str, int] = {}
    links: list[int] = []
    for number, row in enumerate(page.rows):
        name = row.attribute("id") or (row.attribute("name") if row.tag == "a" else "")
        if name:
            targets.setdefault(name, number)
        if row.tag == "a" and row.attribute("href").startswith("#"):
            links.append(number)
    seen: set[int] = set()
    for mark in links:
        row = page.rows[mark]
        target = targets.get(row.attribute("href")[1:])
        if target is None or target <= mark or not _NOTE_MARK.fullmatch(page.text[row.start : row.end].strip()):
            continue
        holder = _holder(page, target)
        if holder is None or holder in seen or page.rows[holder].start <= row.start:
            continue
        if not _NOTE_NAME.search(row.attribute("href")[1:]) and not _leads_back(page, holder, mark, targets):
            continue
        seen.add(holder)
        text = words(_without_links_back(page, holder))
        if text and len(text.split()) <= _MOST_NOTE_WORDS:
            yield _PageNote(text, holder, mark)


def _holder(page: PageRows, target: int) -> int | None:
    for number in (target, *page.around(target)):
        if page.rows[number].tag in _HOLDERS:
            return number
        if page.rows[number].tag in ("body", "article", "ol", "ul", "table"):
            return None
    return None


def _leads_back(page: PageRows, holder: int, mark: int, targets: dict[str, int]) -> bool:
    names = {page.rows[number].attribute("id") for number in (mark, *list(page.around(mark))[:2])}
    names |= {row.attribute("id") for row in page.inside(mark)}
    return any(row.tag == "a" and row.attribute("href")[1:] in names - {""} for row in page.inside(holder))


def _without_links_back(page: PageRows, holder: int) -> str:
    row = page.rows[holder]
    text, at = "", row.start
    for inner in page.inside(holder):
        leads_back = (inner.tag == "a" and inner.attribute("href").startswith("#")) or _BACKLINK in inner.classes
        if inner.start >= at and leads_back:
            text += page.text[at : inner.start]
            at = inner.end
    return text + page.text[at : row.end]
