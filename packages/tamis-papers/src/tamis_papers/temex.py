"""The template that a page shares with pages that it and that link to each other: TemEx and ConEx.

TemEx (Alarte, Insa, Silva, Tamarit: Site-Level Web Template Extraction Based on DOM Analysis, PSI 2015). Pages that all
link to each other share a menu, and so a template (a complete subdigraph of the site). The page is compared with each
of them by an equal top-down mapping (ETDM): two nodes are mapped if they are equal and their parents are mapped. The
nodes that are mapped on all these pages are the template. All else is content.

ConEx (Alarte, Insa, Silva, Tamarit: Main Content Extraction from Heterogeneous Webpages, WISE 2018). Some pages of the
site are compared with the page, to identify the nodes of its tree that do not belong to the template. Then these nodes
are explored to select those of the main content. The first step is TemEx's mapping; how the second one selects could
not be found (README.md), so it is this project's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self
from urllib.parse import urldefrag, urljoin

import numpy as np

from tamis.arrays import Bools, Floats
from tamis.document import Document, tags
from tamis.document.words import tokenize
from tamis.errors import OptionError
from tamis.labels import Labels
from tamis_papers.trees import NodeTree, everything, in_any_order, mapped_on_all, top_down, without

_IS_LINK = tags.lookup("a", "area")

# What tells whether two elements are equal, beside their tag. The function of Alarte et al. also weighs the number of
# children, the position and other attributes; its weights are not published.
_ATTRIBUTES = ("id", "class")


@dataclass(frozen=True)
class Place:
    """The address of a page and those that it links to, in the order of the page; nothing without an address."""

    url: str | None
    links: tuple[str, ...] = ()

    @classmethod
    def of(cls, document: Document) -> Place:
        """Read the links of a page."""
        if not document.url:
            return cls(None)
        targets: dict[str, None] = {}
        for node in document.elements.nodes(_IS_LINK[document.elements.code]):
            if target := _address(document.url, node.attr("href") or ""):
                targets[target] = None
        return cls(_address(document.url, ""), tuple(targets))


class LinkedSite:
    """Pages of a site with their links."""

    def __init__(self, pages: Sequence[Document]) -> None:
        self._pages = [(NodeTree(page, _ATTRIBUTES), Place.of(page)) for page in pages]

    def template(self, document: Document, size: int) -> tuple[NodeTree, Bools] | None:
        """The tree of a page, and for each node whether an equal top-down mapping (ETDM) finds it on all of the pages.

        These are the others of a complete subdigraph of `size` pages. If there is none, because addresses or links are
        not given, all pages of the site are taken. None without pages to compare with.
        """
        tree = NodeTree(document, _ATTRIBUTES)
        pages = [(page, place) for page, place in self._pages if not tree.same_page(page)]
        if not pages:
            return None
        linked = complete_subdigraph(Place.of(document), [place for _, place in pages], size)
        compared = [page for page, _ in [pages[index] for index in linked] or pages]
        return tree, mapped_on_all(tree, compared, partial(top_down, pairs=in_any_order))


def complete_subdigraph(page: Place, others: list[Place], size: int) -> list[int]:
    """The places in `others` of pages that, with `page`, all link to each other; at most `size` - 1 of them.

    They are taken in the order of the links of `page`: a page is taken if it and all taken so far link to each other.
    Empty if there are none, or if addresses are missing.
    """
    number = {other.url: index for index, other in enumerate(others) if other.url and other.url != page.url}
    chosen: list[int] = []
    targets = {other.url: frozenset(other.links) for other in others}
    for link in page.links:
        if len(chosen) == size - 1:
            break
        if link not in number or page.url not in targets[link]:
            continue
        if all(link in targets[others[each].url] and others[each].url in targets[link] for each in chosen):
            chosen.append(number[link])
    return chosen


def _address(base: str, target: str) -> str:
    """An absolute address without a fragment; empty for one that can't be read."""
    try:
        return urldefrag(urljoin(base, target.strip())).url
    except ValueError:
        return ""


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

    def learned(self, pages: Sequence[Document]) -> Self:
        """The extractor for the site of these pages."""
        return replace(self, site=LinkedSite(pages))

    def label(self, document: Document) -> Labels:
        """Texts of removed nodes score 0, others 1."""
        found = self.site and self.site.template(document, self.size)
        if not found:
            return everything(document)
        tree, template = found
        return without(document, self.removed(document, tree, template)[tree.node_of_leaf])

    def removed(self, document: Document, tree: NodeTree, template: Bools) -> Bools:
        """For each node: is it removed? Those of the template are."""
        del document, tree
        return template


temex = TemEx()


@dataclass(frozen=True)
class ConEx(TemEx):
    """Keeps the texts outside the template that are below one node, the main branch.

    The main branch has more than `share` of the words outside the template.
    """

    share: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.5 <= self.share <= 1:
            raise OptionError(f"share is from 0.5 to 1, not {self.share}")

    def removed(self, document: Document, tree: NodeTree, template: Bools) -> Bools:
        """For each node: is it in the template or outside the main branch?"""
        branch = main_branch(tree, new_words(document, tree, template), self.share)
        return template | ~tree.below([branch])


def new_words(document: Document, tree: NodeTree, template: Bools) -> Floats:
    """For each node: the words of visible texts in its subtree that are outside the template."""
    texts = document.leaves.visible_text
    tokens = tokenize([document.leaves.text[leaf] for leaf in texts.tolist()])
    nodes = tree.node_of_leaf[texts]
    own = np.zeros(len(tree) + 1)
    own[nodes + 1] = np.where(template[nodes], 0.0, np.rint(tokens.sum_per_text(tokens.weight)))
    total = own.cumsum()
    below: Floats = total[tree.end] - total[:-1]
    return below


def main_branch(tree: NodeTree, words: Floats, share: float) -> int:
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
