"""The media that stay, as a list."""

from __future__ import annotations

import pytest

import tamis
from tamis.render.content.media import Medium
from tests.extractors import unlinked


def media(source: str, url: str | None = None) -> list[Medium]:
    return tamis.extract(f"<p>Text before.</p>{source}<p>Text after.</p>", extractor="keep-all", url=url).media


@pytest.mark.parametrize(
    ("source", "kind", "url"),
    [
        ("<img src=a.png>", "image", "a.png"),
        ("<img src=small.png srcset='small.png 320w, large.png 1280w, middle.png 640w'>", "image", "large.png"),
        ("<img src=one.png srcset='two.png 2x, three.png 3x'>", "image", "three.png"),
        ("<img src='data:image/gif;base64,R0' data-src=late.png>", "image", "late.png"),
        ("<img src=grey.gif data-srcset='late.png 1x'>", "image", "late.png"),
        ("<picture><source srcset=a.webp><img src=a.jpg></picture>", "image", "a.jpg"),
        ("<amp-img src=a.png></amp-img>", "image", "a.png"),
        ("<video src=a.mp4></video>", "video", "a.mp4"),
        ("<video><source src=a.webm><source src=a.mp4></video>", "video", "a.webm"),
        ("<audio><source src=a.ogg></audio>", "audio", "a.ogg"),
        ("<iframe src=https://films.example/1></iframe>", "embed", "https://films.example/1"),
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
        ("<img src=a alt=' A  boat\n'>", "A boat"),
        ("<picture><source srcset=a><img src=b alt='A boat'></picture>", "A boat"),
        ("<iframe src=a title='A film'></iframe>", "A film"),
        ("<video src=a aria-label='A film'></video>", "A film"),
        ("<img src=a title=t alt=a>", "a"),
        ("<img src=a>", ""),
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
    assert [(medium.url, medium.caption) for medium in found] == [
        ("a", "One boat by Ann"),
        ("b", ""),
        ("c", "Inner"),
        ("d", "Outer"),
    ]


def test_an_address_is_listed_once() -> None:
    late = "<img src=grey.gif data-src=a.png alt=first><noscript><img src=a.png alt=second></noscript>"
    (medium,) = media(late)
    assert medium.alt == "first"


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
