"""What a page says of itself: each field from each source, and which source wins."""

from __future__ import annotations

import json

import pytest

from tamis.document import Document
from tamis.errors import OptionError
from tamis.metadata import FIELDS, Metadata, read_metadata, read_title

URL = "https://oven.example/news/bread.html"


def read(html: str, *, url: str | None = URL) -> Metadata:
    return read_metadata(Document.from_html(html, url=url))


def script(data: object) -> str:
    """JSON-LD as it stands in a page; text is taken as it is."""
    return f'<script type="application/ld+json">{data if isinstance(data, str) else json.dumps(data)}</script>'


def read_json_ld(data: object) -> Metadata:
    return read(script(data))


JSON_LD = script(
    {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": "Title of json-ld",
        "author": {"@type": "Person", "name": "Author of json-ld"},
        "datePublished": "2001-01-01T08:00:00+02:00",
        "publisher": {"@type": "Organization", "name": "Site of json-ld"},
        "description": "Description of json-ld",
        "inLanguage": "fr",
        "image": {"@type": "ImageObject", "url": "json-ld.jpg"},
        "keywords": "json-ld, Tags",
    }
)
OPENGRAPH = """<meta property="og:title" content="Title of opengraph">
<meta property="og:site_name" content="Site of opengraph">
<meta property="og:description" content="Description of opengraph">
<meta property="og:locale" content="de_AT">
<meta property="og:url" content="https://oven.example/opengraph">
<meta property="og:image" content="opengraph.jpg">"""
MICRODATA = """<div itemscope itemtype="https://schema.org/Article"><h3 itemprop="headline">Title of microdata</h3>
<span itemprop="author" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Author of microdata</b></span>
<time itemprop="datePublished" datetime="2003-03-03">today</time>
<p itemprop="description">Description of microdata</p><img itemprop="image" src="microdata.jpg"></div>"""
META = """<meta name="citation_title" content="Title of meta">
<meta name="author" content="Author of meta">
<meta property="article:published_time" content="2004-04-04T00:00:00Z">
<meta name="application-name" content="Site of meta">
<meta name="description" content="Description of meta">
<meta http-equiv="content-language" content="it">
<link rel="canonical" href="/meta">
<meta name="twitter:image" content="meta.jpg">
<meta name="keywords" content="meta, Tags">"""
MARKUP = """<title>Title of markup | Site of markup</title><h1>Title of markup</h1>
<p class="byline">By Author of markup</p>
<time datetime="2005-05-05">5 May</time><a rel="tag" href="/t">markup</a> <a rel="tag" href="/u">Tags</a>"""


# Each source by itself


def test_json_ld() -> None:
    found = read(JSON_LD)
    assert (found.title, found.author, found.date) == ("Title of json-ld", "Author of json-ld", "2001-01-01")
    assert (found.site_name, found.description) == ("Site of json-ld", "Description of json-ld")
    assert (found.language, found.image) == ("fr", "https://oven.example/news/json-ld.jpg")
    assert found.tags == ("json-ld", "Tags")
    assert {found.source(name) for name in found.fields} == {"json-ld"}


def test_opengraph() -> None:
    found = read(OPENGRAPH)
    assert (found.title, found.site_name) == ("Title of opengraph", "Site of opengraph")
    assert (found.description, found.language) == ("Description of opengraph", "de-AT")
    assert found.canonical_url == "https://oven.example/opengraph"
    assert found.image == "https://oven.example/news/opengraph.jpg"
    assert {found.source(name) for name in found.fields} == {"opengraph"}


def test_microdata() -> None:
    found = read(MICRODATA)
    assert (found.title, found.author, found.date) == ("Title of microdata", "Author of microdata", "2003-03-03")
    assert found.description == "Description of microdata"
    assert found.image == "https://oven.example/news/microdata.jpg"
    assert {found.source(name) for name in found.fields} == {"microdata"}


def test_meta() -> None:
    found = read(META)
    assert (found.title, found.author, found.date) == ("Title of meta", "Author of meta", "2004-04-04")
    assert (found.site_name, found.description, found.language) == ("Site of meta", "Description of meta", "it")
    assert (found.canonical_url, found.image) == ("https://oven.example/meta", "https://oven.example/news/meta.jpg")
    assert found.tags == ("meta", "Tags")
    assert {found.source(name) for name in found.fields} == {"meta"}


def test_markup() -> None:
    found = read(MARKUP)
    assert (found.title, found.author, found.date) == ("Title of markup", "Author of markup", "2005-05-05")
    assert (found.site_name, found.tags) == ("Site of markup", ("markup", "Tags"))
    assert {found.source(name) for name in found.fields} == {"markup"}


