"""The core of the extension and the npm package in Node, without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tamis.document import Document, parse
from tests.extension.parity.harness import kernel


def labelled(documents: Iterable[Document]) -> list[dict[str, Any]]:
    """The labels of each page by the kernel in WebAssembly."""
    kernel()
    return _answers("label.mjs", map(question, documents))


def packaged(htmls: Iterable[str], url: str) -> list[dict[str, Any]]:
    """What the npm package finds in pages that jsdom reads, and writes of them."""
    return _answers("npm.mjs", ({"html": html, "url": url} for html in htmls))


def _answers(script: str, questions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed")
    asked = "".join(json.dumps(each) + "\n" for each in questions)
    command = [program, str(Path(__file__).parent / script)]
    done = subprocess.run(command, input=asked, capture_output=True, check=False, timeout=300, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr
    return [json.loads(line) for line in done.stdout.removesuffix("\n").split("\n")]


def question(document: Document) -> dict[str, Any]:
    """A page as tree.mjs reads it."""
    return {
        "tree": entries(document),
        "url": document.url,
        "visible": document.leaves.visible.tolist(),
        "folded": document.leaves.folded.tolist(),
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
