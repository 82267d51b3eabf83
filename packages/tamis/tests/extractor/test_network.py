from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tamis.arrays import Bytes, Floats, Singles
from tamis.extractor.network import RunNetwork, Scaling

COLUMNS, TAG_COLUMNS, OUTPUTS, KINDS, WIDTH, LAYERS, EMBEDDING = 5, 3, 2, 7, 8, 4, 6
REACH = 2 ** (LAYERS - 1)  # of the last layer
# What PyTorch's network does not know: what is done to columns before it and to the first output behind it.


def tensors(
    seed: int = 0, *, columns: int = COLUMNS, tag_columns: int = TAG_COLUMNS, outputs: int = OUTPUTS
) -> dict[str, NDArray[Any]]:
    """Random weights in PyTorch's names and layout; those that training starts at 0 are not 0 here."""
    random = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "tags.weight": (256, EMBEDDING),
        "first.weight": (WIDTH, columns + tag_columns * EMBEDDING),
        "first.bias": (WIDTH,),
        "second.weight": (WIDTH, WIDTH),
        "second.bias": (WIDTH,),
        "norm.weight": (WIDTH,),
        "norm.bias": (WIDTH,),
        "top.weight": (outputs, WIDTH),
        "top.bias": (outputs,),
        "types.weight": (KINDS, 2 * WIDTH),
        "types.bias": (KINDS,),
    }
    for layer in range(LAYERS):
        shapes |= {
            f"layers.{layer}.norm.weight": (WIDTH,),
            f"layers.{layer}.norm.bias": (WIDTH,),
            f"layers.{layer}.film.weight": (2 * WIDTH, 2 * WIDTH),
            f"layers.{layer}.film.bias": (2 * WIDTH,),
            f"layers.{layer}.kernel.weight": (WIDTH, WIDTH, 3),
            f"layers.{layer}.kernel.bias": (WIDTH,),
            f"layers.{layer}.out.weight": (WIDTH, WIDTH),
            f"layers.{layer}.out.bias": (WIDTH,),
        }
    made: dict[str, NDArray[Any]] = {
        name: (0.3 * random.normal(size=shape)).astype(np.float32) for name, shape in shapes.items()
    }
    return made | {
        "scaling.mean": random.normal(size=columns),
        "scaling.deviation": random.uniform(0.5, 2, columns),
        "calibration": np.array([0.7, -0.4], np.float32),
    }


