"""The genre of a page: article or list."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from tamis.page_type import GenreGuess, PageType


class Genre(StrEnum):
    """GOCE §3.2: a page with one body of text, or with a list of similar ones."""

    ARTICLE = "article"
    LIST = "list"


# Product and service pages have neither genre. They are left out of training and of the tables.
GENRES: Mapping[PageType, Genre] = MappingProxyType(
    {
        PageType.ARTICLE: Genre.ARTICLE,
        PageType.DOCUMENTATION: Genre.ARTICLE,
        PageType.FORUM: Genre.LIST,
        PageType.LISTING: Genre.LIST,
        PageType.COLLECTION: Genre.LIST,
    }
)


def article_probability(types: Mapping[PageType, float]) -> float:
    """The probability of the genre article, given the probability of each page type."""
    share = {genre: sum(types[kind] for kind in GENRES if GENRES[kind] is genre) for genre in Genre}
    return share[Genre.ARTICLE] / max(1e-9, sum(share.values()))


def genre_guess(article: float, source: str) -> GenreGuess:
    """The genre of a page that is an article with the probability `article`; `source` names the classifier."""
    genre = Genre.ARTICLE if article >= 0.5 else Genre.LIST
    return GenreGuess(genre, max(article, 1 - article), source)
