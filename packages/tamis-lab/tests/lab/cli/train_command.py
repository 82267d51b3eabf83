"""`tamis train` on six small pages, for the tests of the command and of each model."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tamis.cli.main import main
from tests.lab.corpora.samples import write_folder

if TYPE_CHECKING:
    from tamis_lab.training.loop import Epoch

TEXT = "These are the words of the content, and there are more of them than in any menu."


def html(number: int) -> str:
    return f"<ul><li><a href=x>Home</a><li><a href=y>News</a></ul><h1>Title {number}</h1><p>{TEXT}</p><p>{TEXT}</p>"


def page_files(number: int, *, body: str | None = None, content: str | None = None) -> dict[str, bytes]:
    """A page of its own site in WCXB's layout."""
    body = html(number) if body is None else body
    content = f"Title {number}\n{TEXT}\n{TEXT}" if content is None else content
    record = {"url": f"https://site{number}.example/", "ground_truth": {"main_content": content}}
    return {
        f"wcxb/dev/ground-truth/{number:04}.json": json.dumps(record).encode(),
        f"wcxb/dev/html/{number:04}.html.gz": gzip.compress(body.encode(), mtime=0),
    }


def written(data: Path) -> Path:
    """A data folder with six pages."""
    for number in range(6):
        write_folder(data, "wcxb", page_files(number))
    return data


def train(model: str, data: Path, output: Path, *more: str) -> int:
    """Run the command and return its exit code."""
    arguments = ["--corpus", "wcxb:dev", "--data", str(data), "-o", str(output), "--device", "cpu"]
    return main(["train", model, *arguments, "--validation", "0.3", *more])


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def interrupt(model: str, data: Path, output: Path, *, stage: int = 0, epoch: int = 3) -> None:
    """Stop a run of four epochs a stage while one of them is reported, as Ctrl-C would."""
    firsts = 0

    def report(done: Epoch) -> None:
        nonlocal firsts
        firsts += done.number == 1
        if (firsts, done.number) == (stage + 1, epoch):
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tamis_lab.cli.train._print_epoch", report)
        assert train(model, data, output, "--epochs", "4") == 130


def check_folder(model: str, file: str, data: Path, output: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Train a model of two stages for two epochs: its folder holds weights, config and card."""
    assert train(model, data, output, "--epochs", "2", "--seed", "7") == 0
    said = capsys.readouterr()
    assert said.out == f"wrote {output}\n"
    assert "4 pages to learn from, 2 held out" in said.err
    for number in (1, 2):
        assert said.err.count(f"epoch   {number}") == 2, "one for each network"
    assert files(output) == ["card.md", "config.json", file]
    config = json.loads((output / "config.json").read_text(encoding="utf-8"))
    assert (config["model"], config["trained_on"], config["seed"]) == (model, ["wcxb:dev"], 7)
    assert config["best_epoch"] in (1, 2)
    card = (output / "card.md").read_text(encoding="utf-8")
    command = f"tamis train {model} --corpus wcxb:dev --seed 7"
    assert all(
        fact in card for fact in ("`wcxb:dev`", "CC BY 4.0", "Seed 7", command, "4 training and 2 validation pages")
    )
    assert str(output.parent) not in card + json.dumps(config)