def test_an_empty_page_says_nothing() -> None:
    found = read("")
    assert found == Metadata()
    assert found.source("title") is None


def test_as_dict_is_plain_data() -> None:
    found = read(META).as_dict()
    assert list(found) == [field.name for field in fields(Metadata)]
    assert found["tags"] == ["meta", "Tags"]
    assert json.loads(json.dumps(found)) == found


# Which source wins

ORDER = {"json-ld": JSON_LD, "opengraph": OPENGRAPH, "microdata": MICRODATA, "meta": META, "markup": MARKUP}


@pytest.mark.parametrize(
    ("field", "order"),
    [
        ("title", "json-ld opengraph microdata meta markup"),
        ("author", "json-ld microdata meta markup"),
        ("date", "json-ld microdata meta markup"),
        ("site_name", "json-ld opengraph meta markup"),
        ("description", "meta json-ld opengraph microdata"),
        ("language", "meta json-ld opengraph"),
        ("canonical_url", "meta opengraph"),
        ("image", "json-ld opengraph microdata meta"),
        ("tags", "json-ld meta markup"),
    ],
)
def test_the_best_source_wins_and_is_named(field: str, order: str) -> None:
    present = dict(ORDER)
    for best in order.split():
        found = read("".join(reversed(present.values())))
        assert found.source(field) == best
        del present[best]
    assert read("".join(present.values())).source(field) is None


def test_an_unusable_answer_is_passed_over() -> None:
    page = script({"@type": "Article", "headline": "  ", "datePublished": "soon", "image": "javascript:go()"})
    found = read(page + OPENGRAPH + META)
    assert (found.source("title"), found.source("date"), found.source("image")) == ("opengraph", "meta", "opengraph")


# JSON-LD


def test_json_ld_graph_with_references() -> None:
    found = read_json_ld(
        {
            "@graph": [
                {"@type": "WebSite", "@id": "#site", "name": "The Oven"},
                {"@type": "Person", "@id": "#ann", "name": "Ann Miller"},
                {"@type": "ImageObject", "@id": "#image", "url": "/loaf.jpg"},
                {"@type": "WebPage", "name": "Page", "isPartOf": {"@id": "#site"}},
                {
                    "@type": "BlogPosting",
                    "headline": "Bread at dawn",
                    "author": [{"@id": "#ann"}, {"@id": "#nobody"}],
                    "image": {"@id": "#image"},
                },
            ]
        }
    )
    assert (found.title, found.author, found.site_name) == ("Bread at dawn", "Ann Miller", "The Oven")
    assert found.image == "https://oven.example/loaf.jpg"


def test_json_ld_that_is_nested() -> None:
    found = read_json_ld({"@type": "WebPage", "name": "Page", "mainEntity": {"@type": "Recipe", "name": "Rye bread"}})
    assert found.title == "Rye bread"


def test_json_ld_that_is_a_list() -> None:
    found = read_json_ld([{"@type": "Organization", "name": "The Oven"}, {"@type": "Article", "headline": "Bread"}])
    assert found.title == "Bread"


def test_json_ld_in_several_scripts() -> None:
    page = script({"@type": "Person", "@id": "#ann", "name": "Ann"})
    page += script({"@type": "Article", "headline": "Bread", "author": {"@id": "#ann"}})
    assert read(page).author == "Ann"


@pytest.mark.parametrize("data", ['"name": "Rye\nbread"', '"name": "Rye bread", "rating": NaN', '"name": "Rye\tbread"'])
def test_json_ld_as_people_write_it(data: str) -> None:
    ends = ("", ";", " ;\n")
    for end in ends:
        found = read(f'<script type="application/ld+json">{{"@type": "Recipe", {data}}}{end}</script>')
        assert (found.title, found.source("title")) == ("Rye bread", "json-ld")


@pytest.mark.parametrize("broken", ["{", '{"@type": "Article" "headline": "Bread"}', "", '"' + "x" * 4_000_000 + '"'])
def test_json_ld_that_is_broken_or_endless_costs_itself_alone(broken: str) -> None:
    before = script({"@type": "Article", "headline": "Bread"})
    assert read(f'{before}<script type="application/ld+json">{broken}</script>').title == "Bread"


@pytest.mark.parametrize("depth", [150, 300, 900, 5_000])
def test_json_ld_may_be_deep(depth: int) -> None:
    author = "[" * depth + '"Ann"' + "]" * depth
    found = read(f'<script type="application/ld+json">{{"@type": "Article", "author": {author}}}</script>')
    assert found.author == ("Ann" if depth == 150 else None)


