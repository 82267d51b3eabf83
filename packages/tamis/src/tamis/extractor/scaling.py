"""Standardised feature columns; mean and deviation are fitted on training pages and shipped with the weights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Floats

Singles = NDArray[np.float32]  # the precision of networks

# Values are clipped at this many deviations from the mean.
_CLIP = 8.0


@dataclass(frozen=True, eq=False)
class Scaling:
    """Subtract the mean, divide by the deviation."""

    mean: Floats
    deviation: Floats  # 1 for a constant column

    @classmethod
    def fit(cls, pages: Iterable[Floats]) -> Scaling:
        """Fit on all rows of all pages; each page is a matrix. Raises ValueError without any row."""
        rows = 0
        total = squares = np.zeros(0)
        for values in pages:
            finite = np.where(np.isfinite(values), values, 0.0)
            rows += len(values)
            total = finite.sum(axis=0) + (total if total.size else 0.0)
            squares = (finite**2).sum(axis=0) + (squares if squares.size else 0.0)
        if not rows:
            raise ValueError("no rows to fit a scaling on")
        mean = total / rows
        deviation = np.sqrt(np.maximum(0.0, squares / rows - mean**2))
        # By rounding, the deviation of a constant column can be tiny instead of 0.
        constant = deviation <= 1e-6 * np.maximum(1.0, np.abs(mean))
        return cls(mean, np.where(constant, 1.0, deviation))

    def apply(self, values: Floats | Singles) -> Singles:
        """The scaled values, all finite: NaN counts as the mean."""
        scaled = (values - self.mean) / self.deviation
        clipped = np.clip(np.where(np.isnan(scaled), 0.0, scaled), -_CLIP, _CLIP)
        return clipped.astype(np.float32)
