"""Page-Level Main Content Extraction from Heterogeneous Webpages (Alarte, Silva; 2020).

Each element that may hold the content becomes a point of four standardised ratios (§3.1, §3.2);
the few points farthest from the centroid are candidates (§3.3); of those the one with most words
for its tags is the content, with its siblings among them (§3.4); groups of links go (§3.5). What
is chosen are nodes, so media stay with the node that holds them.

Where the text and the pseudo-code of the paper disagree the text is followed; README.md lists
each place, and each choice that the paper leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tamis.arrays import Bools, Floats, Ints, Longs
from tamis.document import Document, Elements, parse, tags
from tamis.document.words import tokenize
from tamis.errors import OptionError
from tamis.labels import Labels

# §3.1, criterion 2: elements that can't be the main content, or that others subsume.
_EXCLUDED = frozenset("a nav undefined hr span em body script header h1 h2 h3 h4 h5 br iframe".split())

_IS_BODY = tags.lookup("body")
_IS_LINK = tags.lookup("a")
_IS_IMAGE = tags.lookup("img", "picture", "amp-img", "svg")

# Scores of leaves that were not chosen but came close, for those who favour recall: what the
# post-process took out of the content, and what else the candidates hold.
_GROUP_OF_LINKS = 0.45
_CANDIDATE = 0.35

# Up to this distance the word ratio is exact. Words farther away count for less than a
# sixty-fourth each, and there distances are rounded down to steps of a twentieth: a page nested
# 200,000 deep costs some 230 passes and not 200,000.
_EXACT = 64
_STEP = 1.05


@dataclass(frozen=True)
class R4:
    """The paper's system with its parameters.

    `c` is the number of candidates (Table 1). A chosen node with more than `tr` times the text
    that it has outside links, and with more than `hr` links, is a group of links and goes (Table
    2), unless `post_process` is off.
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
        """The same for a page of which the columns are given."""
        # All children of BODY make the content of a wide page, and of one with no element to choose.
        candidates = chosen = page.root
        groups = chosen[:0]
        if page.rated.size and not page.is_wide:
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
    """What the steps ask of a page: columns with one row an element, worked out when asked for.

    The root is BODY (Definition 2.1). Only what a reader can see counts as text.
    """

    def __init__(self, document: Document) -> None:
        self.elements = document.elements
        self.leaves = document.leaves
        self._tree = document.tree
        self.root: Ints = np.flatnonzero(_IS_BODY[self.elements.code])[:1].astype(np.int32)  # the row of BODY

    def holds(self, rows: Ints) -> Bools:
        """For each leaf: does one of these elements hold it?"""
        return self.elements.inside(self.mask(rows))[self.leaves.element]

    def mask(self, rows: Ints) -> Bools:
        """For each element: is it one of these rows?"""
        mask = np.zeros(len(self.elements), dtype=np.bool_)
        mask[rows] = True
        return mask

    def _own(self, leaves: Ints, values: Floats | None = None) -> Floats:
        """The number of these leaves, or the sum of their values, that stand in each element itself."""
        holders = self.leaves.element[leaves]
        return np.bincount(holders, values, minlength=len(self.elements)).astype(np.float64)

    def below(self, values: Floats) -> Floats:
        """The sum of a value of each element over itself and its descendants."""
        total = np.zeros(len(self.elements) + 1)
        np.cumsum(values, out=total[1:])
        return total[self.elements.end] - total[:-1]

    @cached_property
    def inside_body(self) -> Bools:
        """For each element: does it stand below BODY?"""
        inside = self.elements.inside(self.mask(self.root))
        inside[self.root] = False
        return inside

    @cached_property
    def children(self) -> Longs:
        """The number of children that are elements or texts, white space and comments aside."""
        below_root = self.elements.parent[self.elements.parent >= 0]
        return np.bincount(below_root, minlength=len(self.elements)) + self._own_texts

    @cached_property
    def _own_texts(self) -> Longs:
        return self._own(np.flatnonzero(~self.leaves.is_media).astype(np.int32)).astype(np.int64)

    # §3.1

    @cached_property
    def may_be_content(self) -> Bools:
        """Criterion 2."""
        tag = self.elements.tag
        return self.inside_body & ~np.fromiter((name in _EXCLUDED for name in tag), np.bool_, len(tag))

    @cached_property
    def rated(self) -> Ints:
        """The rows that get ratios: criteria 1 and 2."""
        return np.flatnonzero(self.may_be_content & (self.children > 0)).astype(np.int32)

    @cached_property
    def shows_something(self) -> Bools:
        """For each element: does it hold a leaf that a reader sees?"""
        return self.below(self._own(np.flatnonzero(self.leaves.visible).astype(np.int32))) > 0

    @cached_property
    def is_wide(self) -> bool:
        """Criterion 3: is the page less deep than BODY has children?

        Both count elements that criterion 2 lets pass and that show something. The paper found no
        wide page among 65 modern ones. Without the last condition the layers and templates that
        scripts leave in BODY would make one in five of GoogleTrends' training pages wide, with it
        none is.
        """
        return self.is_wider_than_deep(self.may_be_content & self.shows_something)

    def is_wider_than_deep(self, counted: Bools) -> bool:
        """Are more such elements next to each other in BODY than below each other anywhere?"""
        rows = np.flatnonzero(counted)
        change = -np.bincount(self.elements.end[rows], minlength=len(self.elements) + 1)
        change[rows] += 1
        depth = int(change.cumsum().max(initial=0))
        return depth < int(np.isin(self.elements.parent[rows], self.root).sum())

    @cached_property
    def _words(self) -> tuple[Floats, Floats]:
        """The words that each element itself holds: outside links, and all."""
        texts = self.leaves.visible_text
        tokens = tokenize([self.leaves.text[leaf] for leaf in texts.tolist()])
        words = tokens.sum_per_text(tokens.weight)
        return self._own(texts, np.where(self.leaves.in_link[texts], 0.0, words)), self._own(texts, words)

    @cached_property
    def unlinked_words(self) -> Floats:
        """words(n): those of the subtree that belong to no hyperlink."""
        return self.below(self._words[0])

    @cached_property
    def words(self) -> Floats:
        """All words of the subtree."""
        return self.below(self._words[1])

    @cached_property
    def texts(self) -> Floats:
        """The number of text nodes of the subtree."""
        return self.below(self._own(self.leaves.visible_text))

    @cached_property
    def links(self) -> Floats:
        """The number of hyperlinks of the subtree."""
        return self.below(_IS_LINK[self.elements.code].astype(np.float64))

    @cached_property
    def depth(self) -> Longs:
        """The maximum depth of subtree(n), down to its texts (Definition 2.1).

        The prose of §3.1 speaks of the place of a node in the tree, as if depth were counted from
        the root. The definition is followed. On GoogleTrends' training pages it finds more (F1 of
        words 81.3 against 74.2), and 3 or 4 candidates are best there, as in Table 1.
        """
        from_root = self.elements.depth.astype(np.int64)
        return _maximum_below(self.elements, from_root + (self._own_texts > 0)) - from_root

    @cached_property
    def word_ratio(self) -> Floats:
        """Words outside links, each divided by its distance; a text is 1 away from its element.

        Words at least d away from n are those below the elements that are d - 1 away. Each word
        counts 1 at first; at each distance d, those that are farther than the one before lose the
        difference of the two shares.
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

    def _climb(self, rows: Longs, levels: int) -> Longs:
        """The ancestors of elements that many levels up; they have to be there."""
        if levels == 1:
            return self.elements.parent[rows].astype(np.int64)
        # In rows sorted by depth, then place, it is the last one of its depth before the element.
        size = len(self.elements)
        wanted = (self.elements.depth[rows].astype(np.int64) - levels) * size + rows
        return self._by_depth[self._by_depth.searchsorted(wanted, side="right") - 1] % size

    @cached_property
    def _by_depth(self) -> Longs:
        size = len(self.elements)
        return np.sort(self.elements.depth.astype(np.int64) * size + np.arange(size))

    @cached_property
    def hyperlink_ratio(self) -> Floats:
        """1 divided by the number of links, 1 without any."""
        return 1 / np.maximum(self.links, 1.0)

    @cached_property
    def children_ratio(self) -> Floats:
        """Has the element more than two children?

        Here childNodes(n) is the browser's: white space and comments are nodes (Definition 2.1). On
        GoogleTrends' training pages that hardly matters (F1 of words 81.3, else 81.2).
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
        # A ratio that all elements share tells none of them from the others.
        standardised: Floats = np.divide(apart, deviation, out=np.zeros_like(apart), where=deviation > 0)
        return standardised


