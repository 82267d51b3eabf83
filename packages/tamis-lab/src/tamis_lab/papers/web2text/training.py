"""Training the two networks of Web2Text (§3.4), on pages whose content is known leaf by leaf."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor, nn
from torch.nn import functional

from tamis.arrays import Bools, Singles
from tamis.extractor.network import Scaling
from tamis_lab.metrics import leaf_scores
from tamis_lab.training.loop import Schedule, Stage
from tamis_lab.training.models import LEAF_F1
from tamis_lab.training.pages import LabelledPage
from tamis_papers.columns import Columns
from tamis_papers.web2text.extractor import MODEL
from tamis_papers.web2text.features import CollapsedTree, Web2TextFeatures
from tamis_papers.web2text.network import WIDTH, viterbi

# §3.4: seven layers, filters of width 3, 50 of them but 10 in the last layer, dropout 0.2.
LAYERS = (50, 50, 50, 50, 50, 50, 10)
DROPOUT = 0.2

# The paper does not give these. After 30 passes over 500 pages networks of this size stop improving.
SCHEDULE = Schedule(epochs=40, batch_pages=16, learning_rate=1e-3, patience=15)
_ENOUGH_PAGES = 500
_MOST_PASSES = 8


def schedule_for(pages: int) -> Schedule:
    """The schedule for a training set of this size: an epoch of few pages is few steps, so it takes more epochs."""
    more = min(_MOST_PASSES, max(1.0, _ENOUGH_PAGES / max(1, pages)))
    return replace(SCHEDULE, epochs=round(SCHEDULE.epochs * more), patience=round(SCHEDULE.patience * more))


@dataclass(frozen=True, eq=False)
class Web2TextExample:
    """The features and labels of a page; one row a visible text."""

    name: str
    columns: Columns
    content: Bools
    known: Bools


def prepare(page: LabelledPage) -> Web2TextExample:
    """The features and labels of a page."""
    tree = CollapsedTree.of(page.document())
    return Web2TextExample(
        page.name, Web2TextFeatures(tree).all, page.gold.content[tree.leaves], page.gold.known[tree.leaves]
    )


class Convolution(nn.Module):
    """A convolution of width 3 over a batch of pages, whose rows are concatenated.

    It is one matrix product over each row and its two neighbours. PyTorch's own convolution needs
    pages of one length and sets itself up again for each new length: on a CPU that took twenty times
    as long as the arithmetic.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        template = nn.Conv1d(inputs, outputs, WIDTH)  # for its initial weights and their layout
        self.weight, self.bias = template.weight, template.bias

    def forward(self, rows: Tensor, has_before: Tensor, has_after: Tensor) -> Tensor:
        """(rows, inputs) to (rows, outputs); zeros pad both ends of a page."""
        around = torch.cat([rows.roll(1, 0) * has_before, rows, rows.roll(-1, 0) * has_after], dim=1)
        kernel = self.weight.permute(0, 2, 1).flatten(1)  # (outputs, width × inputs)
        return functional.linear(around, kernel, self.bias)


class ConvolutionNetwork(nn.Module):
    """One of the two networks: convolutions with ReLU and dropout, and a linear layer for the classes."""

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


