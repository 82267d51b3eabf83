"""The fuzzer of the kernel, for some thousand inputs; `make fuzz-kernel` tries more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNEL = Path(__file__).resolve().parents[2] / "kernel"


@pytest.mark.skipif("TAMIS_KERNEL" not in os.environ, reason="a part of make sanitized, since it is compiled for long")
def test_random_and_damaged_tables_do_no_harm(tmp_path: Path) -> None:
    program, corpus = tmp_path / "fuzz", tmp_path / "corpus"
    # Not under the sanitizer that was loaded before Python: the compiler has no need of it, and the program its own.
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "FUZZ_CC")}
    built = subprocess.run(
        [sys.executable, KERNEL / "build.py", "fuzz", program], env=environment, capture_output=True, text=True
    )
    if "no libFuzzer here" in built.stderr or "there is no 'clang' here" in built.stderr:
        pytest.skip(built.stderr.strip())
    assert built.returncode == 0, built.stderr
    subprocess.run([sys.executable, KERNEL / "fuzz" / "corpus.py", corpus], check=True)
    limits = ("-runs=5000", "-seed=1", "-max_len=4096", "-timeout=10", f"-artifact_prefix={tmp_path}/")
    subprocess.run([program, *limits, f"-dict={corpus / 'words'}", corpus / "seeds"], env=environment, check=True)
