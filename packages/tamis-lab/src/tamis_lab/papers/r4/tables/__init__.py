"""The experiments of the page-level paper (2020) on CleanEval, GoogleTrends-2017 and sites of DAnIEL and Dragnet."""

from __future__ import annotations

from pathlib import Path

from tamis_lab.corpora.catalogue import require_corpora
from tamis_lab.papers.r4.tables import nodes, readings, sweeps, table4, table5, table6
from tamis_lab.reproduce.page import Page


def reproduce(data: Path | None = None) -> Page:
    """Tables 5 and 6 on CleanEval, the measure of Table 3 and the sweeps of Tables 1 and 2 on GoogleTrends.

    Table 4 is measured on DAnIEL and Dragnet where they are there.
    Raises CorpusError.
    """
    require_corpora(("cleaneval", "googletrends-2017"), data)
    return Page.from_texts(
        Path(__file__).with_name("texts.toml"),
        [
            *table4.sections(data),
            *table5.sections(data),
            *readings.sections(data),
            *table6.sections(data),
            *nodes.sections(data),
            *sweeps.sections(data),
        ],
    )
