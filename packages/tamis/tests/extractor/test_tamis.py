from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

import tamis
from tamis import Document
from tamis.api import PRECISION_THRESHOLD
from tamis.errors import WeightsError
from tamis.extractor import tamis as system
from tamis.extractor.network import EXPERTS, GATE, OUTPUTS, Networks, RunNetwork
from tamis.extractor.runs import COLUMNS, LEVELS, VERSION, PageRuns
from tamis.extractor.tamis import MODEL, Tamis, load
from tamis.kernel import library
from tamis.page_type import PageType
from tamis.weights import write_config
from tests.extractor.pages import ADDED
from tests.extractor.test_network import tensors
from tests.golden import golden_pages

PAGES = {page.name: page for page in golden_pages()}
TEXT = Document.from_html("<p>text")


def write(where: Path, given: dict[str, NDArray[Any]], **config: Any) -> Path:
    """A folder of weights: the given ones for both networks, unless they are for both already."""
    if GATE not in given:
        gate = np.zeros(library().tamis_gate_size(), np.float32)
        given = {GATE: gate} | {f"{expert}.{name}": value for expert in EXPERTS for name, value in given.items()}
    save_file({name: np.ascontiguousarray(value) for name, value in given.items()}, where / MODEL)
    write_config(where, {"input": VERSION} | config, MODEL)
    return where


def random_weights() -> dict[str, NDArray[Any]]:
    return tensors(columns=len(COLUMNS), tag_columns=1 + LEVELS, outputs=len(OUTPUTS))


def sure_weights(content: float = -100, comment: float = -100, related: float = -100) -> dict[str, NDArray[Any]]:
    """Weights that give every run these logits."""
    given = random_weights()
    return given | {
        "top.weight": np.zeros_like(given["top.weight"]),
        "top.bias": np.array([content, comment, related], np.float32),
        "calibration": np.array([1, 0], np.float32),
    }


