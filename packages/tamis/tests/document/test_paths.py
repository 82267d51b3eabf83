from __future__ import annotations

from collections.abc import Iterable

import pytest
import turbohtml

from tamis import Document
from tamis.document.paths import Paths
from tests.golden import GoldenPage, golden_pages


def leads_to(document: Document, rows: Iterable[int]) -> list[str]:
    """What the paths of leaves lead to: the text, or the tag of a medium."""
    paths = Paths(document)
    nodes: list[object] = []
    for row in rows:
        match = document.tree.xpath(paths.xpath(row))
        assert isinstance(match, list)
        assert len(match) == 1
        nodes += match
    return [node.tag if isinstance(node, turbohtml.Element) else str(node) for node in nodes]


def wanted(document: Document, rows: Iterable[int]) -> list[str]:
    leaves = document.leaves
    return [leaves.text[row] or document.elements.tag[leaves.element[row]] for row in rows]


@pytest.mark.parametrize(
    "html",
    [
        "<p>a</p><p>b<b>c</b>d<!-- x -->e<br>f</p><div><p>g</p></div>",
        "<p> <b>a</b> b <i>c</i></p>",
        "<title>t</title><ul><li>a<li>b<img><li><img><picture><img></picture></ul>",
        "<table>x<tr><td>a<td>b<tr><td>c</table>",
        "<svg><title>t</title><g><text>a</text><text>b</text></g></svg><math><mi>x</mi><mi>y</mi></math>",
        "<p>a<script>s</script>b<style>t</style>c</p><noscript>d</noscript>",
        "<b><p>wrongly</b>nested</p><a>x<table><a>y",
        "<my-card>a</my-card><my-card>b</my-card>",
        "<div>a<o:p>b</o:p><p>c<o:p>d</o:p>e</p><o:p>f<b>g</b></o:p></div>",
        "<svg><style>s<!-- c -->t</style><style>u<g>v</g>w</style><text>x</text></svg><p>y</p>",
        "<frameset><frame src=x><noframes><p>a</p><p>b</p></noframes></frameset>",
    ],
)
def test_a_path_leads_back_to_its_leaf(html: str) -> None:
    document = Document.from_html(html)
    rows = range(len(document.leaves))
    assert leads_to(document, rows) == wanted(document, rows)


def test_a_path_is_one_that_browsers_show() -> None:
    paths = Paths(Document.from_html("<div>a</div><div>b<p>c<b>d</b>e<img></p></div>"))
    assert paths.xpath(1) == "/html[1]/body[1]/div[2]/text()[1]"
    assert paths.xpath(4) == "/html[1]/body[1]/div[2]/p[1]/text()[2]"
    assert paths.xpath(5) == "/html[1]/body[1]/div[2]/p[1]/img[1]"
    assert paths.tag_path(3) == "html/body/div/p/b"


@pytest.mark.parametrize("levels", [150, 250, 5_000])
def test_paths_of_deep_pages_stay_short_and_lead_back(levels: int) -> None:
    document = Document.from_html("<p>top</p>" + "<div>" * levels + "<p>a</p><p>b<i>c</i>d<img></p>")
    rows = range(len(document.leaves))
    assert leads_to(document, rows) == wanted(document, rows)
    paths = Paths(document)
    assert all(len(paths.xpath(row)) < 200 * len("/div[1]") for row in rows)


def test_a_deep_element_is_named_by_its_number() -> None:
    paths = Paths(Document.from_html("<p>top</p>" + "<div>" * 250 + "<p>a</p><p>b<i>c</i>d"))
    assert paths.xpath(0) == "/html[1]/body[1]/p[1]/text()[1]"
    assert paths.xpath(1) == "(//p)[2]/text()[1]"
    assert paths.xpath(4) == "(//p)[3]/text()[2]"
    assert paths.tag_path(1) == ".../p"


def test_deep_elements_of_other_names_lead_back() -> None:
    document = Document.from_html("<div>" * 250 + "<o:p>a</o:p><o:p>b<i>c</i></o:p>")
    assert leads_to(document, range(3)) == ["a", "b", "c"]


@pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
def test_paths_lead_back_on_whole_pages(page: GoldenPage) -> None:
    document = page.document()
    below_templates = document.inside("template")  # no XPath reaches those
    rows = [row for row in range(len(document.leaves)) if not below_templates[row]]
    assert leads_to(document, rows) == wanted(document, rows)
