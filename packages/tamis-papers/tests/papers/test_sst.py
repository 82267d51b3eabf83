from __future__ import annotations

import math

import pytest

from tamis.document import Document
from tamis_papers.sst import SiteStyleTree, Sst, StyledPage, sst
from tests.papers.kept import kept_on_site as kept

GAMMA = 0.9


def importance(tag: str, *pages: str) -> float:
    """The composite importance of the place of the first element with this tag on the first page."""
    documents = [Document.from_html(page) for page in pages]
    tree = SiteStyleTree(documents, GAMMA)
    page = StyledPage(documents[0])
    node = next(node for node in range(len(page)) if page.name(node).partition("\n")[0] == tag)
    return float(tree.importance[tree.places(page)[node]])


class TestImportance:
    def test_content_that_is_the_same_everywhere_has_none(self) -> None:
        assert importance("#text", "<p>Home News</p>", "<p>Home News</p>", "<p>Home News</p>") == 0

    def test_content_that_is_different_everywhere_has_all(self) -> None:
        assert importance("#text", "<p>a b</p>", "<p>c d</p>") == 1

    def test_it_is_the_mean_over_features(self) -> None:
        # Of three features one is on both pages: its entropy is 1, that of the others 0.
        assert importance("#text", "<p>by Ann</p>", "<p>by Ben</p>") == pytest.approx(2 / 3)

    def test_features_count_as_often_as_they_occur(self) -> None:
        entropy = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25))
        assert importance("#text", "<p>a a a</p>", "<p>a</p>") == pytest.approx(1 - entropy)

    def test_addresses_of_links_and_images_are_features(self) -> None:
        assert importance("#text", "<a href=x>more</a>", "<a href=y>more</a>") == pytest.approx(2 / 3)
        assert importance("img", "<p><img src=x></p>", "<p><img src=x></p>") == 0
        assert importance("img", "<p><img src=x></p>", "<p><img src=y></p>") == 1

    def test_a_node_of_one_page_has_all(self) -> None:
        assert importance("p", "<p>a</p>") == pytest.approx((1 - GAMMA) * 1 + GAMMA * 1)

    def test_one_style_passes_on_what_is_below(self) -> None:
        assert importance("p", "<p>by Ann</p>", "<p>by Ben</p>") == pytest.approx(GAMMA * 2 / 3)

    def test_many_styles_are_important(self) -> None:
        # Two styles of one page each: the entropy is 1; below them all is of one page only.
        pages = ("<div><p>a</p></div>", "<div><h1>a</h1></div>")
        assert importance("div", *pages) == pytest.approx((1 - GAMMA**2) * 1 + GAMMA**2 * 1)

    def test_presentation_is_part_of_a_style(self) -> None:
        same, other = ("<div><p align=left>a</p></div>", "<div><p align=right>a</p></div>")
        assert importance("div", same, same) == 0
        assert importance("div", same, other) == pytest.approx(1)


class TestNoise:
    def test_noise_goes(self) -> None:
        menu = "<ul><li>Home</li></ul>"
        pages = [f"{menu}<div><p>{text}</p></div>" for text in ("a b", "c d", "e f")]
        assert kept(sst, *pages) == ["a b"]

    def test_a_style_that_is_not_known_is_kept(self) -> None:
        pages = [f"<div><p>menu</p></div><h1>{text}</h1>" for text in ("a", "b")]
        assert kept(sst, "<div><p>menu</p></div><h1>c</h1>", *pages) == ["c"]
        assert kept(sst, "<section><p>menu</p></section><h1>c</h1>", *pages) == ["menu", "c"]

    def test_a_new_text_on_noise_goes_too(self) -> None:
        pages = ["<ul><li>Home</li></ul><p>a</p>", "<ul><li>Home</li></ul><p>b</p>"]
        assert kept(sst, "<ul><li>Start</li></ul><p>c</p>", *pages) == ["c"]

    def test_the_threshold_decides(self) -> None:
        pages = [f"<p>written by {name}</p><div>{name} says</div>" for name in ("Ann", "Ben", "Cid")]
        assert kept(sst, *pages) == ["written by Ann", "Ann says"]
        assert kept(Sst(threshold=0.95), *pages) == []
