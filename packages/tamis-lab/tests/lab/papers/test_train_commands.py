"""`tamis train` with the models of papers: the weights are of one seed, and find the content of pages like those."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tamis import Document
from tamis.protocol import Extractor
from tamis_papers.mss.extractor import Segmentation
from tamis_papers.ncleaner.extractor import NCleaner
from tamis_papers.victor.extractor import Victor
from tamis_papers.web2text.extractor import Web2Text
from tests.lab.cli.train_command import files, html, train, written

pytest.importorskip("torch", reason="the extra train is not installed")

MODEL = "model.safetensors"
SOLVED: dict[str, Callable[[Path], Extractor]] = {
    "mss": Segmentation,
    "mss-unigram": Segmentation,
    "ncleaner": NCleaner,
    "crf": Victor,
}
MODELS = [*((model, made, ()) for model, made in SOLVED.items()), ("web2text", Web2Text, ("--epochs", "40"))]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return written(tmp_path / "data")


@pytest.mark.parametrize(("model", "made", "more"), MODELS, ids=[model for model, *_ in MODELS])
def test_it_writes_weights_that_find_the_content(
    model: str, made: Callable[[Path], Extractor], more: tuple[str, ...], data: Path, tmp_path: Path
) -> None:
    for name in "ab":
        assert train(model, data, tmp_path / name, "--seed", "7", *more) == 0
    first, again = ((tmp_path / name / MODEL).read_bytes() for name in "ab")
    assert first == again
    output = tmp_path / "a"
    assert files(output) == ["card.md", "config.json", MODEL]
    config = json.loads((output / "config.json").read_text(encoding="utf-8"))
    assert (config["model"], config["trained_on"], config["seed"]) == (model, ["wcxb:dev"], 7)
    card = (output / "card.md").read_text(encoding="utf-8")
    assert "4 training and 2 validation pages" in card
    assert ("found in one go" in card) == (model in SOLVED) != ("learning rate" in card)
    labels = made(output).label(Document.from_html(html(9)))
    assert labels.keep.tolist() == [False, False, True, True, True]


def test_pages_that_are_no_articles_are_left_out(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = next(data.rglob("ground-truth/0000.json"))
    whole = json.loads(record.read_text()) | {"_internal": {"page_type": {"primary": "forum"}}}
    record.write_text(json.dumps(whole))
    assert train("mss", data, tmp_path / "out") == 0
    assert "read 5 pages" in capsys.readouterr().err


def test_web2text_learns_from_nothing(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train("web2text", data, tmp_path / "out", "--start", "web2text") == 2
    assert "web2text can only be trained from scratch; --start is not supported" in capsys.readouterr().err
