from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the extra train is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="the extra neural is not installed")

from tamis_lab.papers.onnx_graph import Graph

WEIGHTS = np.array([[0.1, -2.0], [1 / 3, 5e-4]], dtype=np.float32)


def product(*, half: bool) -> bytes:
    """Rows times WEIGHTS, plus 1."""
    graph = Graph(half=half)
    multiplied = graph.node("MatMul", "rows", graph.weight("weights", WEIGHTS))
    graph.node("Add", multiplied, graph.constant("one", np.array(1, np.float32)), output="out")
    return graph.serialized("product", {"rows": ("rows", 2)}, {"out": ("rows", 2)})


def run(model: bytes, rows: Any) -> Any:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return session.run(["out"], {"rows": np.array(rows, dtype=np.float32)})[0]


def test_half_precision_is_for_weights_alone() -> None:
    rows = [[1, 0], [0, 1]]
    rounded = WEIGHTS.astype(np.float16).astype(np.float32)
    assert np.array_equal(run(product(half=True), rows), rounded + 1)
    types = {tensor.name: tensor.data_type for tensor in onnx.load_from_string(product(half=True)).graph.initializer}
    assert types == {"weights": onnx.TensorProto.FLOAT16, "one": onnx.TensorProto.FLOAT}


def test_a_constant_that_is_given_twice_is_stored_once() -> None:
    graph = Graph(half=False)
    one = [graph.constant("one", np.array(1, np.float32)) for _ in range(2)]
    graph.node("Sum", "rows", *one, output="out")
    model = graph.serialized("sum", {"rows": ("rows", 2)}, {"out": ("rows", 2)})
    assert len(onnx.load_from_string(model).graph.initializer) == 1
    assert run(model, [[1, 2]]).tolist() == [[3, 4]]


def test_a_node_of_another_domain_brings_it_along() -> None:
    graph = Graph(half=False)
    graph.node("FusedMatMul", "rows", graph.constant("weights", WEIGHTS), output="out", domain="com.microsoft")
    model = graph.serialized("fused", {"rows": ("rows", 2)}, {"out": ("rows", 2)})
    assert {opset.domain for opset in onnx.load_from_string(model).opset_import} == {"", "com.microsoft"}
    assert np.allclose(run(model, [[1, 0]]), WEIGHTS[:1])


def test_a_graph_that_can_not_be_is_an_error() -> None:
    graph = Graph(half=False)
    graph.node("Relu", "nobody", output="out")
    with pytest.raises(onnx.checker.ValidationError):
        graph.serialized("broken", {"rows": ("rows", 2)}, {"out": ("rows", 2)})
