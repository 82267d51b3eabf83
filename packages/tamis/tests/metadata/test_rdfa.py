"""The candidates in RDFa."""

from __future__ import annotations

import pytest

from tamis.metadata.markup import rdfa_source
from tamis.metadata.metadata import FIELDS
from tests.metadata.sources import found


def read(html: str, field: str) -> list[tuple[object, str]]:
    return found(rdfa_source, html, field)


LITE = """<div vocab="https://schema.org/" typeof="NewsArticle"><h1 property="headline">Bread at dawn</h1>
<p property="author" typeof="Person">By <span property="name">Ann Lee</span></p>
<time property="datePublished" datetime="2024-03-05">today</time><img property="image" src="/loaf.jpg">
<p property="publisher" typeof="Organization"><b property="name">The Oven</b></p></div>"""
SCHEMA = """<article about="/news/bread.html" typeof="schema:Article">
<h2><span property="schema:name">Bread at dawn</span></h2>
<span rel="schema:author"><a about="/user/1" typeof="schema:Person" property="schema:name">Ann Lee</a></span>
<span property="schema:dateCreated" content="2024-03-05T08:00:00+01:00">Tuesday</span></article>"""
SIOC = """<div about="/node/7" typeof="sioc:Item foaf:Document">
<span property="dc:title" content="Bread at dawn"></span>
<span property="dc:date dc:created" content="2024-03-05T08:00:00+01:00" rel="sioc:has_creator">by
<a about="/ann" typeof="sioc:UserAccount" property="foaf:name">Ann Lee</a></span></div>"""


@pytest.mark.parametrize(
    ("page", "title", "author", "date"),
    [
        (LITE, "Article.headline", "Article.author.person", ["Article.datePublished"]),
        (SCHEMA, "Article.name", "Article.author.person", ["Article.dateCreated"]),
        (SIOC, "Article.headline", "Article.creator.person", ["Article.datePublished", "Article.dateCreated"]),
    ],
    ids=["lite", "schema", "sioc"],
)
def test_the_usual_forms(page: str, title: str, author: str, date: list[str]) -> None:
    assert read(page, "title") == [("Bread at dawn", title)]
    assert read(page, "authors") == [(("Ann Lee",), author)]
    assert read(page, "date") == [("2024-03-05", place) for place in date]


@pytest.mark.parametrize(
    ("page", "field", "expected"),
    [
        (
            '<time property="dc:date dc:created" content="2024-03-05T06:00-04:00">x</time>',
            "date",
            ["loose.datePublished", "loose.dateCreated"],
        ),
        ('<h1 property="schema:headline">2024-03-05</h1>', "title", ["loose.headline"]),
        ('<h1 property="http://purl.org/dc/terms/title">2024-03-05</h1>', "title", ["loose.headline"]),
    ],
)
def test_properties_without_a_thing_are_loose(page: str, field: str, expected: list[str]) -> None:
    assert read(page, field) == [("2024-03-05", place) for place in expected]


@pytest.mark.parametrize(
    "page",
    [
        "<p>Bread</p>",
        '<meta property="og:title" content="Bread"><meta property="article:author" content="Ann Lee">',
        '<div typeof="mw:File"><span property="mw:name">Bread</span></div>',
        '<div typeof="foaf:Image"><span property="foaf:name">Bread</span></div>',
    ],
)
def test_other_vocabularies_say_nothing(page: str) -> None:
    assert [read(page, field) for field in FIELDS] == [[]] * len(FIELDS)
