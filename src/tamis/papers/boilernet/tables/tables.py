"""Tables 1 and 2 (precision, recall and F1 of both classes), and the learning curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tamis.arrays import Floats
from tamis.lab.reproduce.charts import lines
from tamis.lab.reproduce.page import Figure, Section
from tamis.papers.boilernet.tables.protocols import BoilerNet, Corpus, Scores, rivals
from tamis.papers.boilernet.tables.rules import BOILERPIPES, Rules, measured
from tamis.papers.boilernet.tables.runs import Run, Runs

MEASURES = ("negative P", "negative R", "negative F1", "positive P", "positive R", "positive F1")
_READABILITY = "Readability"

COUNTS = (5, 10, 25)  # training pages; the curve ends with all
CLASSES = ("negative", "positive")


class Table(NamedTuple):
    """What the paper prints by row, in the order of MEASURES, and what is asked for."""

    paper: Mapping[str, tuple[float, float, float, float, float, float]]
    at_least: Mapping[tuple[str, str], float]


CLEANEVAL = Table(
    {
        "Web2Text": (0.82, 0.76, 0.79, 0.84, 0.89, 0.86),
        "Web2Text unary": (0.80, 0.78, 0.79, 0.85, 0.87, 0.86),
        **dict.fromkeys(BOILERPIPES, (0.58, 0.90, 0.71, 0.90, 0.58, 0.71)),
        _READABILITY: (0.85, 0.76, 0.81, 0.82, 0.89, 0.85),
        "BoilerNet": (0.82, 0.83, 0.82, 0.87, 0.86, 0.87),
    },
    {("BoilerNet", "negative F1"): 0.81, ("BoilerNet", "positive F1"): 0.86},  # 0.01 below the paper
)
GOOGLETRENDS = Table(
    {
        "Web2Text": (0.88, 0.89, 0.88, 0.69, 0.67, 0.68),
        "Web2Text unary": (0.91, 0.85, 0.88, 0.67, 0.77, 0.71),
        **dict.fromkeys(BOILERPIPES, (0.78, 0.98, 0.87, 0.85, 0.26, 0.39)),
        _READABILITY: (0.84, 0.85, 0.84, 0.53, 0.52, 0.53),
        "BoilerNet": (0.95, 0.86, 0.90, 0.70, 0.88, 0.78),
    },
    {("BoilerNet", "negative F1"): 0.88, ("BoilerNet", "positive F1"): 0.76},  # 0.02 below the paper
)


def section(title: str, words: str, corpus: Corpus, table: Table, runs: Runs, seeds: Sequence[int]) -> Section:
    """Six figures a system; those of trained systems are means over the seeds, with the lowest and the highest."""
    rules = measured(corpus)
    trained = [runs.all(learner, corpus, seeds) for learner in (*rivals(), BoilerNet())]
    by_row = [{row: [run.scores[row] for run in known] for row in known[0].scores} for known in trained]
    untrained = {row: [scores] for row, scores in rules.scores.items()}
    # The order of the paper: its own system stands last.
    rows = {row: scores for part in (*by_row[:-1], untrained, by_row[-1]) for row, scores in part.items()}
    figures = [figure for row, scores in rows.items() for figure in _figures(corpus.title, row, scores, table)]
    found = {_printed(row) for row in rows}
    notes = [words, _on_training(trained[-1], seeds), _on_rules(rules)]
    if missing := [row for row in table.paper if row not in found]:
        notes.append(f"Left out, since the folders of their papers were deleted: {', '.join(missing)}.")
    return Section(title, " ".join(notes), figures)


def _printed(row: str) -> str:
    """The name under which the paper prints a row."""
    return _READABILITY if row.startswith(_READABILITY) else row


def _figures(corpus: str, row: str, scores: Sequence[Scores], table: Table) -> list[Figure]:
    name = _printed(row)
    values = np.array([(*found.negative, *found.positive) for found in scores])  # (seeds, measures)
    return [
        _mean(f"{corpus}, {row}: {measure}", column, paper, table.at_least.get((name, measure)))
        for measure, column, paper in zip(MEASURES, values.T, table.paper[name], strict=True)
    ]


def _mean(name: str, values: Floats, paper: float | None = None, asked: float | None = None) -> Figure:
    """The mean over the seeds; the lowest and the highest value are in the note."""
    notes = [f"from {values.min():.3f} to {values.max():.3f}"] if len(values) > 1 else []
    notes += [f"asked for: at least {asked:g}"] if asked is not None else []
    return Figure(name, paper, float(values.mean()), note="; ".join(notes), at_least=asked)


def _on_training(runs: Sequence[Run], seeds: Sequence[int]) -> str:
    devices = " and ".join(sorted({run.device for run in runs}))
    seconds = sum(run.seconds for run in runs) / len(runs)
    return (
        f"Rows of trained systems are means over the seeds {', '.join(map(str, seeds))}, with the lowest and the "
        f"highest. One training of BoilerNet with its test took {seconds:.0f} s (device: {devices})."
    )


def _on_rules(rules: Rules) -> str:
    outcomes = rules.outcomes
    failed = outcomes["crash"] + outcomes["timeout"]
    return (
        "The paper does not say which filter its BoilerPipe is, so its figures stand beside both. "
        f"{rules.readability} returns a text, which is aligned with the leaves as gold texts are; of "
        f"{outcomes.total()} pages it failed on {failed} and found nothing on {outcomes['empty']}."
    )


def learning_curve(corpora: Sequence[Corpus], runs: Runs, seeds: Sequence[int]) -> Section:
    """BoilerNet with few training pages and with more; validation and test pages stay the same."""
    figures: list[Figure] = []
    curves: dict[str, Floats] = {}
    learner = BoilerNet()
    for corpus in corpora:
        counts = [*(count for count in COUNTS if count < corpus.most), corpus.most]
        found = [[run.scores[learner.name] for run in runs.all(learner, corpus, seeds, count)] for count in counts]
        for number, name in enumerate(CLASSES):
            f1 = np.array([[scores[number].f1 for scores in of_count] for of_count in found])  # (counts, seeds)
            for count, values in zip(counts, f1, strict=True):
                figures.append(_mean(f"{corpus.title}, {count} pages: {name} F1", values))
            curves[f"{corpus.title}, {name}"] = _line(counts, f1.mean(axis=1))
    return Section(
        "Learning curve",
        "BoilerNet, F1 of both classes on all test pages against the number of training pages; means over "
        f"{len(seeds)} seeds, beside them the lowest and the highest. Each seed draws its own pages; a larger number "
        "includes the smaller ones. The paper says that little data is enough and shows no curve. The best epoch is "
        "always chosen on all validation pages (5 and 30), so more than 5 labelled pages are used in any case.",
        figures,
        lines(curves, "training pages (lines are straight between what was measured)", "F1"),
    )


def _line(counts: Sequence[int], values: Floats) -> Floats:
    """Values at 0, 1, 2, ... pages; NaN before the first measured count."""
    every = np.arange(counts[-1] + 1)
    return np.where(every < counts[0], np.nan, np.interp(every, counts, values))
