"""Section 5.2: the random writer, simple and mixed, fitted to the number of words a block."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import curve_fit

from tamis.arrays import Floats
from tamis.evaluation.reproduce.boilerpipe.blocks import NewsBlocks
from tamis.evaluation.reproduce.page import Figure, Section

_CLOSE = 0.10  # of the paper's value


def simple_writer(x: Floats, end: float) -> Floats:
    """Equation 2: one word at least, then each time the block ends with this probability."""
    return (1 - end) ** (x - 1) * end


def mixed_writer(x: Floats, short: float, end_short: float, end_long: float) -> Floats:
    """Equation 3: a block is short or long text from its first word on."""
    return short * simple_writer(x, end_short) + (1 - short) * simple_writer(x, end_long)


def sections(news: NewsBlocks) -> list[Section]:
    """Both models against the share of blocks with each number of words."""
    counts = np.bincount(news.words.astype(np.int64))[1:]
    x = np.arange(1, len(counts) + 1, dtype=np.float64)
    share = counts / counts.sum()
    (end,), simple = _fit(simple_writer, x, share, [0.3])
    (short, end_short, end_long), mixed = _fit(mixed_writer, x, share, [0.75, 0.4, 0.05])
    return [
        Section(
            "Section 5.2: simple random writer",
            "",
            [
                Figure("P_T(N)", 0.3145, end),
                Figure("adjusted R², %", 96.7, 100 * simple[0]),
                Figure("RMSE", 0.0046, simple[1]),
            ],
        ),
        Section(
            "Section 5.2: mixed random writer",
            "",
            [
                Figure("P_N(S)", 0.7586, short, _CLOSE * 0.7586),
                Figure("P_S(N)", 0.3968, end_short, _CLOSE * 0.3968),
                Figure("P_L(N)", 0.04369, end_long, _CLOSE * 0.04369),
                Figure("adjusted R², %", 98.81, 100 * mixed[0]),
                Figure("RMSE", 0.0027, mixed[1]),
            ],
        ),
    ]


def _fit(
    model: Callable[..., Floats], x: Floats, share: Floats, start: list[float]
) -> tuple[list[float], tuple[float, float]]:
    """Least squares; the parameters, the adjusted R² and the root mean square error."""
    parameters, _ = curve_fit(model, x, share, p0=start, bounds=(0.0, 1.0))
    residual = share - model(x, *parameters)
    freedom = len(x) - len(parameters)
    explained = 1 - (residual**2).sum() / ((share - share.mean()) ** 2).sum()
    adjusted = 1 - (1 - explained) * (len(x) - 1) / freedom
    return parameters.tolist(), (float(adjusted), float(np.sqrt((residual**2).sum() / freedom)))
