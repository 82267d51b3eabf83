"""The networks of the default extractor: dilated convolutions over the runs of a page. The kernel runs them.

There are two, and a gate chooses one for each page: `modern` was trained on pages as they are published today, `old`
also on pages in the markup of earlier years. One network for both was worse on either.

Each run becomes a vector. A summary of all vectors (mean and maximum) predicts the page type and conditions every
layer by FiLM: it scales and shifts the normalised vectors. Layers are residual blocks with dilations 1, 2, 4, 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ctypes import c_char
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bytes, Floats, Singles
from tamis.extractor.runs import PageRuns
from tamis.kernel import LONGEST_NAME, MISSING_TENSOR, Model, Tensor, address, byref, library

# Values are clipped at this many deviations from the mean.
_CLIP = 8.0


@dataclass(frozen=True, eq=False)
class Scaling:
    """Subtract the mean, divide by the deviation."""

    mean: Floats
    deviation: Floats  # 1 for a constant column

    @classmethod
    def fit(cls, pages: Iterable[Floats]) -> Scaling:
        """Fit on all rows of all pages; each page is a matrix. Raises ValueError if there are no rows."""
        rows = 0
        total = squares = np.zeros(0)
        for values in pages:
            finite = np.where(np.isfinite(values), values, 0.0)
            rows += len(values)
            total = finite.sum(axis=0) + (total if total.size else 0.0)
            squares = (finite**2).sum(axis=0) + (squares if squares.size else 0.0)
        if not rows:
            raise ValueError("no rows to fit a scaling on")
        mean = total / rows
        deviation = np.sqrt(np.maximum(0.0, squares / rows - mean**2))
        # Rounding can make the deviation of a constant column tiny instead of 0.
        constant = deviation <= 1e-6 * np.maximum(1.0, np.abs(mean))
        return cls(mean, np.where(constant, 1.0, deviation))

    def apply(self, values: Floats | Singles) -> Singles:
        """The scaled values, all finite: NaN counts as the mean."""
        scaled = (values - self.mean) / self.deviation
        clipped = np.clip(np.where(np.isnan(scaled), 0.0, scaled), -_CLIP, _CLIP)
        return clipped.astype(np.float32)


# The logits of each run.
OUTPUTS = ("content", "comment", "related")
CONTENT, COMMENT, RELATED = range(len(OUTPUTS))

# The summary is computed before these layers; by the second one, the vectors know their surroundings.
SUMMARY_LAYERS = (0, 2)

TAG_CODES = 256

# The names of a network's tensors start with its name. The gate is a single tensor.
EXPERTS = ("modern", "old")
GATE = "gate"

# Added to a variance before the division by it; PyTorch's default, which training uses.
EPSILON = np.float32(1e-5)


@dataclass(frozen=True, eq=False)
class Layer:
    """A residual block: normalisation with FiLM conditioning, a dilated convolution of width 3, ReLU, a projection."""

    film: Singles  # (2 × width, 2 × width): from the summary to the scale and shift of normalised vectors
    film_bias: Singles
    kernel: Singles  # (width, 3 × width): what a run contributes to the run after it, to itself and to the run before
    kernel_bias: Singles
    out: Singles  # (width, width)
    out_bias: Singles
    dilation: int  # the distance, in runs, to the neighbours that the convolution sees


@dataclass(frozen=True, eq=False)
class RunNetwork:
    """The weights, prepared for inference: matrices are (inputs, outputs)."""

    model: Model = field(repr=False)  # the same as the kernel reads them; the arrays below show its memory
    tags: Singles  # (tag columns, tag codes, width): what each tag adds to the first layer
    first: Singles  # (columns, width), for unscaled columns
    first_bias: Singles
    second: Singles
    second_bias: Singles
    layers: tuple[Layer, ...]
    top: Singles  # (width, outputs), for normalised vectors
    top_bias: Singles

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> RunNetwork:
        """From the tensors of training. Raises KeyError for a missing one and ValueError for a wrong shape."""
        plain = {name: np.ascontiguousarray(tensor, np.float32) for name, tensor in tensors.items()}
        every = [
            Tensor(name.encode(), address(tensor), tensor.ndim, (*tensor.shape, 0, 0, 0)[:3])
            for name, tensor in plain.items()
        ]
        given, model, which = (Tensor * len(every))(*every), Model(), (c_char * LONGEST_NAME)()
        size = library().tamis_prepare(given, len(every), None, byref(model), which)
        if size < 0:
            name = which.value.decode()
            if size == MISSING_TENSOR:
                raise KeyError(name)
            raise ValueError(f"{name} has shape {tensors[name].shape}, which does not fit")
        memory = np.empty(size, np.float32)
        if library().tamis_prepare(given, len(every), address(memory), byref(model), which) < 0:
            raise ValueError("the weights have numbers that are not finite")

        def part(name: str, *shape: int) -> Singles:
            first = (getattr(model, name) - address(memory)) // memory.itemsize
            return memory[first : first + prod(shape)].reshape(shape)

        width, layers = model.width, model.layers
        films, kernels = part("film", layers, 2 * width, 2 * width), part("kernel", layers, width, 3 * width)
        film_biases, kernel_biases = part("film_bias", layers, 2 * width), part("kernel_bias", layers, width)
        outs, out_biases = part("out", layers, width, width), part("out_bias", layers, width)
        return cls(
            model,
            part("by_tag", model.tags, model.codes, width),
            part("first", model.columns, width),
            part("first_bias", width),
            part("second", width, width),
            part("second_bias", width),
            tuple(
                Layer(films[number], film_biases[number], kernels[number], kernel_biases[number], outs[number],
                      out_biases[number], 2**number)
                for number in range(layers)
            ),
            part("top", width, model.outputs),
            part("top_bias", model.outputs),
        )  # fmt: skip

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """The numbers of columns and tags of each run, of its logits, and of page types."""
        return self.model.columns, self.model.tags, self.model.outputs, self.model.types

    @property
    def threshold(self) -> float:
        """The calibrated logit from which a run is content."""
        return float(self.model.threshold)

    def run(self, values: Singles, tags: Bytes) -> tuple[Singles, Singles]:
        """The logits of each run (runs, outputs) and of the page types; a page has at least one run."""
        runs = len(values)
        values, tags = np.ascontiguousarray(values, np.float32), np.ascontiguousarray(tags, np.uint8)
        memory = np.empty(library().tamis_network_memory(byref(self.model), runs), np.uint8)
        logits, types = np.empty((runs, self.model.outputs), np.float32), np.empty(self.model.types, np.float32)
        library().tamis_network(
            byref(self.model), address(values), address(tags), runs, address(memory), address(logits), address(types)
        )
        return logits, types


@dataclass(frozen=True, eq=False)
class Networks:
    """Both networks, and the gate between them."""

    modern: RunNetwork
    old: RunNetwork
    gate: Singles  # the weights of the gate's columns, and an offset

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Networks:
        """From the tensors of training. Raises KeyError for a missing one and ValueError for a wrong shape."""
        gate = np.ascontiguousarray(tensors[GATE], np.float32)
        if gate.shape != (library().tamis_gate_size(),):
            raise ValueError(f"{GATE} has shape {gate.shape}, which does not fit")
        if not np.isfinite(gate).all():
            raise ValueError("the weights have numbers that are not finite")
        modern, old = (RunNetwork.from_tensors(tensors_of(tensors, name)) for name in EXPERTS)
        return cls(modern, old, gate)

    def of(self, runs: PageRuns) -> RunNetwork:
        """The network for a page."""
        return self.modern if runs.gate(self.gate) >= 0 else self.old

    @property
    def width(self) -> int:
        """The width of the wider network."""
        return int(max(self.modern.model.width, self.old.model.width))


def tensors_of(tensors: Mapping[str, NDArray[Any]], expert: str) -> dict[str, NDArray[Any]]:
    """The tensors of one of the EXPERTS, by their own names."""
    start = f"{expert}."
    return {name.removeprefix(start): tensor for name, tensor in tensors.items() if name.startswith(start)}
