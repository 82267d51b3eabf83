"""The figures of this project's own extractor on WCXB dev, out of fold: by type, calibration, precision and recall.

Needs the weights of five folds: `tamis train tamis ... --folds 5 -o build/tamis`, see docs/research/tamis.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tamis
from tamis.api import PRECISION_THRESHOLD, RECALL_SHARE
from tamis.arrays import Floats
from tamis.errors import InputError
from tamis.extractor.tamis import Tamis
from tamis.render.text import to_text
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.gold import leaf_gold
from tamis_lab.metrics import PRF, token_bag
from tamis_lab.reproduce.page import Figure, ReproducedPage, Section, points
from tamis_lab.training.pages import fold_folders, fold_of_page

FOLDER = Path("build/tamis")
AS_SHIPPED = "as shipped"

# This project's own bars, mean token F1 by type and over all pages.
_ASKED = {
    "article": 0.955, "documentation": 0.94, "service": 0.86, "forum": 0.83, "product": 0.7, "listing": 0.7,
    "collection": 0.66,
}  # fmt: skip
_ASKED_OVER_ALL = 0.885
_BINS = 10
_WORST = 10

# By name, from the lowest to the highest: a function from the extractor's own threshold to the one that is applied.
CUTS: dict[str, Callable[[float], float]] = {
    "from a score of 0.1": lambda own: 0.1,
    "with favor_recall": lambda own: RECALL_SHARE * own,
    AS_SHIPPED: lambda own: own,
    "from a score of 0.5": lambda own: 0.5,
    "from a score of 0.6": lambda own: 0.6,
    "with favor_precision": lambda own: PRECISION_THRESHOLD,
    "from a score of 0.8": lambda own: 0.8,
    "from a score of 0.9": lambda own: 0.9,
}


def reproduce(data: Path | None = None, folder: Path = FOLDER) -> ReproducedPage:
    """Measure every page of WCXB dev by weights that have seen no page of its site. Takes some minutes.

    Raises InputError if `folder` lacks such weights, and CorpusError.
    """
    with open_corpus("wcxb", data) as corpus:
        folders = fold_folders(folder)
        if not folders:
            raise InputError(f"{folder} lacks weights of folds: `make folds` trains them, in hours without a GPU")
        return compose(list(measure_all(corpus.pages("dev"), folders)))


@dataclass(frozen=True, eq=False)
class MeasuredPage:
    """The scores of one page."""

    id: str
    page_type: str
    has_gold: bool
    at: dict[str, PRF]  # by the name of a cut
    scores: Floats  # (texts,) as the next two: of the texts that a reader can see or unfold
    truth: Floats
    weight: Floats  # sums up to 1, or to 0 where the gold is not found on the page

    @property
    def f1(self) -> float:
        """The token F1 as shipped."""
        return self.at[AS_SHIPPED].f1


def measure_all(pages: Iterable[CorpusPage], folders: Sequence[Path]) -> Iterator[MeasuredPage]:
    """Measure each page by the weights of its fold."""
    extractors = [Tamis(folder) for folder in folders]
    for page in pages:
        yield _measure(page, extractors[fold_of_page(page.html, page.url, len(extractors))])


def _measure(page: CorpusPage, extractor: Tamis) -> MeasuredPage:
    """Extract once, cut at every threshold."""
    found = tamis.extract(page.html, url=page.url, extractor=extractor)
    document, labels, gold_text = found.document, found.labels, page.gold_text or ""
    at = {
        name: token_bag(to_text(document, labels.at(cut(labels.threshold), document)), gold_text)
        for name, cut in CUTS.items()
    }
    texts = document.leaves.visible_text
    gold = leaf_gold(page, document) if gold_text and found.source == "page" else None
    truth = gold.content[texts].astype(np.float64) if gold else np.zeros(len(texts))
    is_known = gold is not None and not gold.is_bad
    weight = np.full(len(texts), 1 / max(1, len(texts)) if is_known else 0.0)
    return MeasuredPage(page.id, page.page_type or "", bool(gold_text), at, labels.scores[texts], truth, weight)


def compose(pages: Sequence[MeasuredPage]) -> ReproducedPage:
    """The page of figures."""
    sections = [_types(pages), _curve(pages), _reliability(pages), _worst(pages)]
    return ReproducedPage.from_texts(Path(__file__).with_suffix(".toml"), sections)


def _types(pages: Sequence[MeasuredPage]) -> Section:
    def figure(name: str, some: Iterable[MeasuredPage], asked: float) -> Figure:
        found = [page.f1 for page in some]
        return Figure(name, None, float(np.mean(found)) if found else 0.0, note=f"{len(found)} pages", asked=asked)

    figures = [figure("all pages", pages, _ASKED_OVER_ALL)]
    figures += [
        figure(kind, [page for page in pages if page.page_type == kind], asked) for kind, asked in _ASKED.items()
    ]
    return Section("Token F1", figures=figures)


def _curve(pages: Sequence[MeasuredPage]) -> Section:
    means = np.array([np.mean([page.at[cut] for page in pages], axis=0) for cut in CUTS])  # (cuts, 3)
    figures = [
        Figure(f"{measure} {cut}", None, value)
        for cut, values in zip(CUTS, means.tolist(), strict=True)
        for measure, value in zip(("precision", "recall", "F1"), values, strict=True)
    ]
    curve = {"precision and recall, mean of pages": (means[:, 1], means[:, 0])}
    return Section("Precision or recall", figures=figures, chart=points(curve, "recall", "precision"))


def _reliability(pages: Sequence[MeasuredPage]) -> Section:
    """Is a score a probability? Texts by their score, and the share of them that is content."""
    scores = np.concatenate([page.scores for page in pages])
    truth = np.concatenate([page.truth for page in pages])
    weight = np.concatenate([page.weight for page in pages])  # pages count alike
    bins = np.minimum((scores * _BINS).astype(np.int64), _BINS - 1)
    total = np.bincount(bins, weight, _BINS)
    score = np.bincount(bins, weight * scores, _BINS) / np.maximum(total, 1e-12)
    share = np.bincount(bins, weight * truth, _BINS) / np.maximum(total, 1e-12)
    error = float((total * np.abs(score - share)).sum() / max(total.sum(), 1e-12))
    perfect = np.array([0.0, 1.0])
    curves = {"scores": (score[total > 0], share[total > 0]), "perfect": (perfect, perfect)}
    chart = points(curves, "score", "share that is content")
    return Section("Reliability", figures=[Figure("mean distance of score and share", None, error)], chart=chart)


def _worst(pages: Sequence[MeasuredPage]) -> Section:
    chosen = sorted((page for page in pages if page.has_gold), key=lambda page: page.f1)[:_WORST]
    figures = [Figure(f"{page.id} ({page.page_type})", None, page.f1) for page in chosen]
    return Section("The ten worst pages", figures=figures)
