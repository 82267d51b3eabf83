"""The labels and the content of pages by the core of the extension, in Node and without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tamis import Page
from tamis.arrays import Bools
from tamis.document import Document, parse
from tests.extension.parity.harness import kernel

FORMATS = ("text", "markdown", "html")


def written(pages: Iterable[Page]) -> list[dict[str, str]]:
    """What JavaScript writes for the leaves that are kept of each page, in each format."""
    return _answers("render.mjs", (question(page.document, keep=page.labels.keep) for page in pages))


def labelled(documents: Iterable[Document]) -> list[dict[str, Any]]:
    """The labels of each page by the kernel in WebAssembly."""
    kernel()
    return _answers("label.mjs", map(question, documents))


def packaged(documents: Iterable[Document]) -> list[dict[str, Any]]:
    """What the npm package finds in each page, and writes of it."""
    return _answers("npm.mjs", map(question, documents))


def _answers(script: str, questions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed")
    asked = "".join(json.dumps(each) + "\n" for each in questions)
    command = [program, str(Path(__file__).parent / script)]
    done = subprocess.run(command, input=asked, capture_output=True, check=False, timeout=300, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr
    return [json.loads(line) for line in done.stdout.removesuffix("\n").split("\n")]


def question(document: Document, **columns: Bools) -> dict[str, Any]:
    """A page as tree.mjs reads it, and columns of leaves."""
    return {
        "tree": entries(document),
        "url": document.url,
        "visible": document.leaves.visible.tolist(),
        "folded": document.leaves.folded.tolist(),
        **{name: column.astype(int).tolist() for name, column in columns.items()},
    }


def entries(document: Document) -> list[Any]:
    """The nodes of a page in document order, as tree.mjs reads them."""
    found: list[Any] = []
    for node in document.tree.descendants:
        if isinstance(node, parse.Element):
            found.append([node.tag, dict(parse.attributes(node)), len(node)])
        elif isinstance(node, parse.Fragment):
            found.append(len(node))
        else:
            found.append(node.data if isinstance(node, parse.Text | parse.CData) else None)
    return found
