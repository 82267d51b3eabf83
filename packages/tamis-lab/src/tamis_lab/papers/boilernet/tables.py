"""The experiments of BoilerNet (2020): Tables 1 and 2, and how much data it takes."""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from tamis import registry
from tamis.arrays import Bools, Floats
from tamis.errors import InputError
from tamis.labels import THRESHOLD
from tamis.protocol import Extractor
from tamis.weights import write_config
from tamis_lab.bench import contestants
from tamis_lab.bench.runner import measure
from tamis_lab.bench.text import TextScorer
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.gold import align, with_wordless
from tamis_lab.metrics import PRF, leaf_scores
from tamis_lab.papers.boilernet.training import SCHEDULE, TAGS, WORDS, BoilerNetRecipe, NetworkSize, prepare
from tamis_lab.reproduce.page import Figure, ReproducedPage, Section, lines
from tamis_lab.training import loop
from tamis_lab.training.loop import device_named, seed_everything
from tamis_lab.training.models import fit_stages, recipe
from tamis_lab.training.pages import LabelledPage, label
from tamis_lab.training.recipes import entry_point

# §4.2. The size and the number of epochs are the paper's, too.
HELD_OF_DEVELOPMENT = 5
SIZE = NetworkSize()

# By system, named as in the paper; the name in lower case is that of its recipe and its extractor.
_WEB2TEXT = recipe("web2text").schedule
# Web2Text's own schedule is for 500 pages. On 50, it stopped before it had learned anything.
SCHEDULES = {
    "BoilerNet": SCHEDULE,
    "Web2Text": replace(_WEB2TEXT, epochs=8 * _WEB2TEXT.epochs, patience=8 * _WEB2TEXT.patience),
}


def _code_of(name: str) -> str:
    """A hash of the training loop and of the folder of a system's recipe, without the code that only makes tables."""
    folder = Path(inspect.getfile(import_module(entry_point(name.lower()).module))).parent
    files = [Path(inspect.getfile(loop)), *sorted(set(folder.glob("*.py")) - {folder / "tables.py"})]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


# Read on import: a file may be edited while the code that was loaded from it still runs.
_CODE = {name: _code_of(name) for name in SCHEDULES}


# The pages of each corpus, and how each is divided


class PageSplit(NamedTuple):
    """The pages of one training and its test."""

    training: Sequence[LabelledPage]
    validation: Sequence[LabelledPage]
    test: Sequence[LabelledPage]


@dataclass(frozen=True, eq=False)
class DividedCorpus:
    """A corpus as the paper divides it."""

    title: str
    training: Sequence[LabelledPage]
    validation: Sequence[LabelledPage]  # if empty, each seed draws some of the training pages
    test: Sequence[LabelledPage]

    @property
    def most(self) -> int:
        """How many pages can be trained on."""
        return len(self.training) - (0 if self.validation else HELD_OF_DEVELOPMENT)

    def split(self, seed: int, count: int | None = None) -> PageSplit:
        """With all training pages or `count` of them, drawn by seed; a larger count includes the smaller ones."""
        order = [self.training[number] for number in np.random.default_rng(seed).permutation(len(self.training))]
        if not self.validation:
            held, rest = order[:HELD_OF_DEVELOPMENT], order[HELD_OF_DEVELOPMENT:]
            return PageSplit(rest[:count], held, self.test)
        drawn = self.training if count in (None, self.most) else order[:count]
        return PageSplit(drawn, self.validation, self.test)


def read_cleaneval(data: Path | None) -> DividedCorpus:
    """The development pages of the competition for training and validation, and all of its test pages."""
    development, test = _labelled_splits("cleaneval", ("dev", "test"), data)
    return DividedCorpus("CleanEval", development, [], test)


def read_googletrends(data: Path | None) -> DividedCorpus:
    """The official split."""
    return DividedCorpus("GoogleTrends", *_labelled_splits("googletrends-2017", ("train", "dev", "test"), data))


def _labelled_splits(name: str, splits: Iterable[str], data: Path | None) -> list[list[LabelledPage]]:
    with open_corpus(name, data) as corpus:
        return [[label(page) for page in corpus.pages(split)] for split in splits]


