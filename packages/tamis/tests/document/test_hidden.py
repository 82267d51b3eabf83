"""Every way in which a page hides words, and every way in which it folds them away."""

from __future__ import annotations

from typing import Any

import pytest

import tamis
from tamis import Document
from tests.hidden_pages import ARTICLE, FOLDED, FOLDING, HIDDEN, OPENABLE, SECRET, SHOWN, page

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"favor_precision": True},
    {"favor_recall": True},
    {"include_comments": True},
    {"visible_only": True},
)


def shown(html: str) -> str:
    return tamis.extract(html, extractor="keep-all").text


def unfolded(html: str) -> str:
    return shown_of(Document.from_html(html).unfolded)


def shown_of(document: Document) -> str:
    return tamis.extract(document, extractor="keep-all").text


@pytest.mark.parametrize("way", HIDDEN)
class TestHidden:
    """What nobody can ever see is in no text, with any extractor and any option."""

    def test_by_any_options(self, way: str) -> None:
        html = page(HIDDEN[way], SECRET)
        for extractor in ("tamis", "keep-all", "boilerpipe-density"):
            for options in OPTIONS:
                found = tamis.extract(html, extractor=extractor, **options)
                assert "Ignore" not in found.text + found.markdown + found.html, (extractor, options)
                assert "mill on the river" in found.text

    def test_it_is_not_folded(self, way: str) -> None:
        html = page(HIDDEN[way], SECRET)
        assert "Ignore" not in unfolded(html)
        assert "Ignore" not in shown_of(Document.from_html(html).without_folds)


@pytest.mark.parametrize("way", FOLDING)
class TestFolding:
    """What something on the page opens is there for those who read the page unfolded."""

    def test_it_is_folded(self, way: str) -> None:
        html = page(FOLDING[way], FOLDED)
        assert "rye on Tuesdays" not in shown(html)
        assert "rye on Tuesdays" in unfolded(html)

    def test_visible_only_leaves_it_out(self, way: str) -> None:
        html = page(FOLDING[way], FOLDED)
        for options in OPTIONS:
            found = tamis.extract(html, **{**options, "visible_only": True})
            assert "rye on Tuesdays" not in found.text
            assert "mill on the river" in found.text

    def test_the_default_reads_it(self, way: str) -> None:
        found = tamis.extract(page(FOLDING[way], FOLDED))
        assert any("rye on Tuesdays" in block.text for block in found.blocks)


@pytest.mark.parametrize("way", OPENABLE)
def test_what_always_counts_as_visible_is_left_out_by_visible_only(way: str) -> None:
    html = page(OPENABLE[way], FOLDED)
    assert "rye on Tuesdays" in shown(html)
    found = tamis.extract(html, extractor="keep-all", visible_only=True)
    assert "rye on Tuesdays" not in found.text
    assert ("Mills" in found.text.split("\n\n")) or "summary" not in html, "the summary is shown"


@pytest.mark.parametrize("way", SHOWN)
def test_what_only_looks_hidden_is_shown(way: str) -> None:
    html = page(SHOWN[way], FOLDED)
    assert "rye on Tuesdays" in shown(html)
    assert "rye on Tuesdays" in tamis.extract(html, extractor="keep-all", visible_only=True).text


class TestCurtain:
    """A page that hides most of its text shows it with a script."""

    @pytest.mark.parametrize("style", ["display:none", "visibility:hidden", "opacity:0"])
    @pytest.mark.parametrize("tag", ["body", "main", "div"])
    def test_a_page_that_waits_for_its_script(self, tag: str, style: str) -> None:
        html = f"<title>Mills</title><{tag} style='{style}'><article>{ARTICLE}</article></{tag}>"
        assert "seventh mill" in tamis.extract(html).text

    @pytest.mark.parametrize("style", ["opacity:0", "font-size:0", "position:absolute;left:-9999px"])
    def test_a_large_part_is_shown(self, style: str) -> None:
        menu = "<nav>" + "<p>Home, towns, rivers, maps</p>" * 40 + "</nav>"
        html = f"<title>Mills</title><body>{menu}<div style='{style}'>{ARTICLE}</div>"
        assert "seventh mill" in shown(html)

    def test_parts_that_fade_in(self) -> None:
        parts = "".join(f"<p style='opacity:0'>Part {number}.</p>" for number in range(4))
        assert "Part 2." in shown(page("{}", parts))

    def test_pairs_of_headings_and_hidden_parts(self) -> None:
        one = "<h3>What is a weir?</h3><div style='display:none'><p>A low dam.</p></div>"
        assert "A low dam." in unfolded(page("{}", one * 2))
        assert "A low dam." not in unfolded(page("{}", one))


def test_a_link_whose_picture_stands_for_its_words() -> None:
    assert "Sea green" in shown(page('<a href="/sea" style="text-indent:-9999px">{}</a>', "Sea green"))
