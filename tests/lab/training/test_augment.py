"""Pages made of two: labels follow their texts, and what is content stays."""

from __future__ import annotations

import numpy as np
import pytest

from tamis import Document
from tamis.arrays import Bools
from tamis.lab.gold import LeafGold
from tamis.lab.training import augment
from tamis.lab.training.augment import augmented
from tamis.lab.training.pages import LabelledPage

SEEDS = range(40)


def page(name: str, *, core: str = "div", extra: str = "") -> LabelledPage:
    """A page whose texts say themselves what they are: good ones are content, odd ones nobody knows."""
    html = f"""<title>bad {name} title</title><header><ul><li><a href=x>bad {name} home</a></li>
        <li><a href=y>bad {name} about</a></li></ul></header><aside><p>bad {name} teaser one</p><p>odd {name} advert</p>
        </aside><{core}><h1>good {name} headline</h1><p>good {name} text <b>good {name} bold</b></p><img src=x>
        <p>good {name} more text</p></{core}>{extra}<section class=tab hidden><p>bad {name} folded</p></section>
        <footer>bad {name} imprint</footer>"""
    document = Document.from_html(html)
    return LabelledPage(f"c/{name}", name, html.encode(), None, gold(document), "article")


def gold(document: Document) -> LeafGold:
    unfolded = _gold(document.unfolded)
    shown = _gold(document)
    return LeafGold(shown.content, shown.known, is_bad=False, unfolded=unfolded)


def _gold(document: Document) -> LeafGold:
    readable = document.leaves.visible & ~document.leaves.is_media
    return LeafGold(
        np.array([text.startswith("good") for text in document.leaves.text], np.bool_) & readable,
        np.array([not text.startswith("odd") for text in document.leaves.text], np.bool_) & readable,
        is_bad=False,
    )


FIRST, SECOND = page("one"), page("two", core="section")
CONTENT = ["good one headline", "good one text", "good one bold", "good one more text"]


def texts(document: Document, flags: Bools) -> list[str]:
    return [text.strip() for text, flag in zip(document.leaves.text, flags, strict=True) if flag]


def made(seed: int, first: LabelledPage = FIRST, second: LabelledPage = SECOND) -> tuple[Document, Bools, Bools]:
    return augmented(first, second, np.random.default_rng(seed))


