"""The training of every model: corpora in; weights, config and card out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, cast

from tamis import weights
from tamis.errors import InputError, OptionError
from tamis_lab.corpora.catalogue import CorpusSource, info_of
from tamis_lab.training import recipes
from tamis_lab.training.loop import Epoch, Schedule, Stage, device_named, fit, seed_everything
from tamis_lab.training.pages import LabelledPage, check_allowed, fold_of, hold_out, read_pages
from tamis_lab.training.recipes import entry_point

# The score by which most models choose their epoch.
LEAF_F1 = "F1 of content over validation leaves"

# How weights that are trained in epochs were found, for the card.
_STEPS = """\
Seed {schedule.seed}, on {schedule.device}, batches of {schedule.batch_pages} pages, learning rate
{schedule.learning_rate:g}; {kept} of {epochs} epochs: {number}."""

# The same for weights that are counted or solved for in one go.
_SOLVED = """\
Seed {schedule.seed}, which decides which pages are held out. The weights are found in one go, without epochs."""


@dataclass(frozen=True)
class TrainingRun:
    """The facts of a training run, for config and card."""

    model: str
    paper: str
    sources: Sequence[str]  # corpora, each NAME or NAME:SPLIT
    validation: float  # the share of validation pages that was asked for
    schedule: Schedule
    start: str = ""  # initial weights, if any
    measure: str = LEAF_F1  # what the score on validation pages says
    folds: int | None = None  # for each of which a network was trained in the same run
    # Known at the end of the run.
    pages: int = 0
    validation_pages: int = 0
    history: Sequence[Epoch] = ()
    seconds: float = 0.0

    @property
    def kept(self) -> Epoch:
        """The epoch whose weights were kept."""
        if self.schedule.decay:
            return self.history[-1]
        return max(self.history, key=lambda epoch: (epoch.score, -epoch.number))

    @property
    def command(self) -> str:
        """How to get these weights again."""
        sources = " ".join(f"--corpus {source}" for source in self.sources)
        schedule = self.schedule
        limits = f"--epochs {schedule.epochs} --patience {schedule.patience} --validation {self.validation:g}"
        start = f" --start {self.start}" if self.start else ""
        start += f" --folds {self.folds}" if self.folds else ""
        return f"tamis train {self.model} {sources}{start} --seed {schedule.seed} {limits} --device {schedule.device}"


def write_results(folder: Path, file: str, run: TrainingRun, config: Mapping[str, Any]) -> None:
    """Write config.json and card.md beside a weights file that is there already. Raises WeightsError.

    The corpora of the weights that it started from are written, too: their folder may change or be the same.
    """
    before = recipes.trained_on(recipes.start_folder(run.start)) if run.start else []
    facts = {
        "model": run.model,
        "trained_on": list(dict.fromkeys([*map(recipes.identity, run.sources), *before])),
        "seed": run.schedule.seed,
        "schedule": asdict(run.schedule),
        "best_epoch": run.kept.number,
    }
    start = {"start": run.start} if run.start else {}
    weights.write_config(folder, {**config, **facts, **start}, file)
    (folder / "card.md").write_text(_card(run), encoding="utf-8")


def _card(run: TrainingRun) -> str:
    infos = {source: info_of(CorpusSource.parse(source).name) for source in run.sources}
    corpora = "\n".join(f"- `{source}`: {info.title} ({info.licence})" for source, info in infos.items())
    kept = "last" if run.schedule.decay else "best"
    how = _STEPS if run.schedule.learning_rate else _SOLVED
    how = how.format(schedule=run.schedule, kept=kept, epochs=len(run.history), number=run.kept.number)
    template = Path(__file__).with_name("card.md").read_text(encoding="utf-8")
    return template.format(run=run, how=how, corpora=corpora)


CHECKPOINT = "checkpoint-{}.pt"

# The schedule of a recipe whose weights are found in one go: see `Solver`.
SOLVED = Schedule(epochs=1, batch_pages=0, learning_rate=0.0, patience=1)


class Trainable(Protocol):
    """Prepared pages and networks."""

    @property
    def stages(self) -> Sequence[Stage]:
        """What the loop trains, one after the other."""


class BaseRecipe(Protocol):
    """What every recipe has."""

    paper: str
    schedule: Schedule  # epochs, batches and rate unless the caller sets them
    measure: str  # what the score on validation pages says

    def save(self, learned: Any, folder: Path) -> tuple[str, dict[str, Any]]:
        """Write the weights; return the name of their file and the fields for config.json."""


class Recipe(BaseRecipe, Protocol):
    """How a model is trained in steps and saved."""

    def task(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage], device: str) -> Trainable:
        """Prepare the pages and the networks."""


class Solver(BaseRecipe, Protocol):
    """How a model without steps is learned: it counts, or has a solver of its own."""

    def solve(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage]) -> tuple[Any, Epoch]:
        """Learn from the training pages; return what `save` takes, and the only epoch."""


def recipe(model: str, start: str = "") -> Recipe:
    """How a model is trained, from nothing or from weights that are there. Raises OptionError and WeightsError."""
    chosen = cast("Recipe", entry_point(model).load())
    if not start:
        return chosen
    if not hasattr(chosen, "starting_from"):
        raise OptionError(f"{model} can only be trained from scratch; --start is not supported")
    return cast("Recipe", chosen.starting_from(start))


def train(
    model: str,
    sources: Sequence[str],
    output: Path,
    *,
    data: Path | None = None,
    seed: int = 1,
    epochs: int | None = None,
    patience: int | None = None,
    validation: float = 0.1,
    device: str = "auto",
    fresh: bool = False,
    folds: int | None = None,
    start: str = "",
    features: Path | None = None,
    say: Callable[[str], None] = lambda words: None,
    report: Callable[[Epoch], None] = lambda epoch: None,
) -> None:
    """Train a model on the pages of corpora and write weights, config and card to `output`.

    With `start`, an extractor's name or a folder, training goes on from those weights. With `folds`, the
    model is trained that many times, each time without the sites of one fold, and `output` gets a folder
    for each; `tamis bench --extractor NAME=FOLDER` then measures it on training pages. With `features`, a
    model that prepares its pages reads them from that file, or writes it if it is not there. Raises
    OptionError for a model, corpus or device that does not exist, and InputError where the pages are too few to
    hold some out.
    """
    chosen = recipe(model, start)
    if features and not hasattr(chosen, "prepare"):
        raise OptionError(f"{model} has no file of features; --features is not supported")
    together = bool(folds) and hasattr(chosen, "with_folds")
    if together:
        chosen = chosen.with_folds(folds)  # type: ignore[attr-defined]
    schedule = replace(
        chosen.schedule,
        seed=seed,
        device=device_named(device),
        epochs=epochs or chosen.schedule.epochs,
        patience=patience or chosen.schedule.patience,
    )
    made_of = [*sources, str(seed), *([f"start:{start}"] if start else [])]  # tuning prepares pages otherwise
    pages = _training_pages(chosen, sources, data, seed, features, made_of, say)
    run = TrainingRun(
        model, chosen.paper, sources, validation, schedule, start, chosen.measure, folds if together else None
    )
    trainer = _Trainer(chosen, run, fresh, say, report)
    if not folds or together:
        trainer.train_on(pages, output)
        return
    fold = [fold_of(page.site, folds) for page in pages]
    for number in range(folds):
        others = [page for page, own in zip(pages, fold, strict=True) if own != number]
        trainer.train_on(others, output / f"fold-{number}")


def _training_pages(
    chosen: Any,
    sources: Sequence[str],
    data: Path | None,
    seed: int,
    features: Path | None,
    made_of: Sequence[str],
    say: Callable[[str], None],
) -> Sequence[Any]:
    """The pages of corpora, prepared if the model does so; `made_of` identifies a file of features."""
    if features and features.exists():
        from tamis_lab.training.tamis_examples import read_features

        say(f"reading {features}")
        return read_features(features, made_of)
    check_allowed(sources, data)
    takes = getattr(chosen, "takes", lambda page: True)  # a recipe may leave pages out
    pages = [page for page in read_pages(sources, data) if takes(page)]
    say(f"read {len(pages)} pages")
    if not hasattr(chosen, "prepare"):
        return pages
    prepared: Sequence[Any] = chosen.prepare(pages, seed)
    if features and prepared:
        from tamis_lab.training.tamis_examples import write_features

        write_features(features, prepared, made_of)
        say(f"wrote {features}")
    return prepared


@dataclass(frozen=True)
class _Trainer:
    """How a model is trained, once or for each fold; `run` holds the facts that are known before."""

    chosen: Any  # a Recipe or a Solver
    run: TrainingRun
    fresh: bool
    say: Callable[[str], None]
    report: Callable[[Epoch], None]

    def train_on(self, pages: Sequence[Any], output: Path) -> None:
        """Train once, on these pages."""
        run, started = self.run, time.monotonic()
        training, held = hold_out(pages, run.validation, run.schedule.seed)
        if not training or not held:
            sources = ", ".join(run.sources)
            raise InputError(f"{len(pages)} pages of {sources} are too few to learn from and to validate on")
        self.say(f"{len(training)} pages to learn from, {len(held)} held out")
        seed_everything(run.schedule.seed)
        if hasattr(self.chosen, "solve"):
            task, epoch = self.chosen.solve(training, held)
            history = [epoch]
            self.report(epoch)
        else:
            task = self.chosen.task(training, held, run.schedule.device)
            output.mkdir(parents=True, exist_ok=True)
            history = self._fit(task, output, _identity(training, held))
        seconds = time.monotonic() - started
        done = replace(run, pages=len(training), validation_pages=len(held), history=history, seconds=seconds)
        for name, part in getattr(task, "parts", {"": task}).items():
            folder = output / name
            folder.mkdir(parents=True, exist_ok=True)
            file, config = self.chosen.save(part, folder)
            write_results(folder, file, done, config)
        for checkpoint in output.glob(CHECKPOINT.format("*")):
            checkpoint.unlink()

    def _fit(self, task: Trainable, output: Path, data: str) -> list[Epoch]:
        """Train the stages of a task, from the checkpoints in `output` if there are any."""
        checkpoints = [output / CHECKPOINT.format(number) for number in range(len(task.stages))]
        if self.fresh:
            for checkpoint in checkpoints:
                checkpoint.unlink(missing_ok=True)
        is_new = not checkpoints[0].exists()
        self.say("made the features; training starts" if is_new else "going on from the checkpoint")
        return fit_stages(task, self.run.schedule, checkpoints=checkpoints, data=data, report=self.report)


def fit_stages(
    task: Trainable,
    schedule: Schedule,
    *,
    checkpoints: Sequence[Path] = (),
    data: str = "",
    report: Callable[[Epoch], None] = lambda epoch: None,
) -> list[Epoch]:
    """Train one stage after the other, each at its pace and for its share; return the epochs of the last.

    `checkpoints` are none, or one a stage. Raises InputError as `fit` does.
    """
    history: list[Epoch] = []
    for number, stage in enumerate(task.stages):
        epochs = max(1, round(schedule.epochs * stage.share))
        paced = replace(schedule, learning_rate=schedule.learning_rate * stage.pace, epochs=epochs)
        checkpoint = checkpoints[number] if checkpoints else None
        history = fit(stage, paced, checkpoint=checkpoint, data=data, report=report)
    return history


def _identity(training: Sequence[Any], held: Sequence[Any]) -> str:
    """A digest of the pages and their gold, and of which are held out."""
    digest = sha256()
    for side in (training, held):
        digest.update(len(side).to_bytes(8))
        for page in side:
            digest.update(page.digest.encode())
    return digest.hexdigest()
