from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from tamis.weights import read_weights
from tamis_lab.cli.train import add_parser
from tamis_lab.training.loop import Epoch, Schedule
from tamis_lab.training.models import TrainingRun, write_results

HISTORY = [Epoch(1, 0.9, 0.5, 0.5), Epoch(2, 0.7, 0.8125, 0.8125), Epoch(3, 0.5, 0.8125, 0.8125)]
SCHEDULE = Schedule(epochs=3, batch_pages=4, learning_rate=0.0005, patience=2, seed=7)


def command_line() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    return parser


def written(folder: Path, **changes: Any) -> tuple[dict[str, Any], str]:
    """The config and the card of a run."""
    (folder / "model.bin").write_bytes(b"weights")
    facts: dict[str, Any] = {
        "model": "some-model",
        "paper": "Somebody: Something, 2020.",
        "sources": ["wcxb:dev", "canola"],
        "pages": 90,
        "validation_pages": 10,
        "validation": 0.1,
        "schedule": SCHEDULE,
        "history": HISTORY,
        "seconds": 61.7,
    }
    write_results(folder, "model.bin", TrainingRun(**facts | changes), {"threshold": 0.4})
    config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return config, (folder / "card.md").read_text(encoding="utf-8")


def test_the_config_has_what_the_model_says_and_how_it_was_trained(tmp_path: Path) -> None:
    config, _ = written(tmp_path)
    assert config["threshold"] == 0.4
    assert config["model"] == "some-model"
    assert config["trained_on"] == ["wcxb:dev", "canola"]
    assert config["seed"] == 7
    assert Schedule(**config["schedule"]) == SCHEDULE
    assert read_weights(tmp_path, "model.bin") == b"weights", "the digest is that of the file"


def test_folders_are_written_in_one_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my-site").mkdir()
    monkeypatch.chdir(tmp_path)
    config, card = written(tmp_path, sources=["./my-site/", "my-site:all", "canola"])
    place = str(tmp_path.resolve() / "my-site")
    assert config["trained_on"] == [place, f"{place}:all", "canola"]
    assert "--corpus ./my-site/ --corpus my-site:all" in card, "the command is the one that was given"


def test_training_that_goes_on_in_the_same_folder_forgets_no_corpus(tmp_path: Path) -> None:
    written(tmp_path, sources=["canola"])
    config, _ = written(tmp_path, sources=["wcxb:dev"], start=str(tmp_path))
    assert config["trained_on"] == ["wcxb:dev", "canola"]
    assert config["start"] == str(tmp_path)


def test_where_the_rate_decays_the_last_epoch_is_the_one_that_is_kept(tmp_path: Path) -> None:
    history = [*HISTORY[:2], Epoch(3, 0.5, 0.75, 0.8125)]
    config, card = written(tmp_path, schedule=replace(SCHEDULE, decay=True), history=history)
    assert config["best_epoch"] == 3
    assert config["schedule"]["decay"] is True
    assert "last of 3 epochs: 3." in card
    assert "| F1 of content over validation leaves | 0.7500 |" in card, "the score of what is shipped, not the best"


def test_the_card_names_paper_data_licences_and_command(tmp_path: Path) -> None:
    _, card = written(tmp_path)
    assert card.startswith("# some-model\n\nSomebody: Something, 2020.\n")
    assert "90 training and 10 validation pages" in card
    assert "- `wcxb:dev`: " in card
    assert "(CC BY 4.0)" in card
    assert "- `canola`: " in card
    assert (
        "`tamis train some-model --corpus wcxb:dev --corpus canola --seed 7 --epochs 3 --patience 2 "
        "--validation 0.1 --device cpu`"
    ) in card
    assert "learning rate\n0.0005" in card
    assert "It took 62 seconds" in card


@pytest.mark.parametrize(("folds", "start"), [(None, ""), (5, ""), (None, "tamis")])
def test_the_command_is_one_that_can_be_given(folds: int | None, start: str, tmp_path: Path) -> None:
    _, card = written(tmp_path, folds=folds, start=start)
    (command,) = [line.strip("`") for line in card.splitlines() if line.startswith("`tamis train")]
    options = command_line().parse_args(command.split()[1:])
    assert (options.model, options.corpus) == ("some-model", ["wcxb:dev", "canola"])
    assert (options.seed, options.epochs, options.patience, options.validation, options.device) == (7, 3, 2, 0.1, "cpu")
    assert (options.folds, options.start or "") == (folds, start)
