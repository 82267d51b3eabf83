from __future__ import annotations

import random

import numpy as np
import pytest

from tamis import Document, OptionError
from tamis_papers.dsc import SlopeCurve, dsc, low_windows, sections, tokens

NEWS = "The storm came in the night and closed the harbour for two days."  # 13 words
STORY = "".join(f"<p>{NEWS * 3} Part {number}.</p>" for number in range(8))
MENU = "<ul>" + "".join(f"<li><a href={number}>Section {number}</a></li>" for number in range(40)) + "</ul>"


def kept(html: str, extractor: SlopeCurve = dsc) -> list[str]:
    """The texts that are kept."""
    document = Document.from_html(html)
    labels = extractor.label(document)
    return [text.strip() for text, stays in zip(document.leaves.text, labels.keep, strict=True) if stays and text]


def test_tokens_are_tags_and_words_in_their_order() -> None:
    # HTML, HEAD and BODY have five tags before the text and two after it.
    found = tokens(Document.from_html("<p>one two\nthree<br>four</p>"))
    assert found.tolist() == [-1, -1, -1, -1, -1, 0, 0, 0, -1, 1, -1, -1, -1]


def test_hidden_texts_are_no_tokens() -> None:
    assert (tokens(Document.from_html(f"<p hidden>{NEWS}</p><script>{NEWS}</script>")) == -1).all()


def test_a_run_of_a_script_without_spaces_is_many_words() -> None:
    found = tokens(Document.from_html("<p>昨夜风暴袭击了北部港口所有船只停航两天</p>"))
    assert (found >= 0).sum() > 5


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


@pytest.mark.parametrize("options", [{"window": 1}, {"in_row": 0}, {"share": 0.0}, {"share": 1.5}])
def test_options_out_of_range_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=r"at least|from 0 to 1"):
        SlopeCurve(**options)  # type: ignore[arg-type]


def test_deep_pages_end() -> None:
    labels = dsc.label(Document.from_html("<div>" * 100_000 + NEWS * 50))
    assert np.flatnonzero(labels.keep).size == 1
