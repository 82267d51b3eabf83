"""Figures 3 to 5: how words are spread over text densities and lengths of blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tamis.arrays import Floats
from tamis.document import Document
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.papers.boilerpipe.tables.blocks import CLASSES, NewsBlocks, shallow_text, with_hidden_text
from tamis_lab.reproduce.charts import lines
from tamis_lab.reproduce.page import Section

_HIGHEST_DENSITY = 30
_MOST_WORDS = 100


def sections(news: NewsBlocks, data: Path | None) -> list[Section]:
    """The three charts; only that of CleanEval is not split by class."""
    words = np.zeros(_HIGHEST_DENSITY + 1)
    for page in open_corpus("cleaneval", data).pages("test"):
        text = shallow_text(with_hidden_text(Document.from_html(page.html)))
        words += weight_by(text.text_density, text.num_words, _HIGHEST_DENSITY)
    by_length = by_class(news, news.words, _MOST_WORDS)
    by_density = by_class(news, news.features["text_density"], _HIGHEST_DENSITY)
    x = "text density, rounded"
    return [
        Section("Figure 3: text density on CleanEval", chart=lines({"all blocks": words}, x, "words")),
        Section("Figure 4: number of words on the news", chart=lines(by_length, "words of a block", "words")),
        Section("Figure 5: text density on the news", chart=lines(by_density, x, "words")),
    ]


def by_class(news: NewsBlocks, values: Floats, highest: int) -> dict[str, Floats]:
    """For each class: the number of words in its blocks at each rounded value."""
    chosen = {kind: news.classes == kind for kind in CLASSES}
    return {kind: weight_by(values[rows], news.words[rows], highest) for kind, rows in chosen.items()}


def weight_by(values: Floats, weights: Floats, highest: int) -> Floats:
    """The sum of weights at each rounded value from 0 to `highest`; higher values count as `highest`."""
    # A half is rounded up. Rounded to even, 13 would lose to 12 and 14: blocks of three lines often have a
    # density of 12.5 or 13.5.
    rounded = np.minimum(np.floor(values + 0.5), highest).astype(np.int64)
    summed: Floats = np.bincount(rounded, weights=weights, minlength=highest + 1).astype(np.float64)
    return summed
