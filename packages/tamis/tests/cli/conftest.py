from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.extractors import registered


@pytest.fixture(autouse=True)
def _extractors_of_tests() -> Iterator[None]:
    with registered():
        yield
