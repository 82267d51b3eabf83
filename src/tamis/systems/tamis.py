"""The extractor of this project: a network over the rows of a page, steered by what kind of page it is.

Rows and their columns are in `features.tamis`, the network is in `networks.rows`, how it learned in
`training.tamis`. It takes the best of the five papers: shallow text features (boilerpipe), features of the
nodes above a text (Web2Text), the sequence of texts (BoilerNet), where in the tree a page parts (R4), and the
kind of page (GOCE), which the network guesses by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tamis import weights
from tamis.document import Document
from tamis.features.tamis import COLUMNS, LEVELS, VERSION, PageRows
from tamis.labels import Labels, from_text_scores
from tamis.networks.rows import RowNetwork
from tamis.weights import WeightsError, loaded

MODEL = "model.safetensors"


@dataclass(frozen=True)
class Tamis:
    """The extractor over one folder of weights: a name below tamis.weights, or a path."""

    weights: str | Path = "tamis"

    def label(self, document: Document) -> Labels:
        """Rows, network, probabilities."""
        rows = PageRows(document)
        if not len(rows):
            return from_text_scores(document, np.zeros(len(document.leaves)))
        logits, _ = self.network.run(rows.values, rows.tags)
        likely = 1 / (1 + np.exp(-np.clip(logits[:, 0].astype(np.float64), -30, 30)))
        return from_text_scores(document, rows.to_leaves(likely))

    @loaded
    def network(self) -> RowNetwork:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def load(where: str | Path) -> RowNetwork:
    """Read the weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as read_tensors

    if weights.read_config(where).get("input") != VERSION:
        raise WeightsError(f"the weights of {where} were trained on other features than this tamis makes")
    try:
        network = RowNetwork.from_tensors(read_tensors(weights.read_weights(where, MODEL)))
    except (SafetensorError, KeyError, ValueError, IndexError, TypeError) as error:
        raise WeightsError(f"the network of {where} cannot be loaded: {error}") from error
    if (network.columns, network.tag_columns) != (len(COLUMNS), 1 + LEVELS):
        raise WeightsError(f"the network of {where} takes other columns than this tamis makes")
    return network


tamis = Tamis()
