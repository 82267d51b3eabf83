from __future__ import annotations

import random

import numpy as np
import pytest

from tamis import Document
from tamis_papers.dsc import SlopeCurve, dsc, low_windows, sections, tokens
from tests.papers.kept import kept_by

kept = kept_by(dsc)

NEWS = "The storm came in the night and closed the harbour for two days."  # 13 words
STORY = "".join(f"<p>{NEWS * 3} Part {number}.</p>" for number in range(8))
MENU = "<ul>" + "".join(f"<li><a href={number}>Section {number}</a></li>" for number in range(40)) + "</ul>"


def test_tokens_are_tags_and_words_in_their_order() -> None:
    # HTML, HEAD and BODY have five tags before the text and two after it.
    found = tokens(Document.from_html("<p>one two\nthree<br>four</p>"))
    assert found.tolist() == [-1, -1, -1, -1, -1, 0, 0, 0, -1, 1, -1, -1, -1]


def test_hidden_texts_are_no_tokens() -> None:
    assert (tokens(Document.from_html(f"<p hidden>{NEWS}</p><script>{NEWS}</script>")) == -1).all()


def test_a_window_is_low_below_half_the_slope_of_the_page() -> None:
    # 6 tags in 16 tokens; half of that slope is 0.75 tags in a window of 4. Windows begin every 2 tokens.
    is_tag = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], np.bool_)
    assert low_windows(is_tag, 4, 0.5).tolist() == [False, False, True, True, False, False, False, False]


def slow_sections(low: list[bool], in_row: int) -> list[bool]:
    """The same window by window."""
    inside, found = False, []
    for place in range(len(low)):
        ahead = low[place : place + in_row]
        if len(ahead) == in_row and len(set(ahead)) == 1:
            inside = ahead[0]
        found.append(inside)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_sections_are_those_of_the_slow_way(seed: int) -> None:
    rng = random.Random(seed)
    low = [rng.random() < 0.6 for _ in range(rng.randrange(0, 30))]
    in_row = rng.randrange(1, 5)
    assert sections(np.array(low, np.bool_), in_row).tolist() == slow_sections(low, in_row)


def test_menus_around_the_text_go() -> None:
    found = kept(f"{MENU}{STORY}{MENU}")
    # The section ends where the first of three steep windows begins, so the text before the menu is cut off.
    assert [text[-2:-1] for text in found] == list("0123456")


def test_a_menu_of_less_than_three_windows_does_not_end_a_section() -> None:
    few, many = ("<ul>" + "<li><a href=x>Section</a></li>" * count + "</ul>" for count in (2, 20))
    assert "Section" in kept(f"{MENU}{STORY}{few}{STORY}{MENU}")
    assert kept(f"{MENU}{STORY}{many}{STORY}{MENU}").count("Section") < 3


def test_a_text_of_less_than_three_windows_is_no_section() -> None:
    assert kept(f"{MENU}<p>{NEWS}</p>{MENU}") == []
    assert kept(f"{MENU}<p>{NEWS}</p>{MENU}", SlopeCurve(window=6)) == [NEWS]


@pytest.mark.parametrize("html", ["", "<img>", "<p hidden>h</p>", "<title>t</title>", "text"])
def test_a_page_without_text_or_with_too_little_keeps_nothing(html: str) -> None:
    assert kept(html) == []
