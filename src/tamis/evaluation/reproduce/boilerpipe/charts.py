"""Figures 3 to 5: how words are spread over text densities and lengths of blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tamis.arrays import Floats
from tamis.blocks import atomic_text_blocks
from tamis.corpora.catalogue import open_corpus
from tamis.document import Document
from tamis.evaluation.reproduce.boilerpipe.blocks import CLASSES, NewsBlocks
from tamis.evaluation.reproduce.charts import lines
from tamis.evaluation.reproduce.page import Section
from tamis.features.shallow import ShallowText

_HIGHEST_DENSITY = 30
_MOST_WORDS = 100


def text_density_of_cleaneval(data: Path | None) -> Section:
    """Figure 3: words in blocks of each text density."""
    words = np.zeros(_HIGHEST_DENSITY + 1)
    for page in open_corpus("cleaneval", data).pages("test"):
        text = ShallowText(atomic_text_blocks(Document.from_html(page.html)))
        words += _by(text.text_density, text.num_words, _HIGHEST_DENSITY)
    chart = lines({"all blocks": words}, "text density, rounded", "words")
    return Section("Figure 3: text density on CleanEval", "", chart=chart)


def number_of_words(news: NewsBlocks) -> Section:
    """Figure 4: words in blocks of each length, by class."""
    curves = {kind: _by(news.words[news.classes == kind], news.words[news.classes == kind], _MOST_WORDS)
              for kind in CLASSES}  # fmt: skip
    chart = lines(curves, "words of a block", "words")
    return Section("Figure 4: number of words on the news", "", chart=chart)


def text_density(news: NewsBlocks) -> Section:
    """Figure 5: words in blocks of each text density, by class."""
    density = news.features["text_density"]
    curves = {kind: _by(density[news.classes == kind], news.words[news.classes == kind], _HIGHEST_DENSITY)
              for kind in CLASSES}  # fmt: skip
    chart = lines(curves, "text density, rounded", "words")
    words = "Full text peaks above 10, boilerplate below, as in the paper."
    return Section("Figure 5: text density on the news", words, chart=chart)


def _by(values: Floats, weights: Floats, highest: int) -> Floats:
    """The sum of weights at each rounded value up to the highest."""
    rounded = np.minimum(np.rint(values), highest).astype(np.int64)
    summed: Floats = np.bincount(rounded, weights=weights, minlength=highest + 1).astype(np.float64)
    return summed
