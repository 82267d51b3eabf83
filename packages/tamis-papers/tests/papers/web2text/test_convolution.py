from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tamis.extractor.scaling import Singles
from tamis_papers.web2text import network
from tamis_papers.web2text.network import ConvolutionStack

WIDTHS = (6, 5, 4, 3)
CLASSES = 4


def tensors(seed: int = 0) -> dict[str, Singles]:
    """A stack of three convolutions in PyTorch's names and layout."""
    random = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {"top.weight": (CLASSES, WIDTHS[-1]), "top.bias": (CLASSES,)}
    for layer, (inputs, outputs) in enumerate(pairwise(WIDTHS)):
        shapes[f"convolutions.{layer}.weight"] = (outputs, inputs, 3)
        shapes[f"convolutions.{layer}.bias"] = (outputs,)
    return {f"net.{name}": random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def rows(count: int, seed: int = 1) -> Singles:
    return np.random.default_rng(seed).normal(size=(count, WIDTHS[0])).astype(np.float32)


def stack() -> ConvolutionStack:
    return ConvolutionStack.from_tensors(tensors(), "net")


def by_torch(values: Singles) -> Singles:
    """The same by PyTorch's own convolution."""
    torch = pytest.importorskip("torch", reason="the extra train is not installed")
    layers: list[Any] = []
    weights = {name: torch.from_numpy(value) for name, value in tensors().items()}
    for layer, (inputs, outputs) in enumerate(pairwise(WIDTHS)):
        one = torch.nn.Conv1d(inputs, outputs, 3, padding=1)
        one.load_state_dict({kind: weights[f"net.convolutions.{layer}.{kind}"] for kind in ("weight", "bias")})
        layers += [one, torch.nn.ReLU()]
    with torch.no_grad():
        hidden = torch.nn.Sequential(*layers)(torch.from_numpy(values).T[np.newaxis])[0].T
        logits = hidden @ weights["net.top.weight"].T + weights["net.top.bias"]
        found: Singles = logits.log_softmax(dim=1).numpy()
    return found


@pytest.mark.parametrize("count", [1, 2, 3, 50])
def test_it_is_the_convolution_of_pytorch(count: int) -> None:
    values = rows(count)
    found = stack().log_probabilities(values)
    assert found.shape == (count, CLASSES)
    assert np.abs(found - by_torch(values)).max() < 1e-5
    assert np.exp(found).sum(axis=1) == pytest.approx(np.ones(count), abs=1e-5)


def test_filters_are_laid_out_for_one_product() -> None:
    """For each input, what it sends to the row after, to its own row, and to the row before."""
    given = tensors()
    network = stack()
    assert [kernel.shape for kernel in network.filters] == [(6, 15), (5, 12), (4, 9)]
    assert (network.inputs, network.classes) == (6, CLASSES)
    for layer, kernel in enumerate(network.filters):
        weight = given[f"net.convolutions.{layer}.weight"]  # (outputs, inputs, width)
        parts = np.split(kernel, 3, axis=1)
        for place, part in enumerate(parts):
            assert np.array_equal(part, weight[:, :, place].T)


def test_three_rows_by_hand() -> None:
    kernel = np.array([[[100, 10, 1]]], np.float32)  # the row before, the row itself, the row after
    made = ConvolutionStack.from_tensors(
        {
            "n.convolutions.0.weight": kernel,
            "n.convolutions.0.bias": np.array([0.5], np.float32),
            "n.top.weight": np.array([[0], [1]], np.float32),
            "n.top.bias": np.zeros(2, np.float32),
        },
        "n",
    )
    found = made.log_probabilities(np.array([[1], [2], [-3]], np.float32))
    # 10 + 2 = 12; 100 + 20 - 3 = 117; 200 - 30 = 170; each with the bias.
    assert found[:, 1] - found[:, 0] == pytest.approx([12.5, 117.5, 170.5])
    below = made.log_probabilities(np.array([[1], [-5]], np.float32))
    assert below[1, 1] - below[1, 0] == 50.5
    assert made.log_probabilities(np.array([[-1]], np.float32))[0].tolist() == pytest.approx([-np.log(2)] * 2)


def test_rows_are_not_changed() -> None:
    values = rows(9)
    before = values.copy()
    stack().log_probabilities(values)
    assert np.array_equal(values, before)


@pytest.mark.parametrize("inputs", [1, 149])
def test_it_is_the_network_that_was_trained(inputs: int) -> None:
    torch = pytest.importorskip("torch", reason="the extra train is not installed")
    from tamis_lab.papers.web2text.training import LAYERS, Network

    torch.manual_seed(4)
    module = Network(inputs, 4).eval()
    weights = {f"pairwise.{name}": value.numpy() for name, value in module.state_dict().items()}
    network = ConvolutionStack.from_tensors(weights, "pairwise")
    assert network.inputs == inputs
    assert len(network.filters) == len(LAYERS)
    values = np.random.default_rng(5).normal(size=(30, inputs)).astype(np.float32)
    inner = torch.ones(30, 1)
    has_before, has_after = inner.clone(), inner.clone()
    has_before[0], has_after[-1] = 0, 0
    with torch.no_grad():
        expected = module(torch.from_numpy(values), has_before, has_after).log_softmax(dim=1).numpy()
    assert np.abs(network.log_probabilities(values) - expected).max() < 1e-5


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 39, 40])
def test_in_pieces_it_is_the_same(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    values = rows(40)
    whole = stack().log_probabilities(values)
    monkeypatch.setattr(network, "_CHUNK", chunk)
    assert np.allclose(stack().log_probabilities(values), whole, atol=1e-6)


def test_a_row_sees_one_step_a_layer_and_no_further() -> None:
    values = rows(15)
    changed = values.copy()
    changed[7] += 3
    seen = (stack().log_probabilities(values) != stack().log_probabilities(changed)).any(axis=1)
    assert not seen[:4].any()
    assert not seen[11:].any()
    assert seen[7]


def test_no_rows_give_no_rows() -> None:
    assert stack().log_probabilities(rows(0)).shape == (0, CLASSES)


def test_logits_of_any_size_give_finite_logarithms() -> None:
    huge = tensors() | {"net.top.bias": np.array([1e30, 0, -1e30, 5], dtype=np.float32)}
    found = ConvolutionStack.from_tensors(huge, "net").log_probabilities(rows(5))
    assert np.isfinite(found).all()
    assert (found[:, 0] == 0).all()


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("convolutions.0.weight", (5, 6, 5)),
        ("convolutions.0.weight", (5, 18)),
        ("convolutions.1.weight", (4, 6, 3)),
        ("convolutions.1.bias", (5,)),
        ("convolutions.1.bias", (1,)),
        ("top.weight", (4, 4)),
        ("top.weight", (3,)),
        ("top.bias", (3,)),
    ],
)
def test_what_does_not_fit_together_is_an_error(name: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"net: .* shape"):
        ConvolutionStack.from_tensors(tensors() | {f"net.{name}": np.zeros(shape, np.float32)}, "net")


@pytest.mark.parametrize("name", ["convolutions.0.weight", "convolutions.1.bias", "top.weight", "top.bias"])
def test_what_is_missing_is_an_error(name: str) -> None:
    left = {key: value for key, value in tensors().items() if key != f"net.{name}"}
    with pytest.raises(KeyError):
        ConvolutionStack.from_tensors(left, "net")


def test_a_missing_layer_in_between_is_an_error() -> None:
    left = {key: value for key, value in tensors().items() if not key.startswith("net.convolutions.1.")}
    with pytest.raises(ValueError, match="top layer"):
        ConvolutionStack.from_tensors(left, "net")