@pytest.mark.parametrize(
    "page",
    [
        JSON_LD,
        OPENGRAPH,
        MICRODATA,
        META,
        MARKUP,
        "",
        "<title>Bread - The Oven</title>",
        "<title>|</title>",
        '<title>Bread | The Oven</title><meta property="og:site_name" content="The Oven"><h1>Bread</h1>',
        '<meta property="og:title" content="The Oven: Bread"><meta name="application-name" content="the oven">',
    ],
)
def test_the_title_alone_is_that_of_all_metadata(page: str) -> None:
    document = Document.from_html(page)
    assert read_title(document) == read_metadata(document).title


def test_json_ld_with_lists_as_values() -> None:
    found = read_json_ld(
        {
            "@type": ["NewsArticle", "Thing"],
            "headline": "Bread",
            "author": [{"name": "Ann"}, "Bo", {"name": "Ann"}],
            "image": [{"url": ["/a.jpg", "/b.jpg"]}, "/c.jpg"],
            "keywords": ["rye", " wheat ", "rye", ""],
        }
    )
    assert (found.author, found.tags) == ("Ann, Bo", ("rye", "wheat"))
    assert found.image == "https://oven.example/a.jpg"


def test_json_ld_with_the_telling_type_behind_another() -> None:
    page = {"@type": ["Thing", "WebPage"], "name": "Page"}
    assert read_json_ld([page, {"@type": ["Thing", "Recipe"], "name": "Rye bread"}]).title == "Rye bread"
    assert read_json_ld([page, {"@type": ["Thing", "Person"], "name": "Ann"}]).title == "Page"


def test_json_ld_with_a_list_of_publishers() -> None:
    found = read_json_ld({"@type": "Article", "publisher": [{"@type": "Organization", "name": "The Oven"}]})
    assert (found.site_name, found.source("site_name")) == ("The Oven", "json-ld")


def test_json_ld_with_a_list_of_texts_means_the_first() -> None:
    assert read_json_ld({"@type": "Article", "headline": [3, "Bread", "Butter"]}).title == "Bread"


def test_lone_surrogates_of_json_ld_can_be_written() -> None:
    found = read(
        script(r'{"@type": "Article", "headline": "A \ud800", "keywords": ["\udfff"], "image": "/\ud800.jpg"}')
    )
    assert (found.title, found.tags) == ("A \ufffd", ("\ufffd",))
    assert json.dumps(found.as_dict(), ensure_ascii=False).encode()


def test_json_ld_about_the_site_says_nothing_about_the_page() -> None:
    found = read_json_ld([{"@type": "WebSite", "name": "The Oven"}, {"@type": "Person", "name": "Ann"}, {"name": "X"}])
    assert found == Metadata()


@pytest.mark.parametrize(
    "broken",
    [
        '{"@type": "Article", "headline": ',
        "",
        "null",
        "3",
        '"text"',
        "[[[]]]",
        '{"@type": 3, "headline": 4}',
        '{"@type": [], "headline": "H"}',
        '{"@type": "Article", "headline": {"a": 1}, "author": 3, "image": {}, "keywords": 3, "publisher": "P"}',
        '{"@type": "Article", "author": {"@id": "#a"}, "@id": "#a"}',
        '{"a":' * 5_000 + "1" + "}" * 5_000,
    ],
    ids=lambda text: text[:30],
)
def test_broken_json_ld_is_passed_over(broken: str) -> None:
    found = read(script(broken) + script({"@type": "Article", "description": "Fine"}) + MARKUP)
    assert (found.title, found.description) == ("Title of markup", "Fine")


def test_json_ld_of_great_depth_ends() -> None:
    deep = '{"@type": "Article", "headline": "Bread", "author": ' + "[" * 300 + '"Ann"' + "]" * 300 + "}"
    assert read(script(deep) + MARKUP).source("title") in ("json-ld", "markup")


# Single fields


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2024-03-05", "2024-03-05"),
        ("2024-3-5T10:00Z", "2024-03-05"),
        ("2024-03-05T23:59:59-11:00", "2024-03-05"),
        ("2024/03/05", "2024-03-05"),
        ("2024.03.05", "2024-03-05"),
        ("20240305", "2024-03-05"),
        ("5 March 2024", "2024-03-05"),
        ("5th Mar, 2024", "2024-03-05"),
        ("March 5, 2024", "2024-03-05"),
        ("Sept. 5th 2024", "2024-09-05"),
        ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05"),
        ("29 February 2024", "2024-02-29"),
    ],
)
def test_dates_become_iso(written: str, day: str) -> None:
    found = read(f'<meta name="date" content="{written}">')
    assert (found.date, found.source("date")) == (day, "meta")


@pytest.mark.parametrize("written", ["yesterday", "2024-13-45", "30 February 2024", "5 Foo 2024", "", "0000-01-01"])
def test_what_is_no_date_is_none(written: str) -> None:
    assert read(f'<meta name="date" content="{written}">').date is None


