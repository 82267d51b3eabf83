"""Markdown, construct by construct (whole pages are in tests/pages), and front matter, as readers of YAML read it."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.metadata import Metadata
from tamis.render.markdown import front_matter


def markdown(source: str) -> str:
    return tamis.extract(source, extractor="keep-all").markdown


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>schön <b>größer</b>, <em>naïve</em></p>", "schön **größer**, *naïve*"),
        ("<ol start=3><li>x</li><li>y</li></ol>", "3. x\n4. y"),
        ("<ul><li>a</li> <ul><button>Copy</button></ul></ul><pre>x\ny</pre>", "- a\n\n```\nx\ny\n```"),
        ("<p>a<br><br>b</p>", "a\n\nb"),
        ('<p>t <img src="i.png" alt="A cat"> t</p>', "t ![A cat](i.png) t"),
        ("<p>x</p><ul><li><ul><li><hr>a</li></ul></li></ul>", "x\n\n- - ___\n\n    a"),
        ("<dl><dt><pre>a\n\n&lt;b&gt;</pre></dt></dl>", "- **`a <b>`**"),
        ('<p>\\\\<img src="https://x.example/"></p>', "\\\\\\\\![](https://x.example/)"),
        ("<p>1. not a list</p>", "1\\. not a list"),
        ("<p>&lt;<u>img x&gt;</u> &amp;<u>lt;</u> a &lt; b</p>", "&lt;img x> &amp;lt; a < b"),
        ("<p>[y <math><mtext>](x)</mtext></math></p>", "[y $\\text{]{}(x)}$"),
        ("<svg></svg><hr><p>title: x</p><hr><p>y</p>", "***\n\ntitle: x\n\n---\n\ny"),
        ('<a href="x"><h3>Head</h3><p>para</p></a>', "### [Head](x)\n\npara"),
        (
            '<p>t</p><iframe src="https://v.example/1" title="Film"></iframe><p>t</p>',
            "t\n\n[Film](https://v.example/1)\n\nt",
        ),
    ],
)
def test_constructs(source: str, expected: str) -> None:
    assert markdown(source) == expected


yaml = pytest.importorskip("yaml", reason="needs PyYAML, which the documentation brings")


def read(block: str) -> object:
    before, content, after = block.split("---\n")
    assert before == after == ""
    return yaml.safe_load(content)


def test_what_is_known_of_a_page() -> None:
    source = """<html lang=no><title>"Fjord": #1 [new] - Site</title><meta name=author content="Ann Lee">
        <meta name=date content=2024-03-05><meta name=keywords content="deep water, yes">
        <meta property=og:site_name content=Site><body><h1>"Fjord": #1 [new]</h1><p>Some text of five words"""
    page = tamis.extract(source, extractor="keep-all", url="https://site.example/page", include_title=True)
    assert read(page.front_matter) == {
        "title": '"Fjord": #1 [new]',
        "author": "Ann Lee",
        "authors": ["Ann Lee"],
        "date": datetime.date(2024, 3, 5),
        "source": "https://site.example/page",
        "site": "Site",
        "language": "no",
        "tags": ["deep-water", "yes"],
        "words": page.words,
        "tokens": page.tokens,
    }


def test_several_authors_and_categories_are_lists() -> None:
    page = tamis.extract("<p>text</p>")
    known = Metadata(
        title="T",
        authors=("Ann Lee", "Bo Ray"),
        date="2024-03",
        date_modified="2024-03-06",
        section="Harbour",
        categories=("News", "Old boats"),
        license="CC BY 4.0",
    )
    page.__dict__["metadata"] = known  # as if it had been read
    found = read(page.front_matter)
    assert isinstance(found, dict)
    assert {name: value for name, value in found.items() if name not in ("words", "tokens")} == {
        "title": "T",
        "author": "Ann Lee, Bo Ray",
        "authors": ["Ann Lee", "Bo Ray"],
        "date": "2024-03",
        "modified": datetime.date(2024, 3, 6),
        "section": "Harbour",
        "license": "CC BY 4.0",
        "categories": ["News", "Old boats"],
    }


def test_a_page_of_which_nothing_is_known() -> None:
    assert read(tamis.extract("").front_matter) == {"words": 0, "tokens": 0}


@given(st.text(st.characters(codec="utf-8")), st.lists(st.text(st.characters(codec="utf-8"))))
def test_any_text(text: str, tags: list[str]) -> None:
    expected = {"title": text, "tags": tags, "words": 3}
    facts = {key: value for key, value in expected.items() if value not in ("", [])}
    block = front_matter(expected)
    assert "\n" not in "".join(line for line in block.split("\n"))
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        assert read(block) == facts
    assert "<" not in block
    assert "[" not in block
