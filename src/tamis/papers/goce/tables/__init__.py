"""The experiments of GOCE (2018) on WCXB dev: Tables 1 and 2, seven types of pages, and pictures of typical errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tamis.lab.corpora.catalogue import open_corpus
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.reproduce.page import Page, Section
from tamis.page_type import Genre, GenreGuess

if TYPE_CHECKING:
    from tamis.papers.goce.tables.classifiers import Judged


def reproduce(data: Path | None = None) -> Page:
    """Both tables. Some minutes, and with a GPU the picture networks; their answers are kept in build/goce."""
    # Here and not above: the picture networks alone (`pictures`) run where scikit-learn is not installed.
    from tamis.papers.goce.tables.classifiers import judge

    with open_corpus("wcxb", data) as corpus:
        pages = list(corpus.pages("dev"))
    return compose(pages, judge(pages))


def compose(pages: Sequence[CorpusPage], judged: Judged) -> Page:
    """The page of figures, out of what the classifiers said."""
    from tamis.papers.goce.tables import table1, table2

    words = (
        "Paper: Nguyen-Hoang, Pham-Hong, Jin, Le. Corpus: the development pages of WCXB, which come with a type and a "
        "gold text; articles and documentation are article pages, collections, listings and forums are list pages. "
        "Every classifier is trained here, five times, and judges only pages of sites that it has not seen; of the "
        "sites it learns from, a tenth says when to stop. The shipped weights are others. Figures are per cent. "
        "Underlined: figures that miss what is asked of them."
    )
    if judged.missing:
        words += f" Networks on pictures are left out: {judged.missing}."
    return Page(
        "Genre-Oriented Web Content Extraction (PACLIC 2018), reproduced",
        words,
        [
            table1.section(judged.genres, judged.articles),
            table1.types_section(judged.types, judged.likely),
            *_errors(judged),
            table2.measure(pages, _guesses(judged)),
        ],
    )


def _errors(judged: Judged) -> list[Section]:
    """The mistakes of the best picture network, where there is one."""
    from tamis.papers.goce.tables import errors, table1
    from tamis.papers.goce.tables.pictures import SIZES

    right = {
        size: table1.confusion(judged.genres, judged.articles[size]).accuracy
        for size in SIZES
        if size in judged.articles
    }
    if not right:
        return []
    best = max(right, key=lambda size: right[size])
    return [errors.section(best, judged.pictures, judged.articles[best], judged.types)]


def _guesses(judged: Judged) -> dict[str, dict[str, Genre]]:
    """The rows of Table 2: GOCE by the picture network of the shipped size, and by HTML."""
    from tamis.papers.goce.picture_training import RECIPE
    from tamis.papers.goce.tables.classifiers import HTML
    from tamis.papers.goce.tables.table2 import GOCE, GOCE_HTML

    by_html = judged.articles[HTML]
    found = {GOCE_HTML: _genres(by_html)}
    if RECIPE.size in judged.articles:
        # A page that can't be drawn goes by its HTML, as it does in `goce`.
        found = {GOCE: _genres(by_html | judged.articles[RECIPE.size]), **found}
    return found


def _genres(articles: Mapping[str, float]) -> dict[str, Genre]:
    return {name: GenreGuess.of(article, "").genre for name, article in articles.items()}
