"""The two protocols of Table 2: which pages are for training, validation and test; and one trial of either."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tamis import registry
from tamis.arrays import Bools
from tamis_lab.align import align
from tamis_lab.bench import contestants
from tamis_lab.bench.peers import Contestant
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.papers.web2text.training import Example, Web2TextTask, prepare, schedule_for
from tamis_lab.training.loop import device_named, seed_everything
from tamis_lab.training.models import fit_stages
from tamis_lab.training.pages import label

# The names in the paper, and the extractors here. One whose paper's folder is not there is left out.
BASELINES = {
    "CRF": "crf",
    "BTE": "bte",
    "default-ext": "boilerpipe-words",
    "article-ext": "boilerpipe-article",
    "largest-ext": "boilerpipe-largest",
}
UNFLUFF = "Unfluff"  # a peer, which answers with a text
NETWORKS = ("Web2Text", "Web2Text unary")

# A leaf is in a text if this share of its words was aligned with it, as in the gold.
_SHARE = 2 / 3

# §4.1 of the paper and its published code: the random split, and how many development pages validate.
TRAINING, VALIDATION, TEST = 531, 58, 148
HELD_OF_DEVELOPMENT = 5


@dataclass(frozen=True, eq=False)
class CleanEvalPage:
    """A page with its features, its gold and the leaves that the baselines keep, each over the visible texts."""

    example: Example
    is_bad: bool  # too little of its gold was found on the page, so it is not learned from
    baselines: dict[str, Bools]


class Pages(NamedTuple):
    """CleanEval's two parts."""

    development: list[CleanEvalPage]
    test: list[CleanEvalPage]


@dataclass(frozen=True, eq=False)
class Trial:
    """One training and its test: for each system which of the known leaves it keeps, page by page."""

    kept: dict[str, list[Bools]]
    gold: list[Bools]


def read_pages(data: Path | None) -> Pages:
    """All pages of CleanEval, with their features."""
    unfluff = None if contestants.unavailable(["unfluff"]) else contestants.load("unfluff")
    try:
        with open_corpus("cleaneval", data) as corpus:
            parts = [[_ready(page, unfluff) for page in corpus.pages(split)] for split in ("dev", "test")]
    finally:
        getattr(unfluff, "close", lambda: None)()
    return Pages(*parts)


def _ready(page: CorpusPage, unfluff: Contestant | None) -> CleanEvalPage:
    labelled = label(page)
    document = labelled.document()
    texts = document.leaves.visible_text
    extractors = {name: registry.get(own) for name, own in BASELINES.items()}
    baselines = {name: extractor.label(document).keep[texts] for name, extractor in extractors.items()}
    if unfluff is not None:
        baselines[UNFLUFF] = align(document, _text(unfluff, page)).matched[texts] >= _SHARE
    return CleanEvalPage(prepare(labelled), labelled.gold.is_bad, baselines)


def _text(contestant: Contestant, page: CorpusPage) -> str:
    """What a peer finds; nothing where it crashes."""
    try:
        return contestant(page.html, None)
    except Exception:  # it may raise anything
        return ""


def random_splits(pages: Pages, seeds: Sequence[int]) -> Iterator[Trial]:
    """531 pages to learn from, 58 to validate on, 148 to test on, drawn from both parts; once a seed."""
    for seed in seeds:
        order = _shuffled([*pages.development, *pages.test], seed)
        training, rest = order[:TRAINING], order[TRAINING:]
        yield _trial(training, rest[:VALIDATION], rest[VALIDATION : VALIDATION + TEST], seed)


def competition(pages: Pages, seeds: Sequence[int]) -> Iterator[Trial]:
    """The competition's development pages to learn from, all of its test pages to test on; once a seed."""
    for seed in seeds:
        order = _shuffled(pages.development, seed)
        yield _trial(order[HELD_OF_DEVELOPMENT:], order[:HELD_OF_DEVELOPMENT], pages.test, seed)


def _shuffled(pages: Sequence[CleanEvalPage], seed: int) -> list[CleanEvalPage]:
    return [pages[number] for number in np.random.default_rng(seed).permutation(len(pages))]


def _trial(
    training: Sequence[CleanEvalPage], validation: Sequence[CleanEvalPage], test: Sequence[CleanEvalPage], seed: int
) -> Trial:
    device = device_named("auto")
    seed_everything(seed)
    learned = [page.example for page in training if not page.is_bad and len(page.example.content)]
    task = Web2TextTask(learned, [page.example for page in validation], device)
    fit_stages(task, replace(schedule_for(len(training)), seed=seed, device=device))
    kept: dict[str, list[Bools]] = {name: [] for name in (*test[0].baselines, *NETWORKS)}
    for page in test:
        networks = {name: task.predict(page.example, unary_only=name == NETWORKS[1]) for name in NETWORKS}
        for name, keep in (page.baselines | networks).items():
            kept[name].append(keep[page.example.known])
    return Trial(kept, [page.example.content[page.example.known] for page in test])
