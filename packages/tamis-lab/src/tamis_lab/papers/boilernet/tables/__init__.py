"""The experiments of BoilerNet (2020): Tables 1 and 2, and how much data it takes."""

from __future__ import annotations

from pathlib import Path

from tamis_lab.papers.boilernet.tables import protocols, tables
from tamis_lab.papers.boilernet.tables.runs import Runs
from tamis_lab.reproduce.page import Page

SEEDS = (1, 2, 3)

# The scores of finished trainings, which are not repeated; delete the file to start anew.
FINISHED = Path("build/reproduce-boilernet.json")


def reproduce(data: Path | None = None) -> Page:
    """Train and test on both corpora. An hour or more without a GPU; after a stop, the next call goes on."""
    runs = Runs(FINISHED)
    cleaneval, trends = protocols.read_cleaneval(data), protocols.read_googletrends(data)
    return Page.from_texts(
        Path(__file__).with_name("texts.toml"),
        [
            tables.section("Table 1: CleanEval", cleaneval, runs, SEEDS),
            tables.section("Table 2: GoogleTrends-2017", trends, runs, SEEDS),
            tables.learning_curve((cleaneval, trends), runs, SEEDS),
        ],
    )
