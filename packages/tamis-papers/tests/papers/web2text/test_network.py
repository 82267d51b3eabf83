"""The networks of Web2Text in NumPy, and the most likely labelling of a sequence."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.arrays import Singles
from tamis_papers.web2text import network
from tamis_papers.web2text.network import ConvolutionStack, viterbi

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


@pytest.mark.parametrize("inputs", [1, 149])
def test_it_is_the_network_that_was_trained(inputs: int) -> None:
    torch = pytest.importorskip("torch", reason="the extra train is not installed")
    from tamis_lab.papers.web2text.training import LAYERS, ConvolutionNetwork

    torch.manual_seed(4)
    module = ConvolutionNetwork(inputs, 4).eval()
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


def total(unary: Singles, pairwise: Singles, labels: tuple[int, ...]) -> float:
    """The logarithm of the product in §3.5."""
    blocks = sum(float(unary[place, label]) for place, label in enumerate(labels))
    return blocks + sum(
        float(pairwise[place, 2 * labels[place] + labels[place + 1]]) for place in range(len(labels) - 1)
    )


def check(unary: Singles, pairwise: Singles) -> None:
    """Compare with all labellings there are."""
    decoded = viterbi(unary, pairwise)
    totals = {labels: total(unary, pairwise, labels) for labels in product((0, 1), repeat=len(unary))}
    best = max(totals.values())
    close = 1e-9 * max(1.0, max(map(abs, totals.values())))
    assert totals[tuple(decoded.labels.astype(int).tolist())] == pytest.approx(best, abs=close)
    for place, (label, margin) in enumerate(zip(decoded.labels, decoded.margins, strict=True)):
        with_it = max(value for labels, value in totals.items() if labels[place])
        without = max(value for labels, value in totals.items() if not labels[place])
        assert margin == pytest.approx(with_it - without, abs=close)
        if abs(margin) > close:
            assert label == (margin > 0)


def potentials(value: st.SearchStrategy[float]) -> st.SearchStrategy[tuple[Singles, Singles]]:
    def rows(size: int, count: int) -> st.SearchStrategy[Singles]:
        row = st.lists(value, min_size=size, max_size=size)
        return st.lists(row, min_size=count, max_size=count).map(
            lambda found: np.array(found, dtype=np.float32).reshape(count, size)
        )

    return st.integers(1, 6).flatmap(lambda blocks: st.tuples(rows(2, blocks), rows(4, blocks - 1)))


@given(potentials(st.floats(-60, 0, width=32)))
def test_no_labelling_is_better(given_potentials: tuple[Singles, Singles]) -> None:
    check(*given_potentials)


def test_by_hand() -> None:
    # Alone, the middle block would be boilerplate; its neighbours pull it over.
    unary = np.log(np.array([[0.1, 0.9], [0.6, 0.4], [0.1, 0.9]], dtype=np.float32))
    pairwise = np.log(np.array([[0.3, 0.1, 0.1, 0.5]] * 2, dtype=np.float32))
    decoded = viterbi(unary, pairwise)
    assert decoded.labels.tolist() == [True, True, True]
    assert decoded.margins[1] == pytest.approx(np.log(0.4 * 0.5 * 0.5 / (0.6 * 0.1 * 0.1)), abs=1e-5)


@pytest.mark.parametrize("steps", [0, 1, 3, 4])
def test_the_number_of_steps_has_to_fit(steps: int) -> None:
    with pytest.raises(ValueError, match=f"3 blocks have 2 steps, not {steps}"):
        viterbi(np.zeros((3, 2), np.float32), np.zeros((steps, 4), np.float32))
