"""Web2Text: Deep Structured Boilerplate Removal (Vogels, Ganea, Eickhoff; ECIR 2018).

`Web2Text.label` is the paper in four steps, with a file for each. The leaves of the collapsed DOM are
the blocks (§3.1 and §3.2, features.py), each with features of its node, its parent and its
grandparent (§3.3, features.py). Two convolutional networks give potentials to blocks and to steps
between neighbours (§3.4, network.py), and Viterbi finds the best labelling of the page (§3.5,
network.py). What the paper leaves open is in README.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tamis import weights
from tamis.arrays import Floats
from tamis.document import Document
from tamis.errors import WeightsError
from tamis.extractor.network import Scaling
from tamis.labels import Labels, from_text_scores
from tamis.weights import loaded
from tamis_papers.columns import Columns
from tamis_papers.web2text import WEIGHTS
from tamis_papers.web2text.features import CollapsedTree, Web2TextFeatures
from tamis_papers.web2text.network import BlockLabels, ConvolutionStack, viterbi

MODEL = "model.safetensors"


@dataclass(frozen=True, eq=False)
class BlockNetworks:
    """The two networks and the scaling of their input."""

    scaling: Scaling
    unary: ConvolutionStack
    pairwise: ConvolutionStack

    def decode(self, columns: Columns, *, unary_only: bool) -> BlockLabels:
        """The label of each leaf, and the log odds of content against boilerplate."""
        rows = self.scaling.apply(columns.values)
        blocks = self.unary.log_probabilities(rows)
        if unary_only or not len(rows):
            margins: Floats = (blocks[:, 1] - blocks[:, 0]).astype(np.float64)
            return BlockLabels(margins > 0, margins)
        return viterbi(blocks, self.pairwise.log_probabilities(rows)[1:])


@dataclass(frozen=True)
class Web2Text:
    """The extractor with the weights of a folder."""

    weights: Path = WEIGHTS
    unary_only: bool = False  # each block by itself, without Viterbi

    def label(self, document: Document) -> Labels:
        """Collapsed DOM, features, networks, Viterbi."""
        tree = CollapsedTree.of(document)
        labels, margins = self.networks.decode(Web2TextFeatures(tree).all, unary_only=self.unary_only)
        scores, keep = np.zeros(len(document.leaves)), np.zeros(len(document.leaves), dtype=np.bool_)
        # The odds as a probability. A threshold of one half is the decision, except where two labellings tie.
        scores[tree.leaves] = 1 / (1 + np.exp(-np.clip(margins, -30, 30)))
        keep[tree.leaves] = labels
        return from_text_scores(document, scores, keep=keep)

    @loaded
    def networks(self) -> BlockNetworks:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def load(where: Path) -> BlockNetworks:
    """Read the weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as read_tensors

    names = weights.read_config(where).get("features")
    if names != list(feature_names()):
        raise WeightsError(f"the weights of {where} were trained on other features than this tamis makes")
    try:
        tensors = read_tensors(weights.read_weights(where, MODEL))
        scaling = Scaling(tensors["scaling.mean"], tensors["scaling.deviation"])
        unary, pairwise = (ConvolutionStack.from_tensors(tensors, name) for name in ("unary", "pairwise"))
    except (SafetensorError, KeyError, ValueError) as error:
        raise WeightsError(f"the networks of {where} cannot be loaded: {error}") from error
    fits = (
        {(unary.inputs,), (pairwise.inputs,), scaling.mean.shape, scaling.deviation.shape} == {(len(names),)}
        and (unary.classes, pairwise.classes) == (2, 4)
        and (scaling.deviation > 0).all()
    )
    if not fits or not all(np.isfinite(values).all() for values in tensors.values()):
        raise WeightsError(f"the networks of {where} do not fit together, or hold values that are not numbers")
    return BlockNetworks(scaling, unary, pairwise)


def feature_names() -> tuple[str, ...]:
    """The input columns of the networks, in order."""
    return Web2TextFeatures(CollapsedTree.of(Document.from_html(""))).all.names


viterbi_decoded = Web2Text()
unary_only = Web2Text(unary_only=True)
