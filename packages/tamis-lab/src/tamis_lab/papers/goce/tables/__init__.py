"""The experiments of GOCE (2018) on WCXB dev: Tables 1 and 2, seven page types, and pictures of typical errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.papers.goce.picture_training import RECIPE
from tamis_lab.papers.goce.tables import errors, table1, table2
from tamis_lab.papers.goce.tables.classifiers import HTML, SIZES, Predictions, predict
from tamis_lab.reproduce.page import Page
from tamis_papers.goce.genre import Genre, genre_guess


def reproduce(data: Path | None = None) -> Page:
    """Both tables. Some minutes, and with a GPU the picture networks; predictions are kept in build/goce."""
    with open_corpus("wcxb", data) as corpus:
        pages = list(corpus.pages("dev"))
    return compose(pages, predict(pages))


def compose(pages: Sequence[CorpusPage], predictions: Predictions) -> Page:
    """The page of figures, given what the classifiers predict."""
    genres, articles = predictions.genres, predictions.articles
    sections = [table1.section(genres, articles), table1.types_section(predictions.types, predictions.by_html)]
    accuracy = {size: table1.confusion(genres, articles[size]).accuracy for size in SIZES if size in articles}
    if accuracy:
        best = max(accuracy, key=lambda size: accuracy[size])
        sections.append(errors.section(best, predictions.pictures, articles[best], predictions.types))
    guesses = {table2.GOCE_HTML: _genres(articles[HTML])}
    if RECIPE.size in articles:
        # A page that can't be drawn has its genre by HTML, as in `goce`.
        guesses = {table2.GOCE: _genres(articles[HTML] | articles[RECIPE.size]), **guesses}
    sections.append(table2.measure(pages, guesses))
    page = Page.from_texts(Path(__file__).with_name("texts.toml"), sections)
    left_out = f" Networks on pictures are left out: {predictions.missing}." if predictions.missing else ""
    return replace(page, words=page.words + left_out)


def _genres(articles: Mapping[str, float]) -> dict[str, Genre]:
    return {name: Genre(genre_guess(probability, "").genre) for name, probability in articles.items()}
