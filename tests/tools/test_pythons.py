"""The versions of Python that tamis promises to run on, and the interpreters that are found for them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import pythons

HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"


def test_the_classifiers_begin_with_the_oldest_version_and_have_no_gap() -> None:
    minors = [int(version.removeprefix("3.")) for version in pythons.promised()]
    assert pythons.PROJECT["requires-python"] == f">=3.{minors[0]}"
    assert minors == list(range(minors[0], minors[0] + len(minors)))


def script(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_a_shim_of_a_version_that_is_not_there_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "python3.12", "exit 127")
    found = script(tmp_path / "python3.13", "echo 3.13")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pythons.interpreters([]) == {"3.13": found}
    assert pythons.interpreters([sys.executable]) == {"3.13": found, HERE: sys.executable}


@pytest.mark.slow
def test_a_named_interpreter_must_run(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="does not run as Python"):
        pythons.interpreters([str(tmp_path / "python")])
