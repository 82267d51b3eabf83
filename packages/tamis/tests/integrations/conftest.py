from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integrations.harbour import Site
from tests.servers import LocalServer


@pytest.fixture(scope="module")
def site() -> Iterator[LocalServer]:
    with LocalServer(Site).running() as running:
        yield running
