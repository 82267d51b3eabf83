"""Boilerplate Removal using a Neural Sequence Labeling Model (Leonhardt, Anand, Khosla; WWW 2020 Companion).

Each visible text of the page becomes a row of counts: the tags above it and the words in it (§3.1).
A dense layer and bidirectional LSTMs read the rows in document order and give each text the
probability of being content (§3.2). ONNX Runtime runs the network. What the paper leaves open, and what
we chose, is in README.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tamis import weights
from tamis.arrays import Floats
from tamis.document import Document
from tamis.errors import WeightsError
from tamis.labels import THRESHOLD, Labels, from_text_scores
from tamis.weights import loaded
from tamis_papers.boilernet import FULL, SMALL, features
from tamis_papers.boilernet.features import LeafCounts, Singles, Vocabulary
from tamis_papers.onnx_runtime import session_of

MODEL = "model.onnx"

# A page of up to this many texts is run whole; the longest of WCXB dev, CleanEval and GoogleTrends has 4,082.
# Shorter windows change the scores: the network remembers the top of a page (README.md).
WINDOW = 8_192

# Longer pages are cut into windows, which read this many texts before and after those that they label.
CONTEXT = 512


@dataclass(frozen=True)
class Network:
    """Weights that are ready to run."""

    session: Any
    vocabulary: Vocabulary
    threshold: float  # the lowest probability of content, chosen on validation pages

    def probabilities(self, rows: LeafCounts) -> Floats:
        """For each text the probability of being content."""
        parts = [np.zeros(0)]
        for lower, first, last, upper in windows(len(rows)):
            part = self._run(rows.part(lower, upper).dense())
            parts.append(part[first - lower : last - lower].astype(np.float64))
        return np.concatenate(parts)

    def _run(self, counts: Singles) -> Singles:
        (scores,) = self.session.run(["scores"], {"counts": counts[np.newaxis]})  # (1, texts, dims) -> (1, texts)
        found: Singles = scores[0]
        return found


@dataclass(frozen=True)
class BoilerNet:
    """The extractor over one folder of weights."""

    weights: Path

    def label(self, document: Document) -> Labels:
        """Count, run the network, apply the threshold."""
        network = self.network
        rows = features.counts(document, network.vocabulary)
        scores = np.zeros(len(document.leaves))
        scores[rows.leaves] = centred(network.probabilities(rows), network.threshold)
        return from_text_scores(document, scores)

    @loaded
    def network(self) -> Network:
        """The weights, read on first use. Raises WeightsError, or MissingExtra without ONNX Runtime."""
        return load(self.weights)


def load(where: Path) -> Network:
    """Read the weights in a folder. Raises WeightsError, or MissingExtra without ONNX Runtime."""
    session = session_of(where, MODEL, purpose="boilernet", takes="counts")
    config = weights.read_config(where)
    try:
        vocabulary = Vocabulary.from_json(config["vocabulary"])
        threshold = float(config["threshold"])
        version = config["input"]
    except (KeyError, TypeError, ValueError) as error:
        raise WeightsError(f"the config of {where} is damaged: {error}") from error
    if version != features.VERSION:
        raise WeightsError(f"the weights of {where} read input {version}; this tamis makes input {features.VERSION}")
    if not 0 < threshold < 1:
        raise WeightsError(f"the config of {where} is damaged: {threshold} is not a threshold between 0 and 1")
    columns = session.get_inputs()[0].shape[-1]
    if columns != vocabulary.dims:
        raise WeightsError(f"the network of {where} takes {columns} columns; its vocabulary has {vocabulary.dims}")
    return Network(session, vocabulary, threshold)


def windows(texts: int) -> list[tuple[int, int, int, int]]:
    """Cut a page into windows: the first text read, the first and last labelled, the last read; ends are exclusive.

    Each text is labelled by one window.
    """
    if texts <= WINDOW:
        return [(0, 0, texts, texts)] if texts else []
    step = WINDOW - 2 * CONTEXT
    return [
        (max(first - CONTEXT, 0), first, min(first + step, texts), min(first + step + CONTEXT, texts))
        for first in range(0, texts, step)
    ]


def centred(probabilities: Floats, threshold: float) -> Floats:
    """Probabilities as scores: 0 and 1 stay, `threshold` becomes THRESHOLD, linear in between."""
    below = probabilities * (THRESHOLD / threshold)
    above = 1 - (1 - probabilities) * ((1 - THRESHOLD) / (1 - threshold))
    # Rounding must not carry a score across the threshold.
    below, above = np.minimum(below, np.nextafter(THRESHOLD, 0)), np.maximum(above, THRESHOLD)
    return np.where(probabilities < threshold, below, above)


full = BoilerNet(FULL)
small = BoilerNet(SMALL)
