"""Training the two language models of NCleaner: counts of n-grams in clean and in dirty segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from tamis.arrays import Bools, Floats
from tamis_lab.metrics import leaf_scores
from tamis_lab.training.loop import Epoch, Schedule
from tamis_lab.training.models import SOLVED
from tamis_lab.training.pages import LabelledPage
from tamis_papers.ncleaner.extractor import MODEL, ORDER, SHORTER, Counts, Models, Segments, grams, segment_ratios


@dataclass(frozen=True, eq=False)
class Example:
    """The segments of a page, and which of them are clean."""

    segments: Segments
    clean: Bools
    sizes: Floats  # characters


def prepare(page: LabelledPage) -> Example:
    """A segment is clean if at least half of its characters are content."""
    document = page.document()
    segments = Segments.of(document)
    texts = document.leaves.visible_text
    lengths = np.array([len(document.leaves.text[leaf].strip()) for leaf in texts.tolist()], dtype=np.float64)
    count = len(segments.starts) - 1
    sizes = np.bincount(segments.number, lengths, minlength=count)
    content = np.bincount(segments.number, lengths * page.gold.content[texts], minlength=count)
    return Example(segments, content >= sizes / 2, sizes.astype(np.float64))


class Task:
    """Training and validation pages, and after `solve` the models."""

    def __init__(self, training: Sequence[Example], validation: Sequence[Example]) -> None:
        self._training, self._validation = training, validation

    def solve(self) -> Epoch:
        """Count; the loss is the share of the training characters in segments that are classified wrongly."""
        self.models = fitted(self._training)
        kept, clean, sizes = self._classified(self._training)
        score = leaf_scores(*self._classified(self._validation)).content.f1
        return Epoch(1, float(sizes[kept != clean].sum() / max(1.0, sizes.sum())), score, score)

    def _classified(self, pages: Sequence[Example]) -> tuple[Bools, Bools, Floats]:
        """The decision, the truth and the size of each segment."""
        kept = [segment_ratios(page.segments, self.models) > 0 for page in pages]
        return (
            np.concatenate(kept),
            np.concatenate([page.clean for page in pages]),
            np.concatenate([page.sizes for page in pages]),
        )


def fitted(pages: Sequence[Example]) -> Models:
    """The models of these pages: every n-gram of their segments."""
    clean = np.concatenate([np.repeat(page.clean, np.diff(page.segments.starts)) for page in pages])
    tables = []
    for length in range(1, ORDER + 1):
        found = [grams(page.segments.codes, length)[page.segments.starts[0] :] for page in pages]
        keys, number = np.unique(np.concatenate(found), return_inverse=True)
        counts = [np.bincount(number[mask], minlength=len(keys)) for mask in (~clean, clean)]
        tables.append(Counts(keys, np.column_stack(counts).astype(np.uint32)))
    return Models(tuple(tables))


class NCleanerRecipe:
    """How `tamis train ncleaner` learns."""

    paper = "Evert: A Lightweight and Efficient Tool for Cleaning Web Pages, LREC 2008."
    schedule: Schedule = SOLVED
    measure: str = "F1 of clean segments over validation pages, by characters"

    def task(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage], device: str) -> Task:
        """The segments of all pages."""
        return Task([prepare(page) for page in training], [prepare(page) for page in validation])

    def save(self, task: Task, folder: Path) -> tuple[str, dict[str, Any]]:
        """The counts of the n-grams, by their length."""
        tensors: dict[str, Any] = {}
        for length, table in enumerate(task.models.counts, start=1):
            tensors |= {f"keys.{length}": table.keys, f"counts.{length}": table.values}
        save_file(tensors, folder / MODEL)
        return MODEL, {"order": ORDER, "shorter": SHORTER}


RECIPE = NCleanerRecipe()
