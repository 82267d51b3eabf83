"""The genre of a page by how it looks (GOCE §3.2): a picture of it, and a network that was trained on such pictures."""

from __future__ import annotations

import io
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis import weights
from tamis.errors import MissingExtra
from tamis.papers.goce import PICTURES
from tamis.papers.onnx_runtime import session_of
from tamis.weights import WeightsError, loaded

MODEL = "model.onnx"

# A quarter of the browser's window each way: paragraphs, lists and cards can be told apart, letters can't. The window
# is tall, since without style sheets menus come first: one of half the height knew 79 % of the genres of a fifth of
# WCXB dev.
HEIGHT, WIDTH = 1536, 256

Pixels = NDArray[np.uint8]  # (HEIGHT, WIDTH, 3)


def shrink(picture: bytes) -> Pixels:
    """A screenshot (PNG or JPEG) as the network sees it. Raises MissingExtra without Pillow."""
    try:
        images = import_module("PIL.Image")
    except ImportError as error:
        raise MissingExtra("pictures of pages", "render") from error
    with images.open(io.BytesIO(picture)) as image:
        small = image.convert("RGB").resize((WIDTH, HEIGHT), images.Resampling.BOX)
    return np.asarray(small, dtype=np.uint8)


@dataclass(frozen=True)
class PictureClassifier:
    """Tells articles from lists by a folder of weights."""

    weights: Path

    def article_probability(self, pixels: Pixels) -> float:
        """How likely the page in the picture is an article.

        Raises WeightsError, or MissingExtra without ONNX Runtime.
        """
        # (1, 3, HEIGHT, WIDTH); the network scales the colours itself
        batch = pixels.astype(np.float32).transpose(2, 0, 1)[np.newaxis]
        (found,) = self._session.run(["article"], {"picture": batch})
        return float(found[0])

    @loaded
    def _session(self) -> Any:
        config = weights.read_config(self.weights)
        if config.get("picture") != [HEIGHT, WIDTH]:
            raise WeightsError(f"the weights of {self.weights} are for pictures of another size")
        return session_of(self.weights, MODEL, purpose="the genre of a picture", takes="picture")


CLASSIFIER = PictureClassifier(PICTURES)
