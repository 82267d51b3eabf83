"""Figures 2 to 5 of boilerpipe (2010) and the fits of sections 5.1 and 5.2."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path

import numpy as np
from scipy.optimize import curve_fit
from scipy.stats import beta, norm

from tamis.arrays import Floats
from tamis.document import Document
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.papers.boilerpipe.blocks import (
    CLASSES,
    PAPER,
    READINGS,
    NewsBlocks,
    Overlap,
    PaperReading,
    Scorer,
    leaf_classes,
    mean_f1,
    shallow_text,
    with_hidden_text,
)
from tamis_lab.reproduce.page import Figure, Section, lines

_HIGHEST_DENSITY = 30
_MOST_WORDS = 100


def charts_sections(news: NewsBlocks, data: Path | None) -> list[Section]:
    """The three charts; only that of CleanEval is not split by class."""
    words = np.zeros(_HIGHEST_DENSITY + 1)
    for page in open_corpus("cleaneval", data).pages("test"):
        text = shallow_text(with_hidden_text(Document.from_html(page.html)))
        words += weight_by(text.text_density, text.num_words, _HIGHEST_DENSITY)
    by_length = by_class(news, news.words, _MOST_WORDS)
    by_density = by_class(news, news.features["text_density"], _HIGHEST_DENSITY)
    x = "text density, rounded"
    return [
        Section("Figure 3: text density on CleanEval", chart=lines({"all blocks": words}, x, "words")),
        Section("Figure 4: number of words on the news", chart=lines(by_length, "words of a block", "words")),
        Section("Figure 5: text density on the news", chart=lines(by_density, x, "words")),
    ]


def by_class(news: NewsBlocks, values: Floats, highest: int) -> dict[str, Floats]:
    """For each class: the number of words in its blocks at each rounded value."""
    chosen = {kind: news.classes == kind for kind in CLASSES}
    return {kind: weight_by(values[rows], news.words[rows], highest) for kind, rows in chosen.items()}


def weight_by(values: Floats, weights: Floats, highest: int) -> Floats:
    """The sum of weights at each rounded value from 0 to `highest`; higher values count as `highest`."""
    # A half is rounded up. Rounded to even, 13 would lose to 12 and 14: blocks of three lines often have a
    # density of 12.5 or 13.5.
    rounded = np.minimum(np.floor(values + 0.5), highest).astype(np.int64)
    summed: Floats = np.bincount(rounded, weights=weights, minlength=highest + 1).astype(np.float64)
    return summed


_CLOSE = 0.10  # of the paper's value

# A beta distribution needs an upper end, which the paper does not give. Blocks denser than 20 hold less
# than 0.01 % of the words, so 20 would do as well; the page shows R² for other ends, too.
_DENSEST = 25
_OTHER_ENDS = (20, 30)

# Start of the fit of the density: template text around 3 words a line, full text around 13.
_DENSITY_START = (0.2, 0.2, 2.0, 15.0, 7.0, 2.0, 30.0, 26.0)
_DENSITY_BOUNDS = ([0, 0, 0.1, 0.1, 1, 0.1, 0.1, 0.1], [1, 1, 1000, 1000, 20, 10, 1000, 1000])


@dataclass(frozen=True)
class Fit:
    """The parameters found by least squares, and how well they describe the data."""

    parameters: list[float]
    explained: float  # R²
    adjusted: float  # R², corrected for the number of parameters
    error: float  # root mean square error


def simple_writer(x: Floats, end: float) -> Floats:
    """Equation 2: a block has a word, and after each word it ends with this probability."""
    return (1 - end) ** (x - 1) * end


def mixed_writer(x: Floats, short: float, end_short: float, end_long: float) -> Floats:
    """Equation 3: a block is short or long text from its first word on."""
    return short * simple_writer(x, end_short) + (1 - short) * simple_writer(x, end_long)


def two_betas_and_normal(x: Floats, *parameters: float, end: float = _DENSEST) -> Floats:
    """§5.1: the share of words at each rounded text density, as the sum of `density_parts`."""
    template, transition, full = density_parts(x, *parameters, end=end)
    return template + transition + full


def density_parts(x: Floats, *parameters: float, end: float = _DENSEST) -> tuple[Floats, Floats, Floats]:
    """The three parts of the mixture: template text, transition and full text.

    The parameters are the shares of template text and of the transition, a and b of the beta distribution
    of template text, mean and deviation of the normal one of the transition, a and b of the beta
    distribution of full text. The beta distributions are stretched from 0 to `end`.
    """
    template, transition, a1, b1, mean, deviation, a2, b2 = parameters
    # A density of 4 means all from 3.5 to 4.5, as the paper rounds them.
    low, high = x - 0.5, x + 0.5

    def stretched(a: float, b: float) -> Floats:
        share: Floats = beta.cdf(high / end, a, b) - beta.cdf(low / end, a, b)
        return share

    normal: Floats = norm.cdf(high, mean, deviation) - norm.cdf(low, mean, deviation)
    return template * stretched(a1, b1), transition * normal, (1 - template - transition) * stretched(a2, b2)


def fits_sections(news: NewsBlocks) -> list[Section]:
    """The density of text, then both writers against the share of blocks with each number of words."""
    counts = np.bincount(news.words.astype(np.int64))[1:]
    x = np.arange(1, len(counts) + 1, dtype=np.float64)
    share = counts / counts.sum()
    simple = least_squares(simple_writer, x, share, [0.3])
    mixed = least_squares(mixed_writer, x, share, [0.75, 0.4, 0.05])
    named = zip(("P_N(S)", "P_S(N)", "P_L(N)"), (0.7586, 0.3968, 0.04369), mixed.parameters, strict=True)
    return [
        _density_section(news),
        Section(
            "Section 5.2: simple random writer",
            figures=[Figure("P_T(N)", 0.3145, simple.parameters[0]), *_quality(simple, 96.7, 0.0046)],
        ),
        Section(
            "Section 5.2: mixed random writer",
            figures=[
                *[Figure(name, paper, ours, _CLOSE * paper) for name, paper, ours in named],
                *_quality(mixed, 98.81, 0.0027),
            ],
        ),
    ]


def _quality(fit: Fit, adjusted: float, error: float) -> list[Figure]:
    return [Figure("adjusted R², %", adjusted, 100 * fit.adjusted), Figure("RMSE", error, fit.error)]


def _density_section(news: NewsBlocks) -> Section:
    """§5.1: words by text density as two beta distributions with a normal one between them."""
    density, words = news.features["text_density"], news.words
    fit, shares = _fit_density(density, words, _DENSEST)
    ceiling, upwards = _fit_density(np.ceil(density), words, _DENSEST)
    others = {end: _fit_density(density, words, end) for end in _OTHER_ENDS}
    template, transition, a1, b1, mean, deviation, a2, b2 = fit.parameters
    parts = density_parts(np.arange(0, _DENSEST + 1, dtype=np.float64), *fit.parameters)
    names = ("template text (beta)", "transition (normal)", "full text (beta)")
    curves = {"words": shares, "model": parts[0] + parts[1] + parts[2], **dict(zip(names, parts, strict=True))}

    def r2(suffix: str, fit: Fit, note: str = "") -> Figure:
        return Figure(f"R²{suffix}", 0.997, fit.explained, note=note)

    def rmse(suffix: str, fit: Fit, shares: Floats, note: str = "") -> Figure:
        return Figure(f"RMSE{suffix}", 0.0213, fit.error / float(shares.max()), note=note)

    at_least_10 = f"of at least 10: {words[density >= 10].sum():,.0f}; a block can't be denser than it has tokens"
    figures = [
        r2("", fit),
        rmse(", the largest share as 1", fit, shares, f"in shares {fit.error:.4f}"),
        *[r2(f", stretched to {end}", other) for end, (other, _) in others.items()],
        *[rmse(f", stretched to {end}", *found) for end, found in others.items()],
        r2(", densities rounded up", ceiling, "as the paper's sign says, not its words"),
        rmse(", densities rounded up", ceiling, upwards),
        Figure("share of template text", None, template),
        Figure("its mean density", None, _DENSEST * a1 / (a1 + b1), note=f"beta, α = {a1:.2f}, β = {b1:.1f}"),
        Figure("share of the transition", None, transition),
        Figure("its mean density", None, mean, note=f"normal, σ = {deviation:.2f}"),
        Figure("share of full text", None, 1 - template - transition),
        Figure("its mean density", None, _DENSEST * a2 / (a2 + b2), note=f"beta, α = {a2:.1f}, β = {b2:.1f}"),
        Figure("words of the longest block", 1122, float(words.max())),
        Figure("words in blocks of at least 11 words", 345_175, float(words[words >= 11].sum())),
        Figure(
            "words in blocks of a text density of at least 11",
            358_428,
            float(words[density >= 11].sum()),
            note=at_least_10,
        ),
    ]
    chart = lines(curves, "text density, rounded", "share of words")
    return Section("Section 5.1: text density as two beta distributions and a normal one", figures=figures, chart=chart)


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


# The rivals of Figure 2, which prints no figures for them: BTE, Victor (crf), NCleaner, and Pasternack and Roth (mss).
_RIVALS = ("bte", "crf", "ncleaner", "mss")
_STRATEGIES = (
    "keep-all", "min-words", "boilerpipe-density", "boilerpipe-words", "boilerpipe-cleaneval", "boilerpipe-largest",
    "boilerpipe-article", *_RIVALS,
)  # fmt: skip
# The paper prints one mean (95.93) and three gains over the baseline, from which the others follow.
_PAPER = {"keep-all": 68.5, "min-words": 81.0, "boilerpipe-words": 91.3, "boilerpipe-article": 95.93}
_POINTS = 2.5


def strategies_sections(data: Path | None) -> list[Section]:
    """The news, what its figures depend on, and CleanEval's test set."""
    pages = open_corpus("l3s-gn1", data).pages()
    on_news = _measured((Scorer(Document.from_html(page.html), leaf_classes(page)) for page in pages), READINGS)
    pages = open_corpus("cleaneval", data).pages("test")
    on_cleaneval = _measured((Scorer(Document.from_html(page.html), page.gold_text or "") for page in pages), [PAPER])
    return [
        Section("Figure 2b: the news", figures=_figures(on_news[PAPER], _PAPER, _POINTS)),
        Section("Figure 2b: what the baselines depend on", chart=_table(on_news)),
        Section("Figure 2a: CleanEval test", figures=_figures(on_cleaneval[PAPER], {}, None)),
    ]


