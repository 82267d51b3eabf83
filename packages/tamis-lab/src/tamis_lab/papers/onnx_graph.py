"""Build an ONNX file node by node: the same bytes on every machine, and no exporter needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

# onnxruntime 1.20 and onnxruntime-web read it; nothing newer is needed.
_OPSET = 17
_IR_VERSION = 8

Shapes = Mapping[str, Sequence[str | int]]  # by name; a dimension without a fixed size has a name


class Graph:
    """Nodes and weights in the order in which they are added; a node's name is its output."""

    def __init__(self, *, half: bool) -> None:
        """With `half`, the file holds weights in half precision; they are widened when it is loaded."""
        self._half = half
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def node(self, kind: str, *inputs: str, output: str = "", domain: str = "", **attributes: Any) -> str:
        """Add a node; without `output`, it gets a name of its own."""
        output = output or f"{kind.lower()}{len(self._nodes)}"
        made = helper.make_node(kind, list(inputs), [output], name=output, domain=domain, **attributes)
        self._nodes.append(made)
        return output

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        """Add an array as it is."""
        self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str, value: NDArray[np.float32]) -> str:
        """Add an array; with `half`, it is stored in half precision."""
        if not self._half:
            return self.constant(name, value)
        self.constant(name, value.astype(np.float16))
        return self.node("Cast", name, output=f"{name}_wide", to=TensorProto.FLOAT)

    def serialized(self, name: str, inputs: Shapes, outputs: Shapes) -> bytes:
        """The file. All inputs and outputs are floats."""
        graph = helper.make_graph(
            self._nodes,
            name,
            [helper.make_tensor_value_info(key, TensorProto.FLOAT, list(shape)) for key, shape in inputs.items()],
            [helper.make_tensor_value_info(key, TensorProto.FLOAT, list(shape)) for key, shape in outputs.items()],
            list(self._constants.values()),
        )
        domains = {"": _OPSET} | {node.domain: 1 for node in self._nodes if node.domain}
        opsets = [helper.make_opsetid(domain, version) for domain, version in domains.items()]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="tamis")
        onnx.checker.check_model(model)
        written: bytes = model.SerializeToString(deterministic=True)
        return written