@pytest.fixture
def latin(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page is translated."""
    monkeypatch.setattr(augment, "_SCRIPT", 0.0)


@pytest.fixture
def swapped(monkeypatch: pytest.MonkeyPatch, latin: None) -> None:
    """Every content is put into the frame of the other page."""
    monkeypatch.setattr(augment, "_SWAP", 1.0)


@pytest.fixture
def exchanged(monkeypatch: pytest.MonkeyPatch, latin: None) -> None:
    """Every page stays, with parts of another frame."""
    monkeypatch.setattr(augment, "_SWAP", 0.0)


@pytest.mark.usefixtures("latin")
class TestLabels:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_they_follow_their_texts_wherever_they_move(self, seed: int) -> None:
        document, content, known = made(seed)
        leaves = document.leaves
        assert len(content) == len(known) == len(leaves)
        for leaf, text in enumerate(leaves.text):
            readable = bool(leaves.visible[leaf]) and bool(text)
            assert bool(content[leaf]) == (readable and text.startswith("good")), text
            assert bool(known[leaf]) == (readable and not text.startswith("odd")), text

    @pytest.mark.parametrize("seed", SEEDS)
    def test_the_content_of_the_first_page_is_all_there_and_in_order(self, seed: int) -> None:
        document, content, _ = made(seed)
        assert texts(document, content) == CONTENT

    @pytest.mark.parametrize("seed", range(10))
    def test_what_is_folded_away_is_in_sight(self, seed: int) -> None:
        document, _, _ = made(seed)
        folded = document.leaves.folded
        assert document.leaves.visible[folded].all()

    @pytest.mark.parametrize("seed", range(10))
    def test_the_same_seed_makes_the_same_page(self, seed: int) -> None:
        (one, content, known), (other, again, also) = made(seed), made(seed)
        assert (one.leaves.text, one.elements.tag) == (other.leaves.text, other.elements.tag)
        assert np.array_equal(content, again)
        assert np.array_equal(known, also)

    def test_seeds_make_different_pages(self) -> None:
        assert len({tuple(made(seed)[0].leaves.text) for seed in SEEDS}) > 10

    def test_the_pages_themselves_stay_as_they_are(self) -> None:
        before = FIRST.html, FIRST.gold.content.copy(), SECOND.html
        for seed in range(5):
            made(seed)
        assert (FIRST.html, SECOND.html) == (before[0], before[2])
        assert np.array_equal(FIRST.gold.content, before[1])

    def test_a_page_can_be_made_of_one(self) -> None:
        for seed in SEEDS:
            document, content, _ = made(seed, FIRST, FIRST)
            assert texts(document, content) == CONTENT


class TestSwap:
    @pytest.mark.usefixtures("swapped")
    def test_the_content_stands_in_the_other_frame(self) -> None:
        document, content, _ = made(0)
        around = texts(document, ~content & document.leaves.visible & ~document.leaves.is_media)
        assert around == [
            "bad two home",
            "bad two about",
            "bad two teaser one",
            "odd two advert",
            "bad two folded",
            "bad two imprint",
        ]
        assert document.title == "bad two title"
        assert "section" in document.elements.tag, "where the other page is folded"
        assert not document.inside("div").all()
        assert document.inside("div")[content].all(), "the core came as it was"

    @pytest.mark.usefixtures("swapped")
    def test_content_far_from_the_rest_may_be_left_behind(self) -> None:
        """The core holds nine tenths of the words or more; so a stray line of content does not widen it to the page."""
        long = " ".join(f"good one text {number}" for number in range(20))
        first = page("one", extra="<div><p>good one stray</p></div>")
        html = first.html.replace(b"good one more text", long.encode())
        first = LabelledPage("c/one", "one", html, None, gold(Document.from_html(html)), "article")
        document, content, _ = made(0, first)
        assert texts(document, content) == [*CONTENT[:3], long]

    @pytest.mark.usefixtures("swapped")
    @pytest.mark.parametrize("which", ["first", "second"])
    def test_without_content_there_is_nothing_to_swap(self, which: str) -> None:
        html = b"<p>bad menu</p><p>bad imprint</p>"
        nothing = LabelledPage("c/none", "none", html, None, gold(Document.from_html(html)), None)
        for seed in range(10):
            document, content, _ = made(seed, *((nothing, SECOND) if which == "first" else (FIRST, nothing)))
            assert texts(document, content) == ([] if which == "first" else CONTENT)


@pytest.mark.usefixtures("exchanged")
class TestExchange:
    def test_parts_of_the_frame_go_and_parts_of_another_come(self) -> None:
        whole = {text.strip() for text in FIRST.document().leaves.text}
        lost, won = 0, 0
        for seed in SEEDS:
            found = {text.strip() for text in made(seed)[0].leaves.text}
            lost += bool(whole - found)
            won += bool(found - whole)
        assert lost > 10
        assert won > 10

    @pytest.mark.parametrize("seed", SEEDS)
    def test_no_content_comes_with_another_frame(self, seed: int) -> None:
        document, _, _ = made(seed)
        assert not any(text.startswith("good two") for text in document.leaves.text)

    @pytest.mark.parametrize("seed", range(10))
    def test_the_title_stays(self, seed: int) -> None:
        assert made(seed)[0].title == "bad one title"

    @pytest.mark.parametrize("html", [b"", b"<img src=x>", b"<template>bad</template>"])
    def test_pages_without_text(self, html: bytes) -> None:
        empty = LabelledPage("c/empty", "empty", html, None, gold(Document.from_html(html)), None)
        for seed in range(5):
            document, content, known = made(seed, empty, SECOND)
            assert not content.any()
            assert len(known) == len(document.leaves)
            assert texts(*made(seed, FIRST, empty)[:2]) == CONTENT


class TestScripts:
    @pytest.fixture
    def translated(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(augment, "_SCRIPT", 1.0)

    @pytest.mark.usefixtures("translated")
    @pytest.mark.parametrize("seed", range(20))
    def test_a_translated_page_has_as_many_texts_with_the_same_labels(
        self, seed: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        document, content, known = made(seed)
        monkeypatch.setattr(augment, "_SCRIPT", 0.0)
        plain, same_content, same_known = made(seed)  # the dice fall the same way up to the script
        assert len(document.leaves) == len(plain.leaves)
        assert document.elements.tag == plain.elements.tag
        assert np.array_equal(content, same_content)
        assert np.array_equal(known, same_known)
        assert document.leaves.text != plain.leaves.text
        assert all(
            bool(text) == bool(before) for text, before in zip(document.leaves.text, plain.leaves.text, strict=True)
        )

    @pytest.mark.usefixtures("translated")
    def test_there_are_several_scripts_and_no_latin_letter_is_left(self) -> None:
        pages = ["".join(made(seed)[0].leaves.text) for seed in range(20)]
        assert not any(letter.isascii() and letter.isalpha() for text in pages for letter in text)
        scripts = {"д": "Cyrillic", "δ": "Greek", "的": "Han"}
        assert {name for sign, name in scripts.items() for text in pages if sign in text} == set(scripts.values())

    @pytest.mark.parametrize(
        ("text", "expected_signs"),
        [("a", 1), ("bread", 2), ("long words", 4), ("one, two.", 4), ("42", 2), ("|", 1), ("\n a\tb ", 2)],
    )
    def test_words_become_signs_without_spaces(self, text: str, expected_signs: int) -> None:
        found = augment._in_han(text)
        assert len(found) == expected_signs
        assert not any(sign.isspace() for sign in found)

    def test_marks_get_their_full_width(self) -> None:
        assert (
            augment._in_han("Yes, no. Why? 7: 3")
            == f"{augment._in_han('Yes')}，{augment._in_han('no')}。{augment._in_han('Why')}？7：3"
        )

    def test_equal_words_become_equal_signs(self) -> None:
        assert augment._in_han("bread") == augment._in_han("bread")
        assert augment._in_han("bread") != augment._in_han("broth")

    @pytest.mark.parametrize("text", [".", "…", "\u200b", "\xadx", "-", "?!", "😀", "ß", "日本"])
    def test_no_text_becomes_blank(self, text: str) -> None:
        assert augment._in_han(text).strip()
