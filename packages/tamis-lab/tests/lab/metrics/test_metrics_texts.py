from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis_lab import metrics
from tamis_lab.metrics import PRF, cosine, lcs, prf, token_bag, tokens

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