def _distances(deepest: int) -> list[int]:
    """The distances from 2 up that are told apart."""
    steps = list(range(2, min(deepest, _EXACT) + 1))
    while steps and steps[-1] * _STEP < deepest and steps[-1] >= _EXACT:
        steps.append(int(steps[-1] * _STEP))
    return steps


def _maximum_below(elements: Elements, values: Longs) -> Longs:
    """For each element: the maximum of `values` over itself and its descendants.

    The maximum of a range of rows is that of two runs of a power of two that cover it.
    """
    first = np.arange(len(elements))
    power = np.frexp(elements.end - first)[1] - 1  # of the longest run that fits
    found = values.copy()
    runs = values  # the maximum of each run of `size` rows
    size = 1
    for level in range(int(power.max(initial=0)) + 1):
        here = np.flatnonzero(power == level)
        found[here] = np.maximum(runs[here], runs[elements.end[here] - size])
        runs = np.maximum(runs[:-size], runs[size:])
        size *= 2
    return found


# §3.3


def candidate_set(page: PageTree, c: int) -> Ints:
    """Algorithms 1 and 2: the c nodes farthest from the centroid, as rows in document order.

    Elements with the same four ratios are one node by Definition 3.3 and come together, such as
    the items of a list. Of nodes equally far the first ones are taken.
    """
    # Rounded, so that what is equal stays equal whatever order sums are taken in.
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
    """Algorithm 3: without those that hold the same text nodes as an ancestor among them."""
    above = _next_above(page, candidates)
    # Of several ancestors the next has the fewest texts, so no other one need be asked.
    return candidates[(above < 0) | (page.texts[above] > page.texts[candidates])]


