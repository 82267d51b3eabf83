"""The experiments of boilerpipe (2010) on L3S-GN1 and CleanEval."""

from __future__ import annotations

from pathlib import Path

from tamis_lab.corpora.catalogue import open_corpus, require_corpora
from tamis_lab.papers.boilerpipe.tables import charts, fits, strategies, table1, table2
from tamis_lab.papers.boilerpipe.tables.blocks import read_blocks
from tamis_lab.reproduce.page import Page


def reproduce(data: Path | None = None) -> Page:
    """Table 1, Figure 1, Table 2, Figures 2 to 5 and the fits of sections 5.1 and 5.2. Raises CorpusError."""
    require_corpora(("l3s-gn1", "cleaneval"), data)
    corpus = open_corpus("l3s-gn1", data)
    news = read_blocks(corpus)
    return Page.from_texts(
        Path(__file__).with_name("texts.toml"),
        [
            *table1.sections(news, corpus),
            *table2.sections(news),
            *strategies.sections(data),
            *charts.sections(news, data),
            *fits.sections(news),
        ],
    )
