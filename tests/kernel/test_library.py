"""The library that is loaded."""

from __future__ import annotations

import os

from tamis.kernel import LIBRARY, library


def test_the_library_is_the_one_that_is_asked_for() -> None:
    """Under `make sanitized`, too: the one without sanitizers finds nothing."""
    assert library()._name == os.environ.get("TAMIS_KERNEL", str(LIBRARY))
