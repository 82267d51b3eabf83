"""Parameters out of range are refused, each with a line that says what is allowed."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tamis import OptionError
from tamis_papers.boilerpipe.extractors import MinWords
from tamis_papers.ccb import CodeBlurring
from tamis_papers.cetd import Cehtd
from tamis_papers.cetr import ClusteredTagRatios, ThresholdTagRatios
from tamis_papers.dsc import SlopeCurve
from tamis_papers.fe import ClusterFeatureExtractor
from tamis_papers.iwptd import Iwptd
from tamis_papers.lqf import LinkQuotaFilter
from tamis_papers.r4.extractor import R4
from tamis_papers.sst import Sst
from tamis_papers.temex import ConEx, TemEx

REFUSED: dict[Callable[..., object], tuple[tuple[str, tuple[float, ...]], ...]] = {
    CodeBlurring: (("reach", (0,)), ("rounds", (0,)), ("threshold", (0.0, 1.0))),
    Cehtd: (("line", (0,)),),
    ClusteredTagRatios: (("width", (0,)), ("radius", (0,)), ("clusters", (1,)), ("ahead", (0,))),
    ThresholdTagRatios: (("coefficient", (-1,)),),
    SlopeCurve: (("window", (1,)), ("in_row", (0,)), ("share", (0.0, 1.5))),
    ClusterFeatureExtractor: (("clusters", (1,)),),
    Iwptd: (("frequency", (0.0, 1.5)), ("share", (1.0, -0.1))),
    LinkQuotaFilter: (("limit", (-0.1, 1.1, math.nan)),),
    MinWords: (("min_words", (0, -1)),),
    R4: (("c", (0,)), ("tr", (0.5, math.nan)), ("hr", (-1,))),
    Sst: (("threshold", (-0.1, 1.1)), ("gamma", (0.0, 1.0))),
    TemEx: (("size", (1,)),),
    ConEx: (("size", (1,)), ("share", (0.4, 1.1))),
}


@pytest.mark.parametrize(
    ("method", "name", "value"),
    [(method, name, value) for method, own in REFUSED.items() for name, values in own for value in values],
)
def test_parameters_out_of_range_are_refused(method: Callable[..., object], name: str, value: float) -> None:
    with pytest.raises(OptionError, match=r"at least|between|from \d"):
        method(**{name: value})
