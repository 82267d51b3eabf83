"""Counts over the text of each run of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress

import numpy as np

from tamis.arrays import Bools, Bytes, Floats, Longs, places
from tamis.document import Document, characters
from tamis.document.words import occurring, tokenize

# A shorter text may be part of the title by chance.
_TITLE_LETTERS = 4
_TITLE_LENGTH = 10_000  # the rest of a longer title is not compared


@dataclass(frozen=True, eq=False)
class RunTexts:
    """Columns with one value a run."""

    words: Floats
    linked: Floats  # words in links
    characters: Longs
    marks: dict[str, Longs]  # by the kinds of `characters.MARKS`
    is_final: Bools  # does the run end like a sentence?
    in_title: Bools  # is its first text a part of the page's title?
    repeated: Longs  # how many other runs have the same first text
    begin: list[str]  # the first text of each run, stripped
    often: Mapping[str, int]  # how many runs begin with a text

    @classmethod
    def of(cls, document: Document, first: Longs, bounds: Longs) -> RunTexts:
        """`first` is the number of the first visible text of each run; `bounds` is `first` and the number of texts."""
        leaves = document.leaves
        if not len(first):
            none, nothing = np.zeros(0), np.zeros(0, dtype=np.int64)
            return cls(
                none, none, nothing, dict.fromkeys(characters.MARKS, nothing), none > 0, none > 0, nothing, [], {}
            )
        strings = list(compress(leaves.text, leaves.is_visible_text.tobytes()))
        tokens = tokenize(strings)
        words = tokens.sum_per_text(tokens.weight)
        starts = tokens.starts.take(bounds)  # of each run in the joined texts
        lengths = starts[1:] - starts[:-1]
        last = tokens.bounds.take(bounds[1:]) - 1  # the last token of each run
        ends = tokens.classes.take(tokens.start.take(last) + tokens.length.take(last) - 1)
        begin = list(map(str.strip, map(strings.__getitem__, first.tolist())))
        title, often = document.title[:_TITLE_LENGTH], Counter(begin)
        titles = occurring([text for text in often if len(text) >= _TITLE_LETTERS], title)
        return cls(
            np.add.reduceat(words, first),
            np.add.reduceat(words * leaves.in_link.take(leaves.visible_text), first),
            lengths - (bounds[1:] - bounds[:-1]),  # without the separators
            _marks(tokens.classes, starts),
            (ends & characters.FINAL).astype(np.bool_),
            np.fromiter(map(titles.__contains__, begin), np.bool_, len(begin)),
            np.fromiter(map(often.__getitem__, begin), np.int64, len(begin)) - 1,
            begin,
            often,
        )


def _marks(classes: Bytes, starts: Longs) -> dict[str, Longs]:
    """How many marks of each kind there are from each start to the next."""
    marked = places(classes >= 1 << characters.MARK_SHIFT)
    bounds = marked.searchsorted(starts)
    runs = len(starts) - 1
    # One bin for each run and kind.
    bins = (np.arange(runs) << characters.MARK_SHIFT).repeat(bounds[1:] - bounds[:-1])
    bins |= classes.take(marked) >> characters.MARK_SHIFT
    counts = np.bincount(bins, minlength=runs << characters.MARK_SHIFT).reshape(runs, -1)
    return {name: counts[:, number] for number, name in enumerate(characters.MARKS, 1)}
