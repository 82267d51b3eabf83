"""The fuzzer of the kernel, for some thousand inputs; `make fuzz-kernel` tries more."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parents[2] / "kernel" / "fuzz"
INPUTS = "3000"


@pytest.mark.skipif("TAMIS_KERNEL" not in os.environ, reason="a part of make sanitized, since it is compiled for long")
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here, which has the sanitizers")
def test_random_and_damaged_tables_do_no_harm(tmp_path: Path) -> None:
    program, corpus = tmp_path / "fuzz", tmp_path / "corpus"
    subprocess.run([sys.executable, FUZZ / "corpus.py", corpus], check=True)
    # Not under the sanitizer that was loaded before Python: the compiler has no need of it, and the program its own.
    environment = {"PATH": os.environ["PATH"], "CC": "gcc"}
    subprocess.run([sys.executable, FUZZ / "programs.py", "fuzz", program], env=environment, check=True)
    subprocess.run([program, INPUTS, "1", corpus], env=environment, check=True)
