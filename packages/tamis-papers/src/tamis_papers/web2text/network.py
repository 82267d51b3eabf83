"""The networks of Web2Text (§3.4) in NumPy, and the most likely labelling of a sequence (§3.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Floats, Singles

WIDTH = 3

# One pass works on at most this many rows, to bound memory on huge pages.
_CHUNK = 50_000


@dataclass(frozen=True, eq=False)
class ConvolutionStack:
    """Convolutions of width 3 with ReLU, and a linear layer on top."""

    filters: tuple[Singles, ...]  # (inputs, 3 × outputs) each: for the row after, itself, and the row before
    biases: tuple[Singles, ...]
    top: Singles  # (inputs, classes)
    top_bias: Singles

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Singles], prefix: str) -> ConvolutionStack:
        """From PyTorch's names and layout. Raises KeyError and ValueError where something does not fit."""
        filters: list[Singles] = []
        biases: list[Singles] = []
        while f"{prefix}.convolutions.{len(filters)}.weight" in tensors:
            kernel = tensors[f"{prefix}.convolutions.{len(filters)}.weight"]  # (outputs, inputs, width)
            if kernel.ndim != 3 or kernel.shape[2] != WIDTH or (filters and kernel.shape[1] != len(biases[-1])):
                raise ValueError(f"{prefix}: a filter has the shape {kernel.shape}")
            biases.append(_bias(tensors, f"{prefix}.convolutions.{len(filters)}", kernel.shape[0], prefix))
            filters.append(np.ascontiguousarray(kernel.transpose(1, 2, 0).reshape(kernel.shape[1], -1)))
        if not filters:
            raise KeyError(f"{prefix}.convolutions.0.weight")
        top = np.ascontiguousarray(tensors[f"{prefix}.top.weight"].T)
        if top.ndim != 2 or top.shape[0] != len(biases[-1]):
            raise ValueError(f"{prefix}: the top layer has the shape {top.shape}")
        return cls(tuple(filters), tuple(biases), top, _bias(tensors, f"{prefix}.top", top.shape[1], prefix))

    @property
    def inputs(self) -> int:
        """The number of input columns."""
        return len(self.filters[0])

    @property
    def classes(self) -> int:
        """The number of output columns."""
        return int(self.top.shape[1])

    def log_probabilities(self, rows: Singles) -> Singles:
        """(rows, inputs) to (rows, classes): the logarithm of the probability of each class."""
        if len(rows) <= _CHUNK:
            return self._run(rows)
        # Each layer sees one row further, so chunks overlap by one row a layer.
        reach = len(self.filters)
        parts = []
        for start in range(0, len(rows), _CHUNK):
            first, last = max(0, start - reach), min(len(rows), start + _CHUNK + reach)
            part = self._run(rows[first:last])
            parts.append(part[start - first : start - first + _CHUNK])
        return np.concatenate(parts)

    def _run(self, rows: Singles) -> Singles:
        values = rows
        for kernel, bias in zip(self.filters, self.biases, strict=True):
            # One product for all three places of the filter, then each row adds the parts of its neighbours.
            parts, outputs = values @ kernel, len(bias)
            values = parts[:, outputs : 2 * outputs] + bias
            values[1:] += parts[:-1, :outputs]
            values[:-1] += parts[1:, 2 * outputs :]
            np.maximum(values, 0.0, out=values)
        logits = values @ self.top + self.top_bias
        shifted = logits - logits.max(axis=1, keepdims=True)
        log_softmax: Singles = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        return log_softmax


def _bias(tensors: Mapping[str, Singles], layer: str, outputs: int, prefix: str) -> Singles:
    bias = tensors[f"{layer}.bias"]
    if bias.shape != (outputs,):
        raise ValueError(f"{prefix}: a bias has the shape {bias.shape}")
    return bias


class BlockLabels(NamedTuple):
    """The best labelling, and for each block its margin over the best one with the other label there."""

    labels: Bools
    margins: Floats  # positive where the label is true


def viterbi(unary: Singles, pairwise: Singles) -> BlockLabels:
    """The labels that maximise the product of all potentials.

    `unary[i]` holds the log potentials of block i being boilerplate and content, `pairwise[i]`
    those of the step from block i to block i + 1: boilerplate to boilerplate, boilerplate to
    content, content to boilerplate, content to content. It has one row less than `unary`.

    A margin is the difference of two maxima, over all labellings with and without the block as
    content. Its sign is the label, except where two labellings are equally good.
    """
    if len(unary) == 0:
        return BlockLabels(np.zeros(0, np.bool_), np.zeros(0))
    if len(pairwise) != len(unary) - 1:
        raise ValueError(f"{len(unary)} blocks have {len(unary) - 1} steps, not {len(pairwise)}")
    own, steps = unary.astype(np.float64), pairwise.astype(np.float64)
    forward = _best_so_far(own, steps)
    backward = _best_so_far(own[::-1], steps[::-1][:, [0, 2, 1, 3]])[::-1]
    margins = (forward + backward - own) @ np.array([-1.0, 1.0])
    return BlockLabels(_trace(forward, steps, margins), margins)


def _best_so_far(own: Floats, steps: Floats) -> Floats:
    """For each block and label: the best sum over the blocks up to it, itself included."""
    out, inside = own[0].tolist()
    best = [(out, inside)]
    for (own_out, own_in), (out_out, out_in, in_out, in_in) in zip(own[1:].tolist(), steps.tolist(), strict=True):
        stay, leave, enter, remain = out + out_out, inside + in_out, out + out_in, inside + in_in
        out = (stay if stay >= leave else leave) + own_out
        inside = (remain if remain >= enter else enter) + own_in
        best.append((out, inside))
    return np.array(best)


def _trace(forward: Floats, steps: Floats, margins: Floats) -> Bools:
    """The labels, traced back from the last block where margins may mix two equally good labellings."""
    # Sums in another order differ by this much, so margins below it may be ties.
    rounding = len(forward) * np.finfo(np.float64).eps * np.abs(forward).max()
    if not (np.abs(margins) <= rounding).any():
        clear: Bools = margins > 0
        return clear
    labels = np.zeros(len(forward), dtype=np.bool_)
    label = bool(forward[-1, 1] > forward[-1, 0])
    labels[-1] = label
    for place in range(len(forward) - 2, -1, -1):
        to = int(label)
        label = bool(forward[place, 1] + steps[place, 2 + to] > forward[place, 0] + steps[place, to])
        labels[place] = label
    return labels
