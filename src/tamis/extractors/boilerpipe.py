"""Boilerplate Detection using Shallow Text Features (Kohlschütter, Fankhauser, Nejdl; WSDM 2010).

The page is cut into atomic text blocks (§4.1), each block gets a few shallow features (§3.3,
§3.4), and a small published decision tree tells content from boilerplate (§4.3.1). Two filters
made for news follow where asked for (§4.3.2).

Where the paper leaves a choice open, the choice and its reason stand at the code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

import numpy as np

from tamis.blocks import Blocks, atomic_text_blocks
from tamis.document import Document
from tamis.document.titles import fold, title_parts
from tamis.features.columns import Floats, following, previous
from tamis.features.shallow import ShallowText
from tamis.labels import THRESHOLD, Labels, from_text_scores


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
        """Blocks, features, tree, filter."""
        blocks = atomic_text_blocks(document)
        text = ShallowText(blocks)
        scores = _RULES[self.rule](text)
        if self.filter is Filter.LARGEST:
            scores = _largest_content(text, scores)
        if self.filter is Filter.MAIN:
            title = _title_block(blocks)
            scores = _within_article(blocks, scores, title)
            scores = _largest_content(text, scores)
            scores = _with_title(scores, title)
        return from_text_scores(document, blocks.to_leaves(scores, outside=0.0))


# §4.3.1: the trees. Each returns, for each block, how sure its leaf of the tree is of content:
# at least THRESHOLD in a leaf that says CONTENT, less in one that says BOILERPLATE.


def _density_tree(text: ShallowText) -> Floats:
    """Algorithm 1, densitometric classifier."""
    density, link = text.text_density, text.link_density
    before, after = previous(density), following(density)
    sparse = np.where(after <= 10, np.where(before <= 4, 0.0, 1.0), 1.0)
    dense = np.where(after == 0, 0.0, 1.0)
    after_links = np.where(after <= 11, 0.0, 1.0)
    after_text = np.where(density <= 9, sparse, dense)
    unlinked = np.where(previous(link) <= 0.555556, after_text, after_links)
    return np.where(link <= 0.333333, unlinked, 0.0)


def _words_tree(text: ShallowText) -> Floats:
    """Algorithm 2, classifier based on the number of words."""
    words, link = text.num_words, text.link_density
    before, after = previous(words), following(words)
    short = np.where(after <= 15, np.where(before <= 4, 0.0, 1.0), 1.0)
    short_after_links = np.where(after <= 17, 0.0, 1.0)
    after_text = np.where(words <= 16, short, 1.0)
    after_links = np.where(words <= 40, short_after_links, 1.0)
    unlinked = np.where(previous(link) <= 0.555556, after_text, after_links)
    return np.where(link <= 0.333333, unlinked, 0.0)


def _cleaneval_rule(text: ShallowText) -> Floats:
    """§4.3.2: what remained of the tree when it was trained on CleanEval."""
    content = (text.text_density >= 7) & (text.link_density <= 0.35)
    return np.where(content, 1.0, 0.0)


_RULES = {Rule.DENSITY: _density_tree, Rule.WORDS: _words_tree, Rule.CLEANEVAL: _cleaneval_rule}


# §4.3.2: the filters. A block that a filter takes away keeps this share of its score, so that it
# falls below THRESHOLD and still stands above what the tree itself called boilerplate.
_FILTERED = 0.45

# The paper merges nothing in words, but its Largest Content Filter takes one block of what is
# often a hundred atomic ones; it can only mean content that stands together. Blocks count as
# together when at most this many boilerplate blocks stand between them.
_GAP = 1

# "A block solely containing one out of 11 indicator strings like 'User comments:'". The paper
# names this one; the other ten are the common headings of the same meaning.
_COMMENT_HEADINGS = (
    "user comments",
    "comments",
    "reader comments",
    "readers' comments",
    "your comments",
    "post a comment",
    "add a comment",
    "leave a comment",
    "add your comment",
    "have your say",
    "what you think",
)
_COMMENT_HEADING = re.compile(
    rf"(?:\d+\s+)?(?:{'|'.join(map(re.escape, _COMMENT_HEADINGS))})\s*(?:\(\s*\d+\s*\))?\s*:?", re.IGNORECASE
)

# A part of the TITLE shorter than this (the site's name, a section) proves nothing.
_MIN_TITLE_WORDS = 3


def _largest_content(text: ShallowText, scores: Floats) -> Floats:
    """Largest Content Filter: of the runs of content, the one with the most words stays."""
    content = np.flatnonzero(scores >= THRESHOLD)
    if not content.size:
        return scores
    run = np.cumsum(np.diff(content, prepend=content[0]) > _GAP + 1)
    words = np.bincount(run, weights=text.num_words[content])
    others = content[run != np.argmax(words)]
    filtered = scores.copy()
    filtered[others] *= _FILTERED
    return filtered


def _within_article(blocks: Blocks, scores: Floats, title: int | None) -> Floats:
    """Main Content Filter: nothing above the title, nothing below a comments heading."""
    outside = np.ones(len(blocks), dtype=np.bool_)
    first = 0 if title is None else title
    outside[first : _comments_block(blocks, after=first)] = False
    return np.where(outside, scores * _FILTERED, scores)


def _with_title(scores: Floats, title: int | None) -> Floats:
    """The block that matches the TITLE is the headline, and a headline is content (Table 1)."""
    if title is None or not (scores >= THRESHOLD).any():
        return scores
    titled = scores.copy()
    titled[title] = max(titled[title], THRESHOLD)
    return titled


def _title_block(blocks: Blocks) -> int | None:
    """The first block that is the document's TITLE or one of its parts."""
    title = blocks.document.title
    wanted = {fold(part) for part in title_parts(title) if len(part.split()) >= _MIN_TITLE_WORDS}
    wanted |= {fold(title)} - {""}
    return next((number for number, text in enumerate(blocks.texts) if fold(text) in wanted), None)


def _comments_block(blocks: Blocks, *, after: int) -> int:
    """The first block after `after` that is nothing but a comments heading, or the end."""
    return next(
        (number for number in range(after + 1, len(blocks)) if _COMMENT_HEADING.fullmatch(blocks.texts[number])),
        len(blocks),
    )


density = Boilerpipe(Rule.DENSITY)
words = Boilerpipe(Rule.WORDS)
cleaneval = Boilerpipe(Rule.CLEANEVAL)
largest = Boilerpipe(Rule.WORDS, Filter.LARGEST)
article = Boilerpipe(Rule.WORDS, Filter.MAIN)
