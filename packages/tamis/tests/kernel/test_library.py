"""The library that is loaded."""

from __future__ import annotations

import ctypes.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tamis.document import Document
from tamis.extractor.runs import PageRuns
from tamis.kernel import LIBRARY, library


def test_the_library_is_the_one_that_is_asked_for() -> None:
    """Under `make sanitized`, too: the one without sanitizers finds nothing."""
    assert library()._name == os.environ.get("TAMIS_KERNEL", str(LIBRARY))


@pytest.mark.parametrize("other", ["/nowhere/kernel.so", ctypes.util.find_library("c") or "libc.so.6"])
def test_a_library_that_is_none_of_ours_is_named(other: str) -> None:
    program = "import tamis\ntry: tamis.extract('<p>x')\nexcept tamis.TamisError as error: print(error)"
    environment = os.environ | {"TAMIS_KERNEL": other}
    said = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert "can't be loaded" in said.stdout, said.stderr
    assert "make packages/tamis/src/tamis/kernel/kernel.so" in said.stdout


def test_labels_can_be_asked_for_again() -> None:
    runs = PageRuns(Document.from_html("<h1>A title</h1><p>some text"))
    for _ in range(5_000):
        labels = runs.label_all()
    assert labels.keep.any()


@pytest.mark.skipif(sys.platform != "linux", reason="only libraries of Linux are looked at")
@pytest.mark.skipif("TAMIS_KERNEL" in os.environ, reason="a library for a debugger can lose what is only for that")
@pytest.mark.parametrize("share", [0.01, 0.3, 0.7, 0.95])
def test_a_library_that_is_cut_is_an_error_and_not_a_signal(tmp_path: Path, share: float) -> None:
    whole = Path(library()._name).read_bytes()
    cut = tmp_path / "kernel.so"
    cut.write_bytes(whole[: int(len(whole) * share)])
    program = "import tamis\ntry: tamis.extract('<p>x')\nexcept tamis.TamisError as error: print(error)"
    environment = os.environ | {"TAMIS_KERNEL": str(cut)}
    said = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert said.returncode == 0
    assert "can't be loaded" in said.stdout


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
