from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.lab.metrics import PRF, cleaneval_score, cosine, lcs, prf, rouge_lsum, texts, token_bag, tokens

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
    monkeypatch.setattr(texts, "_LAST_CODE", texts._FIRST_CODE + 2)
    assert lcs("a b c d", "b a c e d") == pytest.approx((3 / 4, 3 / 5, 6 / 9))


def test_cleaneval_score_exchanges_at_the_price_of_two() -> None:
    # a b c -> a x c d: take b out, put x and d in = 3 steps among 3 + 4 tokens.
    assert cleaneval_score("a b c", "a x c d") == pytest.approx(1 - 3 / 7)
    # Nothing shared: 2 deletions and 3 insertions among 5 tokens.
    assert cleaneval_score("a b", "c d e") == 0


def test_rouge_takes_the_union_over_sentences() -> None:
    # The example of Lin (2004), section 3.2: gold w1 w2 w3 w4 w5, found w1 w2 w6 w7 w8 and
    # w1 w3 w8 w9 w5. The subsequences are w1 w2 and w1 w3 w5, their union w1 w2 w3 w5:
    # R = 4/5, as in the paper. P = 4/10 and F1 = 8/15.
    found = "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"
    assert rouge_lsum(found, "w1 w2 w3 w4 w5") == pytest.approx((4 / 10, 4 / 5, 8 / 15))


def test_rouge_does_not_heed_the_order_of_sentences() -> None:
    assert rouge_lsum("c d.\na b", "A b! C d.") == (1, 1, 1)
    assert rouge_lsum("三四。一二。", "一二。\n三四。") == (1, 1, 1)


def test_rouge_counts_no_token_oftener_than_it_was_found() -> None:
    # Each gold line shares "a" with the one line found, which has it once: 1 hit.
    # P = 1/2, R = 1/4, F1 = 2/6.
    assert rouge_lsum("a x", "a b\na c") == pytest.approx((1 / 2, 1 / 4, 2 / 6))


def test_rouge_is_not_symmetric() -> None:
    # gold "a b" with "a" and "b": union a b, 2 hits. gold "a", "b" with "a b": 2 hits as well.
    assert rouge_lsum("a\nb", "a b") == rouge_lsum("a b", "a\nb") == (1, 1, 1)
    # gold "b a" with "a", "b": 2 hits, each in a subsequence of its own.
    # gold "c a b d" with "a b c", "b a": LCS "a b" with the first; with the second "a" or "b".
    # c is in neither: 2 hits of 4 and of 5.
    assert rouge_lsum("a b c\nb a", "c a b d") == pytest.approx((2 / 5, 2 / 4, 4 / 9))
    # The other way round: "a b c" gives a b, "b a" gives one of its two, which is covered
    # twice but was found once: again a and b alone.
    assert rouge_lsum("c a b d", "a b c\nb a") == pytest.approx((2 / 4, 2 / 5, 4 / 9))
    # gold "a b a" with "a", "b": rouge-score matches the last a only, so a b: 2 hits of 3.
    assert rouge_lsum("a\nb", "a b a") == pytest.approx((2 / 2, 2 / 3, 4 / 5))


def plain_rouge(found: list[list[str]], gold: list[list[str]]) -> PRF:
    """ROUGE-LSum by the table of lengths, every sentence with every other."""
    left = {token: sum(line.count(token) for line in found) for line in found for token in line}
    hits = 0
    for line in gold:
        union: set[int] = set()
        for other in found:
            table = [[0] * (len(other) + 1) for _ in range(len(line) + 1)]
            for i, token in enumerate(line):
                for j, second in enumerate(other):
                    longer = max(table[i][j + 1], table[i + 1][j])
                    table[i + 1][j + 1] = table[i][j] + 1 if token == second else longer
            i, j = len(line), len(other)
            while i and j:
                if line[i - 1] == other[j - 1]:
                    i, j = i - 1, j - 1
                    union.add(i)
                elif table[i][j - 1] > table[i - 1][j]:
                    j -= 1
                else:
                    i -= 1
        for i in union:
            if left.get(line[i], 0) > 0:
                left[line[i]] -= 1
                hits += 1
    return prf(hits, sum(map(len, found)), sum(map(len, gold)))


