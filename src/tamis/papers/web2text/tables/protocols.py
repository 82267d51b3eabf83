"""Who learns from which pages and is tested on which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tamis import registry
from tamis.arrays import Bools
from tamis.lab.corpora.catalogue import open_corpus
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.training.loop import device_named, fit, seed_everything
from tamis.lab.training.pages import label
from tamis.papers.web2text.training import Example, Web2TextTask, prepare, schedule_for

# The paper's names for what is here under its own.
BASELINES = {
    "BTE": "bte",
    "default-ext": "boilerpipe-words",
    "article-ext": "boilerpipe-article",
    "largest-ext": "boilerpipe-largest",
}
NETWORKS = ("Web2Text", "Web2Text unary")

# §4.1 of the paper and its published code: the random split, and how many development pages validate.
TRAINING, VALIDATION, TEST = 531, 58, 148
HELD_OF_DEVELOPMENT = 5


@dataclass(frozen=True, eq=False)
class CleanEvalPage:
    """A page with its features, its gold and what the baselines keep, each over the visible texts."""

    example: Example
    is_bad: bool  # its gold was not found; not to be learned from
    baselines: dict[str, Bools]


class Pages(NamedTuple):
    """CleanEval's two parts."""

    development: list[CleanEvalPage]
    test: list[CleanEvalPage]


@dataclass(frozen=True, eq=False)
class Trial:
    """One training and its test: for each system what it keeps of the known leaves, page by page."""

    kept: dict[str, list[Bools]]
    gold: list[Bools]


def read_pages(data: Path | None) -> Pages:
    """All pages of CleanEval, made ready once."""
    with open_corpus("cleaneval", data) as corpus:
        parts = [[_ready(page) for page in corpus.pages(split)] for split in ("dev", "test")]
    return Pages(*parts)


def _ready(page: CorpusPage) -> CleanEvalPage:
    labelled = label(page)
    document = labelled.document()
    texts = document.leaves.visible_text
    baselines = {name: registry.get(extractor).label(document).keep[texts] for name, extractor in BASELINES.items()}
    return CleanEvalPage(prepare(labelled), labelled.gold.is_bad, baselines)


def random_splits(pages: Pages, seeds: Sequence[int]) -> Iterator[Trial]:
    """531 pages to learn from, 58 to validate on, 148 to test on, drawn from both parts; once a seed."""
    every = [*pages.development, *pages.test]
    for seed in seeds:
        order = [every[number] for number in np.random.default_rng(seed).permutation(len(every))]
        training, rest = order[:TRAINING], order[TRAINING:]
        yield _trial(training, rest[:VALIDATION], rest[VALIDATION : VALIDATION + TEST], seed)


def competition(pages: Pages, seeds: Sequence[int]) -> Iterator[Trial]:
    """The competition's development pages to learn from, all of its test pages to test on; once a seed."""
    for seed in seeds:
        order = [
            pages.development[number] for number in np.random.default_rng(seed).permutation(len(pages.development))
        ]
        yield _trial(order[HELD_OF_DEVELOPMENT:], order[:HELD_OF_DEVELOPMENT], pages.test, seed)


def _trial(
    training: Sequence[CleanEvalPage], validation: Sequence[CleanEvalPage], test: Sequence[CleanEvalPage], seed: int
) -> Trial:
    device = device_named("auto")
    seed_everything(seed)
    task = Web2TextTask(
        [page.example for page in training if not page.is_bad and len(page.example.content)],
        [page.example for page in validation],
        device,
    )
    for stage in task.stages:
        fit(stage, replace(schedule_for(len(training)), seed=seed, device=device))
    kept: dict[str, list[Bools]] = {name: [] for name in (*BASELINES, *NETWORKS)}
    gold = []
    for page in test:
        known = page.example.known
        for name, keep in page.baselines.items():
            kept[name].append(keep[known])
        for name in NETWORKS:
            kept[name].append(task.predict(page.example, unary_only=name == NETWORKS[1])[known])
        gold.append(page.example.content[known])
    return Trial(kept, gold)
