"""Which genre each type of page has."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tamis.page_type import Genre, PageType

# Pages of products and services are neither: they stay out of training and of the tables.
GENRES: Mapping[PageType, Genre] = MappingProxyType(
    {
        PageType.ARTICLE: Genre.ARTICLE,
        PageType.DOCUMENTATION: Genre.ARTICLE,
        PageType.FORUM: Genre.LIST,
        PageType.LISTING: Genre.LIST,
        PageType.COLLECTION: Genre.LIST,
    }
)