def of_type(page_type: PageType) -> dict[str, NDArray[Any]]:
    """The tensors that predict this type for every page."""
    kinds = np.where(np.array(list(PageType)) == page_type, 9.0, 0.0).astype(np.float32)
    return {"types.weight": np.zeros_like(random_weights()["types.weight"]), "types.bias": kinds}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small random weights that take every page for a thread, and keep about half of the runs of one."""
    given = random_weights() | of_type(PageType.FORUM)
    runs = PageRuns(PAGES["forum-thread"].document())
    network = RunNetwork.from_tensors(given)
    slope, _ = given["calibration"]
    logits = network.run(runs.values, runs.tags)[0][:, 0]
    given["top.bias"][0] -= (np.median(logits) - network.threshold) / slope
    given["top.bias"][1] = -100  # no comments
    return write(tmp_path_factory.mktemp("tamis"), given)


def test_each_text_gets_the_probability_of_its_row(folder: Path) -> None:
    extractor = Tamis(folder)
    document = PAGES["search-results"].document()
    runs = PageRuns(document)
    logits = extractor.networks.of(runs).run(runs.values, runs.tags)[0][:, 0].astype(np.float64)
    likely = 1 / (1 + np.exp(-logits))
    lengths = np.diff(runs.first, append=len(runs.texts))
    labels = extractor.label(document)
    scores = labels.scores[runs.texts]
    same = scores == np.repeat(likely, lengths)
    assert same.sum() > len(same) / 2  # but for structures, copies, noise and the headline
    assert likely.std() > 0
    kept = labels.keep[runs.texts]
    assert np.array_equal(kept, scores >= labels.threshold)
    assert kept.any()
    assert not kept.all()


SAID = "The ferry does not sail on Sundays, and on Mondays it sails late."


def typed_weights(page_type: PageType, content: float = 5) -> dict[str, NDArray[Any]]:
    """Weights that by default keep every run and predict this type for every page."""
    return sure_weights(content) | of_type(page_type)


class TestCopies:
    """Pages hold parts twice, for narrow screens; answers quote what they answer."""

    def kept(self, html: str, where: Path) -> list[str]:
        page = tamis.extract(html, extractor=Tamis(where))
        return [text for leaf, text in enumerate(page.document.leaves.text) if page.labels.keep[leaf]]

    @pytest.mark.parametrize(
        "html",
        [
            f"<div><p>{SAID}</p><p>Other words.</p><p>{SAID}</p></div>",
            f"<ul><li>{SAID}<li>Other words.<li>{SAID}</ul>",
            f"<div><ol><li>{SAID}</ol><p>Other words.</p><ol><li>{SAID}</ol></div>",
            f"<table><tr><td>{SAID}<tr><td>Other words.<tr><td>{SAID}</table>",
        ],
    )
    def test_what_one_flow_repeats_stays(self, tmp_path: Path, html: str) -> None:
        where = write(tmp_path, typed_weights(PageType.ARTICLE))
        assert self.kept(html, where) == [SAID, "Other words.", SAID]


@pytest.mark.parametrize("bias", [-600.0, 600.0])
def test_a_network_that_is_all_too_sure(tmp_path: Path, bias: float) -> None:
    labels = Tamis(write(tmp_path, sure_weights(bias))).label(TEXT)
    assert labels.scores.tolist() == pytest.approx([float(bias > 0)], abs=1e-9)


class TestThreshold:
    @pytest.mark.parametrize(("logit", "stays"), [(-0.1, False), (0.1, True)])
    @pytest.mark.parametrize("calibration", [(1.0, 0.0), (0.5, -1.0), (2.0, 0.5)])
    def test_a_row_stays_by_the_network_s_own_decision(
        self, tmp_path: Path, calibration: tuple[float, float], logit: float, stays: bool
    ) -> None:
        """Calibration names the probability of a decision and does not change it."""
        slope, offset = calibration
        added = ADDED[PageType.PRODUCT]
        given = typed_weights(PageType.PRODUCT, logit + added / slope)
        labels = Tamis(write(tmp_path, given | {"calibration": np.array(calibration, np.float32)})).label(TEXT)
        assert labels.keep.tolist() == [stays]
        limit = offset + added
        assert labels.threshold == pytest.approx(1 / (1 + np.exp(-limit)), abs=1e-6)
        assert labels.scores.tolist() == pytest.approx([1 / (1 + np.exp(-(slope * logit + limit)))], abs=1e-6)

    def test_the_shipped_one_stands_below_that_of_precision(self) -> None:
        """Else a wish for precision would keep more than no wish at all."""
        assert 0.1 < Tamis().label(TEXT).threshold < PRECISION_THRESHOLD


class TestRoles:
    HTML = """<title>Bread at dawn - The Oven</title><h2>The Oven</h2><h1>Bread at dawn</h1><p>Text <b>of it</b></p>
        <figure><img src=x><figcaption>A loaf</figcaption></figure><p hidden>Folded</p>"""

    def roles(self, where: Path, html: str = HTML, **logits: float) -> dict[str, str]:
        """Of a page of a type that keeps headings without a section."""
        document = Document.from_html(html)
        found = Tamis(write(where, sure_weights(**logits) | of_type(PageType.SERVICE))).label(document).roles
        assert found is not None
        return dict(zip((text.strip() for text in document.leaves.text), map(str, found), strict=True))

    def test_what_stays_is_text_title_and_captions(self, tmp_path: Path) -> None:
        assert self.roles(tmp_path, content=9) == {
            "Bread at dawn - The Oven": "boilerplate",
            "The Oven": "text",
            "Bread at dawn": "title",  # the longest heading that is a part of the page's title
            "Text": "text",
            "of it": "text",
            "": "boilerplate",
            "A loaf": "caption",
            "Folded": "boilerplate",
        }

    @pytest.mark.parametrize("content", [-9, 9])
    def test_comments_are_comments_whatever_else_they_could_be(self, tmp_path: Path, content: float) -> None:
        found = self.roles(tmp_path, content=content, comment=9, related=9)
        assert (found["Text"], found["of it"], found["A loaf"]) == ("comment", "comment", "comment")
        assert found["Folded"] == "boilerplate"

    @pytest.mark.parametrize("page_type", PageType)
    def test_comments_are_no_content_and_posts_of_a_thread_no_comments(
        self, tmp_path: Path, page_type: PageType
    ) -> None:
        given = typed_weights(page_type) | {"top.bias": np.array([9, 9, -9], np.float32)}
        extractor = Tamis(write(tmp_path, given))
        is_thread = page_type is PageType.FORUM
        html = "<p>Words of a reader.</p>"
        wishes: list[dict[str, Any]] = [{}, {"favor_recall": True}, {"favor_precision": True}]
        for wish in wishes:
            assert bool(tamis.extract(html, extractor=extractor, **wish).text) == is_thread
        assert tamis.extract(html, extractor=extractor, include_comments=True).text == "Words of a reader."


class TestReading:
    def test_what_was_found_in_data_is_content_but_for_the_headline(self, tmp_path: Path) -> None:
        """No network is asked."""
        read = Document.from_html("<h1>a</h1><p>b</p><h2>c</h2><title>a</title>", source="json-ld")
        labels = Tamis(tmp_path / "nowhere").label(read)
        assert labels.keep.tolist() == [False, True, True, False]
        assert labels.scores.tolist() == [0, 1, 1, 0]


def test_media_follow_the_texts_around_them(tmp_path: Path) -> None:
    document = Document.from_html("<p>a</p><img src=x><p>b</p><img src=y hidden>")
    labels = Tamis(write(tmp_path, sure_weights(100))).label(document)
    assert labels.keep.tolist() == [True, True, True, False]
    assert labels.scores.tolist() == pytest.approx([1, 1, 1, 0])
    unsure = Tamis(write(tmp_path, sure_weights(0.1))).label(document)
    assert unsure.scores.tolist() == pytest.approx([0.525, 1, 0.525, 0], abs=1e-3), "a medium stays or not"


def test_threads_share_one_network(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def spy(where: Path) -> Networks:
        read.append(where)
        return load(where)

    monkeypatch.setattr(system, "load", spy)
    extractor = Tamis(folder)
    documents = [page.document() for page in PAGES.values()]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(extractor.label, documents))
    assert read == [folder]
    for document, labels in zip(documents, found, strict=True):
        assert np.array_equal(labels.scores, extractor.label(document).scores)
    assert extractor.networks is extractor.networks


def test_nothing_is_read_before_the_first_page(tmp_path: Path) -> None:
    extractor = Tamis(tmp_path / "nowhere")
    with pytest.raises(WeightsError, match="nowhere"):
        extractor.label(TEXT)


@pytest.mark.parametrize("version", [VERSION + 1, VERSION - 1, 0, None, str(VERSION)])
def test_weights_of_other_features_are_an_error(tmp_path: Path, version: object) -> None:
    with pytest.raises(WeightsError, match="other features") as caught:
        load(write(tmp_path, random_weights(), input=version))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"\xff" * 99])
def test_a_damaged_network_is_an_error(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    model = write(tmp_path, random_weights()) / MODEL
    model.write_bytes(damage(model.read_bytes()))
    with pytest.raises(WeightsError, match="digest"):
        load(tmp_path)
    write_config(tmp_path, {"input": VERSION}, MODEL)  # now the digest is right, and the file still is no network
    with pytest.raises(WeightsError, match="cannot be loaded") as caught:
        Tamis(tmp_path).label(TEXT)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["scaling.mean", "tags.weight", "layers.2.film.bias", "types.weight", "calibration"])
def test_a_network_without_one_of_its_parts_is_an_error(tmp_path: Path, name: str) -> None:
    given = random_weights()
    del given[name]
    with pytest.raises(WeightsError, match=name) as caught:
        load(write(tmp_path, given))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("columns", "outputs"), [(-1, 0), (6, 0), (0, -1), (0, -2)])
def test_a_network_of_other_columns_or_outputs_is_an_error(tmp_path: Path, columns: int, outputs: int) -> None:
    given = tensors(columns=len(COLUMNS) + columns, tag_columns=1 + LEVELS, outputs=len(OUTPUTS) + outputs)
    with pytest.raises(WeightsError):
        Tamis(write(tmp_path, given)).label(TEXT)


@pytest.mark.parametrize("name", ["tags.weight", "first.weight"])
def test_a_tensor_without_its_dimensions_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(WeightsError):
        load(write(tmp_path, random_weights() | {name: np.ones(1, np.float32)}))
