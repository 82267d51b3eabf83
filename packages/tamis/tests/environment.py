"""What tests change in their process, and take back: the threads of PyTorch, and which Chromium there is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

# Extractors that look at pages would start a browser for each of thousands of pages, in every process of the tests.
# Tests that want one take the fixture `chromium`.
_VARIABLE = "TAMIS_CHROMIUM"
# Remembered in the environment, too: the processes that tests are spread over read this file again.
_CHOSEN = os.environ.setdefault("TAMIS_TESTS_CHROMIUM", os.environ.get(_VARIABLE, ""))
os.environ[_VARIABLE] = "none"


@contextmanager
def one_thread() -> Iterator[None]:
    """Networks this small get slower by more threads; what a test turns on in PyTorch ends with it."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(strict)


@contextmanager
def own_chromium() -> Iterator[None]:
    """The machine's own Chromium, or the one that was chosen before the tests began; skips where there is none."""
    from tamis.web.browser import is_browser_available

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(_VARIABLE, _CHOSEN)
        if not is_browser_available():
            pytest.skip("no Chromium or no Playwright here")
        yield