LINES = st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=9), max_size=6)


@settings(deadline=None)
@given(LINES, LINES, st.sampled_from([1, 2, 3, 1024]))
def test_rouge_equals_its_definition(found: list[list[str]], gold: list[list[str]], stride: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tamis.lab.metrics.rouge._STRIDE", stride)
        result = rouge_lsum("\n".join(map(" ".join, found)), "\n".join(map(" ".join, gold)))
    assert result == plain_rouge(found, gold)


PAIRS: list[Callable[[str, str], PRF]] = [token_bag, lcs, rouge_lsum]
NUMBERS: list[Callable[[str, str], float]] = [cosine, cleaneval_score]


@pytest.mark.parametrize("metric", PAIRS)
def test_scores_of_empty_texts(metric: Callable[[str, str], PRF]) -> None:
    assert metric("", " \n.") == (1, 1, 1)
    assert metric("a", "") == metric("", "a") == (0, 0, 0)


@pytest.mark.parametrize("metric", NUMBERS)
def test_numbers_of_empty_texts(metric: Callable[[str, str], float]) -> None:
    assert metric("", " \n.") == 1
    assert metric("a", "") == metric("", "a") == 0


@pytest.mark.parametrize("metric", PAIRS)
@settings(deadline=None)
@given(found=TEXTS, gold=TEXTS)
def test_scores_are_shares_and_the_same_text_scores_1(metric: Callable[[str, str], PRF], found: str, gold: str) -> None:
    assert all(0 <= value <= 1 for value in metric(found, gold))
    assert metric(gold, gold) == (1, 1, 1)


@pytest.mark.parametrize("metric", [token_bag, lcs])
@settings(deadline=None)
@given(found=TEXTS, gold=TEXTS)
def test_exchanged_texts_exchange_precision_and_recall(
    metric: Callable[[str, str], PRF], found: str, gold: str
) -> None:
    precision, recall, f1 = metric(found, gold)
    assert metric(gold, found) == (recall, precision, f1)


@pytest.mark.parametrize("metric", NUMBERS)
@settings(deadline=None)
@given(found=TEXTS, gold=TEXTS)
def test_numbers_are_symmetric_shares(metric: Callable[[str, str], float], found: str, gold: str) -> None:
    assert 0 <= metric(found, gold) <= 1
    assert metric(found, gold) == metric(gold, found)
    assert metric(gold, gold) == 1


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_order_can_only_cost(found: str, gold: str) -> None:
    in_order, as_bag = lcs(found, gold), token_bag(found, gold)
    assert in_order.precision <= as_bag.precision
    assert in_order.recall <= as_bag.recall
    assert rouge_lsum(found, gold).recall <= as_bag.recall


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_cleaneval_score_equals_the_edit_distance(found: str, gold: str) -> None:
    first, second = tokens(found), tokens(gold)
    costs = list(range(len(second) + 1))
    for token in first:
        above, costs[0] = costs[0], costs[0] + 1
        for j, other in enumerate(second, 1):
            exchange = above + (0 if token == other else 2)
            above, costs[j] = costs[j], min(exchange, costs[j] + 1, costs[j - 1] + 1)
    total = len(first) + len(second)
    expected = 1 - costs[-1] / total if total else 1.0
    assert math.isclose(cleaneval_score(found, gold), expected, abs_tol=1e-12)


def test_a_page_in_one_line_is_compared_in_blocks() -> None:
    # 3,000 different words against themselves without every third one, in one line each: both
    # kept thirds are found, R = 2/3. A line of two of its words in order is covered whole.
    words = [f"w{number}" for number in range(3000)]
    kept = [word for number, word in enumerate(words) if number % 3]
    assert rouge_lsum(" ".join(kept), " ".join(words)) == pytest.approx((1, 2 / 3, 4 / 5))
    assert rouge_lsum(" ".join(words), "w7 w2900\nw2900 w7") == pytest.approx((2 / 3000, 2 / 4, 4 / 3004))
