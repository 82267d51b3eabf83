"""Web2Text's two networks (§3.4): learning the potentials of blocks and of steps between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor, nn
from torch.nn import functional

from tamis.arrays import Bools
from tamis.extractor.scaling import Scaling, Singles
from tamis.lab.metrics import leaf_scores
from tamis.lab.training.loop import Schedule
from tamis.lab.training.pages import LabelledPage
from tamis.lab.training.results import LEAF_F1
from tamis.papers.columns import Columns
from tamis.papers.web2text.collapsed import CollapsedTree
from tamis.papers.web2text.convolution import WIDTH
from tamis.papers.web2text.extractor import MODEL
from tamis.papers.web2text.features import Web2TextFeatures
from tamis.papers.web2text.viterbi import viterbi

# §3.4: seven layers, filters of width 3, 50 of them but 10 in the last layer, dropout 0.2.
LAYERS = (50, 50, 50, 50, 50, 50, 10)
DROPOUT = 0.2

# The paper says nothing of these. A network of this size has seen enough after 30 passes over 500 pages.
SCHEDULE = Schedule(epochs=40, batch_pages=16, learning_rate=1e-3, patience=15)
_ENOUGH_PAGES = 500
_MOST_PASSES = 8


def schedule_for(pages: int) -> Schedule:
    """The schedule for a training set of this size: of few pages a pass is few steps, so it takes more passes."""
    more = min(_MOST_PASSES, max(1.0, _ENOUGH_PAGES / max(1, pages)))
    return replace(SCHEDULE, epochs=round(SCHEDULE.epochs * more), patience=round(SCHEDULE.patience * more))


@dataclass(frozen=True, eq=False)
class Example:
    """A page as the networks see it; one row a visible text."""

    name: str
    columns: Columns
    content: Bools
    known: Bools


def prepare(page: LabelledPage) -> Example:
    """The features and labels of a page."""
    tree = CollapsedTree.of(page.document())
    return Example(page.name, Web2TextFeatures(tree).all, page.gold.content[tree.leaves], page.gold.known[tree.leaves])


class Convolution(nn.Module):
    """A convolution of width 3 over a batch of pages that stand one behind the other.

    It is one matrix product over each row and its two neighbours. PyTorch's own convolution wants
    pages of one length, and prepares itself anew for each length that it meets: on a CPU that took
    twenty times as long as the arithmetic.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        shape = nn.Conv1d(inputs, outputs, WIDTH)  # for its first weights and their layout
        self.weight, self.bias = shape.weight, shape.bias

    def forward(self, rows: Tensor, has_before: Tensor, has_after: Tensor) -> Tensor:
        """(rows, inputs) to (rows, outputs); beyond either end of a page stand zeros."""
        around = torch.cat([rows.roll(1, 0) * has_before, rows, rows.roll(-1, 0) * has_after], dim=1)
        kernel = self.weight.permute(0, 2, 1).flatten(1)  # (outputs, width × inputs)
        return functional.linear(around, kernel, self.bias)


class Network(nn.Module):
    """One of the two: convolutions with ReLU and dropout, and a linear layer for the classes."""

    def __init__(self, inputs: int, classes: int) -> None:
        super().__init__()
        widths = (inputs, *LAYERS)
        self.convolutions = nn.ModuleList(Convolution(before, after) for before, after in pairwise(widths))
        self.dropout = nn.Dropout(DROPOUT)
        self.top = nn.Linear(widths[-1], classes)

    def forward(self, rows: Tensor, has_before: Tensor, has_after: Tensor) -> Tensor:
        """(rows, columns) to (rows, classes)."""
        values = rows
        for convolution in self.convolutions:
            values = self.dropout(functional.relu(convolution(values, has_before, has_after)))
        logits: Tensor = self.top(values)
        return logits


