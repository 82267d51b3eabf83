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
