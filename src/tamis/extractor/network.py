"""The network of the default extractor, run by NumPy: dilated convolutions over the runs of a page.

Each run becomes a vector. A summary of all vectors (mean and maximum) predicts the page type and conditions every
layer by FiLM: it scales and shifts the normalised vectors. Layers are residual blocks with dilations 1, 2, 4, 8.

A page has a few hundred runs and the network a few dozen channels, so vectors are stored channel by channel
(Fortran order): element-wise operations then work on long stretches of memory and take two thirds of the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bytes
from tamis.extractor.scaling import Singles

# Added to a variance before the division by it; PyTorch's default, which training uses.
_EPSILON = np.float32(1e-5)

# The logits of each run.
OUTPUTS = ("content", "comment", "related")
CONTENT, COMMENT, RELATED = range(len(OUTPUTS))

# The summary is computed before these layers; before the second of them the vectors know their surroundings.
SUMMARY_LAYERS = (0, 2)

TAG_CODES = 256

# OpenBLAS uses several threads for a product of more multiplications than this, which makes the products of a page
# slower. It is fastest with a multiple of 16 rows.
_ONE_THREAD = 262_144
_ROWS_AT_ONCE = 16


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

    def run(self, vectors: Singles, summary: Singles) -> Singles:
        """(runs, width) to (runs, width)."""
        width, dilation = vectors.shape[1], self.dilation
        conditioning = summary @ self.film
        conditioning += self.film_bias
        inputs = normalised(vectors)
        inputs *= conditioning[:width]
        inputs += conditioning[width:]
        contributions = product(inputs, self.kernel)
        convolved = contributions[:, width : 2 * width]
        convolved += self.kernel_bias
        convolved[dilation:] += contributions[:-dilation, :width]
        convolved[:-dilation] += contributions[dilation:, 2 * width :]
        np.maximum(convolved, 0.0, out=convolved)
        changed = product(convolved, self.out)
        changed += self.out_bias
        changed += vectors
        return changed


@dataclass(frozen=True, eq=False)
class RunNetwork:
    """The weights, prepared for inference."""

    tags: Singles  # (tag columns, tag codes, width): what each tag adds to the first layer
    first: Singles  # (columns, width), for unscaled columns
    first_bias: Singles
    second: Singles
    second_bias: Singles
    layers: tuple[Layer, ...]
    top: Singles  # (width, outputs), for normalised vectors
    top_bias: Singles
    types: Singles  # (2 × width, page types)
    types_bias: Singles
    threshold: float  # the calibrated logit from which a run is content

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """The numbers of columns and tags of each run, of its logits, and of page types."""
        return len(self.first), len(self.tags), len(self.top_bias), len(self.types_bias)

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> RunNetwork:
        """From the tensors of training. Raises KeyError for a missing one and ValueError for a wrong shape."""
        _check_shapes(tensors)
        mean, deviation = tensors["scaling.mean"], tensors["scaling.deviation"]
        columns = len(mean)
        first = tensors["first.weight"].T  # (columns + tag columns × embedding, width)
        # Training standardises the columns; that is folded into the first layer here.
        scaled = first[:columns] / deviation[:, np.newaxis]
        embedding = tensors["tags.weight"]  # (tag codes, embedding)
        by_tag = first[columns:].reshape(-1, embedding.shape[1], first.shape[1])
        layers: list[Layer] = []
        while f"layers.{len(layers)}.out.weight" in tensors:
            name = f"layers.{len(layers)}"
            kernel = tensors[f"{name}.kernel.weight"]  # (width, width, 3)
            layers.append(
                Layer(
                    *_conditioning(tensors, name),
                    np.ascontiguousarray(kernel.transpose(1, 2, 0).reshape(kernel.shape[1], -1)),
                    tensors[f"{name}.kernel.bias"],
                    np.ascontiguousarray(tensors[f"{name}.out.weight"].T),
                    tensors[f"{name}.out.bias"],
                    2 ** len(layers),
                )
            )
        # Calibration is a linear function of the content logit; it is folded into the last layer here.
        slope, offset = np.ones(len(tensors["top.bias"]), np.float32), np.zeros(len(tensors["top.bias"]), np.float32)
        slope[0], offset[0] = tensors["calibration"]
        top = tensors["top.weight"].T * slope
        return cls(
            np.ascontiguousarray(embedding @ by_tag),
            scaled.astype(np.float32),
            (tensors["first.bias"] - mean @ scaled).astype(np.float32),
            np.ascontiguousarray(tensors["second.weight"].T),
            tensors["second.bias"],
            tuple(layers),
            np.ascontiguousarray(tensors["norm.weight"][:, np.newaxis] * top),
            (tensors["norm.bias"] @ top + tensors["top.bias"] * slope + offset).astype(np.float32),
            np.ascontiguousarray(tensors["types.weight"].T),
            tensors["types.bias"],
            float(tensors["calibration"][1]),
        )

    def run(self, values: Singles, tags: Bytes) -> tuple[Singles, Singles]:
        """The logits of each run (runs, outputs) and of the page types; a page has at least one run."""
        inputs = product(values, self.first, order="C")  # tags add whole vectors
        inputs += self.first_bias
        for number in range(tags.shape[1]):
            inputs += self.tags[number].take(tags[:, number], axis=0)
        np.maximum(inputs, 0.0, out=inputs)
        vectors = product(inputs, self.second)
        vectors += self.second_bias
        summary = summary_of(vectors)
        for number, layer in enumerate(self.layers):
            if number in SUMMARY_LAYERS[1:]:
                summary = summary_of(vectors)
            vectors = layer.run(vectors, summary)
        logits = product(normalised(vectors), self.top, order="C")
        logits += self.top_bias
        type_logits: Singles = summary_of(vectors) @ self.types + self.types_bias
        return logits, type_logits


def _conditioning(tensors: Mapping[str, NDArray[Any]], layer: str) -> tuple[Singles, Singles]:
    """The matrix and bias of the scale and shift of the normalisation and of FiLM, combined.

    One applied after the other, they are still linear in the summary.
    """
    scale, shift = tensors[f"{layer}.norm.weight"], tensors[f"{layer}.norm.bias"]
    width = len(scale)
    weight, bias = tensors[f"{layer}.film.weight"].T, tensors[f"{layer}.film.bias"]
    by_scale, by_shift = weight[:, :width], weight[:, width:]
    more = 1 + bias[:width]
    return (
        np.concatenate((by_scale * scale, by_scale * shift + by_shift), axis=1),
        np.concatenate((more * scale, more * shift + bias[width:])),
    )


def product(vectors: Singles, weights: Singles, order: Literal["C", "F"] = "F") -> Singles:
    """The matrix product, on one thread, in C order or, by default, in Fortran order."""
    found: Singles = np.empty((len(vectors), weights.shape[1]), dtype=np.float32, order=order)
    if len(vectors) * weights.size <= _ONE_THREAD:
        return np.matmul(vectors, weights, out=found)
    at_once = max(1, _ONE_THREAD // (weights.size * _ROWS_AT_ONCE)) * _ROWS_AT_ONCE
    cut = len(vectors) // at_once * at_once
    if cut:
        stacked = (cut // at_once, at_once, -1)
        np.matmul(vectors[:cut].reshape(stacked), weights, out=found[:cut].reshape(stacked))
    if cut < len(vectors):
        np.matmul(vectors[cut:], weights, out=found[cut:])
    return found


def normalised(vectors: Singles) -> Singles:
    """Each vector with mean 0 and deviation 1 (layer normalisation without its scale and shift)."""
    mean = _averaging(vectors.shape[1])
    centred = vectors - product(vectors, mean)
    deviation = product(np.square(centred), mean)
    deviation += _EPSILON
    centred /= np.sqrt(deviation, out=deviation)
    return centred


@cache
def _averaging(width: int) -> Singles:
    """The matrix that maps a vector to its mean; twice as fast as summing."""
    return np.full((width, 1), 1 / width, dtype=np.float32)


def summary_of(vectors: Singles) -> Singles:
    """The mean of all vectors and their maximum, concatenated."""
    width = vectors.shape[1]
    summary = np.empty(2 * width, dtype=np.float32)
    np.add.reduce(vectors, axis=0, out=summary[:width])
    summary[:width] /= len(vectors)
    np.maximum.reduce(vectors, axis=0, out=summary[width:])
    return summary


def _check_shapes(tensors: Mapping[str, NDArray[Any]]) -> None:
    """Raise KeyError for a missing tensor and ValueError for one that does not fit the others."""
    columns, width, outputs = len(tensors["scaling.mean"]), len(tensors["first.bias"]), len(tensors["top.bias"])
    _, embedding = tensors["tags.weight"].shape
    tag_columns = (tensors["first.weight"].shape[-1] - columns) // embedding
    types = len(tensors["types.bias"])
    wanted: dict[str, tuple[int, ...]] = {
        "scaling.mean": (columns,),
        "scaling.deviation": (columns,),
        "tags.weight": (TAG_CODES, embedding),
        "first.weight": (width, columns + tag_columns * embedding),
        "second.weight": (width, width),
        "second.bias": (width,),
        "norm.weight": (width,),
        "norm.bias": (width,),
        "top.weight": (outputs, width),
        "types.weight": (types, 2 * width),
        "calibration": (2,),
    }
    # A layer exists if any of its tensors does; a partial one is an error.
    for name in {name.split(".")[1] for name in tensors if name.startswith("layers.")}:
        wanted |= {
            f"layers.{name}.norm.weight": (width,),
            f"layers.{name}.norm.bias": (width,),
            f"layers.{name}.film.weight": (2 * width, 2 * width),
            f"layers.{name}.film.bias": (2 * width,),
            f"layers.{name}.kernel.weight": (width, width, 3),
            f"layers.{name}.kernel.bias": (width,),
            f"layers.{name}.out.weight": (width, width),
            f"layers.{name}.out.bias": (width,),
        }
    for name, shape in wanted.items():
        if tensors[name].shape != shape:
            raise ValueError(f"{name} has shape {tensors[name].shape}, expected {shape}")
