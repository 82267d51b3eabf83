from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tamis.document import Document
from tamis.labels import Role, from_text_scores
from tamis.metadata.links import Links
from tamis.metadata.view import View

URL = "https://oven.example/news/bread"
MENU = "<nav>" + "".join(f'<a href="/tag/{name}">{name}</a> ' for name in ("rye", "oat", "spelt")) + "</nav>"
TEXT = "<h1>Bread at dawn</h1>" + "<p>Long before the sun rises the bakers of the town light their ovens.</p>" * 3

STEPS = '<a href="/food/">Food</a> › <a href="/food/baking">Baking</a>'


def found(page: str, field: str, *, known: bool = True) -> list[tuple[str, Any]]:
    """The candidates of a page whose long texts are kept, and whose texts in .related are teasers."""
    document = Document.from_html(page, url=URL)
    roles = [Role.RELATED if other else Role.TEXT for other in document.inside(".related")]
    scores = np.array([float(len(text) > 40) for text in document.leaves.text])
    labels = from_text_scores(document, scores, roles=roles) if known else None
    return [(each.place, each.value) for each in Links(View(document, labels)).candidates(field)]


def article(before: str = "", after: str = "") -> str:
    content = f"<article>{before}{TEXT}{after}</article><footer><p>Imprint</p></footer>"
    return f"<title>Bread at dawn - The Oven</title><body>{MENU}{content}"


def links(*names: str, path: str = "/x/", rel: str = "") -> str:
    return " ".join(f'<a href="{path}{name}" rel="{rel}">{name}</a>' for name in names)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("group", "place"),
    [
        (f"<p>Tags: {links('rye', 'wheat', rel='tag')}</p>", "rel=tag"),
        (f"<p>{links('rye', 'wheat', path='/tag/')}</p>", "tag address"),
        (f"<p>{links('rye', 'wheat', path='https://oven.example/topics/')}</p>", "tag address"),
        (f"<p>{links('rye', 'wheat', path='/?tag=')}</p>", "tag address"),
        (f'<div class="post-tags">{links("rye", "wheat")}</div>', "class tags"),
        (f'<ul class="articleTags_list"><li>{links("rye", "wheat")}</ul>', "class tags"),
        (f'<footer class="entry-footer">{links("rye", "wheat", rel="tag")}</footer>', "rel=tag"),
        (f"<p>{links('#rye', 'wheat,', rel='tag')}</p>", "rel=tag"),
        ('<p><a rel="tag" href="/a">rye <b>12</b></a> <a rel="tag" href="/b">wheat<i>3</i></a></p>', "rel=tag"),
    ],
)
def test_tags(group: str, place: str, known: bool) -> None:
    assert found(article(after=group), "tags", known=known) == [(place, ("rye", "wheat"))]


@pytest.mark.parametrize(
    "group",
    [
        f"<aside>{links('rye', 'wheat', rel='tag')}</aside>",
        f"<nav>{links('rye', 'wheat', rel='tag')}</nav>",
        f"<p>{links(*(f'tag{number}' for number in range(20)), rel='tag')}</p>",
        f"<p>{links('rye (12)', 'wheat (3)', rel='tag')}</p>",
        f"<p>{links('rye', 'wheat', path='https://shop.example/tag/')}</p>",
        f'<div class="post tag-rye category-bread">{links("rye", "wheat")}</div>',
        f"<p>The bakers who light their ovens before dawn use {links('rye', path='/tag/')} more and more often.</p>",
        f'<div hidden>{links("rye", "wheat", rel="tag")}</div>',
        f"<p>{links('See all', rel='tag')}</p>",
        f'<div class="related">{links("oat", rel="tag")}</div>',
    ],
)  # fmt: skip
def test_menus_clouds_and_links_in_sentences_are_no_tags(group: str) -> None:
    assert found(article(after=group), "tags") == []


def test_teasers_of_a_list_have_tags_of_their_own() -> None:
    items = "".join(f"<li><a href=/x>More</a> <h2>{name}</h2><p>{links(name, rel='tag')}</p>" for name in "abcde")
    assert found(article(after=f"<ul>{items}</ul>"), "tags") == []
    page = article(after=f"<p>{links('rye', rel='tag')}</p><ul>{items}</ul>")
    assert found(page, "tags") == [("rel=tag", ("rye",))]


