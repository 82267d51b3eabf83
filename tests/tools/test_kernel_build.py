"""build.py of the kernel without a compiler, or with one that fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.lock import PACKAGES


def built(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Compile the library into a folder, with these variables only."""
    command = [sys.executable, str(PACKAGES[0] / "kernel" / "build.py"), "library", str(folder / "kernel.so")]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_without_a_compiler_one_line_says_what_to_install(tmp_path: Path) -> None:
    ended = built(tmp_path, PATH=str(tmp_path))
    assert ended.returncode == 1
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert "no 'cc' here: install gcc or clang" in line


@pytest.mark.slow
def test_what_a_compiler_says_is_shown_and_the_old_library_stays(tmp_path: Path) -> None:
    (tmp_path / "kernel.so").write_text("old")
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\necho 'runs.c:1: no such thing' >&2\nexit 3\n")
    compiler.chmod(0o755)
    ended = built(tmp_path, PATH="/usr/bin:/bin", CC=f"{compiler} --option")
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [
        "runs.c:1: no such thing",
        f"{compiler} could not compile the kernel of tamis; see its messages above",
    ]
    assert {path.name for path in tmp_path.iterdir()} == {"kernel.so", "compiler"}
    assert (tmp_path / "kernel.so").read_text() == "old"
