"""Content extraction via text density: CETD, and with visual importance CEHTD.

CETD (Sun, Song, Liao: DOM Based Content Extraction via Text Density, SIGIR 2011). Each element has a density: its
characters per tag, or the composite density, which hyperlinks lower. The content is found in one of two ways. With
DensitySum, the sum of the children's densities says which element of a dense subtree holds its content as a whole. With
smoothing, the density of each element is averaged with those of its neighbours, and elements that are dense enough keep
their own texts.

CEHTD (Song, Sun, Liao: A Hybrid Approach for Content Extraction, KAIS 42(1), 2015) is the composite density with
DensitySum, with one change: each character counts as much as the text that it is in is visually important. The paper
renders pages to know that. Here the place and the width of a block are estimated from the lines that its text would
fill.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Floats, Ints
from tamis.cached import cached_property
from tamis.document import Document, Elements, tags
from tamis.errors import OptionError
from tamis.labels import Labels, from_text_scores

_IS_BODY = tags.lookup("body")
_IS_LINK = tags.lookup("a")

# Digits that are kept of a density. It is at most the number of characters of a page, so they are all exact.
_DIGITS = 6


class DensityTree:
    """The counts of each element's subtree, the element itself aside, and the densities that follow from them.

    `weights`, one a leaf, says how much a character of each text counts; by default 1. Only visible text counts.
    """

    def __init__(self, document: Document, weights: Floats | None = None) -> None:
        self.elements = document.elements
        self.leaves = document.leaves
        self._weights = weights
        self.body: Ints = np.flatnonzero(_IS_BODY[self.elements.code])[:1]

    @cached_property
    def inside_body(self) -> Bools:
        """For each element: is it BODY, or below it?"""
        mask = np.zeros(len(self.elements), dtype=np.bool_)
        mask[self.body] = True
        return self.elements.inside(mask)

    @cached_property
    def _lengths(self) -> Ints:
        """The characters of each visible text, white space folded."""
        texts = self.leaves.visible_text.tolist()
        return np.fromiter((len(" ".join(self.leaves.text[leaf].split())) for leaf in texts), np.int64, len(texts))

    def _below(self, texts: Ints, counts: Floats | Ints) -> Floats:
        """For each element: the sum of the counts of these texts in its subtree."""
        total = np.zeros(len(self.elements) + 1)
        np.bincount(self.leaves.element[texts], counts, minlength=len(self.elements)).cumsum(out=total[1:])
        below: Floats = np.round(total[self.elements.end] - total[:-1], _DIGITS)
        return below

    @cached_property
    def characters(self) -> Floats:
        """CharNumber, C: characters, or their weights."""
        texts = self.leaves.visible_text
        return self._below(texts, self._lengths if self._weights is None else self._lengths * self._weights[texts])

    @cached_property
    def link_characters(self) -> Floats:
        """LinkCharNumber, LC: characters in hyperlinks."""
        texts, linked = self.leaves.visible_text, self.leaves.in_link[self.leaves.visible_text]
        return self._below(texts[linked], self._lengths[linked])

    @cached_property
    def tags(self) -> Ints:
        """TagNumber, T: elements below."""
        return self.elements.end - np.arange(len(self.elements)) - 1

    @cached_property
    def link_tags(self) -> Ints:
        """LinkTagNumber, LT: hyperlinks below."""
        is_link = _IS_LINK[self.elements.code]
        return self.elements.sums(is_link) - is_link

    @cached_property
    def text_density(self) -> Floats:
        """Definition 1: characters per tag."""
        density: Floats = np.round(self.characters / _at_least_1(self.tags), _DIGITS)
        return density

    @cached_property
    def composite_density(self) -> Floats:
        """Definition 2: text density, less where a node has many hyperlinks."""
        body = int(self.body[0]) if self.body.size else 0
        in_body = float(self.link_characters[body] / max(self.characters[body], 1.0)) if len(self.elements) else 0.0
        return composite(self.characters, self.tags, self.link_characters, self.link_tags, in_body)


def composite(
    characters: Floats, tag_numbers: Ints, link_characters: Floats, link_tags: Ints, links_in_body: float
) -> Floats:
    """CTD = C/T * log(C/LC * T/LT), to the base ln(C/-LC * LC + LCb/Cb * C + e); -LC is C - LC, LCb/Cb is given.

    A count of 0 is taken for 1 where it divides.
    """
    count, linked = _at_least_1(characters), _at_least_1(link_characters)
    number, links = _at_least_1(tag_numbers), _at_least_1(link_tags)
    plain = _at_least_1(characters - link_characters)
    base = np.log(count / plain * linked + links_in_body * count + np.e)
    # Where weights make fewer characters than links have, the logarithm would be negative.
    ratio = np.maximum(count / linked * (number / links), 1.0)
    density: Floats = np.round(characters / number * (np.log(ratio) / np.log(base)), _DIGITS)
    return density


def _at_least_1(counts: Floats | Ints) -> Floats:
    return np.maximum(counts, 1.0)


def density_sum(elements: Elements, density: Floats) -> Floats:
    """DensitySum of each element: the sum of its children's densities."""
    children = np.flatnonzero(elements.parent >= 0)
    total: Floats = np.zeros(len(elements))
    np.add.at(total, elements.parent[children], density[children])
    return np.round(total, _DIGITS)


def threshold(tree: DensityTree, density: Floats, node: int) -> float:
    """The least density on the path from an element up to BODY."""
    on_path = [row for row in tree.elements.ancestors(node) if tree.inside_body[row]]
    return float(density[on_path].min())


