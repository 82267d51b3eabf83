from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tamis.arrays import Bytes
from tamis.networks import rows
from tamis.networks.rows import RowNetwork
from tamis.networks.scaling import Scaling, Singles

COLUMNS, TAG_COLUMNS, OUTPUTS, KINDS, WIDTH, LAYERS, EMBEDDING = 5, 3, 2, 4, 8, 4, 6
REACH = 2 ** (LAYERS - 1)  # of the last layer


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
        "kinds.weight": (KINDS, 2 * WIDTH),
        "kinds.bias": (KINDS,),
    }
    for layer in range(LAYERS):
        shapes |= {
            f"layers.{layer}.norm.weight": (WIDTH,),
            f"layers.{layer}.norm.bias": (WIDTH,),
            f"layers.{layer}.steer.weight": (2 * WIDTH, 2 * WIDTH),
            f"layers.{layer}.steer.bias": (2 * WIDTH,),
            f"layers.{layer}.kernel.weight": (WIDTH, WIDTH, 3),
            f"layers.{layer}.kernel.bias": (WIDTH,),
            f"layers.{layer}.out.weight": (WIDTH, WIDTH),
            f"layers.{layer}.out.bias": (WIDTH,),
        }
    made: dict[str, NDArray[Any]] = {
        name: (0.3 * random.normal(size=shape)).astype(np.float32) for name, shape in shapes.items()
    }
    return made | {"scaling.mean": random.normal(size=columns), "scaling.deviation": random.uniform(0.5, 2, columns)}


