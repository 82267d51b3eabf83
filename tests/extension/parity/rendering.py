"""The content of pages as the core of the extension writes it, in Node and without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tamis import Page
from tamis.document import Document, parse

FORMATS = ("text", "markdown", "html")


def answers(pages: Iterable[Page]) -> list[dict[str, str]]:
    """What JavaScript writes for the leaves that are kept of each page, in each format."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed")
    asked = "".join(json.dumps(question(page)) + "\n" for page in pages)
    script = str(Path(__file__).parent / "render.mjs")
    done = subprocess.run(
        [program, script], input=asked, capture_output=True, check=False, timeout=300, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr
    return [json.loads(line) for line in done.stdout.removesuffix("\n").split("\n")]


def question(page: Page) -> dict[str, Any]:
    """A page as render.mjs reads it."""
    return {
        "tree": entries(page.document),
        "url": page.document.url,
        "visible": page.document.leaves.visible.tolist(),
        "folded": page.document.leaves.folded.tolist(),
        "keep": page.labels.keep.astype(int).tolist(),
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
