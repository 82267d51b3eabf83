"""The candidates in META and LINK elements."""

from __future__ import annotations

import json

import pytest

from tamis.metadata.head import Meta, Social
from tests.metadata.sources import found, view


def meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


@pytest.mark.parametrize(
    ("name", "place", "field"),
    [
        ("DC:date", "dc.date", "date"),
        ("dcterms.issued", "dc.date.issued", "date"),
        ("cXenseParse:recs:publishtime", "cxenseparse:publishtime", "date"),
        ("date.release", "pubdate", "date"),
        ("oven:publish-date", "*publish-date", "date"),
        ("DC.Date.X-MetadataLastModified", "dc.date.modified", "date_modified"),
        ("revision_date", "last-modified", "date_modified"),
        ("oven_last_updated", "*last-modified", "date_modified"),
    ],
)
def test_dates(name: str, place: str, field: str) -> None:
    dates = {each: found(Meta, meta(name, "2024-03-05"), each) for each in ("date", "date_modified")}
    assert dates == {"date": [], "date_modified": [], field: [("2024-03-05", place)]}


@pytest.mark.parametrize(
    ("name", "written", "expected"),
    [
        ("author", ["Ann Miller"], [(("Ann Miller",), "author")]),
        ("oven_author", ["Ann Miller"], [(("Ann Miller",), "*author")]),
        ("DC.Creator", ["Ann Miller", "Bo Lee"], [(("Ann Miller", "Bo Lee"), "dc.creator")]),
        ("citation_author", ["Miller, Ann", "Lee, Bo"], [(("Ann Miller", "Bo Lee"), "citation_author")]),
        ("author", ["https://oven.example/ann"], []),
    ],
)
def test_authors(name: str, written: list[str], expected: list[object]) -> None:
    assert found(Meta, "".join(meta(name, each) for each in written), "authors") == expected


@pytest.mark.parametrize(
    ("page", "field", "expected"),
    [
        (meta("dcterms.title", "Bread"), "title", ("Bread", "dc.title")),
        (meta("application-name", "The Oven"), "site_name", ("The Oven", "application-name")),
        (meta("copyright", "(c) 2019-2024 The Oven. All rights reserved."), "site_name", ("The Oven", "copyright")),
        (meta("description", "A &amp;amp; story"), "description", ("A & story", "description")),
        ('<html lang="de-AT">', "language", ("de-AT", "html lang")),
        ('<html xml:lang="de">', "language", ("de", "html lang")),
        ('<meta http-equiv="content-language" content="de, en">', "language", ("de", "content-language")),
        (meta("news_keywords", "rye; wheat"), "tags", (("rye", "wheat"), "news_keywords")),
        (meta("dc.subject", "rye") + meta("dc.subject", "wheat"), "tags", (("rye", "wheat"), "dc.subject")),
        (meta("cXenseParse:taxonomy", "News/Food/Baking"), "section", ("Baking", "cxenseparse:taxonomy")),
        (meta("cXenseParse:taxonomy", "News/Food"), "categories", (("News", "Food"), "cxenseparse:taxonomy")),
        (meta("category", "Food, Baking"), "categories", (("Food", "Baking"), "category")),
        (meta("parsely-section", "Baking"), "section", ("Baking", "parsely-section")),
        (meta("dc.rights", "CC BY 4.0"), "license", ("https://creativecommons.org/licenses/by/4.0/", "dc.rights")),
        ('<link rel="license" href="/terms">', "license", ("https://oven.example/terms", "rel=license")),
        ('<link rel="canonical" href="/bread">', "canonical_url", ("https://oven.example/bread", "rel=canonical")),
        ('<link rel="image_src" href="a.jpg">', "image", ("https://oven.example/news/a.jpg", "rel=image_src")),
        (meta("isPremium", "yes"), "is_paywalled", (True, "content_tier")),
        (meta("isAccessibleForFree", "false"), "is_paywalled", (True, "isAccessibleForFree")),
        (meta("isAccessibleForFree", "true"), "is_paywalled", (False, "isAccessibleForFree")),
    ],
)
def test_other_fields(page: str, field: str, expected: tuple[object, str]) -> None:
    assert found(Meta, page, field) == [expected]


def test_properties_of_items_in_the_body_are_not_those_of_the_page() -> None:
    comment = '<div itemscope><meta itemprop="headline" content="Re: Bread"><meta itemprop="author" content="Bo"></div>'
    page = f'<head><meta itemprop="headline" content="Bread"></head><body>{comment}</body>'
    assert found(Meta, page, "title") == [("Bread", "headline")]
    assert found(Meta, page, "authors") == []


def test_the_object_of_parsely() -> None:
    given = {"title": "Bread", "authors": ["Ann Miller", "Bo Lee"], "pub_date": "2024-03-05T10:00:00Z"}
    page = f"<meta name='parsely-page' content='{json.dumps(given)}'>"
    values = {"title": "Bread", "authors": ("Ann Miller", "Bo Lee"), "date": "2024-03-05"}
    for field, value in values.items():
        assert found(Meta, page, field) == [(value, "parsely-page")]


