"""Scores of labels: a decision or a score a leaf."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tamis.arrays import Bools, Floats
from tamis.lab.metrics.prf import PRF, prf


class LeafScores(NamedTuple):
    """The share of leaves labelled right, and the scores of either class."""

    accuracy: float
    content: PRF
    boilerplate: PRF


def leaf_scores(keep: ArrayLike, gold: ArrayLike, weights: ArrayLike | None = None) -> LeafScores:
    """Scores of kept leaves against gold ones, a true or false each (Web2Text §4.2, BoilerNet §4.2).

    With weights, such as the number of words, a leaf counts that often (boilerpipe §4.3.1). A class
    that neither side uses scores 1, and so does the accuracy of no leaves. Those papers pool the
    leaves of all pages; for that, hand in the leaves of all pages.

    Raises ValueError if lengths differ or a weight is negative or not a number.
    """
    kept, right, weight = _columns(np.asarray(keep, dtype=np.bool_), gold, weights)
    hits = float(weight[kept & right].sum())
    extra = float(weight[kept & ~right].sum())
    missed = float(weight[~kept & right].sum())
    rest = float(weight[~kept & ~right].sum())
    total = hits + rest + extra + missed
    return LeafScores(
        accuracy=(hits + rest) / total if total else 1.0,
        content=prf(hits, hits + extra, hits + missed),
        boilerplate=prf(rest, rest + missed, rest + extra),
    )


def roc_auc(scores: ArrayLike, gold: ArrayLike, weights: ArrayLike | None = None) -> float:
    """The area under the ROC curve (boilerpipe §4.3.1, there weighted by words).

    It is the chance that a leaf of the content has a higher score than one of the boilerplate,
    each drawn by weight; equal scores count half. There is no such area, and the answer is not a
    number, where one of the classes is missing or weighs nothing.

    Raises ValueError if lengths differ, or a weight is negative, or any value is not a number.
    """
    score = np.asarray(scores, dtype=np.float64)
    if np.isnan(score).any():
        raise ValueError("a score is not a number")
    _, gold_column, weight = _columns(np.zeros(score.shape, dtype=np.bool_), gold, weights)
    _, level = np.unique(score, return_inverse=True)  # the rank of each score, ties share one
    content = np.bincount(level, weight * gold_column)
    boilerplate = np.bincount(level, weight * ~gold_column)
    pairs = content.sum() * boilerplate.sum()
    if not pairs:
        return math.nan
    below = boilerplate.cumsum() - boilerplate / 2
    return min(1.0, float((content * below).sum() / pairs))


def _columns(keep: Bools, gold: ArrayLike, weights: ArrayLike | None) -> tuple[Bools, Bools, Floats]:
    gold_column = np.asarray(gold, dtype=np.bool_)
    weight = np.ones(keep.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if not keep.shape == gold_column.shape == weight.shape or keep.ndim != 1:
        raise ValueError(f"columns of different shapes: {keep.shape}, {gold_column.shape}, {weight.shape}")
    if not (weight >= 0).all():
        raise ValueError("a weight is negative or not a number")
    return keep, gold_column, weight
