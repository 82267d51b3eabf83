"""Scores of labels, a decision a leaf."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tamis_lab.metrics.prf import PRF, prf


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
    kept, right = np.asarray(keep, dtype=np.bool_), np.asarray(gold, dtype=np.bool_)
    weight = np.ones(kept.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if not kept.shape == right.shape == weight.shape or kept.ndim != 1:
        raise ValueError(f"columns of different shapes: {kept.shape}, {right.shape}, {weight.shape}")
    if not (weight >= 0).all():
        raise ValueError("a weight is negative or not a number")
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
