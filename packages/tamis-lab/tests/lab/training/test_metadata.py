"""Learning the weights of the metadata's decisions, on made-up pages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tamis.document import Document
from tamis.metadata.decide import Decision, FieldModel, load, priors
from tamis.metadata.view import View
from tamis_lab.training.metadata import (
    BETA,
    FOLDS,
    LEARNED,
    BestOption,
    MetadataExample,
    best_threshold,
    calibration,
    decide,
    feature_names,
    fit,
    is_right,
    learn,
    table,
    write,
)

GOOD, BAD = "meta author", "meta copyright"  # places of an option


def example(number: int, *, right: str = GOOD, has_gold: bool = True) -> MetadataExample:
    """A page with an option of each place; `right` is the place of the right one."""
    features = ({"bias": 1.0, GOOD: 1.0}, {"bias": 1.0, BAD: 1.0})
    return MetadataExample(
        number % FOLDS, has_gold, features, tuple(has_gold and place == right for place in (GOOD, BAD))
    )


PAGES = [example(number) for number in range(10)]


def learned(found: list[MetadataExample], strength: float = 0.1) -> dict[str, float]:
    names = feature_names(found)
    weights = learn(table(found, names), np.zeros(len(names)), strength)
    return dict(zip(names, weights.tolist(), strict=True))


def test_the_place_that_is_right_gets_the_greater_weight() -> None:
    weights = learned(PAGES)
    assert weights[GOOD] > 0 > weights[BAD]
    assert [decide(each, FieldModel(weights)).is_right for each in PAGES] == [True] * len(PAGES)


def test_where_no_option_is_right_no_answer_becomes_likely() -> None:
    weights = learned([example(number, has_gold=False) for number in range(10)])
    assert all(decide(each, FieldModel(weights)).chance < 0.2 for each in PAGES)


def test_a_strong_pull_keeps_the_weights_at_the_prior_ones() -> None:
    names = feature_names(PAGES)
    prior = np.array([0.5] * len(names))
    assert learn(table(PAGES, names), prior, 1e6) == pytest.approx(prior, abs=1e-3)


def test_features_of_few_pages_are_left_out() -> None:
    rare = PAGES[0]._replace(features=({"bias": 1.0, "rare": 1.0}, {"bias": 1.0}))
    assert feature_names([*PAGES, rare]) == ["bias", GOOD, BAD]


def test_a_page_without_options_has_no_answer() -> None:
    assert decide(MetadataExample(0, True, (), ()), FieldModel({})) == BestOption(0.0, is_right=False, has_gold=True)


@pytest.mark.parametrize("field", LEARNED)
def test_each_fold_has_a_model_that_has_not_seen_it(field: str) -> None:
    # In the first fold alone the other place is right: only the model without that fold is sure of the first.
    found = [example(number, right=BAD if number % FOLDS == 0 else GOOD) for number in range(20)]
    folds, whole = fit(found, field, 0.1)
    assert len(folds) == FOLDS
    gaps = [model.weights[GOOD] - model.weights[BAD] for model in folds]
    assert gaps[0] > max(gaps[1:])
    assert gaps[0] > whole.weights[GOOD] - whole.weights[BAD] > 0
    assert {model.threshold for model in (*folds, whole)} == {whole.threshold}
    assert (whole.threshold > 0) is (field in BETA)


def test_what_does_not_count_is_not_learned() -> None:
    wrong = [example(number, right=BAD)._replace(counts=False, is_usual=False) for number in range(10)]
    _, model = fit([*PAGES, *wrong], "authors", 1.0)
    _, without = fit(PAGES, "authors", 1.0)
    assert model == without


def test_the_threshold_parts_right_from_wrong_answers() -> None:
    right = [BestOption(chance, is_right=True, has_gold=True) for chance in (0.9, 0.8, 0.7)]
    wrong = [BestOption(chance, is_right=False, has_gold=False) for chance in (0.3, 0.2, 0.1)]
    assert best_threshold([*wrong, *right], 1.0) == 0.7


def test_the_dearer_a_missing_answer_the_lower_the_threshold() -> None:
    found = [
        BestOption(0.9, is_right=True, has_gold=True),
        *(BestOption(0.5, is_right=False, has_gold=False) for _ in range(3)),
        BestOption(0.3, is_right=True, has_gold=True),
    ]
    assert best_threshold(found, 0.5) == 0.9
    assert best_threshold(found, 3.0) == 0.3


def test_calibration_rises_from_0_to_1_and_follows_the_shares() -> None:
    # Up to a probability of 0.5 every fourth answer is right, above it three of four.
    found = [
        BestOption((number + 1) / 401, is_right=(number % 4 == 0) is (number < 200), has_gold=True)
        for number in range(400)
    ]
    points = calibration(found)
    assert (points[0][0], points[-1][0]) == (0.0, 1.0)
    assert points == sorted(points)
    assert [value for _, value in points] == sorted(value for _, value in points)
    model = FieldModel({}, calibration=tuple(points))
    assert model.confidence(0.25) == pytest.approx(0.25, abs=0.02)
    assert model.confidence(0.75) == pytest.approx(0.75, abs=0.02)


def test_what_was_written_loads_again(tmp_path: Path) -> None:
    models = {field: fit(PAGES, field, 1.0)[1] for field in LEARNED}
    write(tmp_path / "metadata", models, {"trained_on": ["made-up"]})
    found = load(tmp_path / "metadata")
    for field, model in models.items():
        assert found[field].weights == pytest.approx(model.weights, abs=1e-5)
        assert found[field].threshold == model.threshold
        assert found[field].calibration == model.calibration
    assert found["tags"] == priors()["tags"]


@pytest.mark.parametrize(
    ("field", "gold"), [("title", "Bread at dawn"), ("authors", "Lee, Ann"), ("date", "2021-03-05")]
)
def test_an_option_of_a_page_is_compared_with_the_gold(field: str, gold: str) -> None:
    page = """<title>Bread at dawn</title><meta name="author" content="Ann Lee">
        <meta name="date" content="2021-03-05"><h1>Bread at dawn</h1>"""
    options = Decision(View(Document.from_html(page))).options(field)
    assert [is_right(field, option.value, gold) for option in options] == [True]
    assert [is_right(field, option.value, "1999-01-01") for option in options] == [False]
