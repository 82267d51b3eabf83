"""The search: the stretch of a sequence with the largest sum."""

from __future__ import annotations

import numpy as np

from tamis.arrays import Ints


def maximum_subsequence(values: Ints) -> tuple[int, int]:
    """The first place of the stretch with the largest sum and the place after its last, in one pass.

    Of equally good ones, that which ends first, then the longest. Without a value above 0 it is empty. The values are
    whole numbers, so that sums do not depend on their order.
    """
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    values.cumsum(out=sums[1:])
    end = int(np.argmax(sums - np.minimum.accumulate(sums)))
    return (int(np.argmin(sums[: end + 1])), end) if end else (0, 0)
