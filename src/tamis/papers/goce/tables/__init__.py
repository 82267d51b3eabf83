"""The experiments of GOCE (2018) on WCXB dev: Tables 1 and 2, seven page types, and pictures of typical errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tamis.lab.corpora.catalogue import open_corpus
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.reproduce.page import Page
from tamis.page_type import Genre, GenreGuess
from tamis.papers.goce.picture_training import RECIPE
from tamis.papers.goce.tables import errors, table1, table2
from tamis.papers.goce.tables.classifiers import HTML, SIZES, Predictions, predict


def reproduce(data: Path | None = None) -> Page:
    """Both tables. Some minutes, and with a GPU the picture networks; predictions are kept in build/goce."""
    with open_corpus("wcxb", data) as corpus:
        pages = list(corpus.pages("dev"))
    return compose(pages, predict(pages))


def compose(pages: Sequence[CorpusPage], predictions: Predictions) -> Page:
    """The page of figures, given what the classifiers predict."""
    words = (
        "Paper: Nguyen-Hoang, Pham-Hong, Jin, Le. Corpus: the development pages of WCXB, which come with a type and a "
        "gold text; articles and documentation are article pages, collections, listings and forums are list pages. "
        "Every classifier is trained here, five times, and judges only pages of sites that it has not seen; of the "
        "sites it learns from, a tenth says when to stop. The shipped weights are others. Figures are per cent. "
        "Underlined: figures that miss what is asked of them."
    )
    if predictions.missing:
        words += f" Networks on pictures are left out: {predictions.missing}."
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
    return Page("Genre-Oriented Web Content Extraction (PACLIC 2018), reproduced", words, sections)


def _genres(articles: Mapping[str, float]) -> dict[str, Genre]:
    return {name: GenreGuess.of(probability, "").genre for name, probability in articles.items()}
