from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load as read_tensors
from safetensors.numpy import save as write_tensors

from tamis import Document
from tamis.arrays import Singles
from tamis.errors import WeightsError
from tamis.weights import read_config, write_config
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.training.pages import LabelledPage, label
from tamis_papers.web2text.extractor import MODEL, Web2Text, feature_names
from tamis_papers.web2text.network import viterbi
from tests.golden import golden_pages

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from tamis_lab.papers.web2text.training import RECIPE, Web2TextTask, prepare
from tamis_lab.training.loop import fit, seed_everything

PAGES = {page.name: page for page in golden_pages()}
TEXT = "Some words of the content, which is longer than a menu. "


def little_page(number: int) -> LabelledPage:
    html = f"<ul><li><a href=x>Item</a><li><a href=y>Other</a></ul><p>{TEXT * (number + 1)}</p><p>{TEXT}</p>"
    return label(CorpusPage("c", str(number), html.encode(), "all", gold_text=TEXT * (number + 2)))


@pytest.fixture(scope="module")
def task() -> Iterator[Web2TextTask]:
    """A network that has seen three little pages for two epochs."""
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    seed_everything(1)
    made = RECIPE.task([little_page(number) for number in range(3)], [little_page(3)], "cpu")
    for stage in made.stages:
        fit(stage, replace(RECIPE.schedule, epochs=2))
    yield made
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(strict)


@pytest.fixture(scope="module")
def folder(task: Web2TextTask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("web2text")
    file, config = RECIPE.save(task, where)
    assert file == MODEL
    write_config(where, config, file)
    return where


Change = Callable[[dict[str, Singles]], dict[str, Singles]]


def changed(folder: Path, to: Path, change: Change) -> Path:
    """The same weights with other tensors; the digest fits."""
    tensors = change(read_tensors((folder / MODEL).read_bytes()))
    (to / MODEL).write_bytes(write_tensors({name: np.ascontiguousarray(value) for name, value in tensors.items()}))
    write_config(to, read_config(folder), MODEL)
    return to


def constant(unary: list[float], pairwise: list[float]) -> Change:
    """Networks that say the same of every block and of every step."""

    def change(tensors: dict[str, Singles]) -> dict[str, Singles]:
        zeros = {name: np.zeros_like(value) for name, value in tensors.items() if not name.startswith("scaling.")}
        tops = {"unary.top.bias": np.array(unary, np.float32), "pairwise.top.bias": np.array(pairwise, np.float32)}
        return tensors | zeros | tops

    return change


def refused(where: Path, message: str) -> None:
    with pytest.raises(WeightsError, match=message) as caught:
        Web2Text(where).label(Document.from_html("<p>text"))
    assert "\n" not in str(caught.value)


class TestLabels:
    @pytest.mark.parametrize("name", ["forum-thread", "article-news", "chinese"])
    def test_it_says_what_training_said(self, folder: Path, task: Web2TextTask, name: str) -> None:
        page = PAGES[name]
        document = page.document()
        example = prepare(label(CorpusPage("c", name, page.source, "all", gold_text="")))
        blocks, steps = task.potentials(example)
        texts = document.leaves.visible_text
        margins = viterbi(blocks, steps).margins
        assert np.allclose(Web2Text(folder).label(document).scores[texts], 1 / (1 + np.exp(-margins)), atol=1e-4)
        alone = np.exp(blocks[:, 1])
        assert np.allclose(Web2Text(folder, unary_only=True).label(document).scores[texts], alone, atol=1e-4)


class TestUnaryOnly:
    HTML = "<p>one</p><p>two</p><p>three</p><p>four</p>"

    def keep(self, where: Path, *, unary_only: bool) -> list[bool]:
        labels = Web2Text(where, unary_only=unary_only).label(Document.from_html(self.HTML))
        return [bool(keep) for keep in labels.keep]

    def test_steps_decide_where_blocks_are_unsure(self, folder: Path, tmp_path: Path) -> None:
        # Each block is content by a little, each step from boilerplate to boilerplate is likely by far.
        where = changed(folder, tmp_path, constant([0.0, 0.1], [5.0, 0.0, 0.0, 0.0]))
        assert self.keep(where, unary_only=True) == [True] * 4
        assert self.keep(where, unary_only=False) == [False] * 4

    def test_the_direction_of_steps_counts(self, folder: Path, tmp_path: Path) -> None:
        where = changed(folder, tmp_path, constant([0.0, 0.1], [0.0, 5.0, 4.0, 0.0]))
        assert self.keep(where, unary_only=False) == [False, True, False, True]

    def test_steps_that_say_nothing_change_nothing(self, folder: Path, tmp_path: Path) -> None:
        def silence(tensors: dict[str, Singles]) -> dict[str, Singles]:
            return {name: value * (not name.startswith("pairwise.")) for name, value in tensors.items()}

        where = changed(folder, tmp_path, silence)
        for page in list(PAGES.values())[::4]:
            document = page.document()
            plain, both = (Web2Text(where, unary_only=switch).label(document) for switch in (True, False))
            assert np.allclose(plain.scores, both.scores, atol=1e-6)


class TestWeights:
    @pytest.mark.parametrize(
        "damage",
        [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"\xff" * 99, lambda data: data[:-1]],
    )
    def test_a_damaged_file(self, folder: Path, tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
        changed(folder, tmp_path, lambda tensors: tensors)
        (tmp_path / MODEL).write_bytes(damage((folder / MODEL).read_bytes()))
        refused(tmp_path, "digest")
        write_config(tmp_path, read_config(folder), MODEL)  # now the digest is right, and the file still is no network
        refused(tmp_path, "cannot be loaded")

    @pytest.mark.parametrize(
        "features", [None, [], "log", [*feature_names(), "one_more"], list(feature_names())[::-1], feature_names()[1:]]
    )
    def test_other_features(self, folder: Path, tmp_path: Path, features: object) -> None:
        changed(folder, tmp_path, lambda tensors: tensors)
        write_config(tmp_path, read_config(folder) | {"features": features}, MODEL)
        refused(tmp_path, "other features")

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("name", ["unary.convolutions.3.weight", "pairwise.top.bias", "scaling.mean"])
    def test_values_that_are_no_numbers(self, folder: Path, tmp_path: Path, name: str, value: float) -> None:
        def spoil(tensors: dict[str, Singles]) -> dict[str, Singles]:
            spoiled = tensors[name].copy()
            spoiled.flat[0] = value
            return tensors | {name: spoiled}

        refused(changed(folder, tmp_path, spoil), "not numbers")

    @pytest.mark.parametrize(
        ("name", "shape"),
        [
            ("scaling.mean", (148,)),
            ("scaling.deviation", (150,)),
            ("scaling.mean", (149, 1)),
            ("scaling.deviation", (1,)),
            ("unary.convolutions.0.weight", (50, 148, 3)),
            ("unary.convolutions.2.weight", (50, 49, 3)),
            ("unary.convolutions.2.bias", (49,)),
            ("unary.top.weight", (4, 10)),
            ("pairwise.top.weight", (2, 10)),
            ("pairwise.top.bias", (2,)),
        ],
    )
    def test_shapes_that_do_not_fit(self, folder: Path, tmp_path: Path, name: str, shape: tuple[int, ...]) -> None:
        def spoil(tensors: dict[str, Singles]) -> dict[str, Singles]:
            return tensors | {name: np.ones(shape, tensors[name].dtype)}

        refused(changed(folder, tmp_path, spoil), "do not fit|cannot be loaded")
