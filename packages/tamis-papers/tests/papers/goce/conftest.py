"""Small weights in the place of the shipped ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis_papers.goce import classifiers
from tamis_papers.goce.classifiers import HtmlClassifier
from tests.papers.goce.tiny import write_html


@pytest.fixture
def classifier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HtmlClassifier:
    """Page types by the classes story, card and post, in the place of the shipped weights."""
    small = HtmlClassifier(write_html(tmp_path / "html"))
    monkeypatch.setattr(classifiers, "HTML_CLASSIFIER", small)
    return small
