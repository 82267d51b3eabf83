"""The description of the server, and that the server keeps to it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tamis.server.models import FORMATS, usable_extractors
from tamis.server.openapi import description
from tamis.server.problems import all_kinds
from tests.project import PACKAGE, PROJECT
from tests.server import schemathesis_hooks as hooked
from tests.server.conftest import serving

DOCS = PROJECT / "docs" / "server.md"


@pytest.fixture(scope="module")
def closed() -> Iterator[str]:
    """A server that fetches nothing, whatever address is made up."""
    with serving(fetch=None) as address:
        yield address


@pytest.mark.nightly
def test_requests_made_from_the_description_find_no_fault(closed: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "schemathesis.cli", "run", f"{closed}/openapi.json"]
    options = ["--max-examples=25", "--seed=1", "--generation-deterministic", "--no-color", "--request-timeout=60"]
    hooks = os.environ | {"SCHEMATHESIS_HOOKS": hooked.__name__, "PYTHONPATH": str(PACKAGE)}
    run = subprocess.run(
        [*words, *options], cwd=tmp_path, env=hooks, capture_output=True, text=True, timeout=540, check=False
    )
    assert run.returncode == 0, run.stdout[-8_000:] + run.stderr[-2_000:]


def test_the_description_is_that_of_the_server(server: str) -> None:
    assert httpx.get(f"{server}/openapi.json").json() == description(key=False)


def test_every_option_and_extractor_is_described() -> None:
    found = description(key=False)
    request = found["components"]["schemas"]["ExtractRequest"]["properties"]
    assert request["extractor"]["enum"] == usable_extractors()
    assert set(FORMATS) <= set(found["components"]["schemas"]["Page"]["properties"])
    assert all(each.get("description") for each in request.values())


def test_the_docs_tell_every_kind_of_problem() -> None:
    text = DOCS.read_text(encoding="utf-8")
    missing = [kind.name for kinds in all_kinds().values() for kind in kinds if f"#### {kind.name}\n" not in text]
    assert not missing
