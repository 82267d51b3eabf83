from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("protego")


from tests.web.internet import PUBLIC, Internet


@pytest.fixture
def internet(monkeypatch: pytest.MonkeyPatch) -> Iterator[Internet]:
    """Two public hosts; a test adds names and answers."""
    with Internet().instead_of_the_real_one(monkeypatch) as running:
        running.names |= {"oven.example": [[PUBLIC[0]]], "mill.example": [[PUBLIC[2]]]}
        yield running
