"""The network of the default extractor, run by NumPy: convolutions over the rows of a page, steered by the page.

Each row becomes a vector; a summary of all of them (mean and maximum) tells what kind of page it is and sets,
layer by layer, how rows are read. Layers look further and further: 1, 2, 4, 8 rows to either side.

There are a few hundred rows and a few dozen columns, so rows lie in memory column by column: what is done to
each row by a column, or to each column by a row, then works on long stretches and takes two thirds of the time.
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

# What is added to a variance before it is divided by; PyTorch's default, which training uses.
_EPSILON = np.float32(1e-5)

# The page is summed up again before these layers: by then rows know their surroundings.
SUMMED_UP = (0, 2)

TAG_CODES = 256

# OpenBLAS spreads a product of more multiplications than this over threads. For those of a page that costs four times
# what it saves. Products of a multiple of 16 rows are its fastest.
_ONE_THREAD = 262_144
_ROWS = 16


@dataclass(frozen=True, eq=False)
class Layer:
    """One step further: rows are set by the page, look at rows around them, and change a little."""

    steer: Singles  # (2 × width, 2 × width): from the summary to what normal rows are scaled and shifted by
    steer_bias: Singles
    kernel: Singles  # (width, 3 × width): what a row sends to the row after, itself and the row before
    kernel_bias: Singles
    out: Singles  # (width, width)
    out_bias: Singles
    reach: int  # how many rows away the one before and the one after are

    def run(self, rows: Singles, summary: Singles) -> Singles:
        """(rows, width) to (rows, width)."""
        width, reach = rows.shape[1], self.reach
        steered = summary @ self.steer
        steered += self.steer_bias
        seen = normal(rows)
        seen *= steered[:width]
        seen += steered[width:]
        sent = product(seen, self.kernel)
        heard = sent[:, width : 2 * width]
        heard += self.kernel_bias
        heard[reach:] += sent[:-reach, :width]
        heard[:-reach] += sent[reach:, 2 * width :]
        np.maximum(heard, 0.0, out=heard)
        changed = product(heard, self.out)
        changed += self.out_bias
        changed += rows
        return changed


@dataclass(frozen=True, eq=False)
class RowNetwork:
    """Weights that are ready to run."""

    tags: Singles  # (tag columns, tag codes, width): what each tag adds to the first layer
    first: Singles  # (columns, width), for columns as they are
    first_bias: Singles
    second: Singles
    second_bias: Singles
    layers: tuple[Layer, ...]
    top: Singles  # (width, outputs), for normal rows
    top_bias: Singles
    kinds: Singles  # (2 × width, page types)
    kinds_bias: Singles
    threshold: float  # the logit of the first output from which on it says yes; its logits are calibrated

    @property
    def columns(self) -> int:
        """How many columns it wants."""
        return len(self.first)

    @property
    def outputs(self) -> int:
        """How many numbers it says of each row."""
        return len(self.top_bias)

    @property
    def page_types(self) -> int:
        """How many kinds of pages it tells apart."""
        return len(self.kinds_bias)

    @property
    def tag_columns(self) -> int:
        """How many tags of each row it wants."""
        return len(self.tags)

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> RowNetwork:
        """From the names and the layout of training. Raises KeyError and ValueError where something does not fit."""
        _check_shapes(tensors)
        mean, deviation = tensors["scaling.mean"], tensors["scaling.deviation"]
        columns = len(mean)
        first = tensors["first.weight"].T  # (columns + tag columns × embedding, width)
        # The first layer works on columns less their mean and by their deviation. Both can be had beforehand.
        scaled = first[:columns] / deviation[:, np.newaxis]
        embedding = tensors["tags.weight"]  # (tag codes, embedding)
        ways = first[columns:].reshape(-1, embedding.shape[1], first.shape[1])
        layers: list[Layer] = []
        while f"layers.{len(layers)}.out.weight" in tensors:
            name = f"layers.{len(layers)}"
            kernel = tensors[f"{name}.kernel.weight"]  # (width, width, 3)
            layers.append(
                Layer(
                    *_steering(tensors, name),
                    np.ascontiguousarray(kernel.transpose(1, 2, 0).reshape(kernel.shape[1], -1)),
                    tensors[f"{name}.kernel.bias"],
                    np.ascontiguousarray(tensors[f"{name}.out.weight"].T),
                    tensors[f"{name}.out.bias"],
                    2 ** len(layers),
                )
            )
        # What the first output says becomes a probability by a straight line.
        slope, offset = np.ones(len(tensors["top.bias"]), np.float32), np.zeros(len(tensors["top.bias"]), np.float32)
        slope[0], offset[0] = tensors["calibration"]
        top = tensors["top.weight"].T * slope
        return cls(
            np.ascontiguousarray(embedding @ ways),
            scaled.astype(np.float32),
            (tensors["first.bias"] - mean @ scaled).astype(np.float32),
            np.ascontiguousarray(tensors["second.weight"].T),
            tensors["second.bias"],
            tuple(layers),
            np.ascontiguousarray(tensors["norm.weight"][:, np.newaxis] * top),
            (tensors["norm.bias"] @ top + tensors["top.bias"] * slope + offset).astype(np.float32),
            np.ascontiguousarray(tensors["kinds.weight"].T),
            tensors["kinds.bias"],
            float(tensors["calibration"][1]),
        )

    def run(self, values: Singles, tags: Bytes) -> tuple[Singles, Singles]:
        """The logits of each row (rows, outputs) and of the page's types; a page has at least one row."""
        given = product(values, self.first, order="C")  # tags bring whole rows
        given += self.first_bias
        for number in range(tags.shape[1]):
            given += self.tags[number].take(tags[:, number], axis=0)
        np.maximum(given, 0.0, out=given)
        rows = product(given, self.second)
        rows += self.second_bias
        summary = summed_up(rows)
        for number, layer in enumerate(self.layers):
            if number in SUMMED_UP[1:]:
                summary = summed_up(rows)
            rows = layer.run(rows, summary)
        logits = product(normal(rows), self.top, order="C")  # each row is asked for all that is said of it
        logits += self.top_bias
        kinds: Singles = summed_up(rows) @ self.kinds + self.kinds_bias
        return logits, kinds


