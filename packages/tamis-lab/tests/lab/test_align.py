"""Gold text to leaf labels."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis_lab.gold import align, match

PAGE = """<ul><li>Home</li><li>The news</li></ul><h1>A title of it</h1>
<p>The first paragraph has some words of its own.</p><p>Share this</p>
<p>The second paragraph has <b>other words</b> than the first one.</p><p>Home</p>"""
GOLD = "A title of it. The first paragraph has some words of its own. "
GOLD += "The second paragraph has other words than the first one."


def texts(page: str, gold: str) -> list[str]:
    document = tamis.Document.from_html(page)
    found = align(document, gold)
    return [text.strip() for text, content in zip(document.leaves.text, found.content, strict=True) if content]


def test_the_leaves_that_the_gold_is_made_of() -> None:
    assert texts(PAGE, GOLD) == [
        "A title of it",
        "The first paragraph has some words of its own.",
        "The second paragraph has",
        "other words",
        "than the first one.",
    ]


def test_everything_is_placed() -> None:
    found = align(tamis.Document.from_html(PAGE), GOLD)
    assert found.placed == 1.0
    assert not found.is_bad


def test_gold_that_is_not_on_the_page_is_told() -> None:
    found = align(tamis.Document.from_html(PAGE), "Nothing here agrees with that page, whatever you try.")
    assert found.placed < 0.5
    assert found.is_bad


def test_no_gold_means_no_content() -> None:
    found = align(tamis.Document.from_html(PAGE), "")
    assert not found.content.any()
    assert found.placed == 1.0


def test_a_page_without_text() -> None:
    found = align(tamis.Document.from_html("<img src=x>"), "some gold")
    assert found.placed == 0.0
    assert not found.content.any()


def test_a_repeated_teaser_does_not_steal_the_words_of_the_article() -> None:
    article = " ".join(f"word{number}" for number in range(60))
    page = f"<p>{article[:40]}</p><p>menu</p><p>{article}</p>"
    assert texts(page, article) == [article]


def test_scripts_without_spaces_are_matched_by_character() -> None:
    assert texts("<p>首页</p><p>今天天气很好，我们去公园。</p>", "今天天气很好，我们去公园。") == [
        "今天天气很好，我们去公园。"
    ]


@given(st.lists(st.sampled_from("abcdefg"), max_size=60), st.lists(st.sampled_from("abcdefg"), max_size=60))
def test_pairs_are_equal_words_in_order(page: list[str], gold: list[str]) -> None:
    pairs = match(page, gold)
    assert all(page[left] == gold[right] for left, right in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))


@given(st.lists(st.integers(0, 400), max_size=300), st.data())
def test_a_part_of_the_page_is_placed_whole(words: list[int], data: st.DataObject) -> None:
    page = [f"w{word}" for word in words]
    low = data.draw(st.integers(0, len(page)))
    high = data.draw(st.integers(low, len(page)))
    assert len(match(page, page[low:high])) == high - low
