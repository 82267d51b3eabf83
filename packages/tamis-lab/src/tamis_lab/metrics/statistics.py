"""Figures about the scores of many pages."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tamis.arrays import Floats
from tamis_lab.extras import needs

# Draws of the bootstrap that are in memory at once.
_DRAWS = 4_000_000

# Differences of scores are compared up to this many decimals: 0.3 - 0.2 and 0.2 - 0.1 are ties,
# though not in binary.
_DECIMALS = 12


def bootstrap_interval(
    values: ArrayLike, seed: int = 0, samples: int = 1000, level: float = 0.95
) -> tuple[float, float]:
    """The percentile bootstrap interval of the mean (Efron and Tibshirani 1993, chapter 13).

    Resample the values with replacement `samples` times; the interval contains the share `level` of the means, with as
    many below as above. The same seed gives the same numbers.

    Raises ValueError if there are no values, one is not finite, or an option makes no sense.
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

    Pairs without a difference are left out, as Wilcoxon (1945) did; if all are, the answer is 1.
    Up to 50 pairs p is exact where scipy can make it so, else from the normal distribution.

    Raises ValueError if there are no pairs, lengths differ, or a value is not finite.
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


def _column(values: ArrayLike) -> Floats:
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1 or not column.size:
        raise ValueError("there are no values")
    if not np.isfinite(column).all():
        raise ValueError("a value is not finite")
    return column
