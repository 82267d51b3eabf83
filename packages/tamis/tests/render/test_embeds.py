"""Embedded media and posts, and task lists. `tests/structures` has the forms of the systems."""

from __future__ import annotations

import pytest

import tamis
from tamis.render.content.media import same_image, watch_page


def markdown(html: str) -> str:
    page = f"<p>Before.</p>{html}<p>After.</p>"
    text = tamis.extract(page, extractor="keep-all", url="https://site.example/").markdown
    return text.removeprefix("Before.\n\n").removesuffix("After.").strip()


@pytest.mark.parametrize(
    ("frame", "page"),
    [
        ("https://www.youtube.com/embed/abc-DEF_1?start=9", "https://www.youtube.com/watch?v=abc-DEF_1"),
        ("https://www.youtube-nocookie.com/embed/abc", "https://www.youtube.com/watch?v=abc"),
        ("https://www.youtube.com/embed/videoseries?list=PL1", "https://www.youtube.com/playlist?list=PL1"),
        ("https://player.vimeo.com/video/123?h=1", "https://vimeo.com/123"),
        ("https://www.dailymotion.com/embed/video/x1", "https://www.dailymotion.com/video/x1"),
        ("https://geo.dailymotion.com/player.html?video=x1", "https://www.dailymotion.com/video/x1"),
        ("https://open.spotify.com/embed/episode/1", "https://open.spotify.com/episode/1"),
        ("https://social.example/@ann/1/embed", "https://social.example/@ann/1"),
        ("https://www.instagram.com/p/C1/embed", "https://www.instagram.com/p/C1/"),
        ("https://www.youtube.com/embed/<script>", None),
        ("https://maps.example/embed?x=1", None),
        ("/relative", None),
    ],
)
def test_the_page_of_a_frame(frame: str, page: str | None) -> None:
    assert watch_page(frame) == page


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("https://a.example/x.jpg", "https://a.example/x.jpg?w=2", True),
        ("https://a.example/x-300x200.jpg", "https://a.example/x-1024x768.jpg", True),
        ("https://a.example/x@2x.png", "http://a.example/x.png", True),
        ("https://a.example/x.jpg", "https://a.example/y.jpg", False),
        ("https://a.example/image?id=1", "https://a.example/image?id=2", False),
    ],
)
def test_versions_of_one_image(one: str, other: str, is_same: bool) -> None:
    assert same_image(one, other) is is_same


@pytest.mark.parametrize(
    ("html", "address"),
    [
        ("<img src=/dummy.png data-src=/a.jpg>", "a.jpg"),
        ("<img src=/pixel.gif data-foo=/a.jpg>", "a.jpg"),
        ("<img src=/a.jpg data-share=/b.html>", "a.jpg"),
        ("<img src=/lazy-dog.jpg>", "lazy-dog.jpg"),
        ("<img src=/lazy-dog.jpg data-src='{url}'>", "lazy-dog.jpg"),
        ("<img srcset='/a.jpg 1x,/b.jpg 2x' src=/c.jpg>", "b.jpg"),
        ("<picture><source srcset=/a.webp><img src=/placeholder.svg></picture>", "a.webp"),
    ],
)
def test_the_best_address(html: str, address: str) -> None:
    assert markdown(html) == f"![](https://site.example/{address})"


@pytest.mark.parametrize(
    "html",
    ["<img src=/blank.gif>", "<img src=/1x1.png?v=2>", "<img src=/t width=1 height=1>", "<img src='data:image/gif;,'>"],
)
def test_what_only_holds_a_place_is_left_out(html: str) -> None:
    assert markdown(html) == ""


def test_hostile_addresses_do_not_pass() -> None:
    frame = "<iframe src='https://x.example/' data-tweet-id='1\"><script>'></iframe>"
    assert markdown(frame) == "<https://x.example/>"
    assert markdown("<lite-youtube videoid='../../x'>Play</lite-youtube>") == "Play"
    post = "<blockquote class=instagram-media data-instgrm-permalink='javascript:x()'><p>Text</p></blockquote>"
    assert markdown(post) == "> Text"


@pytest.mark.parametrize(
    ("item", "written"),
    [
        ("<li class=task-list-item><input type=checkbox checked> a", "- [x] a"),
        ("<li class=task-list-item><input type=checkbox> a", "- [ ] a"),
        ("<li class=task-list-item>a", "- a"),
        ("<li class=task-list-item data-checked=true><label><input type=checkbox></label><div>a</div>", "- [x] a"),
        ("<li class='task-list-item'>a<ul><li><input type=checkbox> b</ul>", "- a\n  - b"),
    ],
)
def test_items_with_boxes(item: str, written: str) -> None:
    assert markdown(f"<ul>{item}</ul>") == written
