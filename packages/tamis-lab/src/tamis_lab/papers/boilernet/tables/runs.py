"""The scores of finished trainings, in a file, so that a reproduction that was stopped can go on."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import InputError
from tamis_lab.metrics import PRF
from tamis_lab.papers.boilernet.tables.protocols import Corpus, Learner, Scores, Split
from tamis_lab.training.loop import device_named


@dataclass(frozen=True)
class Run:
    """The result of one training, by row of the table."""

    scores: dict[str, Scores]
    seconds: float
    device: str


class Runs:
    """Every run by learner, corpus, number of pages, seed, and a digest of all that its scores depend on.

    Raises InputError for a file that does not hold runs.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path) if path.exists() else {}

    def get(self, learner: Learner, corpus: Corpus, seed: int, count: int | None = None) -> Run:
        """The run with `count` training pages, or with all of them; trained now if it is not known."""
        split = corpus.split(seed, count)
        name = f"{corpus.title}, {len(split.training)} pages, seed {seed}"
        key = f"{learner.name}, {name}, {digest(learner, split)}"
        is_new = key not in self._known
        if is_new:
            device, started = device_named("auto"), time.monotonic()
            scores = learner.run(split, seed, device)
            self._known[key] = Run(scores, time.monotonic() - started, device)
            self._save()
        run = self._known[key]
        how = f"{run.seconds:.0f} s" if is_new else "known from before"
        print(f"{learner.name}, {name}: F1 {run.scores[learner.name].positive.f1:.3f} ({how})", file=sys.stderr)
        return run

    def all(self, learner: Learner, corpus: Corpus, seeds: Sequence[int], count: int | None = None) -> list[Run]:
        """One run a seed."""
        return [self.get(learner, corpus, seed, count) for seed in seeds]

    def _save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps(self._known, default=vars, indent=1) + "\n", encoding="utf-8")
        part.replace(self._path)  # never half a file


def digest(learner: Learner, split: Split) -> str:
    """A hash of the pages, their labels, the settings and the code.

    Without the device, which is named in the run: one machine may train and another make the tables.
    """
    found = hashlib.sha256(json.dumps([learner.code, learner.settings], sort_keys=True).encode())
    for part, pages in zip(Split._fields, split, strict=True):
        for page in pages:
            labels = np.packbits([page.gold.content, page.gold.known], axis=1).tobytes()
            for value in (part.encode(), page.name.encode(), page.html, labels):
                found.update(b"%d:" % len(value) + value)
    return found.hexdigest()[:16]


def _read(path: Path) -> dict[str, Run]:
    try:
        saved: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        return {
            key: Run(
                {row: Scores(*(PRF(*values) for values in classes)) for row, classes in run["scores"].items()},
                float(run["seconds"]),
                str(run["device"]),
            )
            for key, run in saved.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} holds no finished runs ({error}); delete it to start anew") from None
