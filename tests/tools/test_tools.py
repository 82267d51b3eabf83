"""The scripts for people who work on tamis."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.golden import GoldenPage
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
    source = tmp_path / "page.html"
    source.write_bytes("<h1>Sieves – drums</h1>\r\n<p>…".encode("windows-1252"))
    monkeypatch.setattr(new_page, "PAGES", tmp_path)
    arguments = ["whole/my-page", str(source), "--keep", "h1", "--about", "a page", "--encoding", "windows-1252"]
    monkeypatch.setattr(sys, "argv", ["new_page", *arguments])
    new_page.main()
    made = GoldenPage.read(tmp_path / "whole" / "my-page.html")
    assert made.source == source.read_bytes()
    assert made.head["about"] == "a page"
    assert made.expected == {"markdown": "# Sieves – drums", "text": "Sieves – drums"}
