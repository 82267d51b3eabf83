"""A table of facts about characters, so that text is measured by array operations.

A character has one byte: flags in the lower half, the kind of mark in the upper half.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bytes

SPACE = 1  # what str.split() splits at
ALNUM = 2  # a letter or digit of any script
UNSPACED = 4  # a letter of a script that puts no spaces between words
FINAL = 8  # what a sentence ends with

# Marks that are counted, by meaning, with their full-width forms. Their number in this order, from 1 on, is the upper
# half of a byte.
MARKS = {
    "digits": "0123456789",
    "capitals": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "sentence ends": ".!?。！？…",
    "commas": ",;，；、",
    "separators": "|/›»>·•:-–—",
    "quotes": '"“”()',
}
MARK_SHIFT = 4
_FINALS = '.!?。！？”"’…)'

# Code points from here on are looked up as this one: rare Han characters, tags and private use.
LAST = 0x20000

# Scripts without spaces between words: first and last code point of their letters, and the usual length of a word.
# Chinese and Japanese words average close to two characters, Thai, Lao, Khmer and Burmese ones about four; round
# figures, good enough for thresholds made for words.
_UNSPACED_RANGES = (
    (0x3005, 0x3007, 2),  # repetition mark, zero
    (0x3041, 0x30FA, 2),  # kana
    (0x30FC, 0x30FF, 2),
    (0x31F0, 0x31FF, 2),
    (0x3400, 0x4DBF, 2),  # Han
    (0x4E00, 0x9FFF, 2),
    (0xF900, 0xFAFF, 2),
    (0xFF66, 0xFF9F, 2),  # half-width kana
    (LAST, LAST, 2),
    (0x0E00, 0x0EFF, 4),  # Thai, Lao
    (0x1000, 0x109F, 4),  # Burmese
    (0x1780, 0x17FF, 4),  # Khmer
)


@cache
def _classes() -> Bytes:
    """One byte for each code point up to LAST."""
    every = np.arange(LAST + 1, dtype=np.uint32).view("<U1")
    table = SPACE * np.char.isspace(every).astype(np.uint8) + ALNUM * np.char.isalnum(every).astype(np.uint8)
    table[word_share() > 0] |= UNSPACED
    table[[ord(mark) for mark in _FINALS]] |= FINAL
    for number, marks in enumerate(MARKS.values(), 1):
        table[[ord(mark) for mark in marks]] |= number << MARK_SHIFT
    return table


@cache
def word_share() -> NDArray[np.float32]:
    """For each code point of an unspaced script: the part of a word that it is; 0 for others."""
    table = np.zeros(LAST + 1, dtype=np.float32)
    for first, last, length in _UNSPACED_RANGES:
        table[first : last + 1] = 1 / length
    return table


def code_points(text: str) -> NDArray[np.uint32] | NDArray[np.uint16]:
    """The code points of `text`; those behind the table become its last entry."""
    # Most texts have no rare characters: then half the memory, and so half the time, is enough.
    narrow = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)
    if len(narrow) == len(text):
        return narrow
    return np.minimum(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32), LAST)


def classify(points: NDArray[np.uint32] | NDArray[np.uint16]) -> Bytes:
    """The byte of each code point."""
    return _classes().take(points)
