"""The places where the paper can be read in two ways, each way measured.

What is shipped was chosen by reading and on training pages. The figures for CleanEval's test pages show
how much depends on it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from tamis.arrays import Bools, Floats
from tamis.cached import cached_property
from tamis.document import Document
from tamis.labels import Labels
from tamis.render.text import to_text
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.metrics import tokens
from tamis_lab.papers.r4.tables.nodes import Label, averages, read_pages
from tamis_lab.papers.r4.tables.table5 import NAMES, PAPER, Lengths, averaged, lengths
from tamis_lab.reproduce.page import Figure, Section, compare
from tamis_papers.r4.extractor import R4, PageTree


class _DepthFromRoot(PageTree):
    """The position ratio as the prose of §3.1 has it: how far down the tree a node stands."""

    @cached_property
    def position_ratio(self) -> Floats:
        depth = (self.elements.depth - self.elements.depth[self.root].max(initial=0)).astype(np.float64)
        deepest = depth[self.rated].max(initial=0.0)
        return np.where(depth <= deepest / 2, 1.0, deepest / np.maximum(depth, 1.0) - 1)


class _PlainChildren(PageTree):
    """The children ratio without the white space and the comments that a browser's childNodes counts."""

    @cached_property
    def children_ratio(self) -> Floats:
        return (self.children > 2).astype(np.float64)


class _EveryElementCounts(PageTree):
    """Criterion 3 also counts elements that show nothing."""

    @cached_property
    def shows_something(self) -> Bools:
        return np.ones(len(self.elements), dtype=np.bool_)


class _ListedTagsCount(_EveryElementCounts):
    """Criterion 3 by the letter: it counts the tags that criterion 2 lists, which are the excluded ones."""

    @cached_property
    def is_wide(self) -> bool:
        return self.is_wider_than_deep(self.inside_body & ~self.may_be_content)


class _UnlinkedWords(PageTree):
    """Algorithm 4 with words(n) of Definition 2.1, which leaves out those in hyperlinks."""

    @property
    def words(self) -> Floats:
        return self.unlinked_words


def _with(tree: type[PageTree], system: R4) -> Label:
    return lambda document: system.label_tree(tree(document))


def by_the_letter(system: R4) -> Label:
    """The post-process as printed: a chosen node over both thresholds goes even if nothing else is left."""

    def label(document: Document) -> Labels:
        page = PageTree(document)
        labels = system.label_tree(page)
        if labels.nodes is None or not page.has_candidates:
            return labels
        removed = labels.nodes[page.exceeds(system.tr, system.hr)[labels.nodes]]
        return replace(labels, keep=labels.keep & ~page.holds(removed))

    return label


def _links_inside(document: Document) -> Labels:
    """The thresholds of the post-process applied to every element inside the chosen ones, too."""
    system, page = R4(), PageTree(document)
    labels = system.label_tree(page)
    kept = labels.keep & ~page.elements.inside(page.exceeds(system.tr, system.hr))[page.leaves.element]
    return replace(labels, keep=kept) if page.has_candidates and kept.any() else labels


# In each name: what differs from what is shipped.
READINGS: dict[str, Label] = {
    "as shipped": R4().label,
    "depth counted from the root (prose of §3.1)": _with(_DepthFromRoot, R4()),
    "children: without white space and comments": _with(_PlainChildren, R4()),
    "wide pages: elements that show nothing count": _with(_EveryElementCounts, R4()),
    "wide pages: the listed tags are counted": _with(_ListedTagsCount, R4()),
    "post-process: thresholds for all inside, too": _links_inside,
    "post-process: may leave nothing": by_the_letter(R4()),
    "no post-process": R4(post_process=False).label,
    "no post-process, words for tags without words in links": _with(_UnlinkedWords, R4(post_process=False)),
}
_WIDE = {
    "as shipped": PageTree,
    "elements that show nothing count": _EveryElementCounts,
    "the listed tags are counted": _ListedTagsCount,
}
# "11 of the 65 webpages" of CleanEval, none of the 65 of TECO (§3.1).
_WIDE_OLD, _WIDE_MODERN = 100 * 11 / 65, 0.0


def sections(data: Path | None) -> list[Section]:
    """Each reading on training pages, then on CleanEval's test pages."""
    pages = list(read_pages(data, "train"))
    training = [
        Figure(f"{name}: F1 of {kind}", None, f1)
        for name, label in READINGS.items()
        for kind, (_, _, f1) in averages(label, pages).items()
    ]
    training += _share_of_wide([page.document for page in pages], "training pages", _WIDE_MODERN)
    measured: dict[str, list[Lengths]] = {name: [] for name in READINGS}
    documents = []
    for page in open_corpus("cleaneval", data).pages("test"):
        document = Document.from_html(page.html)
        documents.append(document)
        gold = tokens(page.gold_text or "")
        for name, label in READINGS.items():
            measured[name].append(lengths(tokens(to_text(document, label(document))), gold))
    test = [
        figure for name, values in measured.items() for figure in compare(name, NAMES, PAPER["r4"], averaged(values))
    ]
    test += _share_of_wide(documents, "CleanEval test", _WIDE_OLD)
    return [
        Section("Readings of the algorithm on GoogleTrends-2017 train", figures=training),
        Section("Readings of the algorithm on CleanEval test: LCS", figures=test),
    ]


def _share_of_wide(documents: list[Document], where: str, paper: float) -> list[Figure]:
    """The share of wide pages, in per cent."""
    figures = []
    for name, tree in _WIDE.items():
        share = 100 * float(np.mean([tree(page).is_wide for page in documents]))
        figures.append(Figure(f"wide among {where}, %, {name}", paper, share))
    return figures
