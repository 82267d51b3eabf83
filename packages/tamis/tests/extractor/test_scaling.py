from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.arrays import Floats
from tamis.extractor.network import Scaling

ANY_NUMBER = st.floats(allow_nan=True, allow_infinity=True)


def column(*values: float) -> Floats:
    return np.array(values, dtype=np.float64)[:, np.newaxis]


def test_mean_and_deviation_are_those_of_all_rows_of_all_pages() -> None:
    pages = [np.array([[1.0, 10.0], [2.0, 10.0]]), np.zeros((0, 2)), np.array([[6.0, 40.0]])]
    scaling = Scaling.fit(pages)
    rows = np.concatenate(pages)
    assert scaling.mean.tolist() == pytest.approx(rows.mean(axis=0).tolist())
    assert scaling.deviation.tolist() == pytest.approx(rows.std(axis=0).tolist())
    scaled = scaling.apply(rows)
    assert scaled.dtype == np.float32
    assert scaled.mean(axis=0).tolist() == pytest.approx([0, 0], abs=1e-6)
    assert scaled.std(axis=0).tolist() == pytest.approx([1, 1])


@pytest.mark.parametrize("constant", [0.0, 3.0, 0.1, -1e9, 1e9 + 0.1])
def test_a_column_that_never_changed_becomes_0(constant: float) -> None:
    values = column(*[constant] * 777)
    scaling = Scaling.fit([values])
    assert scaling.deviation.tolist() == [1]
    assert np.abs(scaling.apply(values)).max() <= 1e-6


def test_what_is_no_number_counts_as_the_mean_and_infinity_as_far_away() -> None:
    scaling = Scaling.fit([column(4, 6)])
    assert scaling.apply(column(np.nan, np.inf, -np.inf, 6)).ravel().tolist() == [0, 8, -8, 1]


def test_what_is_no_number_does_not_spoil_the_fit() -> None:
    scaling = Scaling.fit([column(2, np.nan, -2), column(np.inf, -np.inf)])
    assert scaling.mean.tolist() == [0]
    assert scaling.deviation.tolist() == pytest.approx([np.sqrt(8 / 5)])


@given(st.lists(ANY_NUMBER, min_size=1, max_size=8), st.floats(-1e100, 1e100), st.floats(1e-6, 1e100))
def test_whatever_comes_in_a_finite_number_goes_out(values: list[float], mean: float, deviation: float) -> None:
    scaling = Scaling(np.array([mean]), np.array([deviation]))
    with np.errstate(over="ignore"):
        scaled = scaling.apply(column(*values))
    assert np.isfinite(scaled).all()
    assert np.abs(scaled).max() <= 8


@pytest.mark.parametrize("pages", [[], [np.zeros((0, 3))]])
def test_without_rows_there_is_nothing_to_fit(pages: list[Floats]) -> None:
    with pytest.raises(ValueError, match="no rows"):
        Scaling.fit(pages)
