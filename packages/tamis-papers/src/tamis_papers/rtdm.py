"""RTDM-TD (Vieira et al.: A Fast and Robust Method for Web Page Template Detection and Removal, CIKM 2006).

The trees of two pages are mapped from the root down: two nodes may be mapped only if their parents are, children keep
their order, and equal subtrees are mapped as a whole. What is mapped to an equal node on every page of a sample is the
template of the site. The template is removed; all else is content.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from tamis.document import Document
from tamis.labels import Labels
from tamis_papers.trees import Tree, everything, mapped_on_all, top_down, without


@dataclass(frozen=True)
class Rtdm:
    """Keeps the texts that are not mapped to an equal text on every other page. `pages` are those of the site."""

    pages: tuple[Tree, ...] = field(default=(), repr=False)

    def learned(self, pages: Sequence[Document]) -> Rtdm:
        """The extractor for the site of these pages."""
        return replace(self, pages=tuple(map(Tree, pages)))

    def label(self, document: Document) -> Labels:
        """Texts of the template score 0, others 1."""
        tree = Tree(document)
        pages = [page for page in self.pages if not tree.same_page(page)]
        if not pages:
            return everything(document)
        template = mapped_on_all(tree, pages, partial(top_down, pairs=in_order))
        return without(document, template[tree.node_of_leaf])


def in_order(tree: Tree, nodes: list[int], other: Tree, images: list[int]) -> list[tuple[int, int]]:
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


def _anchors(tree: Tree, nodes: list[int], other: Tree, images: list[int]) -> list[tuple[int, int]]:
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


def _by_name(tree: Tree, nodes: list[int], other: Tree, images: list[int]) -> list[tuple[int, int]]:
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
