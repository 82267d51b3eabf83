"""What a source says about a field. `decide` chooses between candidates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from tamis.document.dates import Moment

# The value of a field: a text, several (authors, tags, categories), a moment (dates), or a mark (paywall).
Value = str | tuple[str, ...] | Moment | bool


class Candidate(NamedTuple):
    """A usable value of a field, and where it was found."""

    value: Value
    source: str  # json-ld, opengraph, twitter, microdata, rdfa, meta, address, visible or content
    place: str  # within the source, for people and for the weights: "Article.headline", "og:title", "h1"
    row: int = -1  # of the element that shows it, if one does


class Source(Protocol):
    """A part of the page that has metadata."""

    def candidates(self, field: str) -> Iterable[Candidate]:
        """The candidates for a field, the source's best first. Unusable values are left out."""
        ...
