"""The fuzzer of the kernel, for a few inputs; `make fuzz-kernel` tries more."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here, which has the sanitizers")
def test_random_and_damaged_tables_do_no_harm(tmp_path: Path) -> None:
    program = tmp_path / "fuzz"
    environment = {"PATH": "/usr/bin:/bin", "CC": "gcc"}
    compiled = [sys.executable, str(ROOT / "kernel" / "fuzz" / "programs.py"), "fuzz", str(program)]
    subprocess.run(compiled, env=environment, check=True)
    subprocess.run([program, "1000", "1"], env=environment, check=True)
