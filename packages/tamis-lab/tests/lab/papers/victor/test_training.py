from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from tamis_lab.papers.victor.training import Likelihood, VictorExample


def test_the_gradient_is_that_of_the_likelihood() -> None:
    rng = np.random.default_rng(2)
    pages = [
        VictorExample(rng.integers(0, 6, size=(size, 3)), rng.random(size) < 0.5, ()) for size in (4, 1, 7, 2)
    ]  # columns of 6 weights
    likelihood = Likelihood(pages, 6)
    at = rng.normal(size=10)
    _, gradient = likelihood(at)
    for place in range(10):
        step = np.zeros(10)
        step[place] = 1e-5
        slope = (likelihood(at + step)[0] - likelihood(at - step)[0]) / 2e-5
        assert gradient[place] == pytest.approx(slope, rel=1e-4, abs=1e-6)
