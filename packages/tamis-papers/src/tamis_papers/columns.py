"""Features as named columns: the names travel with the matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.arrays import Floats


@dataclass(frozen=True, eq=False)
class Columns:
    """A matrix with one named column a feature and one row a block, leaf or element."""

    names: tuple[str, ...]
    values: Floats  # (rows, len(names))

    @classmethod
    def of(cls, columns: Mapping[str, Floats]) -> Columns:
        """Put named columns side by side."""
        return cls(tuple(columns), np.column_stack(list(columns.values())).astype(np.float64))

    def __getitem__(self, name: str) -> Floats:
        return self.values[:, self.names.index(name)]

    def __add__(self, other: Columns) -> Columns:
        return Columns(self.names + other.names, np.hstack([self.values, other.values]))

    def pick(self, names: Sequence[str]) -> Columns:
        """The named columns alone, in that order."""
        return Columns(tuple(names), self.values[:, [self.names.index(name) for name in names]])

    def prefixed(self, prefix: str) -> Columns:
        """The same columns with a prefix before each name."""
        return Columns(tuple(prefix + name for name in self.names), self.values)

    def previous(self) -> Columns:
        """The columns of the row before, named prev_...; 0 in the first row."""
        return Columns(self.names, previous_rows(self.values)).prefixed("prev_")

    def next(self) -> Columns:
        """The columns of the row after, named next_...; 0 in the last row."""
        return Columns(self.names, following_rows(self.values)).prefixed("next_")


def previous_rows(values: Floats) -> Floats:
    """The values one row down: each row gets those of the row before, the first gets 0."""
    shifted = np.zeros_like(values)
    shifted[1:] = values[:-1]
    return shifted


def following_rows(values: Floats) -> Floats:
    """The values one row up: each row gets those of the row after, the last gets 0."""
    shifted = np.zeros_like(values)
    shifted[:-1] = values[1:]
    return shifted
