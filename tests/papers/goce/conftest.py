"""Small weights in the place of the shipped ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.papers.goce import genre as guess
from tamis.papers.goce import html_classifier as page_types
from tamis.papers.goce.html_classifier import PageTypeClassifier
from tests.papers.goce.tiny import write_page_types


@pytest.fixture
def classifier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageTypeClassifier:
    """Page types by the classes story, card and post; what all of tamis asks during the test."""
    small = PageTypeClassifier(write_page_types(tmp_path / "page-types"))
    monkeypatch.setattr(page_types, "CLASSIFIER", small)
    monkeypatch.setattr(guess, "CLASSIFIER", small)
    return small
