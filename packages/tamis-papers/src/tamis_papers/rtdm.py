"""Template detection by mapped trees: RTDM-TD and RBM-TD.

RTDM-TD (Vieira et al.: A Fast and Robust Method for Web Page Template Detection and Removal, CIKM 2006). The trees of
two pages are mapped from the root down: two nodes may be mapped only if their parents are, children keep their order,
and equal subtrees are mapped as a whole. The nodes that are mapped to an equal node on every page of a sample are the
template of the site.

RBM-TD (Vieira et al.: On Finding Templates on Web Collections, World Wide Web 12(2), 2009). In a bottom-up mapping two
nodes are mapped only if all that is below them is. So mapped are equal subtrees, wherever they are. The subtrees that
are mapped on every page of a sample are the template of the site.

The template is removed; all else is content.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Self

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document
from tamis.labels import Labels
from tamis_papers.trees import NodeTree, everything, mapped_on_all, top_down, without


@dataclass(frozen=True)
class _TemplateRemoval(ABC):
    """Removes the nodes that are mapped on all `pages`, which are the others of the site."""

    pages: tuple[NodeTree, ...] = field(default=(), repr=False)

    def learned(self, pages: Sequence[Document]) -> Self:
        """The extractor for the site of these pages."""
        return replace(self, pages=tuple(map(NodeTree, pages)))

    def label(self, document: Document) -> Labels:
        """Texts of the template score 0, others 1."""
        tree = NodeTree(document)
        pages = [page for page in self.pages if not tree.same_page(page)]
        if not pages:
            return everything(document)
        return without(document, self.template(tree, pages)[tree.node_of_leaf])

    @abstractmethod
    def template(self, tree: NodeTree, pages: Sequence[NodeTree]) -> Bools:
        """For each node: is it part of the template?"""


@dataclass(frozen=True)
class Rtdm(_TemplateRemoval):
    """Keeps the texts that are not mapped to an equal text on every other page."""

    def template(self, tree: NodeTree, pages: Sequence[NodeTree]) -> Bools:
        """The nodes that are mapped to an equal node of each page."""
        return mapped_on_all(tree, pages, partial(top_down, pairs=in_order))


def in_order(tree: NodeTree, nodes: list[int], other: NodeTree, images: list[int]) -> list[tuple[int, int]]:
    """Pairs of children with the same name, in the order of both.

    RTDM takes the cheapest of all alignments, in quadratic time. Here equal subtrees are paired first: those at both
    ends, then those that occur once on each side, as many as keep the order. Between them, each child is paired with
    the next one of its name.
    """
    found: list[tuple[int, int]] = []
    digests, other_digests = tree.digest, other.digest
    first, last, other_last = 0, len(nodes), len(images)
    while first < min(last, other_last) and digests[nodes[first]] == other_digests[images[first]]:
        found.append((nodes[first], images[first]))
        first += 1
    while first < min(last, other_last) and digests[nodes[last - 1]] == other_digests[images[other_last - 1]]:
        last, other_last = last - 1, other_last - 1
        found.append((nodes[last], images[other_last]))
    nodes, images = nodes[first:last], images[first:other_last]
    start = other_start = 0
    for place, other_place in [*_anchors(tree, nodes, other, images), (len(nodes), len(images))]:
        found += _by_name(tree, nodes[start:place], other, images[other_start:other_place])
        if place < len(nodes):
            found.append((nodes[place], images[other_place]))
        start, other_start = place + 1, other_place + 1
    return found


def _anchors(tree: NodeTree, nodes: list[int], other: NodeTree, images: list[int]) -> list[tuple[int, int]]:
    """The longest chain of equal subtrees that occur once on each side, as places in the two lists."""
    once, other_once = (
        {digest: place for place, digest in enumerate(digests) if counts[digest] == 1}
        for digests in ([tree.digest[node] for node in nodes], [other.digest[image] for image in images])
        for counts in [Counter(digests)]
    )
    shared = [(place, other_once[digest]) for digest, place in once.items() if digest in other_once]
    # The longest increasing subsequence of the places on the other side.
    tails: list[int] = []  # the least place that ends a chain of each length
    ends: list[int] = []  # and which of `shared` it is
    before: list[int] = []
    for index, (_, place) in enumerate(shared):
        length = bisect_left(tails, place)
        before.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(place)
            ends.append(index)
        tails[length], ends[length] = place, index
    chain: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(shared[index])
        index = before[index]
    return chain[::-1]


def _by_name(tree: NodeTree, nodes: list[int], other: NodeTree, images: list[int]) -> list[tuple[int, int]]:
    """Each child with the next of its name behind the last that was paired."""
    places: dict[str, list[int]] = {}
    for place, image in enumerate(images):
        places.setdefault(other.name[image], []).append(place)
    found: list[tuple[int, int]] = []
    last = -1
    for node in nodes:
        candidates = places.get(tree.name[node], [])
        following = bisect_right(candidates, last)
        if following < len(candidates):
            last = candidates[following]
            found.append((node, images[last]))
    return found


rtdm = Rtdm()


@dataclass(frozen=True)
class Rbm(_TemplateRemoval):
    """Keeps the texts that are in no element that every other page has, too."""

    def template(self, tree: NodeTree, pages: Sequence[NodeTree]) -> Bools:
        """The nodes of the subtrees that are mapped on each page."""
        return tree.below(np.flatnonzero(mapped_on_all(tree, pages, bottom_up)))


def bottom_up(tree: NodeTree, other: NodeTree) -> Bools:
    """For each node of `tree`: is it an element that is mapped to an equal subtree of `other`?

    The mapping is one to one: of equal elements the first ones are mapped, as many as the other page has.
    """
    free = Counter(digest for node, digest in enumerate(other.digest) if not other.is_text(node))
    mapped = np.zeros(len(tree), dtype=np.bool_)
    for node, digest in enumerate(tree.digest):
        if free.get(digest) and not tree.is_text(node):
            free[digest] -= 1
            mapped[node] = True
    return mapped


rbm = Rbm()
