"""The candidates in microdata and RDFa."""

from __future__ import annotations

import time

import pytest

from tamis.metadata.markup import microdata_source, rdfa_source
from tamis.metadata.metadata import FIELDS
from tests.metadata.sources import found, view


def read(html: str, field: str) -> list[tuple[object, str]]:
    return found(microdata_source, html, field)


def item(inner: str, kind: str = "Article", attributes: str = "") -> str:
    return f'<div itemscope itemtype="https://schema.org/{kind}" {attributes}>{inner}</div>'


AUTHOR = "<b itemprop=author>Ann Lee</b>"
ARTICLE = item(
    """<h1 itemprop="headline">Bread at <i>dawn</i></h1>
    <span itemprop="author" itemscope itemtype="https://schema.org/Person"><a itemprop="url" href="/ann">
      <b itemprop="name">Ann Lee</b></a></span>
    <time itemprop="datePublished" datetime="2024-03-05T08:00:00+01:00">today</time>
    <meta itemprop="dateModified" content="2024-03-06">
    <span itemprop="publisher" itemscope itemtype="https://schema.org/Organization"><meta itemprop="name" content="The
      Oven"></span>
    <p itemprop="description">How bakers work.</p><span itemprop="articleSection">Food</span>
    <span itemprop="keywords">bread, rye</span> <img itemprop="image" src="loaf.jpg">
    <link itemprop="mainEntityOfPage" href="/news/bread.html"><meta itemprop="inLanguage" content="en">
    <a itemprop="license" href="/license">Licence</a><meta itemprop="isAccessibleForFree" content="false">"""
)


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("title", [("Bread at dawn", "Article.headline")]),
        ("authors", [(("Ann Lee",), "Article.author.person")]),
        ("date", [("2024-03-05", "Article.datePublished")]),
        ("tags", [(("bread", "rye"), "Article.keywords")]),
        ("license", [("https://oven.example/license", "Article.license")]),
        ("canonical_url", [("https://oven.example/news/bread.html", "Article.mainEntityOfPage")]),
        ("image", [("https://oven.example/news/loaf.jpg", "Article.image")]),
        ("is_paywalled", [(True, "Article.isAccessibleForFree")]),
    ],
)
def test_each_field_has_its_places(field: str, expected: list[object]) -> None:
    assert read(ARTICLE, field) == expected


def test_properties_without_an_item_are_loose() -> None:
    page = '<h1 itemprop="headline">Bread</h1><b itemprop="author">Ann Lee</b>'
    assert read(page, "title") == [("Bread", "loose.headline")]
    assert read(page, "authors") == [(("Ann Lee",), "loose.author")]
    assert read("<p role=note>Bread</p>", "title") == []