class Networks(nn.Module):
    """Both. They see the same input (§3.4) and share nothing else."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.unary = Network(inputs, 2)
        self.pairwise = Network(inputs, 4)


class Web2TextTask:
    """Training and validation pages, and both networks."""

    def __init__(self, training: Sequence[Example], validation: Sequence[Example], device: str = "cpu") -> None:
        self.names = training[0].columns.names
        self.scaling = Scaling.fit(example.columns.values for example in training)
        self.module = Networks(len(self.names)).to(device)
        self._device = device
        self._training = [self._tensors(example) for example in training]
        self._validation = list(validation)

    @property
    def stages(self) -> tuple[Stage, Stage]:
        """One network after the other: each has its own best epoch, and steps are judged together with blocks."""
        return Stage(self, self.module.unary, self._block_loss), Stage(self, self.module.pairwise, self._step_loss)

    @property
    def sizes(self) -> list[int]:
        """How many leaves each training page has."""
        return [len(page[0]) for page in self._training]

    def _block_loss(self, pages: Sequence[int]) -> Tensor:
        """Cross entropy of the labels."""
        batch = self._batch(pages)
        return _cross_entropy(self.module.unary(batch.rows, *batch.ends), batch.labels, batch.known)

    def _step_loss(self, pages: Sequence[int]) -> Tensor:
        """Cross entropy of the steps between neighbours."""
        batch = self._batch(pages)
        steps = 2 * batch.labels.roll(1) + batch.labels
        both_known = batch.known.roll(1) * batch.known * batch.ends[0][:, 0]
        return _cross_entropy(self.module.pairwise(batch.rows, *batch.ends), steps, both_known)

    def _batch(self, pages: Sequence[int]) -> _Batch:
        chosen = [self._training[number] for number in pages]
        rows, labels, known = (torch.cat([page[part] for page in chosen]) for part in range(3))
        return _Batch(rows, labels, known, _neighbours([len(page[0]) for page in chosen], self._device))

    def validate(self, *, unary_only: bool) -> float:
        """F1 of the content over the leaves of all validation pages."""
        kept = [self.predict(example, unary_only=unary_only)[example.known] for example in self._validation]
        gold = [example.content[example.known] for example in self._validation]
        return leaf_scores(np.concatenate(kept), np.concatenate(gold)).content.f1

    def predict(self, example: Example, *, unary_only: bool = False) -> Bools:
        """Which leaves of a page stay."""
        blocks, steps = self.potentials(example)
        if unary_only:
            return blocks[:, 1] > blocks[:, 0]
        return viterbi(blocks, steps).labels

    def potentials(self, example: Example) -> tuple[Singles, Singles]:
        """The log potentials of blocks and steps."""
        rows, _, _ = self._tensors(example)
        if not len(rows):
            return np.zeros((0, 2), np.float32), np.zeros((0, 4), np.float32)
        ends = _neighbours([len(rows)], self._device)
        self.module.eval()
        with torch.no_grad():
            networks = self.module.unary, self.module.pairwise
            logits = [network(rows, *ends).log_softmax(dim=1) for network in networks]
        blocks, steps = (values.cpu().numpy() for values in logits)
        return blocks, steps[1:]

    def _tensors(self, example: Example) -> tuple[Tensor, Tensor, Tensor]:
        values = torch.from_numpy(self.scaling.apply(example.columns.values))
        labels, known = torch.from_numpy(example.content.astype(np.int64)), torch.from_numpy(example.known)
        return values.to(self._device), labels.to(self._device), known.float().to(self._device)


@dataclass(frozen=True, eq=False)
class Stage:
    """The training of one of the two networks, for the loop."""

    task: Web2TextTask
    module: nn.Module
    loss: Callable[[Sequence[int]], Tensor]
    pace: float = 1.0
    share: float = 1.0

    @property
    def sizes(self) -> list[int]:
        """How many leaves each training page has."""
        return self.task.sizes

    def validate(self) -> float:
        """Blocks are judged by themselves, steps by what Viterbi makes of both."""
        return self.task.validate(unary_only=self.module is self.task.module.unary)


class _Batch(NamedTuple):
    """Some pages one behind the other."""

    rows: Tensor
    labels: Tensor
    known: Tensor
    ends: tuple[Tensor, Tensor]  # see _neighbours


def _neighbours(lengths: Sequence[int], device: str) -> tuple[Tensor, Tensor]:
    """For each row of pages of these lengths: 1 if one stands before it on its page, and after it."""
    filled = np.array([length for length in lengths if length], dtype=np.int64)  # a page may have no text at all
    ends = np.cumsum(filled)
    has_before, has_after = torch.ones(sum(lengths), 1), torch.ones(sum(lengths), 1)
    has_before[ends - filled] = 0
    has_after[ends - 1] = 0
    return has_before.to(device), has_after.to(device)


def _cross_entropy(logits: Tensor, classes: Tensor, weights: Tensor) -> Tensor:
    each = functional.cross_entropy(logits, classes, reduction="none")
    return (each * weights).sum() / weights.sum().clamp(min=1)


class Web2TextRecipe:
    """How `tamis train web2text` learns."""

    paper = "Vogels, Ganea, Eickhoff: Web2Text: Deep Structured Boilerplate Removal, ECIR 2018."
    schedule = SCHEDULE
    measure: str = LEAF_F1

    def task(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage], device: str) -> Web2TextTask:
        """Features of all pages."""
        return Web2TextTask([prepare(page) for page in training], [prepare(page) for page in validation], device)

    def save(self, task: Web2TextTask, folder: Path) -> tuple[str, dict[str, Any]]:
        """One file with both networks and the scaling."""
        tensors = {name: np.ascontiguousarray(value.cpu().numpy()) for name, value in task.module.state_dict().items()}
        tensors["scaling.mean"] = task.scaling.mean
        tensors["scaling.deviation"] = task.scaling.deviation
        save_file(tensors, folder / MODEL)
        return MODEL, {"features": list(task.names), "layers": list(LAYERS), "dropout": DROPOUT}


RECIPE = Web2TextRecipe()
