from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis import Document
from tamis.errors import WeightsError
from tamis.labels import THRESHOLD
from tamis.weights import write_config
from tamis_papers.boilernet import extractor as boilernet
from tamis_papers.boilernet import features
from tamis_papers.boilernet.extractor import CONTEXT, WINDOW, BoilerNet, centred, windows
from tamis_papers.boilernet.features import Vocabulary
from tests.golden import golden_pages

pytest.importorskip("onnxruntime", reason="the extra neural is not installed")
torch = pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("onnx", reason="the extra train is not installed")

from tamis_lab.papers.boilernet import training as boilernet_module

PAGES = {page.name: page for page in golden_pages()}
VOCABULARY = Vocabulary.build((page.document() for page in PAGES.values()), tags=15, words=60)
MANY = "<p>the words of this page</p><ul><li><a href=x>and</a></ul>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of nobody's making: small, random, and enough to run."""
    where = tmp_path_factory.mktemp("boilernet")
    torch.manual_seed(1)
    module = boilernet_module.BoilerNet(VOCABULARY.dims, projection=8, hidden=6)
    boilernet_module.export(module, where / boilernet.MODEL)
    write_config(where, config(), boilernet.MODEL)
    return where


def config(**changes: Any) -> dict[str, Any]:
    return {"input": features.VERSION, "threshold": 0.45, "vocabulary": VOCABULARY.to_json()} | changes


def copy(folder: Path, to: Path, **changes: Any) -> Path:
    """The same weights with another config."""
    (to / boilernet.MODEL).write_bytes((folder / boilernet.MODEL).read_bytes())
    write_config(to, config(**changes), boilernet.MODEL)
    return to


def whole(extractor: BoilerNet, document: Document) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """What the network says of the page in one piece."""
    network = extractor.network
    rows = features.counts(document, network.vocabulary)
    return network._run(rows.dense()).astype(np.float64)


def test_each_visible_text_gets_the_networks_probability(folder: Path) -> None:
    extractor = BoilerNet(folder)
    document = PAGES["forum-thread"].document()
    labels = extractor.label(document)
    texts = document.leaves.visible_text
    expected = whole(extractor, document)
    assert np.array_equal(labels.scores[texts], centred(expected, 0.45))
    assert np.array_equal(labels.keep[texts], expected >= 0.45)
    assert expected.std() > 0


@pytest.mark.parametrize("name", PAGES)
def test_torch_says_the_same(folder: Path, name: str) -> None:
    document = PAGES[name].document()
    network = BoilerNet(folder).network
    rows = features.counts(document, network.vocabulary)
    if not len(rows):
        return
    torch.manual_seed(1)
    module = boilernet_module.BoilerNet(VOCABULARY.dims, projection=8, hidden=6).eval()
    with torch.no_grad():
        expected = torch.sigmoid(module(boilernet_module.collate([rows]))).numpy()
    assert np.abs(network.probabilities(rows) - expected).max() < 1e-4


def test_a_page_of_ordinary_length_is_run_whole() -> None:
    assert windows(0) == []
    assert windows(1) == [(0, 0, 1, 1)]
    assert windows(WINDOW) == [(0, 0, WINDOW, WINDOW)]


@pytest.mark.parametrize("texts", [WINDOW + 1, 20_000, 50_000, 7 * WINDOW - 3])
def test_windows_label_each_text_once_and_read_around_it(texts: int) -> None:
    cuts = windows(texts)
    assert [text for _, first, last, _ in cuts for text in range(first, last)] == list(range(texts))
    for lower, first, last, upper in cuts:
        assert upper - lower <= WINDOW
        assert first - lower == CONTEXT or lower == 0
        assert upper - last == CONTEXT or upper == texts


def test_a_very_long_page_is_labelled_as_if_run_whole(folder: Path) -> None:
    extractor = BoilerNet(folder)
    document = Document.from_html(MANY * (WINDOW // 2 + 3_000))
    labels = extractor.label(document)
    texts = document.leaves.visible_text
    assert len(texts) > WINDOW
    assert np.abs(labels.scores[texts] - centred(whole(extractor, document), 0.45)).max() < 1e-4


def test_scores_put_the_threshold_in_the_middle() -> None:
    probabilities = np.array([0.0, 0.1, 0.2, 0.6, 1.0])
    assert np.allclose(centred(probabilities, 0.2), [0, 0.25, 0.5, 0.75, 1])
    assert np.array_equal(centred(probabilities, 0.5), probabilities)
    for threshold in (0.123, 0.45, 1 / 3, 0.87):
        edge = np.array([np.nextafter(threshold, 0), threshold, np.nextafter(threshold, 1)])
        assert (centred(edge, threshold) >= THRESHOLD).tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"input": features.VERSION + 1}, "input"),
        ({"threshold": "high"}, "damaged"),
        ({"threshold": 0}, "threshold"),
        ({"threshold": float("nan")}, "threshold"),
        ({"vocabulary": {"tags": []}}, "vocabulary"),
        ({"vocabulary": {"tags": ["p"], "words": ["a"]}}, "columns"),
    ],
)
def test_a_config_that_does_not_fit_is_an_error(
    folder: Path, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(WeightsError, match=message) as caught:
        BoilerNet(copy(folder, tmp_path, **changes)).label(Document.from_html("<p>text"))
    assert "\n" not in str(caught.value)
