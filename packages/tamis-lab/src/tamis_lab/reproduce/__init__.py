"""The tables of papers, measured here and shown beside the published figures.

An entry point of the group `tamis.tables` names the function that measures the tables of a paper. Two of them are no
papers: `tamis` measures this project's own extractor, and `retrieval` what cleaning does for search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tamis.errors import OptionError
from tamis.plugins import TABLES, named

if TYPE_CHECKING:
    from tamis_lab.reproduce.page import ReproducedPage


RETRIEVAL = "retrieval"


def reproduce(
    paper: str, data: Path | None = None, *, extractors: Sequence[str] = (), limit: int | None = None
) -> ReproducedPage:
    """Run a paper's experiments on the corpora in `data`.

    More extractors and a limit on pages are for `retrieval` alone. Raises OptionError for an unknown paper or an
    option that it does not have, and CorpusError for a corpus that is not there.
    """
    known = named(TABLES)
    if paper not in known:
        raise OptionError(f"no paper is called {paper!r}; there are: {', '.join(known)}")
    function = known[paper].load()
    if paper == RETRIEVAL:
        return cast("Callable[[Path | None, Sequence[str], int | None], ReproducedPage]", function)(
            data, extractors, limit
        )
    if extractors or limit is not None:
        raise OptionError(f"--extractor and --limit are for `tamis reproduce {RETRIEVAL}` alone")
    return cast("Callable[[Path | None], ReproducedPage]", function)(data)
