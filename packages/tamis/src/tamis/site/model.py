"""The weights of the evidence: from the columns of a run that repeats to its new logit.

Two rows of weights, one for articles and one for other pages, mixed by how likely the page is an article: a text that
repeats on other pages is template on an article, but may be a part of each product. Trained by
`python -m tamis_lab.training.site`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tamis.errors import WeightsError
from tamis.extractor.scaling import Singles
from tamis.page_type import PageType
from tamis.site.columns import COLUMNS
from tamis.weights import read_config, read_weights

WEIGHTS = Path(__file__).parent / "weights"
MODEL = "model.safetensors"
VERSION = 2  # of the columns


class SiteModel(NamedTuple):
    """Weights and offsets of articles and of other pages."""

    weights: NDArray[np.float32]  # (2, COLUMNS)
    offsets: NDArray[np.float32]  # (2,)

    def logits(self, columns: Singles, article: float) -> Singles:
        """The new logit of each run, above the threshold; `article` is the probability that the page is an article."""
        mix = np.array([article, 1 - article])
        weights = (mix[:, np.newaxis] * self.weights).sum(axis=0)
        # A sum along each row, since the order of a matrix product depends on the processor.
        found: Singles = ((columns * weights).sum(axis=1) + (mix * self.offsets).sum()).astype(np.float32)
        return found


def article_probability(type_logits: Singles) -> float:
    """The probability of an article, by the logits of the page types."""
    odds = np.exp(type_logits.astype(np.float64) - type_logits.max())
    return float(odds[list(PageType).index(PageType.ARTICLE)] / odds.sum())


@cache
def load_model(folder: Path = WEIGHTS) -> SiteModel:
    """The weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    if read_config(folder).get("columns") != VERSION:
        raise WeightsError(f"the weights of {folder} are for other columns than this version of tamis makes")
    try:
        tensors = load(read_weights(folder, MODEL))
        model = SiteModel(tensors["weights"], tensors["offsets"])
    except (SafetensorError, KeyError) as error:
        raise WeightsError(f"the weights of {folder} cannot be loaded: {error}") from error
    if model.weights.shape != (2, len(COLUMNS)) or model.offsets.shape != (2,):
        raise WeightsError(f"the weights of {folder} have another shape")
    return model
