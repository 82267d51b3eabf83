"""The convolutional networks of Web2Text (§3.4), run by NumPy.

At the size of a web page (a thousand leaves, fifty filters) this is a handful of small matrix
products, and calling a runtime costs as much as it saves: see `python -m benchmarks.web2text`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tamis.arrays import Singles

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
