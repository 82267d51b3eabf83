"""How true `page.confidence` is: expected next to real token F1, out of fold where weights have folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

import tamis
from tamis.worth.confidence import columns
from tamis_lab import metrics
from tamis_lab.bench import contestants
from tamis_lab.corpora.catalogue import CorpusSource, pages_of
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.training.pages import site_key

# Corpora with the whole text of each page as gold: those that may be trained on, and validation sets.
LEARNED = ("wcxb:dev", "news-2023:train", "canola", "cleaneval:dev", "googletrends-2017:train", "press-2026", "threads")
MEASURED = ("dragnet", "daniel", "sources")
_DECILES = 10
_POOR = (0.5, 0.8)  # the F1 below which a page is to be found
_GOOD = 0.8  # the F1 from which an extraction is called good in the curve
_STEPS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)  # of the curve
_CHUNK = 8  # pages that a process takes at once


class Extraction(NamedTuple):
    """One page of a corpus with content: how good its extraction is, and what the model sees of it."""

    corpus: str
    site: str
    f1: float
    columns: dict[str, float]


class ConfidenceTruth(NamedTuple):
    """How true the confidences of some pages are."""

    pages: int
    f1: float
    largest_error: float  # of a decile: expected less real F1
    areas: tuple[float | None, ...]  # under the curve, for pages below each F1 of `_POOR`; None without such pages
    gain: float  # by how much the mean F1 of the nine tenths with the highest confidence is above that of all


def extractions_of_corpora(
    sources: Sequence[str], extractor: str, data: Path | None, workers: int, limit: int | None = None
) -> list[Extraction]:
    """The pages of corpora, each read by a network that has not seen its site if the weights have such networks.

    `limit` is the most pages of each.
    """
    tasks = ((page, source, extractor) for source in sources for page in islice(pages_of(source, data), limit))
    with get_context("spawn").Pool(workers) as pool:
        return [found for found in pool.imap(_extraction_of_task, tasks, chunksize=_CHUNK) if found]


def _extraction_of_task(task: tuple[CorpusPage, str, str]) -> Extraction | None:
    page, source, extractor = task
    if page.gold_text is None:
        return None
    chosen = contestants.extractor_of(extractor)(page.html, page.url)
    found = tamis.extract(page.html, url=page.url, extractor=chosen)
    if (seen := columns(found.document, found.labels)) is None:
        return None
    f1 = metrics.token_bag(found.text, page.gold_text).f1
    return Extraction(CorpusSource.parse(source).name, site_key(page.html, page.url), f1, seen)


def confidence_truth(expected: Sequence[float], real: Sequence[float]) -> ConfidenceTruth:
    """How true confidences are, compared with the real F1 of the same pages."""
    order = np.argsort(expected, kind="stable")
    sure, f1 = np.asarray(expected)[order], np.asarray(real)[order]
    deciles = [np.arange(len(f1))[len(f1) * k // _DECILES : len(f1) * (k + 1) // _DECILES] for k in range(_DECILES)]
    errors = [abs(sure[decile].mean() - f1[decile].mean()) for decile in deciles if len(decile)]
    best = f1[len(f1) // _DECILES :]
    areas = tuple(_area_under_curve(sure, f1 < poor) for poor in _POOR)
    return ConfidenceTruth(len(f1), float(f1.mean()), float(max(errors)), areas, float(best.mean() - f1.mean()))


def _area_under_curve(sure: np.ndarray, is_poor: np.ndarray) -> float | None:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(is_poor, -sure)) if 0 < is_poor.sum() < len(is_poor) else None


def confidence_table(found: Sequence[Extraction], expected: Sequence[float]) -> Iterator[str]:
    """Lines of a table: each corpus, and all of them together."""
    yield f"{'':<20}{'pages':>7}{'F1':>8}{'largest error':>15}{'area < .5':>11}{'area < .8':>11}{'best 9/10':>11}"
    names = list(dict.fromkeys(each.corpus for each in found))
    for name in (*names, "all"):
        chosen = [number for number, each in enumerate(found) if name in ("all", each.corpus)]
        each = confidence_truth([expected[number] for number in chosen], [found[number].f1 for number in chosen])
        areas = "".join(f"{'-' if area is None else format(area, '.3f'):>11}" for area in each.areas)
        yield f"{name:<20}{each.pages:>7,}{each.f1:>8.3f}{each.largest_error:>15.3f}{areas}{each.gain:>+11.3f}"


def confidence_curve(found: Sequence[Extraction], expected: Sequence[float]) -> Iterator[str]:
    """Lines of a table: for several confidences, the pages from it on and how good they are, and those below."""
    sure, f1 = np.asarray(expected), np.array([each.f1 for each in found])
    yield f"{'confidence':<12}{'pages':>8}{'F1':>8}{f'F1 >= {_GOOD}':>11}{'below: F1':>12}{f'F1 >= {_GOOD}':>11}"
    for least in (0.0, *_STEPS):
        parts = [f1[sure >= least], f1[sure < least]]
        shown = [f"{part.mean():.3f}" if len(part) else "-" for part in parts]
        good = [f"{(part >= _GOOD).mean():.1%}" if len(part) else "-" for part in parts]
        yield f"{least:<12}{len(parts[0]) / len(f1):>8.1%}{shown[0]:>8}{good[0]:>11}{shown[1]:>12}{good[1]:>11}"
