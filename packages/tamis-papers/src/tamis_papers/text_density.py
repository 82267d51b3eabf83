"""The text density of DOM nodes, and the content that it finds: what CETD (2011) and CEHTD (2015) share.

The equations are those of Sun, Song, Liao: DOM Based Content Extraction via Text Density, SIGIR 2011. Columns have one
row an element. Values are rounded, so that they do not depend on how a processor computes a logarithm.
"""

from __future__ import annotations

import numpy as np

from tamis.arrays import Bools, Floats, Ints
from tamis.cached import cached_property
from tamis.document import Document, Elements, tags

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
