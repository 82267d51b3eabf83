"""GOCE (Nguyen-Hoang et al., Genre-Oriented Web Content Extraction, PACLIC 2018), in the order of the paper.

`Goce` (§3.1) asks a classifier (§3.2) for the genre of a page and runs the algorithm for that genre.
`article` (§3.3.2) goes down from the root to the first element with several children. It takes the
child with most words if that is far ahead of the next, else the whole element. `list_view` (§3.3.3)
takes all elements of one class at one depth. Both choose elements, so media stay with the element
that holds them.

Only visible text counts, and a run of a script without spaces is several words. Where the paper
leaves a choice open, the docstring says what was chosen. The figures there are the mean token F1 on
the pages of WCXB dev that the algorithm is for: articles and documentation (883 pages), or
collections, listings and forums (328 pages). As shipped it is 85.1 for `article` and 58.2 for
`list_view` with the kept texts joined, and 85.1 and 57.9 as rendered text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tamis.arrays import Ints
from tamis.cached import cached_property
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.errors import MissingExtra
from tamis.labels import Labels
from tamis.page_type import GenreGuess
from tamis_papers.goce import classifiers
from tamis_papers.goce.classifiers import Genre, HtmlClassifier, PictureClassifier, genre_guess

if TYPE_CHECKING:
    from tamis.web.browser import Browser

# §3.3.3: n, the number of candidate ids.
_CANDIDATES = 15

_NO_ELEMENTS = np.zeros(0, dtype=np.int64)


# §3.1 and §3.2


@dataclass(frozen=True)
class Goce:
    """The genre first, then the algorithm for it. The labels carry the genre and its source."""

    by_picture: bool = True  # else by the HTML
    weights: Path | None = None  # of the classifier, if not the shipped ones

    def label(self, document: Document) -> Labels:
        """The labels of `article` or of `list_view`. Raises WeightsError, and what `genre_by_picture` raises."""
        guess = genre_by_picture(document, self._pictures) if self.by_picture else genre_by_html(document, self._html)
        algorithm = article if guess.genre is Genre.ARTICLE else list_view
        return replace(algorithm.label(document), genre=guess)

    @cached_property
    def _pictures(self) -> PictureClassifier | None:
        return PictureClassifier(self.weights) if self.weights else None

    @cached_property
    def _html(self) -> HtmlClassifier | None:
        return HtmlClassifier(self.weights) if self.weights else None


def genre_by_picture(document: Document, classifier: PictureClassifier | None = None) -> GenreGuess:
    """The genre by a picture of the page, drawn without network.

    Raises WeightsError, MissingExtra without its packages, BrowserMissing without a browser, and RenderError if the
    page can't be drawn.
    """
    if not all(find_spec(name) for name in ("playwright", "PIL", "onnxruntime")):
        raise MissingExtra("goce, unlike goce-html,", "render", "tamis-papers")
    pixels = classifiers.shrink(_browser().screenshot(document.html, url=document.url))
    chosen = classifier or classifiers.PICTURE_CLASSIFIER
    return genre_guess(chosen.article_probability(pixels), "picture")


def genre_by_html(document: Document, classifier: HtmlClassifier | None = None) -> GenreGuess:
    """The genre by the HTML alone, which the paper does not have. Raises WeightsError."""
    return (classifier or classifiers.HTML_CLASSIFIER).genre(document)


@cache
def _browser() -> Browser:
    """One browser for all pages of this process. It starts at the first page and ends with the process."""
    from tamis.web.browser import Browser

    return Browser()


@dataclass(frozen=True)
class ElementChooser:
    """An extractor made of a function that chooses elements of a page, in document order."""

    choose: Callable[[Document], Ints]

    def label(self, document: Document) -> Labels:
        """Visible leaves inside the chosen elements score 1, others 0; the labels carry those elements."""
        elements, leaves = document.elements, document.leaves
        chosen = self.choose(document)
        mask = np.zeros(len(elements), dtype=np.bool_)
        mask[chosen] = True
        keep = elements.inside(mask)[leaves.element] & leaves.visible
        return Labels(keep.astype(np.float64), keep, nodes=chosen)


# §3.3.2


def article_element(document: Document, *, recurse: bool = False) -> Ints:
    """Algorithm 1: the one element whose text is the content; none on a page without words.

    By the prose, "the textual content" of an outstanding child is taken; by the pseudo-code, the search
    goes on inside it. The prose is followed. With `recurse` it is the pseudo-code, which
    loses more than 30 % of the content of 4 in 10 articles in a single step, to one paragraph, list or
    section: 66.2 against 85.1, with a recall of 66 against 98 where the paper has 95.

    The search starts at the root. Children without words don't count, or HEAD would be the second
    child of HTML, which would be taken whole (80.5; 83.9 if the search started at BODY). The standard
    deviation is that of the population, "of all child elements" (of a sample: 84.9).

    One thing is added: the words that an element itself holds count as one more child, in which no
    search goes on. Otherwise a page of one paragraph with a link in it would be its link. It is rare
    (84.9 with it and without it, of a sample).
    """
    elements = document.elements
    own = _own_words(document)
    words = elements.sums(own)
    if not words.any():
        return _NO_ELEMENTS
    worded = np.flatnonzero(words[1:]) + 1  # without the root, which has no parent
    children = worded[np.argsort(elements.parent[worded], kind="stable")]  # grouped by parent
    bounds = elements.parent[children].searchsorted(np.arange(len(elements) + 1)).tolist()
    element = 0
    while bounds[element] < bounds[element + 1]:
        first, last = bounds[element], bounds[element + 1]
        if last - first == 1 and not own[element]:  # a chain may be as long as the page, so no array is made for it
            element = int(children[first])
            continue
        lengths = words[children[first:last]]
        largest = int(np.argmax(lengths))
        every = np.append(lengths, own[element]) if own[element] else lengths
        if not _stands_out(int(lengths[largest]), every):
            break
        element = int(children[first + largest])
        if not recurse:
            break
    return np.array([element], dtype=np.int64)


def _own_words(document: Document) -> Ints:
    """How many words the visible texts directly in each element have. (elements,)"""
    leaves = document.leaves
    texts = leaves.visible_text
    tokens = tokenize([leaves.text[leaf] for leaf in texts.tolist()])
    # Whole numbers, so that equal texts have equal sums in whatever order they are added up.
    words = np.rint(tokens.sum_per_text(tokens.weight))
    return np.bincount(leaves.element[texts], words, minlength=len(document.elements)).astype(np.int64)


def _stands_out(length: int, lengths: Ints) -> bool:
    """Is one of two or more lengths more than their standard deviation above the next?

    Both sides are squared and multiplied out, so that whole numbers are compared.
    """
    second = int(np.partition(lengths, -2)[-2])
    if length <= second:  # another is as long, or the element's own words are more
        return False
    count, total = len(lengths), int(lengths.sum())
    squares = int((lengths * lengths).sum())
    return (length - second) ** 2 * count * count > count * squares - total * total


# §3.3.3


def list_elements(document: Document) -> Ints:
    """Algorithm 2: all elements of the id that holds the content; none on a page without words.

    An id is a class name and a depth. The class name is the whole attribute, as `className` is in a
    browser (each name of it by itself: 57.0). Elements without a class share the empty name (left
    out: 55.7). Length is counted in words (in characters: 55.6). All elements count, also those
    without text (left out: 58.5, but 60.4 either way by the paper's F1) and ids that occur once (left
    out: 58.1). Elements of one depth can't hold each other.
    """
    elements = document.elements
    words = elements.sums(_own_words(document))
    if not words.any():
        return _NO_ELEMENTS
    numbers: dict[tuple[str, int], int] = {}
    names = (" ".join(name.split()) for name in elements.class_)
    keys = zip(names, elements.depth.tolist(), strict=True)
    id_ = np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(elements))
    occurrences = np.bincount(id_).astype(np.float64)  # (ids,), in order of first occurrence
    length = np.bincount(id_, words)
    ranking = 2 * occurrences * length / (occurrences + length)  # equation 1
    best = np.argsort(-ranking, kind="stable")[:_CANDIDATES]
    average = length[best] / occurrences[best]  # equation 2
    # Of equal averages the first: an element and its only child have the same text anyway.
    return np.flatnonzero(id_ == best[np.argmax(average)])


article = ElementChooser(article_element)
article_by_pseudo_code = ElementChooser(partial(article_element, recurse=True))
list_view = ElementChooser(list_elements)
goce = Goce()
goce_html = Goce(by_picture=False)
