"""The shallow text features of boilerpipe (2010), §3.2 to §3.4, for atomic text blocks.

Every feature is one array with one row a block, worked out when first asked for.
`local_features` puts the 23 features of a block side by side, `with_context` adds those of its
neighbours and the quotients to the block before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

import numpy as np

from tamis.arrays import Floats, Ints, Longs
from tamis.document import Document
from tamis.document.tags import CODES
from tamis.document.words import Tokens, sum_ranges, tokenize
from tamis.papers.boilerpipe.blocks import Blocks
from tamis.papers.columns import Columns, previous

WRAP_WIDTH = 80  # §3.4: w_max

# §3.2: the enclosing tags that are looked at.
ENCLOSING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "a")

# §3.3: a sentence ends at a full stop, question or exclamation mark or semicolon. The paper
# names no scripts; the full-width and other marks of the same meaning are added. Closing quotes
# and brackets may follow.
# Where words stand without spaces between them, a token holds many sentences.
_SENTENCE_END = re.compile(r"[.?!;\u061f\u061b\u0964\u2026][\"'\u2019\u201d\u00bb)\]]*$|[\u3002\uff1f\uff01\uff1b]")

# §3.3 counts "date/time-related tokens" without listing them: numeric dates and times, years,
# month and day names and their short forms, am/pm and the common time zones of news pages.
_DATE_TIME = r"""^[(\[]?(?:
        \d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})? | \d{1,2}[:.h]\d{2}(?::\d{2})?(?:am|pm|a\.m|p\.m)? |
        \d{1,2}(?:am|pm) | \d{1,2}(?:st|nd|rd|th) | (?:19|20)\d{2} |
        jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|
        oct(?:ober)?|nov(?:ember)?|dec(?:ember)? |
        (?:mon|tues|wednes|thurs|fri|satur|sun)day | mon|tues?|wed|thu|thurs?|fri|sat|sun |
        am|pm|a\.m|p\.m|gmt|utc|est|edt|cst|cdt|pst|pdt|bst|cet|cest|ist
    )[.,;:)\]]*$"""


class ShallowText:
    """The features of the blocks of a page that hold a word.

    Blocks without any (a bar, a bullet, a dash between two links) are no blocks to the paper: on
    its own corpus there are 72,635 with a word, and it counts 72,662. They have no features, stand
    between no neighbours, and in `to_leaves` follow the blocks around them.
    """

    def __init__(self, blocks: Blocks) -> None:
        self._all = blocks

    def __len__(self) -> int:
        return len(self._worded)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block."""
        return [self._all.texts[number] for number in self._worded.tolist()]

    @cached_property
    def leaves(self) -> Ints:
        """The row of the first leaf of each block."""
        return self._all.first_leaf[self._worded]

    @property
    def document(self) -> Document:
        """The page that the blocks are of."""
        return self._all.document

    def to_leaves(self, values: Floats) -> Floats:
        """Spread one value a block over the leaves of the page; those in no block get 0.

        A block without a word gets the smaller value of the ones around it.
        """
        if len(self) == len(self._all):
            return self._all.to_leaves(values, outside=0.0)
        after = self._worded.searchsorted(np.arange(len(self._all)))
        around = np.concatenate([[0.0], values, [0.0]])  # nothing before the first and after the last
        everywhere = np.minimum(around[after], around[after + 1])
        everywhere[self._worded] = values
        return self._all.to_leaves(everywhere, outside=0.0)

    @cached_property
    def _tokens(self) -> Tokens:
        texts = self.document.leaves.text
        return tokenize(list(map(texts.__getitem__, self._all.leaves.tolist())))

    @cached_property
    def _words(self) -> Floats:
        return sum_ranges(self._tokens.weight, self._tokens.bounds[self._all.bounds])

    @cached_property
    def _worded(self) -> Longs:
        """The numbers of the blocks with a word."""
        return np.flatnonzero(self._words)

    @cached_property
    def _ranges(self) -> list[tuple[int, int]]:
        """The tokens of each block, from the first to the one after the last."""
        bounds = self._tokens.bounds[self._all.bounds].tolist()
        return [(bounds[number], bounds[number + 1]) for number in self._worded.tolist()]

    def _sum(self, per_token: Floats) -> Floats:
        """Sum a value of each token over the blocks."""
        return sum_ranges(per_token, self._tokens.bounds[self._all.bounds])[self._worded]

    @cached_property
    def _token_weight(self) -> Floats:
        """A token counts once; a run of a script without spaces counts as its words."""
        return np.maximum(1.0, self._tokens.weight)

    @cached_property
    def num_tokens(self) -> Floats:
        """Runs of characters between white space."""
        return self._sum(self._token_weight)

    @cached_property
    def num_words(self) -> Floats:
        """§3.3: tokens with at least one letter or digit."""
        return self._words[self._worded]

    @cached_property
    def link_density(self) -> Floats:
        """§3.3: tokens inside an A tag by all tokens of the block."""
        per_leaf = self._tokens.sum_per_text(self._token_weight)
        linked = per_leaf * self.document.leaves.in_link[self._all.leaves]
        every = sum_ranges(per_leaf, self._all.bounds)[self._worded]
        return _ratio(sum_ranges(linked, self._all.bounds)[self._worded], every)

    @cached_property
    def text_density(self) -> Floats:
        """§3.4, equation 1: tokens a line after wrapping at 80, the last line left out."""
        tokens = self._tokens
        # Where each token ends if the whole page stood on one line with single spaces.
        ends = (np.cumsum(tokens.length) + np.arange(len(tokens.length))).tolist()
        weights = np.concatenate([[0.0], np.cumsum(self._token_weight)]).tolist()
        return np.array(
            [_density(ends, weights, first, stop) for first, stop in self._ranges],
            dtype=np.float64,
        )

    @cached_property
    def avg_word_length(self) -> Floats:
        """§3.3: characters a word."""
        tokens = self._tokens
        return _ratio(self._sum((tokens.length * tokens.is_word).astype(np.float64)), self.num_words)

    @cached_property
    def avg_sentence_length(self) -> Floats:
        """§3.3: words a sentence; text without any end mark is one sentence."""
        ends = self._sum(self._flags([len(_SENTENCE_END.findall(token)) for token in self._tokens.strings]))
        return _ratio(self.num_words, np.maximum(1.0, ends))

    @cached_property
    def position(self) -> Floats:
        """§3.3: the number of the block on its page, from 0."""
        return np.arange(len(self), dtype=np.float64)

    @cached_property
    def relative_position(self) -> Floats:
        """§3.3: the same from 0 to 1."""
        return self.position / max(1, len(self) - 1)

    @cached_property
    def num_capitalized(self) -> Floats:
        """§3.3: words that start with an upper-case letter."""
        return self._sum(self._flags([token[:1].isupper() for token in self._tokens.strings]))

    @cached_property
    def num_upper(self) -> Floats:
        """§3.3: words completely in upper case."""
        return self._sum(self._flags([token.isupper() for token in self._tokens.strings]))

    @cached_property
    def num_dates(self) -> Floats:
        """§3.3: date and time related tokens."""
        pattern = re.compile(_DATE_TIME, re.IGNORECASE | re.VERBOSE)
        return self._sum(self._flags([pattern.search(token) is not None for token in self._tokens.strings]))

    @cached_property
    def num_bars(self) -> Floats:
        """§3.3: vertical bars."""
        return self._sum(self._flags([token.count("|") for token in self._tokens.strings]))

    @cached_property
    def full_stop_ratio(self) -> Floats:
        """§3.3: full stops by words."""
        return _ratio(self._sum(self._flags([token.count(".") for token in self._tokens.strings])), self.num_words)

    def enclosed_by(self, tag: str) -> Floats:
        """§3.2: does an element of this tag enclose the block?"""
        elements = self.document.elements
        is_tag = elements.code == CODES[tag]
        return elements.inside(is_tag)[self.document.leaves.element[self.leaves]].astype(np.float64)

    @staticmethod
    def _flags(values: list[bool] | list[int]) -> Floats:
        return np.array(values, dtype=np.float64)


