"""`tamis train` with a toy for a model; the command with a paper's model is tested in that paper's folder."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.environment import one_thread
from tests.lab.cli import train_command
from tests.lab.cli.train_command import TEXT, files, html, page_files, written
from tests.lab.corpora.samples import SAMPLES, write_folder

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from tamis_lab.training import recipes
from tests.lab.cli.toy import MODEL


@pytest.fixture(autouse=True, scope="module")
def _toy() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recipes, "named", lambda group: {"toy": EntryPoint("toy", "tests.lab.cli.toy:RECIPE", group)})
        yield


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return written(tmp_path / "data")


def train(data: Path, output: Path, *more: str) -> int:
    return train_command.train("toy", data, output, *more)


class TestFolder:
    def test_it_holds_weights_config_and_card(
        self, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        train_command.check_folder("toy", MODEL, data, tmp_path / "out" / "toy", capsys)

    def test_the_same_seed_writes_the_same_weights(self, data: Path, tmp_path: Path) -> None:
        for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
            assert train(data, tmp_path / name, "--epochs", "1", "--seed", seed) == 0
        first, again, other = ((tmp_path / name / MODEL).read_bytes() for name in "abc")
        assert first == again != other


def interrupt(data: Path, output: Path, *, stage: int = 0, epoch: int = 3) -> None:
    train_command.interrupt("toy", data, output, stage=stage, epoch=epoch)


class TestResuming:
    @pytest.fixture(scope="class")
    def whole(self, tmp_path_factory: pytest.TempPathFactory) -> Path:
        """The folder of a run that was never stopped."""
        folder = tmp_path_factory.mktemp("whole")
        with one_thread():
            assert train(written(folder / "data"), folder / "out", "--epochs", "4") == 0
        return folder / "out"

    @pytest.mark.parametrize(
        ("stage", "epoch", "checkpoints", "seen"),
        [
            (0, 1, [], [1, 2, 3, 4, 1, 2, 3, 4]),
            (0, 3, ["checkpoint-0.pt"], [3, 4, 1, 2, 3, 4]),
            (1, 1, ["checkpoint-0.pt"], [1, 2, 3, 4]),
            (1, 4, ["checkpoint-0.pt", "checkpoint-1.pt"], [4]),
        ],
    )
    def test_a_stopped_run_goes_on_to_the_same_weights(
        self,
        stage: int,
        epoch: int,
        checkpoints: list[str],
        seen: list[int],
        whole: Path,
        data: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        output = tmp_path / "out"
        interrupt(data, output, stage=stage, epoch=epoch)
        assert files(output) == checkpoints
        capsys.readouterr()
        assert train(data, output, "--epochs", "4") == 0
        said = capsys.readouterr().err
        assert ("going on from the checkpoint" in said) == bool(checkpoints)
        assert [int(line.split()[1]) for line in said.splitlines() if line.startswith("epoch")] == seen
        assert files(output) == ["card.md", "config.json", MODEL], "the checkpoints are gone"
        for name in (MODEL, "config.json"):
            assert (output / name).read_bytes() == (whole / name).read_bytes(), name


CHANGES: dict[str, tuple[dict[str, dict[str, bytes]], tuple[str, ...]]] = {
    "another corpus": ({"canola": SAMPLES["canola"]}, ("--corpus", "canola")),
    "one more page": ({"wcxb": page_files(7)}, ()),
    "a page that changed": ({"wcxb": page_files(3, body=html(3).replace("Home", "Start"))}, ()),
    "gold that changed": ({"wcxb": page_files(3, content=f"{TEXT}\n{TEXT}")}, ()),
    "another share held out": ({}, ("--validation", "0.5")),
}


@pytest.mark.parametrize(("changed", "more"), CHANGES.values(), ids=CHANGES)
def test_a_run_goes_on_with_the_pages_and_the_gold_that_it_began_with(
    changed: dict[str, dict[str, bytes]],
    more: tuple[str, ...],
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = tmp_path / "out"
    interrupt(data, output, epoch=2)
    before = (output / "checkpoint-0.pt").read_bytes()
    for corpus, sample in changed.items():
        write_folder(data, corpus, sample)
    capsys.readouterr()
    assert train(data, output, "--epochs", "4", *more) == 3
    said = capsys.readouterr()
    assert "checkpoint of a training on other pages" in said.err
    assert "Traceback" not in said.err
    assert said.out == ""
    assert files(output) == ["checkpoint-0.pt"]
    assert (output / "checkpoint-0.pt").read_bytes() == before
    assert train(data, output, "--epochs", "1", "--fresh", *more) == 0


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--corpus", "wcxb", "must not be trained on wcxb"),
        ("--corpus", "wcxb:test", "must not be trained on wcxb:test"),
        ("--corpus", "no-such-corpus", "no-such-corpus"),
        ("--device", "tpu", "tpu"),
        ("--features", "features", "toy has no file of features; --features is not supported"),
        ("--validation", "0", "--validation"),
        ("--validation", "1.5", "--validation"),
        ("--epochs", "0", "--epochs"),
        ("--epochs", "-1", "--epochs"),
        ("--patience", "0", "--patience"),
        ("--seed", "-1", "--seed"),
    ],
)
def test_wrong_options_are_one_line(
    option: str, value: str, message: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(data, tmp_path / "out", option, value) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("tamis: ")
    assert said.err.count("\n") == 1
    assert message in said.err
    assert not (tmp_path / "out").exists()


def test_a_model_with_one_network_is_trained_once_a_fold(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(data, tmp_path / "out", "--epochs", "1", "--folds", "2") == 0
    assert files(tmp_path / "out") == ["fold-0", "fold-1"]
    assert capsys.readouterr().err.count("2 pages to learn from, 1 held out") == 2
