"""Table 2 of Web2Text from made-up trials: nothing is trained here."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import numpy as np

from tamis.arrays import Bools
from tamis_lab.papers.web2text.tables import MEASURES, NETWORKS, Trial, section

GOLD = [np.array([True, True, False, False]), np.array([True, False])]  # two pages
NONE: list[Bools] = [np.zeros(len(page), dtype=np.bool_) for page in GOLD]
FIRST: list[Bools] = [np.arange(len(page)) == 0 for page in GOLD]  # the first leaf of each page


def test_figures_are_means_over_trials() -> None:
    trials = [Trial({NETWORKS[0]: GOLD, NETWORKS[1]: kept}, GOLD) for kept in (FIRST, NONE)]
    found = section("Table 2", trials, {(NETWORKS[0], "F1"): 0.02})
    figures = {figure.name: figure for figure in found.figures}
    assert [figures[f"{NETWORKS[0]}, {measure}"].ours for measure in MEASURES] == [1, 1, 1, 1]
    assert figures[f"{NETWORKS[0]}, F1"].met is False  # 1.0 is further than 0.02 from the paper's 0.90
    # Found are two of three content leaves of six, then none.
    assert figures[f"{NETWORKS[1]}, accuracy"].ours == pytest.approx((5 / 6 + 3 / 6) / 2)
    assert figures[f"{NETWORKS[1]}, F1"].ours == pytest.approx((0.8 + 0) / 2)
    assert figures[f"{NETWORKS[1]}, F1"].note == "from 0.000 to 0.800"
    assert figures[f"{NETWORKS[1]}, mean F1 a page"].ours == pytest.approx((2 / 3 + 1 + 0 + 0) / 4)
    assert "2 trainings" in found.words
