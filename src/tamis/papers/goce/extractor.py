"""GOCE (Nguyen-Hoang et al., Genre-Oriented Web Content Extraction, PACLIC 2018): a genre, and an algorithm for it.

`article` goes down from the root to where the page first parts, and there takes the child with most
words if it is far ahead of the next, else all (Algorithm 1). `list_view` takes all elements of one
class at one depth (Algorithm 2). What they choose are elements, so media stay with the element that
holds them.

Only what a reader can see counts as text, and a run of a script without spaces is several words.
Where the paper leaves a choice open it is said below, with the mean token F1 on the pages of WCXB
dev that the algorithm is for: articles and documentation (883 pages), or collections, listings and
forums (328 pages). As shipped that is 85.1 for `article` and 58.2 for `list_view`; the kept texts
were joined for it, and as rendered text they reach 85.1 and 57.9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tamis.arrays import Ints, Longs
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.labels import Labels
from tamis.page_type import Genre
from tamis.papers.goce.genre import by_html, by_look

# §3.3.3: n, how many ids are candidates.
_CANDIDATES = 15

_NONE = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True)
class ElementChooser:
    """An extractor out of a function that chooses elements of a page, as rows in document order."""

    choose: Callable[[Document], Ints]

    def label(self, document: Document) -> Labels:
        """Visible leaves inside the chosen elements score 1, others 0; the labels carry those elements."""
        elements, leaves = document.elements, document.leaves
        chosen = self.choose(document)
        mask = np.zeros(len(elements), dtype=np.bool_)
        mask[chosen] = True
        keep = elements.inside(mask)[leaves.element] & leaves.visible
        return Labels(keep.astype(np.float64), keep, nodes=chosen)


def _own_words(document: Document) -> Longs:
    """The words of the visible texts that stand in each element itself. (elements,)"""
    leaves = document.leaves
    texts = leaves.visible_text
    tokens = tokenize([leaves.text[leaf] for leaf in texts.tolist()])
    # Whole numbers, so that two columns of the same text are equal however the sums are taken.
    words = np.rint(tokens.sum_per_text(tokens.weight))
    return np.bincount(leaves.element[texts], words, minlength=len(document.elements)).astype(np.int64)


# §3.3.2


def article_element(document: Document, *, onward: bool = False) -> Ints:
    """Algorithm 1: the one element whose text is the content; none on a page without words.

    The prose says that of a child which stands out "the textual content" is taken, the pseudo-code
    that the search goes on in it. The prose is followed. With `onward` it is the pseudo-code, which on
    4 of 10 articles loses more than 30 % of the content in a single step, to one paragraph, list or
    section: 66.2 against 85.1, with a recall of 66 against 98 where the paper has 95.

    The search starts at the root. Children without words don't count, or HEAD would make HTML the
    place where the page parts (80.5, the whole page; 83.9 if it started at BODY). The standard
    deviation is the population's, "of all child elements" (of a sample: 84.9).

    One thing is added: the words that an element itself holds count as one more child, which can't
    be gone into. By the letter a page of one paragraph with a link in it would be its link. It is
    rare (84.9 with it and without it, of a sample).
    """
    elements = document.elements
    own = _own_words(document)
    words = elements.sums(own)
    if not words.any():
        return _NONE
    worded = np.flatnonzero(words[1:]) + 1  # the root is nobody's child
    children = worded[np.argsort(elements.parent[worded], kind="stable")]  # those of one parent side by side
    bounds = elements.parent[children].searchsorted(np.arange(len(elements) + 1)).tolist()
    row = 0
    while bounds[row] < bounds[row + 1]:
        first, last = bounds[row], bounds[row + 1]
        if last - first == 1 and not own[row]:  # a chain may be as long as the page: its links cost no array
            row = int(children[first])
            continue
        spans = words[children[first:last]]
        largest = int(np.argmax(spans))  # of several as large none stands out
        if not _stands_out(int(spans[largest]), np.append(spans, own[row]) if own[row] else spans):
            break
        row = int(children[first + largest])
        if not onward:
            break
    return np.array([row], dtype=np.int32)


def _stands_out(length: int, lengths: Longs) -> bool:
    """Is one of two or more lengths more than their standard deviation above the next?

    Both sides are squared and multiplied out, so that whole numbers are compared.
    """
    second = int(np.partition(lengths, -2)[-2])
    if length <= second:  # or the element's own words are the most
        return False
    count, total = len(lengths), int(lengths.sum())
    squares = int((lengths * lengths).sum())
    return (length - second) ** 2 * count * count > count * squares - total * total


# §3.3.3


def list_elements(document: Document) -> Ints:
    """Algorithm 2: all elements of the id that holds the content; none on a page without words.

    An id is a class name and a depth. The class name is the whole attribute, as `className` is in a
    browser (each name of it by itself: 57.0). That of an element without one is empty, and makes
    ids too (left out: 55.7). Length is counted in words (in characters: 55.6). All elements count,
    those without text (left out: 58.5, but 60.4 either way by the paper's F1) and ids that occur
    once (left out: 58.1) with them. Elements of one depth can't hold each other.
    """
    elements = document.elements
    words = elements.sums(_own_words(document))
    if not words.any():
        return _NONE
    numbers: dict[tuple[str, int], int] = {}
    names = (" ".join(name.split()) for name in elements.class_)
    keys = zip(names, elements.depth.tolist(), strict=True)
    id_ = np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(elements))
    occurrences = np.bincount(id_).astype(np.float64)  # (ids,), in order of first occurrence
    length = np.bincount(id_, words)
    ranking = 2 * occurrences * length / (occurrences + length)  # equation 1
    best = np.argsort(-ranking, kind="stable")[:_CANDIDATES]
    average = length[best] / occurrences[best]  # equation 2
    # Of several as good the first: an element and the only one in it have the same text anyway.
    return np.flatnonzero(id_ == best[np.argmax(average)]).astype(np.int32)


article = ElementChooser(article_element)
article_onward = ElementChooser(partial(article_element, onward=True))
list_view = ElementChooser(list_elements)


# §3.1


@dataclass(frozen=True)
class Goce:
    """The genre first, then the algorithm for it. The labels say which genre, and by what it was told."""

    look: bool = True  # at a picture of the page, where a browser is to be had

    def label(self, document: Document) -> Labels:
        """The labels of `article` or of `list_view`."""
        guess = by_look(document) if self.look else by_html(document)
        chosen = article if guess.genre is Genre.ARTICLE else list_view
        return replace(chosen.label(document), genre=guess)


goce = Goce()
goce_html = Goce(look=False)
