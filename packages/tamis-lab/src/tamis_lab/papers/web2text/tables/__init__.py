"""The experiment of Web2Text (2018) on CleanEval: Table 2, by two protocols."""

from __future__ import annotations

from pathlib import Path

from tamis_lab.papers.web2text.tables import protocols, table2
from tamis_lab.reproduce.page import Page

SEEDS = (1, 2, 3)


def reproduce(data: Path | None = None) -> Page:
    """Table 2 with the competition's split and with random ones."""
    pages = protocols.read_pages(data)
    return Page(
        "Web2Text: Deep Structured Boilerplate Removal (ECIR 2018), reproduced",
        "Paper: Vogels, Ganea, Eickhoff. Corpus: CleanEval, 58 development and 681 test pages. Scores are over the DOM "
        "leaves of all test pages together; leaves without a letter or digit have no gold and are left out. The "
        "networks are trained here, on the pages that each protocol names; the shipped weights are others.",
        [
            table2.section("Table 2, random split", protocols.random_splits(pages, SEEDS), table2.RANDOM_BARS),
            table2.section("Table 2, competition split", protocols.competition(pages, SEEDS), table2.COMPETITION_BARS),
        ],
    )
