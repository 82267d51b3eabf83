from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

from tamis import Document
from tamis.features.tamis import COLUMNS, LEVELS, VERSION, PageRows
from tamis.labels import THRESHOLD
from tamis.networks.rows import RowNetwork
from tamis.systems import tamis as system
from tamis.systems.tamis import MODEL, Tamis, load
from tamis.weights import WeightsError, write_config
from tests.golden import golden_pages
from tests.hostile import HOSTILE
from tests.networks.test_rows import tensors

PAGES = {page.name: page for page in golden_pages()}
TEXT = Document.from_html("<p>text")


def write(where: Path, given: dict[str, NDArray[Any]], **config: Any) -> Path:
    """A folder of weights."""
    save_file({name: np.ascontiguousarray(value) for name, value in given.items()}, where / MODEL)
    write_config(where, {"input": VERSION} | config, MODEL)
    return where


def random_weights() -> dict[str, NDArray[Any]]:
    return tensors(columns=len(COLUMNS), tag_columns=1 + LEVELS, outputs=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of nobody's making: small, random, and enough to run. Of a forum's rows about half stay."""
    given = random_weights()
    rows = PageRows(PAGES["forum-thread"].document())
    given["top.bias"] -= np.median(RowNetwork.from_tensors(given).run(rows.values, rows.tags)[0])
    return write(tmp_path_factory.mktemp("tamis"), given)


def test_each_text_gets_the_probability_of_its_row(folder: Path) -> None:
    extractor = Tamis(folder)
    document = PAGES["forum-thread"].document()
    rows = PageRows(document)
    logits = extractor.network.run(rows.values, rows.tags)[0][:, 0].astype(np.float64)
    likely = 1 / (1 + np.exp(-logits))
    lengths = np.diff(rows.first, append=len(rows.texts))
    labels = extractor.label(document)
    assert labels.scores[rows.texts].tolist() == np.repeat(likely, lengths).tolist()
    assert likely.std() > 0
    kept = labels.keep[rows.texts]
    assert np.array_equal(kept, labels.scores[rows.texts] >= THRESHOLD)
    assert kept.any()
    assert not kept.all()


def test_texts_of_one_row_stay_or_go_together(folder: Path) -> None:
    document = Document.from_html("<p>Some <b>words</b> of a <a href=x>row</a></p><p>and others</p>")
    scores = Tamis(folder).label(document).scores
    assert len(set(scores[:4])) == 1
    assert scores[4] != scores[0]


@pytest.mark.parametrize("name", PAGES)
def test_golden_pages_end_in_scores_from_0_to_1(folder: Path, name: str) -> None:
    document = PAGES[name].document()
    labels = Tamis(folder).label(document)
    assert len(labels.scores) == len(labels.keep) == len(document.leaves)
    assert ((labels.scores >= 0) & (labels.scores <= 1)).all()
    assert not (labels.keep & ~document.leaves.visible).any()
    assert not labels.scores[~document.leaves.visible].any()


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pages_end_in_scores_from_0_to_1(folder: Path, kind: str) -> None:
    document = Document.from_html(HOSTILE[kind](3_000))
    labels = Tamis(folder).label(document)
    assert ((labels.scores >= 0) & (labels.scores <= 1)).all()
    assert not (labels.keep & ~document.leaves.visible).any()


@pytest.mark.parametrize("html", ["", "<img src=x>", "<p hidden>a</p>", "<p>&shy;</p>", "<title>a</title>"])
def test_pages_with_next_to_nothing(folder: Path, html: str) -> None:
    document = Document.from_html(html)
    labels = Tamis(folder).label(document)
    assert len(labels.keep) == len(document.leaves)
    assert np.isfinite(labels.scores).all()


@pytest.mark.parametrize("bias", [-600.0, 600.0])
def test_a_network_that_is_all_too_sure(tmp_path: Path, bias: float) -> None:
    given = random_weights() | {"top.bias": np.array([bias], np.float32)}
    labels = Tamis(write(tmp_path, given)).label(TEXT)
    assert labels.scores.tolist() == pytest.approx([float(bias > 0)], abs=1e-9)


def test_hidden_texts_never_stay(tmp_path: Path) -> None:
    given = random_weights() | {"top.bias": np.array([100], np.float32)}
    document = Document.from_html("<title>no</title><p>yes</p><p hidden>no</p><p>yes</p><script>no</script>")
    labels = Tamis(write(tmp_path, given)).label(document)
    assert labels.keep.tolist() == [text == "yes" for text in document.leaves.text]


def test_media_follow_the_texts_around_them(tmp_path: Path) -> None:
    given = random_weights() | {"top.bias": np.array([100], np.float32)}
    document = Document.from_html("<p>a</p><img src=x><p>b</p>")
    assert Tamis(write(tmp_path, given)).label(document).keep.all()


def test_the_same_page_has_the_same_labels(folder: Path) -> None:
    page = PAGES["article-news"]
    first, again = Tamis(folder).label(page.document()), Tamis(folder).label(page.document())
    assert np.array_equal(first.scores, again.scores)
    assert np.array_equal(first.keep, again.keep)


def test_threads_share_one_network(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str | Path] = []

    def spy(where: str | Path) -> RowNetwork:
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
    assert extractor.network is extractor.network


def test_nothing_is_read_before_the_first_page(tmp_path: Path) -> None:
    extractor = Tamis(tmp_path / "nowhere")
    with pytest.raises(WeightsError, match="nowhere"):
        extractor.label(TEXT)


def test_a_page_without_text_needs_no_weights(tmp_path: Path) -> None:
    assert not Tamis(tmp_path / "nowhere").label(Document.from_html("<img src=x>")).keep.any()


@pytest.mark.parametrize("version", [VERSION + 1, 0, None, "1"])
def test_weights_of_other_features_are_an_error(tmp_path: Path, version: object) -> None:
    with pytest.raises(WeightsError, match="other features") as caught:
        load(write(tmp_path, random_weights(), input=version))
    assert "\n" not in str(caught.value)


def test_a_config_without_a_version_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, random_weights()) / "config.json"
    values = json.loads(path.read_text())
    del values["input"]
    path.write_text(json.dumps(values))
    with pytest.raises(WeightsError, match="other features"):
        load(tmp_path)


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


@pytest.mark.parametrize("name", ["scaling.mean", "tags.weight", "layers.2.steer.bias", "kinds.weight"])
def test_a_network_without_one_of_its_parts_is_an_error(tmp_path: Path, name: str) -> None:
    given = random_weights()
    del given[name]
    with pytest.raises(WeightsError, match=name) as caught:
        load(write(tmp_path, given))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("columns", [len(COLUMNS) - 1, len(COLUMNS) + 6])
def test_a_network_of_other_columns_is_an_error(tmp_path: Path, columns: int) -> None:
    given = tensors(columns=columns, tag_columns=1 + LEVELS, outputs=1)
    with pytest.raises(WeightsError):
        Tamis(write(tmp_path, given)).label(TEXT)


@pytest.mark.parametrize("name", ["tags.weight", "first.weight"])
def test_a_tensor_without_its_dimensions_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(WeightsError):
        load(write(tmp_path, random_weights() | {name: np.ones(1, np.float32)}))
