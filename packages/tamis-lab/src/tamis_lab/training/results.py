"""The output of a training run: weights, config and card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tamis import weights
from tamis_lab.corpora.catalogue import Source, info_of
from tamis_lab.training import seen
from tamis_lab.training.loop import Epoch, Schedule

# The score by which most models choose their epoch.
LEAF_F1 = "F1 of content over validation leaves"

# How the weights were found: in steps, or counted or solved for in one go.
_STEPS = """\
Seed {schedule.seed}, on {schedule.device}, batches of {schedule.batch_pages} pages, learning rate
{schedule.learning_rate:g}; {kept} of {epochs} epochs: {number}."""
_SOLVED = """\
Seed {schedule.seed}, which decides which pages are held out. The weights are found in one go, without epochs."""


@dataclass(frozen=True)
class Run:
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


def write_results(folder: Path, file: str, run: Run, config: Mapping[str, Any]) -> None:
    """Write config.json and card.md beside a weights file that is there already. Raises WeightsError.

    The corpora of the weights that it started from are written, too: their folder may change or be the same.
    """
    before = seen.trained_on(seen.start_folder(run.start)) if run.start else []
    facts = {
        "model": run.model,
        "trained_on": list(dict.fromkeys([*map(seen.identity, run.sources), *before])),
        "seed": run.schedule.seed,
        "schedule": asdict(run.schedule),
        "best_epoch": run.kept.number,
    }
    start = {"start": run.start} if run.start else {}
    weights.write_config(folder, {**config, **facts, **start}, file)
    (folder / "card.md").write_text(_card(run), encoding="utf-8")


def _card(run: Run) -> str:
    infos = {source: info_of(Source.parse(source).name) for source in run.sources}
    corpora = "\n".join(f"- `{source}`: {info.title} ({info.licence})" for source, info in infos.items())
    kept = "last" if run.schedule.decay else "best"
    how = _STEPS if run.schedule.learning_rate else _SOLVED
    how = how.format(schedule=run.schedule, kept=kept, epochs=len(run.history), number=run.kept.number)
    template = Path(__file__).with_name("card.md").read_text(encoding="utf-8")
    return template.format(run=run, how=how, corpora=corpora)
