"""Learns the weights of the metadata's decisions: `python -m tamis.lab.training.metadata OUTPUT`.

A conditional logit model for each field: of the options of a page, and no answer, the right ones are to be likely. The
pages of WCXB dev are read by networks that were not trained on their site if such networks are given (--extractor).
Weights are learned on all training pages; calibration and threshold come from folds by site, of which each was
decided by weights that had not seen it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tamis
from tamis.lab.bench import trained
from tamis.lab.bench.metadata.matching import names_of, same_authors, same_date, same_title
from tamis.lab.corpora.catalogue import Source, open_corpus
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.training.pages import check_allowed, fold_of_page
from tamis.metadata.candidate import Value
from tamis.metadata.decide import Decision, probabilities
from tamis.metadata.view import View
from tamis.metadata.weights import MODEL, Model
from tamis.weights import write_config

CORPORA = ("wcxb:dev", "news-2023:train")
FOLDS = 5
LEARNED = ("title", "authors", "date")
# Features of fewer pages say nothing.
_LEAST_PAGES = 5
_DECILES = 10

Floats = NDArray[np.float64]


class Example(NamedTuple):
    """The options of one field of one page, and which of them are right."""

    page: str
    fold: int
    has_gold: bool
    features: tuple[dict[str, float], ...]
    right: tuple[bool, ...]


def examples(page: CorpusPage, extractor: str) -> dict[str, Example]:
    """The examples of a page by field."""
    chosen: Any = trained.extractor_of(extractor)(page.html, page.url) if trained.is_trained(extractor) else extractor
    found = tamis.extract(page.html, url=page.url, extractor=chosen)
    decision = Decision(View(found.original, found.own_labels))
    fold = fold_of_page(page.html, page.url, FOLDS)
    gold = {"title": page.title, "authors": page.author, "date": page.date}
    return {field: _example(f"{page.corpus} {page.id}", fold, field, gold[field] or "", decision) for field in LEARNED}


def _example(page: str, fold: int, field: str, gold: str, decision: Decision) -> Example:
    options = decision.options(field)
    right = tuple(bool(gold) and is_right(field, option.value, gold) for option in options)
    return Example(page, fold, bool(gold), tuple(option.features for option in options), right)


def is_right(field: str, value: Value, gold: str) -> bool:
    """Is the value of a field the gold one?"""
    if field == "title":
        return same_title(str(value), gold)
    if field == "authors":
        return same_authors(value, names_of(gold))  # type: ignore[arg-type]
    return same_date(value.iso, gold)  # type: ignore[union-attr]


class Table(NamedTuple):
    """The options of many pages as one matrix."""

    values: Any  # scipy's sparse matrix, one row an option
    page: NDArray[np.int64]  # of each option
    right: NDArray[np.bool_]  # of each option
    pages: int
    none: NDArray[np.bool_]  # of each page: is no option right?


def table(found: Sequence[Example], names: Sequence[str]) -> Table:
    """The matrix of some examples."""
    from scipy.sparse import csr_matrix

    place = {name: number for number, name in enumerate(names)}
    rows, columns, values, page, right = [], [], [], [], []
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
    return Table(matrix, np.array(page), np.array(right), len(found), none)


def feature_names(found: Sequence[Example]) -> list[str]:
    """The features of at least a few pages."""
    pages: dict[str, int] = {}
    for example in found:
        for name in {name for features in example.features for name in features}:
            pages[name] = pages.get(name, 0) + 1
    return sorted(name for name, count in pages.items() if count >= _LEAST_PAGES)


def learn(data: Table, strength: float) -> Floats:
    """The weights that make the right options likely; `strength` is that of the L2 penalty."""
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
        gradient = data.values.T @ (share - share_right) + strength * weights
        return float(-np.log(hit / total).sum() + strength / 2 * (weights @ weights)), gradient

    found = minimize(loss, np.zeros(data.values.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return np.asarray(found.x)


class Decided(NamedTuple):
    """What a model answers on one page."""

    chance: float  # of the best option; 0 without options
    is_right: bool
    has_gold: bool


def decide(example: Example, model: Model) -> Decided:
    """The best option of a page."""
    if not example.features:
        return Decided(0.0, False, example.has_gold)
    chances = probabilities(model.utility(features) for features in example.features)
    best = max(range(len(chances)), key=chances.__getitem__)
    return Decided(chances[best], example.right[best], example.has_gold)


def calibration(found: Sequence[Decided]) -> list[tuple[float, float]]:
    """From probabilities to shares of right answers: an isotonic regression, smoothed at a few points."""
    from sklearn.isotonic import IsotonicRegression

    given = sorted((each.chance, float(each.is_right)) for each in found if each.chance > 0)
    chances, right = np.array(given).T
    fitted = IsotonicRegression(y_min=0.01, y_max=0.99, out_of_bounds="clip").fit(chances, right)
    edges = np.unique(np.quantile(chances, np.linspace(0, 1, 2 * _DECILES + 1)))
    middle = [(float(low + high) / 2) for low, high in zip(edges[:-1], edges[1:], strict=True)]
    points = [0.0, *middle, 1.0]
    return [(round(point, 4), round(float(value), 4)) for point, value in zip(points, fitted.predict(points), strict=True)]
