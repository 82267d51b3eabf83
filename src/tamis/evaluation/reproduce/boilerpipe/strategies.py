"""Figure 2: whole strategies on CleanEval and on the news, by token F1."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tamis.arrays import Bools
from tamis.corpora.catalogue import open_corpus
from tamis.document import Document
from tamis.evaluation.metrics import token_bag
from tamis.evaluation.reproduce.page import Figure, Section
from tamis.systems import registry

_STRATEGIES = (
    "keep-all",
    "min-words",
    "boilerpipe-density",
    "boilerpipe-words",
    "boilerpipe-cleaneval",
    "boilerpipe-largest",
    "boilerpipe-article",
)
# The paper prints one mean (95.93) and three gains over the baseline, from which the others follow.
_PAPER = {"keep-all": 68.5, "min-words": 81.0, "boilerpipe-words": 91.3, "boilerpipe-article": 95.93}
_POINTS = 2.5
# Which classes count as gold. The paper does not say for this experiment.
_GOLDS = {
    "headline, full text, supplemental, comments": ("headline", "fulltext", "supplemental", "comments"),
    "the same and related content": ("headline", "fulltext", "supplemental", "comments", "related"),
    "headline and full text": ("headline", "fulltext"),
    "full text alone": ("fulltext",),
}


def sections(data: Path | None) -> list[Section]:
    """The news with each reading of what the gold is, and CleanEval's test set."""
    found: dict[str, dict[str, list[float]]] = {gold: {name: [] for name in _STRATEGIES} for gold in _GOLDS}
    for page in open_corpus("l3s-gn1", data).pages():
        document = Document.from_html(page.html)
        labels = page.leaf_labels or ()
        texts = {name: _kept(document, registry.get(name).label(document).keep) for name in _STRATEGIES}
        for gold, classes in _GOLDS.items():
            wanted = " ".join(text for text, kind in zip(document.leaves.text, labels, strict=True) if kind in classes)
            for name, text in texts.items():
                found[gold][name].append(token_bag(text, wanted).f1)
    words = (
        "Mean token F1 over pages. The paper does not say which classes its gold text holds here; the first reading "
        "is main content without links to other articles, the others show how much hangs on it. No reading brings "
        "keep-all to 68.5 and min-words to 81.0 at once."
    )
    first, *others = _GOLDS
    news = [
        Section(f"Figure 2b: the news, gold: {first}", words, _figures(found[first], within=_POINTS)),
        *[Section(f"Figure 2b: the news, gold: {gold}", "", _figures(found[gold])) for gold in others],
    ]
    return [*news, _cleaneval(data)]


def _figures(found: dict[str, list[float]], within: float | None = None) -> list[Figure]:
    figures = []
    for name, values in found.items():
        median = f"median {100 * np.median(values):.2f}"
        figures.append(Figure(name, _PAPER.get(name), 100 * float(np.mean(values)), within, median))
    return figures


def _cleaneval(data: Path | None) -> Section:
    found: dict[str, list[float]] = {name: [] for name in _STRATEGIES}
    for page in open_corpus("cleaneval", data).pages("test"):
        document = Document.from_html(page.html)
        for name in _STRATEGIES:
            text = _kept(document, registry.get(name).label(document).keep)
            found[name].append(token_bag(text, page.gold_text or "").f1)
    figures = [Figure(name, None, 100 * float(np.mean(values)), note=f"median {100 * np.median(values):.2f}")
               for name, values in found.items()]  # fmt: skip
    words = "As in the paper, keeping everything is hard to beat here and the filters for news lose."
    return Section("Figure 2a: CleanEval test", words, figures)


def _kept(document: Document, keep: Bools) -> str:
    leaves = document.leaves
    return " ".join(leaves.text[leaf] for leaf in np.flatnonzero(keep & ~leaves.is_media).tolist())
