"""The Site Style Tree (Yi, Liu, Li: Eliminating Noisy Information in Web Pages for Data Mining, KDD 2003).

The trees of many pages of a site are laid over each other. An element node of the Site Style Tree (SST) is a tag with
its presentation attributes at one place of the site; each sequence of children that it has on some page is a style node
below it. An element node is important if pages show it in many styles, or its leaves with different content. A part of
the SST in which nothing is important is noise. A page is mapped to the SST, and what falls on noise is removed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tamis.arrays import Bools, Floats
from tamis.document import Document
from tamis.errors import OptionError
from tamis.labels import Labels
from tamis_papers.trees import NodeTree, everything, without

# Presentation attributes, those of HTML 4 and the class, which style sheets refer to.
_PRESENTATION = (
    "align", "background", "bgcolor", "border", "cellpadding", "cellspacing", "class", "color", "face", "height",
    "size", "valign", "width",
)  # fmt: skip

# Elements that show nothing do not belong to a style.
_UNSEEN = frozenset("base head link meta noscript script style template title".split())

# Importance is compared with these decimals, so that it does not depend on the order of sums.
_DECIMALS = 9


class StyledPage:
    """A page as the SST sees it: its nodes in document order, each with its style and its content.

    The style of a node is the sequence of the names of its children. The content of a leaf is the set of its features:
    the words of a text and the address that it links to, or the address of an image.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._tree = NodeTree(document, _PRESENTATION)
        unseen = [node for node, name in enumerate(self._tree.name) if name.partition("\n")[0] in _UNSEEN]
        self._seen = (~self._tree.below(unseen)).tolist()
        self._features = self._features_of_leaves()

    def __len__(self) -> int:
        return len(self._tree)

    def children(self, node: int) -> list[int]:
        """The children that are seen, in order."""
        return [child for child in self._tree.children(node) if self._seen[child]]

    def name(self, node: int) -> str:
        """Tag and presentation attributes, or that it is a text."""
        return self._tree.name[node]

    def features(self, node: int) -> list[str]:
        """The content of a leaf."""
        return self._features.get(node, [])

    def holds(self, nodes: Bools) -> Bools:
        """For each leaf: is it one of these nodes or below one?"""
        return self._tree.below(np.flatnonzero(nodes))[self._tree.node_of_leaf]

    def _features_of_leaves(self) -> dict[int, list[str]]:
        elements, leaves = self._document.elements, self._document.leaves
        found = [text.lower().split() for text in leaves.text]
        for leaf, element in enumerate(leaves.element.tolist()):
            name = "src" if leaves.is_media[leaf] else "href"
            if address := elements.attribute(element, name):
                found[leaf].append(f"{name}={address}")
        return dict(zip(self._tree.node_of_leaf.tolist(), found, strict=True))


