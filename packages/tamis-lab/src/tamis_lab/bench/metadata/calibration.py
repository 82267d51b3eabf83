"""How well confidences agree with the share of right answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamis.arrays import Floats

LEVELS = (0.9, 0.5)
DECILES = 10
_SAMPLES = 1000


class Group(NamedTuple):
    """Some answers: their mean confidence, the share of right ones, and how many there are."""

    confidence: float
    right: float
    answers: int

    @property
    def error(self) -> float:
        """How far both are apart."""
        return abs(self.confidence - self.right)


class Calibration(NamedTuple):
    """The answers of one contestant for one field."""

    deciles: tuple[Group, ...]  # the least sure first; fewer than ten if there are fewer answers
    expected_error: float  # the mean over answers
    largest_error: float
    chance: float  # what the largest error stays below in 95 % of cases if all confidences are true
    at_least: dict[float, Group]  # the answers at least so sure


def calibrate(confidences: Sequence[float], right: Sequence[bool]) -> Calibration | None:
    """The calibration of some answers; None if there are none."""
    if not confidences:
        return None
    order = np.argsort(confidences, kind="stable")
    sure, is_right = np.array(confidences, dtype=np.float64)[order], np.array(right, dtype=np.float64)[order]
    levels, starts, ties, many = np.unique(sure, return_index=True, return_inverse=True, return_counts=True)
    # Equal confidences can't be told apart, so those that fall into two deciles count with their mean in both.
    decile = np.arange(len(sure)) * min(DECILES, len(sure)) // len(sure)
    weights = np.zeros((decile[-1] + 1, len(levels)))  # decile x level
    np.add.at(weights, (decile, ties), 1)
    sizes = weights.sum(axis=1)
    weights /= sizes[:, None]

    def shares(drawn: Floats) -> Floats:
        """The share of right answers in each decile, for one or many draws of right (1) and wrong (0)."""
        means: Floats = np.add.reduceat(drawn, starts, axis=-1) / many
        return means @ weights.T

    means = weights @ levels
    deciles = tuple(map(Group, means.tolist(), shares(is_right).tolist(), map(int, sizes)))
    by_chance = (np.random.default_rng(0).random((_SAMPLES, len(sure))) < sure).astype(np.float64)
    return Calibration(
        deciles,
        sum(group.error * group.answers for group in deciles) / len(sure),
        max(group.error for group in deciles),
        float(np.quantile(np.abs(shares(by_chance) - means).max(axis=1), 0.95)),
        {level: _group(sure[sure >= level], is_right[sure >= level]) for level in LEVELS},
    )


def _group(sure: Floats, right: Floats) -> Group:
    return Group(float(sure.mean()), float(right.mean()), len(sure)) if len(sure) else Group(0.0, 0.0, 0)