@pytest.mark.parametrize("written", ["", "{", "[1]", '"text"', '{"title": 3}', "[" * 5_000])
def test_a_broken_object_is_passed_over(written: str) -> None:
    page = f"<meta name='parsely-page' content='{written}'>" + meta("title", "Bread")
    assert found(Meta, page, "title") == [("Bread", "title")]


def test_the_most_telling_name_is_first() -> None:
    page = meta("title", "Bread | The Oven") + meta("citation_title", "Bread")
    assert [place for _, place in found(Meta, page, "title")] == ["citation_title", "title"]


# og:, article: and twitter:


@pytest.mark.parametrize(
    ("name", "content", "field", "source", "expected"),
    [
        ("OG:Title", " Bread \n at dawn", "title", "opengraph", ("Bread at dawn", "og:title")),
        ("twitter:text:title", "Bread", "title", "twitter", ("Bread", "twitter:title")),
        ("twitter:site", "@theoven", "site_name", "twitter", ("theoven", "twitter:site")),
        ("og:locale", "pt_BR", "language", "opengraph", ("pt-BR", "og:locale")),
        ("og:url", "/bread", "canonical_url", "opengraph", ("https://oven.example/bread", "og:url")),
        ("og:image:secure_url", "/a.jpg", "image", "opengraph", ("https://oven.example/a.jpg", "og:image")),
        ("article.published", "2024-03-05 23:30", "date", "opengraph", ("2024-03-05", "article:published_time")),
        ("og:updated_time", "2024-03-06", "date_modified", "opengraph", ("2024-03-06", "og:updated_time")),
        ("book:author", "Ann Miller", "authors", "opengraph", (("Ann Miller",), "book:author")),
        ("article:section", "Baking", "section", "opengraph", ("Baking", "article:section")),
        ("article:tag", "rye, wheat", "tags", "opengraph", (("rye", "wheat"), "article:tag")),
        ("article:content_tier", "locked", "is_paywalled", "opengraph", (True, "article:content_tier")),
        ("article:content_tier", "free", "is_paywalled", "opengraph", (False, "article:content_tier")),
    ],
)
def test_social_properties(name: str, content: str, field: str, source: str, expected: tuple[object, str]) -> None:
    page = meta(name, content)
    assert found(Social, page, field) == [expected]
    assert [each.source for each in Social(view(page)).candidates(field)] == [source]


@pytest.mark.parametrize(
    ("name", "content", "field"),
    [
        ("article:author", "https://www.facebook.com/ann.miller", "authors"),
        ("twitter:creator", "@ann", "authors"),
        ("og:title", "{{ title }}", "title"),
        ("og:title", "", "title"),
        ("og:site_name", "https://oven.example", "site_name"),
        ("og:image", "javascript:alert(1)", "image"),
        ("og:url", "mailto:ann@oven.example", "canonical_url"),
        ("article:published_time", "yesterday", "date"),
        ("article:section", "Uncategorized", "categories"),
        ("article:content_tier", "gold", "is_paywalled"),
        ("og:locale", "in English", "language"),
    ],
)
def test_unusable_values_are_left_out(name: str, content: str, field: str) -> None:
    assert found(Social, meta(name, content), field) == []


@pytest.mark.parametrize(
    ("page", "places"),
    [
        (meta("twitter:title", "Bread") + meta("og:title", "Bread at dawn"), ["og:title", "twitter:title"]),
        ('<meta name="twitter:title" property="og:title" content="Bread">', ["og:title", "twitter:title"]),
        ('<meta name="twitter:title" value="Bread">', ["twitter:title"]),
    ],
)
def test_titles_of_open_graph_come_before_those_of_twitter(page: str, places: list[str]) -> None:
    assert [place for _, place in found(Social, page, "title")] == places


@pytest.mark.parametrize(
    ("label", "data", "field", "value"),
    [
        ("Geschrieben von", "Ann Miller", "authors", ("Ann Miller",)),
        ("Автор", "Анна Иванова", "authors", ("Анна Иванова",)),
        ("Published", "March 5, 2024", "date", "2024-03-05"),
        ("Filed under", "Baking", "section", "Baking"),
    ],
)
def test_labels_tell_the_field_of_data(label: str, data: str, field: str, value: object) -> None:
    pair = meta("twitter:label1", "Est. reading time") + meta("twitter:data1", "3 minutes")
    pair += meta("twitter:label2", label) + meta("twitter:data2", data)
    assert found(Social, pair, field) == [(value, "twitter:data")]


def test_a_profile_is_an_author_unless_the_page_is_about_it() -> None:
    profile = meta("profile:first_name", "Ann") + meta("profile:last_name", "Miller")
    assert found(Social, meta("og:type", "article") + profile, "authors") == [(("Ann Miller",), "profile")]
    assert found(Social, meta("og:type", "profile") + profile, "authors") == []
