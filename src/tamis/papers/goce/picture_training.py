"""GOCE's genre classifier (§3.2): pictures of pages, and a network that is fine-tuned on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tamis.arrays import Floats
from tamis.errors import InputError, MissingExtra
from tamis.lab.training.loop import Schedule
from tamis.lab.training.pages import LabelledPage
from tamis.page_type import Genre, PageType
from tamis.papers.goce.genres import GENRES
from tamis.papers.goce.picture_classifier import HEIGHT, MODEL, WIDTH, Pixels, shrink
from tamis.papers.goce.picture_module import PictureNet, export, pretrained

if TYPE_CHECKING:
    from tamis.lab.browser import Browser

# Where pictures are kept between runs: drawing 1,200 pages takes ten minutes.
FOLDER = Path("build/pictures")

# Measured on WCXB dev with folds by site: README.md.
SCHEDULE = Schedule(epochs=18, batch_pages=32, learning_rate=2e-4, patience=18, averaging=0.98)

_HEAD_PACE, _HEAD_SHARE = 25.0, 0.25

_TOGETHER = 64  # pictures that are judged at once
_SHIFT = 24  # pixels that a picture is moved by at most, while learning


@dataclass(frozen=True, eq=False)
class Example:
    """A page's picture and genre."""

    name: str
    pixels: Pixels
    is_article: bool


def with_genre(pages: Iterable[LabelledPage]) -> list[LabelledPage]:
    """The pages that are of one of the two genres."""
    return [page for page in pages if page.page_type and PageType(page.page_type) in GENRES]


def examples(pages: Iterable[LabelledPage], folder: Path = FOLDER) -> list[Example]:
    """The pictures of pages, drawn by a browser where `folder` does not have them yet.

    A page that can't be drawn is left out. Raises MissingExtra or BrowserMissing.
    """
    with _Drawing(folder) as drawing:
        found = [(page, drawing.picture(page)) for page in with_genre(pages)]
    return [
        Example(page.name, pixels, GENRES[PageType(page.page_type or "")] is Genre.ARTICLE)
        for page, pixels in found
        if pixels is not None
    ]


class _Drawing:
    """Pictures from a folder, or from a browser that is started when one is missing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._browser: Browser | None = None
        try:
            self._images = import_module("PIL.Image")
        except ImportError as error:
            raise MissingExtra("pictures of pages", "render") from error

    def __enter__(self) -> _Drawing:
        return self

    def __exit__(self, *_: object) -> None:
        if self._browser:
            self._browser.close()

    def picture(self, page: LabelledPage) -> Pixels | None:
        """The picture of a page, or None where the browser can't draw it."""
        path = self._folder / f"{sha256(page.html).hexdigest()[:24]}.webp"
        if not path.exists():
            try:
                pixels = shrink(self._open_browser().screenshot(page.html, url=page.url))
            except InputError:
                return None
            path.parent.mkdir(parents=True, exist_ok=True)
            self._images.fromarray(pixels).save(path, quality=90)
        with self._images.open(path) as image:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)

    def _open_browser(self) -> Browser:
        if self._browser is None:
            from tamis.lab.browser import Browser

            self._browser = Browser()
        return self._browser


class PictureTask:
    """Training and validation pictures, and the network."""

    def __init__(
        self, training: Sequence[Example], validation: Sequence[Example], *, size: str, device: str = "cpu"
    ) -> None:
        whole = pretrained(size).to(device)
        self.module: PictureNet = whole.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._device = device
        # All at once: moving them to the device batch by batch would take longer than learning does.
        self._pixels, self._truth = self._tensors(training)
        self._validation = list(validation)

    @property
    def stages(self) -> tuple[Stage, Stage]:
        """The last layer first, as in the paper; then all layers, which it does not do."""
        return Stage(self, whole=False), Stage(self, whole=True)

    @property
    def sizes(self) -> list[int]:
        """All pictures are alike."""
        return [1] * len(self._pixels)

    def loss(self, pages: Sequence[int]) -> Tensor:
        """Cross entropy of the genre, over pictures that are moved and mirrored at random."""
        chosen = list(pages)
        logits = self._logits(_moved(self._pixels[chosen]))
        return functional.binary_cross_entropy_with_logits(logits, self._truth[chosen])

    def validate(self) -> float:
        """The geometric mean of the probability of the true genre: steadier than how often it is the likelier."""
        found = self.probabilities(self._validation)
        truth = np.array([example.is_article for example in self._validation])
        given = np.where(truth, found, 1 - found)
        return float(np.exp(np.log(np.maximum(given, 1e-6)).mean()))

    def probabilities(self, pictures: Sequence[Example]) -> Floats:
        """For each picture the probability of being an article."""
        self.module.eval()
        parts = [np.zeros(0)]
        with torch.no_grad():
            for start in range(0, len(pictures), _TOGETHER):
                pixels, _ = self._tensors(pictures[start : start + _TOGETHER])
                parts.append(torch.sigmoid(self._logits(pixels)).double().cpu().numpy())
        return np.concatenate(parts)

    def _logits(self, pixels: Tensor) -> Tensor:
        # Half precision is enough for pictures, and four times as fast where there is hardware for it.
        with torch.autocast("cuda", torch.bfloat16, enabled=self._device.startswith("cuda")):
            logits: Tensor = self.module(pixels.permute(0, 3, 1, 2).float())
        return logits.float()

    def _tensors(self, pictures: Sequence[Example]) -> tuple[Tensor, Tensor]:
        """Pixels (pictures, HEIGHT, WIDTH, 3), and 1 for articles (pictures,)."""
        pixels = np.stack([example.pixels for example in pictures])
        truth = [float(example.is_article) for example in pictures]
        return torch.from_numpy(pixels).to(self._device), torch.tensor(truth, device=self._device)


@dataclass(frozen=True)
class Stage:
    """One of the two passes, as the loop sees it."""

    task: PictureTask
    whole: bool  # learn all layers, or the last one

    @property
    def pace(self) -> float:
        """The last layer starts from nothing; the others must not forget what they know."""
        return 1.0 if self.whole else _HEAD_PACE

    @property
    def module(self) -> PictureNet:
        """The network, with the layers that do not learn frozen."""
        for name, weights in self.task.module.named_parameters():
            weights.requires_grad_(self.whole or name.startswith("top."))
        return self.task.module

    @property
    def share(self) -> float:
        """One layer has soon learned what it can."""
        return 1.0 if self.whole else _HEAD_SHARE

    @property
    def sizes(self) -> list[int]:
        """All pictures are alike."""
        return self.task.sizes

    @property
    def loss(self) -> Callable[[Sequence[int]], Tensor]:
        """The same loss in both."""
        return self.task.loss

    def validate(self) -> float:
        """The same score in both."""
        return self.task.validate()


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
        export(task.module, folder / MODEL)
        return MODEL, {"picture": [HEIGHT, WIDTH], "size": self.size}


# On five folds of WCXB dev lite2 knows 86.1 % of the genres, lite0 83.8 %.
RECIPE = PictureRecipe("lite2")
