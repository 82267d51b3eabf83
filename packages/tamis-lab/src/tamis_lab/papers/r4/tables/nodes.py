"""The measure of Table 3, retrieved DOM nodes and retrieved words, on GoogleTrends-2017."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tamis import registry
from tamis.arrays import Bools, Floats
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.labels import Labels
from tamis_lab.corpora.annotated import NOT_CONTENT
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.metrics import PRF, prf
from tamis_lab.reproduce.page import Section, compare

# Recall, precision and F1 of the 50 pages of TECO: averages of the pages' own (footnote 6).
_PAPER = {"DOM nodes": (84.87, 91.47, 84.54), "words": (88.93, 95.23, 90.32)}
_NAMES = ("recall", "precision", "F1")
_SPLITS = ("train", "dev", "test")

Label = Callable[[Document], Labels]  # how an extractor, or a reading of one, labels a page


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


def retrieved(document: Document, labels: Labels) -> Bools:
    """For each element: does an extractor retrieve it?

    If it chose nodes: these with all below them, without the parts of which nothing stays. Else, by
    Definition 2.3, the elements all of whose leaves stay.
    """
    if labels.nodes is None:
        return _whole(document, labels.keep)
    elements = document.elements
    chosen = np.isin(np.arange(len(elements)), labels.nodes)
    removed = _whole(document, document.leaves.visible & ~labels.keep)
    return elements.inside(chosen) & ~removed


def _whole(document: Document, leaves: Bools) -> Bools:
    """The elements all of whose visible leaves are among these, with all that they hold."""
    elements, holder = document.elements, document.leaves.element
    shown = elements.sums(np.bincount(holder[document.leaves.visible], minlength=len(elements)))
    found = elements.sums(np.bincount(holder[leaves], minlength=len(elements)))
    return elements.inside((shown > 0) & (found == shown))


def page_scores(page: GoldPage, labels: Labels) -> dict[str, PRF]:
    """Scores of the retrieved nodes (elements and texts) and of the words in them."""
    texts = ~page.document.leaves.is_media  # media are elements and count as such
    keep, gold = labels.keep & texts, page.content & texts
    elements, gold_elements = retrieved(page.document, labels), _whole(page.document, page.content)
    leaves = (keep & gold, keep, gold)  # in both, found, in the gold; the same for the elements
    both = zip((elements & gold_elements, elements, gold_elements), leaves, strict=True)
    nodes = prf(*[int(of_elements.sum() + of_leaves.sum()) for of_elements, of_leaves in both])
    return {"DOM nodes": nodes, "words": prf(*[float(page.words[mask].sum()) for mask in leaves])}


def averages(label: Label, pages: Sequence[GoldPage]) -> dict[str, tuple[float, float, float]]:
    """Mean recall, precision and F1 over pages, in per cent."""
    scores = [page_scores(page, label(page.document)) for page in pages]
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
        for name in ("r4", "bte"):
            for kind, values in averages(registry.get(name).label, pages).items():
                paper = _PAPER[kind] if name == "r4" else None
                figures += compare(f"{name}, {split} ({len(pages)} pages), {kind}", _NAMES, paper, values)
    return [Section("Table 3's measure on GoogleTrends-2017", figures=figures)]
