"""How extractors are named, and weights of one's own."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import tamis
from tamis import registry
from tamis.cli.main import main
from tamis.errors import WeightsError
from tamis.explain import explain
from tamis.extractor.tamis import MODEL, Tamis
from tamis.weights import read_config, write_config
from tests.test_api import ARTICLE_PAGE, FIRST

TEXT = tamis.extract(ARTICLE_PAGE).text


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped weights, in the folder `mine` of the working directory."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(Tamis().weights, tmp_path / "mine")
    (tmp_path / "page.html").write_text(ARTICLE_PAGE)
    return tmp_path / "mine"


def refuse_everything(folder: Path) -> None:
    """Train weights, in effect, that keep nothing."""
    tensors = load_file(folder / MODEL)
    tensors |= {name: tensors[name] - np.float32(1_000) for name in ("modern.top.bias", "old.top.bias")}
    config = {name: value for name, value in read_config(folder).items() if name != "digest"}
    time.sleep(0.01)  # a file system may count in milliseconds
    save_file(tensors, folder / MODEL)
    write_config(folder, config, MODEL)


@pytest.mark.parametrize("word", ["tamis=mine", "./mine", "tamis=./mine", "../{}/mine", "{}/mine"])
def test_weights_of_a_folder(word: str, mine: Path) -> None:
    word = word.replace("{}", str(mine.parent) if word.startswith("{") else mine.parent.name)
    page = tamis.extract(ARTICLE_PAGE, extractor=word)
    assert (page.text, page.extractor) == (TEXT, word)
    refuse_everything(mine)
    assert tamis.extract(ARTICLE_PAGE, extractor=word).text == "", "weights that were trained anew are read anew"
    assert tamis.extract(ARTICLE_PAGE).text == TEXT


def test_every_verb_takes_them(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("tamis=mine", "./mine"):
        assert main(["extract", "page.html", "-e", word]) == 0
        assert FIRST in capsys.readouterr().out
        assert main(["explain", "page.html", "-e", word, "--text", "rises long before"]) == 0
        assert "kept" in capsys.readouterr().out
    refuse_everything(mine)
    assert main(["extract", "page.html", "-e", "tamis=mine"]) == 1
    assert main(["explain", "page.html", "-e", "tamis=mine", "--text", "rises long before"]) == 0
    assert "dropped" in capsys.readouterr().out


def test_reasons_are_those_of_these_weights(mine: Path) -> None:
    refuse_everything(mine)
    found = explain(ARTICLE_PAGE, extractor="./mine")
    assert not found.remark
    assert not any(block.kept for block in found.blocks)


def test_names_win_over_folders(mine: Path) -> None:
    shutil.copytree(mine, "tamis")
    refuse_everything(Path("tamis"))
    assert tamis.extract(ARTICLE_PAGE, extractor="tamis").text == TEXT
    assert tamis.extract(ARTICLE_PAGE, extractor="./tamis").text == ""


class TestErrors:
    def said(self, word: str, error: type[tamis.TamisError]) -> str:
        """What Python says and the command line repeats in one line."""
        with pytest.raises(error) as caught:
            tamis.extract(ARTICLE_PAGE, extractor=word)
        with pytest.raises(error) as again:
            tamis.extract_many([], extractor=word)
        assert str(again.value) == str(caught.value)
        return str(caught.value)

    @pytest.mark.usefixtures("mine")
    @pytest.mark.parametrize("word", ["tamis=nowhere", "./nowhere", "tamis=page.html"])
    def test_no_folder(self, word: str, capsys: pytest.CaptureFixture[str]) -> None:
        folder = word.removeprefix("tamis=").removeprefix("./")
        words = f"{folder}: there is no such folder of weights; `tamis train` writes one"
        assert self.said(word, tamis.OptionError) == words
        assert main(["extract", "page.html", "-e", word]) == 2
        assert capsys.readouterr().err == f"tamis: {words}\n"

    @pytest.mark.parametrize("word", ["./" + "x" * 5_000, "tamis=\0", "./\0", "~nobody/mine"])
    def test_names_that_no_folder_can_have(self, word: str) -> None:
        assert "there is no such folder of weights" in self.said(word, tamis.OptionError)

    @pytest.mark.parametrize("word", ["", "=mine", "x" * 5_000, "\0"])
    def test_names_that_no_extractor_has(self, word: str) -> None:
        assert self.said(word, tamis.UnknownExtractor).startswith("no extractor is called")

    def test_a_home_folder(self, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(mine.parent))
        assert tamis.extract(ARTICLE_PAGE, extractor="tamis=~/mine").text == TEXT

    @pytest.mark.usefixtures("mine")
    def test_a_folder_that_is_not_written_as_a_path(self) -> None:
        words = self.said("mine", tamis.UnknownExtractor)
        assert words.endswith("; for the weights in the folder of that name write ./mine")
        assert self.said("tamis=", tamis.OptionError) == "tamis= names no folder of weights"

    def test_no_config(self, mine: Path) -> None:
        (mine / "config.json").unlink()
        for word in ("tamis=mine", "./mine"):
            assert self.said(word, WeightsError) == "mine/config.json cannot be read: No such file or directory"

    def test_a_config_without_a_model(self, mine: Path) -> None:
        config = {name: value for name, value in read_config(mine).items() if name != "model"}
        (mine / "config.json").write_text(json.dumps(config))
        assert "does not say of which model" in self.said("./mine", WeightsError)

    def test_weights_of_another_model(self, mine: Path) -> None:
        config = read_config(mine)
        (mine / "config.json").write_text(json.dumps(config | {"model": "goce-html"}))
        assert self.said("tamis=mine", tamis.OptionError) == "mine has the weights of goce-html, not of tamis"
        (mine / "config.json").write_text(json.dumps(config | {"model": "other"}))
        assert self.said("./mine", WeightsError) == "mine has the weights of 'other', which no extractor uses"

    def test_damaged_weights(self, mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (mine / MODEL).write_bytes(b"damaged")
        with pytest.raises(WeightsError, match="the digests differ"):
            tamis.extract(ARTICLE_PAGE, extractor="./mine")
        assert main(["extract", "page.html", "-e", "./mine"]) == 2
        assert capsys.readouterr().err.count("\n") == 1

    def test_an_extractor_without_weights(self) -> None:
        assert self.said("keep-all=mine", tamis.OptionError) == "keep-all has no weights that a folder could replace"
        assert self.said("nobody=mine", tamis.UnknownExtractor).startswith("no extractor is called 'nobody'")


@pytest.mark.parametrize("name", [name for name, entry in tamis.extractors().items() if entry.weights])
def test_every_trained_extractor_can_be_made_from_a_folder(name: str) -> None:
    entry = registry.entry_of(name)
    assert entry.weights
    made = registry.with_weights(name, entry.weights)
    assert made.weights == entry.weights  # type: ignore[attr-defined]
    assert type(made) is type(registry.get(name))
    assert registry.check(str(entry.weights)).model_name == read_config(entry.weights)["model"]


def test_a_batch_goes_on_with_the_same_weights_alone(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("fastwarc")
    Path("pages").mkdir()
    shutil.copy("page.html", "pages")
    batch = ["batch", "pages", "-o", "out", "-f", "jsonl", "--workers", "1", "-e", "tamis=mine"]
    batch += ["--columns", "default,extractor"]
    assert main(batch) == 0
    assert main(batch) == 0
    (row,) = map(json.loads, next(Path("out").glob("*.jsonl")).read_text().splitlines())
    assert (row["extractor"], row["text"]) == ("tamis=mine", TEXT)
    capsys.readouterr()
    refuse_everything(mine)
    assert main(batch) == 2
    assert "an earlier run had other options (extractor was 'tamis=mine with weights" in capsys.readouterr().err