class SiteStyleTree:
    """The SST of some pages. Its element nodes are called places; each is numbered after the place above it."""

    def __init__(self, pages: Sequence[Document], gamma: float) -> None:
        # A style node is a place and the names of the children there. Their places follow each other.
        self._styles: dict[tuple[int, tuple[str, ...]], int] = {}
        self._first_place: list[int] = []  # of each style
        self._pages: list[int] = []  # of each style: the pages that have it
        self._count = 0  # of places
        self._content: list[tuple[int, int, int]] = []  # the place of a leaf, a feature, a page
        self._numbers: dict[str, int] = {}  # of features
        for number, page in enumerate(pages):
            self._add(StyledPage(page), number)
        self.importance: Floats = np.round(self._composite(gamma), _DECIMALS)
        self.most_important: list[float] = self._maxima()
        self._content.clear()
        self._numbers.clear()

    def places(self, page: StyledPage) -> list[int]:
        """The place of each node of a page, -1 for those below a style that the SST does not know."""
        found = [-1] * len(page)
        for _, above, children in _styles_of(page, found):
            style = self._styles.get((above, tuple(map(page.name, children))), -1)
            if style >= 0:
                for offset, child in enumerate(children):
                    found[child] = self._first_place[style] + offset
        return found

    def _add(self, page: StyledPage, number: int) -> None:
        """Lay a page over the tree."""
        found = [-1] * len(page)
        for node, above, children in _styles_of(page, found):
            style = self._styles.setdefault((above, tuple(map(page.name, children))), len(self._styles))
            if style == len(self._first_place):
                self._first_place.append(self._count)
                self._pages.append(0)
                self._count += len(children)
            self._pages[style] += 1
            for offset, child in enumerate(children):
                found[child] = self._first_place[style] + offset
            if not children:
                for feature in page.features(node):
                    self._content.append((above, self._numbers.setdefault(feature, len(self._numbers)), number))

    def _composite(self, gamma: float) -> Floats:
        """The composite importance (CompImp) of each place, from the last to the first: children come first."""
        content: list[float] = self._content_importance().tolist()
        styles_of: list[list[tuple[int, int, int]]] = [[] for _ in range(self._count)]
        for (above, names), style in self._styles.items():
            if above >= 0:
                styles_of[above].append((self._pages[style], self._first_place[style], len(names)))
        found = [0.0] * self._count
        for place in range(self._count - 1, -1, -1):
            styles = styles_of[place]
            if all(not length for _, _, length in styles):
                found[place] = content[place]  # a leaf is without a style of its own
                continue
            pages = sum(count for count, _, _ in styles)
            shares = [count / pages for count, _, _ in styles]
            own = 1.0 if pages == 1 else -sum(share * math.log(share, pages) for share in shares)  # NodeImp
            below = sum(
                share * (sum(found[first : first + length]) / length if length else content[place])
                for share, (_, first, length) in zip(shares, styles, strict=True)
            )
            weight = gamma ** len(styles)
            found[place] = (1 - weight) * own + weight * below
        return np.array(found)

    def _content_importance(self) -> Floats:
        """For each place: 1 less the mean entropy of the features of its leaves over pages; 0 without content."""
        pages = np.zeros(self._count, dtype=np.int64)  # on which it is a leaf
        for (above, names), style in self._styles.items():
            if above >= 0 and not names:
                pages[above] = self._pages[style]
        if not self._content:
            return np.zeros(self._count)
        place, feature, page = np.array(self._content).T  # (occurrences,) each
        features = len(self._numbers)
        rows, times = np.unique((place * features + feature) * (page.max() + 1) + page, return_counts=True)
        there, feature_of = np.unique(rows // (page.max() + 1), return_inverse=True)  # each feature of each place
        place = there // features
        share = times / np.bincount(feature_of, times)[feature_of]
        base = np.log(np.maximum(pages[place], 2))
        entropy = np.bincount(feature_of, -share * np.log(share)) / base
        mean = np.bincount(place, entropy, minlength=self._count)
        number = np.bincount(place, minlength=self._count)
        # On a single page all entropies are 0, so that its content has importance 1, as the paper says.
        importance: Floats = np.where(number > 0, 1 - mean / np.maximum(number, 1), 0.0)
        return importance

    def _maxima(self) -> list[float]:
        """The largest importance of each place and all below it. It is noise if that is too small."""
        found: list[float] = self.importance.tolist()
        above = [-1] * self._count
        for (place, names), style in self._styles.items():
            first = self._first_place[style]
            above[first : first + len(names)] = [place] * len(names)
        for place in range(self._count - 1, 0, -1):
            if above[place] >= 0:
                found[above[place]] = max(found[above[place]], found[place])
        return found


def _styles_of(page: StyledPage, places: list[int]) -> Iterator[tuple[int, int, list[int]]]:
    """Each node that has a place, with that place and its children; first the root, as the child of no place.

    The caller fills `places` of the children before it asks for the next.
    """
    if len(page):
        yield -1, -1, [0]
    for node in range(len(page)):
        if places[node] >= 0:
            yield node, places[node], page.children(node)


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
