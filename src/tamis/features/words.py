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
from numpy.typing import NDArray

from tamis.features import characters

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Texts are joined by this character, which is white space and so ends a token.
_JOINT = "\n"

# One array pass works on at most this many characters, to bound memory on huge pages.
_CHUNK = 4_000_000


@dataclass(frozen=True)
class Tokens:
    """The tokens of a list of texts; one row a token."""

    text: Ints  # number of the text it stands in
    start: Ints  # offset in the joined texts
    length: Ints
    is_word: NDArray[np.bool_]
    weight: Floats  # how many words it counts for: 1, or more for a run of an unspaced script
    joined: str

    @cached_property
    def strings(self) -> list[str]:
        """The tokens themselves."""
        return self.joined.split()


def tokenize(texts: Sequence[str]) -> Tokens:
    """Find the tokens of each text."""
    joined = _JOINT.join(texts)
    ends = np.cumsum([len(text) + 1 for text in texts])  # where each text ends in `joined`, with its joint
    parts = [_tokens_of(joined, lower, upper) for lower, upper in _chunks(joined)]
    start, length, is_word, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Tokens(np.searchsorted(ends, start, side="right"), start, length, is_word, weight, joined)


def count_per_text(tokens: Tokens, texts: int, weights: Floats | NDArray[np.bool_] | None = None) -> Floats:
    """How many tokens, or how much `weights` of them, stand in each text."""
    return np.bincount(tokens.text, weights=weights, minlength=texts).astype(np.float64)


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


def _tokens_of(joined: str, lower: int, upper: int) -> tuple[Ints, Ints, NDArray[np.bool_], Floats]:
    piece = joined[lower:upper]
    points = characters.code_points(piece)  # (characters,)
    flags = characters.classify(points)
    solid = np.zeros(len(flags) + 2, dtype=np.int8)
    solid[1:-1] = (flags & characters.SPACE) == 0
    edges = np.flatnonzero(np.diff(solid))  # where a token starts, ends, starts, ...
    start, end = edges[0::2], edges[1::2]
    if not start.size:
        return start, start, np.zeros(0, np.bool_), np.zeros(0)
    is_word = np.bitwise_or.reduceat(flags, start) & characters.ALNUM != 0
    weight = is_word.astype(np.float64)
    if not piece.isascii() and characters.UNSPACED_PATTERN.search(piece):
        share = np.add.reduceat(characters.word_share()[points], start)
        weight = np.where(is_word, np.maximum(1.0, share), 0.0)
    return start + lower, end - start, is_word, weight
