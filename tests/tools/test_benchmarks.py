"""Benchmarks end with one line where something is missing, and `make bench` forgets none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import COMMANDS, LEFT_OUT
from tests.project import PROJECT

HELPERS = {"__init__", "__main__", "pages"}
NEED_A_CORPUS = ("speed", "tamis", "outputs", "metadata", "explain", "parsers speed")


def test_every_benchmark_is_run_or_left_out_with_a_reason() -> None:
    modules = {path.stem for path in (PROJECT / "benchmarks").glob("*.py")} - HELPERS
    assert {command.split()[0] for command in COMMANDS} == modules
    assert not set(COMMANDS) & set(LEFT_OUT)
    assert all(LEFT_OUT.values())


@pytest.mark.slow
@pytest.mark.parametrize("command", NEED_A_CORPUS)
def test_a_missing_corpus_is_one_line(command: str, tmp_path: Path) -> None:
    (line,) = run(command, tmp_path)
    assert line.startswith(f"this benchmark can't run: wcxb is not in {tmp_path}: looked for wcxb")
    assert "get it: " in line
    assert line.endswith("set TAMIS_DATA to the folder that holds it")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "package", "source"),
    [
        ("web2text", "onnxruntime", "-e 'packages/tamis-papers[neural]'"),
        ("extension", "playwright", "-e 'packages/tamis[render]'"),
        ("batch --pages 1", "fastwarc", "-e 'packages/tamis[batch]'"),
    ],
)
def test_a_missing_package_is_one_line(command: str, package: str, source: str, tmp_path: Path) -> None:
    # A file that raises plays a package that is not installed.
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    raises = f"raise ModuleNotFoundError('no', name={package!r})"
    blocked.joinpath(f"{package}.py").write_text(raises)
    (line,) = run(command, tmp_path, str(blocked))
    assert line == f"this benchmark can't run: it needs {package}: {sys.executable} -m pip install {source}"


def run(command: str, data: Path, *paths: str) -> list[str]:
    """The lines on standard error."""
    path = os.pathsep.join(map(str, [*paths, *PROJECT.glob("packages/*/src")]))
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{command.split()[0]}", *command.split()[1:]],
        cwd=PROJECT,
        env=os.environ | {"TAMIS_DATA": str(data), "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    return done.stderr.splitlines()
