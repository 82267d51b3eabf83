"""The type of a page by its HTML: a small network over numbers about the page and words of its markup.

It runs in NumPy, without a browser, so every extractor and every `Page` can ask for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from tamis import weights
from tamis.document import Document
from tamis.extractor.scaling import Scaling, Singles
from tamis.page_type import Genre, GenreGuess, PageType, PageTypes
from tamis.papers.goce import HTML
from tamis.papers.goce import html_features as features
from tamis.papers.goce.genres import GENRES
from tamis.weights import WeightsError, loaded

MODEL = "model.safetensors"

# What the network is given of a bag of names: each by this, divided by the root of how many there are. A page
# with a thousand class names is not surer of its type than one with thirty.
_NAME_WEIGHT = 3.0


@dataclass(frozen=True)
class Vocabulary:
    """The names of numbers and of words of the markup, in the order of the network's inputs."""

    numbers: Sequence[str]
    names: Sequence[str]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def bag(self, names: Iterable[str]) -> Singles:
        """(names,): more than 0 for those that the page has."""
        row = np.zeros(len(self.names), dtype=np.float32)
        row[[self._places[name] for name in names if name in self._places]] = _NAME_WEIGHT
        return row / np.float32(max(1.0, np.sqrt(np.count_nonzero(row))))

    def row(self, numbers: dict[str, float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """(numbers,)"""
        return np.array([numbers[name] for name in self.numbers])


@dataclass(frozen=True, eq=False)
class Network:
    """Weights that are ready to run: a hidden layer, and beside it a straight way from inputs to types."""

    vocabulary: Vocabulary
    scaling: Scaling
    hidden: Singles  # (inputs, width)
    hidden_bias: Singles
    top: Singles  # (width, types)
    straight: Singles  # (inputs, types)
    bias: Singles

    def probabilities(self, document: Document) -> Singles:
        """How likely the page is of each type."""
        numbers = self.scaling.apply(self.vocabulary.row(features.numbers(document)))
        inputs = np.concatenate([numbers, self.vocabulary.bag(features.names(document))])
        deep = np.maximum(0, inputs @ self.hidden + self.hidden_bias) @ self.top
        logits = deep + inputs @ self.straight + self.bias
        likely = np.exp(logits - logits.max())
        share: Singles = likely / likely.sum()
        return share


@dataclass(frozen=True)
class PageTypeClassifier:
    """Answers with a folder of weights."""

    weights: Path = HTML

    def page_types(self, document: Document) -> PageTypes:
        """How likely the page is of each type. Raises WeightsError."""
        likely = self.network.probabilities(document).tolist()
        return PageTypes(dict(zip(PageType, likely, strict=True)))

    def genre(self, document: Document, note: str = "") -> GenreGuess:
        """Article or list, by the types that have a genre. Raises WeightsError."""
        likely = self.page_types(document).probabilities
        share = {genre: sum(likely[kind] for kind in GENRES if GENRES[kind] is genre) for genre in Genre}
        return GenreGuess.of(share[Genre.ARTICLE] / max(1e-9, sum(share.values())), "html", note)

    @loaded
    def network(self) -> Network:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def load(where: Path) -> Network:
    """Read the weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as read_tensors

    config = weights.read_config(where)
    if config.get("input") != features.VERSION:
        raise WeightsError(f"the weights of {where} were trained on other features than this tamis makes")
    try:
        tensors = read_tensors(weights.read_weights(where, MODEL))
        vocabulary = Vocabulary(config["numbers"], config["names"])
        scaling = Scaling(tensors["scaling.mean"], tensors["scaling.deviation"])
        parts = [tensors[name] for name in ("hidden", "hidden_bias", "top", "straight", "bias")]
        numbers, inputs = len(vocabulary.numbers), len(vocabulary.numbers) + len(vocabulary.names)
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise WeightsError(f"the network of {where} cannot be loaded: {error}") from error
    width, types = parts[1].size, len(PageType)
    shapes = [(numbers,), (numbers,), (inputs, width), (width,), (width, types), (inputs, types), (types,)]
    if [part.shape for part in (scaling.mean, scaling.deviation, *parts)] != shapes:
        raise WeightsError(f"the network of {where} does not fit its config")
    return Network(vocabulary, scaling, *parts)


CLASSIFIER = PageTypeClassifier()
