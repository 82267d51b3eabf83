from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

import tamis
from tamis.errors import TamisError, WeightsError
from tamis.extractor.tamis import Tamis
from tamis.weights import DIGESTS, PACKAGE, digest, read_config, read_weights, write_config
from tools.digests import PACKAGES, shipped


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


@pytest.mark.parametrize("missing", ["config.json", "model.bin"])
def test_a_missing_file_is_named(model: Path, missing: str) -> None:
    (model / missing).unlink()
    with pytest.raises(WeightsError, match=missing):
        read_weights(model, "model.bin")


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"digest": 1}', "\ud800", "[" * 100_000, '{"a":' * 9_999])
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


class TestShipped:
    @pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
    def test_all_models_of_a_package_have_their_digests(self, package: Path) -> None:
        known = json.loads((package / DIGESTS).read_text(encoding="utf-8"))
        assert shipped(package) == known, "run python -m tools.digests"
        assert known

    @pytest.fixture
    def package(self, tmp_path: Path) -> Path:
        """A copy of the package that its user may damage."""
        return copytree(PACKAGE, tmp_path / "tamis", ignore=ignore_patterns("__pycache__"))

    def extract(self, package: Path) -> str:
        """What an extraction by this copy answers: the text, or the error."""
        program = """
import tamis
try:
    print(tamis.extract("<p>" + "word " * 60).text)
except tamis.TamisError as error:
    print(error)
"""
        environment = {**os.environ, "PYTHONPATH": str(package.parent)}
        command = [sys.executable, "-c", program]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    def test_a_whole_model_that_was_exchanged_is_refused(self, package: Path) -> None:
        assert self.extract(package).startswith("word word")
        folder = package / "extractor" / "weights"
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "model.safetensors").write_bytes(b"other")
        write_config(folder, config, "model.safetensors")
        refusal = "is not the file that was shipped: its digest differs"
        assert self.extract(package) == f"{folder / 'config.json'} {refusal}\n"

    def test_an_own_model_in_another_folder_is_not(self, package: Path, tmp_path: Path) -> None:
        folder = copytree(package / "extractor" / "weights", tmp_path / "mine")
        write_config(folder, read_config(folder) | {"mine": True}, "model.safetensors")
        assert tamis.extract("<p>" + "word " * 60, extractor=Tamis(folder)).text.startswith("word")

    def test_a_damaged_list_of_digests_is_named(self, package: Path) -> None:
        (package / "digests.json").write_text("{")
        assert f"{package / 'digests.json'} is damaged" in self.extract(package)