def local_features(text: ShallowText) -> Columns:
    """The 23 features of a block by itself (Table 2: "All Local Features (C)")."""
    words = text.num_words
    columns = {
        "num_words": words,
        "text_density": text.text_density,
        "link_density": text.link_density,
        "avg_word_length": text.avg_word_length,
        "avg_sentence_length": text.avg_sentence_length,
        "position": text.position,
        "relative_position": text.relative_position,
        "num_capitalized": text.num_capitalized,
        "capitalized_ratio": _ratio(text.num_capitalized, words),
        "num_upper": text.num_upper,
        "upper_ratio": _ratio(text.num_upper, words),
        "full_stop_ratio": text.full_stop_ratio,
        "num_dates": text.num_dates,
        "num_bars": text.num_bars,
    }
    return Columns.of(columns | {f"in_{tag}": text.enclosed_by(tag) for tag in ENCLOSING_TAGS})


def with_context(text: ShallowText) -> Columns:
    """The features of a block, of the ones before and after, and the quotients to the one before.

    Position is a fact of the page and not of the neighbour, so it isn't repeated for them.
    """
    local = local_features(text)
    neighbours = local.pick([name for name in local.names if "position" not in name])
    quotients = Columns.of(
        {
            "num_words_quotient": _ratio(text.num_words, previous(text.num_words)),
            "text_density_quotient": _ratio(text.text_density, previous(text.text_density)),
        }
    )
    return local + quotients + neighbours.previous() + neighbours.next()


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Part / whole, and 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _density(ends: list[int], weights: list[float], first: int, stop: int) -> float:
    """The density of the tokens from `first` to `stop`, wrapped greedily at WRAP_WIDTH."""
    line, lines = first, 0  # the token that starts the line, lines begun before it
    while line < stop:
        origin = ends[line - 1] + 1 if line else 0
        # A token longer than a line stands on a line of its own.
        after = max(line + 1, bisect_right(ends, origin + WRAP_WIDTH, line, stop))
        if after >= stop:
            break
        line, lines = after, lines + 1
    if not lines:
        return weights[stop] - weights[first]
    return (weights[line] - weights[first]) / lines
