"""What the paper may have counted in Figure 2: the readings, and how a strategy scores under each.

The paper says what its strategies are and that they are compared by bags of tokens. It leaves
open which text of a page counts, what a token is, and which classes are gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis import registry
from tamis.arrays import Bools, Floats
from tamis.document import Document, tags
from tamis.lab.corpora.l3s import CONTENT
from tamis.lab.metrics import prf, tokens
from tamis.papers.boilerpipe.baselines import min_words
from tamis.papers.boilerpipe.blocks import atomic_text_blocks
from tamis.papers.boilerpipe.features import ShallowText
from tamis.papers.boilerpipe.tables.blocks import link_marks, with_hidden_text

MAIN_CONTENT = ("headline", "fulltext", "supplemental")
_IS_LINK = tags.lookup("a")


def as_seen(document: Document) -> Document:
    """Only what a browser shows."""
    return document


def with_options(document: Document) -> Document:
    """Hidden text, and that of option elements."""
    return with_hidden_text(document, "option")


def with_title(document: Document) -> Document:
    """Hidden text, and that of the TITLE element."""
    return with_hidden_text(document, "head", "title")


def long_blocks(document: Document) -> Bools:
    """The paper to the letter: blocks with at least ten words."""
    return _at_least_ten(text := _shallow(document), text.num_words)


def long_runs(document: Document) -> Bools:
    """As the authors' program does it: first it joins neighbours of equal text density to one block."""
    text = _shallow(document)
    run = np.cumsum(np.diff(text.text_density, prepend=text.text_density[:1]) != 0)
    return _at_least_ten(text, np.bincount(run, weights=text.num_words)[run])


def blocks_of_tokens(document: Document) -> Bools:
    """Blocks with at least ten tokens, the marks where links start and end among them."""
    text = _shallow(document)
    return _at_least_ten(text, text.num_tokens + link_marks(document, text))


def folded(text: str) -> list[str]:
    """White-space tokens in lower case."""
    return text.lower().split()


@dataclass(frozen=True)
class Reading:
    """One way to understand the experiment. The defaults are the one that is taken for the paper's."""

    name: str
    shown: Callable[[Document], Document] = with_hidden_text
    tokens: Callable[[str], list[str]] = str.split
    min_words: Callable[[Document], Bools] = long_runs
    gold: Sequence[str] = MAIN_CONTENT
    marks_links: bool = False  # two more tokens for each link
    distinct: bool = False  # sets of tokens, not bags
    pooled: bool = False  # over the tokens of all pages, not a mean over pages


PAPER = Reading("taken for the paper's")
HOUSE = Reading("as tamis bench measures", as_seen, tokens, long_blocks, tuple(sorted(CONTENT)))
READINGS = (
    PAPER,
    Reading("text hidden by styles does not count", shown=as_seen),
    Reading("text of option elements counts, too", shown=with_options),
    Reading("the TITLE element counts, too", shown=with_title),
    Reading("tokens are runs of letters and digits, lower case", tokens=tokens),
    Reading("white-space tokens, lower case", tokens=folded),
    Reading("each link counts for two more tokens", marks_links=True),
    Reading("sets of tokens instead of bags", distinct=True),
    Reading("all pages pooled instead of a mean over pages", pooled=True),
    Reading("min-words takes blocks as they are", min_words=long_blocks),
    Reading("min-words counts tokens and marks of links in blocks as they are", min_words=blocks_of_tokens),
    Reading("gold: comments, too", gold=(*MAIN_CONTENT, "comments")),
    Reading("gold: comments and related content, too", gold=(*MAIN_CONTENT, "comments", "related")),
    Reading("gold: headline and full text", gold=("headline", "fulltext")),
    Reading("gold: full text alone", gold=("fulltext",)),
    HOUSE,
)


class Overlap(NamedTuple):
    """How many tokens of one page are in both texts, in the one kept, in the gold."""

    both: int
    kept: int
    gold: int

    @property
    def f1(self) -> float:
        """Two times those in both by those in either."""
        return prf(*self).f1


def mean_f1(reading: Reading, overlaps: Sequence[Overlap]) -> float:
    """The mean over pages, in per cent, or the F1 of all pages together."""
    if reading.pooled:
        return 100 * prf(*np.sum(overlaps, axis=0).tolist()).f1
    return 100 * float(np.mean([overlap.f1 for overlap in overlaps]))


class Scorer:
    """One page under any reading; what several need is worked out once."""

    def __init__(self, document: Document, gold: Sequence[str] | str) -> None:
        """`gold` is the class of each leaf, or the gold text where there are no classes."""
        self._document = document
        self._gold = gold
        self._shown: dict[Callable[[Document], Document], Document] = {}
        self._kept: dict[tuple[object, ...], Bools] = {}
        self._tokens: dict[Callable[[str], list[str]], list[list[str]]] = {}

    def overlap(self, reading: Reading, strategy: str) -> Overlap:
        """What a strategy keeps, against the gold."""
        kept, gold = self._bag(reading, self._keep(reading, strategy)), self._gold_bag(reading)
        return Overlap((kept & gold).total(), kept.total(), gold.total())

    def _keep(self, reading: Reading, strategy: str) -> Bools:
        key = (reading.shown, strategy, reading.min_words if strategy == "min-words" else None)
        if key not in self._kept:
            if reading.shown not in self._shown:
                self._shown[reading.shown] = reading.shown(self._document)
            document = self._shown[reading.shown]
            if strategy == "min-words":
                self._kept[key] = reading.min_words(document)
            else:
                self._kept[key] = registry.get(strategy).label(document).keep
        return self._kept[key]

    def _gold_bag(self, reading: Reading) -> Counter[str]:
        if isinstance(self._gold, str):
            return Counter(reading.tokens(self._gold))
        return self._bag(reading, np.isin(self._gold, reading.gold))

    def _bag(self, reading: Reading, leaves: Bools) -> Counter[str]:
        if reading.tokens not in self._tokens:
            self._tokens[reading.tokens] = [reading.tokens(text) for text in self._document.leaves.text]
        per_leaf = self._tokens[reading.tokens]
        bag = Counter(token for leaf in np.flatnonzero(leaves).tolist() for token in per_leaf[leaf])
        if reading.marks_links:
            elements = self._document.elements
            texts = leaves & ~self._document.leaves.is_media
            link = elements.nearest(_IS_LINK[elements.code], self._document.leaves.element[texts])
            bag["<a>"] = bag["</a>"] = len(np.unique(link[link >= 0]))
        return Counter(set(bag)) if reading.distinct else bag


def _shallow(document: Document) -> ShallowText:
    return ShallowText(atomic_text_blocks(document))


def _at_least_ten(text: ShallowText, size: Floats) -> Bools:
    kept: Bools = text.to_leaves((size >= min_words.min_words).astype(np.float64)) > 0
    return kept
