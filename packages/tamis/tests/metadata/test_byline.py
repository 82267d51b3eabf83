"""Authors as pages show them, in many languages and in the markup of many systems."""

from __future__ import annotations

import pytest

from tamis.deadline import limited
from tamis.document import Document
from tamis.errors import PageTooSlow
from tamis.metadata.byline import Byline
from tamis.metadata.view import Candidate, View

ANN, BOTH = ("Ann Lee",), ("Ann Lee", "Bob Ray")
TEXT = "<p>The river rose in the night, and in the morning the lower town stood under water up to the doors.</p>" * 3


def found(byline: str, language: str = "en", behind: str = "") -> list[Candidate]:
    """The candidates of a page with a byline below its headline."""
    page = (
        f"<html lang={language}><title>The river rose</title><body><nav><a href=/>Home</a> <a href=/news>News</a></nav>"
        f"<article><h1>The river rose</h1>{byline}{TEXT}{behind}</article><footer>© Example News</footer>"
    )
    return list(Byline(View(Document.from_html(page, url="https://example.com/a"))).candidates("authors"))


def names(byline: str, language: str = "en", behind: str = "") -> list[tuple[str, ...]]:
    return [candidate.value for candidate in found(byline, language, behind)]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("language", "byline", "authors"),
    [
        ("en", "<p>By Ann Lee | May 3, 2021</p>", ANN),
        ("en", "<div>By <a href=/x>Ann Lee</a> and <a href=/y>Bob Ray</a></div>", BOTH),
        ("en", "<div><span>By</span> <b>Ann Lee</b>, <b>Bob Ray</b></div>", BOTH),
        ("en", "<p>Posted on May 3, 2021 by Ann Lee</p>", ANN),
        ("de", "<p>Von Max Müller und Eva Klein</p>", ("Max Müller", "Eva Klein")),
        ("zh", "<p>作者：张三</p>", ("张三",)),
        ("zh-tw", "<p>記者王小明／台北報導</p>", ("王小明",)),
        ("ja", "<p>文：山田太郎</p>", ("山田太郎",)),
        ("ja", "<p><span>執筆者</span><span>鈴木花子</span></p>", ("鈴木花子",)),
    ],
)
def test_words_before_a_name_tell_the_author(language: str, byline: str, authors: tuple[str, ...]) -> None:
    assert names(byline, language)[0] == authors
    assert found(byline, language)[0].place == "label"


@pytest.mark.parametrize(
    ("byline", "place", "authors"),
    [
        ('<a rel="author" href="/x">Ann Lee</a>', "rel=author", ANN),
        ('<a rel=author href=/x>Ann Lee</a>, <a rel=author href=/y>Bob Ray</a>', "rel=author", BOTH),
        ('<a href="/author/ann-lee/">Ann Lee</a>', "href author", ANN),
        ('<a href="/autor/ann">Ann Lee</a> &amp; <a href="/autor/bob">Bob Ray</a>', "href author", BOTH),
        ('<span class="entry-author">Ann Lee</span>', "class author", ANN),
        ('<span class="author vcard"><span class="fn">Ann Lee</span></span>', "class author", ANN),
        ('<p id="author">Ann Lee</p>', "class author", ANN),
        ('<p class="post-byline">Ann Lee, Staff Writer</p>', "class byline", ANN),
        ('<div class="byline"><b>Ann Lee</b><i>May 3, 2021</i></div>', "class byline", ANN),
        ("<address>Ann Lee</address>", "address tag", ANN),
        ("<div><span>Ann Lee</span> <span>May 3, 2021</span></div>", "beside date", ANN),
    ],
)  # fmt: skip
def test_markup_tells_the_author(byline: str, place: str, authors: tuple[str, ...]) -> None:
    assert (authors, place) in [(candidate.value, candidate.place) for candidate in found(byline, "de")]


def test_cards_of_several_authors_are_one_list() -> None:
    card = '<div class="author-card"><a href="/staff/{0}">{1}</a><p class="author-bio">{1} writes.</p></div>'
    byline = f"<div>{card.format('ann', 'Ann Lee')}{card.format('bob', 'Bob Ray')}</div>"
    assert BOTH in names(byline)


def test_jobs_dates_and_biographies_beside_a_name_are_left_out() -> None:
    byline = (
        '<div class="author-info"><span class="author-name">Ann Lee</span><span class="author-title">Expert</span>'
        '<span class="author-bio">Ann writes about rivers, towns and the sea.</span><time>May 3</time></div>'
    )
    assert set(names(byline)) == {ANN}


@pytest.mark.parametrize(
    "byline",
    [
        "<p>Photos by Ann Lee</p>",
        '<p>Medically reviewed by <a href="/author/ann">Ann Lee</a></p>',
        '<a href="https://www.tiktok.com/@example">TikTok</a>',
        '<span class="sort-by">Featured items</span>',
        "<p>By the end of the week the water had gone, and the town began to clean its streets.</p>",
        "<p>It was written by <i>Ann Lee</i> as a book, and later many people read it in the schools.</p>",
        '<div class="comments"><span class="author">Ann Lee</span></div>',
        '<div class="author-box"><a href="/author/ann">View all posts</a></div>',
    ],
)
def test_others_are_no_authors(byline: str) -> None:
    assert names(byline) == []


def test_the_first_poster_of_a_thread() -> None:
    post = '<div class="post"><a class="username" href="/members/{0}/">{0}</a><div>{1}</div></div>'
    shown = found(post.format("ann_77", "My river is too high.") + post.format("bob", "Buy a boat."))
    assert [(each.value, each.place) for each in shown][:2] == [(("ann_77",), "forum"), (("ann_77",), "href user")]


def test_candidates_have_the_row_of_their_element() -> None:
    [candidate] = found('<p class="byline"><b>Ann Lee</b></p>')
    document = Document.from_html('<title>a</title><h1>a</h1><p class="byline"><b>Ann Lee</b></p>')
    assert candidate.source == "visible"
    [own] = Byline(View(document)).candidates("authors")
    assert document.elements.tag[own.row] == "p"


def test_hidden_names_do_not_count() -> None:
    assert names('<p class="byline" hidden>By Ann Lee</p>') == []


@pytest.mark.parametrize(
    "page",
    [
        "<h1>a</h1>" + '<a rel=author href="/author/x">Ann Lee</a> ' * 20_000,
        "<h1>a</h1>" + '<div class="author">' * 400 + "By Ann Lee " * 2_000,
        "<h1>a</h1><p class=byline>" + "by " * 60 + "<i>,</i>" * 20_000,
        "<h1>a</h1>" * 20_000,
        "",
    ],
    ids=["links", "nested", "commas", "headings", "empty"],
)  # fmt: skip
def test_hostile_pages_are_read_in_time(page: str) -> None:
    document = Document.from_html(page)
    try:
        with limited(2):
            assert len(list(Byline(View(document)).candidates("authors"))) <= 12
    except PageTooSlow:  # pragma: no cover
        pytest.fail("too slow")