@pytest.mark.parametrize(
    "element",
    [
        '<time itemprop="datePublished" datetime="2024-03-05">x</time>',
        '<span itemprop="datePublished" content="2024-03-05">x</span>',
        '<span itemprop="datepublished" datetime="2024-03-05">x</span>',  # not an attribute of SPAN, nor this spelling
        '<meta itemprop="http://schema.org/datePublished" content="2024-03-05">',
        '<time itemprop="datePublished" datetime="">March 5, 2024</time>',
        '<data itemprop="datePublished" value="2024-03-05">x</data>',
        '<b itemprop="datePublished dateModified">2024-03-05</b>',
    ],
)
def test_where_a_date_is(element: str) -> None:
    assert read(item(element), "date") == [("2024-03-05", "Article.datePublished")]


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        ('<a itemprop="author" href="/ann">Ann Lee</a>', {"": ("Ann Lee",)}),
        ('<a itemprop="author">Ann Lee</a>, <a itemprop="author">Bob Ray</a>', {"": ("Ann Lee", "Bob Ray")}),
        (item("Ann Lee", "Person", "itemprop=author"), {".person": ("Ann Lee",)}),
        (item("<b itemprop=name>The Oven", "Organization", "itemprop=author"), {".organization": ("The Oven",)}),
        ('<b itemprop="author" itemscope><i itemprop="name">Ann Lee</i></b>', {"": ("Ann Lee",)}),
        ('<b itemprop="author" itemtype="http://schema.org/Person">Ann Lee</b>', {".person": ("Ann Lee",)}),
        (AUTHOR + "<p>text</p>" * 50 + "<b itemprop=author>Bob Ray", {"": ("Ann Lee",), ".later": ("Bob Ray",)}),
        (item(AUTHOR, "Comment", "itemprop=comment"), {}),
        (item(AUTHOR, "Thing"), {}),
        (f"<template>{AUTHOR}</template>", {}),
    ],
)
def test_authors(authors: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert read(item(authors), "authors") == [(names, f"Article.author{end}") for end, names in expected.items()]


def test_lines_and_blocks_of_a_text_are_apart() -> None:
    for inner in ("<h1 itemprop=headline>Bread<br>at <b>da</b>wn</h1>", "<p itemprop=headline>Bread <i>at</i> dawn"):
        assert read(item(inner), "title") == [("Bread at dawn", "Article.headline")]
    blocks = item("<div itemprop=headline><p>Bread</p><p>dawn</p></div>")
    assert read(blocks, "title") == [("Bread dawn", "Article.headline")]


def test_the_post_of_a_blog_is_the_page() -> None:
    post = item("<h1 itemprop=headline>Bread</h1>", "BlogPosting", "itemprop=blogPost")
    assert read(item(f"<b itemprop=name>The Oven</b>{post}", "Blog"), "title")[0] == ("Bread", "Article.headline")


def test_the_first_comment_of_a_thread_may_be_its_post() -> None:
    post = "<b itemprop=author>ann{0}</b><i itemprop=datePublished>2024-03-0{0}</i>"
    posts = item(post.format(5), "Comment") + item(post.format(6), "Comment")
    assert read(posts, "date") == [("2024-03-05", "Comment.datePublished")]
    assert read(posts, "title") == []


def test_breadcrumbs_give_categories() -> None:
    step = '<a itemprop=item href="{0}"><b itemprop=name>{1}</b></a><b itemprop=position>{2}</b>'
    steps = [step.format("/", "Home", 1), step.format("/food", "Food", 2), step.format("/news/bread.html", "Bread", 3)]
    trail = "".join(item(each, "ListItem", "itemprop=itemListElement") for each in steps)
    assert read(item(trail, "BreadcrumbList"), "categories") == [(("Food",), "Breadcrumb")]


def test_an_item_may_refer_to_properties_elsewhere() -> None:
    page = "<p id=a><b itemprop=headline>Bread</b><p id=b><i itemprop=author>Ann Lee</i>" + item(
        "", attributes='itemref="b nothing a"'
    )
    assert ("Bread", "Article.headline") in read(page, "title")
    assert (("Ann Lee",), "Article.author") in read(page, "authors")


# RDFa


def read_rdfa(html: str, field: str) -> list[tuple[object, str]]:
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
    assert read_rdfa(page, "title") == [("Bread at dawn", title)]
    assert read_rdfa(page, "authors") == [(("Ann Lee",), author)]
    assert read_rdfa(page, "date") == [("2024-03-05", place) for place in date]


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
    assert read_rdfa(page, field) == [("2024-03-05", place) for place in expected]


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
    assert [read_rdfa(page, field) for field in FIELDS] == [[]] * len(FIELDS)


# Hostile pages


@pytest.mark.nightly
@pytest.mark.parametrize(
    "page",
    [
        "<div itemprop=headline>" * 400 + "x" * 100_000,
        "<div itemscope itemtype=Article itemprop=author>" * 400 + "x" * 100_000,
        "<p itemprop=author>Ann Lee</p>" * 20_000,
        item("<p itemprop='author name headline'>Ann Lee</p>" * 20_000),
        item("<p itemprop=author>Ann Lee</p>") * 5_000,
        f"<p itemprop='{'author ' * 100_000}'>Ann</p>",
        "<b id=a>" + item("", "Article", "itemprop=author itemref=a") * 300 + "</b>",
        "".join(
            item(
                f"<i id=i{n}>{item('', 'Person', f'itemprop=author itemref=i{n + 1}')}</i>", "Article", f"itemref=i{n}"
            )
            for n in range(300)
        ),
        "<b id=a>" + item("x", "Person", "itemprop=author itemref='a b c'") * 99 + "</b><b id=b itemprop=name></b>",
        f"<div itemscope itemtype=Article itemref='{'a ' * 50_000}'><b id=a itemprop=author>Ann</b></div>",
        "<template>" * 300 + "<p itemprop=author>Ann Lee</p>",
        "<div typeof=Article>" + "<div property=headline>" * 400 + "x" * 1_000_000,
        "<div typeof=Article property=author>" * 450 + "x" * 100_000,
        "<div typeof=Article><b property=author>Ann Lee</b></div>" * 20_000,
        f"<div typeof=Article><p property='{'author ' * 100_000}'>Ann</p></div>",
        "<p rel='schema:author'>" * 20_000 + "<b typeof=Person>Ann</b>",
    ],
    ids=range(16),
)
def test_hostile_pages_take_linear_time(page: str) -> None:
    seen = view(page)
    started = time.process_time()
    for source in (microdata_source(seen), rdfa_source(seen)):
        for field in FIELDS:
            assert len(source.candidates(field)) <= 12
    assert time.process_time() - started < 3
