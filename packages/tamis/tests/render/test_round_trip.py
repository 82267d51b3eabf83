"""Two independent parsers read in the Markdown what `page.html` says: words, links, code, tables, formulas."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations
from unicodedata import normalize
from urllib.parse import quote, unquote

import cmarkgfm
import pytest
import turbohtml
from cmarkgfm.cmark import Options
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

import tamis
from tamis.render.content import Child, Node
from tamis.render.markdown_table import grid
from tests.golden import GoldenPage, golden_pages, structure_pages
from tests.markdown_pages import PIECES

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
_FRACTION = re.compile(r"\\frac\{(\d+)\}\{(\d+)\}")
_FORMULA = re.compile(r"\$\$\n[> ]*(.*?)\n[> ]*\$\$|\$(?=\S)([^$\n]*[^\s\\$])\$(?!\d)", re.DOTALL)


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
        tex = "".join(_folded(each.text) for each in node.select("annotation"))
        if fraction := _FRACTION.fullmatch(tex):
            found.words += fraction[1] + fraction[2]
        else:
            found.formulas.append(tex)
    elif "math" in classes or tag == "eq":
        found.formulas.append(_folded(node.text))
    elif tag == "pre":
        found.code.append(node.text.rstrip("\n"))
    elif tag == "table":
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
        found.formulas += note.formulas


def _grid(table: turbohtml.Element, found: Said) -> list[list[str]]:
    """The rows of a table that hold any text, with the cells that a span covers filled in. Captions are text."""
    elements: dict[int, turbohtml.Element] = {}
    root = _node(table, elements)
    table_grid = grid(root)
    for caption in table_grid.captions:
        _read(elements[id(caption)], found)
    rows: list[list[str]] = []
    for row in table_grid.rows:
        rows.append([])
        for cell in row:
            inner = Said()
            if cell is not None:
                _read(elements[id(cell)], inner)
            rows[-1].append(inner.words)
            found.links += inner.links
            found.code += inner.code
            found.formulas += inner.formulas
    return [row for row in rows if any(row)]


def _node(element: turbohtml.Element, elements: dict[int, turbohtml.Element]) -> Node:
    """An element as a node of the content tree; `elements` is told where it comes from."""
    children: list[Child] = []
    for child in element:
        if isinstance(child, turbohtml.Text):
            children.append(child.data)
        elif isinstance(child, turbohtml.Element):
            children.append(_node(child, elements))
    spans = {name: value for name in ("colspan", "rowspan") if (value := element.attr(name))}
    node = Node(element.tag, spans, children)
    elements[id(node)] = element
    return node


def letters(text: str) -> str:
    """Only letters and digits, in their simplest form: brackets, quotes and scripts are written differently."""
    return "".join(character for character in normalize("NFKC", text) if character.isalnum())


def _folded(tex: str) -> str:
    """A formula without white space, and with the bars that may not stand in a cell of Markdown."""
    return "".join(tex.split()).replace(r"\vert", "|").replace(r"\Vert", r"\|")


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


def assert_same(page: tamis.Page, *, all_links: bool = True) -> None:
    expected = said(page.html)
    for read in (by_markdown_it, by_cmark):
        found = read(page.markdown)
        assert found.code == expected.code, read.__name__
        if not expected.has_embeds:
            assert found.words == expected.words, read.__name__
            lost, made_up = (Counter(a) - Counter(b) for a, b in permutations((expected.links, found.links)))
            assert not made_up, read.__name__
            assert not (lost and all_links), read.__name__
        assert found.notes == expected.notes, read.__name__
        assert found.tables == expected.tables, read.__name__
        assert found.formulas == expected.formulas, read.__name__


def extracted(html: str) -> tamis.Page:
    return tamis.extract(html, extractor="keep-all", url="https://site.example/")


def test_golden_pages() -> None:
    for golden in golden_pages():
        assert_same(golden.perfect())


@pytest.mark.parametrize("page", structure_pages(), ids=lambda page: page.name)
def test_structure_pages(page: GoldenPage) -> None:
    assert_same(page.extracted())
    if not page.name.startswith("tasks-"):  # cmark reads a list of tasks only at the top
        assert_same(extracted(f"<ul><li>Item</li><li>{page.html}</li></ul>"))
        assert_same(extracted(f"<blockquote>{page.html}</blockquote>"))


@given(st.lists(PIECES.filter(lambda piece: "math" not in piece and "mtext" not in piece), max_size=30))
def test_any_markup(pieces: list[str]) -> None:
    # Markdown has no links around code, and none in links.
    assert_same(extracted("".join(pieces)), all_links=False)