def dense_rows(tree: DensityTree, density: Floats, least: float) -> Ints:
    """The elements in BODY that are reached from it through elements of at least this density."""
    sparse = tree.inside_body & (density < least)
    return np.flatnonzero(tree.inside_body & ~tree.elements.inside(sparse))


def best_below(elements: Elements, values: Floats, rows: Ints) -> Ints:
    """For each of these elements: the first of its subtree with the largest value.

    A sparse table: two ranges whose size is a power of two cover any range of rows.
    """
    end = elements.end[rows]
    power = np.frexp(end - rows)[1] - 1  # of the largest such size that fits
    found = rows.copy()
    best: Ints = np.arange(len(elements))  # of each range of `size` rows
    size = 1
    for level in range(int(power.max(initial=0)) + 1):
        here = np.flatnonzero(power == level)
        left, right = best[rows[here]], best[end[here] - size]
        found[here] = np.where(values[right] > values[left], right, left)
        left, right = best[:-size], best[size:]
        best = np.where(values[right] > values[left], right, left)
        size *= 2
    return found


def whole_content(tree: DensityTree, density: Floats) -> Bools:
    """For each leaf: is it inside the element with the largest DensitySum of a dense subtree?

    Algorithm 2: starting at BODY, each element whose density reaches the threshold marks the element with the largest
    DensitySum in its subtree as content, and its children are looked at in turn.
    """
    elements = tree.elements
    sums = density_sum(elements, density)
    least = threshold(tree, density, int(best_below(elements, sums, tree.body)[0]))
    marked = np.zeros(len(elements), dtype=np.bool_)
    marked[best_below(elements, sums, dense_rows(tree, density, least))] = True
    return elements.inside(marked)[tree.leaves.element]


# The Gaussian kernel of radius 1 with which CETR (Weninger et al., WWW 2010), whose smoothing the paper compares with
# DensitySum, smooths its tag ratios: exp(-x * x / 2) for x = -1, 0, 1.
_KERNEL = np.exp([-0.5, 0.0, -0.5])


@dataclass(frozen=True)
class Cetd:
    """The paper's method.

    `composite` takes the composite text density instead of the text density, `smoothing` smooths it instead of using
    DensitySum.
    """

    composite: bool = True
    smoothing: bool = False

    def label(self, document: Document) -> Labels:
        """Texts of the content score 1, others 0."""
        tree = DensityTree(document)
        scores = np.zeros(len(document.leaves))
        if tree.body.size:
            density = tree.composite_density if self.composite else tree.text_density
            chosen = _smoothed_content(tree, density) if self.smoothing else whole_content(tree, density)
            scores[chosen] = 1.0
        return from_text_scores(document, scores)


def _smoothed_content(tree: DensityTree, density: Floats) -> Bools:
    """The leaves directly in an element whose smoothed density reaches the threshold."""
    elements = tree.elements
    rows = np.flatnonzero(tree.inside_body & (tree.characters > 0))
    if not rows.size:
        return np.zeros(len(tree.leaves), dtype=np.bool_)
    smooth = np.zeros(len(elements))
    smooth[rows] = _smoothed(density[rows])
    least = threshold(tree, smooth, int(rows[np.argmax(smooth[rows])]))
    return (smooth >= least)[tree.leaves.element]


def _smoothed(values: Floats) -> Floats:
    """A weighted mean of each value and its two neighbours; beyond the ends there are none."""
    weights = np.convolve(np.ones(len(values)), _KERNEL)[1:-1]
    smooth: Floats = np.round(np.convolve(values, _KERNEL)[1:-1] / weights, 6)
    return smooth


cetd_ds = Cetd(composite=False)
cectd_s = Cetd(smoothing=True)
cectd_ds = Cetd()


@dataclass(frozen=True)
class Cehtd:
    """The paper's method with DensitySum, on an estimated layout with lines of `line` characters."""

    line: int = 80

    def __post_init__(self) -> None:
        if self.line < 1:
            raise OptionError(f"a line has at least 1 character, not {self.line}")

    def label(self, document: Document) -> Labels:
        """Texts of the content score 1, others 0."""
        tree = DensityTree(document, visual_importance(document, self.line))
        scores = np.zeros(len(document.leaves))
        if tree.body.size:
            # Definition 3.4: the composite density, with hybrid characters instead of characters.
            scores[whole_content(tree, tree.composite_density)] = 1.0
        return from_text_scores(document, scores)


def visual_importance(document: Document, line: int) -> Floats:
    """VI of each leaf, from 0 to 1: the width of its block, times 1 in the middle of the page and 1/2 at its ends."""
    leaves, texts = document.leaves, document.leaves.visible_text
    importance = np.ones(len(leaves))
    if not texts.size:
        return importance
    lengths = np.fromiter((len(" ".join(leaves.text[leaf].split())) for leaf in texts.tolist()), np.int64, texts.size)
    # Blocks in the order of their first text, because the page is read from top to bottom.
    _, first, which = np.unique(leaves.block[texts], return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    block = place[which]
    size = np.bincount(block, lengths)
    width = np.minimum(size / line, 1.0)
    height = np.ceil(size / line)
    middle = height.cumsum() - height / 2
    from_centre = np.abs(2 * middle / height.sum() - 1)
    importance[texts] = np.round(width * (1 - from_centre / 2), 9)[block]
    return importance


cehtd_ds = Cehtd()
