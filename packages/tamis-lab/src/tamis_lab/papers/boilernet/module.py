"""BoilerNet's network (§3.2, §4.2) in PyTorch, and as an ONNX file that runs without it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_sequence, pad_sequence, unpack_sequence

from tamis_lab.papers.onnx_graph import Graph
from tamis_papers.boilernet.features import LeafCounts, Singles

_LSTM_WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")  # PyTorch's names, in the order of torch.lstm


class Batch(NamedTuple):
    """The sparse rows of some pages, one page after the other."""

    columns: Tensor  # (entries,) int64
    counts: Tensor  # (entries,) float32
    offsets: Tensor  # (texts,) int64: the first entry of each row
    lengths: tuple[int, ...]  # how many texts each page has, at least one

    def to(self, device: torch.device | str) -> Batch:
        """The same on another device."""
        return Batch(self.columns.to(device), self.counts.to(device), self.offsets.to(device), self.lengths)


def collate(pages: Sequence[LeafCounts]) -> Batch:
    """Put pages into one batch. Each needs at least one text."""
    entries = np.cumsum([0, *(len(page.columns) for page in pages)])
    offsets = [page.bounds[:-1] + first for page, first in zip(pages, entries, strict=False)]
    return Batch(
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

    def forward(self, batch: Batch) -> Tensor:
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
            if name.startswith("weight_ih"):
                for gate in parameter.chunk(4):
                    nn.init.xavier_uniform_(gate)
            elif name.startswith("weight_hh"):
                for gate in parameter.chunk(4):
                    nn.init.orthogonal_(gate)
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
