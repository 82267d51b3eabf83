"""`tamis train tamis`: folds, prepared pages, and weights to start from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tamis.cli.main import main
from tamis.extractor.tamis import MODEL
from tamis_lab.training.pages import fold_folders
from tests.environment import one_thread
from tests.lab.cli.train_command import TEXT, files, html, train, written

pytest.importorskip("torch", reason="the extra train is not installed")

from tamis_lab.training import models
from tamis_lab.training.tamis_examples import FOLDS


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of six pages, their features, and the output of a training with folds."""
    where = tmp_path_factory.mktemp("folds")
    written(where / "data")
    features = ("--features", str(where / "features"))
    assert train("tamis", where / "data", where / "out", "--epochs", "2", "--folds", "5", *features) == 0
    return where


def weights(folder: Path) -> bytes:
    return (folder / MODEL).read_bytes()


class TestFolds:
    def test_each_has_a_folder_beside_the_shipped_network(self, folder: Path) -> None:
        out = folder / "out"
        assert files(out) == ["card.md", "config.json", *(f"fold-{number}" for number in range(FOLDS)), MODEL]
        assert len(fold_folders(out)) == FOLDS
        for fold in fold_folders(out):
            assert files(fold) == ["card.md", "config.json", MODEL]
            assert "--folds 5" in (fold / "card.md").read_text()
        assert len({weights(each) for each in (out, *fold_folders(out))}) == 1 + FOLDS

    @pytest.mark.parametrize("more", [("--folds", "3"), ("--folds", "5", "--start", "tamis")])
    def test_tamis_has_five_and_none_when_it_is_tuned(
        self, more: tuple[str, ...], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert train("tamis", folder / "data", tmp_path / "out", *more) == 2
        assert capsys.readouterr().err == "tamis: tamis has 5 folds, and none when it is tuned\n"


class TestFeatures:
    def again(self, folder: Path, output: Path, *more: str) -> int:
        return train("tamis", folder / "data", output, "--features", str(folder / "features"), "--epochs", "2", *more)

    def test_from_the_file_the_same_is_learned(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert train("tamis", folder / "data", tmp_path / "fresh", "--epochs", "2") == 0
        capsys.readouterr()
        monkeypatch.setattr(models, "read_pages", lambda *given: pytest.fail("the pages are read"))
        assert self.again(folder, tmp_path / "out") == 0
        assert f"reading {folder / 'features'}" in capsys.readouterr().err
        assert weights(tmp_path / "out") == weights(tmp_path / "fresh")

    @pytest.mark.parametrize("more", [("--seed", "2"), ("--corpus", "canola"), ("--start", "START")])
    def test_a_file_of_something_else_is_one_line(
        self, more: tuple[str, str], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        option, value = more
        value = value.replace("START", str(folder / "out"))
        assert self.again(folder, tmp_path / "out", option, value) == 3
        said = capsys.readouterr().err.splitlines()
        assert f"tamis: {folder / 'features'}: made of other corpora, with another seed" in said[-1]
        assert not (tmp_path / "out").exists()

    def test_no_pages_leave_no_file(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "a.html").write_text("<p>Words")
        (tmp_path / "mine" / "a.txt").write_text("Something that is not there at all")
        arguments = ["--corpus", str(tmp_path / "mine"), "--start", "nothing", "--features", str(tmp_path / "features")]
        assert main(["train", "tamis", *arguments, "-o", str(tmp_path / "out")]) == 3
        assert "0 pages of " in capsys.readouterr().err
        assert not (tmp_path / "features").exists()


def test_a_name_wins_over_a_folder_and_the_result_is_used_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tamis").mkdir()
    Path("site").mkdir()
    for number in range(6):
        Path(f"site/{number}.html").write_text(html(number))
        Path(f"site/{number}.txt").write_text(TEXT)
    assert main(["train", "tamis", "--corpus", "site", "--epochs", "1", "-o", "mine"]) == 0
    capsys.readouterr()
    assert main(["explain", "site/1.html", "-e", "./mine", "-o", "-"]) == 0
    assert main(["explain", "site/1.html", "-e", "tamis=mine", "-o", "-"]) == 0
