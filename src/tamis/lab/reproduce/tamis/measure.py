"""One page of WCXB dev, measured out of fold at several thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tamis
from tamis.api import PRECISION_THRESHOLD, RECALL_SHARE
from tamis.arrays import Floats
from tamis.extractor.tamis import Tamis
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.gold import leaf_gold
from tamis.lab.metrics import PRF, token_bag
from tamis.lab.training.pages import fold_of_page
from tamis.render.text import to_text

AS_SHIPPED = "as shipped"


def _from(score: float) -> tuple[str, Callable[[float], float]]:
    return f"from a score of {score:g}", lambda own: score


# By name, from the lowest to the highest: which score a text needs, given the extractor's own decision.
CUTS: dict[str, Callable[[float], float]] = dict(
    (
        _from(0.1),
        ("with favor_recall", lambda own: RECALL_SHARE * own),
        (AS_SHIPPED, lambda own: own),
        _from(0.5),
        _from(0.6),
        ("with favor_precision", lambda own: PRECISION_THRESHOLD),
        _from(0.8),
        _from(0.9),
    )
)


@dataclass(frozen=True, eq=False)
class Measured:
    """What became of a page."""

    id: str
    page_type: str
    has_gold: bool
    at: dict[str, PRF]  # by the name of a cut
    scores: Floats  # (texts,) as the next: of the texts that a reader can see or unfold
    truth: Floats
    weight: Floats  # sums up to 1, or to 0 where the gold is not found on the page

    @property
    def f1(self) -> float:
        """The token F1 as shipped."""
        return self.at[AS_SHIPPED].f1


def measure_all(pages: Iterable[CorpusPage], folders: Sequence[Path]) -> Iterator[Measured]:
    """Each page by the weights of its fold."""
    extractors = [Tamis(folder) for folder in folders]
    for page in pages:
        yield measure(page, extractors[fold_of_page(page.html, page.url, len(extractors))])


def measure(page: CorpusPage, extractor: Tamis) -> Measured:
    """Extract once, cut at every threshold."""
    found = tamis.extract(page.html, url=page.url, extractor=extractor)
    gold_text = page.gold_text or ""
    at = {
        name: token_bag(
            to_text(found.document, found.labels.at(cut(found.labels.threshold), found.document)), gold_text
        )
        for name, cut in CUTS.items()
    }
    texts = found.document.leaves.visible_text
    gold = leaf_gold(page, found.document) if gold_text and found.source == "page" else None
    truth = gold.content[texts].astype(np.float64) if gold else np.zeros(len(texts))
    weight = np.zeros(len(texts))
    if gold and not gold.is_bad and len(texts):
        weight = np.full(len(texts), 1 / len(texts))
    return Measured(page.id, page.page_type or "", bool(gold_text), at, found.labels.scores[texts], truth, weight)
