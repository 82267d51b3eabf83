"""Scores that compare an extraction with the gold, as texts, by snippets or by leaves, and figures about scores."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tamis.arrays import Floats
from tamis.document import characters
from tamis_lab import needs


class PRF(NamedTuple):
    """Precision, recall and their harmonic mean, each from 0 to 1."""

    precision: float
    recall: float
    f1: float


def prf(hits: float, found: float, gold: float) -> PRF:
    """The scores of `hits` right answers among `found` where `gold` were to be found.

    They are 1 if both are nothing, and 0 if only one of the two is.
    """
    if not found and not gold:
        return PRF(1.0, 1.0, 1.0)
    if not found or not gold:
        return PRF(0.0, 0.0, 0.0)
    return PRF(hits / found, hits / gold, 2 * hits / (found + gold))


# Texts


def tokens(text: str) -> list[str]:
    r"""The lower-cased runs of word characters (letters, digits, underscore), as boilerpipe (§4.3.2) and WCXB count.

    In scripts without spaces between words (Han, kana, Thai, Lao, Khmer, Burmese) each character is a token. Combining
    marks, which Python's `\w` leaves out, stay with the character before them; words of Hindi would fall apart.
    """
    return _pattern().findall(text.lower())


@cache
def _pattern() -> re.Pattern[str]:
    share = characters.word_share()  # one entry a code point; the last is for all from there on
    unspaced = _char_class(np.flatnonzero(share[:-1]).tolist()) + f"{chr(len(share) - 1)}-{chr(0x10FFFF)}"
    marks = _char_class([point for point in range(len(share)) if unicodedata.category(chr(point)) in ("Mn", "Mc")])
    spaced = rf"[^\W{unspaced}]"
    return re.compile(rf"(?=\w)[{unspaced}][{marks}]*|{spaced}+(?:[{marks}]+{spaced}*)*")


def _char_class(points: list[int]) -> str:
    """The inside of a regular expression's brackets for these sorted code points."""
    runs: list[tuple[int, int]] = []
    for point in points:
        if runs and runs[-1][1] == point - 1:
            runs[-1] = runs[-1][0], point
        else:
            runs.append((point, point))
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in runs)


# Token number 0 is written as the first character past the surrogates, so that no token is encoded as a surrogate.
_FIRST_CODE = 0xE000
_LAST_CODE = 0x10FFFF


def token_bag(found: str, gold: str) -> PRF:
    """Precision, recall and F1 of the bags of tokens (boilerpipe §4.3.2; the word F1 of WCXB), in any order.

    A token that is n times in one text and m times in the other is found min(n, m) times.
    """
    found_bag, gold_bag = Counter(tokens(found)), Counter(tokens(gold))
    return prf((found_bag & gold_bag).total(), found_bag.total(), gold_bag.total())


def cosine(found: str, gold: str) -> float:
    """The cosine of the two vectors of token counts (GOCE §4.3, equation 5); 1 for two empty texts, 0 for one."""
    found_bag, gold_bag = Counter(tokens(found)), Counter(tokens(gold))
    if not found_bag and not gold_bag:
        return 1.0
    if not found_bag or not gold_bag:
        return 0.0
    dot = sum(count * gold_bag[token] for token, count in found_bag.items())
    squares = [sum(count * count for count in bag.values()) for bag in (found_bag, gold_bag)]
    return min(1.0, dot / math.sqrt(squares[0] * squares[1]))


