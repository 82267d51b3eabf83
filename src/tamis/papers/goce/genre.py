"""The genre of a page by its type: article or list."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tamis.page_type import Genre, PageType

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
