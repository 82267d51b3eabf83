"""Training of BoilerNet (§4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tamis.arrays import Bools, Floats
from tamis.labels import THRESHOLD
from tamis_lab.metrics import leaf_scores
from tamis_lab.papers.boilernet.module import Batch, BoilerNet, collate, export
from tamis_lab.training.loop import Schedule, Stage
from tamis_lab.training.models import LEAF_F1
from tamis_lab.training.pages import LabelledPage
from tamis_papers.boilernet import FULL as WEIGHTS
from tamis_papers.boilernet.extractor import MODEL, Network, load
from tamis_papers.boilernet.features import VERSION, LeafCounts, Vocabulary, counts

# See README.md for how these were chosen.
TAGS, WORDS = 50, 1_000

# §4.2: the best of 50 epochs. The paper does not name the learning rate.
SCHEDULE = Schedule(epochs=50, batch_pages=16, learning_rate=1e-3, patience=50)

# How many validation pages, sorted by length, are run at once.
_TOGETHER = 16


@dataclass(frozen=True)
class Size:
    """How large the network is; the defaults are the paper's."""

    projection: int = 256
    hidden: int = 256
    layers: int = 2
    dropout: float = 0.5
    bits: Literal[32, 16] = 32  # how its weights are stored
    longest: int = 4_096  # pages with more texts are cut into pieces: the longest page of a batch sets its cost


@dataclass(frozen=True, eq=False)
class Example:
    """A page as the network sees it; one row a visible text."""

    rows: LeafCounts
    content: Bools
    known: Bools
    target: Floats  # the probability to learn: 0 or 1, or between, with a teacher


def prepare(page: LabelledPage, vocabulary: Vocabulary, teacher: Network | None = None) -> Example:
    """The counts and labels of a page; with a teacher, the target is the mean of the label and its probability."""
    document = page.document()
    rows = counts(document, vocabulary)
    content, known = page.gold.content[rows.leaves], page.gold.known[rows.leaves]
    target = content.astype(np.float64)
    if teacher is not None and len(rows):
        target = (target + teacher.probabilities(counts(document, teacher.vocabulary))) / 2
    return Example(rows, content, known, target)


class BoilerNetTask:
    """Training and validation pages for the loop."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        training: Sequence[Example],
        validation: Sequence[Example],
        *,
        size: Size,
        device: str = "cpu",
    ) -> None:
        self.vocabulary = vocabulary
        self.size = size
        self.module = BoilerNet(
            vocabulary.dims, projection=size.projection, hidden=size.hidden, layers=size.layers, dropout=size.dropout
        ).to(device)
        self._training = [piece for example in training for piece in _pieces(example, size.longest)]
        filled = (example for example in validation if len(example.rows))
        self._validation = sorted(filled, key=lambda example: len(example.rows))
        sizes = [len(piece.rows) for piece in self._training]
        self.stages = (Stage(self.module, sizes, self.loss, self.validate),)
        self._device = device
        content = sum(int((piece.content & piece.known).sum()) for piece in self._training)
        every = sum(int(piece.known.sum()) for piece in self._training)
        # Both classes have the same total weight.
        self._weight = (every / max(1, 2 * (every - content)), every / max(1, 2 * content))

    def loss(self, pages: Sequence[int]) -> Tensor:
        """Weighted binary cross entropy over the texts of these pages."""
        chosen = [self._training[number] for number in pages]
        logits = self.module(self._batch(chosen))
        content = np.concatenate([example.content for example in chosen])
        weight = np.where(content, self._weight[1], self._weight[0])
        weight *= np.concatenate([example.known for example in chosen])
        target = self._tensor(np.concatenate([example.target for example in chosen]))
        each = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
        weights = self._tensor(weight)
        return (each * weights).sum() / weights.sum().clamp(min=1)

    def validate(self) -> float:
        """F1 of the content over all validation texts."""
        found, gold = self._answers()
        return leaf_scores(found >= THRESHOLD, gold).content.f1

    def probabilities(self, example: Example) -> Floats:
        """For each text of a page the probability of being content."""
        return self._run([example]) if len(example.rows) else np.zeros(0)

    def best_threshold(self) -> float:
        """The threshold with the highest F1 of content on the validation pages."""
        found, gold = self._answers()
        candidates = np.arange(0.2, 0.81, 0.02)
        # Of equally good ones the nearest to one half.
        best = max(candidates, key=lambda cut: (leaf_scores(found >= cut, gold).content.f1, -abs(cut - THRESHOLD)))
        return float(best.round(2))

    def _answers(self) -> tuple[Floats, Bools]:
        """The probabilities and the gold labels of all known validation texts."""
        pages = self._validation
        if not pages:
            return np.zeros(0), np.zeros(0, np.bool_)
        parts = [self._run(pages[start : start + _TOGETHER]) for start in range(0, len(pages), _TOGETHER)]
        known = np.concatenate([example.known for example in pages])
        return np.concatenate(parts)[known], np.concatenate([example.content for example in pages])[known]

    def _run(self, examples: Sequence[Example]) -> Floats:
        self.module.eval()
        with torch.no_grad():
            found: Floats = torch.sigmoid(self.module(self._batch(examples))).double().cpu().numpy()
        return found

    def _batch(self, examples: Sequence[Example]) -> Batch:
        return collate([example.rows for example in examples]).to(self._device)

    def _tensor(self, values: Floats | Bools) -> Tensor:
        return torch.from_numpy(values.astype(np.float32)).to(self._device)


def _pieces(example: Example, longest: int) -> list[Example]:
    """A page in pieces of at most `longest` texts; none for a page without text."""
    pieces = []
    for start in range(0, len(example.rows), longest):
        here = slice(start, start + longest)
        rows = example.rows.part(start, start + longest)
        pieces.append(Example(rows, example.content[here], example.known[here], example.target[here]))
    return pieces


@dataclass(frozen=True)
class BoilerNetRecipe:
    """How `tamis train boilernet` learns."""

    size: Size
    teacher: Path | None = None  # weights of a larger network whose probabilities are learned, too
    paper: str = (
        "Leonhardt, Anand, Khosla: Boilerplate Removal using a Neural Sequence Labeling Model, WWW 2020 Companion."
    )
    schedule: Schedule = SCHEDULE
    measure: str = LEAF_F1

    def task(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage], device: str) -> BoilerNetTask:
        """Make a vocabulary of the training pages, and count on all pages."""
        vocabulary = Vocabulary.build((page.document() for page in training), tags=TAGS, words=WORDS)
        teacher = load(self.teacher) if self.teacher else None
        return BoilerNetTask(
            vocabulary,
            [prepare(page, vocabulary, teacher) for page in training],
            [prepare(page, vocabulary) for page in validation],
            size=self.size,
            device=device,
        )

    def save(self, task: BoilerNetTask, folder: Path) -> tuple[str, dict[str, Any]]:
        """Write the network as ONNX."""
        export(task.module, folder / MODEL, bits=self.size.bits)
        vocabulary, threshold = task.vocabulary.to_json(), task.best_threshold()
        return MODEL, {"vocabulary": vocabulary, "threshold": threshold, "input": VERSION, "size": vars(self.size)}


# In 16 bits the file is half as large, and 1 label in 10,000 changes (README.md).
FULL = BoilerNetRecipe(Size(bits=16))
# Small enough to run in a browser and to be trained on a CPU.
SMALL = BoilerNetRecipe(
    Size(projection=64, hidden=48, dropout=0.2, longest=1_024),
    teacher=WEIGHTS,
    schedule=Schedule(epochs=20, batch_pages=32, learning_rate=3e-3, patience=6),
)