class ClassScores(NamedTuple):
    """Precision, recall and F1 of either class, over the leaves of all test pages together."""

    negative: PRF  # boilerplate
    positive: PRF  # content

    @classmethod
    def of(cls, kept: Sequence[Bools], pages: Sequence[LabelledPage]) -> ClassScores:
        """`kept` has for each page which of its known leaves stay."""
        gold = [page.gold.content[page.gold.known] for page in pages]
        found = leaf_scores(np.concatenate(kept), np.concatenate(gold))
        return cls(found.boilerplate, found.content)

    @classmethod
    def of_extractor(cls, extractor: Extractor, pages: Sequence[LabelledPage]) -> ClassScores:
        """What an extractor reaches on these pages."""
        return cls.of([extractor.label(page.document()).keep[page.gold.known] for page in pages], pages)


@dataclass(frozen=True, eq=False)
class TrainedSystem:
    """A system that is trained for its rows of the table."""

    name: str  # as in the paper
    settings: Mapping[str, Any]  # all but the seed and the device
    run: Callable[
        [PageSplit, int, str], dict[str, ClassScores]
    ]  # train with a seed on a device, test, and score each row
    code: str  # a hash of the code that its scores depend on


def boilernet() -> TrainedSystem:
    """The paper's own; its settings are schedule, size of the network and size of the vocabulary."""
    settings = {**_shared_settings("BoilerNet"), **asdict(SIZE), "tags": TAGS, "words": WORDS}
    return TrainedSystem("BoilerNet", settings, _run_boilernet, _CODE["BoilerNet"])


def web2text() -> TrainedSystem:
    """The state of the art of the time; the size of its networks is part of its code."""
    return TrainedSystem("Web2Text", _shared_settings("Web2Text"), _run_web2text, _CODE["Web2Text"])


def _run_boilernet(split: PageSplit, seed: int, device: str) -> dict[str, ClassScores]:
    """Train with the vocabulary of the training pages; the best epoch decides at a probability of 0.5."""
    seed_everything(seed)
    task = BoilerNetRecipe(SIZE).task(split.training, split.validation, device)
    fit_stages(task, replace(SCHEDULES["BoilerNet"], seed=seed, device=device))
    kept = []
    for page in split.test:
        example = prepare(page, task.vocabulary)
        kept.append((task.probabilities(example) >= THRESHOLD)[example.known])
    return {"BoilerNet": ClassScores.of(kept, split.test)}


def _run_web2text(split: PageSplit, seed: int, device: str) -> dict[str, ClassScores]:
    """Train both networks on the same pages, then label the test pages with and without the steps between blocks.

    It belongs to another paper, so the registry gives its parts by name: the recipe, and the two
    extractors, which are dataclasses with a field `weights`, the folder that they read.
    """
    seed_everything(seed)
    chosen = recipe("web2text")
    training = [page for page in split.training if len(page.document().leaves.visible_text)]
    task = chosen.task(training, split.validation, device)
    fit_stages(task, replace(SCHEDULES["Web2Text"], seed=seed, device=device))
    scores = {}
    with TemporaryDirectory() as folder:
        file, config = chosen.save(task, Path(folder))
        write_config(Path(folder), config, file)
        for row, extractor in (("Web2Text", "web2text"), ("Web2Text unary", "web2text-unary")):
            shipped: Any = registry.get(extractor)
            scores[row] = ClassScores.of_extractor(replace(shipped, weights=Path(folder)), split.test)
    return scores


def _shared_settings(system: str) -> dict[str, Any]:
    """The schedule of a system, without what differs between runs or machines."""
    return {name: value for name, value in asdict(SCHEDULES[system]).items() if name not in ("seed", "device")}


@dataclass(frozen=True)
class FinishedTraining:
    """The result of one training, by row of the table."""

    scores: dict[str, ClassScores]
    seconds: float
    device: str


# Finished trainings


