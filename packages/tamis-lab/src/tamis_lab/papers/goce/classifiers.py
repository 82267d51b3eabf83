"""What the classifiers of GOCE predict out of fold on WCXB dev, and pictures of their typical errors."""

from __future__ import annotations

import base64
import inspect
import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

import numpy as np

from tamis.errors import BrowserMissing, InputError, MissingExtra
from tamis.page_type import PageType
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.gold import LeafGold
from tamis_lab.papers.goce import html_training, picture_training
from tamis_lab.papers.goce.html_training import HtmlTask
from tamis_lab.papers.goce.picture_training import PictureExample, PictureTask, with_genre
from tamis_lab.papers.goce.picture_training import examples as picture_examples
from tamis_lab.reproduce.page import Section
from tamis_lab.training.loop import device_named, seed_everything
from tamis_lab.training.models import fit_stages
from tamis_lab.training.pages import LabelledPage, fold_of, hold_out, label
from tamis_papers.goce import features
from tamis_papers.goce.classifiers import GENRES, Genre, article_probability, pillow

FOLDER = Path("build/goce")

SVM, HTML = "svm", "goce-html"
SIZES = ("lite0", "lite2")  # of the picture networks

FOLDS = 5
HELD_OUT = 0.1  # of the pages of four folds, for early stopping
SEED = 1

# The SVM and the network over HTML take a minute, so every change of their code makes new predictions. The source is
# read on import: a file may be edited while the code that was loaded from it still runs.
_MODULES = (sys.modules[__name__], features, html_training)
_CODE = sha256("".join(map(inspect.getsource, _MODULES)).encode()).hexdigest()

# The probability of being an article, or that of each page type.
Prediction = TypeVar("Prediction", float, dict[str, float])


@dataclass(frozen=True, eq=False)
class Predictions:
    """The pages of WCXB dev that have a type, and what each classifier predicts for them."""

    types: dict[str, PageType]  # the true type, by page
    by_html: dict[str, dict[PageType, float]]  # by page: the probability of each type
    articles: dict[str, dict[str, float]]  # by classifier and page: the probability of being an article
    pictures: list[PictureExample]
    missing: str = ""  # why picture networks were left out

    @property
    def genres(self) -> dict[str, Genre]:
        """The true genre of the pages that have one."""
        return {name: GENRES[kind] for name, kind in self.types.items() if kind in GENRES}


def predict(pages: Sequence[CorpusPage], folder: Path = FOLDER) -> Predictions:
    """Run every classifier on the pages that have a type.

    Without a GPU the picture networks are left out, unless `folder` has their predictions.
    """
    typed = [label(page) for page in pages if page.page_type]  # bad gold included: only the type is used
    of_genre = with_genre(typed)
    html = cached(HTML, _digest(_identities(typed), _CODE), lambda: html_predictions(typed), folder)
    by_html = {page: {PageType(kind): value for kind, value in types.items()} for page, types in html.items()}
    svm = cached(SVM, _digest(_identities(of_genre), _CODE), lambda: svm_predictions(of_genre), folder)
    articles = {SVM: svm, HTML: {page.name: article_probability(by_html[page.name]) for page in of_genre}}
    pictures, missing = _pictures(of_genre, folder)
    networks = _picture_networks(pictures, {page.name: page.site for page in of_genre}, folder)
    if not missing and (left := [size for size in SIZES if size not in networks]):
        missing = f"no GPU, and for these pages and settings no predictions of {' and '.join(left)} in {folder}"
    types = {page.name: PageType(page.page_type or "") for page in typed}
    return Predictions(types, by_html, articles | networks, pictures, missing)


# Folds


class FoldPages(NamedTuple):
    """Names of pages."""

    training: list[str]
    validation: list[str]
    test: list[str]


def folds(sites: Mapping[str, str]) -> list[FoldPages]:
    """The five folds of pages, given the site of each; a fold without test pages is left out.

    Raises InputError where the sites are too few to learn from some and validate on others.
    """
    unknown = LeafGold(np.zeros(0, np.bool_), np.zeros(0, np.bool_), is_bad=False)  # `hold_out` reads the sites only
    pages = [LabelledPage(name, site, b"", None, unknown) for name, site in sites.items()]
    found = []
    for number in range(FOLDS):
        test = [page.name for page in pages if fold_of(page.site, FOLDS) == number]
        training, held = hold_out([page for page in pages if fold_of(page.site, FOLDS) != number], HELD_OUT, SEED)
        if test and not (training and held):
            raise InputError(f"{len(pages)} pages of {len(set(sites.values()))} sites are too few for {FOLDS} folds")
        if test:
            found.append(FoldPages([page.name for page in training], [page.name for page in held], test))
    return found


