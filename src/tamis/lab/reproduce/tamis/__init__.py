"""The figures of this project's own extractor on WCXB dev, out of fold: by type, calibration, precision and recall.

Needs the weights of five folds: `tamis train tamis ... --folds 5 -o build/tamis-folds`, see docs/tamis.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from tamis.errors import InputError
from tamis.lab.corpora.catalogue import open_corpus
from tamis.lab.reproduce import charts
from tamis.lab.reproduce.page import Figure, Page, Section
from tamis.lab.reproduce.tamis.measure import CUTS, Measured, measure_all
from tamis.lab.training.pages import fold_folders

FOLDER = Path("build/tamis-folds")

# What issue 8 of this project asked for, mean token F1.
_ASKED = {
    "article": 0.955, "documentation": 0.94, "service": 0.86, "forum": 0.83, "product": 0.7, "listing": 0.7,
    "collection": 0.66,
}  # fmt: skip
_ASKED_OVER_ALL = 0.885
_BINS = 10
_WORST = 10


def reproduce(data: Path | None = None, folder: Path = FOLDER) -> Page:
    """Measure every page of WCXB dev by weights that have seen no page of its site. Some minutes.

    Raises InputError where there are no such weights.
    """
    folders = fold_folders(folder)
    if not folders:
        raise InputError(f"{folder} has no weights of folds; train them first: tamis train tamis ... --folds 5")
    with open_corpus("wcxb", data) as corpus:
        measured = list(measure_all(corpus.pages("dev"), folders))
    return compose(measured)


def compose(pages: Sequence[Measured]) -> Page:
    """The page of figures."""
    words = (
        "The development pages of WCXB; each is read by weights that have seen no page of its site. Columns, sizes and "
        "schedules were chosen on these folds, so the figures lean to the good side. Underlined: what misses its bar."
    )
    return Page("tamis out of fold", words, [_types(pages), _curve(pages), _reliability(pages), _worst(pages)])


def _types(pages: Sequence[Measured]) -> Section:
    def figure(name: str, some: Iterable[Measured], asked: float) -> Figure:
        found = [page.f1 for page in some]
        return Figure(name, None, float(np.mean(found)) if found else 0.0, note=f"{len(found)} pages", asked=asked)

    figures = [figure("all pages", pages, _ASKED_OVER_ALL)]
    figures += [
        figure(kind, [page for page in pages if page.page_type == kind], asked) for kind, asked in _ASKED.items()
    ]
    return Section("Token F1", "The mean of pages, by type.", figures)


def _curve(pages: Sequence[Measured]) -> Section:
    precision = np.array([np.mean([page.at[cut].precision for page in pages]) for cut in CUTS])
    recall = np.array([np.mean([page.at[cut].recall for page in pages]) for cut in CUTS])
    f1 = np.array([np.mean([page.at[cut].f1 for page in pages]) for cut in CUTS])
    figures = [
        Figure(f"{what} {cut}", None, float(values[place]))
        for place, cut in enumerate(CUTS)
        for what, values in (("precision", precision), ("recall", recall), ("F1", f1))
    ]
    words = (
        "What precision and recall become when texts stay from another score on. With favor_precision that is 0.72, "
        "with favor_recall three fifths of what it is without either wish: the score that the network was trained to "
        "cut at, and less on pages that are neither articles nor threads."
    )
    chart = charts.points({"precision and recall, mean of pages": (recall, precision)}, "recall", "precision")
    return Section("Precision or recall", words, figures, chart)


def _reliability(pages: Sequence[Measured]) -> Section:
    """Is a score a probability? Texts by their score, and how many of their words are content."""
    scores = np.concatenate([page.scores for page in pages])
    truth = np.concatenate([page.truth for page in pages])
    weight = np.concatenate([page.weight for page in pages])  # pages count alike
    bins = np.minimum((scores * _BINS).astype(np.int64), _BINS - 1)
    total = np.bincount(bins, weight, _BINS)
    said = np.bincount(bins, weight * scores, _BINS) / np.maximum(total, 1e-12)
    came = np.bincount(bins, weight * truth, _BINS) / np.maximum(total, 1e-12)
    error = float((total * np.abs(said - came)).sum() / max(total.sum(), 1e-12))
    words = "Texts by their score: what the score says, and the share that is content by the gold. Pages count alike."
    chart = charts.points(
        {"scores": (said[total > 0], came[total > 0]), "perfect": (np.array([0.0, 1.0]), np.array([0.0, 1.0]))},
        "score",
        "share that is content",
    )
    return Section("Reliability", words, [Figure("mean distance of score and share", None, error)], chart)


def _worst(pages: Sequence[Measured]) -> Section:
    chosen = sorted((page for page in pages if page.has_gold), key=lambda page: page.f1)[:_WORST]
    figures = [Figure(f"{page.id} ({page.page_type})", None, page.f1) for page in chosen]
    return Section("The ten worst pages", "Of those that have a gold text. Why is in docs/tamis.md.", figures)
