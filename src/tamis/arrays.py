"""The types of the columns that tables are made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]  # rows of a table
Longs = NDArray[np.int64]  # offsets and counts
Floats = NDArray[np.float64]
