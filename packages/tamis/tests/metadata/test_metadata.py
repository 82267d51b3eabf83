"""What a page says of itself: each field from each source, and what comes of several that differ."""

from __future__ import annotations

import json

import pytest

import tamis
from tamis.document import Document
from tamis.errors import OptionError
from tamis.metadata import FIELDS, Metadata, details, read_metadata, read_title
from tests.metadata.sources import URL, script

PARAGRAPHS = """<p>The bakers of the old town begin at three in the morning, when the streets are still empty and the
ovens have been hot for an hour. By six the first loaves are on the shelves, and a queue has formed at the door.</p>
<p>Rye is milled on the river, wheat comes from the plain. The dough rests for a day and a night before it is shaped,
and nobody here would think of a shorter way, although the shop would earn more money with it.</p>
<p>Last winter the oven broke twice. The neighbours brought wood, the mason came on a Sunday, and on Monday there was
bread again, a little darker than usual, which some of the regular guests have asked for ever since.</p>"""


def article(head: str = "", above: str = "", *, title: str = "Bread at dawn", lang: str = "") -> str:
    """A small article. `above` stands between its headline and its text."""
    language = f' lang="{lang}"' if lang else ""
    return f"""<!doctype html><html{language}><head><title>{title}</title>{head}</head>
<body><article><h1>{title}</h1>{above}{PARAGRAPHS}</article></body></html>"""


def read(html: str, *, url: str | None = URL) -> Metadata:
    return tamis.extract(html, url=url).metadata


JSON_LD = script(
    {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": "Bread at dawn",
        "author": {"@type": "Person", "name": "Ann Lee"},
        "datePublished": "2021-03-05T08:00:00+02:00",
        "dateModified": "2021-03-07T09:00:00+02:00",
        "publisher": {"@type": "Organization", "name": "The Oven"},
        "description": "How the bakers work.",
        "inLanguage": "en",
        "articleSection": "Food",
        "image": {"@type": "ImageObject", "url": "loaf.jpg"},
        "keywords": "rye, Wheat",
        "isAccessibleForFree": False,
    }
)
OPENGRAPH = """<meta property="og:title" content="Bread at dawn"><meta property="og:type" content="article">
<meta property="og:site_name" content="The Oven"><meta property="og:description" content="How the bakers work.">
<meta property="og:locale" content="en"><meta property="og:url" content="https://oven.example/bread">
<meta property="og:image" content="loaf.jpg">
<meta property="article:published_time" content="2021-03-05T08:00:00+02:00">
<meta property="article:modified_time" content="2021-03-07T09:00:00+02:00">
<meta property="article:section" content="Food"><meta property="article:tag" content="rye">
<meta property="article:tag" content="Wheat">"""
MICRODATA = """<div itemscope itemtype="https://schema.org/Article"><h3 itemprop="headline">Bread at dawn</h3>
<span itemprop="author" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ann Lee</b></span>
<meta itemprop="datePublished" content="2021-03-05"><meta itemprop="dateModified" content="2021-03-07">
<p itemprop="description">How the bakers work.</p><img itemprop="image" src="loaf.jpg"></div>"""
META = """<meta name="citation_title" content="Bread at dawn"><meta name="author" content="Ann Lee">
<meta name="date" content="2021-03-05"><meta name="last-modified" content="2021-03-07">
<meta name="application-name" content="The Oven"><meta name="description" content="How the bakers work.">
<meta http-equiv="content-language" content="en"><link rel="canonical" href="https://oven.example/bread">
<meta name="keywords" content="rye, Wheat">"""
SHOWN = """<p class="byline">By <a rel="author" href="/author/ann-lee">Ann Lee</a></p>
<p class="published">Published on <time datetime="2021-03-05">5 March 2021</time></p>"""

VALUES = {
    "title": "Bread at dawn",
    "author": "Ann Lee",
    "date": "2021-03-05",
    "date_modified": "2021-03-07",
    "site_name": "The Oven",
    "description": "How the bakers work.",
    "language": "en",
    "section": "Food",
    "canonical_url": "https://oven.example/bread",
    "image": "https://oven.example/news/loaf.jpg",
    "tags": ("rye", "Wheat"),
    "is_paywalled": True,
}
JSON_LD_FIELDS = "author date date_modified site_name description language section image tags is_paywalled"
OPENGRAPH_FIELDS = "date date_modified site_name description language section canonical_url image tags"
META_FIELDS = "author date date_modified site_name description language canonical_url tags"
SOURCES = {
    "json-ld": (article(JSON_LD), JSON_LD_FIELDS),
    "opengraph": (article(OPENGRAPH), OPENGRAPH_FIELDS),
    "microdata": (article(above=MICRODATA), "author date date_modified description image"),
    "meta": (article(META), META_FIELDS),
    "visible": (article(above=SHOWN), "author date"),
}


@pytest.mark.parametrize("source", SOURCES)
def test_each_source_by_itself_gives_its_fields_and_is_named(source: str) -> None:
    page, fields = SOURCES[source]
    found = read(page)
    assert {field: getattr(found, field) for field in fields.split()} == {each: VALUES[each] for each in fields.split()}
    assert {found.source(field) for field in fields.split()} == {source}
    assert found.title == "Bread at dawn"


# Several sources


def test_agreement_beats_a_single_source() -> None:
    other = META.replace("Ann Lee", "Webmaster Jo").replace("2021-03-05", "2019-01-02")
    found = read(article(JSON_LD + other, SHOWN))
    assert (found.author, found.date) == ("Ann Lee", "2021-03-05")


