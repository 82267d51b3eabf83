"""The tables of papers, measured here and shown beside the published figures.

A paper names the function that measures its tables in its `Paper` (see `tamis.registry`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tamis import registry
from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.lab.reproduce.page import Page


def reproductions() -> dict[str, str]:
    """By name, the location (module:attribute) of the function that measures the tables of a paper.

    The first is no paper: it measures this project's own extractor.
    """
    known = {name: paper.tables for name, paper in registry.papers().items() if paper.tables}
    return {"tamis": f"{__name__}.tamis:reproduce"} | known


def registered(names: Iterable[str]) -> list[str]:
    """Those of these extractors that exist here. A table leaves out rivals whose paper was removed."""
    return [name for name in names if name in registry.extractors()]


def reproduce(paper: str, data: Path | None = None) -> Page:
    """Run a paper's experiments on the corpora in `data`.

    Raises OptionError for an unknown paper and CorpusError for a corpus that is not there.
    """
    known = reproductions()
    if paper not in known:
        raise OptionError(f"no paper is called {paper!r}; there are: {', '.join(known)}")
    return cast("Callable[[Path | None], Page]", registry.load(known[paper]))(data)
