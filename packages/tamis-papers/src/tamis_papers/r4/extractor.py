"""Page-Level Main Content Extraction from Heterogeneous Webpages (Alarte, Silva; 2020).

Each element that may hold the content becomes a point of four standardised ratios (§3.1, §3.2).
The few points farthest from the centroid are candidates (§3.3). The candidate with the most words
per tag is the content, with its siblings among the candidates (§3.4). Groups of links are removed
(§3.5). The method chooses nodes, so media stay with the node that holds them.

Where the text and the pseudo-code of the paper disagree, the text is followed. README.md lists each
such place, and each choice that the paper leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Floats, Ints
from tamis.cached import cached_property
from tamis.document import Document, Elements, parse, tags
from tamis.document.words import tokenize
from tamis.errors import OptionError
from tamis.labels import Labels

# §3.1, criterion 2: elements that can't be the main content, or that others subsume.
_EXCLUDED = frozenset("a nav undefined hr span em body script header h1 h2 h3 h4 h5 br iframe".split())

_IS_BODY = tags.lookup("body")
_IS_LINK = tags.lookup("a")
_IS_IMAGE = tags.lookup("img", "picture", "amp-img", "svg")

# Scores of leaves that favor_recall brings back: in groups of links that the post-process removed, and
# in candidates that were not chosen.
_GROUP_OF_LINKS = 0.45
_CANDIDATE = 0.35

# Up to this distance the word ratio is exact. Words farther away count for less than 1/64 each; there,
# distances are rounded down to steps of 5 %, so that a page nested 200,000 deep costs some 230 passes and
# not 200,000.
_EXACT = 64
_STEP = 1.05


@dataclass(frozen=True)
class R4:
    """The paper's system with its parameters.

    `c` is the number of candidates (Table 1). The post-process removes a chosen node with more than `hr`
    links whose text is more than `tr` times its text outside links (Table 2).
    """

    c: int = 3
    tr: float = 1.5
    hr: int = 7
    post_process: bool = True

    def __post_init__(self) -> None:
        if self.c < 1:
            raise OptionError(f"c is at least 1, not {self.c}")
        if not self.tr >= 1 or self.hr < 0:
            raise OptionError(f"tr is at least 1 and hr at least 0, not {self.tr} and {self.hr}")

    def label(self, document: Document) -> Labels:
        """Leaves inside the chosen nodes score 1; the labels carry those nodes."""
        return self.label_tree(PageTree(document))

    def label_tree(self, page: PageTree) -> Labels:
        """The same for a page whose columns are given."""
        # A wide page, and one without an element to rate, is content as a whole.
        candidates = chosen = page.root
        groups = chosen[:0]
        if page.has_candidates:
            candidates = candidate_set(page, self.c)
            chosen = main_content(page, reduced(page, candidates))
            if self.post_process:
                chosen, groups = without_groups_of_links(page, chosen, self.tr, self.hr)
        scores = np.where(page.holds(candidates), _CANDIDATE, 0.0)
        scores[page.holds(chosen)] = 1.0
        scores[page.holds(groups)] = _GROUP_OF_LINKS
        scores[~page.leaves.visible] = 0.0
        return Labels(scores, scores == 1.0, nodes=chosen)


class PageTree:
    """The properties of a page that the steps need: columns with one row an element, computed on first use.

    The root is BODY (Definition 2.1). Only visible text counts as text.
    """

    def __init__(self, document: Document) -> None:
        self.elements = document.elements
        self.leaves = document.leaves
        self._tree = document.tree
        self.root: Ints = np.flatnonzero(_IS_BODY[self.elements.code])[:1]  # the row of BODY

    def holds(self, rows: Ints) -> Bools:
        """For each leaf: does one of these elements hold it?"""
        return self.elements.inside(self.mask(rows))[self.leaves.element]

    def mask(self, rows: Ints) -> Bools:
        """For each element: is it one of these rows?"""
        mask = np.zeros(len(self.elements), dtype=np.bool_)
        mask[rows] = True
        return mask

    def _leaves_in(self, mask: Bools) -> Ints:
        """For each element: the number of these leaves in its subtree."""
        return self.elements.sums(np.bincount(self.leaves.element[mask], minlength=len(self.elements)))

    @cached_property
    def inside_body(self) -> Bools:
        """For each element: is it below BODY?"""
        inside = self.elements.inside(self.mask(self.root))
        inside[self.root] = False
        return inside

    @cached_property
    def children(self) -> Ints:
        """The number of children that are elements or texts, white space and comments aside."""
        below_root = self.elements.parent[self.elements.parent >= 0]
        return np.bincount(below_root, minlength=len(self.elements)) + self._own_texts

    @cached_property
    def _own_texts(self) -> Ints:
        return np.bincount(self.leaves.element[~self.leaves.is_media], minlength=len(self.elements))

    # §3.1

    @cached_property
    def may_be_content(self) -> Bools:
        """Criterion 2."""
        tag = self.elements.tag
        return self.inside_body & ~np.fromiter((name in _EXCLUDED for name in tag), np.bool_, len(tag))

    @cached_property
    def rated(self) -> Ints:
        """The rows that get ratios: criteria 1 and 2."""
        return np.flatnonzero(self.may_be_content & (self.children > 0))

    @cached_property
    def shows_something(self) -> Bools:
        """For each element: does it hold a visible leaf?"""
        return self._leaves_in(self.leaves.visible) > 0

    @cached_property
    def is_wide(self) -> bool:
        """Criterion 3: is the page less deep than BODY has children?

        Counted are elements that pass criterion 2 and show something. The paper found no wide page among
        65 modern ones. Without the second condition, layers and templates for scripts in BODY would make
        one in five of GoogleTrends' training pages wide; with it none is.
        """
        return self.is_wider_than_deep(self.may_be_content & self.shows_something)

    @property
    def has_candidates(self) -> bool:
        """Is the page rated at all? A wide page, or one without a row to rate, is taken whole."""
        return bool(self.rated.size) and not self.is_wide

    def is_wider_than_deep(self, counted: Bools) -> bool:
        """Does BODY have more such children than there are such elements above each other anywhere?"""
        depth = int(self.elements.covering(counted).max(initial=0))
        return depth < int(np.isin(self.elements.parent[counted], self.root).sum())

    @cached_property
    def _words(self) -> tuple[Floats, Floats]:
        """The words of each subtree: outside links, and all."""
        texts, size = self.leaves.visible_text, len(self.elements)
        tokens = tokenize([self.leaves.text[leaf] for leaf in texts.tolist()])
        every = tokens.sum_per_text(tokens.weight)

        def below(words: Floats) -> Floats:
            total = np.zeros(size + 1)
            np.bincount(self.leaves.element[texts], words, minlength=size).cumsum(out=total[1:])
            return total[self.elements.end] - total[:-1]

        return below(np.where(self.leaves.in_link[texts], 0.0, every)), below(every)

    @property
    def unlinked_words(self) -> Floats:
        """words(n): those of the subtree that belong to no hyperlink."""
        return self._words[0]

    @property
    def words(self) -> Floats:
        """All words of the subtree."""
        return self._words[1]

    @cached_property
    def texts(self) -> Ints:
        """The number of text nodes of the subtree."""
        return self._leaves_in(self.leaves.visible & ~self.leaves.is_media)

    @cached_property
    def links(self) -> Ints:
        """The number of hyperlinks of the subtree."""
        return self.elements.sums(_IS_LINK[self.elements.code])

    def exceeds(self, tr: float, hr: int) -> Bools:
        """§3.5, for each element: has it more than `hr` links and more than `tr` times its unlinked text?

        The amount of text is counted in words; an element whose words are all linked exceeds any `tr`.
        """
        exceeds: Bools = (self.words > tr * self.unlinked_words) & (self.links > hr)
        return exceeds

    @cached_property
    def depth(self) -> Ints:
        """The maximum depth of subtree(n), down to its texts (Definition 2.1).

        The prose of §3.1 speaks of the place of a node in the tree, as if depth were counted from the
        root. The definition is followed. On GoogleTrends' training pages F1 of words is 81.3 with it and
        74.2 with the prose, and 3 or 4 candidates are best there, as in Table 1.
        """
        from_root = self.elements.depth.astype(np.int64)
        return _maximum_below(self.elements, from_root + (self._own_texts > 0)) - from_root

    @cached_property
    def word_ratio(self) -> Floats:
        """Words outside links, each divided by its distance; a text is 1 away from its element.

        Words at least d away from n are those below the elements that are d - 1 away. Each word counts 1
        at first. At each distance d, the words at least d away lose the difference between their share so
        far and 1 / d.
        """
        elements, below = self.elements, self.unlinked_words
        ratio = below.copy()
        rows = np.flatnonzero(below)
        ancestors, climbed, near = rows, 0, 1
        for far in _distances(int(elements.depth.max(initial=0)) + 1):
            deep = elements.depth[rows] >= far - 1
            rows, ancestors = rows[deep], ancestors[deep]
            ancestors = self._climb(ancestors, far - 1 - climbed)
            climbed = far - 1
            farther = np.bincount(ancestors, below[rows], minlength=len(elements))
            ratio -= farther * (1 / near - 1 / far)
            near = far
        return ratio

    def _climb(self, rows: Ints, levels: int) -> Ints:
        """The ancestors of elements that many levels up; they must exist."""
        if levels == 1:
            return self.elements.parent[rows].astype(np.int64)
        # Sorted by depth, then row, the ancestor is the last of its depth before the element.
        size = len(self.elements)
        wanted = (self.elements.depth[rows].astype(np.int64) - levels) * size + rows
        return self._by_depth[self._by_depth.searchsorted(wanted, side="right") - 1] % size

    @cached_property
    def _by_depth(self) -> Ints:
        size = len(self.elements)
        return np.sort(self.elements.depth.astype(np.int64) * size + np.arange(size))

    @cached_property
    def hyperlink_ratio(self) -> Floats:
        """1 divided by the number of links; 1 without any."""
        return 1 / np.maximum(self.links, 1.0)

    @cached_property
    def children_ratio(self) -> Floats:
        """Has the element more than two children?

        childNodes(n) is the browser's: white space and comments are nodes (Definition 2.1). On
        GoogleTrends' training pages this hardly matters (F1 of words 81.3, else 81.2).
        """
        nodes = np.fromiter(map(len, parse.elements(self._tree)), np.int64, len(self.elements))
        return (nodes > 2).astype(np.float64)

    @cached_property
    def position_ratio(self) -> Floats:
        """1 up to half the depth of the page, less beyond."""
        deepest = self.depth[self.root].max(initial=0)
        return np.where(self.depth <= deepest / 2, 1.0, deepest / np.maximum(self.depth, 1) - 1)

    def points(self) -> Floats:
        """Definition 3.3: the four ratios of the rated elements, standardised (§3.2). (rated, 4)"""
        ratios = np.stack([self.word_ratio, self.hyperlink_ratio, self.children_ratio, self.position_ratio], axis=1)
        ratios = ratios[self.rated]
        apart = ratios - ratios.mean(axis=0)
        deviation = ratios.std(axis=0)
        # A ratio that all elements share is 0 for all.
        standardised: Floats = np.divide(apart, deviation, out=np.zeros_like(apart), where=deviation > 0)
        return standardised


def _distances(deepest: int) -> list[int]:
    """The distances from 2 up at which the word ratio is evaluated."""
    steps = list(range(2, min(deepest, _EXACT) + 1))
    while steps and steps[-1] * _STEP < deepest and steps[-1] >= _EXACT:
        steps.append(int(steps[-1] * _STEP))
    return steps


def _maximum_below(elements: Elements, values: Ints) -> Ints:
    """For each element: the maximum of `values` over itself and its descendants.

    A sparse table: two ranges whose size is a power of two cover any range of rows.
    """
    first = np.arange(len(elements))
    power = np.frexp(elements.end - first)[1] - 1  # of the largest such size that fits
    found = values.copy()
    maxima = values  # of each range of `size` rows
    size = 1
    for level in range(int(power.max(initial=0)) + 1):
        here = np.flatnonzero(power == level)
        found[here] = np.maximum(maxima[here], maxima[elements.end[here] - size])
        maxima = np.maximum(maxima[:-size], maxima[size:])
        size *= 2
    return found


# §3.3


def candidate_set(page: PageTree, c: int) -> Ints:
    """Algorithms 1 and 2: the c nodes farthest from the centroid, as rows in document order.

    Elements with the same four ratios are one node by Definition 3.3 and come together, such as
    the items of a list. Of nodes equally far the first ones are taken.
    """
    # Rounded, so that equal points stay equal in whatever order the sums were taken.
    points = np.round(page.points(), 9)
    distance = np.round(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1)), 9)
    left = np.ones(len(points), dtype=np.bool_)
    for _ in range(c):
        if not left.any():
            break
        farthest = int(np.argmax(np.where(left, distance, -1.0)))
        left &= (points != points[farthest]).any(axis=1)
    return page.rated[~left]


# §3.4


def reduced(page: PageTree, candidates: Ints) -> Ints:
    """Algorithm 3: the candidates without those that hold the same text nodes as an ancestor among them."""
    above = _next_above(page, candidates)
    # The nearest of several ancestors has the fewest texts, so it alone needs to be compared.
    return candidates[(above < 0) | (page.texts[above] > page.texts[candidates])]


def _next_above(page: PageTree, rows: Ints) -> Ints:
    """For each of these elements: its nearest ancestor among them, else -1."""
    return page.elements.nearest(page.mask(rows), page.elements.parent[rows])


def main_content(page: PageTree, candidates: Ints) -> Ints:
    """Algorithm 4: the candidates with the most words per tag, and their siblings among the candidates."""
    tags_of = page.elements.end[candidates] - candidates  # an element's own tag counts
    ratio = page.words[candidates] / tags_of
    parent = page.elements.parent[candidates]
    chosen = candidates[np.isin(parent, parent[ratio == ratio.max()])]
    # Definition 2.3: the set is minimal. In a tie one may hold the other.
    return chosen[_next_above(page, chosen) < 0]


# §3.5


def without_groups_of_links(page: PageTree, chosen: Ints, tr: float, hr: int) -> tuple[Ints, Ints]:
    """Algorithm 5: the chosen nodes that are not groups of links, and the lists of links inside them.

    A step that would leave nothing visible is skipped: the content of such a page is its links.
    """
    unlinked = chosen[~page.exceeds(tr, hr)[chosen]]
    kept = unlinked if page.shows_something[unlinked].any() else chosen
    groups = _lists_of_links(page, kept)
    left = page.leaves.visible & page.holds(kept) & ~page.holds(groups)
    return kept, groups if left.any() else groups[:0]


def _lists_of_links(page: PageTree, chosen: Ints) -> Ints:
    """The children of each element inside the chosen ones, if all have one tag and hold one link and no image.

    A single child does not count as a group: a headline is often one.
    """
    elements, size = page.elements, len(page.elements)
    rows = np.flatnonzero(elements.parent >= 0)
    parent = elements.parent[rows]
    is_item = np.zeros(size, dtype=np.bool_)
    is_item[parent[_IS_LINK[elements.code[rows]]]] = True
    is_item &= page.children == 1
    items = np.bincount(parent[is_item[rows]], minlength=size)
    numbers: dict[str, int] = {}
    tag_of = np.fromiter((numbers.setdefault(tag, len(numbers)) for tag in elements.tag), np.int64, size)
    # The tag of one child of each element, to compare all children with.
    tag_below = np.zeros(size, dtype=np.int64)
    tag_below[parent] = tag_of[rows]
    mixed = np.zeros(size, dtype=np.bool_)
    mixed[parent[tag_of[rows] != tag_below[parent]]] = True
    has_image = elements.sums(_IS_IMAGE[elements.code]) > 0
    is_list = (items >= 2) & (items == page.children) & ~mixed & ~has_image
    inside = elements.inside(page.mask(chosen))
    found: Ints = rows[is_list[parent] & inside[parent]]
    return found


r4 = R4()
