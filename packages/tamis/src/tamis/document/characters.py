"""A table of facts about characters, so that text is measured by array operations.

A character has one byte of flags. The kernel has a table of its own, with more facts (kernel/tables.py).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bytes
from tamis.document.unspaced import LAST
from tamis.document.unspaced import UNSPACED as UNSPACED_SCRIPTS

SPACE = 1  # what str.split() splits at
ALNUM = 2  # a letter or digit of any script
UNSPACED = 4  # a letter of a script that puts no spaces between words


@cache
def _classes() -> Bytes:
    """One byte for each code point up to LAST."""
    every = np.arange(LAST + 1, dtype=np.uint32).view("<U1")
    table = SPACE * np.char.isspace(every).astype(np.uint8) + ALNUM * np.char.isalnum(every).astype(np.uint8)
    table[word_share() > 0] |= UNSPACED
    return table


@cache
def word_share() -> NDArray[np.float32]:
    """For each code point of an unspaced script, its share of a word; 0 for others."""
    table = np.zeros(LAST + 1, dtype=np.float32)
    for first, last, length in UNSPACED_SCRIPTS:
        table[first : last + 1] = 1 / length
    return table


def code_points(text: str) -> NDArray[np.uint32] | NDArray[np.uint16]:
    """The code points of `text`; those beyond the table become its last entry."""
    # Most texts lack rare characters: then half the memory, and so half the time, is enough.
    narrow = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)
    if len(narrow) == len(text):
        return narrow
    return np.minimum(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32), LAST)


def classify(points: NDArray[np.uint32] | NDArray[np.uint16]) -> Bytes:
    """The byte of each code point."""
    return _classes().take(points)
