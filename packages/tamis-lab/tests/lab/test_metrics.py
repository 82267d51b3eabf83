"""Scores of texts, labels and snippets, and figures about many scores."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from tamis_lab import metrics
from tamis_lab.metrics import (
    PRF,
    SnippetScores,
    bootstrap_interval,
    cosine,
    lcs,
    leaf_scores,
    prf,
    snippets,
    token_bag,
    tokens,
    wilcoxon,
)

# Few words, so that texts share some; line breaks and stops, so that there are sentences.
TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "A", "\n", "e.", "日", " "]), max_size=25).map(" ".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" …!? ", []),
        ("The cat, the CAT.", ["the", "cat", "the", "cat"]),
        ("it's x_1 3.5", ["it", "s", "x_1", "3", "5"]),
        ("Straße Ωδή", ["straße", "ωδή"]),
        # One token a character in scripts without spaces; other words among them stay whole.
        ("日本語、word です", ["日", "本", "語", "word", "で", "す"]),
        ("abc日本def", ["abc", "日", "本", "def"]),
        ("\U00020000\U00020001", ["\U00020000", "\U00020001"]),
        # Marks go with the character before them, in Thai as in Hindi and in decomposed Latin.
        ("ที่นี่", ["ที่", "นี่"]),
        ("हिन्दी शब्द", ["हिन्दी", "शब्द"]),
        ("cafe\u0301s", ["cafe\u0301s"]),
        ("한국어 문서", ["한국어", "문서"]),  # Korean has spaces
        ("😀 ok 😀", ["ok"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        ((0, 0, 0), (1, 1, 1)),
        ((0, 3, 0), (0, 0, 0)),
        ((0, 0, 3), (0, 0, 0)),
        ((0, 2, 3), (0, 0, 0)),
        ((2, 4, 3), (1 / 2, 2 / 3, 4 / 7)),  # 2PR/(P+R) = (2/3) / (7/6) = 4/7
    ],
)
def test_prf(amounts: tuple[int, int, int], expected: tuple[float, float, float]) -> None:
    assert prf(*amounts) == pytest.approx(expected)


def test_token_bag_counts_a_token_as_often_as_both_texts_have_it() -> None:
    # found: the 2, cat 1, dog 1 (4 tokens); gold: the 1, cat 2, sat 1, dog 1 (5 tokens).
    # Shared: the 1, cat 1, dog 1 = 3. P = 3/4, R = 3/5, F1 = 6/9.
    assert token_bag("the dog, the cat", "The cat cat sat. Dog") == pytest.approx((3 / 4, 3 / 5, 6 / 9))


def test_cosine_is_that_of_the_counts() -> None:
    # found: a 2, b 1; gold: a 1, c 2. Dot 2; lengths sqrt(5) and sqrt(5): 2/5.
    assert cosine("a a b", "a c c") == pytest.approx(2 / 5)
    assert cosine("b a a", "a a b") == 1


def test_lcs_heeds_order() -> None:
    # found: a b c d; gold: b a c e d. Longest common subsequences: a c d and b c d, 3 long.
    # P = 3/4, R = 3/5, F1 = 6/9.
    assert lcs("a b c d", "b a c e d") == pytest.approx((3 / 4, 3 / 5, 6 / 9))
    assert lcs("a b", "b a") == (0.5, 0.5, 0.5)


PAIRS: list[Callable[[str, str], PRF]] = [token_bag, lcs]


@pytest.mark.parametrize("metric", PAIRS)
def test_scores_of_empty_texts(metric: Callable[[str, str], PRF]) -> None:
    assert metric("", " \n.") == (1, 1, 1)
    assert metric("a", "") == metric("", "a") == (0, 0, 0)


@pytest.mark.parametrize("metric", PAIRS)
@given(found=TEXTS, gold=TEXTS)
def test_scores_are_shares_and_the_same_text_scores_1(metric: Callable[[str, str], PRF], found: str, gold: str) -> None:
    assert all(0 <= value <= 1 for value in metric(found, gold))
    assert metric(gold, gold) == (1, 1, 1)


@given(TEXTS, TEXTS)
def test_lcs_f1_equals_the_edit_distance(found: str, gold: str) -> None:
    """It is CleanEval's score: 1 less the share of tokens to put in or take out, where an exchange is both."""
    first, second = tokens(found), tokens(gold)
    costs = list(range(len(second) + 1))
    for token in first:
        above, costs[0] = costs[0], costs[0] + 1
        for j, other in enumerate(second, 1):
            exchange = above + (0 if token == other else 2)
            above, costs[j] = costs[j], min(exchange, costs[j] + 1, costs[j - 1] + 1)
    total = len(first) + len(second)
    expected = 1 - costs[-1] / total if total else 1.0
    assert math.isclose(lcs(found, gold).f1, expected, abs_tol=1e-12)


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