class BothNetworks(nn.Module):
    """Both. They share their input (§3.4), but no layer."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.unary = ConvolutionNetwork(inputs, 2)
        self.pairwise = ConvolutionNetwork(inputs, 4)


class _Rows(NamedTuple):
    """The rows of one page, or of several one after the other."""

    values: Tensor
    labels: Tensor
    known: Tensor


class Web2TextTask:
    """Training and validation pages, and both networks."""

    def __init__(
        self, training: Sequence[Web2TextExample], validation: Sequence[Web2TextExample], device: str = "cpu"
    ) -> None:
        self.names = training[0].columns.names
        self.scaling = Scaling.fit(example.columns.values for example in training)
        self.module = BothNetworks(len(self.names)).to(device)
        self.sizes = [len(example.content) for example in training]
        self._device = device
        self._training = [self._rows(example) for example in training]
        self._validation = list(validation)

    @property
    def stages(self) -> tuple[Stage, Stage]:
        """One network after the other, each with its own best epoch.

        The blocks are validated alone, the steps between them by what Viterbi makes of both.
        """
        blocks, both = (partial(self.validate, unary_only=unary_only) for unary_only in (True, False))
        return (
            Stage(self.module.unary, self.sizes, self._block_loss, blocks),
            Stage(self.module.pairwise, self.sizes, self._step_loss, both),
        )

    def _block_loss(self, pages: Sequence[int]) -> Tensor:
        """Cross entropy of the labels."""
        rows, ends = self._batch(pages)
        return _cross_entropy(self.module.unary(rows.values, *ends), rows.labels, rows.known)

    def _step_loss(self, pages: Sequence[int]) -> Tensor:
        """Cross entropy of the steps between neighbours."""
        rows, ends = self._batch(pages)
        steps = 2 * rows.labels.roll(1) + rows.labels
        both_known = rows.known.roll(1) * rows.known * ends[0][:, 0]
        return _cross_entropy(self.module.pairwise(rows.values, *ends), steps, both_known)

    def _batch(self, pages: Sequence[int]) -> tuple[_Rows, tuple[Tensor, Tensor]]:
        chosen = [self._training[number] for number in pages]
        ends = _neighbours([self.sizes[number] for number in pages], self._device)
        return _Rows(*map(torch.cat, zip(*chosen, strict=True))), ends

    def validate(self, *, unary_only: bool) -> float:
        """F1 of the content over the leaves of all validation pages."""
        kept = [self.predict(example, unary_only=unary_only)[example.known] for example in self._validation]
        gold = [example.content[example.known] for example in self._validation]
        return leaf_scores(np.concatenate(kept), np.concatenate(gold)).content.f1

    def predict(self, example: Web2TextExample, *, unary_only: bool = False) -> Bools:
        """Which leaves of a page stay."""
        blocks, steps = self.potentials(example)
        return blocks[:, 1] > blocks[:, 0] if unary_only else viterbi(blocks, steps).labels

    def potentials(self, example: Web2TextExample) -> tuple[Singles, Singles]:
        """The log potentials of blocks and steps."""
        values = self._rows(example).values
        if not len(values):
            return np.zeros((0, 2), np.float32), np.zeros((0, 4), np.float32)
        ends = _neighbours([len(values)], self._device)
        self.module.eval()
        with torch.no_grad():
            networks = self.module.unary, self.module.pairwise
            blocks, steps = (network(values, *ends).log_softmax(dim=1).cpu().numpy() for network in networks)
        return blocks, steps[1:]

    def _rows(self, example: Web2TextExample) -> _Rows:
        values = torch.from_numpy(self.scaling.apply(example.columns.values))
        labels, known = torch.from_numpy(example.content.astype(np.int64)), torch.from_numpy(example.known)
        return _Rows(values.to(self._device), labels.to(self._device), known.float().to(self._device))


def _neighbours(lengths: Sequence[int], device: str) -> tuple[Tensor, Tensor]:
    """For each row of pages of these lengths: 1 if its page has a row before it, and one after it."""
    filled = np.array([length for length in lengths if length], dtype=np.int64)  # pages may be without text
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
        """The features of all pages."""
        return Web2TextTask([prepare(page) for page in training], [prepare(page) for page in validation], device)

    def save(self, task: Web2TextTask, folder: Path) -> tuple[str, dict[str, Any]]:
        """One file with both networks and the scaling."""
        tensors = {name: np.ascontiguousarray(value.cpu().numpy()) for name, value in task.module.state_dict().items()}
        tensors |= {"scaling.mean": task.scaling.mean, "scaling.deviation": task.scaling.deviation}
        save_file(tensors, folder / MODEL)
        return MODEL, {"features": list(task.names), "layers": list(LAYERS), "dropout": DROPOUT}


RECIPE = Web2TextRecipe()
