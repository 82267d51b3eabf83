"""Two independent parsers read in the Markdown what `page.html` says: words, links, code, tables, formulas."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from unicodedata import normalize
from urllib.parse import quote, unquote

import cmarkgfm
import pytest
import turbohtml
from cmarkgfm.cmark import Options
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

import tamis
from tests.golden import golden_pages
from tests.render.test_markdown_rendered import PIECES
from tests.structure_pages import StructurePage, structure_pages

_MARKDOWN_IT = (
    MarkdownIt("commonmark", {"html": True})
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(tasklists_plugin)
    .use(dollarmath_plugin, allow_labels=False, allow_digits=False)
)
_MARKDOWN_IT.validateLink = lambda url: True  # type: ignore[method-assign]
_OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
_KINDS = ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION")
_ALERT = re.compile(r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]")
_FORMULA = re.compile(r"\$\$\n(.*?)\n\$\$|\$(?=\S)([^$\n]*[^\s\\$])\$(?!\d)", re.DOTALL)


@dataclass
class Said:
    """What a reader of HTML finds in it."""

    words: str = ""  # letters and digits outside of tables and notes, in their order
    notes: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)  # rows of cells, spans filled in
    formulas: list[str] = field(default_factory=list)
    has_embeds: bool = False


def said(html: str) -> Said:
    """Read clean HTML, or what a parser of Markdown made of it."""
    found = Said()
    _read(turbohtml.parse_fragment(html), found)
    for each in (found.formulas, found.links, found.notes):
        each.sort()
    return found


def _read(node: turbohtml.Node, found: Said) -> None:
    for child in node:
        if isinstance(child, turbohtml.Text):
            found.words += letters(_ALERT.sub("", child.data))
        elif isinstance(child, turbohtml.Element):
            _read_element(child, found)


def _read_element(node: turbohtml.Element, found: Said) -> None:
    tag, role, classes = node.tag, node.attr("role") or "", (node.attr("class") or "").split()
    if tag == "math":
        found.formulas += [_folded(each.text) for each in node.select("annotation")]
    elif "math" in classes or tag == "eq":
        found.formulas.append(_folded(node.text))
    elif tag == "pre":
        found.code.append(node.text.rstrip("\n"))
    elif tag == "table":
        for caption in node.select("caption"):  # Markdown has it above the table
            _read(caption, found)
        found.tables.append(_grid(node, found))
    elif tag in ("iframe", "video", "audio"):
        found.has_embeds = True  # in Markdown they are links to where they can be seen
    elif role == "doc-noteref" or "footnote-ref" in classes:
        pass
    elif "footnotes" in classes or role == "doc-endnotes":
        _read_notes(node, found)
    elif not ("callout-title" in classes and node.text.upper() in _KINDS):
        if tag == "a" and not any("backref" in each for each in classes):
            found.links.append(_address(node.attr("href") or ""))
        _read(node, found)


def _read_notes(section: turbohtml.Element, found: Said) -> None:
    for item in section.select("li"):
        note = Said()
        _read(item, note)
        found.notes.append(note.words)
        found.links += [link for link in note.links if "fnref" not in link]
        found.code += note.code


def _grid(table: turbohtml.Element, found: Said) -> list[list[str]]:
    """The rows of a table that hold any text, with the cells that a span covers filled in."""
    rows: list[dict[int, str]] = []
    for number, row in enumerate(table.select("tr")):
        rows += [{} for _ in range(number + 1 - len(rows))]
        column = 0
        for cell in row.select("td, th"):
            while column in rows[number]:
                column += 1
            inner = Said()
            _read(cell, inner)
            found.links += inner.links
            found.code += inner.code
            found.formulas += inner.formulas
            wide, high = (int(cell.attr(name) or 1) for name in ("colspan", "rowspan"))
            for down in range(high):
                rows += [{} for _ in range(number + down + 1 - len(rows))]
                rows[number + down] |= dict.fromkeys(range(column, column + wide), inner.words)
            column += wide
        if len(rows[number]) > 1 and len(row.select("td, th")) == 1:  # the heading of a part stands in the first column
            rows[number] |= dict.fromkeys([each for each in rows[number] if each], "")
    width = max((max(row) + 1 for row in rows if row), default=0)
    filled = [[row.get(column, "") for column in range(width)] for row in rows]
    return [row for row in filled if any(row)]


def letters(text: str) -> str:
    """Only letters and digits, in their simplest form: brackets, quotes and scripts are written differently."""
    return "".join(character for character in normalize("NFKC", text) if character.isalnum())


def _folded(tex: str) -> str:
    return "".join(tex.split())


def _address(url: str) -> str:
    return quote(unquote(url))


def by_markdown_it(markdown: str) -> Said:
    return said(_MARKDOWN_IT.render(markdown))


def by_cmark(markdown: str) -> Said:
    formulas: list[str] = []

    def taken(match: re.Match[str]) -> str:
        formulas.append(_folded(match[1] or match[2]))
        return "\ufffc"

    html = cmarkgfm.markdown_to_html_with_extensions(
        _FORMULA.sub(taken, markdown), options=_OPTIONS, extensions=["table", "strikethrough", "tasklist"]
    )
    found = said(html)
    found.formulas = sorted(formulas)
    return found


def assert_same(page: tamis.Page) -> None:
    expected = said(page.html)
    for read in (by_markdown_it, by_cmark):
        found = read(page.markdown)
        assert found.code == expected.code, read.__name__
        if not expected.has_embeds:
            assert found.words == expected.words, read.__name__
            assert found.links == expected.links, read.__name__
        assert found.notes == expected.notes, read.__name__
        assert found.tables == expected.tables, read.__name__
        assert found.formulas == expected.formulas, read.__name__


def extracted(html: str) -> tamis.Page:
    return tamis.extract(html, extractor="keep-all", url="https://site.example/")


def test_golden_pages() -> None:
    for golden in golden_pages():
        assert_same(golden.perfect())


@pytest.mark.parametrize("page", structure_pages(), ids=lambda page: page.name)
def test_structure_pages(page: StructurePage) -> None:
    assert_same(page.extracted())


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=30))
def test_any_markup(pieces: list[str]) -> None:
    assert_same(extracted("".join(pieces)))
