"""Facts about single characters as a table, so that text is measured by array operations."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

SPACE = 1  # what str.split() splits at
ALNUM = 2  # a letter or digit of any script
UNSPACED = 4  # a letter of a script that puts no spaces between words

# Code points from here on are looked up as this one: past it there are only rare Han characters,
# tags and private use.
_LAST = 0x20000

# Scripts written without spaces between words, with the usual length of a word in characters.
# Chinese and Japanese words average close to two characters, Thai, Lao, Khmer and Burmese ones
# about four; both round figures, good enough for thresholds made for words.
_DENSE_RANGES = "\u3005\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_DENSE_RANGES += "\uff66-\uff9f\U00020000-\U0003ffff"
_LOOSE_RANGES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
DENSE_CHARACTERS_PER_WORD = 2
LOOSE_CHARACTERS_PER_WORD = 4


@cache
def _classes() -> NDArray[np.uint8]:
    """One byte of flags for each code point up to _LAST."""
    every = "".join(map(chr, range(_LAST + 1)))
    table = np.zeros(_LAST + 1, dtype=np.uint8)
    for pattern, flag in ((r"\s+", SPACE), (r"[^\W_]+", ALNUM), (f"[{_DENSE_RANGES}{_LOOSE_RANGES}]+", UNSPACED)):
        for match in re.finditer(pattern, every):
            table[match.start() : match.end()] |= flag
    return table


@cache
def word_share() -> NDArray[np.float32]:
    """For each code point: which part of a word one character of an unspaced script is, else 0."""
    every = "".join(map(chr, range(_LAST + 1)))
    table = np.zeros(_LAST + 1, dtype=np.float32)
    for ranges, length in ((_DENSE_RANGES, DENSE_CHARACTERS_PER_WORD), (_LOOSE_RANGES, LOOSE_CHARACTERS_PER_WORD)):
        for match in re.finditer(f"[{ranges}]+", every):
            table[match.start() : match.end()] = 1 / length
    return table


def code_points(text: str) -> NDArray[np.uint32] | NDArray[np.uint16]:
    """The code points of `text`, those past the table folded onto its last entry."""
    # Half the memory, and so half the time, for the many texts without rare characters.
    narrow = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)
    if len(narrow) == len(text):
        return narrow
    return np.minimum(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32), _LAST)


def classify(points: NDArray[np.uint32] | NDArray[np.uint16]) -> NDArray[np.uint8]:
    """The flags of each code point."""
    return _classes().take(points)
