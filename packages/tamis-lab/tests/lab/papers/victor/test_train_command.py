from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis import Document
from tamis_papers.victor.extractor import MODEL, Victor
from tests.lab.cli import train_command
from tests.lab.cli.train_command import files, html, written

pytest.importorskip("torch", reason="the extra train is not installed")


def test_it_writes_weights_that_find_the_content(tmp_path: Path) -> None:
    data = written(tmp_path / "data")
    for name in "ab":
        assert train_command.train("crf", data, tmp_path / name, "--seed", "7") == 0
    assert files(tmp_path / "a") == ["card.md", "config.json", MODEL]
    config = json.loads((tmp_path / "a" / "config.json").read_text(encoding="utf-8"))
    assert (config["model"], config["trained_on"], config["seed"]) == ("crf", ["wcxb:dev"], 7)
    first, again = ((tmp_path / name / MODEL).read_bytes() for name in "ab")
    assert first == again
    labels = Victor(tmp_path / "a").label(Document.from_html(html(9)))
    assert labels.keep.tolist() == [False, False, True, True, True]
