"""Measures of a ranking, and whether two systems differ over the queries."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

_DRAWS = 10_000
_AT_ONCE = 1_000  # draws in memory
_DECIMALS = 12  # differences that agree so far are the same


def precision(ranking: Sequence[int], relevant: Collection[int], depth: int = 10) -> float:
    """The share of relevant pages among the first `depth`; places that are not filled count as misses."""
    return sum(page in relevant for page in ranking[:depth]) / depth


def found(ranking: Sequence[int], relevant: Collection[int], depth: int = 10) -> float:
    """1 if a relevant page is among the first `depth`, else 0."""
    return float(any(page in relevant for page in ranking[:depth]))


def reciprocal_rank(ranking: Sequence[int], relevant: Collection[int]) -> float:
    """1 divided by the rank of the first relevant page; 0 if there is none."""
    return next((1 / rank for rank, page in enumerate(ranking, 1) if page in relevant), 0.0)


def average_precision(ranking: Sequence[int], relevant: Collection[int]) -> float:
    """The mean, over relevant pages, of the precision where each is found; 0 for those that are not.

    Raises ValueError if none is relevant.
    """
    if not relevant:
        raise ValueError("no page is relevant")
    ranks = [rank for rank, page in enumerate(ranking, 1) if page in relevant]
    return sum(number / rank for number, rank in enumerate(ranks, 1)) / len(relevant)


def ndcg(ranking: Sequence[int], relevant: Collection[int], depth: int = 10) -> float:
    """The discounted gain of the first `depth` by that of a perfect ranking (Järvelin and Kekäläinen 2002).

    A relevant page gains 1, discounted by the logarithm of its rank plus one. Raises ValueError if none is relevant.
    """
    if not relevant:
        raise ValueError("no page is relevant")
    discount = 1 / np.log2(np.arange(2, depth + 2))
    gain = sum(discount[rank] for rank, page in enumerate(ranking[:depth]) if page in relevant)
    return float(gain / discount[: len(relevant)].sum())


def randomisation(first: ArrayLike, second: ArrayLike, seed: int = 1, draws: int = _DRAWS) -> float:
    """The two-sided p of Fisher's randomisation test on paired scores (Smucker et al. 2007).

    If both systems are alike, the sign of each difference is chance: p is the share of random signs that make the mean
    differ at least as much as it does. The same seed gives the same p.
    """
    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    difference = difference[difference != 0]  # their signs change nothing
    if not difference.size:
        return 1.0
    observed = round(abs(float(difference.sum())), _DECIMALS)
    random, extreme = np.random.default_rng(seed), 0
    for start in range(0, draws, _AT_ONCE):
        signs = random.integers(0, 2, (min(_AT_ONCE, draws - start), len(difference))) * 2.0 - 1.0
        extreme += int((np.round(np.abs(signs @ difference), _DECIMALS) >= observed).sum())
    return (extreme + 1) / (draws + 1)


def holm(ps: Mapping[str, float]) -> dict[str, float]:
    """The same ps, adjusted for their number (Holm 1979)."""
    adjusted, highest = {}, 0.0
    for place, name in enumerate(sorted(ps, key=ps.__getitem__)):
        highest = max(highest, min(1.0, ps[name] * (len(ps) - place)))
        adjusted[name] = highest
    return adjusted
