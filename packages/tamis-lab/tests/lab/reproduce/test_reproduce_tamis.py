"""The figures of the default extractor, on made-up pages."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.extractor.tamis import Tamis
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.reproduce.tamis import AS_SHIPPED, CUTS, Measured, compose, measure_all
from tests.golden import golden_pages
from tests.test_api import ARTICLE_PAGE, PARAGRAPHS


@pytest.fixture(scope="module")
def measured() -> list[Measured]:
    """An article with its gold, and pages with the gold of another one."""
    article = CorpusPage("wcxb", "1", ARTICLE_PAGE.encode(), "dev", "\n".join(PARAGRAPHS), page_type="article")
    others = [
        CorpusPage("wcxb", page.name, page.source, "dev", "Nothing of it.", page_type="forum")
        for page in golden_pages()
        if page.name in ("forum-thread", "product")
    ]
    return list(measure_all([article, *others], [Tamis().weights]))


def test_a_higher_cut_finds_no_more(measured: list[Measured]) -> None:
    for page in measured:
        recall = [page.at[cut].recall for cut in CUTS]
        assert recall == sorted(recall, reverse=True), page.id


def test_as_shipped_is_what_people_get(measured: list[Measured]) -> None:
    article = measured[0]
    assert article.f1 == article.at[AS_SHIPPED].f1 > 0.9
    assert article.weight.sum() == pytest.approx(1)
    assert np.corrcoef(article.scores, article.truth)[0, 1] > 0.8


def test_the_page_has_every_cut_and_every_type(measured: list[Measured]) -> None:
    html = compose(measured).html()
    for words in (*CUTS, "article", "forum", "Reliability", "The ten worst pages"):
        assert words in html
