"""Tokens, words and lines of many texts at once (boilerpipe §3.3 and §3.4).

A token is a sequence of characters between white space. A word is a token with at least one letter or digit. In scripts
without spaces between words the paper's definition would find one word in a whole paragraph; there each character
counts as a part of a word (see `characters`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tamis.arrays import Bools, Bytes, Floats, Ints, places
from tamis.cached import cached_property
from tamis.document import characters

STOPWORDS = frozenset(
    """
    a about above after again against all also am an and any are as at be because been before being below between
    both but by can could did do does doing down during each either else ever few for from further had has have having
    he her here hers herself him himself his how however i if in into is it its itself just least less like may me might
    more most much must my myself neither no nor not now of off often on once only or other ought our ours out over
    own per perhaps quite rather same shall she should since so some still such than that the their theirs them
    themselves then there these they this those though through thus to too under until up upon us very was we well
    were what when where whether which while who whom whose why will with within without would yet you your yours
    """.split()
)


_JOINT = "\n"  # between texts; white space, so it ends a token
_CHUNK = 4_000_000  # characters of one array pass, to bound memory on huge pages


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of a list of texts; every column has one row for each token."""

    start: Ints  # offset in the joined texts
    length: Ints
    is_word: Bools
    weight: Floats  # how many words it counts for: 1, or more for a stretch of an unspaced script
    joined: str
    classes: Bytes  # for each character of `joined`: its byte in the table of `characters`
    starts: Ints  # offset of each text in `joined`, and of one more text
    bounds: Ints  # the first token of each text, and the number of tokens at the end

    @cached_property
    def strings(self) -> list[str]:
        """The tokens themselves."""
        return self.joined.split()

    def sum_per_text(self, values: Floats) -> Floats:
        """The sum of a value of each token over each text."""
        return sum_ranges(values, self.bounds)


def tokenize(texts: Sequence[str]) -> Tokens:
    """Find the tokens of each text."""
    joined = _JOINT.join(texts)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    starts = np.zeros(len(texts) + 1, dtype=np.int64)
    (lengths + len(_JOINT)).cumsum(out=starts[1:])
    parts = [_tokens_of(joined, lower, upper) for lower, upper in _chunks(joined)]
    columns = parts[0] if len(parts) == 1 else tuple(np.concatenate(column) for column in zip(*parts, strict=True))
    start, length, is_word, weight, classes = columns
    return Tokens(start, length, is_word, weight, joined, classes, starts, start.searchsorted(starts))


def sum_ranges(values: Floats, bounds: Ints) -> Floats:
    """The sums of values[bounds[i]:bounds[i + 1]]; an empty range sums up to 0."""
    total = np.zeros(len(values) + 1)
    values.cumsum(out=total[1:])
    at = total[bounds]
    return at[1:] - at[:-1]


def _chunks(joined: str) -> list[tuple[int, int]]:
    """Ranges of `joined`, each about _CHUNK long, with bounds between tokens."""
    bounds = [0]
    while len(joined) - bounds[-1] > _CHUNK:
        cut = joined.find(" ", bounds[-1] + _CHUNK)
        if cut < 0:
            break
        bounds.append(cut)
    bounds.append(len(joined))
    return list(pairwise(bounds))


def _tokens_of(joined: str, lower: int, upper: int) -> tuple[Ints, Ints, Bools, Floats, Bytes]:
    points = characters.code_points(joined[lower:upper])  # (characters,)
    classes = characters.classify(points)
    # A token is between two spaces that are more than one apart. SPACE is bit 0, so the masked bytes are booleans.
    spaces = places((classes & characters.SPACE).view(np.bool_))
    around = np.empty(len(spaces) + 2, dtype=np.int64)
    around[0], around[1:-1], around[-1] = -1, spaces, len(classes)
    start = around[:-1] + 1
    length = around[1:] - start
    filled = places(length)
    start, length = start.take(filled), length.take(filled)
    if not start.size:
        return start, start, np.zeros(0, np.bool_), np.zeros(0), classes
    is_word = _are_words(classes, start, length)
    weight = is_word.astype(np.float64)
    if np.bitwise_or.reduce(classes) & characters.UNSPACED:
        share = np.add.reduceat(characters.word_share()[points], start)
        weight = np.where(is_word, np.maximum(1.0, share), 0.0)
    return start + lower, length, is_word, weight, classes


def _are_words(classes: Bytes, start: Ints, length: Ints) -> Bools:
    """Which tokens have a letter or digit. Most start with one; only the others are searched."""
    is_word = (classes.take(start) & characters.ALNUM).astype(np.bool_)
    others = places(~is_word)
    if others.size:
        edges = np.empty((len(others), 2), dtype=np.int64)  # from the token to the space after it
        edges[:, 0] = begin = start.take(others)
        edges[:, 1] = begin + length.take(others)
        ranges = edges.ravel()
        if ranges[-1] == len(classes):  # reduceat takes no index beyond the last
            ranges = ranges[:-1]
        is_word[others] = np.bitwise_or.reduceat(classes, ranges)[::2] & characters.ALNUM
    return is_word
