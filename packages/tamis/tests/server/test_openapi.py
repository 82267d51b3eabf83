"""The description of the server, and that the server keeps to it."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema  # type: ignore[import-untyped]
import pytest

from tamis import extract
from tamis.server import problems
from tamis.server.models import FORMATS, usable_extractors
from tamis.server.openapi import description
from tests.golden import golden_page
from tests.project import PACKAGE, PROJECT
from tests.server import schemathesis_hooks as hooked
from tests.server.conftest import serving

DOCS = PROJECT / "docs" / "how-to" / "server.md"


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
    request = description(key=False)["components"]["schemas"]["ExtractRequest"]["properties"]
    assert request["extractor"]["enum"] == usable_extractors()
    assert all(each.get("description") for each in request.values())


@pytest.mark.parametrize("name", ["blog-with-comments", "gallery", "recipe"])
def test_answers_are_as_described_to_the_last_field(server: str, name: str) -> None:
    page = golden_page(name).html
    wanted = {"html": page, "url": "https://example.org/", "formats": FORMATS, "blocks": True}
    everything = httpx.post(f"{server}/v1/extract", json=wanted, timeout=60).json()
    assert_as_described(everything, "Page")
    assert_as_described(httpx.post(f"{server}/v1/explain", json=wanted, timeout=60).json(), "Explanation")
    known = extract(page, url="https://example.org/").as_dict(blocks=True)
    assert all(known[field] == value for field, value in everything.items() if field in known)


@pytest.mark.parametrize(
    ("path", "schema"), [("/v1/extractors", "Extractors"), ("/healthz", "Health"), ("/missing", "Problem")]
)
def test_other_answers_are_as_described(server: str, path: str, schema: str) -> None:
    assert_as_described(httpx.get(f"{server}{path}").json(), schema)


def assert_as_described(answer: dict[str, Any], name: str) -> None:
    """The answer has the fields of the schema, none more and none less, and so has all that is in it."""
    schemas: dict[str, Any] = copy.deepcopy(description(key=False)["components"]["schemas"])
    for schema in schemas.values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    jsonschema.validate(answer, {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}})
    assert set(answer) == set(schemas[name]["properties"])


def test_the_docs_tell_every_kind_of_problem() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert [name for name in problems.names() if f"#### {name}\n" not in text] == []
