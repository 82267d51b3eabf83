"""Extracting Article Text from the Web with Maximum Subsequence Segmentation (Pasternack, Roth; WWW 2009).

A page is a sequence of tags and words. A local classifier gives each of these tokens the probability that it is inside
the article; minus one half, that is its score. The article is the stretch of tokens with the largest sum of scores.
The classifier is Naive Bayes over two features of a token: the trigram that starts with it, and the tag that is open
around it. The baseline does without a classifier: each word scores 1 and each tag -3.25.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tamis import weights
from tamis.arrays import Floats, Ints
from tamis.document import Document
from tamis.errors import WeightsError
from tamis.labels import Labels, from_text_scores
from tamis.weights import loaded
from tamis_papers.mss import TRIGRAMS, UNIGRAMS
from tamis_papers.mss.tokens import Hashes, PageTokens


def maximum_subsequence(values: Ints) -> tuple[int, int]:
    """The first place of the stretch with the largest sum and the place after its last, in one pass.

    Of equally good ones, that which ends first, then the longest. Without a value above 0 it is empty. The values are
    whole numbers, so that sums do not depend on their order.
    """
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    values.cumsum(out=sums[1:])
    end = int(np.argmax(sums - np.minimum.accumulate(sums)))
    return (int(np.argmin(sums[: end + 1])), end) if end else (0, 0)


MODEL = "model.safetensors"

# The paper's baseline, in hundredths.
_WORD = 100
_TAG = -325

# Scores are whole numbers of this share, so that no rounding of the processor decides between two stretches.
_STEP = 1e-6


@dataclass(frozen=True, eq=False)
class LogOdds:
    """How much each known value of a feature speaks for the article; unknown ones are even."""

    keys: Hashes  # ascending
    values: NDArray[np.float32]

    def of(self, hashes: Hashes) -> Floats:
        """The log odds of each hash; 0 where it is not known."""
        if not len(self.keys):
            return np.zeros(len(hashes))
        place = np.minimum(np.searchsorted(self.keys, hashes), len(self.keys) - 1)
        return np.where(self.keys[place] == hashes, self.values[place].astype(np.float64), 0.0)


@dataclass(frozen=True, eq=False)
class NaiveBayes:
    """The local classifier."""

    order: int  # how many tokens the first feature takes together: 1 or 3
    prior: float  # log odds of any token
    tokens: LogOdds
    unclosed: LogOdds

    def scores(self, page: PageTokens) -> Ints:
        """The probability of each token minus one half, in steps of _STEP."""
        logits = self.prior + self.tokens.of(self.features(page)) + self.unclosed.of(page.unclosed)
        probability = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        return np.rint((probability - 0.5) / _STEP).astype(np.int64)

    def features(self, page: PageTokens) -> Hashes:
        """The first feature of each token."""
        return page.trigrams if self.order == 3 else page.token


@dataclass(frozen=True)
class Segmentation:
    """The supervised method with the weights of a folder."""

    weights: Path = field(default=TRIGRAMS)

    def label(self, document: Document) -> Labels:
        """Tokens, their scores, and the texts of the best stretch."""
        page = PageTokens.of(document)
        return _labels(document, page, self.classifier.scores(page))

    @loaded
    def classifier(self) -> NaiveBayes:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


@dataclass(frozen=True)
class Baseline:
    """The paper's baseline: fixed values instead of a classifier."""

    def label(self, document: Document) -> Labels:
        """Words score 1, tags -3.25."""
        page = PageTokens.of(document)
        return _labels(document, page, np.where(page.leaf >= 0, _WORD, _TAG))


def _labels(document: Document, page: PageTokens, scores: Ints) -> Labels:
    """The score of a text is the share of its words in the best stretch; one with at least half of them is kept."""
    first, end = maximum_subsequence(scores)
    size, words = len(document.leaves), page.leaf >= 0
    every = np.bincount(page.leaf[words], minlength=size)
    within = page.leaf[first:end]
    inside = np.bincount(within[within >= 0], minlength=size)
    return from_text_scores(document, inside / np.maximum(1, every))


def load(where: Path) -> NaiveBayes:
    """Read the weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as read_tensors

    config = weights.read_config(where)
    try:
        tensors = read_tensors(weights.read_weights(where, MODEL))
        tokens, unclosed = (
            LogOdds(tensors[f"{name}.keys"], tensors[f"{name}.values"].astype(np.float32))
            for name in ("tokens", "unclosed")
        )
        order, prior = int(config["order"]), float(config["prior"])
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise WeightsError(f"the weights of {where} cannot be loaded: {error}") from error
    fits = order in (1, 3) and np.isfinite(prior)
    for table in (tokens, unclosed):
        fits = fits and table.keys.shape == table.values.shape == (len(table.keys),)
        fits = fits and table.keys.dtype == np.uint32 and bool(np.isfinite(table.values).all())
        fits = fits and bool((table.keys[1:] > table.keys[:-1]).all())
    if not fits:
        raise WeightsError(f"the weights of {where} do not fit together, or hold values that are not numbers")
    return NaiveBayes(order, prior, tokens, unclosed)


trigrams = Segmentation(TRIGRAMS)
unigrams = Segmentation(UNIGRAMS)
baseline = Baseline()
