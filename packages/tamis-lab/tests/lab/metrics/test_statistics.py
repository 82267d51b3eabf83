from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from tamis_lab import metrics
from tamis_lab.metrics import bootstrap_interval, wilcoxon

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
