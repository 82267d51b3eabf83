"""Load ONNX files into ONNX Runtime."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from tamis import weights
from tamis.errors import MissingExtra, WeightsError


def session_of(where: Path, file: str, *, purpose: str, takes: str) -> Any:
    """The session of the network in a folder of weights; `takes` is the name of its one input.

    Raises WeightsError, or MissingExtra (which names `purpose`) without ONNX Runtime.
    """
    try:
        runtime = import_module("onnxruntime")
    except ImportError as error:
        raise MissingExtra(purpose, "neural", "tamis-papers") from error
    model = weights.read_weights(where, file)
    options = runtime.SessionOptions()
    # One core a page: many pages at once are run by many processes or threads.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # A memory plan is kept for each length of page, and nearly every page has another length.
    options.enable_mem_pattern = False
    try:
        session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        (taken,) = session.get_inputs()
    except Exception as error:  # its exceptions have no narrower base class
        raise WeightsError(f"the network of {where} cannot be loaded: {error}".splitlines()[0]) from error
    if taken.name != takes:
        raise WeightsError(f"the network of {where} takes {taken.name} and not {takes}")
    return session
