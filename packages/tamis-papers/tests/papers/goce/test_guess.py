from __future__ import annotations

import pytest

from tamis.page_type import PageType, PageTypes
from tamis_papers.goce.classifiers import Genre, genre_guess


def test_types_are_those_of_the_corpus() -> None:
    assert sorted(PageType) == ["article", "collection", "documentation", "forum", "listing", "product", "service"]


def test_the_likeliest_type_and_how_likely_it_is() -> None:
    types = PageTypes({PageType.ARTICLE: 0.3, PageType.FORUM: 0.6, PageType.PRODUCT: 0.1})
    assert (types.best, types.confidence) == (PageType.FORUM, 0.6)


@pytest.mark.parametrize(
    ("article", "genre", "confidence"),
    [(1.0, "article", 1.0), (0.75, "article", 0.75), (0.5, "article", 0.5), (0.25, "list", 0.75), (0.0, "list", 1.0)],
)
def test_a_guess_from_the_probability_of_an_article(article: float, genre: str, confidence: float) -> None:
    guess = genre_guess(article, "picture")
    assert (guess.genre, guess.confidence, guess.source) == (Genre(genre), confidence, "picture")


def test_a_guess_as_plain_data() -> None:
    data = genre_guess(0.123456, "picture").as_dict()
    assert data == {"genre": "list", "confidence": 0.8765, "source": "picture"}
    assert type(data["genre"]) is str
