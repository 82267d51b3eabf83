"""One Chromium with the core in it for all tests of this folder; test_parity.py has its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import own_chromium
from tests.extension.parity.harness import Core, core_in_chromium


@pytest.fixture(scope="package")
def core() -> Iterator[Core]:
    """The core in a real browser."""
    with own_chromium(), core_in_chromium() as running:
        yield running
