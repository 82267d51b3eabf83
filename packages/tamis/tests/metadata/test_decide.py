"""How a field is decided: by probabilities, a threshold and weights."""

from __future__ import annotations

from math import exp

import pytest

from tamis.metadata.decide import Decision, FieldModel, Weights, priors, probabilities, read_metadata
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


def test_a_field_without_options_is_none() -> None:
    assert decided().field("license") is None
    assert decided().options("license") == []


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