class FinishedTrainings:
    """Every run by learner, corpus, number of pages, seed, and a digest of all that its scores depend on.

    Raises InputError for a file that does not hold runs.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _finished_runs(path) if path.exists() else {}

    def get(
        self, learner: TrainedSystem, corpus: DividedCorpus, seed: int, count: int | None = None
    ) -> FinishedTraining:
        """The run with `count` training pages, or with all of them; trained now if it is not known."""
        split = corpus.split(seed, count)
        name = f"{corpus.title}, {len(split.training)} pages, seed {seed}"
        key = f"{learner.name}, {name}, {digest(learner, split)}"
        is_new = key not in self._known
        if is_new:
            device, started = device_named("auto"), time.monotonic()
            scores = learner.run(split, seed, device)
            self._known[key] = FinishedTraining(scores, time.monotonic() - started, device)
            self._save()
        run = self._known[key]
        how = f"{run.seconds:.0f} s" if is_new else "known from before"
        print(f"{learner.name}, {name}: F1 {run.scores[learner.name].positive.f1:.3f} ({how})", file=sys.stderr)
        return run

    def _save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps(self._known, default=vars, indent=1) + "\n", encoding="utf-8")
        part.replace(self._path)  # never half a file


def digest(learner: TrainedSystem, split: PageSplit) -> str:
    """A hash of the pages, their labels, the settings and the code.

    Without the device, which is named in the run: one machine may train and another make the tables.
    """
    found = hashlib.sha256(json.dumps([learner.code, learner.settings], sort_keys=True).encode())
    for part, pages in zip(PageSplit._fields, split, strict=True):
        for page in pages:
            labels = np.packbits([page.gold.content, page.gold.known], axis=1).tobytes()
            for value in (part.encode(), page.name.encode(), page.html, labels):
                found.update(b"%d:" % len(value) + value)
    return found.hexdigest()[:16]


def _finished_runs(path: Path) -> dict[str, FinishedTraining]:
    try:
        saved: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        return {
            key: FinishedTraining(
                {row: ClassScores(*(PRF(*values) for values in classes)) for row, classes in run["scores"].items()},
                float(run["seconds"]),
                str(run["device"]),
            )
            for key, run in saved.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} holds no finished runs ({error}); delete it to start again") from None


# Systems that are not trained: boilerpipe's filters and Readability

# The paper does not say which filter its "BoilerPipe" is.
BOILERPIPES = ("boilerpipe-article", "boilerpipe-words")


class UntrainedScores(NamedTuple):
    """The scores of each system, and what became of the pages that Readability was given."""

    scores: dict[str, ClassScores]
    readability: str  # its row's name: which program, and which version
    outcomes: Counter[str]


def measured(corpus: DividedCorpus) -> UntrainedScores:
    """All of them on the test pages."""
    scores = {name: ClassScores.of_extractor(registry.get(name), corpus.test) for name in BOILERPIPES}
    # Mozilla's own where node and its packages are found, else the Python port.
    program = (
        "readability-lxml" if "readability-js" in contestants.unavailable(["readability-js"]) else "readability-js"
    )
    row = f"Readability ({program} {contestants.version(program)})"
    # Without gold: the bench must not score them.
    bare = [CorpusPage("", page.name, page.html, "test", url=page.url) for page in corpus.test]
    outcomes: Counter[str] = Counter()
    texts: dict[str, str] = {}
    for page, _, outcome in measure(TextScorer(), ((page, [program]) for page in bare), [program], keep_answers=True):
        texts[page.id] = outcome.answer or ""  # empty where it fails
        outcomes[outcome.status] += 1
    scores[row] = ClassScores.of([_leaves_in(texts[page.name], page) for page in corpus.test], corpus.test)
    return UntrainedScores(scores, row, outcomes)


def _leaves_in(text: str, page: LabelledPage) -> Bools:
    """Which known leaves of a page a text consists of, found as for gold texts."""
    document = page.document()
    readable = document.leaves.visible & ~document.leaves.is_media
    return with_wordless(document, align(document, text).content & readable)[page.gold.known]


# Tables 1 and 2, and the learning curve

MEASURES = ("negative P", "negative R", "negative F1", "positive P", "positive R", "positive F1")

COUNTS = (5, 10, 25)  # training pages; the curve ends with all
CLASSES = ("negative", "positive")

# By corpus and row, in the order of MEASURES.
PAPER: dict[str, dict[str, list[float]]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
# What BoilerNet is asked for: 0.01 below the paper on CleanEval, 0.02 on GoogleTrends.
AT_LEAST = {
    "CleanEval": {"negative F1": 0.81, "positive F1": 0.86},
    "GoogleTrends": {"negative F1": 0.88, "positive F1": 0.76},
}


def section(title: str, corpus: DividedCorpus, runs: FinishedTrainings, seeds: Sequence[int]) -> Section:
    """Six figures a system; those of trained systems are means over the seeds, with the lowest and the highest."""
    rules = measured(corpus)
    trained = [[runs.get(system, corpus, seed) for seed in seeds] for system in (web2text(), boilernet())]
    by_row = [{row: [run.scores[row] for run in known] for row in known[0].scores} for known in trained]
    untrained = {row: [scores] for row, scores in rules.scores.items()}
    # The order of the paper: its own system comes last.
    rows = {row: scores for part in (*by_row[:-1], untrained, by_row[-1]) for row, scores in part.items()}
    figures = [figure for row, scores in rows.items() for figure in _figures(corpus.title, row, scores)]
    parts = {"training": corpus.training, "validation": corpus.validation, "test": corpus.test}
    facts = {
        **{part: len(pages) for part, pages in parts.items()},
        # Pages on which much of the gold text was not found.
        **{f"bad_{part}": sum(page.gold.is_bad for page in pages) for part, pages in parts.items()},
        "held": HELD_OF_DEVELOPMENT,
        "most": corpus.most,
        "notes": f"{_on_training(trained[-1], seeds)} {_on_rules(rules)}",
    }
    return Section(title, figures=figures, facts=facts)


def _figures(corpus: str, row: str, scores: Sequence[ClassScores]) -> list[Figure]:
    name = "Readability" if row.startswith("Readability") else row  # as the paper prints it
    asked = AT_LEAST[corpus] if name == "BoilerNet" else {}
    values = np.array([(*found.negative, *found.positive) for found in scores])  # (seeds, measures)
    return [
        _mean_figure(f"{corpus}, {row}: {measure}", column, paper, asked.get(measure))
        for measure, column, paper in zip(MEASURES, values.T, PAPER[corpus][name], strict=True)
    ]


def _mean_figure(name: str, values: Floats, paper: float | None = None, asked: float | None = None) -> Figure:
    """The mean over the seeds; the lowest and the highest value are in the note."""
    notes = [f"from {values.min():.3f} to {values.max():.3f}"] if len(values) > 1 else []
    notes += [f"asked for: at least {asked:g}"] if asked is not None else []
    return Figure(name, paper, float(values.mean()), note="; ".join(notes), at_least=asked)


def _on_training(runs: Sequence[FinishedTraining], seeds: Sequence[int]) -> str:
    devices = " and ".join(sorted({run.device for run in runs}))
    seconds = sum(run.seconds for run in runs) / len(runs)
    return (
        f"Rows of trained systems are means over the seeds {', '.join(map(str, seeds))}, with the lowest and the "
        f"highest. One training of BoilerNet with its test took {seconds:.0f} s (device: {devices})."
    )


def _on_rules(rules: UntrainedScores) -> str:
    outcomes = rules.outcomes
    failed = outcomes["crash"] + outcomes["timeout"]
    return (
        "The paper does not say which filter its BoilerPipe is, so its figures are next to both. "
        f"{rules.readability} returns a text, which is aligned with the leaves as gold texts are; of "
        f"{outcomes.total()} pages it failed on {failed} and found nothing on {outcomes['empty']}."
    )


def learning_curve(corpora: Sequence[DividedCorpus], runs: FinishedTrainings, seeds: Sequence[int]) -> Section:
    """BoilerNet with few training pages and with more; validation and test pages stay the same."""
    figures: list[Figure] = []
    curves: dict[str, Floats] = {}
    learner = boilernet()
    for corpus in corpora:
        counts = [*(count for count in COUNTS if count < corpus.most), corpus.most]
        found = [[runs.get(learner, corpus, seed, count).scores[learner.name] for seed in seeds] for count in counts]
        for number, name in enumerate(CLASSES):
            f1 = np.array([[scores[number].f1 for scores in of_count] for of_count in found])  # (counts, seeds)
            for count, values in zip(counts, f1, strict=True):
                figures.append(_mean_figure(f"{corpus.title}, {count} pages: {name} F1", values))
            curves[f"{corpus.title}, {name}"] = _line(counts, f1.mean(axis=1))
    chart = lines(curves, "training pages (lines are straight between what was measured)", "F1")
    return Section("Learning curve", figures=figures, chart=chart, facts={"seeds": len(seeds)})


def _line(counts: Sequence[int], values: Floats) -> Floats:
    """Values at 0, 1, 2, ... pages; NaN before the first measured count."""
    every = np.arange(counts[-1] + 1)
    return np.where(every < counts[0], np.nan, np.interp(every, counts, values))


SEEDS = (1, 2, 3)
# The scores of finished trainings, which are not repeated; delete the file to start again.
FINISHED = Path("build/reproduce-boilernet.json")


def reproduce(data: Path | None = None) -> ReproducedPage:
    """Train and test on both corpora. An hour or more without a GPU; after a stop, the next call goes on."""
    runs = FinishedTrainings(FINISHED)
    cleaneval, trends = read_cleaneval(data), read_googletrends(data)
    return ReproducedPage.from_texts(
        Path(__file__).with_name("texts.toml"),
        [
            section("Table 1: CleanEval", cleaneval, runs, SEEDS),
            section("Table 2: GoogleTrends-2017", trends, runs, SEEDS),
            learning_curve((cleaneval, trends), runs, SEEDS),
        ],
    )
