"""A property that is computed once an object: without a lock, and safe in a process that is forked."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tamis.cached import cached_property
from tests.layout.test_arrows import ROOT

# Threads read pages while the process is forked, as by multiprocessing on Linux; the child reads one, too.
_FORKS = """
import os, signal, threading
import tamis

page = "<article><h1>Quay</h1>" + "<p>The ferry leaves at half past six in the morning.</p>" * 60 + "</article>"
tamis.extract(page).json
ended = threading.Event()

def work():
    while not ended.is_set():
        tamis.extract(page).json

for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
hung = 0
for _ in range(12):
    child = os.fork()
    if not child:
        signal.alarm(10)
        tamis.extract(page).metadata
        os._exit(0)
    hung += os.waitpid(child, 0)[1] != 0
ended.set()
print(hung)
"""


class Page:
    def __init__(self) -> None:
        self.computed = 0

    @cached_property
    def words(self) -> int:
        """How many."""
        self.computed += 1
        return 7


def test_it_is_computed_once_an_object() -> None:
    one, other = Page(), Page()
    assert (one.words, one.words, one.computed, other.computed) == (7, 7, 1, 0)
    assert Page.words.__doc__ == "How many."


def test_the_lock_of_functools_is_not_in_use() -> None:
    imports = re.compile(r"from functools import .*\bcached_property")
    assert [path for path in ROOT.rglob("*.py") if imports.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_while_threads_extract_does_not_hang() -> None:
    run = subprocess.run([sys.executable, "-c", _FORKS], capture_output=True, text=True, check=False, timeout=150)
    assert (run.returncode, run.stdout) == (0, "0\n"), run.stderr
