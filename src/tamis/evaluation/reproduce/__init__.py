"""The papers' own tables, measured here and set beside what the papers print."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from tamis.errors import OptionError
from tamis.evaluation.reproduce.page import Page

# Paper by name, and the module with a function `reproduce(data: Path | None) -> Page`.
PAPERS = {
    "boilernet": "tamis.evaluation.reproduce.boilernet",
    "boilerpipe": "tamis.evaluation.reproduce.boilerpipe",
    "goce": "tamis.evaluation.reproduce.goce",
    "r4": "tamis.evaluation.reproduce.r4",
    "tamis": "tamis.evaluation.reproduce.tamis",  # no paper: this project's own figures
    "web2text": "tamis.evaluation.reproduce.web2text",
}


def reproduce(paper: str, data: Path | None = None) -> Page:
    """Run a paper's experiments on the corpora in `data`. Raises OptionError and CorpusError."""
    if paper not in PAPERS:
        raise OptionError(f"no paper is called {paper!r}; there are: {', '.join(PAPERS)}")
    return cast("Page", import_module(PAPERS[paper]).reproduce(data))
