"""The folder that examples of the documentation are run in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tamis.registry import entry_of
from tests.docs.files import example_page, write_files


@pytest.fixture
def html() -> str:
    """The example page."""
    return example_page()


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the examples name; it becomes the working directory."""
    write_files(tmp_path)
    # Weights "of your own", as `tamis train` would write them.
    weights = entry_of("tamis").weights
    assert weights is not None
    for name in ("mine", "tamis"):
        shutil.copytree(weights, tmp_path / "build" / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TAMIS_DATA", raising=False)
    return tmp_path
