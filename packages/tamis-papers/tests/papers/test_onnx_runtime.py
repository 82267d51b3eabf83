from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis.errors import MissingExtra, WeightsError
from tamis.weights import write_config
from tamis_papers.onnx_runtime import session_of

pytest.importorskip("onnxruntime", reason="the extra neural is not installed")
pytest.importorskip("onnx", reason="the extra train is not installed")

from tamis_lab.papers.onnx_graph import Graph

MODEL = "model.onnx"


def written(folder: Path, *inputs: str) -> Path:
    """A network that adds up its inputs."""
    graph = Graph(half=False)
    graph.node("Sum", *inputs, output="out")
    shapes = dict.fromkeys(inputs, ("rows",))
    (folder / MODEL).write_bytes(graph.serialized("sum", shapes, {"out": ("rows",)}))
    write_config(folder, {}, MODEL)
    return folder


def session(folder: Path) -> Any:
    return session_of(folder, MODEL, purpose="adding", takes="rows")


@pytest.mark.parametrize("rows", [0, 1, 1_000])
def test_a_network_is_ready_to_run(rows: int, tmp_path: Path) -> None:
    values = np.arange(rows, dtype=np.float32)
    (found,) = session(written(tmp_path, "rows")).run(["out"], {"rows": values})
    assert np.array_equal(found, values)


def test_without_the_runtime_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"adding needs an extra: pip install 'tamis-papers\[neural\]'"):
        session(tmp_path)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="nowhere"):
        session(tmp_path / "nowhere")


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda _: b"", lambda _: b"\xff" * 99])
def test_a_damaged_file(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    model = written(tmp_path, "rows") / MODEL
    model.write_bytes(damage(model.read_bytes()))
    with pytest.raises(WeightsError, match="digest"):
        session(tmp_path)
    write_config(tmp_path, {}, MODEL)
    with pytest.raises(WeightsError, match=f"the network of {tmp_path} cannot be loaded: ") as caught:
        session(tmp_path)
    assert "\n" not in str(caught.value)


def test_an_input_of_another_name(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"takes columns and not rows$"):
        session(written(tmp_path, "columns"))


def test_more_inputs_than_one(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="cannot be loaded"):
        session(written(tmp_path, "rows", "columns"))