def lcs(found: str, gold: str) -> PRF:
    """The length of the longest common subsequence of tokens, by the tokens found, and by those of the gold.

    The measure of CETD (Sun et al. 2011), of GOCE (§4.3, equations 3 and 4) and of the page-level paper (§5.2). Its F1
    is CleanEval's score too (Baroni et al. 2008): 1 - edit distance / (tokens found + gold tokens), where exchanging a
    token costs 2.
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


# Snippets


class SnippetScores(NamedTuple):
    """How many snippets of either kind were found."""

    present: int  # wanted and there
    missing: int  # wanted and not there
    intruding: int  # unwanted and there
    absent: int  # unwanted and not there


def snippets(found: str, wanted: Iterable[str], unwanted: Iterable[str]) -> SnippetScores:
    """Look for each snippet in the text found (WCXB's `with` and `without`; trafilatura). Blank ones are left out.

    White space of any length is one space, and case does not matter. trafilatura heeds case; WCXB does not say.
    """
    text = _folded(found)
    wanted_found = [snippet in text for snippet in map(_folded, wanted) if snippet]
    unwanted_found = [snippet in text for snippet in map(_folded, unwanted) if snippet]
    present, intruding = sum(wanted_found), sum(unwanted_found)
    return SnippetScores(present, len(wanted_found) - present, intruding, len(unwanted_found) - intruding)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


# Leaves


class LeafScores(NamedTuple):
    """The share of leaves labelled right, and the scores of either class."""

    accuracy: float
    content: PRF
    boilerplate: PRF


def leaf_scores(keep: ArrayLike, gold: ArrayLike, weights: ArrayLike | None = None) -> LeafScores:
    """Scores of kept leaves against gold ones, a true or false each (Web2Text §4.2, BoilerNet §4.2, over all pages).

    With weights, such as the number of words, a leaf counts that often (boilerpipe §4.3.1). A class that neither side
    uses scores 1, and so does the accuracy of no leaves.

    Raises ValueError if lengths differ or a weight is negative or not a number.
    """
    kept, right = np.asarray(keep, dtype=np.bool_), np.asarray(gold, dtype=np.bool_)
    weight = np.ones(kept.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if not kept.shape == right.shape == weight.shape or kept.ndim != 1:
        raise ValueError(f"columns of different shapes: {kept.shape}, {right.shape}, {weight.shape}")
    if not (weight >= 0).all():
        raise ValueError("a weight is negative or not a number")
    hits = float(weight[kept & right].sum())
    extra = float(weight[kept & ~right].sum())
    missed = float(weight[~kept & right].sum())
    rest = float(weight[~kept & ~right].sum())
    total = hits + rest + extra + missed
    return LeafScores(
        accuracy=(hits + rest) / total if total else 1.0,
        content=prf(hits, hits + extra, hits + missed),
        boilerplate=prf(rest, rest + missed, rest + extra),
    )


# Figures about many scores

_DRAWS = 4_000_000  # of the bootstrap that are in memory at once
_DECIMALS = 12  # up to which differences of scores are compared: 0.3 - 0.2 and 0.2 - 0.1 are ties, but not in binary


def bootstrap_interval(
    values: ArrayLike, seed: int = 0, samples: int = 1000, level: float = 0.95
) -> tuple[float, float]:
    """The percentile bootstrap interval of the mean (Efron and Tibshirani 1993, chapter 13), the same for each seed.

    It contains the share `level` of the means of `samples` resamples, with as many below as above.

    Raises ValueError for no values, one that is not finite, or an option out of range.
    """
    column = _column(values)
    if samples < 1 or not 0 < level < 1:
        raise ValueError(f"no interval of level {level} from {samples} samples")
    random = np.random.default_rng(seed)
    means = np.empty(samples)
    rows = max(1, _DRAWS // len(column))
    for start in range(0, samples, rows):
        part = means[start : start + rows]
        part[:] = column[random.integers(len(column), size=(len(part), len(column)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def wilcoxon(first: ArrayLike, second: ArrayLike) -> float:
    """The two-sided p of Wilcoxon's signed-rank test on paired scores (Web2Text §4.2: p < 0.05).

    Pairs without a difference are left out, as Wilcoxon (1945) did; if all are, the answer is 1. Up to 50 pairs p is
    exact where scipy can make it so, or else from the normal distribution.

    Raises ValueError for no pairs, different lengths, or a value that is not finite.
    """
    one, other = _column(first), _column(second)
    if one.shape != other.shape:
        raise ValueError(f"{len(one)} scores cannot be paired with {len(other)}")
    differences = np.round(one - other, _DECIMALS)
    differences = differences[differences != 0]
    if not differences.size:
        return 1.0
    with needs("bench", "Wilcoxon's test"):
        from scipy import stats

    return float(stats.wilcoxon(differences, alternative="two-sided").pvalue)


def holm(ps: Sequence[float]) -> list[float]:
    """The same ps, adjusted for their number (Holm 1979), because many comparisons find some difference by chance."""
    adjusted, highest = [0.0] * len(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        highest = max(highest, min(1.0, ps[place] * (len(ps) - rank)))
        adjusted[place] = highest
    return adjusted


def _column(values: ArrayLike) -> Floats:
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1 or not column.size:
        raise ValueError("expected a column of at least one value")
    if not np.isfinite(column).all():
        raise ValueError("a value is not finite")
    return column
