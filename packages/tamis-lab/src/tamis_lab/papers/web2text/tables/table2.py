"""Table 2: accuracy, precision, recall and F1 over the leaves of the test pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from tamis.arrays import Floats
from tamis_lab.metrics import leaf_scores
from tamis_lab.metrics.statistics import wilcoxon
from tamis_lab.papers.web2text.tables.protocols import NETWORKS, Trial
from tamis_lab.reproduce.page import Figure, Section

MEASURES = ("accuracy", "precision", "recall", "F1")
_PAPER = {
    "CRF": (0.82, 0.88, 0.81, 0.84),
    "BTE": (0.75, 0.76, 0.84, 0.80),
    "default-ext": (0.79, 0.89, 0.74, 0.81),
    "article-ext": (0.67, 0.89, 0.50, 0.64),
    "largest-ext": (0.59, 0.93, 0.33, 0.48),
    "Unfluff": (0.68, 0.90, 0.51, 0.65),
    "Web2Text": (0.88, 0.89, 0.91, 0.90),
}

# How far from the paper still counts as the same. Others measured an F1 of 0.88 and an accuracy of 0.86 with the
# paper's program.
RANDOM_BARS = {("Web2Text", "F1"): 0.02, ("Web2Text", "accuracy"): 0.02, ("BTE", "F1"): 0.03}
COMPETITION_BARS = {("Web2Text", "F1"): 0.05, ("BTE", "F1"): 0.03}


def section(title: str, trials: Iterable[Trial], bars: Mapping[tuple[str, str], float]) -> Section:
    """A figure for each system and measure: the mean over the trials, with their range."""
    done = list(trials)
    scores = {name: np.array([_scores(trial, name) for trial in done]) for name in done[0].kept}
    figures = [
        Figure(
            f"{name}, {measure}",
            _PAPER[name][number] if name in _PAPER else None,
            float(values[:, number].mean()),
            bars.get((name, measure)),
            f"from {values[:, number].min():.3f} to {values[:, number].max():.3f}" if np.ptp(values[:, number]) else "",
        )
        for name, values in scores.items()
        for number, measure in enumerate(MEASURES)
    ]
    # The paper does not say whether it pools leaves or averages pages; for BTE the two are far apart.
    figures += [Figure(f"{name}, mean F1 a page", None, float(_page_f1(done, name).mean())) for name in scores]
    return Section(title, _words(done), figures)


def _scores(trial: Trial, name: str) -> tuple[float, float, float, float]:
    found = leaf_scores(np.concatenate(trial.kept[name]), np.concatenate(trial.gold))
    return found.accuracy, found.content.precision, found.content.recall, found.content.f1


def _page_f1(trials: Iterable[Trial], name: str) -> Floats:
    """The F1 of each test page of all trials."""
    return np.array(
        [
            leaf_scores(kept, gold).content.f1
            for trial in trials
            for kept, gold in zip(trial.kept[name], trial.gold, strict=True)
        ]
    )


def _words(trials: list[Trial]) -> str:
    """Whether Web2Text is better page by page, by the test that the paper uses."""
    full = _page_f1(trials, NETWORKS[0])
    parts = []
    for name in trials[0].kept:
        if name != NETWORKS[0]:
            other = _page_f1(trials, name)
            better, chance = full.mean() - other.mean(), wilcoxon(full, other)
            parts.append(f"{name} {better:+.3f} (p {'< 0.001' if chance < 0.001 else f'= {chance:.3f}'})")
    return (
        f"{len(trials)} trainings, seeds 1 to {len(trials)}. Mean F1 a page of Web2Text ({full.mean():.3f}) less that "
        f"of the others, with the chance of it by Wilcoxon's signed-rank test: {', '.join(parts)}."
    )
