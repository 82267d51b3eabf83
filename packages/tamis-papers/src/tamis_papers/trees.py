"""Trees of the pages of a site, for papers that compare one page with others.

A page is a tree of nodes: its elements and its texts. Each subtree has a digest, so that equal subtrees are found
without comparing them node by node. Nothing calls itself: a page may be nested 200,000 deep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b

import numpy as np

from tamis.arrays import Bools, Ints
from tamis.cached import cached_property
from tamis.document import Document
from tamis.labels import Labels, from_text_scores

TEXT = "#text"  # the name of every text, as in the DOM

_BYTES = 8  # of a digest

# They match on any two pages, so their attributes do not count: many sites write the name of the page
# into the class of BODY.
_ROOTS = frozenset({"html", "body"})


class NodeTree:
    """The elements and texts of a page in document order; every column has one entry a node.

    An element's name is its tag and the values of `attributes`, for HTML and BODY the tag alone; a text is named TEXT.
    The digest of a subtree tells the names, the order and the texts in it.
    """

    def __init__(self, document: Document, attributes: Sequence[str] = ()) -> None:
        elements, leaves = document.elements, document.leaves
        texts = np.flatnonzero(~leaves.is_media)
        holder = leaves.element[texts]
        node_of_element = np.arange(len(elements)) + np.searchsorted(leaves.opened[texts], np.arange(len(elements)))
        node_of_text = leaves.opened[texts] + 1 + np.arange(len(texts))
        size = len(elements) + len(texts)

        parent = np.full(size, -1, dtype=np.int64)
        has_parent = elements.parent >= 0
        parent[node_of_element[has_parent]] = node_of_element[elements.parent[has_parent]]
        parent[node_of_text] = node_of_element[holder]
        self.parent: Ints = parent
        # The subtree of a node is the nodes from itself up to `end`, without `end`.
        self.end: Ints = np.arange(size) + 1
        inside = elements.sums(np.bincount(holder, minlength=len(elements)))
        self.end[node_of_element] = node_of_element + (elements.end - np.arange(len(elements))) + inside

        self.name: list[str] = [TEXT] * size
        for node, name in zip(node_of_element.tolist(), _names(document, attributes), strict=True):
            self.name[node] = name
        self.text: dict[int, str] = {  # of the nodes that are texts, white space folded
            node: " ".join(leaves.text[leaf].split())
            for node, leaf in zip(node_of_text.tolist(), texts.tolist(), strict=True)
        }
        self.node_of_leaf: Ints = node_of_element[leaves.element]  # of a medium, its element
        self.node_of_leaf[texts] = node_of_text

        in_order = np.argsort(parent, kind="stable")
        self._children: list[int] = in_order.tolist()
        self._first_child: list[int] = np.searchsorted(parent[in_order], np.arange(size + 1)).tolist()

    def __len__(self) -> int:
        return len(self.name)

    def children(self, node: int) -> list[int]:
        """The child nodes in order."""
        return self._children[self._first_child[node] : self._first_child[node + 1]]

    def is_text(self, node: int) -> bool:
        """Is it a text? An element has another name."""
        return node in self.text

    def below(self, nodes: Iterable[int]) -> Bools:
        """For each node: is it one of these, or in the subtree of one?"""
        change = np.zeros(len(self) + 1, dtype=np.int64)
        rows = np.fromiter(nodes, np.int64)
        np.add.at(change, rows, 1)
        np.add.at(change, self.end[rows], -1)
        covered: Bools = change.cumsum()[:-1] > 0
        return covered

    def same_page(self, other: NodeTree) -> bool:
        """Are the two pages equal? Such a page says nothing about the template."""
        return self.digest[:1] == other.digest[:1]

    @cached_property
    def digest(self) -> list[bytes]:
        """The digest of each subtree."""
        found = [b""] * len(self)
        # From the last node to the first: children come before their parent.
        for node in range(len(self) - 1, -1, -1):
            below = [found[child] for child in self.children(node)]
            own = self.text.get(node, self.name[node])
            kind = b"t" if node in self.text else b"e"
            found[node] = digest(b"%b%d " % (kind, len(below)), *below, own.encode(errors="surrogatepass"))
        return found


def digest(*parts: bytes) -> bytes:
    """Eight bytes that are the same in every run and on every machine."""
    return blake2b(b"".join(parts), digest_size=_BYTES).digest()


def _names(document: Document, attributes: Sequence[str]) -> list[str]:
    elements = document.elements
    if not attributes:
        return elements.tag
    return [
        tag
        if tag in _ROOTS
        else "\n".join([tag, *(" ".join((node.attr(attribute) or "").split()) for attribute in attributes)])
        for tag, node in zip(elements.tag, elements.all_nodes, strict=True)
    ]


# Top-down mappings: two nodes are mapped only if their parents are.

# Which of the children of two mapped nodes are mapped: (tree, its children, other tree, its children) -> pairs.
Pairs = Callable[[NodeTree, list[int], NodeTree, list[int]], Iterable[tuple[int, int]]]


def top_down(tree: NodeTree, other: NodeTree, pairs: Pairs) -> Bools:
    """For each node of `tree`: is it mapped to an equal node of `other`?

    Elements are equal if they have the same name, texts if they are the same. Of two equal subtrees all nodes are
    mapped. Each node is looked at once, so this takes as long as `pairs` does.
    """
    if not len(tree) or not len(other) or tree.name[0] != other.name[0]:
        return np.zeros(len(tree), dtype=np.bool_)
    equal, whole = [], []
    left = [(0, 0)]
    while left:
        node, image = left.pop()
        if tree.digest[node] == other.digest[image]:
            whole.append(node)
        elif not tree.is_text(node):
            equal.append(node)
            left += pairs(tree, tree.children(node), other, other.children(image))
    found = tree.below(whole)
    found[equal] = True
    return found


def in_any_order(tree: NodeTree, nodes: list[int], other: NodeTree, images: list[int]) -> list[tuple[int, int]]:
    """Pairs of children with the same name, in any order.

    First come those whose subtrees are equal, then those with as many children, then all others; of several, the first.
    """
    keys: tuple[Callable[[NodeTree, int], object], ...] = (
        lambda tree, node: tree.digest[node],
        lambda tree, node: (tree.name[node], len(tree.children(node))),
        lambda tree, node: tree.name[node],
    )
    found: list[tuple[int, int]] = []
    for key in keys:
        free: dict[object, list[int]] = {}
        for image in reversed(images):
            free.setdefault(key(other, image), []).append(image)
        taken, left = set[int](), []
        for node in nodes:
            if candidates := free.get(key(tree, node)):
                image = candidates.pop()
                taken.add(image)
                found.append((node, image))
            else:
                left.append(node)
        nodes, images = left, [image for image in images if image not in taken]
        if not nodes or not images:
            break
    return found


def mapped_on_all(tree: NodeTree, pages: Sequence[NodeTree], mapped: Callable[[NodeTree, NodeTree], Bools]) -> Bools:
    """For each node of `tree`: does `mapped` find it on every one of these pages?"""
    template = np.ones(len(tree), dtype=np.bool_)
    for page in pages:
        template &= mapped(tree, page)
    return template


# Labels


def everything(document: Document) -> Labels:
    """All that is visible: what a site-level method keeps of a page without others to compare it with."""
    visible = document.leaves.visible
    return Labels(visible.astype(np.float64), visible.copy())


def without(document: Document, template: Bools) -> Labels:
    """All visible texts but those of the template, one flag a leaf; media follow the texts around them."""
    return from_text_scores(document, np.where(template, 0.0, 1.0))