def page(count: int, seed: int = 1) -> tuple[Singles, Bytes]:
    """The columns and the tags of a page of so many rows."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(count, COLUMNS)).astype(np.float32)
    return values, random.integers(0, 256, (count, TAG_COLUMNS)).astype(np.uint8)


def by_torch(given: dict[str, NDArray[Any]], *pages: tuple[Singles, Bytes]) -> list[tuple[Singles, Singles]]:
    """What the network of training says of pages side by side."""
    torch = pytest.importorskip("torch", reason="the extra train is not installed")
    from tamis.training.tamis_module import RowNet

    module = RowNet(COLUMNS, TAG_COLUMNS, OUTPUTS, KINDS, width=WIDTH, layers=LAYERS, dropout=0.5).eval()
    module.load_state_dict(
        {name: torch.from_numpy(value) for name, value in given.items() if not name.startswith("scaling.")}
    )
    scaling = Scaling(given["scaling.mean"], given["scaling.deviation"])
    longest = max(len(values) for values, _ in pages)
    values = torch.full((len(pages), longest, COLUMNS), 3.0)  # what stands beyond the end of a page is nothing to it
    tags = torch.full((len(pages), longest, TAG_COLUMNS), 7)
    there = torch.zeros((len(pages), longest, 1))
    for number, (own_values, own_tags) in enumerate(pages):
        length = len(own_values)
        values[number, :length] = torch.from_numpy(scaling.apply(own_values))
        tags[number, :length] = torch.from_numpy(own_tags.astype(np.int64))
        there[number, :length] = 1
    with torch.no_grad():
        logits, kinds = module(values, tags, there)
    return [(logits[number, : len(own)].numpy(), kinds[number].numpy()) for number, (own, _) in enumerate(pages)]


@pytest.mark.parametrize("count", [1, 2, 3, 4, REACH - 1, REACH, 9, 2 * REACH + 1, 100])
def test_it_is_the_network_of_training(count: int) -> None:
    given, (values, tags) = tensors(), page(count)
    logits, kinds = RowNetwork.from_tensors(given).run(values, tags)
    [(expected_logits, expected_kinds)] = by_torch(given, (values, tags))
    assert logits.shape == (count, OUTPUTS)
    assert kinds.shape == (KINDS,)
    assert logits.dtype == kinds.dtype == np.float32
    assert np.abs(logits - expected_logits).max() < 1e-4
    assert np.abs(kinds - expected_kinds).max() < 1e-4


def test_pages_of_a_batch_do_not_see_each_other() -> None:
    given = tensors()
    pages = [page(count, seed=count) for count in (1, 12, 3, 40)]
    network = RowNetwork.from_tensors(given)
    for (values, tags), (logits, kinds) in zip(pages, by_torch(given, *pages), strict=True):
        alone, alone_kinds = network.run(values, tags)
        assert np.abs(alone - logits).max() < 1e-4
        assert np.abs(alone_kinds - kinds).max() < 1e-4


def test_three_rows_by_hand() -> None:
    """A kernel of one layer: the row before, the row itself, the row after."""
    width = 1
    layer = rows.Layer(
        scale=np.zeros(width, np.float32),  # whatever the rows are, all that is seen is the shift
        shift=np.ones(width, np.float32),
        steer=np.zeros((2, 2), np.float32),
        steer_bias=np.array([0, 1], np.float32),
        kernel=np.array([[100, 10, 1]], np.float32),
        kernel_bias=np.array([0.5], np.float32),
        out=np.array([[2]], np.float32),
        out_bias=np.array([-1], np.float32),
        reach=1,
    )
    found = layer.run(np.array([[1], [2], [3]], np.float32), np.zeros(2, np.float32))
    # Each row is seen as 2: its own 20, 200 of the one before, 2 of the one after, and 0.5.
    assert found.ravel().tolist() == [1 + 2 * 22.5 - 1, 2 + 2 * 222.5 - 1, 3 + 2 * 220.5 - 1]


def reached(steer: bool) -> list[int]:
    """The rows that hear of a change in row 30 of 60."""
    given = tensors()
    if not steer:
        given = {name: value * (".steer." not in name) for name, value in given.items()}
    network = RowNetwork.from_tensors(given)
    values, tags = page(60)
    other = values.copy()
    other[30] += 1
    change = np.abs(network.run(values, tags)[0] - network.run(other, tags)[0]).max(axis=1)
    return [int(row) for row in np.flatnonzero(change > 1e-6)]


def test_layers_reach_further_and_further() -> None:
    heard = reached(steer=False)
    assert (min(heard), max(heard)) == (30 - 15, 30 + 15)  # 1 + 2 + 4 + 8


def test_the_page_steers_every_row() -> None:
    assert len(reached(steer=True)) == 60


def test_nothing_that_is_given_is_changed() -> None:
    given, (values, tags) = tensors(), page(20)
    copies = {name: value.copy() for name, value in given.items()}
    kept = values.copy(), tags.copy()
    network = RowNetwork.from_tensors(given)
    first, again = network.run(values, tags), network.run(values, tags)
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))
    assert all(np.array_equal(copies[name], value) for name, value in given.items())
    assert np.array_equal(kept[0], values)
    assert np.array_equal(kept[1], tags)


def test_values_out_of_all_bounds_are_no_matter() -> None:
    values, tags = page(3)
    values[0] = 1e30
    values[1] = np.nan
    logits, kinds = RowNetwork.from_tensors(tensors()).run(values, tags)
    assert np.isfinite(logits).all()
    assert np.isfinite(kinds).all()


def test_normal_rows() -> None:
    found = rows.normal(np.array([[1, 2, 3], [5, 5, 5]], np.float32))
    assert found.ravel().tolist() == pytest.approx([-(1.5**0.5), 0, 1.5**0.5, 0, 0, 0], abs=1e-4)


def test_a_page_is_summed_up_by_mean_and_maximum() -> None:
    assert rows.summed_up(np.array([[1, -2], [3, -4]], np.float32)).tolist() == [2, -3, 3, -2]


OPENS_A_LAYER = {f"layers.{layer}.out.weight" for layer in range(LAYERS)}


@pytest.mark.parametrize("name", sorted(set(tensors()) - OPENS_A_LAYER))
def test_a_missing_tensor_is_an_error(name: str) -> None:
    given = tensors()
    del given[name]
    with pytest.raises(KeyError, match=name):
        RowNetwork.from_tensors(given)


@pytest.mark.parametrize("name", sorted(OPENS_A_LAYER))
def test_a_layer_is_not_left_out_in_silence(name: str) -> None:
    given = tensors()
    del given[name]
    with pytest.raises((KeyError, ValueError)):
        RowNetwork.from_tensors(given)


@pytest.mark.parametrize(
    ("name", "shape"),
    [("scaling.mean", (COLUMNS - 1,)), ("scaling.mean", (COLUMNS + 1,)), ("layers.1.kernel.weight", (WIDTH, WIDTH))],
)
def test_a_tensor_of_another_shape_is_an_error(name: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        RowNetwork.from_tensors(tensors() | {name: np.zeros(shape, np.float32)})


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("scaling.deviation", (COLUMNS + 1,)),
        ("tags.weight", (256 * EMBEDDING,)),
        ("tags.weight", (100, EMBEDDING)),
        ("first.bias", (WIDTH + 1,)),
        ("second.weight", (WIDTH, WIDTH + 1)),
        ("layers.0.norm.weight", (WIDTH - 1,)),
        ("layers.2.steer.weight", (2 * WIDTH, WIDTH)),
        ("layers.1.kernel.weight", (WIDTH, WIDTH, 5)),
        ("layers.3.out.bias", (WIDTH + 1,)),
        ("top.weight", (OUTPUTS, WIDTH + 1)),
        ("kinds.weight", (KINDS, WIDTH)),
    ],
)
def test_every_shape_has_to_fit(name: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        RowNetwork.from_tensors(tensors() | {name: np.zeros(shape, np.float32)})
