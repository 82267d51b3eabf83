from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tamis import Document
from tamis_papers.boilernet.extractor import BoilerNet
from tests.lab.cli.train_command import files, html, train, written

pytest.importorskip("torch", reason="the extra train is not installed")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return written(tmp_path / "data")


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnx", reason="the extra train is not installed")
    pytest.importorskip("onnxruntime", reason="the extra neural is not installed")
    from tamis_lab.papers.boilernet import training as boilernet

    tiny = replace(boilernet.FULL, size=boilernet.NetworkSize(projection=6, hidden=4))
    monkeypatch.setattr(boilernet, "FULL", tiny)
    monkeypatch.setattr(boilernet, "SMALL", replace(tiny, size=boilernet.NetworkSize(projection=4, hidden=3, bits=16)))


def test_the_folder_labels_pages(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out"
    assert train("boilernet", data, output, "--epochs", "2") == 0
    assert capsys.readouterr().err.count("epoch ") == 2
    assert files(output) == ["card.md", "config.json", "model.onnx"]
    config = json.loads((output / "config.json").read_text(encoding="utf-8"))
    assert (config["model"], config["trained_on"], config["size"]["hidden"]) == ("boilernet", ["wcxb:dev"], 4)
    assert "Leonhardt" in (output / "card.md").read_text(encoding="utf-8")
    document = Document.from_html(html(9))
    labels = BoilerNet(output).label(document)
    assert len(labels.keep) == len(document.leaves) == 5
    assert np.isfinite(labels.scores).all()
    assert labels.scores.std() > 0


def test_the_same_seed_writes_the_same_weights(data: Path, tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert train("boilernet", data, tmp_path / name, "--epochs", "1", "--seed", seed) == 0
    first, again, other = ((tmp_path / name / "model.onnx").read_bytes() for name in "abc")
    assert first == again != other


def test_a_teacher_that_is_not_there_is_one_line(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tamis_lab.papers.boilernet import training as boilernet

    monkeypatch.setattr(boilernet, "SMALL", replace(boilernet.SMALL, teacher=tmp_path / "nowhere"))
    assert train("boilernet-small", data, tmp_path / "out") != 0
    said = capsys.readouterr().err
    assert "nowhere" in said
    assert "Traceback" not in said
