from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis_lab.metrics import SnippetScores, leaf_scores, snippets

LEAVES = st.lists(st.tuples(st.booleans(), st.booleans(), st.floats(0, 1e6)), max_size=20)


def test_leaf_scores_of_both_classes() -> None:
    # Leaf:    1 kept, content   2 kept, boilerplate   3 dropped, content   4 and 5 dropped, boilerplate
    # Content: hits 1, found 2, gold 2: 1/2, 1/2, 1/2. Boilerplate: hits 2, found 3, gold 3: 2/3 each.
    scores = leaf_scores([True, True, False, False, False], [True, False, True, False, False])
    assert scores.accuracy == pytest.approx(3 / 5)
    assert scores.content == pytest.approx((1 / 2, 1 / 2, 1 / 2))
    assert scores.boilerplate == pytest.approx((2 / 3, 2 / 3, 2 / 3))


def test_leaf_scores_by_words() -> None:
    # Words 10, 2, 5, 1, 2 on the same leaves: right are 10 + 1 + 2 = 13 of 20.
    # Content: hits 10, found 12, gold 15: P = 10/12, R = 10/15, F1 = 20/27.
    # Boilerplate: hits 3, found 8, gold 5: P = 3/8, R = 3/5, F1 = 6/13.
    keep, gold = np.array([1, 1, 0, 0, 0]), np.array([1, 0, 1, 0, 0])
    scores = leaf_scores(keep, gold, [10, 2, 5, 1, 2])
    assert scores.accuracy == pytest.approx(13 / 20)
    assert scores.content == pytest.approx((10 / 12, 10 / 15, 20 / 27))
    assert scores.boilerplate == pytest.approx((3 / 8, 3 / 5, 6 / 13))


def test_leaf_scores_without_leaves_or_without_a_class() -> None:
    assert leaf_scores([], []) == (1, (1, 1, 1), (1, 1, 1))
    assert leaf_scores([True], [True]) == (1, (1, 1, 1), (1, 1, 1))
    assert leaf_scores([True], [False]) == (0, (0, 0, 0), (0, 0, 0))
    assert leaf_scores([True], [False], [0]).accuracy == 1


@given(LEAVES)
def test_leaf_scores_are_shares_and_symmetric(leaves: list[tuple[bool, bool, float]]) -> None:
    keep, gold, weights = ([leaf[column] for leaf in leaves] for column in range(3))
    accuracy, content, boilerplate = leaf_scores(keep, gold, weights)
    assert all(0 <= value <= 1 for value in (accuracy, *content, *boilerplate))
    swapped = leaf_scores(gold, keep, weights)
    for scores, other in ((content, swapped.content), (boilerplate, swapped.boilerplate)):
        assert (scores.precision, scores.recall, scores.f1) == pytest.approx((other.recall, other.precision, other.f1))
    assert leaf_scores(gold, gold, weights) == (1, (1, 1, 1), (1, 1, 1))
    # Dropped for kept exchanges the classes.
    inverse = leaf_scores([not value for value in keep], [not value for value in gold], weights)
    assert (inverse.content, inverse.boilerplate) == (boilerplate, content)


@pytest.mark.parametrize("weights", [[1.0], [-1.0, 1.0], [math.nan, 1.0]])
def test_weights_must_fit(weights: list[float]) -> None:
    with pytest.raises(ValueError, match=r"shape|weight"):
        leaf_scores([True, False], [True, True], weights)


def test_columns_are_columns() -> None:
    with pytest.raises(ValueError, match="shape"):
        leaf_scores([[True]], [[True]])
    with pytest.raises(ValueError, match="shape"):
        leaf_scores([True], [True, False])


def test_snippets_are_counted_as_trafilatura_does() -> None:
    # Wanted: "The first" and "second part" are there, "third" is not. Unwanted: "cookie" is there.
    text = "The  FIRST part.\nThe second\n\tpart. Cookies!"
    scores = snippets(text, ["the first", "Second part", "third"], ["cookie", "Imprint"])
    assert scores == SnippetScores(present=2, missing=1, intruding=1, absent=1)


def test_snippets_where_there_are_none() -> None:
    assert snippets("text", ["", " \n"], []) == SnippetScores(0, 0, 0, 0)


@given(st.text("aB \n"), st.lists(st.text("Ab\t", min_size=1)), st.lists(st.text("ab ", min_size=1)))
def test_snippet_scores_do_not_heed_case(text: str, wanted: list[str], unwanted: list[str]) -> None:
    scores = snippets(text, wanted, unwanted)
    assert min(scores) >= 0
    assert scores == snippets(text.upper(), wanted, unwanted)
    assert snippets(" ".join(wanted), wanted, []).missing == 0
