"""The genre of a page, article or list: by its HTML, or by a picture of it (§3.2)."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis import weights
from tamis.arrays import Singles
from tamis.cached import cached_property
from tamis.document import Document
from tamis.errors import MissingExtra, WeightsError
from tamis.extractor.network import Scaling
from tamis.page_type import GenreGuess, PageType, PageTypes
from tamis.weights import loaded
from tamis_papers.goce import HTML, PICTURES, features
from tamis_papers.onnx_runtime import session_of


class Genre(StrEnum):
    """GOCE §3.2: a page with one body of text, or with a list of similar ones."""

    ARTICLE = "article"
    LIST = "list"


# Product and service pages have neither genre. They are left out of training and of the tables.
GENRES: Mapping[PageType, Genre] = MappingProxyType(
    {
        PageType.ARTICLE: Genre.ARTICLE,
        PageType.DOCUMENTATION: Genre.ARTICLE,
        PageType.FORUM: Genre.LIST,
        PageType.LISTING: Genre.LIST,
        PageType.COLLECTION: Genre.LIST,
    }
)


def article_probability(types: Mapping[PageType, float]) -> float:
    """The probability of the genre article, given the probability of each page type."""
    share = {genre: sum(types[kind] for kind in GENRES if GENRES[kind] is genre) for genre in Genre}
    return share[Genre.ARTICLE] / max(1e-9, sum(share.values()))


def genre_guess(article: float, source: str) -> GenreGuess:
    """The genre of a page that is an article with the probability `article`; `source` names the classifier."""
    genre = Genre.ARTICLE if article >= 0.5 else Genre.LIST
    return GenreGuess(genre, max(article, 1 - article), source)


HTML_MODEL = "model.safetensors"

# The input of a markup name that the page has, before it is divided by the root of their number: a page with a
# thousand class names is not surer of its type than one with thirty.
_NAME_WEIGHT = 3.0


@dataclass(frozen=True)
class MarkupVocabulary:
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
class GenreNetwork:
    """Weights that are ready to run: a hidden layer, and a skip connection from inputs to page types."""

    vocabulary: MarkupVocabulary
    scaling: Scaling
    hidden: Singles  # (inputs, width)
    hidden_bias: Singles
    top: Singles  # (width, types)
    straight: Singles  # (inputs, types)
    bias: Singles

    def probabilities(self, document: Document) -> Singles:
        """The probability of each page type."""
        numbers, names = features.numbers(document), features.names(document)
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
    def network(self) -> GenreNetwork:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def load(where: Path) -> GenreNetwork:
    """Read the weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as read_tensors

    config = weights.read_config(where)
    if config.get("input") != features.VERSION:
        raise WeightsError(f"the weights of {where} were trained on other features than this tamis makes")
    try:
        tensors = read_tensors(weights.read_weights(where, HTML_MODEL))
        vocabulary = MarkupVocabulary(config["numbers"], config["names"])
        scaling = Scaling(tensors["scaling.mean"], tensors["scaling.deviation"])
        layers = [tensors[name] for name in ("hidden", "hidden_bias", "top", "straight", "bias")]
        numbers, inputs = len(vocabulary.numbers), len(vocabulary)
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise WeightsError(f"the network of {where} cannot be loaded: {error}") from error
    width, types = layers[1].size, len(PageType)
    shapes = [(numbers,), (numbers,), (inputs, width), (width,), (width, types), (inputs, types), (types,)]
    if [tensor.shape for tensor in (scaling.mean, scaling.deviation, *layers)] != shapes:
        raise WeightsError(f"the network of {where} does not fit its config")
    return GenreNetwork(vocabulary, scaling, *layers)


HTML_CLASSIFIER = HtmlClassifier()


PICTURE_MODEL = "model.onnx"

# A quarter of the browser's window each way: paragraphs, lists and cards can be told apart, letters can't. The window
# is tall because menus come first without style sheets. With half the height only 79 % of the genres of a fifth of
# WCXB dev were right.
HEIGHT = 1536
WIDTH = 256

Pixels = NDArray[np.uint8]  # (HEIGHT, WIDTH, 3)


def pillow() -> Any:
    """The module PIL.Image. Raises MissingExtra."""
    try:
        return import_module("PIL.Image")
    except ImportError as error:
        raise MissingExtra("pictures of pages", "render", "tamis-papers") from error


def shrink(picture: bytes) -> Pixels:
    """A screenshot (PNG or JPEG) in the size that the network takes. Raises MissingExtra without Pillow."""
    images = pillow()
    with images.open(io.BytesIO(picture)) as image:
        small = image.convert("RGB").resize((WIDTH, HEIGHT), images.Resampling.BOX)
    return np.asarray(small, dtype=np.uint8)


@dataclass(frozen=True)
class PictureClassifier:
    """Tells articles from lists with the weights of a folder."""

    weights: Path

    def article_probability(self, pixels: Pixels) -> float:
        """The probability of the genre article. Raises WeightsError, or MissingExtra without ONNX Runtime."""
        # (1, 3, HEIGHT, WIDTH); the network normalises the colours itself
        batch = pixels.astype(np.float32).transpose(2, 0, 1)[np.newaxis]
        (found,) = self._session.run(["article"], {"picture": batch})
        return float(found[0])

    @loaded
    def _session(self) -> Any:
        config = weights.read_config(self.weights)
        if config.get("picture") != [HEIGHT, WIDTH]:
            raise WeightsError(f"the weights of {self.weights} are for pictures of another size")
        return session_of(self.weights, PICTURE_MODEL, purpose="the genre of a picture", takes="picture")


PICTURE_CLASSIFIER = PictureClassifier(PICTURES)
