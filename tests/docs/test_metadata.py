"""The guide to metadata says what its example gives."""

from __future__ import annotations

import ast
import re
from typing import Any

import tamis
from tests.docs.pages import blocks

# An expression, and behind it its value. A comment that is no literal is prose.
_SHOWN = re.compile(r"^(metadata\.\S+)  # (.+)$", re.MULTILINE)


def test_the_values_of_the_example() -> None:
    example = next(block for block in blocks("docs/metadata.md") if block.language == "python")
    names: dict[str, Any] = {"tamis": tamis}
    exec(compile(example.code, example.id, "exec"), names)
    compared = 0
    for expression, comment in _SHOWN.findall(example.code):
        try:
            value = ast.literal_eval(comment)
        except (SyntaxError, ValueError):
            continue
        assert eval(expression, names) == value, expression
        compared += 1
    assert compared >= 10
