"""Figures 3 to 5: how words are spread over text densities and lengths of blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tamis.arrays import Floats
from tamis.document import Document
from tamis.lab.corpora.catalogue import open_corpus
from tamis.lab.reproduce.charts import lines
from tamis.lab.reproduce.page import Section
from tamis.papers.boilerpipe.blocks import atomic_text_blocks
from tamis.papers.boilerpipe.features import ShallowText
from tamis.papers.boilerpipe.tables.blocks import CLASSES, NewsBlocks, with_hidden_text

_HIGHEST_DENSITY = 30
_MOST_WORDS = 100


def text_density_of_cleaneval(data: Path | None) -> Section:
    """Figure 3: words in blocks of each text density."""
    words = np.zeros(_HIGHEST_DENSITY + 1)
    for page in open_corpus("cleaneval", data).pages("test"):
        text = ShallowText(atomic_text_blocks(with_hidden_text(Document.from_html(page.html))))
        words += weight_by(text.text_density, text.num_words, _HIGHEST_DENSITY)
    chart = lines({"all blocks": words}, "text density, rounded", "words")
    return Section("Figure 3: text density on CleanEval", "", chart=chart)


def number_of_words(news: NewsBlocks) -> Section:
    """Figure 4: words in blocks of each length, by class."""
    curves = {kind: weight_by(news.words[news.classes == kind], news.words[news.classes == kind], _MOST_WORDS)
              for kind in CLASSES}  # fmt: skip
    chart = lines(curves, "words of a block", "words")
    return Section("Figure 4: number of words on the news", "", chart=chart)


def text_density(news: NewsBlocks) -> Section:
    """Figure 5: words in blocks of each text density, by class."""
    density = news.features["text_density"]
    curves = {kind: weight_by(density[news.classes == kind], news.words[news.classes == kind], _HIGHEST_DENSITY)
              for kind in CLASSES}  # fmt: skip
    chart = lines(curves, "text density, rounded", "words")
    words = "Full text peaks above 10, boilerplate below, as in the paper."
    return Section("Figure 5: text density on the news", words, chart=chart)


def weight_by(values: Floats, weights: Floats, highest: int) -> Floats:
    """The sum of weights at each rounded value from 0 up to the highest."""
    # A half goes up. To the nearest even number it would empty 13 into 12 and 14: blocks of three
    # lines often have a density of 12.5 or 13.5.
    rounded = np.minimum(np.floor(values + 0.5), highest).astype(np.int64)
    summed: Floats = np.bincount(rounded, weights=weights, minlength=highest + 1).astype(np.float64)
    return summed
