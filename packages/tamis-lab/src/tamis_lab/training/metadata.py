"""Learns the weights of the metadata's decisions: `python -m tamis_lab.training.metadata FOLDER`.

A conditional logit model for each field makes the right options of a page likely, or no answer if all are wrong. The
penalty pulls the weights towards those of `tamis/metadata/priors.json`, so that places that are rare in the corpora
keep a sensible weight. Each page is learned twice, with the labels of the extractor and without.

FOLDER holds the networks of `tamis train tamis --folds`, so that each page is read by a network that was not trained on
its site. The weights, of all pages and of each fold, are written into it: FOLDER/metadata, FOLDER/fold-0/metadata ...
Calibration and threshold come from the folds, each decided by weights that have not seen it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tamis
from tamis.metadata.decide import MODEL, Decision, FieldModel, probabilities
from tamis.metadata.decide import priors as hand_set
from tamis.metadata.view import Value, View
from tamis.weights import write_config
from tamis_lab.bench import contestants
from tamis_lab.bench.matching import names_of, same_authors, same_date, same_title
from tamis_lab.corpora.catalogue import pages_of
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.training.pages import check_allowed, fold_of_page

CORPORA = ("wcxb:dev", "news-2023:train")
FOLDS = 5
STRENGTH = 3.0  # of the pull towards the priors; from 1 to 6 little changes
LEARNED = ("title", "authors", "date")
BETA = {"authors": 1.0, "date": 2.5}  # how much worse a missing answer is than a wrong one
# Features of fewer pages say nothing.
_LEAST_PAGES = 5
_DECILES = 10
_FLAT = 0.001  # of an F score

Floats = NDArray[np.float64]


class MetadataExample(NamedTuple):
    """The options of one field of one page, and which of them are right."""

    fold: int
    has_gold: bool
    features: tuple[dict[str, float], ...]
    right: tuple[bool, ...]
    is_usual: bool = True  # read with the labels of the extractor, as users do
    counts: bool = True  # is it learned from?


def examples(page: CorpusPage, extractor: str) -> dict[str, list[MetadataExample]]:
    """The examples of a page by field, with labels and without."""
    chosen = contestants.extractor_of(extractor)(page.html, page.url)
    found = tamis.extract(page.html, url=page.url, extractor=chosen)
    decisions = [Decision(View(found.original, labels)) for labels in (found.own_labels, None)]
    fold = fold_of_page(page.html, page.url, FOLDS)
    gold = {"title": page.title, "authors": page.author, "date": page.date}
    return {
        field: [
            _example(decision, field, gold[field] or "", page, fold)._replace(is_usual=not place)
            for place, decision in enumerate(decisions)
        ]
        for field in LEARNED
    }


def _example(decision: Decision, field: str, gold: str, page: CorpusPage, fold: int) -> MetadataExample:
    options = decision.options(field)
    right = tuple(bool(gold) and is_right(field, option.value, gold) for option in options)
    # Annotators of articles and threads left out many days that the page declares and does not show.
    counts = bool(gold) or field != "date" or page.page_type not in ("article", "forum")
    return MetadataExample(fold, bool(gold), tuple(option.features for option in options), right, counts=counts)


def is_right(field: str, value: Value, gold: str) -> bool:
    """Is the value of a field the gold one?"""
    if field == "title":
        return same_title(str(value), gold)
    if field == "authors":
        return same_authors(value, names_of(gold))  # type: ignore[arg-type]
    return same_date(value.iso, gold)  # type: ignore[union-attr]


class OptionTable(NamedTuple):
    """The options of many pages as one matrix."""

    values: Any  # scipy's sparse matrix, one row an option
    page: NDArray[np.int64]  # of each option
    right: NDArray[np.bool_]  # of each option
    pages: int
    none: NDArray[np.bool_]  # of each page: are all options wrong?


def table(found: Sequence[MetadataExample], names: Sequence[str]) -> OptionTable:
    """The matrix of some examples."""
    from scipy.sparse import csr_matrix

    place = {name: number for number, name in enumerate(names)}
    rows, columns, values, right = [], [], [], []
    page: list[int] = []
    for number, example in enumerate(found):
        for features, is_right in zip(example.features, example.right, strict=True):
            known = [(place[name], value) for name, value in features.items() if name in place]
            rows += [len(page)] * len(known)
            columns += [column for column, _ in known]
            values += [value for _, value in known]
            page.append(number)
            right.append(is_right)
    matrix = csr_matrix((values, (rows, columns)), shape=(len(page), len(names)))
    none = np.array([not any(example.right) for example in found])
    return OptionTable(matrix, np.array(page), np.array(right), len(found), none)


def feature_names(found: Sequence[MetadataExample]) -> list[str]:
    """The features of at least a few pages."""
    pages: dict[str, int] = {}
    for example in found:
        for name in {name for features in example.features for name in features}:
            pages[name] = pages.get(name, 0) + 1
    return sorted(name for name, count in pages.items() if count >= _LEAST_PAGES)


def learn(data: OptionTable, prior: Floats, strength: float) -> Floats:
    """The weights that make the right options likely; `strength` is that of the pull towards the prior ones."""
    from scipy.optimize import minimize

    def loss(weights: Floats) -> tuple[float, Floats]:
        utility = data.values @ weights
        top = np.zeros(data.pages)
        np.maximum.at(top, data.page, utility)
        power = np.exp(utility - top[data.page])
        nothing = np.exp(-top)
        total = np.bincount(data.page, power, data.pages) + nothing
        hit = np.bincount(data.page, power * data.right, data.pages) + nothing * data.none
        share = power / total[data.page]
        share_right = np.where(data.right, power / hit[data.page], 0.0)
        away = weights - prior
        gradient = data.values.T @ (share - share_right) + strength * away
        return float(-np.log(hit / total).sum() + strength / 2 * (away @ away)), gradient

    found = minimize(loss, prior, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return np.asarray(found.x)


class BestOption(NamedTuple):
    """What a model answers on one page."""

    chance: float  # of the best option; 0 without options
    is_right: bool
    has_gold: bool


def decide(example: MetadataExample, model: FieldModel) -> BestOption:
    """The best option of a page."""
    if not example.features:
        return BestOption(0.0, False, example.has_gold)
    chances = probabilities(model.utility(features) for features in example.features)
    best = max(range(len(chances)), key=chances.__getitem__)
    return BestOption(chances[best], example.right[best], example.has_gold)


def calibration(found: Sequence[BestOption]) -> list[tuple[float, float]]:
    """From probabilities to shares of right answers: an isotonic regression, smoothed at a few points."""
    from sklearn.isotonic import IsotonicRegression

    given = sorted((each.chance, float(each.is_right)) for each in found if each.chance > 0)
    chances, right = np.array(given).T
    fitted = IsotonicRegression(y_min=0.01, y_max=0.99, out_of_bounds="clip").fit(chances, right)
    edges = np.unique(np.quantile(chances, np.linspace(0, 1, 3 * _DECILES + 1)))
    middle = [float(low + high) / 2 for low, high in pairwise(edges)]
    points = [0.0, *middle, 1.0]
    return [
        (round(point, 4), round(float(value), 4)) for point, value in zip(points, fitted.predict(points), strict=True)
    ]


def best_threshold(found: Sequence[BestOption], beta: float) -> float:
    """The probability from which an answer is given: that of the best F score.

    An answer where the gold has none is an error. A missing answer counts `beta` times as much as a wrong one.
    """
    order = sorted(found, key=lambda each: -each.chance)
    wanted = sum(each.has_gold for each in found)
    right = np.cumsum([each.is_right for each in order])
    scores = (1 + beta**2) * right / (np.arange(1, len(order) + 1) + beta**2 * wanted)
    # The curve is flat around its top: of thresholds that are as good, the one with most answers.
    last = int(np.flatnonzero(scores >= scores.max() - _FLAT)[-1])
    return round(order[last].chance, 3)


def fit(found: Sequence[MetadataExample], field: str, strength: float) -> tuple[list[FieldModel], FieldModel]:
    """One model for each fold, that has not seen it, and one of all pages, with the calibration of the folds."""
    used = [each for each in found if each.counts]
    priors = hand_set()[field].weights
    names = sorted({*feature_names(used), *priors})
    prior = np.array([priors.get(name, 0.0) for name in names])
    parts = [[each for each in used if each.fold != fold] for fold in range(FOLDS)]
    learned = [
        dict(zip(names, learn(table(part, names), prior, strength).tolist(), strict=True)) for part in (*parts, used)
    ]
    decided = [decide(each, FieldModel(learned[each.fold])) for each in found if each.is_usual]
    points = tuple(calibration(decided))
    threshold = best_threshold(decided, BETA[field]) if field in BETA else 0.0
    models = [FieldModel(weights, threshold, points) for weights in learned]
    return models[:-1], models[-1]


def write(folder: Path, models: Mapping[str, FieldModel], facts: Mapping[str, Any]) -> None:
    """Write the weights of all learned fields and their config."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    tensors = {field: np.array(list(model.weights.values()), dtype=np.float32) for field, model in models.items()}
    save_file(tensors, folder / MODEL)
    fields = {
        field: {
            "features": list(model.weights),
            "threshold": model.threshold,
            "calibration": [list(point) for point in model.calibration],
        }
        for field, model in models.items()
    }
    write_config(folder, {**facts, "fields": fields}, MODEL)


