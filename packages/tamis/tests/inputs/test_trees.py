"""Trees of other libraries as pages: each library is the real one."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest

pytest.importorskip("parsel")

import bs4
import html5lib
import lxml.etree
import lxml.html
import parsel
import selectolax.lexbor
import turbohtml

import tamis

PAGE = (
    "<!DOCTYPE html><html><head><title>T</title><script>if (1<2) stop()</script></head><body><nav>Home</nav>"
    '<div><p>Tea &amp; <b>cake</b> &lt;now&gt;<br>at the café</p></div> tail<svg viewBox="0 0 1 1"><path></path></svg>'
    "</body></html>"
)
PART = "<p>Tea &amp; <b>cake</b> &lt;now&gt;<br>at the café</p>"
URL = "https://harbour.example/news/"

Parse = Callable[[str], Any]


def text_of(page: Any) -> str:
    return tamis.extract(page, extractor="keep-all").text


WHOLE: dict[str, Parse] = {
    "lxml.html": lxml.html.document_fromstring,
    "lxml tree": lambda html: lxml.html.document_fromstring(html).getroottree(),
    "lxml XHTML": lambda html: html5lib.parse(html, treebuilder="lxml"),
    "bs4": lambda html: bs4.BeautifulSoup(html, "html.parser"),
    "bs4 with lxml": lambda html: bs4.BeautifulSoup(html, "lxml"),
    "lexbor": selectolax.lexbor.LexborHTMLParser,
    "turbohtml": turbohtml.parse,
    "xml.etree": html5lib.parse,
    "xml.etree without namespaces": lambda html: html5lib.parse(html, namespaceHTMLElements=False),
    "xml.etree tree": lambda html: ET.ElementTree(html5lib.parse(html)),
    "parsel": lambda html: parsel.Selector(html),
    "parsel list": lambda html: parsel.Selector(html).css("html"),
}
PARTS: dict[str, Parse] = {
    "lxml.html": lambda html: lxml.html.document_fromstring(html).find(".//p"),
    "bs4": lambda html: bs4.BeautifulSoup(html, "html.parser").p,
    "lexbor": lambda html: selectolax.lexbor.LexborHTMLParser(html).css_first("p"),
    "turbohtml": lambda html: turbohtml.parse(html).select_one("p"),
    "xml.etree": lambda html: html5lib.parse(html, namespaceHTMLElements=False).find(".//p"),
    "parsel": lambda html: parsel.Selector(html).css("p")[0],
    "parsel list": lambda html: parsel.Selector(html).css("p"),
}


@pytest.mark.parametrize("library", WHOLE)
def test_a_whole_page(library: str) -> None:
    page = tamis.extract(WHOLE[library](PAGE), extractor="keep-all")
    assert (page.text, page.title) == (text_of(PAGE), "T")


@pytest.mark.parametrize("library", PARTS)
def test_a_part_of_a_page(library: str) -> None:
    assert text_of(PARTS[library](PAGE)) == text_of(PART)


def test_the_text_behind_a_part_is_no_part_of_it() -> None:
    for tree in (html5lib.parse(PAGE), html5lib.parse(PAGE, namespaceHTMLElements=False)):
        (part,) = [node for node in tree.iter() if node.tag.endswith("div")]
        assert text_of(part) == text_of(PART)
        assert part.tail == " tail"


@pytest.mark.parametrize("library", ["lxml XHTML", "xml.etree"])
def test_the_tree_is_not_changed(library: str) -> None:
    tree = WHOLE[library](PAGE)
    root = tree.getroot() if hasattr(tree, "getroot") else tree
    tags = [node.tag for node in root.iter()]
    tamis.extract(tree)
    assert [node.tag for node in root.iter()] == tags


def test_a_subclass_of_the_user() -> None:
    class Mine(bs4.BeautifulSoup):
        pass

    assert text_of(Mine(PAGE, "html.parser")) == text_of(PAGE)


def test_the_address_that_a_tree_knows_is_used() -> None:
    trees = [
        lxml.html.document_fromstring(PAGE, base_url=URL),
        lxml.etree.parse(BytesIO(PAGE.encode()), lxml.etree.HTMLParser(), base_url=URL),
        parsel.Selector(PAGE, base_url=URL),
        parsel.Selector(PAGE, base_url=URL).css("p"),
    ]
    for tree in trees:
        assert tamis.extract(tree).url == URL
        assert tamis.extract(tree, url="https://other.example/").url == "https://other.example/"
    assert tamis.extract(lxml.html.document_fromstring(PAGE, base_url="page.html")).url is None


def test_texts_of_selectors_are_text() -> None:
    assert text_of(parsel.Selector(PAGE).css("b::text")) == "cake"
    assert text_of(bs4.BeautifulSoup(PAGE, "html.parser").b.string) == "cake"  # type: ignore[union-attr]


@pytest.mark.parametrize("empty", [lxml.etree.ElementTree(), ET.ElementTree(), bs4.BeautifulSoup("", "html.parser")])
def test_an_empty_tree_is_an_empty_page(empty: Any) -> None:
    assert text_of(empty) == ""


def test_a_tree_that_is_too_deep_is_an_input_error() -> None:
    root = node = ET.Element("div")
    for _ in range(50_000):
        node = ET.SubElement(node, "div")
    with pytest.raises(tamis.InputError, match="Element is nested too deeply"):
        tamis.extract(root)


@pytest.mark.parametrize("other", [bs4.BeautifulSoup(PAGE, "html.parser").find_all("p"), lxml.etree.HTMLParser(), ET])
def test_other_objects_of_these_libraries_are_no_pages(other: Any) -> None:
    with pytest.raises(tamis.OptionError, match="a page is str"):
        tamis.extract(other)


def test_many_pages_may_be_trees() -> None:
    pages = [parse(PAGE) for parse in (WHOLE["bs4"], WHOLE["parsel"], WHOLE["lexbor"])]
    found = list(tamis.extract_many(pages, workers=1, extractor="keep-all"))
    assert [each.text for each in found if isinstance(each, tamis.Extracted)] == [text_of(PAGE)] * 3
