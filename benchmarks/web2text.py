"""The time of Web2Text on a page of about 1,000 leaves, step by step, on one core.

    python -m benchmarks.web2text

The networks run in NumPy, as shipped, and in ONNX Runtime, to see which is faster at this size. The best of many
rounds counts.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy starts its threads
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import onnxruntime

from benchmarks.pages import best, wcxb_pages
from tamis.document import Document
from tamis_lab.papers.onnx_graph import Graph
from tamis_papers.web2text.extractor import Web2Text
from tamis_papers.web2text.features import CollapsedTree, Web2TextFeatures
from tamis_papers.web2text.network import ConvolutionStack, viterbi

ROUNDS = 30
LEAVES = 1_000


def as_onnx(stack: ConvolutionStack) -> onnxruntime.InferenceSession:
    """The same network for ONNX Runtime."""
    graph = Graph(half=False)
    values = graph.node("Transpose", "rows", perm=[0, 2, 1])
    for number, (kernel, bias) in enumerate(zip(stack.filters, stack.biases, strict=True)):
        weight = graph.constant(f"w{number}", kernel.reshape(len(kernel), 3, -1).transpose(2, 0, 1))
        values = graph.node("Conv", values, weight, graph.constant(f"b{number}", bias), pads=[1, 1])
        values = graph.node("Relu", values)
    values = graph.node("MatMul", graph.node("Transpose", values, perm=[0, 2, 1]), graph.constant("top", stack.top))
    logits = graph.node("Add", values, graph.constant("top_bias", stack.top_bias))
    graph.node("LogSoftmax", logits, output="out", axis=2)
    shapes = {"rows": (1, "leaves", stack.inputs)}, {"out": (1, "leaves", stack.classes)}
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(graph.serialized("stack", *shapes), options)


def main() -> None:
    """Print the time of each step."""
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