def read_examples(
    sources: Sequence[str], extractor: str, data: Path | None, workers: int
) -> list[dict[str, list[MetadataExample]]]:
    """The examples of all pages of these corpora."""
    with get_context("spawn").Pool(workers) as pool:
        pages = (page for source in sources for page in pages_of(source, data))
        return list(pool.imap(partial(examples, extractor=extractor), pages, chunksize=4))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the corpora, learn, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="as `tamis train tamis --folds` wrote it; the weights go into it")
    parser.add_argument("--data", type=Path, help="the folder of the corpora")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--strength", type=float, default=STRENGTH, help=f"of the pull towards the priors (default {STRENGTH:g})"
    )
    options = parser.parse_args(arguments)
    check_allowed(CORPORA, options.data)
    found = read_examples(CORPORA, f"tamis={options.folder}", options.data, options.workers)
    models: dict[str, FieldModel] = {}
    folds: list[dict[str, FieldModel]] = [{} for _ in range(FOLDS)]
    scores: dict[str, str] = {}
    for field in LEARNED:
        of_field = [example for each in found for example in each[field]]
        of_folds, models[field] = fit(of_field, field, options.strength)
        for fold, model in enumerate(of_folds):
            folds[fold][field] = model
        decided = [decide(each, folds[each.fold][field]) for each in of_field if each.is_usual]
        scores[field] = report(decided, models[field].threshold)
        print(f"{field}: {scores[field]}", file=sys.stderr)
    facts = {"trained_on": list(CORPORA), "strength": options.strength, "scores": scores}
    write(options.folder / "metadata", models, facts)
    for fold, of_fold in enumerate(folds):
        write(options.folder / f"fold-{fold}" / "metadata", of_fold, facts | {"fold": fold})


def report(decided: Sequence[BestOption], threshold: float) -> str:
    """The figures of one field, out of fold."""
    answered = [each for each in decided if each.chance >= threshold and each.chance > 0]
    gold = sum(each.has_gold for each in decided)
    right = sum(each.is_right for each in answered)
    false = sum(not each.has_gold for each in answered)
    return f"right {right} of {gold} ({right / gold:.3f}), answers {len(answered)}, false {false}, from {threshold:.3f}"


if __name__ == "__main__":
    main()