def _out_of_fold(
    sites: Mapping[str, str], run: Callable[[FoldPages], Iterable[Prediction]], name: str
) -> dict[str, Prediction]:
    """The predictions of all pages. `run` learns from a fold and returns the predictions of its test pages."""
    found: dict[str, Prediction] = {}
    for number, fold in enumerate(folds(sites), start=1):
        print(f"{name}, fold {number} of {FOLDS}: {len(fold.training)} pages to learn from", file=sys.stderr)
        seed_everything(SEED)
        found |= zip(fold.test, run(fold), strict=True)
    return found


# The three classifiers


def svm_predictions(pages: Sequence[LabelledPage]) -> dict[str, float]:
    """§4.2: a support vector machine on the eleven features. More than 0.5 means article; not a calibrated probability.

    The paper used Weka and names neither kernel nor scaling. Here it is a radial kernel with
    scikit-learn's C and gamma, on the logarithms of the counts, standardised: 86.5 % are right, and
    81 % on the counts as they are. It needs no early stopping, so it learns from all four folds.
    """
    # Here and not above: the picture networks run where scikit-learn is not installed.
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, StandardScaler
    from sklearn.svm import SVC

    columns = {page.name: list(features.svm_features(page.document()).values()) for page in pages}
    is_article = {page.name: GENRES[PageType(page.page_type or "")] is Genre.ARTICLE for page in pages}

    def run(fold: FoldPages) -> list[float]:
        learned = [*fold.training, *fold.validation]
        machine = make_pipeline(FunctionTransformer(np.log1p), StandardScaler(), SVC())
        machine.fit([columns[name] for name in learned], [is_article[name] for name in learned])
        distance = machine.decision_function([columns[name] for name in fold.test])  # positive for articles
        return cast("list[float]", (1 / (1 + np.exp(-distance))).tolist())

    return _out_of_fold({page.name: page.site for page in pages}, run, SVM)


def html_predictions(pages: Sequence[LabelledPage]) -> dict[str, dict[str, float]]:
    """For each page the probability of each type, by the network over its HTML."""
    by_name = {example.name: example for example in html_training.examples(pages)}

    def run(fold: FoldPages) -> list[dict[str, float]]:
        training, validation, test = ([by_name[name] for name in part] for part in fold)
        task = HtmlTask(training, validation)
        fit_stages(task, replace(html_training.SCHEDULE, seed=SEED))
        return [dict(zip(map(str, PageType), row, strict=True)) for row in task.probabilities(test).tolist()]

    return _out_of_fold({page.name: page.site for page in pages}, run, HTML)


def picture_predictions(
    examples: Sequence[PictureExample], sites: Mapping[str, str], size: str, *, device: str, folder: Path = FOLDER
) -> dict[str, float]:
    """For each page the probability of being an article, by the picture network of this size; cached in `folder`.

    `sites` has the site of each page by its name. Raises MissingExtra without the ImageNet weights, and
    InputError for too few pages.
    """
    by_name = {example.name: example for example in examples}

    def run(fold: FoldPages) -> list[float]:
        training, validation, test = ([by_name[name] for name in part] for part in fold)
        task = PictureTask(training, validation, size=size, device=device)
        fit_stages(task, replace(picture_training.SCHEDULE, seed=SEED, device=device))
        return cast("list[float]", task.probabilities(test).tolist())

    inputs = picture_digest(examples, sites, size)
    return cached(size, inputs, lambda: _out_of_fold({name: sites[name] for name in by_name}, run, size), folder)


def _has_gpu() -> bool:
    return device_named("auto") != "cpu"


def _pictures(pages: Sequence[LabelledPage], folder: Path) -> tuple[list[PictureExample], str]:
    """The pictures, or why there are none. They are not drawn where no network can use them."""
    if not _has_gpu() and not any((folder / f"{size}.json").exists() for size in SIZES):
        return [], f"no GPU, without which they take hours, and no predictions in {folder}"
    try:
        return picture_examples(pages), ""
    except (MissingExtra, BrowserMissing) as error:
        return [], f"no pictures, since {error}"


