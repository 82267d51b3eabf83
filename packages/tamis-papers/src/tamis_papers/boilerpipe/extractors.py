"""Boilerplate Detection using Shallow Text Features (Kohlschütter, Fankhauser, Nejdl; WSDM 2010).

The page is cut into atomic text blocks (§4.1), each block gets a few shallow features (§3.3,
§3.4), and a small published decision tree tells content from boilerplate (§4.3.1). Two optional
filters for news follow (§4.3.2). README.md lists what the paper leaves open and what was chosen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

import numpy as np

from tamis.arrays import Floats
from tamis.document import Document
from tamis.document.titles import fold, title_parts
from tamis.errors import OptionError
from tamis.labels import THRESHOLD, Labels, from_text_scores
from tamis_papers.boilerpipe.features import ShallowText, atomic_text_blocks
from tamis_papers.columns import Columns, following, previous


class Rule(Enum):
    """The published classifiers of single blocks."""

    DENSITY = "Algorithm 1"
    WORDS = "Algorithm 2"
    CLEANEVAL = "§4.3.2, trained on CleanEval"


class Filter(Enum):
    """What happens after the classifier (§4.3.2)."""

    NONE = "all content blocks stay"
    LARGEST = "Largest Content Filter"
    MAIN = "Main Content Filter"


@dataclass(frozen=True)
class Boilerpipe:
    """One of the paper's classifiers, with or without one of its filters."""

    rule: Rule
    filter: Filter = Filter.NONE

    def label(self, document: Document) -> Labels:
        """Cut into blocks, compute features, apply the tree, then the filter."""
        text = ShallowText(atomic_text_blocks(document))
        scores = _block_scores(self.rule, text)
        if self.filter is Filter.LARGEST:
            scores = _largest_content(text, scores)
        if self.filter is Filter.MAIN:
            title = _title_block(text)
            scores = _within_article(text, scores, title)
            scores = _largest_content(text, scores)
            scores = _with_title(scores, title)
        return from_text_scores(document, text.to_leaves(scores))


# §4.3.1: the trees. Each returns a score for each block. The decision is the paper's: a leaf of the tree
# that says CONTENT has at least THRESHOLD, one that says BOILERPLATE less. The value is the share of
# main content among the words of such blocks, measured on every second page of WCXB dev; in BOILERPLATE
# leaves it is at most 0.45.

# Weka prints six digits; the splits are at densities that blocks have.
_LINKED = 1 / 3  # 0.333333
_LINKED_BEFORE = 5 / 9  # 0.555556


def _density_tree(density: Floats, before: Floats, after: Floats, link: Floats, link_before: Floats) -> Floats:
    """Algorithm 1, densitometric classifier."""
    sparse = np.where(after <= 10, np.where(before <= 4, 0.45, 0.65), 0.77)
    dense = np.where(after == 0, 0.11, 0.79)
    after_links = np.where(after <= 11, 0.45, 0.69)
    after_text = np.where(density <= 9, sparse, dense)
    unlinked = np.where(link_before <= _LINKED_BEFORE, after_text, after_links)
    return np.where(link <= _LINKED, unlinked, 0.23)


def _words_tree(words: Floats, before: Floats, after: Floats, link: Floats, link_before: Floats) -> Floats:
    """Algorithm 2, classifier based on the number of words."""
    short = np.where(after <= 15, np.where(before <= 4, 0.45, 0.70), 0.80)
    short_after_links = np.where(after <= 17, 0.45, 0.73)
    after_text = np.where(words <= 16, short, 0.79)
    after_links = np.where(words <= 40, short_after_links, 0.61)
    unlinked = np.where(link_before <= _LINKED_BEFORE, after_text, after_links)
    return np.where(link <= _LINKED, unlinked, 0.23)


def _cleaneval_rule(density: Floats, link: Floats) -> Floats:
    """§4.3.2: the tree that was trained on CleanEval, which is one rule."""
    return np.where((density >= 7) & (link <= 0.35), 0.76, 0.36)


def _block_scores(rule: Rule, text: ShallowText) -> Floats:
    """The scores of the blocks of one page."""
    link = text.link_density
    if rule is Rule.CLEANEVAL:
        return _cleaneval_rule(text.text_density, link)
    size, tree = (text.text_density, _density_tree) if rule is Rule.DENSITY else (text.num_words, _words_tree)
    return tree(size, previous(size), following(size), link, previous(link))


def tree_scores(rule: Rule, columns: Columns) -> Floats:
    """The same from the columns of `with_context`, which hold the neighbours' values."""
    name, tree = ("text_density", _density_tree) if rule is Rule.DENSITY else ("num_words", _words_tree)
    sizes = columns[name], columns[f"prev_{name}"], columns[f"next_{name}"]
    return tree(*sizes, columns["link_density"], columns["prev_link_density"])


