"""Tokens, words and lines of many texts at once (boilerpipe §3.3 and §3.4).

A token is a run of characters between white space. A word is a token with at least one letter
or digit. In scripts that put no spaces between words the paper's definition finds one word in a
whole paragraph; there each character counts as a part of a word (see `characters`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from tamis.arrays import Bools, Floats, Longs
from tamis.features import characters

# Texts are joined by this character, which is white space and so ends a token.
_JOINT = "\n"

# One array pass works on at most this many characters, to bound memory on huge pages.
_CHUNK = 4_000_000


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of a list of texts; one row a token."""

    start: Longs  # offset in the joined texts
    length: Longs
    is_word: Bools
    weight: Floats  # how many words it counts for: 1, or more for a run of an unspaced script
    joined: str
    bounds: Longs  # the first token of each text, and the number of tokens at the end

    @cached_property
    def strings(self) -> list[str]:
        """The tokens themselves."""
        return self.joined.split()

    @cached_property
    def text(self) -> Longs:
        """The number of the text that each token stands in."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))

    def sum_per_text(self, values: Floats) -> Floats:
        """The sum of a value of each token over each text."""
        return sum_ranges(values, self.bounds)


def tokenize(texts: Sequence[str]) -> Tokens:
    """Find the tokens of each text."""
    joined = _JOINT.join(texts)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = (lengths + len(_JOINT)).cumsum()  # where each text ends in `joined`
    parts = [_tokens_of(joined, lower, upper) for lower, upper in _chunks(joined)]
    columns = parts[0] if len(parts) == 1 else tuple(np.concatenate(column) for column in zip(*parts, strict=True))
    start, length, is_word, weight = columns
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    bounds[1:] = start.searchsorted(ends)
    return Tokens(start, length, is_word, weight, joined, bounds)


def sum_ranges(values: Floats, bounds: Longs) -> Floats:
    """The sums of values[bounds[i]:bounds[i + 1]]; an empty range sums up to 0."""
    total = np.zeros(len(values) + 1)
    np.cumsum(values, out=total[1:])
    at = total[bounds]
    return at[1:] - at[:-1]


def _chunks(joined: str) -> list[tuple[int, int]]:
    """Ranges of `joined` that begin and end between tokens, each about _CHUNK long."""
    bounds = [0]
    while len(joined) - bounds[-1] > _CHUNK:
        cut = joined.find(" ", bounds[-1] + _CHUNK)
        if cut < 0:
            break
        bounds.append(cut)
    bounds.append(len(joined))
    return list(pairwise(bounds))


def _tokens_of(joined: str, lower: int, upper: int) -> tuple[Longs, Longs, Bools, Floats]:
    points = characters.code_points(joined[lower:upper])  # (characters,)
    flags = characters.classify(points)
    # A token stands between two spaces that are more than one apart; SPACE is bit 0, so the masked
    # bytes are booleans already.
    spaces = np.flatnonzero((flags & characters.SPACE).view(np.bool_))
    start, end = np.empty(len(spaces) + 1, dtype=np.int64), np.empty(len(spaces) + 1, dtype=np.int64)
    start[0], start[1:] = 0, spaces + 1
    end[-1], end[:-1] = len(flags), spaces
    filled = np.flatnonzero(end > start)
    start, end = start[filled], end[filled]
    if not start.size:
        return start, start, np.zeros(0, np.bool_), np.zeros(0)
    kinds = np.bitwise_or.reduceat(flags, start)  # what occurs in each token (and the space behind it)
    is_word = kinds & characters.ALNUM != 0
    weight = is_word.astype(np.float64)
    if (kinds & characters.UNSPACED).any():
        share = np.add.reduceat(characters.word_share()[points], start)
        weight = np.where(is_word, np.maximum(1.0, share), 0.0)
    return start + lower, end - start, is_word, weight
