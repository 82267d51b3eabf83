"""Weights for tests: as small as can be, and with answers that can be worked out by hand."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from tamis import Document
from tamis.arrays import Singles
from tamis.page_type import PageType
from tamis.weights import write_config
from tamis_papers.goce import classifiers, features

NUMBERS = list(features.page_numbers(Document.from_html("")))
TYPES = list(PageType)

# Names of the markup that speak for a type.
SIGNS = {"class:story": PageType.ARTICLE, "class:card": PageType.LISTING, "class:post": PageType.FORUM}


def html_config(**changes: Any) -> dict[str, Any]:
    return {"numbers": NUMBERS, "names": list(SIGNS), "input": features.VERSION} | changes


def html_tensors(bias: Mapping[PageType, float] | None = None) -> dict[str, Singles]:
    """A network that looks at SIGNS alone; `bias` gives the logits of a page without any."""
    inputs, width = len(NUMBERS) + len(SIGNS), 2
    straight = np.zeros((inputs, len(TYPES)), dtype=np.float32)
    for place, kind in enumerate(SIGNS.values()):
        straight[len(NUMBERS) + place, TYPES.index(kind)] = 2.0
    return {
        "scaling.mean": np.zeros(len(NUMBERS), dtype=np.float32),
        "scaling.deviation": np.ones(len(NUMBERS), dtype=np.float32),
        "hidden": np.zeros((inputs, width), dtype=np.float32),
        "hidden_bias": np.zeros(width, dtype=np.float32),
        "top": np.zeros((width, len(TYPES)), dtype=np.float32),
        "straight": straight,
        "bias": np.array([(bias or {}).get(kind, 0.0) for kind in TYPES], dtype=np.float32),
    }


def write_html(folder: Path, tensors: dict[str, Singles] | None = None, **changes: Any) -> Path:
    """A folder of weights of the network over HTML."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(html_tensors() if tensors is None else tensors, folder / classifiers.HTML_MODEL)
    write_config(folder, html_config(**changes), classifiers.HTML_MODEL)
    return folder


def write_pictures(folder: Path, **changes: Any) -> Path:
    """A folder of weights for pictures: a bright page is an article, a dark one a list."""
    from tamis_lab.papers.onnx_graph import Graph

    folder.mkdir(parents=True, exist_ok=True)
    graph = Graph(half=False)
    mean = graph.node("ReduceMean", "picture", axes=[1, 2, 3], keepdims=0)
    centred = graph.node("Sub", mean, graph.constant("middle", np.array(127.5, np.float32)))
    scaled = graph.node("Div", centred, graph.constant("scale", np.array(50.0, np.float32)))
    graph.node("Sigmoid", scaled, output="article")
    shapes = {"picture": ("pictures", 3, classifiers.HEIGHT, classifiers.WIDTH)}
    (folder / classifiers.PICTURE_MODEL).write_bytes(graph.serialized("tiny", shapes, {"article": ("pictures",)}))
    write_config(folder, {"picture": [classifiers.HEIGHT, classifiers.WIDTH]} | changes, classifiers.PICTURE_MODEL)
    return folder


def plain_picture(colour: str, size: tuple[int, int] = (64, 192), kind: str = "PNG") -> bytes:
    """A picture of one colour, as a browser would give it."""
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, kind)
    return file.getvalue()
