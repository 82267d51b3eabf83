"""How little data is enough: F1 against the number of training pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tamis.arrays import Floats
from tamis.lab.reproduce.charts import lines
from tamis.lab.reproduce.page import Figure, Section
from tamis.papers.boilernet.tables.protocols import BoilerNet, Corpus
from tamis.papers.boilernet.tables.runs import Runs

# And all there are.
COUNTS = (5, 10, 25)
CLASSES = ("negative", "positive")


def section(corpora: Sequence[Corpus], runs: Runs, seeds: Sequence[int]) -> Section:
    """BoilerNet with few pages and with more, on the same validation and test pages."""
    figures: list[Figure] = []
    curves: dict[str, Floats] = {}
    for corpus in corpora:
        counts = [*(count for count in COUNTS if count < corpus.most), corpus.most]
        f1 = np.array([_f1(corpus, runs, seeds, count) for count in counts])  # (counts, seeds, classes)
        for number, name in enumerate(CLASSES):
            values = f1[:, :, number]
            figures += [
                _figure(f"{corpus.title}, {count} pages: {name} F1", values[at]) for at, count in enumerate(counts)
            ]
            curves[f"{corpus.title}, {name}"] = _line(counts, values.mean(axis=1))
    return Section(
        "Learning curve",
        "BoilerNet, F1 of both classes on all test pages against the number of training pages; means over "
        f"{len(seeds)} seeds, the lowest and the highest beside them. Each seed draws its own pages; more of them "
        "include the fewer. The paper says that little data is enough and shows no curve. The validation pages, which "
        "choose the best epoch, stay the same (5 and 30), so 5 training pages are not all that was labelled.",
        figures,
        lines(curves, "training pages (lines are straight between what was measured)", "F1"),
    )


def _f1(corpus: Corpus, runs: Runs, seeds: Sequence[int], count: int) -> list[tuple[float, float]]:
    learner = BoilerNet()
    scores = [run.scores[learner.name] for run in runs.all(learner, corpus, seeds, count)]
    return [(found.negative.f1, found.positive.f1) for found in scores]


def _figure(name: str, values: Floats) -> Figure:
    note = f"from {values.min():.3f} to {values.max():.3f}" if len(values) > 1 else ""
    return Figure(name, None, float(values.mean()), note=note)


def _line(counts: Sequence[int], values: Floats) -> Floats:
    """Values at 0, 1, 2, ... pages; none before the first that was measured."""
    every = np.arange(counts[-1] + 1)
    return np.where(every < counts[0], np.nan, np.interp(every, counts, values))
