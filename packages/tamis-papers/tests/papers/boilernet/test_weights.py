"""The shipped networks give what their weights say, whatever the processor."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tamis.arrays import Floats
from tamis_papers.boilernet.extractor import MODEL, BoilerNet, full, small
from tamis_papers.boilernet.features import counts
from tests.golden import GoldenPage, golden_pages

onnx = pytest.importorskip("onnx", reason="the extra train is not installed")
pytest.importorskip("onnxruntime", reason="the extra neural is not installed")

# ONNX Runtime rounds to 32 bits, NumPy here to 64. Measured: at most 1.2e-6. With its second layer in 8-bit
# arithmetic the same network was 0.005 away, on a processor whose sums do not saturate.
CLOSE = 2e-5

PAGES = golden_pages()[::3]  # all of them take half a minute


@cache
def tensors(folder: Path) -> dict[str, Floats]:
    """The stored weights in 64 bits, by the names of the export."""
    graph = onnx.load(folder / MODEL).graph
    return {tensor.name: onnx.numpy_helper.to_array(tensor).astype(np.float64) for tensor in graph.initializer}


def sigmoid(values: Floats) -> Floats:
    result: Floats = 0.5 + 0.5 * np.tanh(values / 2)
    return result


def direction(rows: Floats, matrix: Floats, recurrent: Floats, bias: Floats) -> Floats:
    """An LSTM over rows (texts, inputs), by the equations of the standard; gates in the order i, o, f, c."""
    hidden = cell = np.zeros(recurrent.shape[1])
    given = rows @ matrix.T + bias.reshape(2, -1).sum(axis=0)  # (texts, 4 * hidden)
    states = []
    for row in given:
        enter, leave, forget, new = np.split(row + recurrent @ hidden, 4)
        cell = sigmoid(forget) * cell + sigmoid(enter) * np.tanh(new)
        hidden = sigmoid(leave) * np.tanh(cell)
        states.append(hidden)
    return np.stack(states)


def probabilities(folder: Path, rows: Floats) -> Floats:
    """The whole network in NumPy."""
    stored = tensors(folder)
    values = rows @ stored["projection"] + stored["projection_bias"]
    for layer in range(2):
        ahead, back = zip(*(stored[f"{kind}{layer}"] for kind in ("input", "recurrent", "bias")), strict=True)
        values = np.concatenate([direction(values, *ahead), direction(values[::-1], *back)[::-1]], axis=1)
    return sigmoid(values @ stored["output"] + stored["output_bias"])[:, 0]


@pytest.mark.parametrize("extractor", [full, small], ids=lambda extractor: extractor.weights.name)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_runtime_gives_what_numpy_gives(extractor: BoilerNet, page: GoldenPage) -> None:
    network = extractor.network
    rows = counts(page.document(), network.vocabulary)
    assert len(rows)
    expected = probabilities(extractor.weights, rows.dense().astype(np.float64))
    found = network.probabilities(rows)
    assert np.abs(found - expected).max() < CLOSE
    assert np.ptp(found) > 0.1, "the network does not give the same to every text"