def page(count: int, seed: int = 1) -> tuple[Singles, Bytes]:
    """The columns and the tags of a page of so many rows."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(count, COLUMNS)).astype(np.float32)
    return values, random.integers(0, 256, (count, TAG_COLUMNS)).astype(np.uint8)


def by_torch(given: dict[str, NDArray[Any]], values: Singles, tags: Bytes) -> tuple[Singles, Singles]:
    """The logits and types of a page by the network of training, between scaling and calibration."""
    torch = pytest.importorskip("torch", reason="the extra train is not installed")
    from tamis_lab.training.tamis_module import RunNets

    module = RunNets(1, COLUMNS, TAG_COLUMNS, OUTPUTS, KINDS, 1, width=WIDTH, layers=LAYERS, dropout=0.5).eval()
    module.start_from(given)
    scaled = torch.from_numpy(((values - given["scaling.mean"]) / given["scaling.deviation"]).astype(np.float32))
    codes, there = torch.from_numpy(tags.astype(np.int64)), torch.ones((1, len(values), 1))
    with torch.no_grad():
        logits, kinds = (found[0][0].numpy() for found in module(scaled[None], codes[None], there, torch.zeros(1, 1)))
    slope, offset = given["calibration"]
    logits[:, 0] = slope * logits[:, 0] + offset
    return logits, kinds


# A product of many rows is made in parts; the last two are longer than one part.
@pytest.mark.parametrize("count", [1, 2, 3, 4, REACH - 1, REACH, 9, 2 * REACH + 1, 100, 4_096, 5_001])
def test_it_is_the_network_of_training(count: int) -> None:
    given, (values, tags) = tensors(), page(count)
    logits, kinds = RunNetwork.from_tensors(given).run(values, tags)
    expected_logits, expected_kinds = by_torch(given, values, tags)
    assert logits.shape == (count, OUTPUTS)
    assert kinds.shape == (KINDS,)
    assert logits.dtype == kinds.dtype == np.float32
    assert np.abs(logits - expected_logits).max() < 1e-4
    assert np.abs(kinds - expected_kinds).max() < 1e-4


def by_hand(*vectors: tuple[float, ...], **given: object) -> tuple[list[list[float]], list[float]]:
    """The logits of a network of few parts: vectors go into it as they are, and come out normalised, and summed up."""
    width = len(vectors[0])
    nothing = np.zeros(width)
    identity = np.eye(width)
    parts: dict[str, object] = {
        "scaling.mean": nothing,
        "scaling.deviation": np.ones(width),
        "tags.weight": np.zeros((256, 1)),
        "first.weight": np.concatenate((identity, np.zeros((width, 1))), axis=1),
        "first.bias": np.full(width, 10),  # ReLU is behind it
        "second.weight": identity,
        "second.bias": np.full(width, -10),
        "norm.weight": np.ones(width),
        "norm.bias": nothing,
        "top.weight": identity,
        "top.bias": nothing,
        "types.weight": np.eye(2 * width),
        "types.bias": np.zeros(2 * width),
        "calibration": np.array([1, 0]),
    }
    network = RunNetwork.from_tensors({name: np.array(part, np.float32) for name, part in (parts | given).items()})
    logits, types = network.run(np.array(vectors, np.float32), np.zeros((len(vectors), 1), np.uint8))
    return logits.tolist(), types.tolist()


def test_three_rows_by_hand() -> None:
    """One layer: each row is changed by the row before, the row itself and the row after."""
    layer: dict[str, object] = {
        "norm.weight": [1], "norm.bias": [0], "film.weight": np.zeros((2, 2)),
        "film.bias": [0, 2],  # whatever the rows are, all that is seen of each is a 2
        "kernel.weight": [[[100, 10, 1]]], "kernel.bias": [0.5], "out.weight": [[2]], "out.bias": [-1],
    }  # fmt: skip
    _, (mean, highest) = by_hand((1,), (2,), (3,), **{f"layers.0.{name}": part for name, part in layer.items()})
    # Its own 20, 200 of the one before, 2 of the one after, and 0.5.
    rows = [1 + 2 * 22.5 - 1, 2 + 2 * 222.5 - 1, 3 + 2 * 220.5 - 1]
    assert (mean, highest) == pytest.approx((sum(rows) / 3, rows[1]))


def reached(film: bool) -> list[int]:
    """The rows that hear of a change in row 30 of 60."""
    given = tensors()
    if not film:
        given = {name: value * (".film." not in name) for name, value in given.items()}
    network = RunNetwork.from_tensors(given)
    values, tags = page(60)
    other = values.copy()
    other[30] += 1
    change = np.abs(network.run(values, tags)[0] - network.run(other, tags)[0]).max(axis=1)
    return [int(row) for row in np.flatnonzero(change > 1e-6)]


def test_layers_reach_further_and_further() -> None:
    heard = reached(film=False)
    assert (min(heard), max(heard)) == (30 - 15, 30 + 15)  # 1 + 2 + 4 + 8


def test_the_page_films_every_row() -> None:
    assert len(reached(film=True)) == 60


@pytest.mark.parametrize("calibration", [(1.0, 0.0), (0.5, 0.0), (2.0, -1.5), (1.0, 3.0)])
def test_calibration_moves_the_first_output_alone(calibration: tuple[float, float]) -> None:
    (values, tags), (slope, offset) = page(20), calibration
    plain = RunNetwork.from_tensors(tensors() | {"calibration": np.array([1, 0], np.float32)})
    moved = RunNetwork.from_tensors(tensors() | {"calibration": np.array(calibration, np.float32)})
    (before, kinds), (after, same_kinds) = plain.run(values, tags), moved.run(values, tags)
    assert np.allclose(after[:, 0], slope * before[:, 0] + offset, atol=1e-5)
    assert np.array_equal(after[:, 1:], before[:, 1:])
    assert np.array_equal(same_kinds, kinds)


def test_far_away_columns_are_not_cut_off() -> None:
    """Scaling is a part of the first layer; columns are bounded where they are made."""
    given, (values, tags) = tensors(), page(3)
    values[1] *= 1_000
    logits, _ = RunNetwork.from_tensors(given).run(values, tags)
    expected, _ = by_torch(given, values, tags)
    assert np.allclose(logits, expected, rtol=1e-3, atol=1e-3)
    values[1] *= 10
    assert np.abs(RunNetwork.from_tensors(given).run(values, tags)[0] - logits).max() > 1e-3


@pytest.mark.parametrize("layer", [LAYERS + 1, 16, 99, 1_000])
def test_no_layer_is_far_above_the_others(layer: int) -> None:
    with pytest.raises((KeyError, ValueError)):
        RunNetwork.from_tensors(tensors() | {f"layers.{layer}.out.weight": np.zeros((WIDTH, WIDTH))})


def test_no_layer_is_too_much_in_silence() -> None:
    given = tensors()
    first = {name: part for name, part in given.items() if name.startswith("layers.0.")}
    for layer in range(LAYERS, 17):  # the kernel has room for 16
        given |= {name.replace("layers.0.", f"layers.{layer}."): part for name, part in first.items()}
    with pytest.raises((KeyError, ValueError)):
        RunNetwork.from_tensors(given)


def test_the_widest_network() -> None:
    (logits,), _ = by_hand((*range(256),))
    assert logits == sorted(logits)
    with pytest.raises(ValueError, match=r"first\.bias"):
        by_hand((*range(257),))


ANY_NUMBER = st.floats(allow_nan=True, allow_infinity=True)


def column(*values: float) -> Floats:
    return np.array(values, dtype=np.float64)[:, np.newaxis]


def test_mean_and_deviation_are_those_of_all_rows_of_all_pages() -> None:
    pages = [np.array([[1.0, 10.0], [2.0, 10.0]]), np.zeros((0, 2)), np.array([[6.0, 40.0]])]
    scaling = Scaling.fit(pages)
    rows = np.concatenate(pages)
    assert scaling.mean.tolist() == pytest.approx(rows.mean(axis=0).tolist())
    assert scaling.deviation.tolist() == pytest.approx(rows.std(axis=0).tolist())
    scaled = scaling.apply(rows)
    assert scaled.dtype == np.float32
    assert scaled.mean(axis=0).tolist() == pytest.approx([0, 0], abs=1e-6)
    assert scaled.std(axis=0).tolist() == pytest.approx([1, 1])


@pytest.mark.parametrize("constant", [0.0, 3.0, 0.1, -1e9, 1e9 + 0.1])
def test_a_column_that_never_changed_becomes_0(constant: float) -> None:
    values = column(*[constant] * 777)
    scaling = Scaling.fit([values])
    assert scaling.deviation.tolist() == [1]
    assert np.abs(scaling.apply(values)).max() <= 1e-6


def test_what_is_no_number_counts_as_the_mean_and_infinity_as_far_away() -> None:
    scaling = Scaling.fit([column(4, 6)])
    assert scaling.apply(column(np.nan, np.inf, -np.inf, 6)).ravel().tolist() == [0, 8, -8, 1]


def test_what_is_no_number_does_not_spoil_the_fit() -> None:
    scaling = Scaling.fit([column(2, np.nan, -2), column(np.inf, -np.inf)])
    assert scaling.mean.tolist() == [0]
    assert scaling.deviation.tolist() == pytest.approx([np.sqrt(8 / 5)])


@given(st.lists(ANY_NUMBER, min_size=1, max_size=8), st.floats(-1e100, 1e100), st.floats(1e-6, 1e100))
def test_whatever_comes_in_a_finite_number_goes_out(values: list[float], mean: float, deviation: float) -> None:
    scaling = Scaling(np.array([mean]), np.array([deviation]))
    with np.errstate(over="ignore"):
        scaled = scaling.apply(column(*values))
    assert np.isfinite(scaled).all()
    assert np.abs(scaled).max() <= 8


@pytest.mark.parametrize("pages", [[], [np.zeros((0, 3))]])
def test_without_rows_there_is_nothing_to_fit(pages: list[Floats]) -> None:
    with pytest.raises(ValueError, match="no rows"):
        Scaling.fit(pages)
