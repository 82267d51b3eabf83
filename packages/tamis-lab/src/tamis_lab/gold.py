"""Which leaves of a corpus page are content: the labels for training and for leaf scores.

Most corpora give the main content as text and do not say which parts of the page it is. Gold text becomes leaf labels
as in Web2Text §4.1: word sequences that occur once in the text and once on the page are surely the same; they divide
both into parts, and within the parts dynamic programming finds the longest common subsequence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Floats
from tamis.document import Document
from tamis_lab import needs
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.metrics import tokens

# Lengths of the word sequences that are tried as unique matches, long ones first: a long sequence that is unique
# is not an accident. Shorter ones are left to the dynamic programming.
_SEQUENCE_LENGTHS = (12, 6, 3)

# A part of a page and of its gold with fewer pairs of words than this is not divided further.
_SMALL = 2_500

# Pages with less of their gold than this on them are placed badly: the corpus took the text from
# another state of the page, or its order is not the page's.
BADLY_PLACED = 0.9

# A leaf is content when at least this share of its words was matched.
_CONTENT_SHARE = 0.5

Pair = tuple[int, int]


class _AlignedPart(NamedTuple):
    """A part of the page and the part of the gold that belongs to it."""

    low: int
    high: int
    gold_low: int
    gold_high: int
    after_sequence: bool = False  # it starts with a unique word sequence
    before_sequence: bool = False  # a unique word sequence follows it
    attempt: int = 0  # which of _SEQUENCE_LENGTHS comes next


@dataclass(frozen=True)
class Placed:
    """How much of a gold text was found on its page."""

    gold_words: int
    placed_words: int

    @property
    def share(self) -> float:
        """The share of gold words that were found; 1 without gold."""
        return self.placed_words / self.gold_words if self.gold_words else 1.0

    @property
    def is_bad(self) -> bool:
        """Is too much of the gold missing for the labels to be trusted?"""
        return self.share < BADLY_PLACED


@dataclass(frozen=True)
class Alignment(Placed):
    """The same, and which leaves the gold text is made of."""

    content: Bools  # (leaves,)
    matched: Floats  # (leaves,) share of the leaf's words that the gold has at this place


def align(document: Document, gold_text: str) -> Alignment:
    """Find the text leaves of a page that the gold text is made of.

    Leaves that are not visible take part: some corpora count text that a script shows later.
    """
    page: list[str] = []
    owner: list[int] = []
    for leaf, text in enumerate(document.leaves.text):
        words = tokens(text)
        page += words
        owner += [leaf] * len(words)
    gold = tokens(gold_text)
    pairs = match(page, gold)
    leaves = len(document.leaves)
    sizes = np.bincount(np.array(owner, dtype=np.int64), minlength=leaves)
    hits = np.bincount(np.array([owner[position] for position, _ in pairs], dtype=np.int64), minlength=leaves)
    matched = np.divide(hits, sizes, out=np.zeros(leaves), where=sizes > 0)
    return Alignment(len(gold), len(pairs), (matched >= _CONTENT_SHARE) & (sizes > 0), matched)


def match(page: Sequence[str], gold: Sequence[str]) -> list[Pair]:
    """Pairs of positions of equal words, ascending in both."""
    numbers: dict[str, int] = {}
    first = [numbers.setdefault(word, len(numbers)) for word in page]
    second = [numbers.setdefault(word, len(numbers)) for word in gold]
    found: list[Pair] = []
    parts = [_AlignedPart(0, len(first), 0, len(second))]
    while parts:
        part = parts.pop()
        low, high, gold_low, gold_high = part.low, part.high, part.gold_low, part.gold_high
        # Words next to a unique sequence are the same words as long as they agree. Elsewhere an equal
        # start proves nothing: a teaser starts as its article does.
        while part.after_sequence and low < high and gold_low < gold_high and first[low] == second[gold_low]:
            found.append((low, gold_low))
            low, gold_low = low + 1, gold_low + 1
        while part.before_sequence and low < high and gold_low < gold_high and first[high - 1] == second[gold_high - 1]:
            high, gold_high = high - 1, gold_high - 1
            found.append((high, gold_high))
        if low >= high or gold_low >= gold_high:
            continue
        small = (high - low) * (gold_high - gold_low) <= _SMALL
        if part.attempt >= len(_SEQUENCE_LENGTHS) or (small and part.attempt > 0):
            found += _common_subsequence(first, second, low, high, gold_low, gold_high)
            continue
        anchors = _unique_sequences(first[low:high], second[gold_low:gold_high], _SEQUENCE_LENGTHS[part.attempt])
        edges = [(low, gold_low), *[(low + place, gold_low + gold_place) for place, gold_place in anchors]]
        edges.append((high, gold_high))
        for number, ((start, gold_start), (end, gold_end)) in enumerate(pairwise(edges)):
            # A sequence itself is found by the comparison at the start of its part.
            after = part.after_sequence if number == 0 else True
            before = part.before_sequence if number == len(anchors) else True
            parts.append(_AlignedPart(start, end, gold_start, gold_end, after, before, part.attempt + 1))
    found.sort()
    return found


def _unique_sequences(page: Sequence[int], gold: Sequence[int], length: int) -> list[Pair]:
    """Where word sequences start that both have exactly once, in an order that both share."""
    on_page = _single(page, length)
    in_gold = _single(gold, length)
    shared = ((place, in_gold.get(sequence, -1)) for sequence, place in on_page.items())
    return _longest_increasing(sorted(pair for pair in shared if min(pair) >= 0))


def _single(words: Sequence[int], length: int) -> dict[tuple[int, ...], int]:
    """Each word sequence of this length with its place, or -1 where there are several."""
    places: dict[tuple[int, ...], int] = {}
    for place in range(len(words) - length + 1):
        sequence = tuple(words[place : place + length])
        places[sequence] = -1 if sequence in places else place
    return places


def _longest_increasing(pairs: Sequence[Pair]) -> list[Pair]:
    """The longest part of pairs, ascending in the first, that ascends in the second as well."""
    tails: list[int] = []  # smallest last value of a chain of each length
    last: list[int] = []  # the pair that ends it
    before: list[int] = []
    for number, (_, value) in enumerate(pairs):
        length = bisect_left(tails, value)
        before.append(last[length - 1] if length else -1)
        if length == len(tails):
            tails.append(value)
            last.append(number)
        else:
            tails[length] = value
            last[length] = number
    chain: list[Pair] = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _common_subsequence(
    page: Sequence[int], gold: Sequence[int], low: int, high: int, gold_low: int, gold_high: int
) -> list[Pair]:
    with needs("bench", "aligning gold text"):
        from rapidfuzz.distance import LCSseq
    operations = LCSseq.opcodes(page[low:high], gold[gold_low:gold_high])
    return [
        (low + block.src_start + step, gold_low + block.dest_start + step)
        for block in operations
        if block.tag == "equal"
        for step in range(block.src_end - block.src_start)
    ]


# Labels of the leaves of a page


@dataclass(frozen=True, eq=False)
class LeafGold:
    """The labels of the leaves of a page."""

    content: Bools  # (leaves,)
    known: Bools  # (leaves,) visible texts, except those of which the annotators were not sure
    is_bad: bool  # too much of the gold text was not found on the page
    unfolded: LeafGold | None = None  # the same for the unfolded page, where something is folded away


def leaf_gold(page: CorpusPage, document: Document) -> LeafGold:
    """Label leaves by the marks of annotators where the corpus has them, else by aligning its gold text."""
    aligned = None if page.leaf_labels is not None else align(document, page.gold_text or "")
    gold = _leaf_gold(page, document, aligned)
    folded = document.leaves.folded.any()
    return replace(gold, unfolded=_leaf_gold(page, document.unfolded, aligned)) if folded else gold


def _leaf_gold(page: CorpusPage, document: Document, aligned: Alignment | None) -> LeafGold:
    leaves = document.leaves
    readable = leaves.visible & ~leaves.is_media
    if aligned is not None:
        content = with_wordless(document, aligned.content & readable)
        return LeafGold(content, readable, aligned.is_bad)
    labels = page.leaf_labels or ()
    content = np.array([label in page.content_labels for label in labels], dtype=np.bool_)
    unclear = np.array([label in page.unclear_labels for label in labels], dtype=np.bool_)
    return LeafGold(content & readable, readable & ~unclear, is_bad=False)


def with_wordless(document: Document, content: Bools) -> Bools:
    """Add bullets, bars and dashes to the content where the words on both sides of them are content.

    Gold text is compared by words, so it tells nothing about texts without any.
    """
    texts = document.leaves.visible_text
    worded = np.fromiter((bool(tokens(document.leaves.text[leaf])) for leaf in texts.tolist()), np.bool_, len(texts))
    around = np.concatenate([[False], content[texts[worded]], [False]])
    wordless = np.flatnonzero(~worded)
    after = np.cumsum(worded)[wordless]  # how many texts with words are before each
    whole = content.copy()
    whole[texts[wordless]] = around[after] & around[after + 1]
    return whole


# How much of the gold text of a corpus is found on its pages


@dataclass(frozen=True)
class Placing(Placed):
    """How many gold words of one page were found on it."""

    id: str


@dataclass(frozen=True)
class AlignmentReport:
    """The pages with gold text of one corpus or split."""

    label: str
    pages: Sequence[Placing]

    @property
    def gold_words(self) -> int:
        """The gold words of all pages."""
        return sum(page.gold_words for page in self.pages)

    @property
    def share(self) -> float:
        """The share of all gold words that were found, long pages counting for more."""
        return Placed(self.gold_words, sum(page.placed_words for page in self.pages)).share

    @property
    def bad(self) -> list[Placing]:
        """The pages with too little of their gold on them for the labels to be trusted."""
        return [page for page in self.pages if page.is_bad]

    def worst(self, count: int) -> list[Placing]:
        """The pages with the smallest share, the smallest first."""
        return sorted(self.pages, key=lambda page: (page.share, page.id))[:count]


def alignment_report(label: str, pages: Iterable[CorpusPage]) -> AlignmentReport:
    """Place the gold text of every page that has one. Raises PageTooLarge, MissingExtra, and like reading the pages."""
    placings: list[Placing] = []
    for page in pages:
        if page.gold_text is not None:
            found = align(page.document(), page.gold_text)
            placings.append(Placing(found.gold_words, found.placed_words, page.id))
    return AlignmentReport(label, placings)
