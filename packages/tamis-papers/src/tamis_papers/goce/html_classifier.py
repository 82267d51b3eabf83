"""The page type and the genre by HTML: a small network over numbers and markup names of a page (html_features.py).

The paper has no such classifier. `goce-html` uses it. It runs in NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tamis import weights
from tamis.arrays import Singles
from tamis.cached import cached_property
from tamis.document import Document
from tamis.errors import WeightsError
from tamis.extractor.network import Scaling
from tamis.page_type import GenreGuess, PageType, PageTypes
from tamis.weights import loaded
from tamis_papers.goce import HTML, html_features
from tamis_papers.goce.genre import article_probability, genre_guess

MODEL = "model.safetensors"

# The input of a markup name that the page has, before it is divided by the root of their number: a page with a
# thousand class names is not surer of its type than one with thirty.
_NAME_WEIGHT = 3.0


@dataclass(frozen=True)
class Vocabulary:
    """The numbers and markup names of a page that are the inputs of the network, in this order."""

    numbers: Sequence[str]
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.numbers) + len(self.names)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def inputs(self, numbers: Mapping[str, float], names: Iterable[str], scaling: Scaling) -> Singles:
        """(inputs,) of one page."""
        scaled = scaling.apply(np.array([numbers[name] for name in self.numbers]))
        return np.concatenate([scaled, self.bag(names)])

    def bag(self, names: Iterable[str]) -> Singles:
        """(names,): more than 0 for those that the page has."""
        row = np.zeros(len(self.names), dtype=np.float32)
        row[[self._places[name] for name in names if name in self._places]] = _NAME_WEIGHT
        return row / np.float32(max(1.0, np.sqrt(np.count_nonzero(row))))


@dataclass(frozen=True, eq=False)
class Network:
    """Weights that are ready to run: a hidden layer, and a skip connection from inputs to page types."""

    vocabulary: Vocabulary
    scaling: Scaling
    hidden: Singles  # (inputs, width)
    hidden_bias: Singles
    top: Singles  # (width, types)
    straight: Singles  # (inputs, types)
    bias: Singles

    def probabilities(self, document: Document) -> Singles:
        """The probability of each page type."""
        numbers, names = html_features.numbers(document), html_features.names(document)
        inputs = self.vocabulary.inputs(numbers, names, self.scaling)
        deep = np.maximum(0, inputs @ self.hidden + self.hidden_bias) @ self.top
        logits = deep + inputs @ self.straight + self.bias
        exponentials = np.exp(logits - logits.max())
        softmax: Singles = exponentials / exponentials.sum()
        return softmax


@dataclass(frozen=True)
class HtmlClassifier:
    """Page type and genre by the HTML, with the weights of a folder."""

    weights: Path = HTML

    def page_types(self, document: Document) -> PageTypes:
        """The probability of each page type. Raises WeightsError."""
        return PageTypes(dict(zip(PageType, self.network.probabilities(document).tolist(), strict=True)))

    def genre(self, document: Document) -> GenreGuess:
        """Article or list, by the page types that have a genre. Raises WeightsError."""
        return genre_guess(article_probability(self.page_types(document).probabilities), "html")

    @loaded
    def network(self) -> Network:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def load(where: Path) -> Network:
    """Read the weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as read_tensors

    config = weights.read_config(where)
    if config.get("input") != html_features.VERSION:
        raise WeightsError(f"the weights of {where} were trained on other features than this tamis makes")
    try:
        tensors = read_tensors(weights.read_weights(where, MODEL))
        vocabulary = Vocabulary(config["numbers"], config["names"])
        scaling = Scaling(tensors["scaling.mean"], tensors["scaling.deviation"])
        layers = [tensors[name] for name in ("hidden", "hidden_bias", "top", "straight", "bias")]
        numbers, inputs = len(vocabulary.numbers), len(vocabulary)
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise WeightsError(f"the network of {where} cannot be loaded: {error}") from error
    width, types = layers[1].size, len(PageType)
    shapes = [(numbers,), (numbers,), (inputs, width), (width,), (width, types), (inputs, types), (types,)]
    if [tensor.shape for tensor in (scaling.mean, scaling.deviation, *layers)] != shapes:
        raise WeightsError(f"the network of {where} does not fit its config")
    return Network(vocabulary, scaling, *layers)


CLASSIFIER = HtmlClassifier()
