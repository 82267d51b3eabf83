"""All pages of all sets, in two processes."""

from __future__ import annotations

import multiprocessing
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tamis import registry
from tamis.weights import CONFIG
from tamis_lab.bench import contestants
from tamis_lab.bench.runner import forbid_network, progress
from tamis_lab.corpora.catalogue import Corpus, CorpusMissing, Source, UnknownCorpus, open_corpus
from tamis_lab.corpora.reader import Entry
from tamis_lab.scores import pages
from tamis_lab.scores.gold import folder_of, golds
from tamis_lab.scores.pages import PageScores
from tamis_lab.training import seen
from tamis_lab.training.pages import fold_folders

WORKERS = 2
_CHUNK = 25  # pages: few, so that all processes end at about the same time
_THREADS = "OPENBLAS_NUM_THREADS"


class Work(NamedTuple):
    """Some pages of a set, for one process."""

    name: str  # of the set
    system: str
    folds: bool  # is each page for the network that has not seen its site?
    gold: Path
    entries: list[Entry]


def measure(
    names: Sequence[str], system: str, *, cache: Path, limit: int | None = None, workers: int = WORKERS
) -> dict[str, list[PageScores]]:
    """The scores of all pages by set; with a limit, of about as many pages of each.

    Raises OptionError, MissingExtra and WeightsError for a system that can't run, CorpusError for a damaged corpus.
    """
    pages.load(system, folds=any(map(fold_folders, _folder(system))))  # raises at once
    works = [work for name in names for work in _works(name, system, cache, limit)]
    found: dict[str, list[PageScores]] = defaultdict(list)
    with _mapped(works, workers) as answers, progress() as show:
        for scores in show(answers, len(works), "scores"):
            found[scores[0].set] += scores
    return found


def missing(name: str) -> str | None:
    """Why a set can't be measured here; None if it can."""
    try:
        open_corpus(Source.parse(name).name).__exit__()
    except (CorpusMissing, UnknownCorpus) as error:
        return str(error)
    return None


def in_folds(system: str, name: str) -> bool:
    """Is each page of a set labelled by the network that has not seen its site?

    It is if there are such networks, and the folder has no weights of its own or these were trained on the set.
    """
    folders = [folder for folder in _folder(system) if fold_folders(folder)]
    return any(not (folder / CONFIG).exists() or _has_seen(seen.trained_on(folder), name) for folder in folders)


def is_fit(system: str, name: str) -> bool:
    """Was the system trained on the pages that it is measured on?"""
    source = Source.parse(name)
    return not in_folds(system, name) and contestants.has_seen(system, source.name, source.split or "all")


def _has_seen(trained_on: Sequence[str], name: str) -> bool:
    source = Source.parse(name)
    return seen.has_seen(trained_on, source.name, source.split or "all")


def _folder(system: str) -> list[Path]:
    """The folder of weights that a name has, if any."""
    folder = registry.choice(system).folder if contestants.is_trained(system) else None
    return [folder] if folder else []


def _works(name: str, system: str, cache: Path, limit: int | None) -> Iterator[Work]:
    source = Source.parse(name)
    folds = in_folds(system, name)
    with open_corpus(source.name) as corpus:
        entries = corpus.entries(source.split)
        folder = folder_of(cache, name, corpus)
    entries = entries[:: -(-len(entries) // limit)] if limit else entries
    for start in range(0, len(entries), _CHUNK):
        yield Work(name, system, folds, folder, entries[start : start + _CHUNK])


@contextmanager
def _mapped(works: Sequence[Work], workers: int) -> Iterator[Iterator[list[PageScores]]]:
    """The scores of each work, in order; with one worker in this process."""
    if workers == 1:
        yield map(_scores, works)
        return
    os.environ.setdefault(_THREADS, "1")  # before a worker imports NumPy
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=forbid_network) as pool:
        yield pool.map(_scores, works)


def _scores(work: Work) -> list[PageScores]:
    corpus, system = _corpus(Source.parse(work.name).name), _system(work.system, work.folds)
    known = golds(work.gold, work.name, corpus, work.entries)
    both = zip(work.entries, known, strict=True)
    return [pages.measure(work.name, corpus.read(entry), gold, system) for entry, gold in both]


@cache
def _corpus(name: str) -> Corpus:
    return open_corpus(name)


@cache
def _system(name: str, folds: bool) -> pages.System:
    return pages.load(name, folds=folds)
