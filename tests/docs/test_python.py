"""Every block of Python in the documentation runs. Names are carried over from block to block of a page."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

import tamis
from tests.docs.pages import CodeBlock, all_blocks

PAGES = {page: list(found) for page, found in groupby(all_blocks("python"), key=lambda block: block.page)}

# A package that the blocks of a page need, and that comes with the extra that the page is about.
PACKAGES = {
    "docs/how-to/batch.md": "fastwarc",
    "docs/reference/batch.md": "fastwarc",
    "docs/how-to/batch-engines.md": "datatrove",
    "docs/how-to/dataframes.md": "polars",
    "docs/how-to/haystack.md": "haystack",
    "docs/reference/inputs.md": "bs4",
    "docs/how-to/langchain.md": "langchain_core",
    "docs/how-to/llama-index.md": "llama_index",
    "docs/how-to/mcp.md": "mcp",
    "docs/how-to/scrapy.md": "scrapy",
    "docs/how-to/server.md": "starlette",
    "docs/how-to/switch.md": "llama_index",
    "packages/tamis-papers/src/tamis_papers/goce/README.md": "torch",
}

# Blocks that can't run here, by a word of theirs, and why. Their imports are run all the same.
NOT_RUN = {'device="cuda"': "needs a GPU", 'tamis.fetch("https': "needs the web"}


class Frame:
    """Stands for a frame of Spark, which takes ten seconds to start: it hands over the pages as Spark does."""

    def __init__(self, html: str) -> None:
        self.html = html

    def mapInPandas(  # Spark's own name
        self, function: Callable[[Iterator[Any]], Iterator[Any]], schema: str
    ) -> list[Any]:
        import pandas

        assert schema
        return list(function(iter([pandas.DataFrame({"id": ["1"], "html": [self.html]})])))


def names_of(page: str, html: str) -> dict[str, Any]:
    """What a reader of this page has at hand."""
    names: dict[str, Any] = {"tamis": tamis, "html": html, "pages": [html, html.encode(), (html, "https://a.example/")]}
    if page == "docs/how-to/batch-engines.md":
        from datatrove.pipeline.writers import JsonlWriter

        # Its reader needs the system's libmagic; here a lambda replaces it.
        names |= {"WarcReader": lambda folder: folder, "JsonlWriter": JsonlWriter, "frame": Frame(html)}
    return names


@pytest.mark.xdist_group("batch-workers")
@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_run(page: str, html: str, examples: Path) -> None:
    if page in PACKAGES:
        pytest.importorskip(PACKAGES[page])
    names = names_of(page, html)
    for block in PAGES[page]:
        run(block, names)
    if page == "README.md":
        assert "swing bridge" in names["page"].text
    if page == "docs/how-to/batch.md":
        assert isinstance(names["result"], tamis.Extracted)
    if page == "docs/how-to/explain.md":
        assert names["block"].reasons
    if page == "docs/how-to/batch-engines.md":
        assert "swing bridge" in names["pages"][0]["text"][0]
        from tamis.integrations import spark

        assert spark._pool is not None
        spark._pool[1].close()  # ends with the worker of Spark, which here is this process


def run(block: CodeBlock, names: dict[str, Any]) -> None:
    """Run a block with these names; of one that can't run the imports."""
    tree = ast.parse(block.code)
    if any(word in block.code for word in NOT_RUN):
        tree.body = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        assert tree.body, block.id
    exec(compile(tree, block.id, "exec"), names)
