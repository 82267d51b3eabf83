"""TemEx (Alarte, Insa, Silva, Tamarit: Site-Level Web Template Extraction Based on DOM Analysis, PSI 2015).

Pages that all link to each other share a menu, and so a template (a complete subdigraph of the site). The page is
compared with each of them by an equal top-down mapping (ETDM): two nodes are mapped if they are equal and their parents
are mapped. The nodes that are mapped on all these pages are the template. All else is content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tamis.document import Document
from tamis.errors import OptionError
from tamis.labels import Labels
from tamis_papers.links import LinkedSite
from tamis_papers.trees import everything, without


@dataclass(frozen=True)
class TemEx:
    """Keeps the texts that are not mapped on every page of the subdigraph.

    `size` is the number of pages in the subdigraph, the labelled one included. `site` has the pages to compare with.
    """

    size: int = 4
    site: LinkedSite | None = None

    def __post_init__(self) -> None:
        if self.size < 2:
            raise OptionError(f"size is at least 2, not {self.size}")

    def learned(self, pages: Sequence[Document]) -> TemEx:
        """The extractor for the site of these pages."""
        return replace(self, site=LinkedSite(pages))

    def label(self, document: Document) -> Labels:
        """Texts of the template score 0, others 1."""
        found = self.site and self.site.template(document, self.size)
        if not found:
            return everything(document)
        tree, template = found
        return without(document, template[tree.node_of_leaf])


temex = TemEx()