def _next_above(page: PageTree, rows: Ints) -> Ints:
    """For each of some elements: the next of its ancestors that is one of them, else -1."""
    return page.elements.nearest(page.mask(rows), page.elements.parent[rows])


def main_content(page: PageTree, candidates: Ints) -> Ints:
    """Algorithm 4: the candidates with most words for their tags, and their siblings among the candidates."""
    tags_of = page.elements.end[candidates] - candidates  # an element's own tag counts
    ratio = page.words[candidates] / tags_of
    parent = page.elements.parent[candidates]
    chosen = candidates[np.isin(parent, parent[ratio == ratio.max()])]
    # Definition 2.3: the set is minimal. Of a tie one may hold the other.
    return chosen[_next_above(page, chosen) < 0]


# §3.5


def without_groups_of_links(page: PageTree, chosen: Ints, tr: float, hr: int) -> tuple[Ints, Ints]:
    """Algorithm 5: the chosen nodes that are more than links, and the lists of links inside them.

    A step that would leave nothing to see is not taken: then links are what the page is about.
    """
    # The amount of text is counted in words; an element whose words are all linked exceeds any tr.
    linked = (page.words > tr * page.unlinked_words) & (page.links > hr)
    unlinked = chosen[~linked[chosen]]
    kept = unlinked if page.shows_something[unlinked].any() else chosen
    groups = _lists_of_links(page, kept)
    left = page.leaves.visible & page.holds(kept) & ~page.holds(groups)
    return kept, groups if left.any() else groups[:0]


def _lists_of_links(page: PageTree, chosen: Ints) -> Ints:
    """The children, of one tag, of an element inside the chosen ones, if each holds one link and no image.

    One such child is no group: a headline is often just that.
    """
    elements, size = page.elements, len(page.elements)
    rows = np.flatnonzero(elements.parent >= 0)
    parent = elements.parent[rows]
    is_link = _IS_LINK[elements.code]
    single = np.bincount(parent[is_link[rows]], minlength=size) == 1
    is_item = single & (page.children == 1)
    items = np.bincount(parent[is_item[rows]], minlength=size)
    numbers: dict[str, int] = {}
    tag_of = np.fromiter((numbers.setdefault(tag, len(numbers)) for tag in elements.tag), np.int64, size)
    # The tag of some child of each element; children of another tag show that they differ.
    tag_below = np.zeros(size, dtype=np.int64)
    tag_below[parent] = tag_of[rows]
    mixed = np.zeros(size, dtype=np.bool_)
    mixed[parent[tag_of[rows] != tag_below[parent]]] = True
    has_image = page.below(_IS_IMAGE[elements.code].astype(np.float64)) > 0
    is_list = (items >= 2) & (items == page.children) & ~mixed & ~has_image
    inside = elements.inside(page.mask(chosen))
    found: Ints = rows[is_list[parent] & inside[parent]].astype(np.int32)
    return found


r4 = R4()
