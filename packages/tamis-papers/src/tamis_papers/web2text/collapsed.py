"""The Collapsed DOM of Web2Text (§3.1), whose leaves are the blocks (§3.2).

Elements without visible text are removed (empty ones, BR, HR, IMG, INPUT, HEAD ...), and an element
with one child is merged with it. The leaves are the visible texts, each with the elements that hold
nothing else. The inner nodes are the elements with two children or more, each with its single-child
ancestors; an inner node is identified by its lowest element.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Ints
from tamis.cached import cached_property
from tamis.document.table import Document


@dataclass(frozen=True, eq=False)
class CollapsedTree:
    """The collapsed tree of a page. A node is the number of its lowest element; -1 is above the root."""

    document: Document
    leaves: Ints  # the visible texts, in document order
    children: Ints  # (elements,) how many children with text each element has

    @classmethod
    def of(cls, document: Document) -> CollapsedTree:
        """Collapse the tree of a page."""
        leaves = document.leaves.visible_text
        elements = document.elements
        holder = document.leaves.element[leaves]
        own = np.bincount(holder, minlength=len(elements))
        filled = np.flatnonzero(elements.sums(own))
        parents = elements.parent[filled]
        children = own + np.bincount(parents[parents >= 0], minlength=len(elements))
        return cls(document, leaves, children)

    @property
    def holder(self) -> Ints:
        """The element that directly holds each leaf."""
        return self.document.leaves.element[self.leaves]

    @cached_property
    def is_node(self) -> Bools:
        """For each element: is it the lowest one of an inner node?"""
        return self.children > 1

    @cached_property
    def parent(self) -> Ints:
        """For each leaf: its parent node."""
        return self.document.elements.nearest(self.is_node, self.holder)

    def above(self, nodes: Ints) -> Ints:
        """For each inner node: its parent node; -1 stays -1."""
        higher = np.append(self.document.elements.parent, np.int64(-1))[nodes]
        return self.document.elements.nearest(self.is_node, higher)

    @cached_property
    def depth(self) -> Ints:
        """For each element, and at the end for -1: the number of inner nodes that hold it, itself included."""
        return self.document.elements.covering(self.is_node)

    def leaf_range(self, nodes: Ints) -> tuple[Ints, Ints]:
        """For each element: the number of its first leaf, and of the one after its last; -1 is the whole page."""
        elements, every = self.document.elements, len(self.leaves)
        held = np.zeros(len(elements) + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.holder, minlength=len(elements)), out=held[1:])
        first = np.searchsorted(self.document.leaves.opened[self.leaves], nodes)
        count = held[np.append(elements.end, 0)[nodes]] - held[nodes]
        whole = nodes < 0
        return np.where(whole, 0, first), np.where(whole, every, first + count)

    @cached_property
    def common(self) -> Ints:
        """For each leaf but the first: the lowest node that holds it and the leaf before."""
        elements = self.document.elements
        holder, opened = self.holder, self.document.leaves.opened[self.leaves]
        found = holder[1:].copy()  # it holds the leaf before as well, unless it was opened after that
        later = np.flatnonzero(holder[1:] > opened[:-1])
        if later.size:
            # Of the elements opened between the two leaves, the highest is a child of the one that holds both.
            # These ranges don't overlap, so this is one pass over the page.
            key = elements.depth.astype(np.int64) << 32 | np.arange(len(elements))
            bounds = np.column_stack([opened[:-1][later] + 1, holder[1:][later] + 1]).ravel()
            # The last bound may be one past the end, which reduceat does not take.
            highest = np.minimum.reduceat(np.append(key, np.iinfo(np.int64).max), bounds)[::2] & 0xFFFFFFFF
            found[later] = elements.parent[highest]
        return elements.nearest(self.is_node, found)