# §4.3.2: the filters. Content that a filter removes gets this score: below THRESHOLD, and above the
# scores of boilerplate.
_FILTERED = 0.48

# The score of a headline that matches the TITLE.
_TITLE = 0.9

# The paper does not mention merging, but one atomic block is often a hundredth of an article, so its
# Largest Content Filter can only mean adjacent content. Navigation separates pieces
# of content, so blocks belong together while at most this many words in links are between them.
# Chosen on the article pages of WCXB dev, where the mean token F1 rises from 0.69 (2 words) to 0.86
# (20) and hardly further (0.87 at 40); counting blocks or all words between them does worse.
_LINKED_WORDS_APART = 20

# "A block solely containing one out of 11 indicator strings like 'User comments:'". The paper names
# only that one; the other ten are common headings with the same meaning.
_COMMENT_HEADING = re.compile(
    r"(?:\d++\s++)?(?:user comments|comments|reader comments|readers' comments|your comments|post a comment|"
    r"add a comment|leave a comment|add your comment|have your say|what you think)\s*+(?:\(\s*+\d++\s*+\)\s*+)?:?",
    re.IGNORECASE,
)

# Shorter parts of the TITLE (the site's name, a section) are not looked for.
_MIN_TITLE_WORDS = 3


def _largest_content(text: ShallowText, scores: Floats) -> Floats:
    """Largest Content Filter: only the stretch of content with the most words stays."""
    is_content = scores >= THRESHOLD
    content = np.flatnonzero(is_content)
    if not content.size:
        return scores
    linked = np.cumsum(np.where(is_content, 0.0, text.num_words * text.link_density))[content]
    stretch = np.cumsum(np.diff(linked, prepend=linked[0]) > _LINKED_WORDS_APART)
    words = np.bincount(stretch, weights=text.num_words[content])
    filtered = scores.copy()
    filtered[content[stretch != np.argmax(words)]] = _FILTERED
    return filtered


def _within_article(text: ShallowText, scores: Floats, title: int | None) -> Floats:
    """Main Content Filter: nothing above the title, nothing below a comments heading."""
    outside = np.ones(len(scores), dtype=np.bool_)
    first = 0 if title is None else title
    outside[first : _comments_block(text, scores, after=first)] = False
    return np.where(outside & (scores >= THRESHOLD), _FILTERED, scores)


def _with_title(scores: Floats, title: int | None) -> Floats:
    """The block that matches the TITLE is the headline, and a headline is content (Table 1)."""
    if title is None or not (scores >= THRESHOLD).any():
        return scores
    titled = scores.copy()
    titled[title] = max(titled[title], _TITLE)
    return titled


def _title_block(text: ShallowText) -> int | None:
    """The first block that is the document's TITLE or one of its parts."""
    title = text.document.title
    wanted = {fold(part) for part in title_parts(title) if len(part.split()) >= _MIN_TITLE_WORDS}
    wanted |= {fold(title)} - {""}
    return next((number for number in _unlinked(text) if fold(text.texts[number]) in wanted), None)


def _comments_block(text: ShallowText, scores: Floats, *, after: int) -> int:
    """The first block below some content that is nothing but a comments heading, or the end."""
    headings = (number for number in _unlinked(text) if _COMMENT_HEADING.fullmatch(text.texts[number]))
    # The headline alone does not count as content.
    below_content = (number for number in headings if (scores[after + 1 : number] >= THRESHOLD).any())
    return next(below_content, len(text))


def _unlinked(text: ShallowText) -> list[int]:
    """The blocks that may be a "clearly identifiable" title or comments heading: those without links.

    Titles occur in lists of other pages, and many pages have a link "12 comments" below their headline.
    """
    return np.flatnonzero(text.link_density == 0).tolist()


@dataclass(frozen=True)
class MinWords:
    """§4.3.2, a baseline: keeps the blocks with at least this many words.

    The score is 0.5 at the limit and 1 at twice the limit.
    """

    min_words: int = 10

    def __post_init__(self) -> None:
        if self.min_words < 1:
            raise OptionError(f"min_words is at least 1, not {self.min_words}")

    def label(self, document: Document) -> Labels:
        """Score blocks by their number of words."""
        text = ShallowText(atomic_text_blocks(document))
        return from_text_scores(document, text.to_leaves(np.minimum(1.0, text.num_words / (2 * self.min_words))))


min_words = MinWords()
density = Boilerpipe(Rule.DENSITY)
words = Boilerpipe(Rule.WORDS)
cleaneval = Boilerpipe(Rule.CLEANEVAL)
largest = Boilerpipe(Rule.WORDS, Filter.LARGEST)
article = Boilerpipe(Rule.WORDS, Filter.MAIN)
