"""ConEx (Alarte, Insa, Silva, Tamarit: Main Content Extraction from Heterogeneous Webpages, WISE 2018).

Some pages of the site are compared with the page, to identify the nodes of its tree that do not belong to the template.
Then these nodes are explored to select those of the main content. The first step is the equal top-down mapping of the
authors' TemEx; how the second one selects could not be found (README.md), so it is this project's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tamis.arrays import Bools, Floats
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.errors import OptionError
from tamis.labels import Labels
from tamis_papers.links import LinkedSite
from tamis_papers.trees import Tree, everything, without


@dataclass(frozen=True)
class ConEx:
    """Keeps the texts outside the template that are below one node, the main branch.

    `size` is the number of linked pages that are compared, the labelled one included. `share` of the words outside the
    template are below the main branch. `site` has the pages to compare with.
    """

    size: int = 4
    share: float = 0.5
    site: LinkedSite | None = None

    def __post_init__(self) -> None:
        if self.size < 2:
            raise OptionError(f"size is at least 2, not {self.size}")
        if not 0.5 <= self.share <= 1:
            raise OptionError(f"share is from 0.5 to 1, not {self.share}")

    def learned(self, pages: Sequence[Document]) -> ConEx:
        """The extractor for the site of these pages."""
        return replace(self, site=LinkedSite(pages))

    def label(self, document: Document) -> Labels:
        """Texts of the main branch that are outside the template score 1, others 0."""
        found = self.site and self.site.template(document, self.size)
        if not found:
            return everything(document)
        tree, template = found
        branch = main_branch(tree, new_words(document, tree, template), self.share)
        return without(document, (template | ~tree.below([branch]))[tree.node_of_leaf])


def new_words(document: Document, tree: Tree, template: Bools) -> Floats:
    """For each node: the words of visible texts in its subtree that are outside the template."""
    texts = document.leaves.visible_text
    tokens = tokenize([document.leaves.text[leaf] for leaf in texts.tolist()])
    nodes = tree.node_of_leaf[texts]
    own = np.zeros(len(tree) + 1)
    own[nodes + 1] = np.where(template[nodes], 0.0, np.rint(tokens.sum_per_text(tokens.weight)))
    total = own.cumsum()
    below: Floats = total[tree.end] - total[:-1]
    return below


def main_branch(tree: Tree, words: Floats, share: float) -> int:
    """The last node on the way down that holds more than `share` of all new words and no text of its own.

    A node with a text is a paragraph or a part of one, and not the branch that holds all of them.
    """
    branches = words > share * words[:1].sum()
    texts = np.fromiter(tree.text, np.int64)
    branches[texts] = False
    branches[tree.parent[texts]] = False
    found = np.flatnonzero(branches)
    # Of nodes with more than half of the words, each is below the one before it.
    return int(found[-1]) if found.size else 0


conex = ConEx()
