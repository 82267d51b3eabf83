"""Tables 1 and 2 (precision, recall and F1 of both classes), and the learning curve."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tamis.arrays import Floats
from tamis_lab.papers.boilernet.tables.protocols import HELD_OF_DEVELOPMENT, Corpus, Scores, boilernet, rivals
from tamis_lab.papers.boilernet.tables.rules import Rules, measured
from tamis_lab.papers.boilernet.tables.runs import Run, Runs
from tamis_lab.reproduce.charts import lines
from tamis_lab.reproduce.page import Figure, Section

MEASURES = ("negative P", "negative R", "negative F1", "positive P", "positive R", "positive F1")
_READABILITY = "Readability"

COUNTS = (5, 10, 25)  # training pages; the curve ends with all
CLASSES = ("negative", "positive")

# By corpus and row, in the order of MEASURES.
PAPER: dict[str, dict[str, list[float]]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
# What BoilerNet is asked for: 0.01 below the paper on CleanEval, 0.02 on GoogleTrends.
AT_LEAST = {
    "CleanEval": {"negative F1": 0.81, "positive F1": 0.86},
    "GoogleTrends": {"negative F1": 0.88, "positive F1": 0.76},
}


def section(title: str, corpus: Corpus, runs: Runs, seeds: Sequence[int]) -> Section:
    """Six figures a system; those of trained systems are means over the seeds, with the lowest and the highest."""
    rules = measured(corpus)
    trained = [runs.all(learner, corpus, seeds) for learner in (*rivals(), boilernet())]
    by_row = [{row: [run.scores[row] for run in known] for row in known[0].scores} for known in trained]
    untrained = {row: [scores] for row, scores in rules.scores.items()}
    # The order of the paper: its own system stands last.
    rows = {row: scores for part in (*by_row[:-1], untrained, by_row[-1]) for row, scores in part.items()}
    figures = [figure for row, scores in rows.items() for figure in _figures(corpus.title, row, scores)]
    notes = [_on_training(trained[-1], seeds), _on_rules(rules)]
    return Section(title, figures=figures, facts=_counts(corpus) | {"notes": " ".join(notes)})


def _counts(corpus: Corpus) -> dict[str, object]:
    """The numbers of pages by part, and of those on which much of the gold text was not found."""
    parts = {"training": corpus.training, "validation": corpus.validation, "test": corpus.test}
    counts = {part: len(pages) for part, pages in parts.items()}
    bad = {f"bad_{part}": sum(page.gold.is_bad for page in pages) for part, pages in parts.items()}
    return {**counts, **bad, "held": HELD_OF_DEVELOPMENT, "most": corpus.most}


def _printed(row: str) -> str:
    """The name under which the paper prints a row."""
    return _READABILITY if row.startswith(_READABILITY) else row


def _figures(corpus: str, row: str, scores: Sequence[Scores]) -> list[Figure]:
    name = _printed(row)
    asked = AT_LEAST[corpus] if name == "BoilerNet" else {}
    values = np.array([(*found.negative, *found.positive) for found in scores])  # (seeds, measures)
    return [
        _mean(f"{corpus}, {row}: {measure}", column, paper, asked.get(measure))
        for measure, column, paper in zip(MEASURES, values.T, PAPER[corpus][name], strict=True)
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
    learner = boilernet()
    for corpus in corpora:
        counts = [*(count for count in COUNTS if count < corpus.most), corpus.most]
        found = [[run.scores[learner.name] for run in runs.all(learner, corpus, seeds, count)] for count in counts]
        for number, name in enumerate(CLASSES):
            f1 = np.array([[scores[number].f1 for scores in of_count] for of_count in found])  # (counts, seeds)
            for count, values in zip(counts, f1, strict=True):
                figures.append(_mean(f"{corpus.title}, {count} pages: {name} F1", values))
            curves[f"{corpus.title}, {name}"] = _line(counts, f1.mean(axis=1))
    chart = lines(curves, "training pages (lines are straight between what was measured)", "F1")
    return Section("Learning curve", figures=figures, chart=chart, facts={"seeds": len(seeds)})


def _line(counts: Sequence[int], values: Floats) -> Floats:
    """Values at 0, 1, 2, ... pages; NaN before the first measured count."""
    every = np.arange(counts[-1] + 1)
    return np.where(every < counts[0], np.nan, np.interp(every, counts, values))
