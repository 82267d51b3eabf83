"""Victor: the Web-Page Cleaning Tool (Spousta, Marek, Pecina; WAC4 2008).

A page is a sequence of blocks: its texts, as tags divide them. Each block has features of its markup, of its text and
of the page, all of them in levels (features.py). A conditional random field, a linear chain over the blocks, finds the
best labelling of the whole page: which blocks are content (`viterbi`). Its weights are learned from the development
pages of CleanEval (training.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tamis import weights
from tamis.arrays import Bools, Floats, Ints
from tamis.document import Document
from tamis.errors import WeightsError
from tamis.labels import Labels, from_text_scores
from tamis.weights import loaded
from tamis_papers.victor import WEIGHTS
from tamis_papers.victor.features import Features


class SequenceLabels(NamedTuple):
    """The best labelling of a page."""

    labels: Bools
    margins: Floats  # the best labelling with a block as content minus the best one without


def viterbi(potentials: Floats, transitions: Floats) -> SequenceLabels:
    """The best labelling of blocks with these potentials of content; those of other are 0.

    `transitions` has the weight of a step from the label of its row to the label of its column.
    """
    ahead = _best_before(potentials, transitions)
    back = _best_before(potentials[::-1], transitions.T)[::-1]
    both = ahead + back  # (blocks, 2)
    margins: Floats = np.round(both[:, 1] - both[:, 0] + potentials, 9)
    return SequenceLabels(margins > 0, margins)


def _best_before(potentials: Floats, transitions: Floats) -> Floats:
    """(blocks, 2): the weight of the best labelling of all blocks before one that has this label."""
    (other_other, other_content), (content_other, content_content) = transitions.tolist()
    best = np.zeros((len(potentials), 2))
    other = content = 0.0
    rows = []
    for place, potential in enumerate(potentials.tolist()):
        if place:
            other, content = (
                max(other + other_other, content + content_other),
                max(other + other_content, content + content_content),
            )
        rows.append((other, content))
        content += potential
        base = max(other, content)  # only differences matter, and sums stay small on long pages
        other, content = other - base, content - base
    if rows:
        # Each row is shifted by its own base, which the difference of the two labels does not see.
        best[:] = rows
    return best


MODEL = "model.safetensors"


@dataclass(frozen=True, eq=False)
class RandomField:
    """The weights of the random field."""

    levels: Floats  # of each level of each feature, and of any block
    transitions: Floats  # (2, 2) from label to label

    def potentials(self, columns: Ints) -> Floats:
        """How much speaks for content in each block, given its rows of `columns_of`."""
        summed: Floats = self.levels[columns].sum(axis=1)
        return summed


@dataclass(frozen=True)
class Victor:
    """The extractor with the weights of a folder."""

    weights: Path = WEIGHTS

    def label(self, document: Document) -> Labels:
        """Features, potentials, and the best labelling."""
        features = Features(document)
        found = viterbi(self.field.potentials(columns_of(features)), self.field.transitions)
        scores, keep = np.zeros(len(document.leaves)), np.zeros(len(document.leaves), dtype=np.bool_)
        scores[features.blocks] = 1 / (1 + np.exp(-np.clip(found.margins, -30, 30)))
        keep[features.blocks] = found.labels
        return from_text_scores(document, scores, keep=keep)

    @loaded
    def field(self) -> RandomField:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def columns_of(features: Features) -> Ints:
    """(blocks, columns): which weights each block has: one a feature, and the last one of all."""
    levels = features.levels.values()
    offsets = np.cumsum([0, *(feature.size for feature in levels)])
    same = np.zeros(len(features.blocks), dtype=np.int64)
    columns: Ints = np.column_stack([*(feature.values for feature in levels), same]) + offsets
    return columns


def column_names() -> list[str]:
    """The weights in their order."""
    levels = Features(Document.from_html("")).levels
    return [f"{name}={level}" for name, feature in levels.items() for level in range(feature.size)] + ["any block"]


def load(where: Path) -> RandomField:
    """Read the weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as read_tensors

    features = weights.read_config(where).get("features")
    if features != list(Features(Document.from_html("")).levels):
        raise WeightsError(f"the weights of {where} were trained on other features than this tamis makes")
    try:
        tensors = read_tensors(weights.read_weights(where, MODEL))
        field = RandomField(tensors["levels"].astype(np.float64), tensors["transitions"].astype(np.float64))
    except (SafetensorError, KeyError, ValueError) as error:
        raise WeightsError(f"the weights of {where} cannot be loaded: {error}") from error
    fits = field.levels.shape == (len(column_names()),) and field.transitions.shape == (2, 2)
    if not fits or not (np.isfinite(field.levels).all() and np.isfinite(field.transitions).all()):
        raise WeightsError(f"the weights of {where} do not fit together, or hold values that are not numbers")
    return field


victor = Victor()
