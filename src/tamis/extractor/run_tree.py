"""Where the tree branches: the elements above runs with at least two children that contain text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Ints, Longs, places
from tamis.document import Document


@dataclass(frozen=True, eq=False)
class RunTree:
    """The branching elements, called nodes. The number after the last node means "no node" and spans the page."""

    held: Longs  # (elements,): how many runs each element contains
    holders: Longs  # the elements that contain any run, in document order
    sections: Longs  # the holders of more than one run
    children: Longs  # (elements,): the runs of the element itself plus its children that contain runs
    nodes: Longs  # (nodes,): their elements
    parent: Longs  # (nodes + 1,): the number of the node above; "no node" is len(nodes)
    above: Longs  # (runs,): the number of the node above each run
    opened: Ints  # (runs,): the last element opened before each run
    first: Longs  # (nodes + 1,): the first run in the node
    last: Longs  # (nodes + 1,): the run after its last

    @classmethod
    def of(cls, document: Document, blocks: Ints, begins: Ints) -> RunTree:
        """`blocks` is the block-level element of each run, `begins` its first leaf."""
        elements, leaves = document.elements, document.leaves
        own = np.bincount(blocks, minlength=len(elements))
        held = elements.sums(own)
        holders, sections = places(held), places(held > 1)
        children = own + np.bincount(elements.parent.take(holders) + 1, minlength=len(elements) + 1)[1:]
        is_node = children > 1
        nodes = places(is_node)
        number = np.full(len(elements) + 1, len(nodes))  # of each element, and of element -1
        number[nodes] = np.arange(len(nodes))
        below = np.concatenate((elements.parent.take(nodes), blocks))
        above = number.take(elements.nearest(is_node, below))
        parent = np.full(len(nodes) + 1, len(nodes))
        parent[:-1] = above[: len(nodes)]
        # A node may be an inline element, so a run is in a node if its first leaf is, not if its block is.
        inside = np.zeros(len(elements) + 1, dtype=np.int64)
        np.bincount(leaves.element.take(begins), minlength=len(elements)).cumsum(out=inside[1:])
        first, last = np.zeros(len(nodes) + 1, dtype=np.int64), np.full(len(nodes) + 1, len(blocks))
        opened = leaves.opened.take(begins)
        first[:-1] = opened.searchsorted(nodes)
        last[:-1] = first[:-1] + inside.take(elements.end.take(nodes)) - inside.take(nodes)
        return cls(held, holders, sections, children, nodes, parent, above[len(nodes) :], opened, first, last)
