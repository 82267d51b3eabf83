"""The weights of the evidence: from the columns of a run that repeats to its new logit.

Two rows of weights, one for articles and one for other pages, mixed by how likely the page is an article: a text that
repeats on other pages is template on an article, but may be a part of each product. Trained by
`python -m tamis_lab.training.site`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools, Singles
from tamis.errors import WeightsError
from tamis.page_type import PageType
from tamis.site.evidence import (
    PLACE_COLUMNS,
    TEXT_COLUMNS,
    Counts,
    Evidence,
    HashTable,
    SiteCounts,
    contribution,
    first_sights,
)
from tamis.weights import read_config, read_weights

_PAGES, _KEPT, _LAST = range(len(TEXT_COLUMNS))
_PLACE_PAGES, _RUNS, _TEXTS = range(len(PLACE_COLUMNS))

# "Keep" is what the default extractor does, and the logit is its logit above its threshold. Fifteen columns more, about
# places and the texts around, gain 0.1 points on DAnIEL, lose 0.1 on WCXB dev and nothing on Dragnet.
COLUMNS = (
    "logit",
    "log words",
    "share of pages that keep the text",
    "share of pages that keep the text: log pages",
)

# A text is an article that was published twice, and not template, if at most this share of the pages with its place
# have it (or a single one), and at most that share of the texts there repeat. Where the site has an update of each
# page, news-2023:train loses 12 points without this rule and 0.7 with it, WCXB dev 13 and 1.7 (`benchmarks/site.py`).
_FEW_PAGES = 1 / 3
_FEW_REPEATS = 0.3
# Shorter texts are labels of what follows, such as "Parameters": with them sources lose 0.2 points, Dragnet gains 0.1.
_LEAST_WORDS = 3


class RepeatedRuns(NamedTuple):
    """The runs of a page that repeat on its site."""

    which: Bools  # (runs,)
    columns: Singles  # (those that repeat, COLUMNS)


def repeats(page: Evidence, counts: SiteCounts) -> RepeatedRuns | None:
    """The runs that repeat on other pages; None if no other page is known."""
    counts.settle()
    pages, texts, places = counts.pages, counts.texts.of(page.text), counts.places.of(page.place)
    if counts.knows(page.fingerprint):
        pages, texts, places = pages - 1, *_without(page, texts, places)
    if pages < 1 or not len(page):
        return None
    known = texts[:, _PAGES] > 0
    which = known & (page.words >= _LEAST_WORDS) & ~_published_twice(page, known, texts[:, _PAGES], places)
    share_kept = np.minimum(texts[:, _KEPT] / pages, 1)
    found = np.stack([page.logit, np.log1p(page.words), share_kept, share_kept * np.log(pages)], axis=1)
    return RepeatedRuns(which, found[which].astype(np.float32))


def _without(page: Evidence, texts: Counts, places: Counts) -> tuple[Counts, Counts]:
    """The rows of a page's texts and places, as if the page had not been added."""
    is_new = first_sights([page], HashTable.empty(TEXT_COLUMNS)) & (texts[:, _PAGES] < 2)
    own_texts, own_places = contribution(page, 0, is_new)
    return np.maximum(texts - own_texts.of(page.text), 0), places - own_places.of(page.place)


def _published_twice(page: Evidence, known: Bools, pages: Singles, places: Counts) -> Bools:
    """Runs of an article that another page also has: an update, or the lead on a list of articles.

    Pages differ at the place of such a run: the others among themselves, or this page from the only other one.
    """
    few = pages <= np.maximum(1, _FEW_PAGES * places[:, _PLACE_PAGES])
    differ = places[:, _TEXTS] > (1 - _FEW_REPEATS) * places[:, _RUNS]
    _, place = np.unique(page.place, return_inverse=True)
    has_new = (np.bincount(place, ~known) > 0)[place]
    found: Bools = few & differ & ((places[:, _PLACE_PAGES] > 1) | has_new)
    return found


WEIGHTS = Path(__file__).parent / "weights"
MODEL = "model.safetensors"
VERSION = 2  # of the columns


class SiteModel(NamedTuple):
    """Weights and offsets of articles and of other pages."""

    weights: NDArray[np.float32]  # (2, COLUMNS)
    offsets: NDArray[np.float32]  # (2,)

    def logits(self, columns: Singles, article: float) -> Singles:
        """The new logit of each run, above the threshold; `article` is the probability that the page is an article."""
        mix = np.array([article, 1 - article])
        weights = (mix[:, np.newaxis] * self.weights).sum(axis=0)
        # A sum along each row, since the order of a matrix product depends on the processor.
        found: Singles = ((columns * weights).sum(axis=1) + (mix * self.offsets).sum()).astype(np.float32)
        return found


def article_probability(type_logits: Singles) -> float:
    """The probability of an article, by the logits of the page types."""
    odds = np.exp(type_logits.astype(np.float64) - type_logits.max())
    return float(odds[list(PageType).index(PageType.ARTICLE)] / odds.sum())


@cache
def load_model(folder: Path = WEIGHTS) -> SiteModel:
    """The weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    if read_config(folder).get("columns") != VERSION:
        raise WeightsError(f"the weights of {folder} belong to another version of tamis: their columns differ")
    try:
        tensors = load(read_weights(folder, MODEL))
        model = SiteModel(tensors["weights"], tensors["offsets"])
    except (SafetensorError, KeyError) as error:
        raise WeightsError(f"the weights of {folder} cannot be loaded: {error}") from error
    if model.weights.shape != (2, len(COLUMNS)) or model.offsets.shape != (2,):
        raise WeightsError(f"the weights of {folder} have a wrong shape")
    return model
