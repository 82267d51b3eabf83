"""Prepared pages as a file."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from tamis.errors import InputError
from tamis.extractor.runs import VERSION
from tamis_lab.training import tamis_examples
from tamis_lab.training.tamis_examples import Example, PreparedPage, prepare_all, read_features, write_features
from tests.lab.training.test_tamis_examples import EMPTY, page

MADE_OF = ["wcxb:dev", "canola", "1"]


def prepared() -> list[PreparedPage]:
    pages = [page(0), EMPTY, page(1, paragraphs=5, page_type=None), page(2, extra="<p class=comment>Said")]
    return prepare_all(pages, seed=1, variants=2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "new" / "pages.safetensors"
    write_features(path, prepared(), MADE_OF)
    return path


def test_what_is_read_is_what_is_prepared(file: Path) -> None:
    found, fresh = read_features(file, MADE_OF), prepared()
    assert len(found) == len(fresh) == 4
    assert any(one.rewritten for one in found), "else they would not be compared"
    for one, other in zip(found, fresh, strict=True):
        assert (one.name, one.site, one.digest) == (other.name, other.site, other.digest)
        assert len(one.examples) == len(other.examples) == 3
        assert len(one.rewritten) == len(other.rewritten)
        for got, expected in zip(one.examples + one.rewritten, other.examples + other.rewritten, strict=True):
            for name in (field.name for field in fields(Example)):
                got_column, expected_column = np.asarray(getattr(got, name)), np.asarray(getattr(expected, name))
                assert got_column.dtype == expected_column.dtype, name
                assert np.array_equal(got_column, expected_column), name


@pytest.mark.parametrize("made_of", [["wcxb:dev", "canola", "2"], ["canola", "wcxb:dev", "1"], ["wcxb:dev", "1"]])
def test_a_file_of_other_corpora_or_another_seed_is_not_taken(made_of: list[str], file: Path) -> None:
    with pytest.raises(InputError, match=f"{file}: made of other corpora"):
        read_features(file, made_of)


def test_nor_is_one_of_other_columns(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tamis_examples, "VERSION", VERSION + 1)
    with pytest.raises(InputError, match="another version"):
        read_features(file, MADE_OF)


@pytest.mark.parametrize("size", [0, 7, 1_000, -1])
def test_a_damaged_file_is_an_error(size: int, file: Path) -> None:
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(InputError, match=f"{file}: no file of features"):
        read_features(file, MADE_OF)


def test_other_files_and_folders_are_errors(tmp_path: Path) -> None:
    save_file({"a": np.zeros(3)}, tmp_path / "other")
    for path in (tmp_path / "other", tmp_path):
        with pytest.raises(InputError, match="no file of features"):
            read_features(path, MADE_OF)


def test_a_place_that_cannot_be_written_to(file: Path) -> None:
    with pytest.raises(InputError, match="can't be written"):
        write_features(file / "inside", prepared(), MADE_OF)
