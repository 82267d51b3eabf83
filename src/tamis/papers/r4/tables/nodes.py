"""The measure of Table 3, retrieved DOM nodes and retrieved words, on GoogleTrends-2017."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tamis import registry
from tamis.arrays import Bools, Floats
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.lab.corpora.catalogue import open_corpus
from tamis.lab.corpora.googletrends import NOT_CONTENT
from tamis.lab.metrics import PRF, prf
from tamis.lab.reproduce.page import Figure, Section
from tamis.labels import Labels
from tamis.protocol import Extractor

# Recall, precision and F1 of the 50 pages of TECO: averages of the pages' own (footnote 6).
_PAPER = {"DOM nodes": (84.87, 91.47, 84.54), "words": (88.93, 95.23, 90.32)}
_NAMES = ("recall", "precision", "F1")
_SYSTEMS = ("r4", "bte")
_SPLITS = ("train", "dev", "test")


@dataclass(frozen=True, eq=False)
class GoldPage:
    """A page of which each leaf is known to be content or not."""

    document: Document
    content: Bools  # (leaves,)
    words: Floats  # (leaves,)


def read_pages(data: Path | None, split: str) -> Iterator[GoldPage]:
    """The pages of GoogleTrends-2017; content is what BoilerNet counts as content."""
    for page in open_corpus("googletrends-2017", data).pages(split):
        document = Document.from_html(page.html)
        content = np.array([label not in NOT_CONTENT for label in page.leaf_labels or ()], dtype=np.bool_)
        tokens = tokenize(document.leaves.text)
        yield GoldPage(document, content & document.leaves.visible, tokens.sum_per_text(tokens.weight))


def retrieved(document: Document, labels: Labels) -> tuple[Bools, Bools]:
    """The elements and the leaves that an extractor retrieves.

    Where it chose nodes: those with all below them, without the parts of which nothing stays. Else,
    by Definition 2.3, the elements all of whose leaves stay.
    """
    if labels.nodes is None:
        return _whole(document, labels.keep), labels.keep
    elements, leaves = document.elements, document.leaves
    chosen = np.zeros(len(elements), dtype=np.bool_)
    chosen[labels.nodes] = True
    shown = elements.sums(np.bincount(leaves.element[leaves.visible], minlength=len(elements)))
    kept = elements.sums(np.bincount(leaves.element[labels.keep], minlength=len(elements)))
    return elements.inside(chosen) & ~elements.inside((shown > 0) & (kept == 0)), labels.keep


def _whole(document: Document, keep: Bools) -> Bools:
    """The elements of which every visible leaf is kept, with all that they hold."""
    elements, leaves = document.elements, document.leaves
    shown = elements.sums(np.bincount(leaves.element[leaves.visible], minlength=len(elements)))
    kept = elements.sums(np.bincount(leaves.element[keep], minlength=len(elements)))
    return elements.inside((shown > 0) & (kept == shown))


def page_scores(page: GoldPage, labels: Labels) -> dict[str, PRF]:
    """Scores of the retrieved nodes (elements and texts) and of the words in them."""
    texts = ~page.document.leaves.is_media  # media are elements and count as such
    elements, keep = retrieved(page.document, labels)
    gold_elements = _whole(page.document, page.content)
    keep, gold = keep & texts, page.content & texts
    nodes = [int(elements_of.sum() + leaves_of.sum()) for elements_of, leaves_of in (
        (elements & gold_elements, keep & gold), (elements, keep), (gold_elements, gold))]  # fmt: skip
    words = [float(page.words[leaves_of].sum()) for leaves_of in (keep & gold, keep, gold)]
    return {"DOM nodes": prf(*nodes), "words": prf(*words)}


def averages(extractor: Extractor, pages: Sequence[GoldPage]) -> dict[str, tuple[float, float, float]]:
    """Mean recall, precision and F1 over pages, in per cent."""
    scores = [page_scores(page, extractor.label(page.document)) for page in pages]
    means = {}
    for kind in _PAPER:
        precision, recall, f1 = (100 * np.mean([page[kind] for page in scores], axis=0)).tolist()
        means[kind] = recall, precision, f1
    return means


def sections(data: Path | None) -> list[Section]:
    """R4 and BTE on each split."""
    figures = []
    for split in _SPLITS:
        pages = list(read_pages(data, split))
        for name in _SYSTEMS:
            for kind, values in averages(registry.get(name), pages).items():
                for number, measure in enumerate(_NAMES):
                    paper = _PAPER[kind][number] if name == "r4" else None
                    figures.append(
                        Figure(f"{name}, {split} ({len(pages)} pages), {kind}: {measure}", paper, values[number])
                    )
    words = (
        "The paper's figures are those of Table 3, on other pages. A node is an element or a text. Gold nodes are "
        "the labelled leaves and, as Definition 2.3 asks, every element of which all visible leaves are labelled, with "
        "what it holds; comments are not content. R4 retrieves its chosen nodes with all below them, less the groups "
        "of links that its post-process took out; BTE, which chooses texts, the elements all of whose leaves it keeps. "
        "Averages are those of the pages' own values."
    )
    return [Section("Table 3's measure on GoogleTrends-2017", words, figures)]
