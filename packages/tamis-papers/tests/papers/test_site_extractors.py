"""One suite over every paper that compares a page with others of its site."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

import tamis
from tamis import registry, testing
from tamis.document import Document
from tamis.labels import Labels
from tamis.protocol import Extractor, SiteExtractor

NAMES = [name for name, entry in registry.extractors().items() if entry.learns_sites]
every_method = pytest.mark.parametrize("name", NAMES)

MENU = "<ul class=menu><li><a href=/>Home</a></li><li><a href=/news>News</a></li><li><a href=/shop>Shop</a></li></ul>"
FOOTER = "<div class=footer><p>All rights reserved by the harbour office.</p></div>"
STORIES = (
    ("The storm came at night", "It closed the harbour for two days, and boats were lost.", "Nobody was hurt."),
    ("A bridge reopens", "The old crossing carries traffic again after long repairs.", "Drivers cheered loudly."),
    ("Bread gets dearer", "Bakers say that flour costs twice as much this winter.", "Customers shrug."),
    ("The choir sings", "Forty voices filled an empty church on Sunday evening.", "Tickets were free."),
    ("Snow in May", "Farmers covered their strawberries under white sheets.", "Cold wind follows."),
)


def site_extractor(name: str) -> SiteExtractor:
    return cast("SiteExtractor", registry.get(name))


def page(story: tuple[str, ...], menu: str = MENU) -> Document:
    headline, *paragraphs = story
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return Document.from_html(
        f"<title>{headline}</title><body><div class=top>{menu}</div>"
        f"<div class=story><h1>{headline}</h1>{text}</div>{FOOTER}</body>"
    )


PAGES = [page(story) for story in STORIES]


def kept(extractor: Extractor, document: Document) -> list[str]:
    keep = extractor.label(document).keep
    return [text.strip() for text, stays in zip(document.leaves.text, keep, strict=True) if stays and text]


def same(first: Labels, second: Labels) -> bool:
    return np.array_equal(first.scores, second.scores) and np.array_equal(first.keep, second.keep)


def test_there_are_such_methods() -> None:
    assert NAMES


@every_method
class TestUnlearned:
    def test_every_visible_leaf_is_kept(self, name: str) -> None:
        document = Document.from_html(f"{MENU}<p>Text</p><p hidden>secret</p><img src=a.png><img src=b.png>")
        labels = site_extractor(name).label(document)
        assert np.array_equal(labels.keep, document.leaves.visible)
        assert np.array_equal(labels.scores, document.leaves.visible.astype(np.float64))

    def test_learning_does_not_change_it(self, name: str) -> None:
        extractor = site_extractor(name)
        before = extractor.label(PAGES[0])
        extractor.learned(PAGES[1:])
        assert same(extractor.label(PAGES[0]), before)


@every_method
class TestLearned:
    def test_the_menu_goes_and_the_text_stays(self, name: str) -> None:
        for index, document in enumerate(PAGES):
            others = PAGES[:index] + PAGES[index + 1 :]
            assert kept(site_extractor(name).learned(others), document) == list(STORIES[index])

    def test_a_page_that_was_not_there_yet_is_known_too(self, name: str) -> None:
        story = ("A new museum", "It shows boats that were built in this town.", "Admission costs nothing.")
        assert kept(site_extractor(name).learned(PAGES), page(story)) == list(story)

    def test_the_order_of_the_pages_does_not_matter(self, name: str) -> None:
        odd = page(
            ("An odd page", "Its menu has another entry, and so differs from the rest."), MENU.replace("Shop", "S")
        )
        others = [*PAGES[1:], odd]
        first, second = (site_extractor(name).learned(pages) for pages in (others, others[::-1]))
        for document in (PAGES[0], odd):
            assert same(first.label(document), second.label(document))

    def test_what_it_learned_before_is_forgotten(self, name: str) -> None:
        other = [page(story, "<ol><li>Other menu</li></ol>") for story in STORIES[1:]]
        once = cast("SiteExtractor", site_extractor(name).learned(other))
        assert kept(once.learned(PAGES[1:]), PAGES[0]) == list(STORIES[0])

    def test_a_page_of_another_site_keeps_its_text(self, name: str) -> None:
        html = f"<main><article><h2>Elsewhere</h2><section><p>{testing._WORDS}</p><p>{testing._WORDS}</p></section>"
        other = Document.from_html(html + "</article></main>")
        assert len(kept(site_extractor(name).learned(PAGES), other)) >= 2

    @pytest.mark.nightly
    @pytest.mark.parametrize("check", testing.CHECKS, ids=lambda check: str(check.__name__))
    def test_contract(self, name: str, check: testing.Check) -> None:
        check(site_extractor(name).learned(PAGES), testing.PAGES)

    def test_empty_pages_among_those_learned(self, name: str) -> None:
        empty = [Document.from_html(html) for html in testing.EMPTY_PAGES]
        extractor = site_extractor(name).learned([*empty, *PAGES[1:]])
        assert set(STORIES[0]) <= set(kept(extractor, PAGES[0]))
        for document in empty:
            assert not extractor.label(document).keep.any()

    def test_hostile_pages_among_those_learned(self, name: str) -> None:
        for make in testing.HOSTILE_PAGES.values():
            small, large = (Document.from_html(make(size)) for size in (200, 400))
            extractor = site_extractor(name).learned([small, *PAGES[1:]])
            assert set(STORIES[0]) <= set(kept(extractor, PAGES[0]))
            assert len(extractor.label(large).keep) == len(large.leaves)

    @pytest.mark.nightly
    @pytest.mark.parametrize(
        "make",
        [
            lambda size: "<div>" * size + "text",
            lambda size: "<p>word</p>" * size + "end",
            lambda size: "".join(f"<p>word {number}</p>" for number in range(size)),
            lambda size: "<div>some words " * size,
        ],
        ids=["deep", "wide", "wide and different", "deep with texts"],
    )
    def test_huge_pages_end_in_a_result(self, name: str, make: object) -> None:
        first, second = (Document.from_html(make(size)) for size in (30_000, 30_001))  # type: ignore[operator]
        labels = site_extractor(name).learned([first]).label(second)
        assert len(labels.keep) == len(second.leaves)


def test_extract_takes_a_learned_extractor() -> None:
    extractor = site_extractor(NAMES[0]).learned(PAGES[1:])
    assert tamis.extract(PAGES[0], extractor=extractor).text.split() == " ".join(STORIES[0]).split()