def _steering(tensors: Mapping[str, NDArray[Any]], layer: str) -> tuple[Singles, Singles]:
    """Normal rows are scaled and shifted twice, first alike on all pages and then as the summary says.

    Both at once are as linear in the summary as the second is.
    """
    scale, shift = tensors[f"{layer}.norm.weight"], tensors[f"{layer}.norm.bias"]
    width = len(scale)
    weight, bias = tensors[f"{layer}.steer.weight"].T, tensors[f"{layer}.steer.bias"]
    by_scale, by_shift = weight[:, :width], weight[:, width:]
    more = 1 + bias[:width]
    return (
        np.concatenate((by_scale * scale, by_scale * shift + by_shift), axis=1),
        np.concatenate((more * scale, more * shift + bias[width:])),
    )


def product(rows: Singles, weights: Singles, order: Literal["C", "F"] = "F") -> Singles:
    """The matrix product, on one thread; in memory it lies row by row or, by default, column by column."""
    found: Singles = np.empty((len(rows), weights.shape[1]), dtype=np.float32, order=order)
    if len(rows) * weights.size <= _ONE_THREAD:
        return np.matmul(rows, weights, out=found)
    at_once = max(1, _ONE_THREAD // (weights.size * _ROWS)) * _ROWS
    cut = len(rows) // at_once * at_once
    if cut:
        stacked = (cut // at_once, at_once, -1)
        np.matmul(rows[:cut].reshape(stacked), weights, out=found[:cut].reshape(stacked))
    if cut < len(rows):
        np.matmul(rows[cut:], weights, out=found[cut:])
    return found


def normal(rows: Singles) -> Singles:
    """Each row with a mean of 0 and a deviation of 1."""
    mean = _times_mean(rows.shape[1])
    centred = rows - product(rows, mean)
    deviation = product(np.square(centred), mean)
    deviation += _EPSILON
    centred /= np.sqrt(deviation, out=deviation)
    return centred


@cache
def _times_mean(width: int) -> Singles:
    """What a row is to be multiplied with for its mean; twice as fast as to sum it up."""
    return np.full((width, 1), 1 / width, dtype=np.float32)


def summed_up(rows: Singles) -> Singles:
    """The mean of all rows and their maximum, one behind the other."""
    width = rows.shape[1]
    summary = np.empty(2 * width, dtype=np.float32)
    np.add.reduce(rows, axis=0, out=summary[:width])
    summary[:width] /= len(rows)
    np.maximum.reduce(rows, axis=0, out=summary[width:])
    return summary


def _check_shapes(tensors: Mapping[str, NDArray[Any]]) -> None:
    """Raise KeyError for a missing tensor and ValueError for one that does not fit the others."""
    columns, width, outputs = len(tensors["scaling.mean"]), len(tensors["first.bias"]), len(tensors["top.bias"])
    _, embedding = tensors["tags.weight"].shape
    tag_columns = (tensors["first.weight"].shape[-1] - columns) // embedding
    kinds = len(tensors["kinds.bias"])
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
        "kinds.weight": (kinds, 2 * width),
        "calibration": (2,),
    }
    # A layer is one that any of its tensors is there of: none is left out in silence.
    for name in {name.split(".")[1] for name in tensors if name.startswith("layers.")}:
        wanted |= {
            f"layers.{name}.norm.weight": (width,),
            f"layers.{name}.norm.bias": (width,),
            f"layers.{name}.steer.weight": (2 * width, 2 * width),
            f"layers.{name}.steer.bias": (2 * width,),
            f"layers.{name}.kernel.weight": (width, width, 3),
            f"layers.{name}.kernel.bias": (width,),
            f"layers.{name}.out.weight": (width, width),
            f"layers.{name}.out.bias": (width,),
        }
    for name, shape in wanted.items():
        if tensors[name].shape != shape:
            raise ValueError(f"{name} has the shape {tensors[name].shape} and not {shape}")
