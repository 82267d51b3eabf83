"""All elements of a page, or of what a contestant made of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from tamis_lab.bench.structure import code, formulas
from tamis_lab.bench.structure.elements import Element, address, plain_tex, words
from tamis_lab.bench.structure.images import images
from tamis_lab.bench.structure.notes import Note, marks, notes
from tamis_lab.bench.structure.rows import Row, Rows, read_rows
from tamis_lab.bench.structure.tables import cells

_HEADINGS = {f"h{level}": str(level) for level in range(1, 7)}
_INNER = frozenset(("ul", "ol", "dl", "table", "pre", "blockquote"))
_MOST_HEADING_WORDS = 60
_MOST_ITEM_WORDS = 150
_MOST_ITEM_LINES = 6
_CALLOUTS = frozenset(("admonition", "markdown-alert", "theme-admonition"))
_CALLOUT_KIND = re.compile(r"(?:^|[\s_-])(?:note|info|tip|hint|important|warning|caution|danger)(?:$|\s)")
_CALLOUT_MARK = re.compile(r"\[!\w{1,20}\][+-]?")
_TASK_BOX = len("[x]")
_TASK = re.compile(r"\[[ xX]\] ")


@dataclass(frozen=True)
class Reading:
    """The text, the elements in it, and how formulas and images are told from one another."""

    text: str  # a line for each block; formulas and marks of notes are left out
    elements: list[Element]
    images: dict[str, str]  # each address of an image with the one by which it is counted
    raw_formulas: re.Pattern[str] | None  # the delimiters in use, if any
    unnamed_formulas: int  # formulas whose TeX the page does not say
    embedded: frozenset[str] = frozenset()  # addresses of frames, videos and sounds, which may be written as links

    @property
    def has_formulas(self) -> bool:
        """Is there a formula, whatever it is?"""
        return self.unnamed_formulas > 0 or any(element.kind == "formula" for element in self.elements)


def read(html: str, url: str | None, *, like: Reading | None = None, with_hidden: bool = False) -> Reading:
    """The elements of HTML. What was made of a page is read `like` that page: with its delimiters and images."""
    page = read_rows(html, url, with_hidden=with_hidden)
    delimiters = like.raw_formulas if like else formulas.raw_pattern(html)
    elements = [Element("formula", (plain_tex(row.tex),), row.start, row.end) for row in page.rows if row.tex]
    if delimiters:
        in_code = [(row.start, row.end) for row in page.rows if row.code is not None or row.tag == "code"]
        for tex, start, end in list(formulas.raw(page.text, delimiters)):
            if not any(low <= start < high for low, high in in_code):
                elements.append(Element("formula", (plain_tex(tex),), start, end))
                page.blank(start, end)
    noted = list(notes(page))
    for start, end in list(marks(page)):  # gold texts have them or leave them out as they like
        page.blank(start, end)
    pictures, names = images(page)
    if like:
        pictures = [one._replace(key=(like.images.get(one.key[0], one.key[0]),)) for one in pictures]
    elements += [
        *_headings(page),
        *_items(page, noted),
        *cells(page),
        *_code(page),
        *(_note(page, note) for note in noted),
        *_links(page),
        *pictures,
        *_quotations(page),
    ]
    unnamed = sum(row.tex == "" for row in page.rows)
    return Reading(page.text, elements, names, delimiters, unnamed, frozenset(page.embedded))


def _headings(page: Rows) -> Iterator[Element]:
    for number, row in enumerate(page.rows):
        level = _HEADINGS.get(row.tag) or (row.attribute("role") == "heading" and row.attribute("aria-level"))
        if level and (text := words(page.text[row.start : row.end])):
            # A heading in a cell is a heading in a layout table, and the cell of another one.
            in_cell = any(page.rows[each].tag in ("td", "th") for each in page.around(number))
            sure = len(text.split()) <= _MOST_HEADING_WORDS and not in_cell
            yield Element("heading", (text,), row.start, row.end, sure)
            yield Element("heading level", (text, level), row.start, row.end, sure)


def _items(page: Rows, noted: list[Note]) -> Iterator[Element]:
    note_rows = {note.row for note in noted}
    layout = {number for number, row in enumerate(page.rows) if row.tag == "li" and _is_layout(page, number)}
    for number, row in enumerate(page.rows):
        if row.tag == "dl":
            yield from _definitions(page, number)
        if row.tag != "li" or not (text := words(_without_box(_own_text(page, number)))):
            continue
        # A list in an item that is a part of the page is at its first level, whatever is around.
        inside = takewhile(lambda each: each not in layout, page.around(number))
        lists = [page.rows[each].tag for each in inside if page.rows[each].tag in ("ol", "ul")] or ["ul"]
        sure = number not in layout and number not in note_rows
        yield Element("list item", (text,), row.start, row.end, sure)
        yield Element("list depth", (text, str(len(lists)), lists[0]), row.start, row.end, sure)


def _without_box(text: str) -> str:
    """The text of a task without its box as Markdown writes it."""
    text = text.lstrip()
    return text[_TASK_BOX:] if _TASK.match(text) else text


def _own_text(page: Rows, number: int) -> str:
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


def _is_layout(page: Rows, number: int) -> bool:
    """Is an item a part of the page, such as an article or a comment, rather than of a list that someone wrote?"""
    if any(row.tag in _HEADINGS or row.tag in ("article", "form", "nav", "section") for row in page.inside(number)):
        return True
    text = _own_text(page, number)
    return len(text.split()) > _MOST_ITEM_WORDS or sum(map(bool, map(str.strip, text.split("\n")))) > _MOST_ITEM_LINES


def _definitions(page: Rows, number: int) -> Iterator[Element]:
    """Terms with their definitions, together and alone: Markdown has no such list, so all of these may be items."""
    term = ""
    for row in page.inside(number):
        if row.tag in ("dt", "dd") and (text := words(page.text[row.start : row.end])):
            term = text if row.tag == "dt" else f"{term} {text}"
            for key in {text, term}:
                yield Element("list item", (key,), row.start, row.end, sure=False)
                yield Element("list depth", (key, "1", "ul"), row.start, row.end, sure=False)


def _code(page: Rows) -> Iterator[Element]:
    for row in page.rows:
        if row.code:
            yield Element("code", (row.code,), row.start, row.end)
            if language := code.language(row.node):
                yield Element("code language", (row.code, language), row.start, row.end)


def _note(page: Rows, note: Note) -> Element:
    row = page.rows[note.row]
    return Element("footnote", (note.text,), row.start, row.end)


def _links(page: Rows) -> Iterator[Element]:
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
            yield Element("link", (text, where), row.start, row.end, sure=not within and not blocks)


def _quotations(page: Rows) -> Iterator[Element]:
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


def _is_callout(row: Row) -> bool:
    classes = row.classes
    if _CALLOUTS.intersection(classes):
        return True
    boxed = "callout" in classes or "alert" in classes
    return boxed and bool(row.attribute("data-callout") or _CALLOUT_KIND.search(" ".join(classes)))


def _last_paragraph(page: Rows, row: Row) -> list[Element]:
    return [one._replace(kind="callout") for one in _paragraphs(page, row)][-1:]


def _paragraphs(page: Rows, row: Row) -> Iterator[Element]:
    at = row.start
    for line in page.text[row.start : row.end].split("\n"):
        if text := words(_CALLOUT_MARK.sub("", line)):
            yield Element("", (text,), at, at + len(line))
        at += len(line) + 1
