"""All pages of all sets, in two processes: each page is extracted with default options and scored."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

import tamis
from tamis import Page, registry
from tamis.errors import MissingExtra, WeightsError
from tamis.protocol import Extractor
from tamis.weights import CONFIG
from tamis_lab import metrics
from tamis_lab.bench import contestants
from tamis_lab.bench.peers import Contestant
from tamis_lab.bench.runner import describe, forbid_network, progress
from tamis_lab.bench.structure.scores import ElementCounts, compare, read_output
from tamis_lab.corpora.catalogue import CorpusMissing, CorpusSource, UnknownCorpus, open_corpus
from tamis_lab.corpora.reader import CorpusEntry, CorpusPage
from tamis_lab.scores.gold import (
    COMMENTS_IN_GOLD,
    TYPE_OF_ALL,
    CommentWords,
    Gold,
    comment_words,
    folder_of,
    golds,
    kept,
    without_json_ld,
)
from tamis_lab.scores.structures import Headings, Structure, headings, judged
from tamis_lab.training import recipes
from tamis_lab.training.pages import fold_folders

# One page


@dataclass
class PageScores:
    """The scores of one page, None or empty without gold or where the extractor does not say."""

    set: str
    id: str
    type: str | None = None
    error: str = ""  # of an extractor that failed, which scores nothing
    predicted: str | None = None  # type
    reachable: float | None = None  # the share of the gold's words that `keep-all` has
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    f1_with_comments: float | None = None
    lines: tuple[int, int] | None = None  # of a recipe: kept, and all
    bare_lines: tuple[int, int] | None = None  # of the page without JSON-LD
    comments: CommentWords | None = None
    headings: Headings | None = None
    structures: list[tuple[Structure, int]] = field(default_factory=list)
    elements: dict[str, ElementCounts] = field(default_factory=dict)  # by kind


class System(NamedTuple):
    """The measured system: an extractor for each page, or another library, which gives text alone."""

    extractor: Callable[[bytes, str | None], Extractor] | None
    peer: Contestant | None = None


def load(name: str, *, folds: bool = False) -> System:
    """An extractor by its name, NAME=FOLDER or the path of its weights, or a peer.

    With `folds` each page is for the network in the folder that has not seen its site. Raises OptionError, WeightsError
    and MissingExtra.
    """
    if folds:
        return System(contestants.extractor_of(name))
    if contestants.is_trained(name) or name in registry.extractors():
        found = registry.get(name)
        return System(lambda html, url: found)
    return System(None, contestants.load(name))


def measure_page(name: str, page: CorpusPage, gold: Gold, system: System) -> PageScores:
    """The scores of one page of a set. A system that fails scores nothing, and is not asked again."""
    kind = page.page_type or TYPE_OF_ALL.get(name)
    scores = PageScores(name, page.id, kind and str(kind), reachable=gold.reachable)
    try:
        _fill(scores, page, gold, system)
    except (MissingExtra, WeightsError):
        raise  # of the system, not of the page
    except Exception as error:  # a library may raise anything
        scores.error = describe(error)
        if page.lines:
            scores.lines, scores.bare_lines = (0, len(gold.lines)), (0, len(gold.bare_lines))
        elif page.gold_text is not None:
            scores.precision = scores.recall = scores.f1 = 0.0
    return scores


def _fill(scores: PageScores, page: CorpusPage, gold: Gold, system: System) -> None:
    text, found = _extracted(page, page.html, system)
    if page.lines:
        bare, _ = _extracted(page, without_json_ld(page.html), system)
        scores.lines = kept(gold.lines, text), len(gold.lines)
        scores.bare_lines = kept(gold.bare_lines, bare), len(gold.bare_lines)
    elif page.gold_text is not None:
        scores.precision, scores.recall, scores.f1 = metrics.token_bag(text, page.gold_text)
    if found:
        _fill_more(scores, page, gold, found)


def _extracted(page: CorpusPage, html: bytes, system: System) -> tuple[str, Page | None]:
    """The text of a page, whose markup may be changed, and what tamis made of it."""
    if system.peer:
        return system.peer(html, page.url), None
    assert system.extractor  # noqa: S101 a system is one of both
    found = tamis.extract(html, url=page.url, extractor=system.extractor(page.html, page.url))
    return found.text, found


def _fill_more(scores: PageScores, page: CorpusPage, gold: Gold, found: Page) -> None:
    """The scores that only a page of tamis has."""
    scores.predicted = found.page_type and str(found.page_type)
    scores.headings = headings(found.document, found.labels.keep)
    if gold.is_comment is not None:
        scores.comments = comment_words(gold.is_comment, found)
    if scores.set in COMMENTS_IN_GOLD:
        labels = found.labels.with_comments(found.document)
        text = Page(found.document, labels, found.extractor, found.original).text
        scores.f1_with_comments = metrics.token_bag(text, page.gold_text or "").f1
    # Where lengths differ, the text was found in the page's data.
    if gold.content is not None and len(gold.content) == len(found.document.leaves) and not page.lines:
        judgements = judged(found.document, gold.content, found.labels.keep)
        scores.structures = list(Counter(judgements).items())
    if gold.reading and gold.wanted:
        output = read_output(found.markdown, page.url, gold.reading, is_html=False)
        scores.elements = compare(gold.wanted, output, gold.reading, found.markdown).counts


# All pages

WORKERS = 2
_CHUNK = 25  # pages: few, so that all processes end at about the same time
_THREADS = "OPENBLAS_NUM_THREADS"


class ScoresWork(NamedTuple):
    """Some pages of a set, for one process."""

    name: str  # of the set
    system: str
    folds: bool  # is each page for the network that has not seen its site?
    gold: Path
    entries: list[CorpusEntry]


def measure(
    names: Sequence[str], system: str, *, cache: Path, limit: int | None = None, workers: int = WORKERS
) -> dict[str, list[PageScores]]:
    """The scores of all pages by set; with a limit, of about as many pages of each.

    Raises OptionError, MissingExtra and WeightsError for a system that can't run, CorpusError for a damaged corpus.
    """
    load(system, folds=any(map(fold_folders, _folder(system))))  # raises at once
    works = [work for name in names for work in _works(name, system, cache, limit)]
    found: dict[str, list[PageScores]] = defaultdict(list)
    with _mapped(works, workers) as answers, progress() as show:
        for scores in show(answers, len(works), "scores"):
            found[scores[0].set] += scores
    return found


def missing(name: str) -> str | None:
    """Why a set can't be measured here; None if it can."""
    try:
        open_corpus(CorpusSource.parse(name).name).__exit__()
    except (CorpusMissing, UnknownCorpus) as error:
        return str(error)
    return None


