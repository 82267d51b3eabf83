"""In a place without corpora each verb says in one line what is missing, and where to get it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.cli.main import main


@pytest.mark.parametrize(
    ("words", "corpus"),
    [
        (["bench", "--corpus", "chaos"], "chaos"),
        (["bench", "--structure"], "wcxb"),
        (["corpora", "--alignment", "--corpus", "dragnet"], "dragnet"),
        (["reproduce", "tamis"], "wcxb"),
    ],
)
def test_one_corpus(words: list[str], corpus: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--data", str(tmp_path)]) == 3
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert line.startswith(f"tamis: {corpus} is not in {tmp_path}: looked for ")
    assert "; get it: " in line
    assert line.endswith("; then set TAMIS_DATA to the folder that holds it")
    assert not out


def test_several_corpora(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpora = [word for name in ("wcxb:dev", "wcxb", "chaos") for word in ("--corpus", name)]
    assert main(["bench", "--metadata", *corpora, "--data", str(tmp_path)]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"tamis: wcxb, chaos are not in {tmp_path}: `tamis corpora` says where to get each")


@pytest.mark.parametrize(
    ("paper", "first", "second"), [("boilerpipe", "l3s-gn1", "cleaneval"), ("r4", "cleaneval", "googletrends-2017")]
)
def test_a_paper_of_two_corpora(
    paper: str, first: str, second: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also if the second alone is missing: it is needed after minutes."""
    assert main(["reproduce", paper, "--data", str(tmp_path)]) == 3
    assert f"{first}, {second} are not in" in capsys.readouterr().err
    (tmp_path / first).mkdir()
    assert main(["reproduce", paper, "--data", str(tmp_path)]) == 3
    assert f"{second} is not in" in capsys.readouterr().err


def test_the_list_says_that_none_is_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpora", "--data", str(tmp_path)]) == 0
    line = capsys.readouterr().out.splitlines()[-2]
    assert line.startswith("0 of ")
    assert line.endswith("put them there as published, zipped or unpacked, or name another folder by TAMIS_DATA")
