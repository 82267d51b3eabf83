"""The kinds of pages: seven types, and the two genres of GOCE."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class PageType(StrEnum):
    """The purpose of a page, by the names of the WCXB corpus."""

    ARTICLE = "article"
    DOCUMENTATION = "documentation"
    SERVICE = "service"
    FORUM = "forum"
    PRODUCT = "product"
    LISTING = "listing"
    COLLECTION = "collection"


class Genre(StrEnum):
    """GOCE §3.2: a page with one body of text, or with a list of similar ones."""

    ARTICLE = "article"
    LIST = "list"


@dataclass(frozen=True)
class PageTypes:
    """The probability of each type for one page."""

    probabilities: Mapping[PageType, float] = field(repr=False)  # their sum is 1

    @property
    def best(self) -> PageType:
        """The most likely type."""
        return max(self.probabilities, key=lambda kind: self.probabilities[kind])

    @property
    def confidence(self) -> float:
        """The probability of the most likely type."""
        return self.probabilities[self.best]


@dataclass(frozen=True)
class GenreGuess:
    """The predicted genre of a page, its probability, and the classifier that predicted it."""

    genre: Genre
    confidence: float  # from 0.5 to 1
    source: str  # "picture" or "html"

    @classmethod
    def of(cls, article: float, source: str) -> GenreGuess:
        """The guess for a page that is an article with the probability `article`."""
        genre = Genre.ARTICLE if article >= 0.5 else Genre.LIST
        return cls(genre, max(article, 1 - article), source)

    def as_dict(self) -> dict[str, object]:
        """The guess as plain data."""
        return {"genre": str(self.genre), "confidence": round(self.confidence, 4), "source": self.source}
