"""The shipped ONNX files compute in floats, so that every processor gives the same labels.

The 8-bit kernels of ONNX Runtime add pairs of products in 16 bits on x86 processors without VNNI. Weights
of 8 bits saturate these sums, and the same file then gives other scores than elsewhere. This can't be
seen on a processor that has VNNI, so the graphs themselves are checked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tamis_papers

onnx = pytest.importorskip("onnx", reason="the extra train is not installed")

FOLDER = Path(tamis_papers.__path__[0])
FILES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.glob("**/*.onnx"))

EIGHT_BITS = {onnx.TensorProto.INT8, onnx.TensorProto.UINT8}


def integer_arithmetic(model: Any) -> list[str]:
    """What computes, or could compute, in 8-bit integers."""
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


@pytest.mark.parametrize("kind", ["MatMulInteger", "DynamicQuantizeLSTM"])
def test_integer_arithmetic_is_found(kind: str) -> None:
    make = onnx.helper
    matrix = make.make_tensor("matrix", onnx.TensorProto.INT8, (2, 2), b"\1\2\3\4", raw=True)
    rows = make.make_tensor_value_info("rows", onnx.TensorProto.FLOAT, ("rows", 2))
    if kind == "MatMulInteger":
        small = make.make_node("DynamicQuantizeLinear", ["rows"], ["small", "scale", "zero"])
        nodes = [small, make.make_node(kind, ["small", "matrix", "zero"], ["out"])]
        out = make.make_tensor_value_info("out", onnx.TensorProto.INT32, ("rows", 2))
    else:
        nodes = [make.make_node(kind, ["rows", "matrix"], ["out"], domain="com.microsoft")]
        out = make.make_tensor_value_info("out", onnx.TensorProto.FLOAT, ("rows", 2))
    opsets = [make.make_opsetid("", 17), make.make_opsetid("com.microsoft", 1)]
    graph = make.make_graph(nodes, "integers", [rows], [out], [matrix])
    found = integer_arithmetic(make.make_model(graph, opset_imports=opsets))
    assert "matrix has 8 bits" in found
    assert ("small has 8 bits" if kind == "MatMulInteger" else f"{kind} is no standard operator") in found
