"""The weights of the decisions, shipped ones and those of a folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from tamis.errors import WeightsError
from tamis.metadata.decide import FOLDER, MODEL, FieldModel, load, priors, weights
from tamis.metadata.metadata import FIELDS
from tamis.weights import write_config

FIELD = {"features": ["a", "b"], "threshold": 0.25, "calibration": [[0.0, 0.1], [1.0, 0.9]]}


def written(folder: Path, fields: object, tensors: dict[str, list[float]]) -> Path:
    save_file({name: np.array(values, dtype=np.float32) for name, values in tensors.items()}, folder / MODEL)
    write_config(folder, {"fields": fields}, MODEL)
    return folder


def test_weights_of_a_folder(tmp_path: Path) -> None:
    found = load(written(tmp_path, {"title": FIELD}, {"title": [1.0, -2.0]}))
    assert found["title"] == FieldModel({"a": 1.0, "b": -2.0}, 0.25, ((0.0, 0.1), (1.0, 0.9)))
    assert found["tags"] == priors()["tags"]  # what is not learned


def test_every_field_has_shipped_weights() -> None:
    assert set(weights()) >= set(FIELDS)
    assert weights() is weights()


@pytest.mark.parametrize("field", ["title", "authors", "date"])
def test_what_is_shipped_is_calibrated(field: str) -> None:
    points = load(FOLDER)[field].calibration
    assert points == tuple(sorted(points))
    assert all(0 <= value <= 1 for point in points for value in point)
    assert (points[0][0], points[-1][0]) == (0, 1)


@pytest.mark.parametrize(
    ("fields", "tensors"),
    [
        ({"title": FIELD}, {"title": [1.0]}),
        ({"title": FIELD}, {"date": [1.0, 2.0]}),
        ({"title": {"features": ["a", "b"]}}, {"title": [1.0, 2.0]}),
        ({"title": FIELD | {"calibration": [[1.0]]}}, {"title": [1.0, 2.0]}),
        ({"title": FIELD | {"calibration": None}}, {"title": [1.0, 2.0]}),
        ([], {"title": [1.0, 2.0]}),
    ],
)
def test_weights_that_do_not_belong_to_their_config_are_an_error(
    tmp_path: Path, fields: object, tensors: dict[str, list[float]]
) -> None:
    with pytest.raises(WeightsError):
        load(written(tmp_path, fields, tensors))


@pytest.mark.parametrize("name", [MODEL, "config.json"])
def test_a_damaged_or_missing_file_is_an_error(tmp_path: Path, name: str) -> None:
    written(tmp_path, {"title": FIELD}, {"title": [1.0, 2.0]})
    for data in ((tmp_path / name).read_bytes()[:-3], b"no weights"):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(WeightsError):
            load(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(WeightsError):
        load(tmp_path)


@pytest.mark.parametrize(
    ("probability", "confidence"),
    [(0.0, 0.1), (0.25, 0.15), (0.499_999, 0.2), (0.5, 0.4), (0.75, 0.6), (1.0, 0.8), (-1.0, 0.1), (2.0, 0.8)],
)
def test_confidence_is_on_a_line_between_two_points(probability: float, confidence: float) -> None:
    model = FieldModel({}, calibration=((0.0, 0.1), (0.5, 0.2), (0.5, 0.4), (1.0, 0.8)))
    assert model.confidence(probability) == pytest.approx(confidence, abs=1e-3)
