"""The corpora as the paper divides them, the systems that are trained on them, and how all are scored."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

import numpy as np

from tamis import registry
from tamis.arrays import Bools
from tamis.labels import THRESHOLD
from tamis.protocol import Extractor
from tamis.weights import write_config
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.metrics import PRF, leaf_scores
from tamis_lab.papers.boilernet.training import SCHEDULE, TAGS, WORDS, BoilerNetRecipe, Size, prepare
from tamis_lab.training import loop
from tamis_lab.training.loop import Schedule, seed_everything
from tamis_lab.training.models import Trainable, fit_stages, recipe
from tamis_lab.training.pages import LabelledPage, label
from tamis_lab.training.recipes import entry_point

# §4.2. The size and the number of epochs are the paper's, too.
HELD_OF_DEVELOPMENT = 5
SIZE = Size()

# By system, named as in the paper; the name in lower case is that of its recipe and its extractor.
_WEB2TEXT = recipe("web2text").schedule
# Web2Text's own schedule is for 500 pages. On 50, it stopped before it had learned anything.
SCHEDULES = {
    "BoilerNet": SCHEDULE,
    "Web2Text": replace(_WEB2TEXT, epochs=8 * _WEB2TEXT.epochs, patience=8 * _WEB2TEXT.patience),
}


def _code_of(name: str) -> str:
    """A hash of the training loop and of the folder that a system's recipe stands in."""
    folder = Path(inspect.getfile(import_module(entry_point(name.lower()).module))).parent
    files = [Path(inspect.getfile(loop)), *sorted(folder.glob("*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


# Here and not later: a file may be edited while the code that was loaded from it still runs.
_CODE = {name: _code_of(name) for name in SCHEDULES}


class Split(NamedTuple):
    """The pages of one training and its test."""

    training: Sequence[LabelledPage]
    validation: Sequence[LabelledPage]
    test: Sequence[LabelledPage]


@dataclass(frozen=True, eq=False)
class Corpus:
    """A corpus as the paper divides it."""

    title: str
    training: Sequence[LabelledPage]
    validation: Sequence[LabelledPage]  # if empty, each seed draws some of the training pages
    test: Sequence[LabelledPage]

    @property
    def most(self) -> int:
        """How many pages can be trained on."""
        return len(self.training) - (0 if self.validation else HELD_OF_DEVELOPMENT)

    def split(self, seed: int, count: int | None = None) -> Split:
        """With all training pages or `count` of them, drawn by seed; a larger count includes the smaller ones."""
        order = [self.training[number] for number in np.random.default_rng(seed).permutation(len(self.training))]
        if not self.validation:
            held, rest = order[:HELD_OF_DEVELOPMENT], order[HELD_OF_DEVELOPMENT:]
            return Split(rest[:count], held, self.test)
        drawn = self.training if count in (None, self.most) else order[:count]
        return Split(drawn, self.validation, self.test)


def read_cleaneval(data: Path | None) -> Corpus:
    """The development pages of the competition for training and validation, and all of its test pages."""
    development, test = _read("cleaneval", ("dev", "test"), data)
    return Corpus("CleanEval", development, [], test)


def read_googletrends(data: Path | None) -> Corpus:
    """The official split."""
    return Corpus("GoogleTrends", *_read("googletrends-2017", ("train", "dev", "test"), data))


def _read(name: str, splits: Iterable[str], data: Path | None) -> list[list[LabelledPage]]:
    with open_corpus(name, data) as corpus:
        return [[label(page) for page in corpus.pages(split)] for split in splits]


class Scores(NamedTuple):
    """Precision, recall and F1 of either class, over the leaves of all test pages together."""

    negative: PRF  # boilerplate
    positive: PRF  # content

    @classmethod
    def of(cls, kept: Sequence[Bools], pages: Sequence[LabelledPage]) -> Scores:
        """`kept` has for each page which of its known leaves stay."""
        gold = [page.gold.content[page.gold.known] for page in pages]
        found = leaf_scores(np.concatenate(kept), np.concatenate(gold))
        return cls(found.boilerplate, found.content)

    @classmethod
    def of_extractor(cls, extractor: Extractor, pages: Sequence[LabelledPage]) -> Scores:
        """What an extractor reaches on these pages."""
        return cls.of([extractor.label(page.document()).keep[page.gold.known] for page in pages], pages)


@dataclass(frozen=True, eq=False)
class Learner:
    """A system that is trained for its rows of the table."""

    name: str  # as in the paper
    settings: Mapping[str, Any]  # all but the seed and the device
    run: Callable[[Split, int, str], dict[str, Scores]]  # train with a seed on a device, test, and score each row
    code: str  # a hash of the code that its scores depend on


def boilernet() -> Learner:
    """The paper's own; its settings are schedule, size of the network and size of the vocabulary."""
    settings = {**_plain(SCHEDULES["BoilerNet"]), **asdict(SIZE), "tags": TAGS, "words": WORDS}
    return Learner("BoilerNet", settings, _run_boilernet, _CODE["BoilerNet"])


def rivals() -> list[Learner]:
    """The systems that are trained beside BoilerNet: those whose folders are there.

    Web2Text was the state of the art of the time. The size of its networks is part of its code.
    """
    if "Web2Text" not in SCHEDULES:
        return []
    return [Learner("Web2Text", _plain(SCHEDULES["Web2Text"]), _run_web2text, _CODE["Web2Text"])]


def _run_boilernet(split: Split, seed: int, device: str) -> dict[str, Scores]:
    """Train with the vocabulary of the training pages; the best epoch decides at a probability of 0.5."""
    seed_everything(seed)
    task = BoilerNetRecipe(SIZE).task(split.training, split.validation, device)
    fit_stages(task, replace(SCHEDULES["BoilerNet"], seed=seed, device=device))
    kept = []
    for page in split.test:
        example = prepare(page, task.vocabulary)
        kept.append((task.probabilities(example) >= THRESHOLD)[example.known])
    return {"BoilerNet": Scores.of(kept, split.test)}


def _run_web2text(split: Split, seed: int, device: str) -> dict[str, Scores]:
    """Train both networks on the same pages, then label the test pages with and without the steps between blocks.

    It belongs to another paper, so the registry gives its parts by name: the recipe, and the two
    extractors, which are dataclasses with a field `weights`, the folder that they read.
    """
    seed_everything(seed)
    chosen = recipe("web2text")
    training = [page for page in split.training if len(page.document().leaves.visible_text)]
    task = cast("Trainable", chosen.task(training, split.validation, device))
    fit_stages(task, replace(SCHEDULES["Web2Text"], seed=seed, device=device))
    scores = {}
    with TemporaryDirectory() as folder:
        file, config = chosen.save(task, Path(folder))
        write_config(Path(folder), config, file)
        for row, extractor in (("Web2Text", "web2text"), ("Web2Text unary", "web2text-unary")):
            shipped: Any = registry.get(extractor)
            scores[row] = Scores.of_extractor(replace(shipped, weights=Path(folder)), split.test)
    return scores


def _plain(schedule: Schedule) -> dict[str, Any]:
    """A schedule without what differs between runs or machines."""
    return {name: value for name, value in asdict(schedule).items() if name not in ("seed", "device")}
