"""The network of BoilerNet (§3.2), its training (§4.2), and its export to ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_sequence, pad_sequence, unpack_sequence

from tamis.arrays import Bools, Floats
from tamis.labels import THRESHOLD
from tamis_lab.metrics import leaf_scores
from tamis_lab.papers.onnx_graph import Graph
from tamis_lab.training.loop import Schedule, Stage
from tamis_lab.training.models import LEAF_F1
from tamis_lab.training.pages import LabelledPage
from tamis_papers.boilernet import FULL as WEIGHTS
from tamis_papers.boilernet.extractor import MODEL, Network, load
from tamis_papers.boilernet.features import VERSION, LeafCounts, Singles, Vocabulary, counts

_LSTM_WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")  # PyTorch's names, in the order of torch.lstm


class TextBatch(NamedTuple):
    """The sparse rows of some pages, one page after the other."""

    columns: Tensor  # (entries,) int64
    counts: Tensor  # (entries,) float32
    offsets: Tensor  # (texts,) int64: the first entry of each row
    lengths: tuple[int, ...]  # how many texts each page has, at least one

    def to(self, device: torch.device | str) -> TextBatch:
        """The same on another device."""
        return TextBatch(self.columns.to(device), self.counts.to(device), self.offsets.to(device), self.lengths)


def collate(pages: Sequence[LeafCounts]) -> TextBatch:
    """Put pages into one batch. Each needs at least one text."""
    entries = np.cumsum([0, *(len(page.columns) for page in pages)])
    offsets = [page.bounds[:-1] + first for page, first in zip(pages, entries, strict=False)]
    return TextBatch(
        torch.from_numpy(np.concatenate([page.columns for page in pages]).astype(np.int64)),
        torch.from_numpy(np.concatenate([page.counts for page in pages])),
        torch.from_numpy(np.concatenate(offsets)),
        tuple(len(page) for page in pages),
    )


class BoilerNet(nn.Module):
    """Dense projection, bidirectional LSTM layers, dropout, one output a text; the defaults are the paper's."""

    def __init__(
        self, dims: int, *, projection: int = 256, hidden: int = 256, layers: int = 2, dropout: float = 0.5
    ) -> None:
        super().__init__()
        self.dims, self.hidden, self.layers = dims, hidden, layers
        # A dense layer on sparse rows is a weighted sum of rows of its matrix.
        self.projection = nn.EmbeddingBag(dims, projection, mode="sum")
        self.projection_bias = nn.Parameter(torch.zeros(projection))
        self.lstm = nn.LSTM(projection, hidden, num_layers=layers, bidirectional=True, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(2 * hidden, 1)
        self._initialise()

    def forward(self, batch: TextBatch) -> Tensor:
        """One logit for each text of the batch, (texts,), page after page."""
        dense = self.projection(batch.columns, batch.offsets, per_sample_weights=batch.counts)
        dense = dense + self.projection_bias  # (texts, projection)
        pages = list(dense.split(list(batch.lengths)))
        hidden = self._packed(pages) if dense.is_cuda else self._padded(pages)
        logits: Tensor = self.output(self.dropout(hidden)).squeeze(-1)
        return logits

    def _packed(self, pages: list[Tensor]) -> Tensor:
        """The LSTM layers over pages of any length; fast on GPUs."""
        hidden, _ = self.lstm(pack_sequence(pages, enforce_sorted=False))
        return torch.cat(unpack_sequence(hidden))

    def _padded(self, pages: list[Tensor]) -> Tensor:
        """The same for CPUs, where the gradient of packed pages takes time quadratic in their length.

        For the backward direction each page is reversed, so that in both directions padding comes last
        and never reaches a text.
        """
        lengths = torch.tensor([len(page) for page in pages])
        place = torch.arange(int(lengths.max()))
        filled = place < lengths[:, None]  # (pages, texts)
        turned = torch.where(filled, lengths[:, None] - 1 - place, place)
        values = pad_sequence(pages, batch_first=True)
        start = values.new_zeros(1, len(pages), self.hidden)
        for layer in range(self.layers):
            both = []
            for suffix, turn in (("", False), ("_reverse", True)):
                weights = [getattr(self.lstm, f"{name}_l{layer}{suffix}") for name in _LSTM_WEIGHTS]
                rows = values.gather(1, turned[..., None].expand_as(values)) if turn else values
                out = torch.lstm(rows, (start, start), weights, True, 1, 0.0, self.training, False, True)[0]
                both.append(out.gather(1, turned[..., None].expand_as(out)) if turn else out)
            values = torch.cat(both, dim=2)
        return values[filled]

    def _initialise(self) -> None:
        """The initial weights of Keras, the paper's framework (§5.1); the paper names none.

        Dense matrices by Glorot's uniform rule, recurrent ones orthogonal, and a forget bias of 1.
        """
        nn.init.xavier_uniform_(self.projection.weight)
        nn.init.xavier_uniform_(self.output.weight)
        nn.init.zeros_(self.output.bias)
        for name, parameter in self.lstm.named_parameters():
            if name.startswith("weight"):
                initialise = nn.init.xavier_uniform_ if name.startswith("weight_ih") else nn.init.orthogonal_
                for gate in parameter.chunk(4):
                    initialise(gate)
            else:
                nn.init.zeros_(parameter)
                if name.startswith("bias_ih"):
                    with torch.no_grad():
                        parameter.chunk(4)[1].fill_(1.0)


def export(module: BoilerNet, path: Path, *, bits: Literal[32, 16] = 32) -> None:
    """Write the network as ONNX: `counts` (pages, texts, dims) to `scores` (pages, texts), probabilities.

    With 16 `bits` the file holds half precision, widened when it is loaded: all arithmetic is in 32-bit
    floats, so only rounding can differ between processors. ONNX Runtime's 8-bit kernels are faster, but on
    x86 without VNNI their 16-bit sums saturate, and the same file gives other scores there (README.md).

    The graph is built here and not traced: it is a dozen nodes, the same bytes on every machine, and needs
    no exporter.
    """
    weights = {name: value.detach().cpu().numpy() for name, value in module.state_dict().items()}
    graph = Graph(half=bits == 16)
    dense = graph.node("MatMul", "counts", graph.weight("projection", weights["projection.weight"]))
    dense = graph.node("Add", dense, graph.weight("projection_bias", weights["projection_bias"]))
    hidden = graph.node("Transpose", dense, perm=[1, 0, 2])  # (texts, pages, projection)
    for layer in range(module.layers):
        both = zip(*(_direction(weights, f"l{layer}{suffix}") for suffix in ("", "_reverse")), strict=True)
        names = [
            graph.weight(f"{kind}{layer}", np.stack(pair))
            for kind, pair in zip(("input", "recurrent", "bias"), both, strict=True)
        ]
        hidden = graph.node("LSTM", hidden, *names, hidden_size=module.hidden, direction="bidirectional")
        hidden = graph.node("Transpose", hidden, perm=[0, 2, 1, 3])  # (texts, pages, directions, hidden)
        hidden = graph.node("Reshape", hidden, graph.constant("both_directions", np.array([0, 0, -1])))
    logits = graph.node("MatMul", hidden, graph.weight("output", weights["output.weight"].T))
    logits = graph.node("Add", logits, graph.weight("output_bias", weights["output.bias"]))
    logits = graph.node("Squeeze", logits, graph.constant("last_axis", np.array([2])))  # (texts, pages)
    logits = graph.node("Transpose", logits, perm=[1, 0])
    graph.node("Sigmoid", logits, output="scores")
    path.write_bytes(
        graph.serialized("boilernet", {"counts": ("pages", "texts", module.dims)}, {"scores": ("pages", "texts")})
    )


def _direction(weights: dict[str, Singles], suffix: str) -> tuple[Singles, ...]:
    """The matrices and biases of one direction of one layer, gates in ONNX's order."""
    ih, hh = _gates(weights[f"lstm.weight_ih_{suffix}"]), _gates(weights[f"lstm.weight_hh_{suffix}"])
    bias = np.concatenate([_gates(weights[f"lstm.bias_{kind}_{suffix}"]) for kind in ("ih", "hh")])
    return ih, hh, bias


def _gates(weight: Singles) -> Singles:
    """From PyTorch's order of gates (input, forget, cell, output) to ONNX's (input, output, forget, cell)."""
    enter, forget, cell, leave = np.split(weight, 4)
    return np.concatenate([enter, leave, forget, cell])


# See README.md for how these were chosen.
TAGS = 50
WORDS = 1_000

# §4.2: the best of 50 epochs. The paper does not name the learning rate.
SCHEDULE = Schedule(epochs=50, batch_pages=16, learning_rate=1e-3, patience=50)

# How many validation pages, sorted by length, are run at once.
_TOGETHER = 16


@dataclass(frozen=True)
class NetworkSize:
    """How large the network is; the defaults are the paper's."""

    projection: int = 256
    hidden: int = 256
    layers: int = 2
    dropout: float = 0.5
    bits: Literal[32, 16] = 32  # how its weights are stored
    longest: int = 4_096  # pages with more texts are cut into pieces: the longest page of a batch sets its cost


@dataclass(frozen=True, eq=False)
class BoilerNetExample:
    """A page as the network sees it; one row a visible text."""

    rows: LeafCounts
    content: Bools
    known: Bools
    target: Floats  # the probability to learn: 0 or 1, or between, with a teacher


def prepare(page: LabelledPage, vocabulary: Vocabulary, teacher: Network | None = None) -> BoilerNetExample:
    """The counts and labels of a page; with a teacher, the target is the mean of the label and its probability."""
    document = page.document()
    rows = counts(document, vocabulary)
    content, known = page.gold.content[rows.leaves], page.gold.known[rows.leaves]
    target = content.astype(np.float64)
    if teacher is not None and len(rows):
        target = (target + teacher.probabilities(counts(document, teacher.vocabulary))) / 2
    return BoilerNetExample(rows, content, known, target)


class BoilerNetTask:
    """Training and validation pages for the loop."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        training: Sequence[BoilerNetExample],
        validation: Sequence[BoilerNetExample],
        *,
        size: NetworkSize,
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

    def probabilities(self, example: BoilerNetExample) -> Floats:
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

    def _run(self, examples: Sequence[BoilerNetExample]) -> Floats:
        self.module.eval()
        with torch.no_grad():
            found: Floats = torch.sigmoid(self.module(self._batch(examples))).double().cpu().numpy()
        return found

    def _batch(self, examples: Sequence[BoilerNetExample]) -> TextBatch:
        return collate([example.rows for example in examples]).to(self._device)

    def _tensor(self, values: Floats | Bools) -> Tensor:
        return torch.from_numpy(values.astype(np.float32)).to(self._device)


def _pieces(example: BoilerNetExample, longest: int) -> list[BoilerNetExample]:
    """A page in pieces of at most `longest` texts; none for a page without text."""
    pieces = []
    for start in range(0, len(example.rows), longest):
        here = slice(start, start + longest)
        rows = example.rows.part(start, start + longest)
        pieces.append(BoilerNetExample(rows, example.content[here], example.known[here], example.target[here]))
    return pieces


@dataclass(frozen=True)
class BoilerNetRecipe:
    """How `tamis train boilernet` learns."""

    size: NetworkSize
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
FULL = BoilerNetRecipe(NetworkSize(bits=16))
# Small enough to run in a browser and to be trained on a CPU.
SMALL = BoilerNetRecipe(
    NetworkSize(projection=64, hidden=48, dropout=0.2, longest=1_024),
    teacher=WEIGHTS,
    schedule=Schedule(epochs=20, batch_pages=32, learning_rate=3e-3, patience=6),
)