def _measured(
    scorers: Iterable[Scorer], readings: Sequence[PaperReading]
) -> dict[PaperReading, dict[str, list[Overlap]]]:
    """Each page under each reading: all strategies under the paper's, else those that the paper has a figure for."""
    found = {reading: {name: list[Overlap]() for name in _STRATEGIES if reading is PAPER or name in _PAPER}
             for reading in readings}  # fmt: skip
    for scorer in scorers:
        for reading, strategies in found.items():
            for name, overlaps in strategies.items():
                overlaps.append(scorer.overlap(reading, name))
    return found


def _figures(found: dict[str, list[Overlap]], paper: dict[str, float], within: float | None) -> list[Figure]:
    figures = []
    for name, overlaps in found.items():
        median = f"median {100 * np.median([overlap.f1 for overlap in overlaps]):.2f}"
        figures.append(Figure(name, paper.get(name), mean_f1(PAPER, overlaps), within, median))
    return figures


def _table(found: dict[PaperReading, dict[str, list[Overlap]]]) -> str:
    """One row a reading, the paper's figures first."""
    rows = {"the paper": list(_PAPER.values())}
    for reading, overlaps in found.items():
        ours = [mean_f1(reading, overlaps[name]) for name in _PAPER]
        furthest = max(abs(mean - paper) for mean, paper in zip(ours, _PAPER.values(), strict=True))
        rows[reading.name] = [*ours, furthest]
    html = "".join(f"<th>{escape(name)}</th>" for name in ("", *_PAPER, "furthest"))
    for name, values in rows.items():
        cells = "".join(f"<td class=number>{value:.1f}</td>" for value in values)
        html += f"</tr><tr><td>{escape(name)}</td>{cells}"
    return f"<table><tr>{html}</tr></table>"
