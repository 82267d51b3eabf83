from __future__ import annotations

import json
from typing import Any

import pytest

from tamis.document import Document
from tamis.metadata.head import Meta
from tamis.metadata.view import View

URL = "https://oven.example/news/bread"


def found(page: str, field: str) -> list[tuple[str, Any]]:
    candidates = Meta(View(Document.from_html(page, url=URL))).candidates(field)
    return [
        (each.place, each.value.iso if field.startswith("date") else each.value)  # type: ignore[union-attr]
        for each in candidates
    ]


def meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("date", "date"),
        ("DC.date", "dc.date"),
        ("dcterms.issued", "dc.date.issued"),
        ("dcterms.created", "dc.date.created"),
        ("citation_publication_date", "citation_date"),
        ("sailthru.date", "sailthru.date"),
        ("cXenseParse:recs:publishtime", "cxenseparse:publishtime"),
        ("pubdate", "pubdate"),
        ("date.release", "pubdate"),
        ("shareaholic:article_published_time", "pubdate"),
        ("oven:publish-date", "*publish-date"),
    ],
)
def test_dates_of_publication(name: str, place: str) -> None:
    assert found(meta(name, "2024-03-05"), "date") == [(place, "2024-03-05")]
    assert found(meta(name, "2024-03-05"), "date_modified") == []


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("dcterms.modified", "dc.date.modified"),
        ("DC.Date.X-MetadataLastModified", "dc.date.modified"),
        ("last-modified", "last-modified"),
        ("revision_date", "last-modified"),
        ("oven_last_updated", "*last-modified"),
    ],
)
def test_dates_of_modification(name: str, place: str) -> None:
    assert found(meta(name, "2024-03-05"), "date_modified") == [(place, "2024-03-05")]
    assert found(meta(name, "2024-03-05"), "date") == []


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("author", "author"),
        ("dc.creator", "dc.creator"),
        ("DC:Creator", "dc.creator"),
        ("byl", "byl"),
        ("cXenseParse:author", "cxenseparse:author"),
        ("citation_author", "citation_author"),
        ("oven_author", "*author"),
    ],
)
def test_authors(name: str, place: str) -> None:
    assert found(meta(name, "Ann Miller"), "authors") == [(place, ("Ann Miller",))]


def test_repeated_authors_are_one_list_in_the_usual_order_of_names() -> None:
    assert found(meta("dc.creator", "Ann Miller") + meta("DC.Creator", "Bo Lee"), "authors") == [
        ("dc.creator", ("Ann Miller", "Bo Lee"))
    ]
    assert found(meta("citation_author", "Miller, Ann") + meta("citation_author", "Lee, Bo"), "authors") == [
        ("citation_author", ("Ann Miller", "Bo Lee"))
    ]


def test_an_address_is_no_author() -> None:
    assert found(meta("author", "https://oven.example/ann"), "authors") == []


@pytest.mark.parametrize(
    ("page", "field", "expected"),
    [
        (meta("citation_title", "Bread"), "title", ("citation_title", "Bread")),
        (meta("dcterms.title", "Bread"), "title", ("dc.title", "Bread")),
        (meta("hdl", "Bread"), "title", ("headline", "Bread")),
        (meta("title", "Bread | The Oven"), "title", ("title", "Bread | The Oven")),
        (meta("application-name", "The Oven"), "site_name", ("application-name", "The Oven")),
        (meta("citation_journal_title", "The Oven"), "site_name", ("citation_journal_title", "The Oven")),
        (meta("copyright", "(c) 2019-2024 The Oven. All rights reserved."), "site_name", ("copyright", "The Oven")),
        (meta("description", "A &amp;amp; story"), "description", ("description", "A & story")),
        (meta("dcterms.abstract", "A story"), "description", ("dc.description", "A story")),
        ('<html lang="de-AT">', "language", ("html lang", "de-AT")),
        ('<html xml:lang="de">', "language", ("html lang", "de")),
        ('<meta http-equiv="content-language" content="de, en">', "language", ("content-language", "de")),
        (meta("dc.language", "pt_BR"), "language", ("dc.language", "pt-BR")),
        (meta("keywords", "rye, wheat"), "tags", ("keywords", ("rye", "wheat"))),
        (meta("news_keywords", "rye; wheat"), "tags", ("news_keywords", ("rye", "wheat"))),
        (meta("dc.subject", "rye") + meta("dc.subject", "wheat"), "tags", ("dc.subject", ("rye", "wheat"))),
        (meta("parsely-section", "Baking"), "section", ("parsely-section", "Baking")),
        (meta("cXenseParse:taxonomy", "News/Food/Baking"), "section", ("cxenseparse:taxonomy", "Baking")),
        (meta("cXenseParse:taxonomy", "News/Food"), "categories", ("cxenseparse:taxonomy", ("News", "Food"))),
        (meta("category", "Food, Baking"), "categories", ("category", ("Food", "Baking"))),
        (meta("dc.rights", "CC BY 4.0"), "license", ("dc.rights", "https://creativecommons.org/licenses/by/4.0/")),
        ('<link rel="license" href="/terms">', "license", ("rel=license", "https://oven.example/terms")),
        ('<link rel="canonical" href="/bread">', "canonical_url", ("rel=canonical", "https://oven.example/bread")),
        ('<link rel="image_src" href="a.jpg">', "image", ("rel=image_src", "https://oven.example/news/a.jpg")),
        (meta("thumbnail", "/a.jpg"), "image", ("thumbnail", "https://oven.example/a.jpg")),
        (meta("isPremium", "yes"), "is_paywalled", ("content_tier", True)),
        (meta("isAccessibleForFree", "false"), "is_paywalled", ("isAccessibleForFree", True)),
        (meta("isAccessibleForFree", "true"), "is_paywalled", ("isAccessibleForFree", False)),
    ],
)  # fmt: skip
def test_other_fields(page: str, field: str, expected: tuple[str, object]) -> None:
    assert found(page, field) == [expected]


def test_properties_of_items_in_the_body_are_not_those_of_the_page() -> None:
    page = '<head><meta itemprop="headline" content="Bread"></head><body>{}</body>'
    comment = '<div itemscope><meta itemprop="headline" content="Re: Bread"><meta itemprop="author" content="Bo"></div>'
    assert found(page.format(comment), "title") == [("headline", "Bread")]
    assert found(page.format(comment), "authors") == []


def test_the_object_of_parsely() -> None:
    given = {"title": "Bread", "authors": ["Ann Miller", "Bo Lee"], "pub_date": "2024-03-05T10:00:00Z", "tags": ["rye"]}
    page = f"<meta name='parsely-page' content='{json.dumps(given)}'>"
    assert found(page, "title") == [("parsely-page", "Bread")]
    assert found(page, "authors") == [("parsely-page", ("Ann Miller", "Bo Lee"))]
    assert found(page, "date") == [("parsely-page", "2024-03-05")]
    assert found(page, "tags") == [("parsely-page", ("rye",))]


@pytest.mark.parametrize("written", ["", "{", "[1]", '"text"', '{"title": 3}', "[" * 5_000])
def test_a_broken_object_is_passed_over(written: str) -> None:
    assert found(f"<meta name='parsely-page' content='{written}'>" + meta("title", "Bread"), "title") == [
        ("title", "Bread")
    ]


def test_the_most_telling_name_is_first() -> None:
    page = meta("title", "Bread | The Oven") + meta("citation_title", "Bread")
    assert [place for place, _ in found(page, "title")] == ["citation_title", "title"]
