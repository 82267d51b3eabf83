"""Who learns from which pages, and what it then makes of the test pages."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np

from tamis.arrays import Bools
from tamis.lab.corpora.catalogue import open_corpus
from tamis.lab.metrics import PRF, leaf_scores
from tamis.lab.training import loop
from tamis.lab.training.loop import Schedule, fit, seed_everything
from tamis.lab.training.pages import LabelledPage, label
from tamis.labels import THRESHOLD
from tamis.papers.boilernet import features as boilernet_features
from tamis.papers.boilernet import module as boilernet_module
from tamis.papers.boilernet import training as boilernet
from tamis.papers.boilernet.features import Vocabulary
from tamis.papers.boilernet.training import TAGS, WORDS, BoilerNetTask, Size, prepare
from tamis.papers.web2text import collapsed
from tamis.papers.web2text import features as web2text_features
from tamis.papers.web2text import training as web2text
from tamis.papers.web2text.training import Web2TextTask

# §4.2. The size and the number of epochs are the paper's, too.
HELD_OF_DEVELOPMENT = 5
SIZE = Size()
SCHEDULES = {
    "BoilerNet": boilernet.SCHEDULE,
    # The one for a set of 50 pages, whatever the set: with that for 500 it stopped before it had learned anything.
    "Web2Text": web2text.schedule_for(50),
}


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
    validation: Sequence[LabelledPage]  # none: for each seed, some of the training pages are drawn
    test: Sequence[LabelledPage]

    @property
    def most(self) -> int:
        """How many pages there are to learn from."""
        return len(self.training) - (0 if self.validation else HELD_OF_DEVELOPMENT)

    def split(self, seed: int, count: int | None = None) -> Split:
        """All pages to learn from or `count` of them, drawn by seed; more of them include the fewer."""
        order = [self.training[number] for number in np.random.default_rng(seed).permutation(len(self.training))]
        if not self.validation:
            held, rest = order[:HELD_OF_DEVELOPMENT], order[HELD_OF_DEVELOPMENT:]
            return Split(rest[:count], held, self.test)
        drawn = self.training if count in (None, self.most) else order[:count]
        return Split(drawn, self.validation, self.test)


def read_cleaneval(data: Path | None) -> Corpus:
    """The competition's development pages to learn from and to validate on, and all of its test pages."""
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
        """`kept` says of the known leaves of each page which ones stay."""
        gold = [page.gold.content[page.gold.known] for page in pages]
        found = leaf_scores(np.concatenate(kept), np.concatenate(gold))
        return cls(found.boilerplate, found.content)


def _hash(*modules: ModuleType) -> str:
    return hashlib.sha256("".join(map(inspect.getsource, modules)).encode()).hexdigest()


class Learner(Protocol):
    """A system that is trained for its rows of the table."""

    @property
    def name(self) -> str:
        """As in the paper."""
        ...

    @property
    def code(self) -> str:
        """A hash of the code that its scores come from."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """All that can be set, but for the seed and the device."""
        ...

    def run(self, split: Split, seed: int, device: str) -> dict[str, Scores]:
        """Train, test, and give the scores of each row of the table."""
        ...


@dataclass(frozen=True)
class BoilerNet:
    """The paper's own."""

    name: str = "BoilerNet"
    # Here and not later: a file may be edited while the code that was loaded from it still runs.
    code: str = _hash(boilernet_features, boilernet, boilernet_module, loop)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Schedule, size of the network, size of the vocabulary."""
        return {**_plain(SCHEDULES[self.name]), **asdict(SIZE), "tags": TAGS, "words": WORDS}

    def run(self, split: Split, seed: int, device: str) -> dict[str, Scores]:
        """A vocabulary of the training pages, 50 epochs, the best one's decisions at a probability of one half."""
        vocabulary = Vocabulary.build((page.document() for page in split.training), tags=TAGS, words=WORDS)
        seed_everything(seed)
        task = BoilerNetTask(
            vocabulary,
            [prepare(page, vocabulary) for page in split.training],
            [prepare(page, vocabulary) for page in split.validation],
            size=SIZE,
            device=device,
        )
        fit(task, replace(SCHEDULES[self.name], seed=seed, device=device))
        kept = []
        for page in split.test:
            example = prepare(page, vocabulary)
            kept.append((task.probabilities(example) >= THRESHOLD)[example.known])
        return {self.name: Scores.of(kept, split.test)}


@dataclass(frozen=True)
class Web2Text:
    """The state of the art of the time, learning from the same pages; both of its rows."""

    name: str = "Web2Text"
    code: str = _hash(web2text_features, collapsed, web2text, loop)
    # The features of a page are the same in every training.
    prepare: Callable[[LabelledPage], web2text.Example] = field(default_factory=lambda: cache(web2text.prepare))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Schedule and size of the networks."""
        return {**_plain(SCHEDULES[self.name]), "layers": web2text.LAYERS, "dropout": web2text.DROPOUT}

    def run(self, split: Split, seed: int, device: str) -> dict[str, Scores]:
        """One network after the other, then blocks with and without the steps between them."""
        seed_everything(seed)
        training, validation, test = ([self.prepare(page) for page in part] for part in split)
        task = Web2TextTask([example for example in training if len(example.content)], validation, device)
        for stage in task.stages:
            fit(stage, replace(SCHEDULES[self.name], seed=seed, device=device))
        scores = {}
        for row, unary_only in ((self.name, False), (f"{self.name} unary", True)):
            kept = [task.predict(example, unary_only=unary_only)[example.known] for example in test]
            scores[row] = Scores.of(kept, split.test)
        return scores


def _plain(schedule: Schedule) -> dict[str, Any]:
    """A schedule without what differs from run to run, or from machine to machine."""
    return {name: value for name, value in asdict(schedule).items() if name not in ("seed", "device")}