def in_folds(system: str, name: str) -> bool:
    """Is each page of a set labelled by the network that has not seen its site?

    It is if there are such networks, and the folder lacks weights of its own or these were trained on the set.
    """
    folders = [folder for folder in _folder(system) if fold_folders(folder)]
    source = CorpusSource.parse(name)
    return any(
        not (folder / CONFIG).exists()
        or recipes.has_seen(recipes.trained_on(folder), source.name, source.split or "all")
        for folder in folders
    )


def is_fit(system: str, name: str) -> bool:
    """Was the system trained on the pages that it is measured on?"""
    source = CorpusSource.parse(name)
    return not in_folds(system, name) and contestants.has_seen(system, source.name, source.split or "all")


def _folder(system: str) -> list[Path]:
    """The folder of weights that a name has, if any."""
    folder = registry.choice(system).folder if contestants.is_trained(system) else None
    return [folder] if folder else []


def _works(name: str, system: str, cache: Path, limit: int | None) -> Iterator[ScoresWork]:
    source = CorpusSource.parse(name)
    folds = in_folds(system, name)
    with open_corpus(source.name) as corpus:
        entries = corpus.entries(source.split)
        folder = folder_of(cache, name, corpus)
    entries = entries[:: -(-len(entries) // limit)] if limit else entries
    for start in range(0, len(entries), _CHUNK):
        yield ScoresWork(name, system, folds, folder, entries[start : start + _CHUNK])


@contextmanager
def _mapped(works: Sequence[ScoresWork], workers: int) -> Iterator[Iterator[list[PageScores]]]:
    """The scores of each work, in order; with one worker in this process."""
    if workers == 1:
        yield map(_scores, works)
        return
    os.environ.setdefault(_THREADS, "1")  # before a worker imports NumPy
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=forbid_network) as pool:
        yield pool.map(_scores, works)


def _scores(work: ScoresWork) -> list[PageScores]:
    corpus, system = _open_corpus(CorpusSource.parse(work.name).name), _load(work.system, folds=work.folds)
    known = golds(work.gold, work.name, corpus, work.entries)
    both = zip(work.entries, known, strict=True)
    return [measure_page(work.name, corpus.read(entry), gold, system) for entry, gold in both]


# Kept for the next work of the same process.
_open_corpus = cache(open_corpus)
_load = cache(load)