@pytest.mark.parametrize("weights", [[1.0], [-1.0, 1.0], [math.nan, 1.0]])
def test_weights_must_fit(weights: list[float]) -> None:
    with pytest.raises(ValueError, match=r"shape|weight"):
        leaf_scores([True, False], [True, True], weights)


def test_snippets_are_counted_as_trafilatura_does() -> None:
    # Wanted: "The first" and "second part" are there, "third" is not. Unwanted: "cookie" is there.
    text = "The  FIRST part.\nThe second\n\tpart. Cookies!"
    scores = snippets(text, ["the first", "Second part", "third"], ["cookie", "Imprint"])
    assert scores == SnippetScores(present=2, missing=1, intruding=1, absent=1)


@pytest.mark.parametrize("values", [[], [math.nan], [math.inf, 1], [[1.0]]])
def test_values_are_a_column_of_numbers(values: ArrayLike) -> None:
    for figure in (bootstrap_interval, lambda column: wilcoxon(column, column)):
        with pytest.raises(ValueError, match="value"):
            figure(values)


def test_bootstrap_interval_of_two_values() -> None:
    # Two draws from 0 and 1 have the means 0, 1/2, 1 with the chances 1/4, 1/2, 1/4: the middle
    # 95 % reach from 0 to 1, the middle 40 % are all 1/2.
    assert bootstrap_interval([0, 1]) == (0, 1)
    assert bootstrap_interval([0, 1], level=0.4) == (0.5, 0.5)


def test_bootstrap_interval_depends_on_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(5).random(50)
    interval = bootstrap_interval(values)
    assert bootstrap_interval(values) == interval
    assert bootstrap_interval(values, seed=1) != interval
    monkeypatch.setattr(metrics, "_DRAWS", 120)  # two samples at once instead of all
    assert bootstrap_interval(values) == interval


@pytest.mark.parametrize(("samples", "level"), [(0, 0.95), (10, 0.0), (10, 1.0), (10, math.nan)])
def test_bootstrap_interval_needs_sense(samples: int, level: float) -> None:
    with pytest.raises(ValueError, match="interval"):
        bootstrap_interval([1.0], samples=samples, level=level)


def test_wilcoxon_of_few_pairs_is_exact() -> None:
    # All 6 differences have one sign. Of the 2^6 = 64 ways to deal out signs one has all positive
    # and one all negative: p = 2/64.
    assert wilcoxon([1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0]) == pytest.approx(2 / 64)
    # Differences 1, -2, 3: the negative ranks sum up to 2, the positive to 4. Of 8 ways, rank sums
    # of at most 2 have {} (0), {1} (1), {2} (2): 3/8, two-sided 6/8.
    assert wilcoxon([1, 0, 3], [0, 2, 0]) == pytest.approx(6 / 8)


def test_wilcoxon_leaves_out_pairs_without_difference() -> None:
    assert wilcoxon([1, 2, 3, 4, 5, 6, 9], [0, 0, 0, 0, 0, 0, 9]) == pytest.approx(2 / 64)
    assert wilcoxon([0.5, 0.7], [0.5, 0.7]) == 1
    assert wilcoxon([0.1 + 0.2], [0.3]) == 1  # equal but for the rounding of binary fractions


def test_holm_adjusts_for_the_number_of_comparisons() -> None:
    assert metrics.holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert metrics.holm([0.9, 0.8]) == [1, 1]