def _picture_networks(
    pictures: Sequence[PictureExample], sites: Mapping[str, str], folder: Path
) -> dict[str, dict[str, float]]:
    """With a GPU the predictions of all picture networks, without one those that are in `folder`."""
    found: dict[str, dict[str, float]] = {}
    for size in SIZES if pictures else ():
        if _has_gpu():
            found[size] = picture_predictions(pictures, sites, size, device=device_named("auto"), folder=folder)
        elif known := read(size, picture_digest(pictures, sites, size), folder):
            found[size] = known
    return found


# Files with predictions


def cached(
    classifier: str, inputs: str, make: Callable[[], dict[str, Prediction]], folder: Path = FOLDER
) -> dict[str, Prediction]:
    """The predictions in the classifier's file; where it has none for `inputs`, they are made and written to it."""
    found: dict[str, Prediction] | None = read(classifier, inputs, folder)
    if found is None:
        found = make()
        path = folder / f"{classifier}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps({"inputs": inputs, "answers": found}, indent=1) + "\n", encoding="utf-8")
        part.replace(path)  # never half a file
    return found


def read(classifier: str, inputs: str, folder: Path = FOLDER) -> dict[str, Prediction] | None:
    """The predictions by page, or None where there are none for these inputs, given by their digest.

    Raises InputError for a file that can't be read.
    """
    path = folder / f"{classifier}.json"
    if not path.exists():
        return None
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        return cast("dict[str, Prediction]", dict(saved["answers"])) if saved["inputs"] == inputs else None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} holds no predictions of a classifier ({error}); delete it to start again") from None


def picture_digest(examples: Sequence[PictureExample], sites: Mapping[str, str], size: str) -> str:
    """A hash of pages, genres, sites, size of the pictures, network and schedule.

    Colours and the device are left out: fonts differ from machine to machine, and one machine may train while another
    one reports.
    """
    pages = sorted((example.name, sites[example.name], example.is_article) for example in examples)
    shapes = sorted({example.pixels.shape for example in examples})
    return _digest(pages, shapes, asdict(replace(picture_training.SCHEDULE, seed=SEED, device="")), size, FOLDS)


def _identities(pages: Sequence[LabelledPage]) -> list[tuple[str, str, str | None, str]]:
    return [(page.name, page.site, page.page_type, sha256(page.html).hexdigest()) for page in pages]


def _digest(*inputs: object) -> str:
    return sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:16]


SHOWN = 6  # of each kind
_QUALITY = 80  # of the pictures in the page


def section(
    size: str, pictures: Sequence[PictureExample], articles: Mapping[str, float], types: Mapping[str, PageType]
) -> Section:
    """The most confident errors of the network of this size, of either kind, each with the picture it was given."""
    wrong = [example for example in pictures if example.is_article != (articles[example.name] >= 0.5)]
    chart = ""
    for title, is_article in (("Articles taken for lists", True), ("Lists taken for articles", False)):
        kind = [example for example in wrong if example.is_article is is_article]
        surest = sorted(kind, key=lambda example: -abs(articles[example.name] - 0.5))[:SHOWN]
        shown = "".join(_figure(example, types[example.name], articles[example.name]) for example in surest)
        chart += f"<h3>{title}: {len(kind)}</h3>{shown}"
    return Section(
        "Typical errors",
        f"The pages on which the network on pictures ({size}) was most sure and wrong, as it saw them: drawn without "
        "external style sheets and images, without scripts, and shrunk. Page, true type, and its probability of being "
        "an article.",
        chart=chart,
    )


def _figure(example: PictureExample, kind: PageType, article: float) -> str:
    file = io.BytesIO()
    pillow().fromarray(example.pixels).save(file, "WEBP", quality=_QUALITY)
    data = base64.b64encode(file.getvalue()).decode()
    return (
        "<figure style='display:inline-block;vertical-align:top;margin:0.5rem;width:150px'>"
        f"<img width=150 style='border:1px solid #bbb' alt='' src='data:image/webp;base64,{data}'>"
        f"<figcaption>{escape(f'{example.name}, {kind}, {article:.3f}')}</figcaption></figure>"
    )
