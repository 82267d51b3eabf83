from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis import Document
from tamis_papers.mss.extractor import MODEL, Segmentation
from tests.lab.cli import train_command
from tests.lab.cli.train_command import files, html, written

pytest.importorskip("torch", reason="the extra train is not installed")


@pytest.mark.parametrize("model", ["mss", "mss-unigram"])
def test_it_writes_weights_that_find_the_content(model: str, tmp_path: Path) -> None:
    data, output = written(tmp_path / "data"), tmp_path / "out"
    assert train_command.train(model, data, output, "--seed", "7") == 0
    assert files(output) == ["card.md", "config.json", MODEL]
    config = json.loads((output / "config.json").read_text(encoding="utf-8"))
    assert (config["model"], config["trained_on"], config["seed"]) == (model, ["wcxb:dev"], 7)
    card = (output / "card.md").read_text(encoding="utf-8")
    assert "4 training and 2 validation pages" in card
    assert "found in one go" in card
    assert "learning rate" not in card
    labels = Segmentation(output).label(Document.from_html(html(9)))
    assert labels.keep.tolist() == [False, False, True, True, True]


def test_the_same_seed_writes_the_same_weights(tmp_path: Path) -> None:
    data = written(tmp_path / "data")
    for name in "ab":
        assert train_command.train("mss", data, tmp_path / name) == 0
    first, again = ((tmp_path / name / MODEL).read_bytes() for name in "ab")
    assert first == again


def test_pages_that_are_no_articles_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = written(tmp_path / "data")
    record = next(data.rglob("ground-truth/0000.json"))
    whole = json.loads(record.read_text()) | {"_internal": {"page_type": {"primary": "forum"}}}
    record.write_text(json.dumps(whole))
    assert train_command.train("mss", data, tmp_path / "out") == 0
    assert "read 5 pages" in capsys.readouterr().err
