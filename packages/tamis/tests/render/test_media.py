"""Images, players, frames and posts: their addresses, the list of those that stay, and what is written."""

from __future__ import annotations

import pytest

import tamis
from tamis.render.content.media import Medium, same_image, watch_page
from tests.extractors import unlinked


def media(source: str, url: str | None = None) -> list[Medium]:
    return tamis.extract(f"<p>Text before.</p>{source}<p>Text after.</p>", extractor="keep-all", url=url).media


@pytest.mark.parametrize(
    ("source", "kind", "url"),
    [
        ("<img src=a.png>", "image", "a.png"),
        ("<img src=small.png srcset='small.png 320w, large.png 1280w, middle.png 640w'>", "image", "large.png"),
        ("<img src=one.png srcset='two.png 2x, three.png 3x'>", "image", "three.png"),
        ("<img src=grey.gif data-srcset='late.png 1x'>", "image", "late.png"),
        ("<video><source src=a.webm><source src=a.mp4></video>", "video", "a.webm"),
        ("<audio><source src=a.ogg></audio>", "audio", "a.ogg"),
        ("<object data=a.pdf></object>", "embed", "a.pdf"),
        ("<embed src=a.swf>", "embed", "a.swf"),
    ],
)
def test_every_kind_and_where_it_comes_from(source: str, kind: str, url: str) -> None:
    (medium,) = media(source)
    assert (medium.kind, medium.url) == (kind, url)


@pytest.mark.parametrize(
    "source",
    ["<img>", "<img src='javascript:run()'>", "<object data='javascript:run()'></object>", "<svg><path/></svg>"],
)
def test_what_has_no_safe_address_is_left_out(source: str) -> None:
    assert media(source) == []


def test_addresses_are_absolute_where_the_page_has_one() -> None:
    assert media("<img src=../a.png>", url="https://site.example/b/c/")[0].url == "https://site.example/b/a.png"
    based = media("<base href=https://cdn.example/x/><img src=a.png>", url="https://site.example/")
    assert based[0].url == "https://cdn.example/x/a.png"


@pytest.mark.parametrize(
    ("source", "alt"),
    [
        ("<picture><source srcset=a><img src=b alt='A boat'></picture>", "A boat"),
        ("<iframe src=a title='A film'></iframe>", "A film"),
        ("<video src=a aria-label='A film'></video>", "A film"),
        ("<img src=a title=t alt=a>", "a"),
    ],
)
def test_the_text_that_stands_for_it(source: str, alt: str) -> None:
    assert media(source)[0].alt == alt


def test_captions_belong_to_their_own_figure() -> None:
    found = media(
        "<figure><img src=a><figcaption>One <b>boat</b><br>by Ann</figcaption></figure><img src=b>"
        "<figure><figure><img src=c><figcaption>Inner</figcaption></figure><img src=d><figcaption>Outer</figcaption>"
        "</figure>"
    )
    captions = {"a": "One boat by Ann", "b": "", "c": "Inner", "d": "Outer"}
    assert {medium.url: medium.caption for medium in found} == captions


def test_media_that_do_not_stay_are_not_listed() -> None:
    news = "The storm came in the night and closed the harbour for two days. " * 4
    page = tamis.extract(
        f"<ul><li><a href=x><img src=logo.png>Home</a></ul><p>{news}</p><img src=a.png><p>{news}</p>",
        extractor=unlinked,
    )
    assert [medium.as_dict() for medium in page.media] == [{"kind": "image", "url": "a.png", "alt": "", "caption": ""}]
    assert page.document.leaves.is_media[page.media[0].leaf]


@pytest.mark.parametrize(
    ("image", "is_icon"),
    [
        ("<img src=/icons/print.png width=16 height=16 alt=Print>", True),
        ("<img src=a.png width=24px height=24px>", True),
        ("<img src=a.png width=24 height=24 alt='A ferry'>", False),
        ("<img src=/icons/print.png width=200 height=160 alt=Print>", False),
        ("<img src=/icons/print.png alt=Print>", False),
    ],
)
def test_small_signs_are_no_pictures(image: str, is_icon: bool) -> None:
    assert (media(image) == []) == is_icon


def markdown(html: str) -> str:
    page = f"<p>Before.</p>{html}<p>After.</p>"
    text = tamis.extract(page, extractor="keep-all", url="https://site.example/").markdown
    return text.removeprefix("Before.\n\n").removesuffix("After.").strip()


@pytest.mark.parametrize(
    ("frame", "page"),
    [
        ("https://www.youtube.com/embed/abc-DEF_1?start=9", "https://www.youtube.com/watch?v=abc-DEF_1"),
        ("https://www.youtube.com/embed/videoseries?list=PL1", "https://www.youtube.com/playlist?list=PL1"),
        ("https://www.dailymotion.com/embed/video/x1", "https://www.dailymotion.com/video/x1"),
        ("https://geo.dailymotion.com/player.html?video=x1", "https://www.dailymotion.com/video/x1"),
        ("https://open.spotify.com/embed/episode/1", "https://open.spotify.com/episode/1"),
        ("https://social.example/@ann/1/embed", "https://social.example/@ann/1"),
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
        ("<img src=/pixel.gif data-foo=/a.jpg>", "a.jpg"),
        ("<img src=/a.jpg data-share=/b.html>", "a.jpg"),
        ("<img src=/lazy-dog.jpg>", "lazy-dog.jpg"),
        ("<img src=/lazy-dog.jpg data-src='{url}'>", "lazy-dog.jpg"),
        ("<img srcset='/a.jpg 1x,/b.jpg 2x' src=/c.jpg>", "b.jpg"),
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
        ("<li class=task-list-item>a", "- a"),
        ("<li class='task-list-item'>a<ul><li><input type=checkbox> b</ul>", "- a\n  - b"),
    ],
)
def test_items_with_boxes(item: str, written: str) -> None:
    assert markdown(f"<ul>{item}</ul>") == written
