from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tamis import Document
from tamis_papers.web2text.extractor import MODEL, Web2Text
from tests.lab.cli import train_command
from tests.lab.cli.train_command import html, written

pytest.importorskip("torch", reason="the extra train is not installed")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return written(tmp_path / "data")


def train(data: Path, output: Path, *more: str) -> int:
    return train_command.train("web2text", data, output, *more)


def test_it_holds_weights_config_and_card(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train_command.check_folder("web2text", MODEL, data, tmp_path / "out" / "web2text", capsys)


def test_it_can_be_used_at_once(data: Path, tmp_path: Path) -> None:
    assert train(data, tmp_path / "out", "--epochs", "2") == 0
    document = Document.from_html(html(9))
    labels = Web2Text(weights=tmp_path / "out").label(document)
    assert len(labels.keep) == len(document.leaves) == 5
    assert np.isfinite(labels.scores).all()
    assert labels.scores.std() > 0


def test_enough_epochs_find_the_content(data: Path, tmp_path: Path) -> None:
    assert train(data, tmp_path / "out", "--epochs", "40", "--patience", "40") == 0
    labels = Web2Text(weights=tmp_path / "out").label(Document.from_html(html(9)))
    assert labels.keep.tolist() == [False, False, True, True, True]


def test_the_same_seed_writes_the_same_weights(data: Path, tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert train(data, tmp_path / name, "--epochs", "1", "--seed", seed) == 0
    first, again, other = ((tmp_path / name / MODEL).read_bytes() for name in "abc")
    assert first == again != other


@pytest.mark.parametrize(("stage", "epoch"), [(0, 3), (1, 1), (1, 4)])
def test_a_stopped_run_goes_on_to_the_same_weights(stage: int, epoch: int, data: Path, tmp_path: Path) -> None:
    assert train(data, tmp_path / "whole", "--epochs", "4") == 0
    train_command.interrupt("web2text", data, tmp_path / "out", stage=stage, epoch=epoch)
    assert train(data, tmp_path / "out", "--epochs", "4") == 0
    for name in (MODEL, "config.json"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


def test_it_learns_from_nothing(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(data, tmp_path / "out", "--start", "web2text") == 2
    assert "web2text can only be trained from scratch; --start is not supported" in capsys.readouterr().err
