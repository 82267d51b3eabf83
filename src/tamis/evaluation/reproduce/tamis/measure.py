"""One page of WCXB dev, measured out of fold at several thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tamis
from tamis.api import PRECISION_THRESHOLD, RECALL_THRESHOLD
from tamis.arrays import Floats
from tamis.corpora.page import CorpusPage
from tamis.evaluation.metrics import PRF, token_bag
from tamis.gold import leaf_gold
from tamis.render.text import to_text
from tamis.systems.tamis import Tamis
from tamis.training.pages import fold_of_page

DEFAULT_CUT = -1.0  # stands for the extractor's own
CUTS = (0.1, 0.2, RECALL_THRESHOLD, DEFAULT_CUT, 0.5, 0.6, PRECISION_THRESHOLD, 0.8, 0.9)


@dataclass(frozen=True, eq=False)
class Measured:
    """What became of a page."""

    id: str
    page_type: str
    has_gold: bool
    at: dict[float, PRF]  # by threshold
    scores: Floats  # (texts,) as the next: of the texts that a reader can see or unfold
    truth: Floats
    weight: Floats  # sums up to 1, or to 0 where the gold is not found on the page

    @property
    def f1(self) -> float:
        """The token F1 as shipped."""
        return self.at[DEFAULT_CUT].f1


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
        cut: token_bag(
            to_text(found.document, found.labels.at(_cut(cut, found.labels.threshold), found.document)), gold_text
        )
        for cut in CUTS
    }
    texts = found.document.leaves.visible_text
    gold = leaf_gold(page, found.document) if gold_text and found.source == "page" else None
    truth = gold.content[texts].astype(np.float64) if gold else np.zeros(len(texts))
    weight = np.zeros(len(texts))
    if gold and not gold.is_bad and len(texts):
        weight = np.full(len(texts), 1 / len(texts))
    return Measured(page.id, page.page_type or "", bool(gold_text), at, found.labels.scores[texts], truth, weight)


def _cut(cut: float, own: float) -> float:
    return own if cut == DEFAULT_CUT else cut
