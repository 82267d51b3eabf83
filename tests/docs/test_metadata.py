"""The guide to metadata says what its example gives."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import pytest

import tamis
from tamis.metadata import details
from tests.docs.pages import PROJECT, CodeBlock, blocks

# An expression, followed by its value. A comment that is not a literal is prose.
_SHOWN = re.compile(r"^(metadata\.\S+)  # (.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def example() -> CodeBlock:
    return next(block for block in blocks("docs/reference/metadata.md") if block.language == "python")


@pytest.fixture(scope="module")
def names(example: CodeBlock) -> dict[str, Any]:
    """What the example leaves behind."""
    found: dict[str, Any] = {"tamis": tamis}
    exec(compile(example.code, example.id, "exec"), found)
    return found


def test_the_values_of_the_example(example: CodeBlock, names: dict[str, Any]) -> None:
    compared = 0
    for expression, comment in _SHOWN.findall(example.code):
        try:
            value = ast.literal_eval(comment)
        except (SyntaxError, ValueError):
            continue
        assert eval(expression, names) == value, expression
        compared += 1
    assert compared >= 10


def test_the_front_matter_is_that_of_the_example_page() -> None:
    shown = next(block.code for block in blocks("docs/reference/outputs.md") if block.language == "text")
    assert shown.strip() == tamis.extract(PROJECT / "examples" / "harbour.html").front_matter.strip()


def test_the_fields_that_the_command_writes(names: dict[str, Any]) -> None:
    """Confidences and the order of sources may change with the weights."""
    shown = json.loads(next(block.code for block in blocks("docs/reference/metadata.md") if block.language == "text"))
    found = details(names["metadata"])
    for name, field in shown.items():
        if isinstance(field, dict):
            written = found[name]
            assert isinstance(written, dict)
            assert [*field] == [*written]
            assert field["value"] == written["value"]
            assert field.get("datetime") == written.get("datetime")
