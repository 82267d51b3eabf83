"""Sections 5.1 and 5.2: how words are spread over text densities, and blocks over numbers of words, as models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.optimize import curve_fit
from scipy.stats import beta, norm

from tamis.arrays import Floats
from tamis.lab.reproduce.charts import lines
from tamis.lab.reproduce.page import Figure, Section
from tamis.papers.boilerpipe.tables.blocks import NewsBlocks
from tamis.papers.boilerpipe.tables.charts import weight_by

_CLOSE = 0.10  # of the paper's value

# A beta distribution needs an end, which the paper does not name. Blocks denser than 20 hold less
# than 0.01 % of the words, so 20 would do as well; the page has R² for the others, too.
_DENSEST = 25
_OTHER_ENDS = (20, 30)

# Where the fit of the density begins: template text around 3 words a line, full text around 13.
_DENSITY_START = (0.2, 0.2, 2.0, 15.0, 7.0, 2.0, 30.0, 26.0)
_DENSITY_BOUNDS = ([0, 0, 0.1, 0.1, 1, 0.1, 0.1, 0.1], [1, 1, 1000, 1000, 20, 10, 1000, 1000])


@dataclass(frozen=True)
class Fit:
    """What least squares found, and how well it describes the data."""

    parameters: list[float]
    explained: float  # R²
    adjusted: float  # R², less what more parameters explain by themselves
    error: float  # root mean square error


def simple_writer(x: Floats, end: float) -> Floats:
    """Equation 2: one word at least, then each time the block ends with this probability."""
    return (1 - end) ** (x - 1) * end


def mixed_writer(x: Floats, short: float, end_short: float, end_long: float) -> Floats:
    """Equation 3: a block is short or long text from its first word on."""
    return short * simple_writer(x, end_short) + (1 - short) * simple_writer(x, end_long)


def two_betas_and_normal(
    x: Floats,
    template: float,
    fuzzy: float,
    a1: float,
    b1: float,
    mean: float,
    spread: float,
    a2: float,
    b2: float,
    *,
    end: float = _DENSEST,
) -> Floats:
    """§5.1: the share of words at each rounded text density.

    `template` of the words follow a beta distribution with a1 and b1 and the last part one with a2
    and b2, both stretched from 0 to `end`; `fuzzy` between them follow a normal one.
    """
    parts = density_parts(x, template, fuzzy, a1, b1, mean, spread, a2, b2, end=end)
    return parts[0] + parts[1] + parts[2]


def density_parts(
    x: Floats,
    template: float,
    fuzzy: float,
    a1: float,
    b1: float,
    mean: float,
    spread: float,
    a2: float,
    b2: float,
    *,
    end: float = _DENSEST,
) -> tuple[Floats, Floats, Floats]:
    """The three parts of the mixture, each as far as it goes: template, transition, full text."""
    # A density of 4 stands for all from 3.5 to 4.5, as the paper rounds them.
    low, high = x - 0.5, x + 0.5

    def stretched(a: float, b: float) -> Floats:
        share: Floats = beta.cdf(high / end, a, b) - beta.cdf(low / end, a, b)
        return share

    normal: Floats = norm.cdf(high, mean, spread) - norm.cdf(low, mean, spread)
    return template * stretched(a1, b1), fuzzy * normal, (1 - template - fuzzy) * stretched(a2, b2)


def sections(news: NewsBlocks) -> list[Section]:
    """The density of text, then both writers against the share of blocks with each number of words."""
    counts = np.bincount(news.words.astype(np.int64))[1:]
    x = np.arange(1, len(counts) + 1, dtype=np.float64)
    share = counts / counts.sum()
    simple = least_squares(simple_writer, x, share, [0.3])
    mixed = least_squares(mixed_writer, x, share, [0.75, 0.4, 0.05])
    return [
        density_section(news),
        Section(
            "Section 5.2: simple random writer",
            "",
            [
                Figure("P_T(N)", 0.3145, simple.parameters[0]),
                Figure("adjusted R², %", 96.7, 100 * simple.adjusted),
                Figure("RMSE", 0.0046, simple.error),
            ],
        ),
        Section(
            "Section 5.2: mixed random writer",
            "",
            [
                Figure("P_N(S)", 0.7586, mixed.parameters[0], _CLOSE * 0.7586),
                Figure("P_S(N)", 0.3968, mixed.parameters[1], _CLOSE * 0.3968),
                Figure("P_L(N)", 0.04369, mixed.parameters[2], _CLOSE * 0.04369),
                Figure("adjusted R², %", 98.81, 100 * mixed.adjusted),
                Figure("RMSE", 0.0027, mixed.error),
            ],
        ),
    ]


def density_section(news: NewsBlocks) -> Section:
    """§5.1: words by text density as two beta distributions with a normal one between them."""
    density, words = news.features["text_density"], news.words
    fit, shares = _fit_density(density, words, _DENSEST)
    ceiling, upwards = _fit_density(np.ceil(density), words, _DENSEST)
    others = [(end, *_fit_density(density, words, end)) for end in _OTHER_ENDS]
    template, fuzzy, a1, b1, mean, spread, a2, b2 = fit.parameters
    everywhere = np.arange(0, _DENSEST + 1, dtype=np.float64)
    parts = density_parts(everywhere, *fit.parameters)
    curves = {
        "words": shares,
        "model": parts[0] + parts[1] + parts[2],
        "template text (beta)": parts[0],
        "transition (normal)": parts[1],
        "full text (beta)": parts[2],
    }
    text = (
        "The share of words in blocks of each rounded text density, as two beta distributions (stretched from 0 to "
        f"{_DENSEST}) and a normal one between them. The paper prints no parameters. Its R² and RMSE go together only "
        "for values that spread by about 0.3; shares of some twenty densities spread by 0.05, and by 0.27 when the "
        "largest is set to 1. So its RMSE is taken to be in units of the largest share."
    )
    dense = float(words[density >= 11].sum())
    return Section(
        "Section 5.1: text density as two beta distributions and a normal one",
        text,
        [
            Figure("R²", 0.997, fit.explained),
            Figure(
                "RMSE, the largest share as 1",
                0.0213,
                fit.error / float(shares.max()),
                note=f"in shares {fit.error:.4f}",
            ),
            *[Figure(f"R², stretched to {end}", 0.997, other.explained) for end, other, _ in others],
            *[
                Figure(f"RMSE, stretched to {end}", 0.0213, other.error / float(found.max()))
                for end, other, found in others
            ],
            Figure(
                "R², densities rounded up", 0.997, ceiling.explained, note="as the paper's sign says, not its words"
            ),
            Figure("RMSE, densities rounded up", 0.0213, ceiling.error / float(upwards.max())),
            Figure("share of template text", None, template),
            Figure("its mean density", None, _DENSEST * a1 / (a1 + b1), note=f"beta, α = {a1:.2f}, β = {b1:.1f}"),
            Figure("share of the transition", None, fuzzy),
            Figure("its mean density", None, mean, note=f"normal, σ = {spread:.2f}"),
            Figure("share of full text", None, 1 - template - fuzzy),
            Figure("its mean density", None, _DENSEST * a2 / (a2 + b2), note=f"beta, α = {a2:.1f}, β = {b2:.1f}"),
            Figure("words of the longest block", 1122, float(words.max())),
            Figure("words in blocks of at least 11 words", 345_175, float(words[words >= 11].sum())),
            Figure(
                "words in blocks of a text density of at least 11",
                358_428,
                dense,
                note=f"of at least 10: {words[density >= 10].sum():,.0f}; a block can't be denser than it has tokens",
            ),
        ],
        lines(curves, "text density, rounded", "share of words"),
    )


def _fit_density(density: Floats, words: Floats, end: int) -> tuple[Fit, Floats]:
    """The fit to the shares of words at the rounded densities from 1, and these shares from 0."""
    shares = weight_by(density, words, end) / words.sum()
    x = np.arange(1, end + 1, dtype=np.float64)
    model = partial(two_betas_and_normal, end=end)
    return least_squares(model, x, shares[1:], _DENSITY_START, _DENSITY_BOUNDS), shares


def least_squares(
    model: Callable[..., Floats],
    x: Floats,
    share: Floats,
    start: Sequence[float],
    bounds: tuple[Sequence[float] | float, Sequence[float] | float] = (0.0, 1.0),
) -> Fit:
    """The parameters of a model that come closest to the shares at x."""
    parameters, _ = curve_fit(model, x, share, p0=start, bounds=bounds)
    residual = share - model(x, *parameters)
    freedom = len(x) - len(parameters)
    explained = float(1 - (residual**2).sum() / ((share - share.mean()) ** 2).sum())
    adjusted = 1 - (1 - explained) * (len(x) - 1) / freedom
    return Fit(parameters.tolist(), explained, adjusted, float(np.sqrt((residual**2).sum() / freedom)))
