"""The labelled blocks of a page as boilerpipe (2010) makes them, and the readings of what the paper leaves open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from tamis import registry
from tamis.arrays import Bools, Floats, Ints
from tamis.document import Document, tags
from tamis_lab.corpora.annotated import L3S_CONTENT, L3S_LABELS
from tamis_lab.corpora.catalogue import Corpus
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.metrics import prf, tokens
from tamis_papers.boilerpipe.extractors import min_words
from tamis_papers.boilerpipe.features import ShallowText, atomic_text_blocks, with_context
from tamis_papers.columns import Columns

CLASSES = L3S_LABELS  # as in the corpus's readme; table1 shows why not as in Table 1
_IS_LINK = tags.lookup("a")


@dataclass(frozen=True)
class NewsBlocks:
    """One row a block of the corpus, in the order of pages and of blocks on the page."""

    features: Columns  # the 67 columns of `with_context`
    classes: np.ndarray[tuple[int], np.dtype[np.str_]]
    tokens: Floats  # as the paper counts them, with a mark where a link starts and where it ends
    plain_tokens: Floats

    @property
    def words(self) -> Floats:
        """The number of words of each block."""
        return self.features["num_words"]

    @property
    def is_content(self) -> Bools:
        """Table 1: any content, related content and comments included."""
        content: Bools = self.classes != "not-content"
        return content


def shallow_text(document: Document) -> ShallowText:
    """The features of the atomic text blocks of a page."""
    return ShallowText(atomic_text_blocks(document))


def with_hidden_text(document: Document, *also: str) -> Document:
    """The page as read without styles: text that they hide is visible.

    Text of option elements and of the head stays invisible, unless their tags are in `also`. The counts
    of Table 1 show that the paper read pages in this way (see table1).
    """
    leaves, elements = document.leaves, document.elements
    unread = tags.lookup(*(tags.INVISIBLE - set(also)))
    read: Bools = ~elements.inside(unread[elements.code])[leaves.element]
    return replace(document, leaves=replace(leaves, visible=leaves.visible | read))


def leaf_classes(page: CorpusPage) -> list[str]:
    """The class of each leaf of a page; unmarked leaves are not content."""
    return [label or CLASSES[0] for label in page.leaf_labels or ()]


def read_blocks(corpus: Corpus) -> NewsBlocks:
    """The blocks of every page with features and the class that the annotators gave."""
    features: list[Columns] = []
    classes: list[str] = []
    tokens: list[Floats] = []
    marks: list[Floats] = []
    for page in corpus.pages():
        document = with_hidden_text(Document.from_html(page.html))
        text = shallow_text(document)
        labels = leaf_classes(page)
        features.append(with_context(text))
        classes += [labels[leaf] for leaf in text.leaves.tolist()]
        tokens.append(text.num_tokens)
        marks.append(link_marks(document, text))
    joined = Columns(features[0].names, np.vstack([columns.values for columns in features]))
    plain = np.concatenate(tokens)
    return NewsBlocks(joined, np.array(classes), plain + np.concatenate(marks), plain)


def link_marks(document: Document, text: ShallowText) -> Floats:
    """For each block: 2 for each link that begins in it."""
    leaves = document.leaves.visible_text
    link = links_of(document, leaves)
    first = leaves[np.unique(link, return_index=True)[1]]  # of each link, and of the text in none
    first = first[document.leaves.in_link[first]]
    block = np.maximum(text.leaves.searchsorted(first, side="right") - 1, 0)
    return 2.0 * np.bincount(block, minlength=len(text))[: len(text)].astype(np.float64)


def links_of(document: Document, leaves: Ints | Bools) -> Ints:
    """For each of these leaves: the row of the link that holds it, else -1."""
    return document.elements.nearest(_IS_LINK[document.elements.code], document.leaves.element[leaves])


MAIN_CONTENT = ("headline", "fulltext", "supplemental")


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
    text = shallow_text(document)
    return _at_least_ten(text, text.num_words)


def long_runs(document: Document) -> Bools:
    """As the authors' program does it: neighbours of equal text density are joined to one block first."""
    text = shallow_text(document)
    run = np.cumsum(np.diff(text.text_density, prepend=text.text_density[:1]) != 0)
    return _at_least_ten(text, np.bincount(run, weights=text.num_words)[run])


def blocks_of_tokens(document: Document) -> Bools:
    """Blocks with at least ten tokens, the marks where links start and end among them."""
    text = shallow_text(document)
    return _at_least_ten(text, text.num_tokens + link_marks(document, text))


