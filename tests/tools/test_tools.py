"""The scripts for people who work on tamis."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.golden import PAGES
from tools import large_files, new_page


def test_large_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small, large = tmp_path / "small.txt", tmp_path / "large.txt"
    small.write_bytes(b"x")
    large.write_bytes(b"x" * (large_files.LIMIT + 1))
    weights = tmp_path / "weights" / "model.onnx"
    weights.parent.mkdir()
    shutil.copy(large, weights)
    assert large_files.main([str(small), str(large), str(weights), str(tmp_path / "deleted")]) == 1
    assert capsys.readouterr().out.startswith(f"{large}: 400,001 bytes")


def test_a_golden_page_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = PAGES / "article-news" / "source.html"
    monkeypatch.setattr(new_page, "PAGES", tmp_path)
    monkeypatch.setattr(sys, "argv", ["new_page", "my-page", str(source), "--keep", "h1", "--about", "a page"])
    new_page.main()
    made = tmp_path / "my-page"
    assert {path.name for path in made.iterdir()} == {"source.html", "page.toml", "expected.txt", "expected.md"}
    assert (made / "expected.md").read_text(encoding="utf-8").startswith("# ")
