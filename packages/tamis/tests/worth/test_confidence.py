"""The token F1 to expect of an extraction."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import tamis
from tamis.errors import WeightsError
from tamis.worth import confidence as module
from tamis.worth.confidence import columns, confidence, load
from tests.golden import golden_pages

_PARAGRAPH = "The harbour was dredged in spring, and since then even the larger boats moor at the inner quay. "


def _confidence(html: str, extractor: str = "tamis") -> float | None:
    page = tamis.extract(html, extractor=extractor)
    return confidence(page.document, page.labels)


def test_an_article_is_more_certain_than_a_page_of_scraps() -> None:
    article = f"<main><h1>The harbour</h1>{f'<p>{_PARAGRAPH * 4}</p>' * 12}</main>"
    card = f"<div><span>Offer</span><p>{_PARAGRAPH[:45]}</p><a href=/>Go</a></div>"
    sure, unsure = _confidence(article) or 0, _confidence(card * 9) or 1
    assert sure > 0.9 > unsure


@pytest.mark.parametrize("html", ["", "<p></p>", "<nav><a href=/>Home</a></nav>", "<img src=a.png>"])
def test_a_page_without_content_has_none(html: str) -> None:
    assert _confidence(html) is None


def test_labels_of_other_extractors_have_none() -> None:
    assert _confidence(f"<p>{_PARAGRAPH * 9}</p>", extractor="keep-all") is None


def test_every_golden_page_has_one_between_0_and_1() -> None:
    for golden in golden_pages():
        page = tamis.extract(golden.html)
        found = confidence(page.document, page.labels)
        assert found is None or 0 < found < 1
        assert (found is None) == (columns(page.document, page.labels) is None)


def test_damaged_weights_are_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(module.FOLDER, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"columns": config["columns"][1:]}))
    with pytest.raises(WeightsError, match="number of columns"):
        load(folder)
