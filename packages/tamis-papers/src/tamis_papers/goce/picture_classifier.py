"""The genre of a page by a picture of it (§3.2)."""

from __future__ import annotations

import io
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis import weights
from tamis.errors import MissingExtra, WeightsError
from tamis.weights import loaded
from tamis_papers.goce import PICTURES
from tamis_papers.onnx_runtime import session_of

MODEL = "model.onnx"

# A quarter of the browser's window each way: paragraphs, lists and cards can be told apart, letters can't. The window
# is tall because menus come first without style sheets. With half the height only 79 % of the genres of a fifth of
# WCXB dev were right.
HEIGHT, WIDTH = 1536, 256

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
        return session_of(self.weights, MODEL, purpose="the genre of a picture", takes="picture")


CLASSIFIER = PictureClassifier(PICTURES)
