"""Distances between the text that was found and the gold text, both taken as tokens."""

from __future__ import annotations

import math
from collections import Counter

from tamis_lab.extras import needs
from tamis_lab.metrics.prf import PRF, prf
from tamis_lab.metrics.tokens import tokens

# Token number 0 is written as the first character past the surrogates, so that no token is encoded as a surrogate.
_FIRST_CODE = 0xE000
_LAST_CODE = 0x10FFFF


def token_bag(found: str, gold: str) -> PRF:
    """Precision, recall and F1 of the bags of tokens (boilerpipe §4.3.2; the word F1 of WCXB).

    A token that is n times in one text and m times in the other is found min(n, m) times. Order
    does not matter.
    """
    found_bag, gold_bag = Counter(tokens(found)), Counter(tokens(gold))
    return prf((found_bag & gold_bag).total(), found_bag.total(), gold_bag.total())


def cosine(found: str, gold: str) -> float:
    """The cosine of the two vectors of token counts (GOCE §4.3, equation 5).

    1 where both texts are empty, 0 where one is.
    """
    found_bag, gold_bag = Counter(tokens(found)), Counter(tokens(gold))
    if not found_bag and not gold_bag:
        return 1.0
    if not found_bag or not gold_bag:
        return 0.0
    dot = sum(count * gold_bag[token] for token, count in found_bag.items())
    squares = [sum(count * count for count in bag.values()) for bag in (found_bag, gold_bag)]
    return min(1.0, dot / math.sqrt(squares[0] * squares[1]))


def lcs(found: str, gold: str) -> PRF:
    """Precision, recall and F1 of the longest common subsequence of tokens.

    The measure of CETD (Sun et al. 2011), of GOCE (§4.3, equations 3 and 4) and of the page-level
    paper (§5.2): the length of the subsequence divided by the length of the text found, and by
    that of the gold text. Its F1 is CleanEval's score too (Baroni et al. 2008): 1 - edit distance /
    (tokens found + gold tokens), where exchanging a token costs 2, as a deletion and an insertion do.
    """
    found_tokens, gold_tokens = tokens(found), tokens(gold)
    return prf(_lcs_length(found_tokens, gold_tokens), len(found_tokens), len(gold_tokens))


def _lcs_length(first: list[str], second: list[str]) -> int:
    """The length of the longest common subsequence, by rapidfuzz's bit-parallel algorithm."""
    with needs("bench", "the longest common subsequence"):
        from rapidfuzz.distance import LCSseq
    numbers: dict[str, int] = {}
    codes = [[numbers.setdefault(token, len(numbers)) for token in side] for side in (first, second)]
    if _FIRST_CODE + len(numbers) > _LAST_CODE:  # a million different tokens
        return LCSseq.similarity(codes[0], codes[1])
    # A token as one character of a string: rapidfuzz reads strings without a call for each item.
    texts = ["".join(chr(_FIRST_CODE + code) for code in side) for side in codes]
    return LCSseq.similarity(texts[0], texts[1])
