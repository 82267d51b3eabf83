"""What Web2Text costs on a page of about 1,000 leaves, part by part, on one core.

    python -m benchmarks.web2text

The networks run twice, in NumPy as shipped and in ONNX Runtime, to see which is faster at this
size. The best of many rounds counts.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy wakes its threads up
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from benchmarks.pages import best, wcxb_pages
from tamis.document import Document
from tamis.papers.web2text.collapsed import CollapsedTree
from tamis.papers.web2text.convolution import ConvolutionStack
from tamis.papers.web2text.extractor import Web2Text
from tamis.papers.web2text.features import Web2TextFeatures
from tamis.papers.web2text.viterbi import viterbi

ROUNDS = 30
LEAVES = 1_000


def as_onnx(stack: ConvolutionStack) -> onnxruntime.InferenceSession:
    """The same network for ONNX Runtime."""
    nodes, constants, last = [], [], "rows"
    nodes.append(helper.make_node("Transpose", [last], ["turned"], perm=[0, 2, 1]))
    last = "turned"
    for number, (kernel, bias) in enumerate(zip(stack.filters, stack.biases, strict=True)):
        weight = np.ascontiguousarray(kernel.reshape(len(kernel), 3, -1).transpose(2, 0, 1))
        constants += [numpy_helper.from_array(weight, f"w{number}"), numpy_helper.from_array(bias, f"b{number}")]
        nodes.append(helper.make_node("Conv", [last, f"w{number}", f"b{number}"], [f"c{number}"], pads=[1, 1]))
        nodes.append(helper.make_node("Relu", [f"c{number}"], [f"r{number}"]))
        last = f"r{number}"
    constants += [numpy_helper.from_array(stack.top, "top"), numpy_helper.from_array(stack.top_bias, "top_bias")]
    nodes += [
        helper.make_node("Transpose", [last], ["back"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["back", "top"], ["product"]),
        helper.make_node("Add", ["product", "top_bias"], ["logits"]),
        helper.make_node("LogSoftmax", ["logits"], ["out"], axis=2),
    ]
    taken = helper.make_tensor_value_info("rows", TensorProto.FLOAT, [1, "leaves", stack.inputs])
    given = helper.make_tensor_value_info("out", TensorProto.FLOAT, [1, "leaves", stack.top.shape[1]])
    graph = helper.make_graph(nodes, "stack", [taken], [given], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options)


def main() -> None:
    """Print the parts."""
    documents = [Document.from_html(page) for page in wcxb_pages(200)]
    document = min(documents, key=lambda page: abs(len(page.leaves.visible_text) - LEAVES))
    extractor = Web2Text()
    networks = extractor.networks
    columns = Web2TextFeatures(CollapsedTree.of(document)).all
    rows = networks.scaling.apply(columns.values)
    unary, pairwise = (stack.log_probabilities(rows) for stack in (networks.unary, networks.pairwise))
    runtime = [as_onnx(stack) for stack in (networks.unary, networks.pairwise)]
    (by_runtime,) = runtime[0].run(None, {"rows": rows[np.newaxis]})
    parts = {
        "features": lambda: Web2TextFeatures(CollapsedTree.of(document)).all,
        "scaling": lambda: networks.scaling.apply(columns.values),
        "networks, NumPy": lambda: [s.log_probabilities(rows) for s in (networks.unary, networks.pairwise)],
        "networks, ONNX Runtime": lambda: [s.run(None, {"rows": rows[np.newaxis]}) for s in runtime],
        "Viterbi": lambda: viterbi(unary, pairwise[1:]),
        "all of it": lambda: extractor.label(document),
    }
    print(f"a page of WCXB dev with {len(rows)} leaves and {len(document.elements)} elements, on one core")
    print(f"NumPy and ONNX Runtime differ by {np.abs(by_runtime[0] - unary).max():.1e} at most")
    for name, run in parts.items():
        print(f"{name:24s} {best(run, ROUNDS):7.2f} ms")


if __name__ == "__main__":
    main()
