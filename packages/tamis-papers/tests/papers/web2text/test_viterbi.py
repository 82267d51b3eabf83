from __future__ import annotations

from itertools import product
from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.extractor.scaling import Singles
from tamis_papers.web2text.network import viterbi


def total(unary: Singles, pairwise: Singles, labels: tuple[int, ...]) -> float:
    """The logarithm of the product in §3.5."""
    blocks = sum(float(unary[place, label]) for place, label in enumerate(labels))
    return blocks + sum(
        float(pairwise[place, 2 * labels[place] + labels[place + 1]]) for place in range(len(labels) - 1)
    )


def check(unary: Singles, pairwise: Singles) -> None:
    """Compare with all labellings there are."""
    decoded = viterbi(unary, pairwise)
    totals = {labels: total(unary, pairwise, labels) for labels in product((0, 1), repeat=len(unary))}
    best = max(totals.values())
    close = 1e-9 * max(1.0, max(map(abs, totals.values())))
    assert totals[tuple(decoded.labels.astype(int).tolist())] == pytest.approx(best, abs=close)
    for place, (label, margin) in enumerate(zip(decoded.labels, decoded.margins, strict=True)):
        with_it = max(value for labels, value in totals.items() if labels[place])
        without = max(value for labels, value in totals.items() if not labels[place])
        assert margin == pytest.approx(with_it - without, abs=close)
        if abs(margin) > close:
            assert label == (margin > 0)


def potentials(value: st.SearchStrategy[float]) -> st.SearchStrategy[tuple[Singles, Singles]]:
    def rows(size: int, count: int) -> st.SearchStrategy[Singles]:
        row = st.lists(value, min_size=size, max_size=size)
        return st.lists(row, min_size=count, max_size=count).map(
            lambda found: np.array(found, dtype=np.float32).reshape(count, size)
        )

    return st.integers(1, 6).flatmap(lambda blocks: st.tuples(rows(2, blocks), rows(4, blocks - 1)))


@given(potentials(st.floats(-60, 0, width=32)))
def test_no_labelling_is_better(given_potentials: tuple[Singles, Singles]) -> None:
    check(*given_potentials)


@given(potentials(st.sampled_from([-2.0, -1.0, 0.0])))
def test_of_equally_good_labellings_it_is_one_and_no_mixture(given_potentials: tuple[Singles, Singles]) -> None:
    check(*given_potentials)


def test_labellings_that_only_rounding_tells_apart_are_not_mixed() -> None:
    unary = np.array([[-1e6, -3e-13], [-1e-12, -3], [-3, -1], [-3, -3e-13], [-1e6, -1e-12]], dtype=np.float32)
    pairwise = np.array(
        [
            [-1e6, -1e-12, -3e-13, -2],
            [-3e-13, -3e-13, -1e6, -7e-13],
            [-1, -7e-13, -1e-12, -3],
            [-3, -2, -2, -3],
        ],
        dtype=np.float32,
    )
    check(unary, pairwise)


def test_by_hand() -> None:
    # Alone, the middle block would be boilerplate; its neighbours pull it over.
    unary = np.log(np.array([[0.1, 0.9], [0.6, 0.4], [0.1, 0.9]], dtype=np.float32))
    pairwise = np.log(np.array([[0.3, 0.1, 0.1, 0.5]] * 2, dtype=np.float32))
    decoded = viterbi(unary, pairwise)
    assert decoded.labels.tolist() == [True, True, True]
    assert decoded.margins[1] == pytest.approx(np.log(0.4 * 0.5 * 0.5 / (0.6 * 0.1 * 0.1)), abs=1e-5)


def test_the_order_of_a_step_is_from_before_to_after() -> None:
    unary = np.zeros((2, 2), dtype=np.float32)
    assert viterbi(unary, np.array([[0, 1, 0, 0]], dtype=np.float32)).labels.tolist() == [False, True]
    assert viterbi(unary, np.array([[0, 0, 1, 0]], dtype=np.float32)).labels.tolist() == [True, False]


def test_a_page_without_blocks() -> None:
    decoded = viterbi(np.zeros((0, 2), np.float32), np.zeros((0, 4), np.float32))
    assert (len(decoded.labels), len(decoded.margins)) == (0, 0)


def test_a_single_block_has_its_own_potentials_alone() -> None:
    decoded = viterbi(np.array([[-3, -1]], dtype=np.float32), np.zeros((0, 4), np.float32))
    assert (decoded.labels.tolist(), decoded.margins.tolist()) == ([True], [2])


@pytest.mark.parametrize("steps", [0, 1, 3, 4])
def test_the_number_of_steps_has_to_fit(steps: int) -> None:
    with pytest.raises(ValueError, match=f"3 blocks have 2 steps, not {steps}"):
        viterbi(np.zeros((3, 2), np.float32), np.zeros((steps, 4), np.float32))


@pytest.mark.nightly
@pytest.mark.parametrize("tied", [False, True])
def test_a_huge_page_ends_in_finite_margins(tied: bool) -> None:
    blocks = 50_000
    random = np.random.default_rng(3)
    unary = np.full((blocks, 2), -80.0) if tied else random.uniform(-80, 0, (blocks, 2))
    pairwise = np.full((blocks - 1, 4), -80.0) if tied else random.uniform(-80, 0, (blocks - 1, 4))
    started = process_time()
    decoded = viterbi(unary.astype(np.float32), pairwise.astype(np.float32))
    assert process_time() - started < 10  # it takes a moment; a quadratic one would take half an hour
    assert np.isfinite(decoded.margins).all()
    # Two labels of a block differ by what it and its two steps can hold, and not by the sum of the page.
    assert np.abs(decoded.margins).max() <= 3 * 80 + 1e-3
    if not tied:
        assert np.array_equal(decoded.labels, decoded.margins > 0)
