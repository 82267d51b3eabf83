"""Figure 2: whole strategies on CleanEval and on the news, by token F1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import numpy as np

from tamis.document import Document
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.papers.boilerpipe.tables.blocks import leaf_classes
from tamis_lab.papers.boilerpipe.tables.readings import PAPER, READINGS, Overlap, Reading, Scorer, mean_f1
from tamis_lab.reproduce.page import Figure, Section

# The rivals of Figure 2, which prints no figures for them: BTE, Victor (crf), NCleaner, and Pasternack and Roth (mss).
_RIVALS = ("bte", "crf", "ncleaner", "mss")
_STRATEGIES = (
    "keep-all", "min-words", "boilerpipe-density", "boilerpipe-words", "boilerpipe-cleaneval", "boilerpipe-largest",
    "boilerpipe-article", *_RIVALS,
)  # fmt: skip
# The paper prints one mean (95.93) and three gains over the baseline, from which the others follow.
_PAPER = {"keep-all": 68.5, "min-words": 81.0, "boilerpipe-words": 91.3, "boilerpipe-article": 95.93}
_POINTS = 2.5


def sections(data: Path | None) -> list[Section]:
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


def _measured(scorers: Iterable[Scorer], readings: Sequence[Reading]) -> dict[Reading, dict[str, list[Overlap]]]:
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


def _table(found: dict[Reading, dict[str, list[Overlap]]]) -> str:
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
