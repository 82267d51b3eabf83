from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from tamis.document import Document
from tamis_papers.boilernet.features import LeafCounts, Singles, Vocabulary, counts
from tests.golden import golden_pages

torch = pytest.importorskip("torch", reason="the extra train is not installed")
onnx = pytest.importorskip("onnx", reason="the extra train is not installed")
runtime = pytest.importorskip("onnxruntime", reason="the extra neural is not installed")

from tamis_lab.papers.boilernet.training import BoilerNet, collate, export
from tests.papers.test_onnx_runtime import integer_arithmetic

DOCUMENTS = [document for page in golden_pages() if len((document := page.document()).leaves.visible_text)][:8]
VOCABULARY = Vocabulary.build(DOCUMENTS, tags=20, words=100)
PAGES = [counts(document, VOCABULARY) for document in DOCUMENTS]


@pytest.fixture
def module() -> BoilerNet:
    torch.manual_seed(5)
    return BoilerNet(VOCABULARY.dims, projection=12, hidden=8).eval()


def probabilities(module: BoilerNet, *pages: LeafCounts) -> Singles:
    with torch.no_grad():
        found: Singles = torch.sigmoid(module(collate(pages))).numpy()
    return found


def run(path: Path, page: LeafCounts) -> Singles:
    network = runtime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    (scores,) = network.run(["scores"], {"counts": page.dense()[np.newaxis]})
    assert scores.shape == (1, len(page))
    found: Singles = scores[0]
    return found


def test_pages_of_a_batch_do_not_see_each_other(module: BoilerNet) -> None:
    together = probabilities(module, *PAGES)
    alone = [probabilities(module, page) for page in PAGES]
    assert together.shape == (sum(map(len, PAGES)),)
    assert np.allclose(together, np.concatenate(alone), atol=1e-6)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("lengths", [[1], [4], [1, 5, 2], [3, 3], [7, 1, 1, 4]])
def test_padded_and_packed_pages_give_the_same_values_and_gradients(lengths: list[int], layers: int) -> None:
    """The one way is for CPUs, the other for graphics cards."""
    torch.manual_seed(2)
    module = BoilerNet(9, projection=5, hidden=4, layers=layers)
    pages = [torch.randn(length, 5) for length in lengths]
    found = []
    for run in (module._padded, module._packed):
        inputs = [page.clone().requires_grad_() for page in pages]
        hidden = run(inputs)
        assert hidden.shape == (sum(lengths), 8)
        # Each value counts by a weight of its own, so that a row in the wrong place is noticed.
        total = (hidden * torch.arange(hidden.numel()).view_as(hidden).cos()).sum()
        found.append([hidden, *torch.autograd.grad(total, [*inputs, *module.lstm.parameters()])])
    for padded, packed in zip(*found, strict=True):
        assert torch.allclose(padded, packed, atol=1e-5)


def test_a_text_without_words_is_a_row(module: BoilerNet) -> None:
    page = counts(Document.from_html("<p>one</p><p>&shy;</p><p>two</p>"), Vocabulary((), ()))
    small = BoilerNet(page.dims, projection=4, hidden=4)
    assert small(collate([page])).shape == (3,)
    empty = LeafCounts(page.leaves, np.zeros(4, np.int64), page.columns[:0], page.counts[:0], page.dims)
    assert small(collate([empty, page])).shape == (6,)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_onnx_says_what_torch_says(tmp_path: Path, layers: int) -> None:
    torch.manual_seed(5)
    module = BoilerNet(VOCABULARY.dims, projection=12, hidden=8, layers=layers).eval()
    for parameter in module.parameters():
        parameter.data *= 2  # away from the middle, where everything agrees
    export(module, tmp_path / "model.onnx")
    for page in PAGES:
        assert np.abs(run(tmp_path / "model.onnx", page) - probabilities(module, page)).max() < 1e-4


@pytest.mark.parametrize("words", [0, 5_000])
def test_half_precision_comes_close_also_next_to_a_long_text(module: BoilerNet, tmp_path: Path, words: int) -> None:
    export(module, tmp_path / "whole.onnx")
    export(module, tmp_path / "half.onnx", bits=16)
    sizes = [(tmp_path / name).stat().st_size for name in ("half.onnx", "whole.onnx")]
    assert sizes[0] < 0.75 * sizes[1]
    for document in DOCUMENTS:
        page = counts(Document.from_html(document.html + "<pre>" + "the word " * words), VOCABULARY)
        assert np.abs(run(tmp_path / "half.onnx", page) - probabilities(module, page)).max() < 1e-2


@pytest.mark.parametrize("bits", [32, 16])
def test_an_export_computes_in_floats(module: BoilerNet, tmp_path: Path, bits: Literal[32, 16]) -> None:
    """What the test of the shipped files asks of them holds for files that are trained later."""
    export(module, tmp_path / "model.onnx", bits=bits)
    assert integer_arithmetic(onnx.load(tmp_path / "model.onnx")) == []
