"""Short texts that must or must not be in an extraction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class SnippetScores(NamedTuple):
    """How many snippets of either kind were found."""

    present: int  # wanted and there
    missing: int  # wanted and not there
    intruding: int  # unwanted and there
    absent: int  # unwanted and not there


def snippets(found: str, wanted: Iterable[str], unwanted: Iterable[str]) -> SnippetScores:
    """Look for each snippet in the text found (WCXB's `with` and `without`; trafilatura).

    White space of any length is one space and case does not matter. trafilatura heeds case; WCXB
    does not say. Blank snippets are left out.
    """
    text = _folded(found)
    wanted_found = [snippet in text for snippet in map(_folded, wanted) if snippet]
    unwanted_found = [snippet in text for snippet in map(_folded, unwanted) if snippet]
    present, intruding = sum(wanted_found), sum(unwanted_found)
    return SnippetScores(present, len(wanted_found) - present, intruding, len(unwanted_found) - intruding)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
