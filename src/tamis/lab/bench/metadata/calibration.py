"""How well confidences agree with the share of right answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamis.arrays import Floats

LEVELS = (0.9, 0.5)
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

    deciles: tuple[Group, ...]  # the least sure first; fewer than ten where many confidences are equal
    expected_error: float  # the mean over answers
    largest_error: float
    chance: float  # what the largest error stays below in 95 % of cases if all confidences are true
    at_least: dict[float, Group]  # the answers at least so sure


def calibrate(confidences: Sequence[float], right: Sequence[bool]) -> Calibration | None:
    """The calibration of some answers; None if there are none."""
    if not confidences:
        return None
    sure, is_right = np.array(confidences, dtype=np.float64), np.array(right, dtype=np.float64)
    # Equal confidences are in one decile.
    places = np.searchsorted(np.quantile(sure, np.linspace(0.1, 0.9, 9)), sure, side="right")
    members = [places == place for place in np.unique(places)]
    deciles = tuple(_group(sure[own], is_right[own]) for own in members)
    return Calibration(
        deciles,
        sum(group.error * group.answers for group in deciles) / len(sure),
        max(group.error for group in deciles),
        _chance(sure, members),
        {level: _group(sure[sure >= level], is_right[sure >= level]) for level in LEVELS},
    )


def _group(sure: Floats, right: Floats) -> Group:
    return Group(float(sure.mean()), float(right.mean()), len(sure)) if len(sure) else Group(0.0, 0.0, 0)


def _chance(sure: Floats, members: Sequence[np.ndarray]) -> float:
    """Draw right and wrong answers by the confidences, and see how large the largest error gets."""
    random = np.random.default_rng(0)
    drawn = (random.random((_SAMPLES, len(sure))) < sure).astype(np.float64)
    errors = [np.abs(drawn[:, own].mean(axis=1) - sure[own].mean()) for own in members]
    return float(np.quantile(np.max(errors, axis=0), 0.95))
