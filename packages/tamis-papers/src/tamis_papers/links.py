"""The template that a page shares with pages that it and that link to each other, for papers that go by menus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urldefrag, urljoin

from tamis.arrays import Bools
from tamis.document import Document, tags
from tamis_papers.trees import Tree, in_any_order, mapped_on_all, top_down

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
        self._pages = [(Tree(page, _ATTRIBUTES), Place.of(page)) for page in pages]

    def template(self, document: Document, size: int) -> tuple[Tree, Bools] | None:
        """The tree of a page, and for each node whether an equal top-down mapping (ETDM) finds it on all of the pages.

        These are the others of a complete subdigraph of `size` pages. If there is none, because addresses or links are
        not given, all pages of the site are taken. None if there is no page to compare with.
        """
        tree = Tree(document, _ATTRIBUTES)
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
