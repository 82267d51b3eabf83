"""What a page and its parts can be: seven types, the genre that an extractor may know, and the roles of leaves."""

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


class PageState(StrEnum):
    """What a page shows."""

    CONTENT = "content"
    EMPTY_SHELL = "empty-shell"  # nothing without scripts
    BOT_CHALLENGE = "bot-challenge"
    LOGIN = "login"  # also registration and lost passwords
    PAYWALL = "paywall"  # with the preview before it, if there is one
    CONSENT_WALL = "consent-wall"
    ERROR_PAGE = "error-page"  # also one with status 200, and maintenance
    PARKED_DOMAIN = "parked-domain"  # also a server without a site
    BLANK = "blank"


class Role(StrEnum):
    """What a leaf is on its page."""

    TITLE = "title"
    TEXT = "text"
    CAPTION = "caption"
    NOTE = "note"
    COMMENT = "comment"
    RELATED = "related"
    BOILERPLATE = "boilerplate"


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
    """The genre an extractor assigns to a page, in its own words, the probability, and what decided it."""

    genre: str
    confidence: float
    source: str

    def as_dict(self) -> dict[str, object]:
        """The guess as plain data."""
        return {"genre": str(self.genre), "confidence": round(self.confidence, 4), "source": self.source}
