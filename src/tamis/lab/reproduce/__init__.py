"""The papers' own tables, measured here and set beside what the papers print."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from tamis import registry
from tamis.errors import OptionError
from tamis.lab.reproduce.page import Page


def reproductions() -> dict[str, str]:
    """Where the function that measures the tables of each paper stands, as module:attribute."""
    known = {name: paper.tables for name, paper in registry.papers().items() if paper.tables}
    return {"tamis": "tamis.lab.reproduce.tamis:reproduce"} | known  # no paper: this project's own figures


def reproduce(paper: str, data: Path | None = None) -> Page:
    """Run a paper's experiments on the corpora in `data`. Raises OptionError and CorpusError."""
    known = reproductions()
    if paper not in known:
        raise OptionError(f"no paper is called {paper!r}; there are: {', '.join(known)}")
    return cast("Callable[[Path | None], Page]", registry.load(known[paper]))(data)
