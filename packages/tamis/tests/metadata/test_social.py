from __future__ import annotations

from typing import Any

import pytest

from tamis.document import Document
from tamis.metadata.head import Social
from tamis.metadata.view import Candidate, View

URL = "https://oven.example/news/bread"


def read(page: str, field: str) -> list[Candidate]:
    return list(Social(View(Document.from_html(page, url=URL))).candidates(field))


def found(page: str, field: str) -> list[tuple[str, str, Any]]:
    return [
        (each.source, each.place, each.value.iso if field.startswith("date") else each.value)  # type: ignore[union-attr]
        for each in read(page, field)
    ]


def meta(name: str, content: str) -> str:
    return f'<meta property="{name}" content="{content}">'


@pytest.mark.parametrize(
    ("name", "content", "field", "expected"),
    [
        ("og:title", " Bread \n at dawn", "title", ("opengraph", "og:title", "Bread at dawn")),
        ("OG:Title", "Bread", "title", ("opengraph", "og:title", "Bread")),
        ("twitter:title", "Bread", "title", ("twitter", "twitter:title", "Bread")),
        ("twitter:text:title", "Bread", "title", ("twitter", "twitter:title", "Bread")),
        ("og:site_name", "The Oven", "site_name", ("opengraph", "og:site_name", "The Oven")),
        ("twitter:site", "@theoven", "site_name", ("twitter", "twitter:site", "theoven")),
        ("og:description", "A story", "description", ("opengraph", "og:description", "A story")),
        ("og:locale", "pt_BR", "language", ("opengraph", "og:locale", "pt-BR")),
        ("og:url", "/bread", "canonical_url", ("opengraph", "og:url", "https://oven.example/bread")),
        ("og:image", "a.jpg", "image", ("opengraph", "og:image", "https://oven.example/news/a.jpg")),
        ("og:image:secure_url", "/a.jpg", "image", ("opengraph", "og:image", "https://oven.example/a.jpg")),
        ("twitter:image:src", "/a.jpg", "image", ("twitter", "twitter:image", "https://oven.example/a.jpg")),
        ("article:published_time", "2024-03-05 23:30", "date", ("opengraph", "article:published_time", "2024-03-05")),
        ("og:article:published_time", "2024-03-05", "date", ("opengraph", "article:published_time", "2024-03-05")),
        ("article.published", "2024-03-05", "date", ("opengraph", "article:published_time", "2024-03-05")),
        ("video:release_date", "2024-03-05", "date", ("opengraph", "og:release_date", "2024-03-05")),
        ("article:modified_time", "2024-03-06", "date_modified", ("opengraph", "article:modified_time", "2024-03-06")),
        ("og:updated_time", "2024-03-06", "date_modified", ("opengraph", "og:updated_time", "2024-03-06")),
        ("article:author", "Ann Miller", "authors", ("opengraph", "article:author", ("Ann Miller",))),
        ("book:author", "Ann Miller", "authors", ("opengraph", "book:author", ("Ann Miller",))),
        ("article:section", "Baking", "section", ("opengraph", "article:section", "Baking")),
        ("article:section", "Baking", "categories", ("opengraph", "article:section", ("Baking",))),
        ("article:tag", "rye, wheat", "tags", ("opengraph", "article:tag", ("rye", "wheat"))),
        ("article:content_tier", "locked", "is_paywalled", ("opengraph", "article:content_tier", True)),
        ("article:content_tier", "free", "is_paywalled", ("opengraph", "article:content_tier", False)),
    ],
)  # fmt: skip
def test_each_property_is_a_candidate(name: str, content: str, field: str, expected: tuple[str, str, Any]) -> None:
    assert found(meta(name, content), field) == [expected]


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
        ("al:ios:app_name", "The Oven", "site_name"),
    ],
)
def test_unusable_values_are_none(name: str, content: str, field: str) -> None:
    assert found(meta(name, content), field) == []


def test_all_tags_and_authors_of_a_page_are_one_candidate_each() -> None:
    page = "".join(meta("article:tag", tag) for tag in ("rye", "wheat", "rye"))
    page += meta("article:author", "Ann Miller") + meta("article:author", "Bo Lee")
    assert found(page, "tags") == [("opengraph", "article:tag", ("rye", "wheat"))]
    assert found(page, "authors") == [("opengraph", "article:author", ("Ann Miller", "Bo Lee"))]


def test_open_graph_comes_before_twitter() -> None:
    page = meta("twitter:title", "Bread") + meta("og:title", "Bread at dawn")
    assert [value for _, _, value in found(page, "title")] == ["Bread at dawn", "Bread"]


def test_one_element_may_have_two_names() -> None:
    page = '<meta name="twitter:title" property="og:title" content="Bread">'
    assert [place for _, place, _ in found(page, "title")] == ["og:title", "twitter:title"]


def test_a_value_may_stand_for_the_content() -> None:
    assert found('<meta name="twitter:title" value="Bread">', "title") == [("twitter", "twitter:title", "Bread")]


@pytest.mark.parametrize(
    ("label", "data", "field", "value"),
    [
        ("Written by", "Ann Miller", "authors", ("Ann Miller",)),
        ("Geschrieben von", "Ann Miller", "authors", ("Ann Miller",)),
        ("Écrit par", "Ann Miller", "authors", ("Ann Miller",)),
        ("Escrito por", "Ann Miller", "authors", ("Ann Miller",)),
        ("Автор", "Анна Иванова", "authors", ("Анна Иванова",)),
        ("Published", "March 5, 2024", "date", "2024-03-05"),
        ("Filed under", "Baking", "section", "Baking"),
    ],
)
def test_labels_tell_what_data_are(label: str, data: str, field: str, value: object) -> None:
    pair = meta("twitter:label1", "Est. reading time") + meta("twitter:data1", "3 minutes")
    pair += meta("twitter:label2", label) + meta("twitter:data2", data)
    assert found(pair, field) == [("twitter", "twitter:data", value)]


def test_a_profile_is_an_author_unless_the_page_is_about_it() -> None:
    profile = meta("profile:first_name", "Ann") + meta("profile:last_name", "Miller")
    assert found(meta("og:type", "article") + profile, "authors") == [("opengraph", "profile", ("Ann Miller",))]
    assert found(meta("og:type", "profile") + profile, "authors") == []
