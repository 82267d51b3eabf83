"""What all tests share; their helpers are in packages/tamis/tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.environment import one_thread, own_chromium

# How many examples a property is tried on. `make nightly` passes --hypothesis-profile=nightly.
settings.register_profile("quick", max_examples=30, deadline=None)
settings.register_profile("nightly", max_examples=1_000, deadline=None)
settings.load_profile("quick")

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # it would report to the web, and write into the home folder


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Tests run side by side; a few threads each for networks this small only wait for each other."""
    with one_thread():
        yield


@pytest.fixture
def chromium() -> Iterator[None]:
    """For a test that wants a browser."""
    with own_chromium():
        yield
