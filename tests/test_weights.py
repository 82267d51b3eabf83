from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis.errors import TamisError
from tamis.weights import WeightsError, digest, read_config, read_weights, write_config


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "model.bin").write_bytes(b"weights")
    write_config(tmp_path, {"threshold": 0.4, "words": ["straße"]}, "model.bin")
    return tmp_path


def test_what_was_written_is_read(model: Path) -> None:
    config = read_config(model)
    assert config == {"threshold": 0.4, "words": ["straße"], "digest": digest(b"weights")}
    assert read_weights(model, "model.bin") == b"weights"


def test_the_config_is_the_same_bytes_whatever_the_order_of_its_keys(model: Path) -> None:
    before = (model / "config.json").read_bytes()
    write_config(model, {"words": ["straße"], "threshold": 0.4}, "model.bin")
    assert (model / "config.json").read_bytes() == before


def test_a_folder_that_is_not_there_is_named(model: Path) -> None:
    with pytest.raises(WeightsError, match="nowhere"):
        read_config(model / "nowhere")


@pytest.mark.parametrize("missing", ["config.json", "model.bin"])
def test_a_missing_file_is_named(model: Path, missing: str) -> None:
    (model / missing).unlink()
    with pytest.raises(WeightsError, match=missing):
        read_weights(model, "model.bin")


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"digest": 1}', "\ud800"])
def test_a_damaged_config_is_an_error(model: Path, content: str) -> None:
    (model / "config.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(WeightsError, match="damaged"):
        read_config(model)


@pytest.mark.parametrize("data", [b"", b"weight", b"weightsweights"])
def test_weights_with_another_digest_are_an_error_of_one_line(model: Path, data: bytes) -> None:
    (model / "model.bin").write_bytes(data)
    with pytest.raises(TamisError, match="damaged or does not belong to its") as caught:
        read_weights(model, "model.bin")
    assert "\n" not in str(caught.value)


def test_another_models_config_does_not_fit(model: Path) -> None:
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps(config | {"digest": digest(b"other")}))
    with pytest.raises(WeightsError):
        read_weights(model, "model.bin")
