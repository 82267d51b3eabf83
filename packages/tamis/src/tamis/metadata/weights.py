"""The weights of the decisions: learned for title, authors and date, set by hand for the other fields."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from tamis.errors import WeightsError
from tamis.weights import read_config, read_weights

FOLDER = Path(__file__).parent / "weights"
MODEL = "model.safetensors"


class Model(NamedTuple):
    """How one field is decided."""

    weights: Mapping[str, float]  # by feature; others weigh nothing
    threshold: float = 0.5  # the least probability of an answer
    calibration: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 1.0))  # from a probability to the share right

    def utility(self, features: Mapping[str, float]) -> float:
        """How much speaks for an option."""
        weight, total = self.weights.get, 0.0
        for name, value in features.items():
            total += weight(name, 0.0) * value
        return total

    def confidence(self, probability: float) -> float:
        """The calibrated probability: a line between the two points of the table around it."""
        points = self.calibration
        place = min(max(bisect_right(points, (probability, 2.0)), 1), len(points) - 1)
        (left, low), (right, high) = points[place - 1], points[place]
        share = (probability - left) / (right - left) if right > left else 0.0
        return low + min(max(share, 0.0), 1.0) * (high - low)


Weights = Mapping[str, Model]


@cache
def weights() -> Weights:
    """The weights that are shipped."""
    return load(FOLDER)


def load(folder: Path) -> Weights:
    """The weights of a folder, beside the priors of the fields that are not learned. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as load_tensors

    config, data = read_config(folder), read_weights(folder, MODEL)
    try:
        tensors = load_tensors(data)
        learned = {
            field: Model(
                dict(zip(table["features"], tensors[field].tolist(), strict=True)),
                table["threshold"],
                tuple((left, right) for left, right in table["calibration"]),
            )
            for field, table in config["fields"].items()
        }
    except (SafetensorError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise WeightsError(f"{folder / MODEL} does not belong to its config.json: {error}") from None
    return {**priors(), **learned}


@cache
def priors() -> Weights:
    """The weights that are set by hand."""
    tables = json.loads(files("tamis.metadata").joinpath("priors.json").read_text(encoding="utf-8"))
    return {field: Model(table) for field, table in tables.items()}
