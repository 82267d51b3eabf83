"""The tables of papers, measured here and shown beside the published figures.

A paper names the function that measures its tables in its `Paper` (see `tamis.registry`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tamis import registry
from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.lab.reproduce.page import Page


RETRIEVAL = "retrieval"


def reproductions() -> dict[str, str]:
    """By name, the location (module:attribute) of the function that measures the tables of a paper.

    The first two are no papers: `tamis` measures this project's own extractor, and `retrieval` what cleaning does for
    search.
    """
    known = {name: paper.tables for name, paper in registry.papers().items() if paper.tables}
    return {"tamis": f"{__name__}.tamis:reproduce", RETRIEVAL: f"{__name__}.retrieval:reproduce"} | known


def registered(names: Iterable[str]) -> list[str]:
    """Those of these extractors that exist here. A table leaves out rivals whose paper was removed."""
    return [name for name in names if name in registry.extractors()]


def reproduce(
    paper: str, data: Path | None = None, *, extractors: Sequence[str] = (), limit: int | None = None
) -> Page:
    """Run a paper's experiments on the corpora in `data`.

    More extractors and a limit on pages are for `retrieval` alone. Raises OptionError for an unknown paper or an
    option that it does not have, and CorpusError for a corpus that is not there.
    """
    known = reproductions()
    if paper not in known:
        raise OptionError(f"no paper is called {paper!r}; there are: {', '.join(known)}")
    function = registry.load(known[paper])
    if paper == RETRIEVAL:
        return cast("Callable[[Path | None, Sequence[str], int | None], Page]", function)(data, extractors, limit)
    if extractors or limit is not None:
        raise OptionError(f"--extractor and --limit are for `tamis reproduce {RETRIEVAL}` alone")
    return cast("Callable[[Path | None], Page]", function)(data)
