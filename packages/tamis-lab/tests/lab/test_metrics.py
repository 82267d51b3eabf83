"""Scores of texts, labels and snippets, and figures about many scores."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
import trafilatura
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
from tests.golden import GoldenPage, golden_pages

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


def test_lcs_of_more_kinds_of_tokens_than_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_LAST_CODE", metrics._FIRST_CODE + 2)
    assert lcs("a b c d", "b a c e d") == pytest.approx((3 / 4, 3 / 5, 6 / 9))


PAIRS: list[Callable[[str, str], PRF]] = [token_bag, lcs]
NUMBERS: list[Callable[[str, str], float]] = [cosine]


@pytest.mark.parametrize("metric", PAIRS)
def test_scores_of_empty_texts(metric: Callable[[str, str], PRF]) -> None:
    assert metric("", " \n.") == (1, 1, 1)
    assert metric("a", "") == metric("", "a") == (0, 0, 0)


@pytest.mark.parametrize("metric", NUMBERS)
def test_numbers_of_empty_texts(metric: Callable[[str, str], float]) -> None:
    assert metric("", " \n.") == 1
    assert metric("a", "") == metric("", "a") == 0


@pytest.mark.parametrize("metric", PAIRS)
@given(found=TEXTS, gold=TEXTS)
def test_scores_are_shares_and_the_same_text_scores_1(metric: Callable[[str, str], PRF], found: str, gold: str) -> None:
    assert all(0 <= value <= 1 for value in metric(found, gold))
    assert metric(gold, gold) == (1, 1, 1)


@pytest.mark.parametrize("metric", [token_bag, lcs])
@given(found=TEXTS, gold=TEXTS)
def test_exchanged_texts_exchange_precision_and_recall(
    metric: Callable[[str, str], PRF], found: str, gold: str
) -> None:
    precision, recall, f1 = metric(found, gold)
    assert metric(gold, found) == (recall, precision, f1)


@pytest.mark.parametrize("metric", NUMBERS)
@given(found=TEXTS, gold=TEXTS)
def test_numbers_are_symmetric_shares(metric: Callable[[str, str], float], found: str, gold: str) -> None:
    assert 0 <= metric(found, gold) <= 1
    assert metric(found, gold) == metric(gold, found)
    assert metric(gold, gold) == 1


@given(TEXTS, TEXTS)
def test_order_can_only_cost(found: str, gold: str) -> None:
    in_order, as_bag = lcs(found, gold), token_bag(found, gold)
    assert in_order.precision <= as_bag.precision
    assert in_order.recall <= as_bag.recall


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


SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize("values", [[], [math.nan], [math.inf, 1], [[1.0]]])
def test_values_are_a_column_of_numbers(values: ArrayLike) -> None:
    for figure in (bootstrap_interval, lambda column: wilcoxon(column, column)):
        with pytest.raises(ValueError, match="value"):
            figure(values)


def test_bootstrap_interval_of_the_same_values_is_a_point() -> None:
    assert bootstrap_interval([0.5] * 7) == (0.5, 0.5)


def test_bootstrap_interval_of_two_values() -> None:
    # Two draws from 0 and 1 have the means 0, 1/2, 1 with the chances 1/4, 1/2, 1/4: the middle
    # 95 % reach from 0 to 1, the middle 40 % are all 1/2.
    assert bootstrap_interval([0, 1]) == (0, 1)
    assert bootstrap_interval([0, 1], level=0.4) == (0.5, 0.5)


def test_bootstrap_interval_is_near_the_normal_one() -> None:
    # 400 values, half 0 and half 1: the mean's standard error is 0.5 / 20 = 0.025, so 95 % lie
    # within 0.5 +- 0.049.
    low, high = bootstrap_interval([0, 1] * 200, samples=4000)
    assert low == pytest.approx(0.451, abs=0.004)
    assert high == pytest.approx(0.549, abs=0.004)


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


@given(SHARES)
def test_bootstrap_interval_lies_among_the_values(values: list[float]) -> None:
    low, high = bootstrap_interval(values, samples=50)
    assert min(values) - 1e-12 <= low <= high <= max(values) + 1e-12
    narrow_low, narrow_high = bootstrap_interval(values, samples=50, level=0.5)
    assert low <= narrow_low <= narrow_high <= high


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


def test_wilcoxon_of_many_pairs_with_ties() -> None:
    # 60 differences of +1 and 40 of -1: all ranks are 50.5, W = 40 * 50.5 = 2020. Under chance the
    # mean is 100 * 50.5 / 2 = 2525 and the variance 100 * 50.5^2 / 4, so z = -505 / 252.5 = -2
    # and p = 0.0455.
    first = np.array([1] * 60 + [0] * 40)
    assert wilcoxon(first, 1 - first) == pytest.approx(0.0455, abs=1e-4)


def test_wilcoxon_needs_pairs() -> None:
    with pytest.raises(ValueError, match="paired"):
        wilcoxon([1, 2], [1])


# Ties among few pairs send scipy through all permutations, a tenth of a second a call: the
# differences here are all different.
@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=30, unique_by=abs))
def test_wilcoxon_is_a_symmetric_chance(differences: list[int]) -> None:
    first, second = np.array(differences) / 1000, np.zeros(len(differences))
    p = wilcoxon(first, second)
    assert 0 <= p <= 1
    assert wilcoxon(second, first) == pytest.approx(p)
    assert wilcoxon(first, first) == 1


# There our tokens are single characters or keep their vowel marks, which a few lines do not do.
OTHERWISE = ("arabic-rtl", "chinese", "japanese", "thai")


def independent_f1(found: str, gold: str) -> float:
    left, right = (Counter(re.findall(r"\w+", text.lower())) for text in (found, gold))
    shared = sum(min(count, right[word]) for word, count in left.items())
    if not left or not right:
        return float(not left and not right)
    precision, recall = shared / sum(left.values()), shared / sum(right.values())
    return 2 * precision * recall / (precision + recall) if shared else 0.0


PAGES = [page for page in golden_pages() if page.name not in OTHERWISE]


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_a_peer_scores_the_same(page: GoldenPage) -> None:
    found = trafilatura.extract(page.document().html) or ""
    assert token_bag(found, page.text).f1 == pytest.approx(independent_f1(found, page.text), abs=1e-9)