def test_an_unusable_value_is_passed_over() -> None:
    broken = script({"@type": "Article", "headline": "  ", "datePublished": "soon", "image": "javascript:go()"})
    found = read(article(broken + OPENGRAPH))
    assert (found.title, found.date, found.image) == tuple(VALUES[name] for name in ("title", "date", "image"))
    assert (found.source("date"), found.source("image")) == ("opengraph", "opengraph")


# The answer itself


@pytest.mark.parametrize("page", ["", " ", "<p></p>", "<title></title>", "<title>|</title>", "<h1></h1>"])
@pytest.mark.parametrize("url", [URL, None])
def test_a_page_without_anything_says_nothing(page: str, url: str | None) -> None:
    found = read(page, url=url)
    assert found.values() == {}
    assert found == Metadata()
    assert (found.source("date"), found.confidence("date"), found.others("date")) == (None, None, ())


def test_as_dict_tells_source_and_confidence_of_what_was_found() -> None:
    metadata = read(article(JSON_LD))
    found = metadata.as_dict()
    assert {*FIELDS, "author", "datetime", "datetime_modified", "sources", "confidences"} == found.keys()
    assert json.loads(json.dumps(found)) == found
    assert (found["tags"], found["authors"], found["author"]) == (["rye", "Wheat"], ["Ann Lee"], "Ann Lee")
    assert (found["canonical_url"], found["license"]) == (None, None)
    told = found["sources"], found["confidences"]
    assert all(isinstance(each, dict) and set(each) == set(metadata.fields) for each in told)
    assert "canonical_url" not in metadata.values()


@pytest.mark.parametrize("name", ["", "titel", "datetime", "fields", "Title"])
def test_a_field_that_does_not_exist_is_an_error(name: str) -> None:
    found = Metadata()
    for ask in (found.source, found.confidence, found.others):
        with pytest.raises(OptionError, match="there are: title, authors"):
            ask(name)


@pytest.mark.parametrize(
    "page",
    [
        *(page for page, _ in SOURCES.values()),
        "<title>|</title>",
        '<title>Bread | The Oven</title><meta property="og:site_name" content="The Oven"><h1>Bread</h1>',
    ],
)
def test_the_title_alone_is_that_of_all_metadata(page: str) -> None:
    document = Document.from_html(page, url=URL)
    assert read_title(document) == read_metadata(document).title


# Single fields


@pytest.mark.parametrize(
    ("written", "day", "instant"),
    [
        ("2021-03-05T08:00:00", "2021-03-05", None),
        ("2021-03-05T08:00:00Z", "2021-03-05", "2021-03-05T08:00:00+00:00"),
        ("2021-03-05T23:30:00-08:00", "2021-03-05", "2021-03-05T23:30:00-08:00"),  # in UTC it is the sixth
        ("2021-03-05T00:30:00+09:00", "2021-03-05", "2021-03-05T00:30:00+09:00"),  # in UTC it is the fourth
    ],
)
def test_the_date_is_the_day_in_the_zone_of_the_page(written: str, day: str, instant: str | None) -> None:
    found = read(article(script({"@type": "NewsArticle", "headline": "Bread at dawn", "datePublished": written})))
    assert (found.date, found.datetime) == (day, instant)
    assert (found.date_modified, found.datetime_modified) == (None, None)


@pytest.mark.parametrize(
    ("written", "url", "address"),
    [
        ("a.jpg", URL, "https://oven.example/news/a.jpg"),
        ("/a.jpg", URL, "https://oven.example/a.jpg"),
        ("//cdn.example/a.jpg", URL, "https://cdn.example/a.jpg"),
        ("a.jpg", None, "a.jpg"),
        ("https://cdn.example/a.jpg", None, "https://cdn.example/a.jpg"),
        (" java\nscript:alert(1)", URL, None),
        ("data:image/png;base64,AA", URL, None),
        ("http://[", URL, None),
    ],
)
def test_images_are_absolute_and_harmless(written: str, url: str | None, address: str | None) -> None:
    assert read(article(f'<meta property="og:image" content="{written}">'), url=url).image == address


def test_base_of_the_page_counts() -> None:
    page = article('<base href="/static/"><meta property="og:image" content="a.jpg">')
    assert read(page).image == "https://oven.example/static/a.jpg"


# Damaged pages


def test_lone_surrogates_can_be_written() -> None:
    data = r'{"@type": "Article", "description": "A \ud800", "keywords": ["\udfff"], "image": "/\ud800.jpg"}'
    found = read(article(script(data)))
    assert (found.description, found.tags) == ("A \ufffd", ("\ufffd",))
    assert json.dumps(details(found), ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "broken",
    [
        '{"@type": "Article", "headline": ',
        "null",
        "[[[]]]",
        '{"@type": 3, "headline": 4}',
        '{"@type": "Article", "headline": {"a": 1}, "author": 3, "image": {}, "keywords": 3, "publisher": "P"}',
        '{"@type": "Article", "author": {"@id": "#a"}, "@id": "#a"}',
        '{"a":' * 5_000 + "1" + "}" * 5_000,
        '{"@type": "Article", "author": ' + "[" * 900 + '"Ann"' + "]" * 900 + "}",
        '"' + "x" * 4_000_000 + '"',
    ],
    ids=lambda text: text[:30],
)
def test_json_ld_that_is_broken_deep_or_endless_costs_itself_alone(broken: str) -> None:
    fine = {"@type": "Article", "headline": "Bread at dawn", "description": "Fine", "datePublished": "2021-03-05"}
    found = read(article(script(fine) + script(broken)))
    assert (found.title, found.description, found.date) == ("Bread at dawn", "Fine", "2021-03-05")
    assert found.source("description") == "json-ld"
