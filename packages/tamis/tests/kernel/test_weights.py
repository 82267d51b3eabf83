"""Weights that do not fit each other, or are no numbers, are refused before a page is read with them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tamis.extractor.network import GATE, Networks, RunNetwork, tensors_of
from tamis.extractor.tamis import Tamis, read_tensors

Tensors = dict[str, NDArray[Any]]


@pytest.fixture
def tensors() -> Tensors:
    return tensors_of(read_tensors(Tamis().weights), "modern")


NAMES = sorted(tensors_of(read_tensors(Tamis().weights), "modern"))


@pytest.mark.parametrize("name", NAMES)
def test_every_tensor_is_needed(tensors: Tensors, name: str) -> None:
    del tensors[name]
    with pytest.raises(KeyError, match=name):
        RunNetwork.from_tensors(tensors)


@pytest.mark.parametrize("name", NAMES)
def test_every_side_of_a_tensor_has_to_fit(tensors: Tensors, name: str) -> None:
    for side, more in product(range(tensors[name].ndim), (-1, 1)):
        if (name, side) == ("tags.weight", 1):
            continue  # with wider embeddings there may be fewer tags
        shape = list(tensors[name].shape)
        shape[side] += more
        with pytest.raises(ValueError, match="does not fit"):
            RunNetwork.from_tensors({**tensors, name: np.zeros(shape, np.float32)})


def test_fewer_inputs_than_columns_do_not_fit(tensors: Tensors) -> None:
    """By their number, there would be a negative number of tags."""
    embedding = tensors["tags.weight"].shape[1]
    columns = len(tensors["scaling.mean"])
    first = np.zeros((len(tensors["first.bias"]), columns - embedding), np.float32)
    with pytest.raises(ValueError, match=r"first\.weight"):
        RunNetwork.from_tensors({**tensors, "first.weight": first})


@pytest.mark.parametrize("name", NAMES)
def test_weights_are_numbers(tensors: Tensors, name: str) -> None:
    for value in (np.nan, np.inf, -np.inf):
        if name == "scaling.deviation" and not np.isnan(value):
            continue  # a column that varies without end counts for nothing
        damaged = tensors[name].copy()
        damaged.flat[0] = value
        with pytest.raises(ValueError, match="finite"):
            RunNetwork.from_tensors({**tensors, name: damaged})


@pytest.mark.parametrize("gate", [np.zeros(3, np.float32), np.full_like(read_tensors(Tamis().weights)[GATE], np.nan)])
def test_the_gate_has_to_fit_and_be_of_numbers(gate: NDArray[Any]) -> None:
    with pytest.raises(ValueError, match=r"does not fit|finite"):
        Networks.from_tensors(read_tensors(Tamis().weights) | {GATE: gate})


@pytest.mark.parametrize("missing", [GATE, "old.top.bias"])
def test_both_networks_and_the_gate_are_needed(missing: str) -> None:
    given = read_tensors(Tamis().weights)
    del given[missing]
    with pytest.raises(KeyError, match=missing.removeprefix("old.")):
        Networks.from_tensors(given)
