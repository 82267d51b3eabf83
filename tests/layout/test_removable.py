"""Folders of papers can be deleted, and all else still works.

`python -m tests.layout.copies` runs the whole suite without each paper; here are the parts that know extractors.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamis.registry import PAPERS
from tests.layout.copies import PROJECT, copy_without, run_suite

# The extension ships r4 and boilernet-small; its tests are skipped where one of the two is gone.
OWN_TESTS = {paper: (f"tests/papers/{paper}/", "tests/extension/") for paper in PAPERS}


def imported(path: Path) -> list[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    members = [
        f"{node.module}.{alias.name}" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    return members + [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]


@pytest.mark.slow
def test_only_its_own_tests_import_a_paper() -> None:
    modules = [
        f"{path.relative_to(PROJECT)} imports {name}"
        for path in sorted((PROJECT / "tests").rglob("*.py"))
        for name in imported(path)
        if (paper := f"{name}...".split(".")[2]) in PAPERS and name.startswith(("tamis.papers.", "tests.papers."))
        if not path.relative_to(PROJECT).as_posix().startswith(OWN_TESTS[paper])
    ]
    assert not modules, "\n".join(modules)


def halves() -> Iterator[list[str]]:
    """Papers to delete, half of them at a time: for any two papers, one is deleted some time while the other stays."""
    for bit in range((len(PAPERS) - 1).bit_length()):
        for value in (0, 1):
            yield [paper for number, paper in enumerate(PAPERS) if number >> bit & 1 == value]


@pytest.mark.nightly
@pytest.mark.parametrize("papers", halves(), ids=" ".join)
def test_papers_can_be_deleted(papers: list[str], tmp_path: Path) -> None:
    """Every extractor that is left keeps its contract, imports follow the arrows, and the API works."""
    copy = copy_without(papers, tmp_path)
    some = "empty_page or documents_are_not_changed or listed or arrow or room or public"
    ended = run_suite(copy, "-k", some, "tests/contract", "tests/layout", "tests/test_api.py")
    assert ended.returncode == 0, ended.stdout[-3_000:]


@pytest.mark.nightly
@pytest.mark.parametrize("room", ["cli", "explain", "extractor/test_tamis.py", "metadata", "render"])
def test_the_product_needs_no_paper(room: str, tmp_path: Path) -> None:
    ended = run_suite(copy_without(PAPERS, tmp_path), f"tests/{room}")
    assert ended.returncode == 0, ended.stdout[-3_000:]
