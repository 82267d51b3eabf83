"""Elements by what they are and what they are called."""

from __future__ import annotations

import numpy as np
import pytest

from tamis import Document
from tamis.document import Elements
from tests.golden import GoldenPage, golden_pages
from tests.hostile import HOSTILE

TELLING = ("role", "itemprop", "itemtype")
PAGES = {
    "plain": "<div role=main><p>a<p itemprop=name>b</p></div><i itemtype=x>c</i><b>d</b>",
    "without values": '<p role>x<p role="">y<p itemprop>z',
    "capitals": "<P ROLE=MAIN>x<DIV ItemProp=Name>y</DIV>",
    "templates": "<p role=a>x<template><p role=b>y<template><i itemprop=c>z</i></template></template><p role=d>e",
    "a shadow root": "<div><template shadowrootmode=open><p role=x>a</p></template><b role=z>c</b></div><p role=e>f",
    "SVG": "<svg role=img><title>a</title><foreignObject><p role=b>x</foreignObject></svg><p role=c>y",
    "frames": "<frameset role=z><frame role=x><noframes><p role=b>x</noframes></frameset>",
    "head": "<head itemtype=x><meta itemprop=y><noscript><link itemprop=z></noscript></head><p role=b>x",
    "wrongly nested": "<b role=x><p role=y>1</b>2<table role=t>3<a role=4><tr role=r><td><a role=5>",
    "hidden": "<p hidden role=a>x<p style='display:none'>y<p style='color:red'>z<p role=b>x",
    "html and body": "<html role=a><body itemtype=b><p>c",
    "empty": "",
}


def elements(html: str | bytes) -> Elements:
    return Document.from_html(html).elements


def having(found: Elements, *names: str) -> set[int]:
    return {row for row in range(len(found)) if any(found.attribute(row, name) is not None for name in names)}


def check_notable(found: Elements) -> None:
    rows = found.notable.tolist()
    assert rows == sorted(set(rows)), "in document order, each once"
    assert set(rows) == having(found, *TELLING)


class TestNotable:
    @pytest.mark.parametrize("name", PAGES)
    def test_small_pages(self, name: str) -> None:
        check_notable(elements(PAGES[name]))

    @pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
    def test_golden_pages(self, page: GoldenPage) -> None:
        check_notable(page.document().elements)

    @pytest.mark.parametrize("kind", HOSTILE)
    def test_hostile_pages(self, kind: str) -> None:
        check_notable(elements(HOSTILE[kind](1_000)))

    def test_where_they_are(self) -> None:
        found = elements("<div role=main><p>a</p></div><p>b</p><i itemprop=x>c</i><b itemtype=y>d</b>")
        assert [found.tag[row] for row in found.notable] == ["div", "i", "b"]

    def test_a_page_that_says_nothing_has_none(self) -> None:
        assert elements("<p class=a id=b>x<p style='color: red' aria-label=role>y").notable.tolist() == []

    def test_one_that_is_read_again_after_it_was_unfolded_is_the_same(self) -> None:
        document = Document.from_html("<p hidden role=a>x<p role=b>y")
        assert document.unfolded.elements.notable.tolist() == document.elements.notable.tolist()


class TestNodes:
    def test_those_asked_for_in_document_order(self) -> None:
        found = elements("<p id=1>a<div><p id=2>b</div><template><p id=3>c</template><P ID=4>d")
        mask = np.array(found.tag) == "p"
        assert [node.attr("id") for node in found.nodes(mask)] == ["1", "2", "3", "4"]
        assert found.nodes(np.zeros(len(found), dtype=np.bool_)) == []

    @pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
    def test_golden_pages(self, page: GoldenPage) -> None:
        found = page.document().elements
        every = found.nodes(np.ones(len(found), dtype=np.bool_))
        assert [node.attr("class") or "" for node in every] == found.class_
        third = np.arange(len(found)) % 3 == 0
        assert [node.tag for node in found.nodes(third)] == found.tag[::3]
