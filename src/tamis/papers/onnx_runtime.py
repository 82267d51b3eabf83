"""ONNX files, made ready to run."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from tamis import weights
from tamis.errors import MissingExtra
from tamis.weights import WeightsError


def session_of(where: Path, file: str, *, purpose: str, takes: str) -> Any:
    """The network in a folder of weights.

    `takes` is the name of its one input. Raises WeightsError, or MissingExtra without ONNX Runtime.
    """
    try:
        runtime = import_module("onnxruntime")
    except ImportError as error:
        raise MissingExtra(purpose, "neural") from error
    model = weights.read_weights(where, file)
    options = runtime.SessionOptions()
    # Many pages at once are many processes or threads; one page on one core is predictable.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Plans of memory are kept for each length of page, and no two pages have the same length.
    options.enable_mem_pattern = False
    try:
        session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        (taken,) = session.get_inputs()
    except Exception as error:  # what it raises is its own and derives from nothing narrower
        raise WeightsError(f"the network of {where} cannot be loaded: {error}".splitlines()[0]) from error
    if taken.name != takes:
        raise WeightsError(f"the network of {where} takes {taken.name} and not {takes}")
    return session
