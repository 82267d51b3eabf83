"""The kinds of pages: seven types, and the two genres that GOCE tells apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class PageType(StrEnum):
    """What a page is for, by the names of the WCXB corpus."""

    ARTICLE = "article"
    DOCUMENTATION = "documentation"
    SERVICE = "service"
    FORUM = "forum"
    PRODUCT = "product"
    LISTING = "listing"
    COLLECTION = "collection"


class Genre(StrEnum):
    """GOCE §3.2: one body of text, or many alike."""

    ARTICLE = "article"
    LIST = "list"


@dataclass(frozen=True)
class PageTypes:
    """How likely a page is of each type."""

    probabilities: Mapping[PageType, float] = field(repr=False)  # adds up to 1

    @property
    def best(self) -> PageType:
        """The likeliest type."""
        return max(self.probabilities, key=lambda kind: self.probabilities[kind])

    @property
    def confidence(self) -> float:
        """The probability of the likeliest type."""
        return self.probabilities[self.best]


@dataclass(frozen=True)
class GenreGuess:
    """Which genre a page was taken for, how surely, and who said so."""

    genre: Genre
    confidence: float  # from 0.5 to 1
    source: str  # "picture" or "html"
    note: str = ""  # why it was not the picture, where one was to be had

    @classmethod
    def of(cls, article: float, source: str, note: str = "") -> GenreGuess:
        """From the probability that the page is an article."""
        genre = Genre.ARTICLE if article >= 0.5 else Genre.LIST
        return cls(genre, max(article, 1 - article), source, note)

    def as_dict(self) -> dict[str, object]:
        """The guess as plain data."""
        told = {"genre": str(self.genre), "confidence": round(self.confidence, 4), "source": self.source}
        return told | ({"note": self.note} if self.note else {})
