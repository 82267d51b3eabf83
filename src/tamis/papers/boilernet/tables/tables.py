"""Tables 1 and 2: precision, recall and F1 of both classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tamis.lab.reproduce.page import Figure, Section
from tamis.papers.boilernet.tables.protocols import BoilerNet, Corpus, Scores, Web2Text
from tamis.papers.boilernet.tables.rules import BOILERPIPES, Rules, measured
from tamis.papers.boilernet.tables.runs import Run, Runs

MEASURES = ("negative P", "negative R", "negative F1", "positive P", "positive R", "positive F1")
_READABILITY = "Readability"
_Paper = Mapping[str, tuple[float, float, float, float, float, float]]


class Table(NamedTuple):
    """What the paper prints, and what is asked for."""

    paper: _Paper
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
    """A row a system and measure; learned ones are a mean over the seeds, with the lowest and the highest."""
    rules = measured(corpus)
    web2text, boilernet = (runs.all(learner, corpus, seeds) for learner in (Web2Text(), BoilerNet()))
    rows = {
        **_by_row(web2text),
        **{row: [scores] for row, scores in rules.scores.items()},
        **_by_row(boilernet),
    }
    figures = [figure for row, scores in rows.items() for figure in _figures(corpus.title, row, scores, table)]
    return Section(title, " ".join([words, _on_training(boilernet, seeds), _on_rules(rules)]), figures)


def _by_row(runs: Sequence[Run]) -> dict[str, list[Scores]]:
    return {row: [run.scores[row] for run in runs] for row in runs[0].scores}


def _figures(corpus: str, row: str, scores: Sequence[Scores], table: Table) -> list[Figure]:
    name = _READABILITY if row.startswith(_READABILITY) else row
    values = np.array([(*found.negative, *found.positive) for found in scores])  # (seeds, measures)
    figures = []
    for number, measure in enumerate(MEASURES):
        column, asked = values[:, number], table.at_least.get((name, measure))
        notes = [f"from {column.min():.3f} to {column.max():.3f}"] if len(column) > 1 else []
        notes += [f"asked for: at least {asked:g}"] if asked is not None else []
        figures.append(
            Figure(
                f"{corpus}, {row}: {measure}",
                table.paper[name][number],
                float(column.mean()),
                note="; ".join(notes),
                at_least=asked,
            )
        )
    return figures


def _on_training(runs: Sequence[Run], seeds: Sequence[int]) -> str:
    devices = " and ".join(sorted({run.device for run in runs}))
    seconds = sum(run.seconds for run in runs) / len(runs)
    return (
        f"Learned rows are means over the seeds {', '.join(map(str, seeds))}, the lowest and the highest beside them. "
        f"One training of BoilerNet with its test took {seconds:.0f} s (device: {devices})."
    )


def _on_rules(rules: Rules) -> str:
    outcomes = rules.outcomes
    failed = outcomes["crash"] + outcomes["timeout"]
    return (
        "The paper does not say which filter its BoilerPipe is: its figures stand beside both. "
        f"{rules.readability} answers with a text, which is placed on the leaves as gold texts are; of "
        f"{outcomes.total()} pages it failed on {failed} and found nothing on {outcomes['empty']}."
    )