@pytest.mark.parametrize(
    ("title", "cut"),
    [
        ("Bread at dawn | The Oven", "Bread at dawn"),
        ("Bread at dawn - the OVEN", "Bread at dawn"),
        ("The Oven: Bread at dawn", "Bread at dawn"),
        ("Bread - and butter — The Oven", "Bread - and butter"),
        ("The Oven | -5 in Oslo", "-5 in Oslo"),
        ("-5 in Oslo | The Oven", "-5 in Oslo"),
        ("Why The Oven closed", "Why The Oven closed"),
        ("The Oven", "The Oven"),
    ],
)
def test_the_name_of_the_site_is_cut_from_the_title(title: str, cut: str) -> None:
    page = f'<meta property="og:title" content="{title}"><meta property="og:site_name" content="The Oven">'
    assert read(page).title == cut


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>Bread at dawn</title>", "Bread at dawn"),
        ("<title> Bread\n at  dawn </title>", "Bread at dawn"),
        ("<title>Bread at dawn - The Oven</title>", "Bread at dawn"),
        ("<title>Bread at dawn | Oven</title><h1>Bread at dawn: a story</h1>", "Bread at dawn: a story"),
        ("<title>Bread at dawn - The Oven</title><h1>The Oven</h1><h1>Bread at dawn</h1>", "Bread at dawn"),
        ("<title>Bread at dawn - Oven</title><h1>Ovens compared</h1>", "Bread at dawn"),
        ("<title>Weather Daily | -5 in Oslo</title><h1>-5 in Oslo</h1>", "-5 in Oslo"),
        ("<h1></h1><h1>Bread <i>at dawn</i></h1>", "Bread at dawn"),
        ("<svg><title>Icon</title></svg><h1>Bread at dawn</h1>", "Bread at dawn"),
        ("<p>Bread at dawn</p>", None),
    ],
)
def test_title_from_markup(page: str, title: str | None) -> None:
    assert read(page).title == title


@pytest.mark.parametrize(
    ("page", "author"),
    [
        ('<p class="byline">By Ann Miller</p>', "Ann Miller"),
        ('<p class="byline">Written by: Ann Miller</p>', "Ann Miller"),
        ('<a rel="author" href="/ann">Ann Miller</a>', "Ann Miller"),
        ('<p class="byline">Byron Miller</p>', "Byron Miller"),
        ('<p class="byline">Von der Leyen</p>', "Von der Leyen"),
        (f'<p class="byline">By {"a long story of " * 6}</p>', None),
        ('<meta name="author" content="https://oven.example/ann">', None),
        ('<meta name="citation_author" content="Ann"><meta name="citation_author" content="Bo">', "Ann, Bo"),
        ('<meta name="dc.creator" content="Ann Miller">', "Ann Miller"),
    ],
)
def test_author(page: str, author: str | None) -> None:
    assert read(page).author == author


@pytest.mark.parametrize(
    ("attribute", "language"),
    [("en", "en"), ("pt_BR", "pt-BR"), ("zh-Hant-TW", "zh-Hant-TW"), ("English language", None), ("", None)],
)
def test_language(attribute: str, language: str | None) -> None:
    assert read(f'<html lang="{attribute}">').language == language


@pytest.mark.parametrize(
    ("page", "url", "image"),
    [
        ("a.jpg", URL, "https://oven.example/news/a.jpg"),
        ("/a.jpg", URL, "https://oven.example/a.jpg"),
        ("//cdn.example/a.jpg", URL, "https://cdn.example/a.jpg"),
        ("a.jpg", None, "a.jpg"),
        ("https://cdn.example/a.jpg", None, "https://cdn.example/a.jpg"),
        ("javascript:alert(1)", URL, None),
        (" java\nscript:alert(1)", URL, None),
        ("data:image/png;base64,AA", URL, None),
        ("http://[", URL, None),
    ],
)
def test_images_are_absolute_and_harmless(page: str, url: str | None, image: str | None) -> None:
    assert read(f'<meta property="og:image" content="{page}">', url=url).image == image


def test_base_of_the_page_counts() -> None:
    page = '<base href="/static/"><meta property="og:image" content="a.jpg">'
    assert read(page).image == "https://oven.example/static/a.jpg"


def test_white_space_is_folded() -> None:
    found = read('<meta name="description" content=" Bread \n at  dawn ">')
    assert found.description == "Bread at dawn"


def test_every_article_tag_counts_once() -> None:
    tags = "".join(f'<meta property="article:tag" content="{tag}">' for tag in ("rye", "wheat", "rye"))
    assert read(tags).tags == ("rye", "wheat")
