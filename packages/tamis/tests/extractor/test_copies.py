"""Rows that say the same: the first of them stands for all."""

from __future__ import annotations

import numpy as np
import pytest

from tamis import Document
from tamis.extractor.runs import PageRuns
from tests.extractor.pages import runs_of
from tests.golden import GoldenPage, golden_pages

EIGHT = "one two three four five six seven eight"
SEVEN = "one two three four five six seven"


def copies(html: str) -> list[int]:
    return list(map(int, runs_of(html).copies))


def test_the_first_of_equal_rows_stands_for_all() -> None:
    html = f"<p>{EIGHT}<p>other<div>{EIGHT}</div><p>{EIGHT} nine<ul><li>{EIGHT}</ul><p>{EIGHT} nine"
    assert copies(html) == [0, 1, 0, 3, 0, 3]


def test_seven_words_are_too_few() -> None:
    assert copies(f"<p>{SEVEN}<p>{SEVEN}<p>a<p>a") == [0, 1, 2, 3]


def test_white_space_makes_no_difference() -> None:
    assert copies(f"<p>{EIGHT}<p> {EIGHT}\n<p>{EIGHT} <b>and  more</b><p>{EIGHT}\n<b>and\tmore</b> ") == [0, 0, 2, 2]


def test_any_other_letter_does() -> None:
    assert copies(f"<p>{EIGHT}<p>{EIGHT}.<p>{EIGHT.upper()}<p>{EIGHT} <b>no</b><p>{EIGHT} <b>yes</b>") == [*range(5)]


@pytest.mark.parametrize("tag", ["pre", "listing", "xmp"])
def test_code_may_say_the_same_twice(tag: str) -> None:
    html = f"<{tag}>{EIGHT}</{tag}><{tag}>{EIGHT}</{tag}><p>{EIGHT}</p><p>{EIGHT}</p>"
    assert copies(html) == [0, 1, 2, 2]


def test_chinese_counts_by_its_own_words() -> None:
    long = "今天下雨，河水上涨，没有人见过这样的情况，已经很多年了。"
    assert copies(f"<p>{long}<p>{long}<p>下雨<p>下雨") == [0, 0, 2, 3]


def test_what_is_folded_away_is_a_copy_where_it_is_read() -> None:
    html = f"<p>{EIGHT}</p><p hidden class=tab>{EIGHT}</p>"
    assert copies(html) == [0]
    assert PageRuns(Document.from_html(html).unfolded).copies.tolist() == [0, 0]


@pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
def test_the_first_is_its_own_and_comes_before(page: GoldenPage) -> None:
    found = PageRuns(page.document().unfolded).copies
    assert (found <= np.arange(len(found))).all()
    assert (found[found] == found).all()