def test_a_relation_counts_more_than_an_address() -> None:
    page = article(
        before=f"<p>{links('oat', path='/tag/')}</p>",
        after=f"<a href=/x>Next</a><p>{links('rye', rel='tag')}</p>",
    )
    assert found(page, "tags") == [("rel=tag", ("rye",)), ("tag address", ("oat",))]


@pytest.mark.parametrize(
    ("group", "place"),
    [
        (f"<p>{links('Baking', 'Food', rel='category tag')}</p>", "rel=category"),
        (f"<p>{links('Baking', 'Food', path='/category/', rel='tag')}</p>", "rel=tag"),
        (f"<p>{links('Baking', 'Food', path='/kategorie/')}</p>", "category address"),
        (f'<span class="cat-links">{links("Baking", "Food")}</span>', "class categories"),
        (f'<div class="entry-categories">{links("Baking", "Uncategorized", "Food")}</div>', "class categories"),
    ],
)
def test_categories(group: str, place: str) -> None:
    page = article(before=group, after=f"<p>{links('rye', rel='tag')}</p>")
    assert found(page, "categories") == [(place, ("Baking", "Food"))]
    assert found(page, "section") == [(place, "Baking")]
    assert found(page, "tags") == [("rel=tag", ("rye",))]


@pytest.mark.parametrize(
    "trail",
    [
        f'<nav aria-label="Breadcrumb"><a href="/">Start here</a> › {STEPS}</nav>',
        f'<ol class="breadcrumbs"><li><a href="/home-page">Home</a><li>{STEPS}<li>Bread at dawn</ol>',
        f'<div class="page-BreadCrumb"><a href="/de/">Startseite</a> {STEPS} <a href="/x?y">Bread at dawn</a></div>',
        f'<div class="crumbs"><a href="https://oven.example/">The Oven</a> {STEPS} <a href="{URL}">here</a></div>',
    ],
)
def test_breadcrumbs_between_home_and_the_page(trail: str) -> None:
    assert found(article(before=trail), "categories") == [("breadcrumb", ("Food", "Baking"))]
    assert found(article(before=trail), "section") == [("breadcrumb", "Baking")]


def test_a_page_below_the_home_page_has_no_categories() -> None:
    trail = '<nav class="breadcrumb"><a href="/">Home</a> <a href="#">Bread at dawn</a></nav>'
    assert found(article(before=trail), "categories") == []


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        (
            '<a rel="license" href="http://creativecommons.org/licenses/by/4.0/deed.en">x</a>',
            ("rel=license", "https://creativecommons.org/licenses/by/4.0/"),
        ),
        ('<a rel="license" href="/terms">x</a>', ("rel=license", "https://oven.example/terms")),
        (
            '<a href="https://creativecommons.org/licenses/by-sa/4.0/">CC</a>',
            ("creativecommons", "https://creativecommons.org/licenses/by-sa/4.0/"),
        ),
    ],
)
def test_licence(link: str, expected: tuple[str, str]) -> None:
    assert found(article(after=f"<p>{link}</p>"), "license") == [expected]


def test_the_licence_of_a_picture_is_not_that_of_the_page() -> None:
    link = '<a href="https://creativecommons.org/licenses/by-sa/4.0/">CC</a>'
    assert found(article(after=f"<figure><img src=a.jpg>{link}</figure>"), "license") == []


def test_paywall() -> None:
    assert found(article(after='<div class="c-paywall"><p><a href="/log-in">Log in</a></p></div>'), "is_paywalled") == [
        ("class paywall", True)
    ]
    assert found(article(), "is_paywalled") == []


@pytest.mark.parametrize(
    "page",
    ["", "<p>", "<a>", "<a rel=tag>", "<a rel=tag href='http://['>x</a>", "<nav class=breadcrumb><a href='http://['>x</a></nav>"],
)  # fmt: skip
@pytest.mark.parametrize("known", [True, False])
def test_poor_pages(page: str, known: bool) -> None:
    for field in ("tags", "categories", "section", "license", "is_paywalled", "title"):
        assert all(value for _, value in found(page, field, known=known))