def _at_least_ten(text: ShallowText, size: Floats) -> Bools:
    kept: Bools = text.to_leaves((size >= min_words.min_words).astype(np.float64)) > 0
    return kept


def lower_case(text: str) -> list[str]:
    """White-space tokens in lower case."""
    return text.lower().split()


@dataclass(frozen=True)
class PaperReading:
    """One way to understand the experiment. The defaults are taken for the paper's."""

    name: str
    shown: Callable[[Document], Document] = with_hidden_text
    tokens: Callable[[str], list[str]] = str.split
    min_words: Callable[[Document], Bools] = long_runs
    gold: Sequence[str] = MAIN_CONTENT
    marks_links: bool = False  # two more tokens for each link
    distinct: bool = False  # sets of tokens, not bags
    pooled: bool = False  # over the tokens of all pages, not a mean over pages


PAPER = PaperReading("taken for the paper's")
BENCH = PaperReading("as tamis bench measures", as_seen, tokens, long_blocks, tuple(sorted(L3S_CONTENT)))
READINGS = (
    PAPER,
    PaperReading("text hidden by styles does not count", shown=as_seen),
    PaperReading("text of option elements counts, too", shown=with_options),
    PaperReading("the TITLE element counts, too", shown=with_title),
    PaperReading("tokens are runs of letters and digits, lower case", tokens=tokens),
    PaperReading("white-space tokens, lower case", tokens=lower_case),
    PaperReading("each link counts for two more tokens", marks_links=True),
    PaperReading("sets of tokens instead of bags", distinct=True),
    PaperReading("all pages pooled instead of a mean over pages", pooled=True),
    PaperReading("min-words takes blocks as they are", min_words=long_blocks),
    PaperReading("min-words counts tokens and marks of links in blocks as they are", min_words=blocks_of_tokens),
    PaperReading("gold: comments, too", gold=(*MAIN_CONTENT, "comments")),
    PaperReading("gold: comments and related content, too", gold=(*MAIN_CONTENT, "comments", "related")),
    PaperReading("gold: headline and full text", gold=("headline", "fulltext")),
    PaperReading("gold: full text alone", gold=("fulltext",)),
    BENCH,
)


class Overlap(NamedTuple):
    """The number of tokens of one page in both texts, in the one kept and in the gold."""

    both: int
    kept: int
    gold: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return prf(*self).f1


def mean_f1(reading: PaperReading, overlaps: Sequence[Overlap]) -> float:
    """The mean over pages, in per cent, or the F1 of all pages together."""
    if reading.pooled:
        return 100 * prf(*np.sum(overlaps, axis=0).tolist()).f1
    return 100 * float(np.mean([overlap.f1 for overlap in overlaps]))


class Scorer:
    """One page under any reading; what several readings share is computed once."""

    def __init__(self, document: Document, gold: Sequence[str] | str) -> None:
        """`gold` is the class of each leaf, or the gold text of a corpus without classes."""
        self._document = document
        self._gold = gold

        @cache
        def read(read_as: Callable[[Document], Document]) -> Document:
            return read_as(document)

        @cache
        def kept(read_as: Callable[[Document], Document], strategy: str | Callable[[Document], Bools]) -> Bools:
            page = read(read_as)
            return registry.get(strategy).label(page).keep if isinstance(strategy, str) else strategy(page)

        @cache
        def tokens_of(split: Callable[[str], list[str]]) -> list[list[str]]:
            return [split(text) for text in document.leaves.text]

        self._kept, self._tokens_of = kept, tokens_of

    def overlap(self, reading: PaperReading, strategy: str) -> Overlap:
        """Compare what a strategy keeps with the gold."""
        leaves = self._kept(reading.shown, reading.min_words if strategy == "min-words" else strategy)
        kept, gold = self._bag(reading, leaves), self._gold_bag(reading)
        return Overlap((kept & gold).total(), kept.total(), gold.total())

    def _gold_bag(self, reading: PaperReading) -> Counter[str]:
        if isinstance(self._gold, str):
            return Counter(reading.tokens(self._gold))
        return self._bag(reading, np.isin(self._gold, reading.gold))

    def _bag(self, reading: PaperReading, leaves: Bools) -> Counter[str]:
        per_leaf = self._tokens_of(reading.tokens)
        bag = Counter(token for leaf in np.flatnonzero(leaves).tolist() for token in per_leaf[leaf])
        if reading.marks_links:
            link = links_of(self._document, leaves & ~self._document.leaves.is_media)
            bag["<a>"] = bag["</a>"] = len(np.unique(link[link >= 0]))
        return Counter(set(bag)) if reading.distinct else bag
