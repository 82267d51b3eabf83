"""The container installs the locked packages, by their hashes."""

from __future__ import annotations

import json

import pytest

from tools.hashed import hashed
from tools.lock import LOCK


def plan(*names: str) -> str:
    return json.dumps({"install": [{"metadata": {"name": name}} for name in names]})


def test_every_planned_package_has_its_hashes() -> None:
    lock = LOCK.read_text(encoding="utf-8")
    found = hashed(plan("tamis", "Starlette", "uvicorn", "typing_extensions"), lock)
    assert [entry.partition("==")[0] for entry in found] == ["starlette", "typing-extensions", "uvicorn"]
    assert all(entry in lock and "--hash=sha256:" in entry for entry in found)


def test_a_package_that_is_not_locked_is_an_error() -> None:
    with pytest.raises(ValueError, match="made-up"):
        hashed(plan("starlette", "made_up"), LOCK.read_text(encoding="utf-8"))
