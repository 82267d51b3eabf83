"""The shallow text features of boilerpipe (2010), §3.2 to §3.4, for atomic text blocks.

`ShallowText` has what the published trees read. `local_features` puts all 23 features of a block side
by side, `with_context` adds those of its neighbours and the quotients to the block before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tamis.arrays import Floats, Ints
from tamis.cached import cached_property
from tamis.document import Document, tags
from tamis.document.tags import CODES
from tamis.document.words import Tokens, sum_ranges, tokenize
from tamis_papers.columns import Columns, previous

_IS_LINK = tags.lookup("a")


@dataclass(frozen=True, eq=False)
class Blocks:
    """Runs of visible text leaves. Leaf `leaves[i]` belongs to block `block[i]`."""

    document: Document
    leaves: Ints  # rows of the document's leaves, ascending
    block: Ints  # (leaves,) the number of its block, ascending from 0
    bounds: Ints  # (blocks + 1,) the first position of each block in `leaves`, and at the end their number

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block, white space folded, a space between its leaves."""
        texts = [self.document.leaves.text[leaf] for leaf in self.leaves.tolist()]
        return [" ".join(" ".join(texts[first:stop]).split()) for first, stop in pairwise(self.bounds.tolist())]

    @cached_property
    def first_leaf(self) -> Ints:
        """The row of the first leaf of each block."""
        return self.leaves[self.bounds[:-1]]

    def to_leaves(self, values: Floats, outside: float) -> Floats:
        """Spread one value a block over the page's leaves; leaves in no block get `outside`."""
        spread = np.full(len(self.document.leaves), outside)
        spread[self.leaves] = values[self.block]
        return spread


def atomic_text_blocks(document: Document) -> Blocks:
    """§4.1: a block is the text between two tags; every tag except A separates."""
    elements, all_leaves = document.elements, document.leaves
    leaves = all_leaves.visible_text
    is_link = _IS_LINK[elements.code]
    # Two leaves share a block if no tag except A opens or closes between them. An opening tag changes
    # the running count of elements, a closing tag the element that holds the leaf.
    opened = np.cumsum(~is_link)[all_leaves.opened[leaves]]
    holder = elements.nearest(~is_link, all_leaves.element[leaves])
    begins = np.ones(len(leaves), dtype=np.bool_)
    begins[1:] = (opened[1:] != opened[:-1]) | (holder[1:] != holder[:-1])
    block = begins.cumsum()
    bounds = np.full(int(block[-1]) + 1 if len(leaves) else 1, len(leaves))
    bounds[:-1] = np.flatnonzero(begins)
    return Blocks(document, leaves, block - 1, bounds)


WRAP_WIDTH = 80  # §3.4: w_max

# §3.2: the enclosing tags that are looked at.
ENCLOSING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "a")

# §3.3: a sentence ends at a full stop, question or exclamation mark or semicolon, which closing quotes
# and brackets may follow. Marks of other scripts with the same meaning are added. In a script without
# spaces one token holds many sentences, so there a mark ends a sentence anywhere in the token.
_SENTENCE_END = re.compile(r"[.?!;\u061f\u061b\u0964\u2026][\"'\u2019\u201d\u00bb)\]]*$|[\u3002\uff1f\uff01\uff1b]")

# §3.3 counts "date/time-related tokens" without listing them: numeric dates and times, years,
# month and day names and their short forms, am/pm and the common time zones of news pages.
_DATE_TIME = re.compile(
    r"""^[(\[]?(?:
        \d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})? | \d{1,2}[:.h]\d{2}(?::\d{2})?(?:am|pm|a\.m|p\.m)? |
        \d{1,2}(?:am|pm) | \d{1,2}(?:st|nd|rd|th) | (?:19|20)\d{2} |
        jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|
        oct(?:ober)?|nov(?:ember)?|dec(?:ember)? |
        (?:mon|tues|wednes|thurs|fri|satur|sun)day | mon|tues?|wed|thu|thurs?|fri|sat|sun |
        am|pm|a\.m|p\.m|gmt|utc|est|edt|cst|cdt|pst|pdt|bst|cet|cest|ist
    )[.,;:)\]]*$""",
    re.IGNORECASE | re.VERBOSE,
)


