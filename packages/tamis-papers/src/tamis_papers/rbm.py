"""RBM-TD (Vieira et al.: On Finding Templates on Web Collections, World Wide Web 12(2), 2009).

In a bottom-up mapping two nodes are mapped only if all that is below them is. So mapped are equal subtrees, wherever
they stand. The subtrees that are mapped on every page of a sample are the template of the site. The template is
removed; all else is content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document
from tamis.labels import Labels
from tamis_papers.trees import Tree, everything, mapped_on_all, without


@dataclass(frozen=True)
class Rbm:
    """Keeps the texts in no element that every other page has, too. `pages` are those of the site."""

    pages: tuple[Tree, ...] = field(default=(), repr=False)

    def learned(self, pages: Sequence[Document]) -> Rbm:
        """The extractor for the site of these pages."""
        return replace(self, pages=tuple(map(Tree, pages)))

    def label(self, document: Document) -> Labels:
        """Texts of the template score 0, others 1."""
        tree = Tree(document)
        pages = [page for page in self.pages if not tree.same_page(page)]
        if not pages:
            return everything(document)
        template = mapped_on_all(tree, pages, bottom_up)
        return without(document, tree.below(np.flatnonzero(template))[tree.node_of_leaf])


def bottom_up(tree: Tree, other: Tree) -> Bools:
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
