"""Fields are decided by probabilities, a threshold and weights: the shipped ones, or those of a folder."""

from __future__ import annotations

from math import exp
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from tamis.errors import WeightsError
from tamis.metadata import FIELDS, read_metadata
from tamis.metadata.decide import FOLDER, MODEL, Decision, FieldModel, Weights, load, priors, probabilities, weights
from tamis.weights import write_config
from tests.metadata.sources import view

PAGE = """<html><head><title>Bread</title><meta name="description" content="Of meta">
<meta property="og:description" content="Of opengraph"><meta name="twitter:description" content="Of opengraph"></head>
<body><p>Bread is made of flour.</p></body></html>"""


def decided(threshold: float = 0.5, **weights: float) -> Decision:
    """The decision on a page, by these weights of the description's features."""
    chosen: Weights = {**priors(), "description": FieldModel(weights, threshold)}
    return Decision(view(PAGE), chosen)


@pytest.mark.parametrize(
    ("utilities", "chances"),
    [
        ([], []),
        ([0.0, 0.0], [1 / 3, 1 / 3]),
        ([-900.0], [0.0]),
        ([9_000.0, -9_000.0], [1.0, 0.0]),
    ],
)
def test_probabilities_are_the_softmax_of_the_options_and_no_answer(
    utilities: list[float], chances: list[float]
) -> None:
    assert probabilities(utilities) == pytest.approx(chances)


def test_the_likeliest_option_is_chosen_and_the_others_follow() -> None:
    field = decided(meta=3.0, opengraph=1.0).field("description")
    assert field is not None
    total = exp(3) + exp(1) + 1
    assert (field.value, field.source, field.place) == ("Of meta", "meta", "description")
    assert field.confidence == pytest.approx(exp(3) / total)
    [other] = field.others
    assert (other.value, other.source) == ("Of opengraph", "opengraph")
    assert other.confidence == pytest.approx(exp(1) / total)


def test_the_place_that_speaks_most_for_a_value_is_named() -> None:
    field = decided(opengraph=1.0, twitter=1.0, **{"twitter twitter:description": 2.0}).field("description")
    assert field is not None
    assert (field.value, field.source, field.place) == ("Of opengraph", "twitter", "twitter:description")


@pytest.mark.parametrize(("threshold", "is_answered"), [(0.0, True), (0.8, True), (0.9, False)])
def test_below_the_threshold_there_is_no_answer(threshold: float, is_answered: bool) -> None:
    field = decided(threshold, meta=3.0, opengraph=1.0).field("description")  # 0.84
    assert (field is not None) is is_answered


def test_other_weights_than_the_shipped_ones_can_be_given() -> None:
    document = view(PAGE).document
    chosen: Weights = {**priors(), "description": FieldModel({"opengraph": 9.0})}
    assert read_metadata(document, chosen=chosen).description == "Of opengraph"
    assert read_metadata(document).description is not None


def test_without_others_only_the_values_that_were_not_chosen_are_missing() -> None:
    page = view(PAGE)
    whole, values = (read_metadata(page.document, others=others) for others in (True, False))
    assert whole.others("description")
    assert not values.others("description")
    assert values.as_dict() == whole.as_dict()


# Weights

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
