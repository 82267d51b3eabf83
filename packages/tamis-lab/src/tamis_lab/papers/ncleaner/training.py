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
from tamis_papers.ncleaner.extractor import MODEL, ORDER, SHORTER, GramCounts, Models, Segments, grams, segment_ratios


@dataclass(frozen=True, eq=False)
class NCleanerExample:
    """The segments of a page, and which of them are clean."""

    segments: Segments
    clean: Bools
    sizes: Floats  # characters


def prepare(page: LabelledPage) -> NCleanerExample:
    """A segment is clean if at least half of its characters are content."""
    document = page.document()
    segments = Segments.of(document)
    texts = document.leaves.visible_text
    lengths = np.array([len(document.leaves.text[leaf].strip()) for leaf in texts.tolist()], dtype=np.float64)
    count = len(segments.starts) - 1
    sizes = np.bincount(segments.number, lengths, minlength=count)
    content = np.bincount(segments.number, lengths * page.gold.content[texts], minlength=count)
    return NCleanerExample(segments, content >= sizes / 2, sizes.astype(np.float64))


def fitted(pages: Sequence[NCleanerExample]) -> Models:
    """The models of these pages: every n-gram of their segments."""
    clean = np.concatenate([np.repeat(page.clean, np.diff(page.segments.starts)) for page in pages])
    tables = []
    for length in range(1, ORDER + 1):
        found = [grams(page.segments.codes, length)[page.segments.starts[0] :] for page in pages]
        keys, number = np.unique(np.concatenate(found), return_inverse=True)
        counts = [np.bincount(number[mask], minlength=len(keys)) for mask in (~clean, clean)]
        tables.append(GramCounts(keys, np.column_stack(counts).astype(np.uint32)))
    return Models(tuple(tables))


def _classified(models: Models, pages: Sequence[NCleanerExample]) -> tuple[Bools, Bools, Floats]:
    """The decision, the truth and the size of each segment."""
    rows = [(segment_ratios(page.segments, models) > 0, page.clean, page.sizes) for page in pages]
    kept, clean, sizes = map(np.concatenate, zip(*rows, strict=True))
    return kept, clean, sizes


class NCleanerRecipe:
    """How `tamis train ncleaner` learns."""

    paper = "Evert: A Lightweight and Efficient Tool for Cleaning Web Pages, LREC 2008."
    schedule: Schedule = SOLVED
    measure: str = "F1 of clean segments over validation pages, by characters"

    def solve(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage]) -> tuple[Models, Epoch]:
        """Count; the loss is the share of the training characters in segments that are classified wrongly."""
        examples = [prepare(page) for page in training]
        models = fitted(examples)
        kept, clean, sizes = _classified(models, examples)
        score = leaf_scores(*_classified(models, [prepare(page) for page in validation])).content.f1
        return models, Epoch(1, float(sizes[kept != clean].sum() / max(1.0, sizes.sum())), score, score)

    def save(self, models: Models, folder: Path) -> tuple[str, dict[str, Any]]:
        """The counts of the n-grams, by their length."""
        tensors: dict[str, Any] = {}
        for length, table in enumerate(models.counts, start=1):
            tensors |= {f"keys.{length}": table.keys, f"counts.{length}": table.values}
        save_file(tensors, folder / MODEL)
        return MODEL, {"order": ORDER, "shorter": SHORTER}


RECIPE = NCleanerRecipe()
