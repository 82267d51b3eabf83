"""The Site Style Tree (Yi, Liu, Li: Eliminating Noisy Information in Web Pages for Data Mining, KDD 2003).

The trees of many pages of a site are laid over each other. An element node of the Site Style Tree (SST) is a tag with
its presentation attributes at one place of the site; each sequence of children that it has on some page is a style node
below it. An element node is important if pages show it in many styles, or its leaves with different content. A part of
the SST in which nothing is important is noise. A page is mapped to the SST, and what falls on noise is removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tamis.document import Document
from tamis.errors import OptionError
from tamis.labels import Labels
from tamis.papers.sst.tree import SiteStyleTree, StyledPage
from tamis.papers.trees import everything, without


@dataclass(frozen=True)
class Sst:
    """Keeps the texts that do not fall on noise.

    A node is noise if its importance and that of all below it is less than `threshold`. `gamma` says how much the
    importance of a node depends on that of its children. `tree` is the SST of the site.
    """

    threshold: float = 0.2
    gamma: float = 0.9  # the paper's attenuating factor
    tree: SiteStyleTree | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1 or not 0 < self.gamma < 1:
            raise OptionError(
                f"threshold is from 0 to 1 and gamma between 0 and 1, not {self.threshold} and {self.gamma}"
            )

    def learned(self, pages: Sequence[Document]) -> Sst:
        """The extractor for the site of these pages."""
        return replace(self, tree=SiteStyleTree(pages, self.gamma) if pages else None)

    def label(self, document: Document) -> Labels:
        """Texts that fall on noise score 0, others 1."""
        if self.tree is None:
            return everything(document)
        page = StyledPage(document)
        noisy = np.zeros(len(page), dtype=np.bool_)
        # A node whose style the SST does not know is kept with all below it, so no node there has a place in it.
        for node, place in enumerate(self.tree.places(page)):
            noisy[node] = place >= 0 and self.tree.most_important[place] < self.threshold
        return without(document, page.holds(noisy))


sst = Sst()
