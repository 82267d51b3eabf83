"""Precision, recall and F1 out of three amounts."""

from __future__ import annotations

from typing import NamedTuple


class PRF(NamedTuple):
    """Precision, recall and their harmonic mean, each from 0 to 1."""

    precision: float
    recall: float
    f1: float


def prf(hits: float, found: float, gold: float) -> PRF:
    """The scores of `hits` right ones among `found` answers where `gold` were to be found.

    Nothing found where nothing was to be found is right: 1, 1, 1. If only one of the two is
    nothing, all three are 0.
    """
    if not found and not gold:
        return PRF(1.0, 1.0, 1.0)
    if not found or not gold:
        return PRF(0.0, 0.0, 0.0)
    return PRF(hits / found, hits / gold, 2 * hits / (found + gold))
