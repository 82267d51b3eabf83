from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis_papers
from tamis.errors import MissingExtra, WeightsError
from tamis.weights import write_config
from tamis_papers.onnx_runtime import session_of

pytest.importorskip("onnxruntime", reason="the extra neural is not installed")
onnx = pytest.importorskip("onnx", reason="the extra train is not installed")

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


FOLDER = Path(tamis_papers.__path__[0])
FILES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.glob("**/*.onnx"))

EIGHT_BITS = {onnx.TensorProto.INT8, onnx.TensorProto.UINT8}


def integer_arithmetic(model: Any) -> list[str]:
    """What computes, or could compute, in 8-bit integers.

    On x86 processors without VNNI the 8-bit kernels of ONNX Runtime add pairs of products in 16 bits, which weights of
    8 bits saturate: the same file would score otherwise there. A processor that has VNNI does not show it.
    """
    typed = onnx.shape_inference.infer_shapes(model, strict_mode=True).graph
    values = {
        value.name: value.type.tensor_type.elem_type for value in (*typed.input, *typed.value_info, *typed.output)
    }
    values |= {tensor.name: tensor.data_type for tensor in typed.initializer}
    outputs = [name for node in typed.node for name in node.output if name]
    found = [f"{name} is of an unknown type" for name in outputs if not values.get(name)]
    found += [f"{name} has 8 bits" for name, kind in values.items() if kind in EIGHT_BITS]
    # Operators of other domains than the standard's may hide integers inside.
    found += [f"{node.op_type} is no standard operator" for node in typed.node if node.domain not in ("", "ai.onnx")]
    return found


@pytest.mark.parametrize("file", FILES)
def test_no_shipped_network_computes_in_integers(file: str) -> None:
    assert integer_arithmetic(onnx.load(FOLDER / file)) == []


@pytest.mark.parametrize("file", FILES)
def test_shipped_networks_stay_small(file: str) -> None:
    assert (FOLDER / file).stat().st_size < 12_000_000