class ShallowText:
    """Features of the blocks that hold a word: arrays with one row a block, computed on first use.

    Blocks without a word (a bar, a bullet, a dash between two links) are left out, as in the paper: on
    its own corpus 72,635 blocks have a word, and it counts 72,662. They get no features and do not count as
    neighbours; in `to_leaves` they follow the blocks around them.
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
        """The page of the blocks."""
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
    def _bounds(self) -> Ints:
        """The first token of each block, with a word or without, and at the end the number of tokens."""
        return self._tokens.bounds[self._all.bounds]

    @cached_property
    def _words(self) -> Floats:
        return sum_ranges(self._tokens.weight, self._bounds)

    @cached_property
    def _worded(self) -> Ints:
        """The numbers of the blocks with a word."""
        return np.flatnonzero(self._words)

    def _sum(self, per_token: Floats) -> Floats:
        """Sum a value of each token over each block."""
        return sum_ranges(per_token, self._bounds)[self._worded]

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
        """§3.3: the share of the tokens of a block that are inside an A tag."""
        per_leaf = self._tokens.sum_per_text(self._token_weight)
        linked = per_leaf * self.document.leaves.in_link[self._all.leaves]
        return _ratio(sum_ranges(linked, self._all.bounds)[self._worded], self.num_tokens)

    @cached_property
    def text_density(self) -> Floats:
        """§3.4, equation 1: tokens per line when wrapped at 80 characters, the last line left out."""
        tokens = self._tokens
        # Where each token ends if the whole page were one line with single spaces.
        ends = (np.cumsum(tokens.length) + np.arange(len(tokens.length))).tolist()
        weights = np.concatenate([[0.0], np.cumsum(self._token_weight)]).tolist()
        bounds = self._bounds.tolist()
        ranges = [(bounds[number], bounds[number + 1]) for number in self._worded.tolist()]
        return np.array([_density(ends, weights, first, stop) for first, stop in ranges], dtype=np.float64)

    @property
    def avg_word_length(self) -> Floats:
        """§3.3: characters a word."""
        return _ratio(self._sum((self._tokens.length * self._tokens.is_word).astype(np.float64)), self.num_words)

    def count(self, counted: Callable[[str], int]) -> Floats:
        """The sum over the tokens of each block of what `counted` returns for a token."""
        return self._sum(np.fromiter(map(counted, self._tokens.strings), np.float64))

    def enclosed_by(self, tag: str) -> Floats:
        """§3.2: 1 for each block inside an element of this tag, else 0."""
        elements = self.document.elements
        is_tag = elements.code == CODES[tag]
        return elements.inside(is_tag)[self.document.leaves.element[self.leaves]].astype(np.float64)


def local_features(text: ShallowText) -> Columns:
    """The 23 features of a block by itself (Table 2: "All Local Features (C)"), by §3.2 and §3.3."""
    words, position = text.num_words, np.arange(len(text), dtype=np.float64)
    capitalized = text.count(lambda token: token[:1].isupper())
    upper = text.count(str.isupper)
    # Text without any end mark is one sentence.
    sentences = np.maximum(1.0, text.count(lambda token: len(_SENTENCE_END.findall(token))))
    columns = {
        "num_words": words,
        "text_density": text.text_density,
        "link_density": text.link_density,
        "avg_word_length": text.avg_word_length,
        "avg_sentence_length": _ratio(words, sentences),
        "position": position,
        "relative_position": position / max(1, len(text) - 1),
        "num_capitalized": capitalized,
        "capitalized_ratio": _ratio(capitalized, words),
        "num_upper": upper,
        "upper_ratio": _ratio(upper, words),
        "full_stop_ratio": _ratio(text.count(lambda token: token.count(".")), words),
        "num_dates": text.count(lambda token: _DATE_TIME.search(token) is not None),
        "num_bars": text.count(lambda token: token.count("|")),
    }
    return Columns.of(columns | {f"in_{tag}": text.enclosed_by(tag) for tag in ENCLOSING_TAGS})


def with_context(text: ShallowText) -> Columns:
    """The 67 features: of the block, of the blocks before and after it, and its quotients to the one before.

    Position is not repeated for the neighbours: it follows from that of the block.
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
        # A token longer than a line gets a line of its own.
        after = max(line + 1, bisect_right(ends, origin + WRAP_WIDTH, line, stop))
        if after >= stop:
            break
        line, lines = after, lines + 1
    if not lines:
        return weights[stop] - weights[first]
    return (weights[line] - weights[first]) / lines
