from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Tests run side by side; a few threads each for networks this small only wait for each other."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(strict)
