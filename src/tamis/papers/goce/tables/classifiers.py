"""Every classifier of genres on WCXB dev, each page judged by what learned from other sites."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import ModuleType

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC

from tamis.errors import BrowserMissing, MissingExtra
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.training.loop import device_named, seed_everything
from tamis.lab.training.models import fit_stages
from tamis.lab.training.pages import LabelledPage, label
from tamis.page_type import Genre, PageType
from tamis.papers.goce import features as svm_features
from tamis.papers.goce import html_features as type_features
from tamis.papers.goce import html_training as page_types
from tamis.papers.goce.genres import GENRES
from tamis.papers.goce.html_training import PageTypeTask
from tamis.papers.goce.picture_training import Example
from tamis.papers.goce.picture_training import examples as picture_examples
from tamis.papers.goce.tables import answers
from tamis.papers.goce.tables.folds import FOLDS, SEED, folds
from tamis.papers.goce.tables.pictures import SIZES, digest, kept_answers

# Names of rows; those of the picture networks are in `pictures`.
SVM, HTML = "SVM", "page types"


def _code(*modules: ModuleType) -> str:
    """A hash of code: these two take a minute, so another line in them is reason enough to ask them again."""
    return hashlib.sha256("".join(map(inspect.getsource, modules)).encode()).hexdigest()


# Here and not later: a file may be edited while the code that was loaded from it still runs.
_CODE = {
    SVM: _code(sys.modules[__name__], svm_features),
    HTML: _code(sys.modules[__name__], type_features, page_types),
}


@dataclass(frozen=True, eq=False)
class Judged:
    """The pages of WCXB dev that have a type, and what each classifier takes them for."""

    types: dict[str, PageType]  # the truth, by page
    likely: dict[str, dict[PageType, float]]  # by page: the probability of each type, by the HTML
    articles: dict[str, dict[str, float]]  # by classifier and page: the probability of being an article
    pictures: list[Example]
    missing: str = ""  # why picture networks were left out

    @property
    def genres(self) -> dict[str, Genre]:
        """The truth about those pages that have a genre."""
        return {name: GENRES[kind] for name, kind in self.types.items() if kind in GENRES}


def judge(pages: Sequence[CorpusPage], folder: Path = answers.FOLDER) -> Judged:
    """Ask every classifier about the pages that have a type. Answers are kept in `folder`.

    Without a GPU the picture networks are left out, unless their answers are there.
    """
    typed = [label(page) for page in pages if page.page_type]  # on bad gold, too: only the type is asked for
    types = {page.name: PageType(page.page_type or "") for page in typed}
    with_genre = [page for page in typed if types[page.name] in GENRES]
    likely = _kept_types(typed, folder)
    articles = {
        SVM: _kept_svm(with_genre, folder),
        HTML: {page.name: _article(likely[page.name]) for page in with_genre},
    }
    drawn, missing = _pictures(with_genre, folder)
    networks = _networks(drawn, {page.name: page.site for page in with_genre}, folder)
    if not missing and (left := [size for size in SIZES if size not in networks]):
        missing = f"no GPU, and for these pages and settings no answers of {' and '.join(left)} in {folder}"
    return Judged(types, likely, articles | networks, drawn, missing)


def svm_answers(pages: Sequence[LabelledPage], seed: int = SEED) -> dict[str, float]:
    """§4.2: a support vector machine on the eleven features. More than 0.5 means article; no true probability.

    The paper used Weka and names neither kernel nor scaling. Here it is a radial kernel with
    scikit-learn's C and gamma, on the logarithms of the counts, standardised: 86.5 % are right, on the
    counts as they are 81 %. It stops by itself, so it learns from all four folds.
    """
    rows = {page.name: list(svm_features.features(page.document()).values()) for page in pages}
    genres = {page.name: GENRES[PageType(page.page_type or "")] for page in pages}
    found: dict[str, float] = {}
    for fold in folds({page.name: page.site for page in pages}, seed):
        learned = [*fold.training, *fold.validation]
        machine = make_pipeline(FunctionTransformer(np.log1p), StandardScaler(), SVC())
        machine.fit([rows[name] for name in learned], [genres[name] is Genre.ARTICLE for name in learned])
        beyond = machine.decision_function([rows[name] for name in fold.test])  # signed distance from the border
        found |= dict(zip(fold.test, (1 / (1 + np.exp(-beyond))).tolist(), strict=True))
    return found


def page_type_answers(pages: Sequence[LabelledPage], seed: int = SEED) -> dict[str, dict[str, float]]:
    """For each page the probability of each type, by the network over its HTML."""
    by_name = {page.name: page_types.prepare(page) for page in pages}
    schedule = replace(page_types.SCHEDULE, seed=seed)
    found: dict[str, dict[str, float]] = {}
    for fold in folds({page.name: page.site for page in pages}, seed):
        training, validation, test = ([by_name[name] for name in part] for part in fold)
        seed_everything(seed)
        task = PageTypeTask(training, validation)
        fit_stages(task, schedule)
        for name, row in zip(fold.test, task.probabilities(test).tolist(), strict=True):
            found[name] = dict(zip(map(str, PageType), row, strict=True))
    return found


def _article(likely: Mapping[PageType, float]) -> float:
    """Types to genres, as `PageTypeClassifier.genre` does it."""
    share = {genre: sum(likely[kind] for kind in GENRES if GENRES[kind] is genre) for genre in Genre}
    return share[Genre.ARTICLE] / max(1e-9, sum(share.values()))


def _kept_svm(pages: Sequence[LabelledPage], folder: Path) -> dict[str, float]:
    inputs = answers.digest(_hashes(pages), _CODE[SVM], FOLDS, SEED)
    found: dict[str, float] | None = answers.read("svm", inputs, folder)
    if found is None:
        found = svm_answers(pages)
        answers.write("svm", inputs, found, folder)
    return found


def _kept_types(pages: Sequence[LabelledPage], folder: Path) -> dict[str, dict[PageType, float]]:
    inputs = answers.digest(_hashes(pages), _CODE[HTML], asdict(page_types.SCHEDULE), FOLDS, SEED)
    found: dict[str, dict[str, float]] | None = answers.read("page-types", inputs, folder)
    if found is None:
        found = page_type_answers(pages)
        answers.write("page-types", inputs, found, folder)
    return {name: {PageType(kind): value for kind, value in likely.items()} for name, likely in found.items()}


def _hashes(pages: Sequence[LabelledPage]) -> list[tuple[str, str, str | None, str]]:
    return [(page.name, page.site, page.page_type, hashlib.sha256(page.html).hexdigest()) for page in pages]


def _has_gpu() -> bool:
    return device_named("auto") != "cpu"


def _pictures(pages: Sequence[LabelledPage], folder: Path) -> tuple[list[Example], str]:
    """The pictures, or why there are none. They are not drawn for nothing."""
    if not _has_gpu() and not any(answers.path_of(size, folder).exists() for size in SIZES):
        return [], f"no GPU, without which they take hours, and no answers in {folder}"
    try:
        return picture_examples(pages), ""
    except (MissingExtra, BrowserMissing) as error:
        return [], f"no pictures, since {error}"


def _networks(drawn: Sequence[Example], sites: Mapping[str, str], folder: Path) -> dict[str, dict[str, float]]:
    """The answers of those picture networks that have been asked before, or with a GPU of all."""
    found: dict[str, dict[str, float]] = {}
    for size in SIZES if drawn else ():
        if _has_gpu():
            found[size] = kept_answers(drawn, sites, size, device=device_named("auto"), folder=folder)
        elif known := answers.read(size, digest(drawn, sites, size), folder):
            found[size] = known
    return found
