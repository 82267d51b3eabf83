"""Reproduction pages: figures beside the paper's, and those of the default extractor."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tamis.cli.main import main
from tamis.errors import OptionError
from tamis.extractor.tamis import Tamis
from tamis.plugins import TABLES, named
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.reproduce import reproduce
from tamis_lab.reproduce.page import Figure, ReproducedPage, Section, bars, lines
from tamis_lab.reproduce.tamis import AS_SHIPPED, CUTS, MeasuredPage, compose, measure_all
from tests.golden import golden_pages
from tests.test_api import ARTICLE_PAGE, PARAGRAPHS


def test_a_figure_knows_whether_it_was_met() -> None:
    assert Figure("a", 90.0, 91.0, 2.0).met is True
    assert Figure("a", 90.0, 93.0, 2.0).met is False
    assert Figure("a", 90.0, 93.0).met is None
    assert Figure("a", None, 93.0, 2.0).met is None


def test_the_page_shows_both_numbers_and_escapes_words() -> None:
    page = ReproducedPage(
        "T", "a < b", [Section("S", "x & y", [Figure("f", 90.0, 93.5, 2.0, "why")], lines({"c": np.ones(3)}, "x", "y"))]
    )
    html = page.html()
    assert "a &lt; b" in html
    assert "90" in html
    assert "93.5" in html
    assert "+3.5" in html
    assert "missed" in html
    assert "<svg" in html
    assert "default-src 'none'" in html[:200]
    assert [figure.name for figure in page.figures] == ["f"]


@pytest.mark.parametrize(
    ("paper", "ours", "shown"),
    [
        (358_428, 341_290.0, ("358,428", "341,290", "-17,138")),
        (520_483, 505_323.4, ("520,483", "505,323", "-15,160")),
        (92.4, 92.94712, ("92.4", "92.9", "+0.5")),
        (0.7586, 0.759466, ("0.7586", "0.7595", "+0.0009")),
        (0.9, 0.88412, ("0.90", "0.884", "-0.016")),
        (90.0 - 89.7, -0.25, ("0.30", "-0.250", "-0.550")),
        (12, 11.96, ("12", "12", "0")),
        (None, 0.759466, ("", "0.759", "")),
        (None, 528_790.0, ("", "528,790", "")),
        (None, 61.9483, ("", "61.9", "")),
    ],
)
def test_figures_have_the_digits_of_the_paper(
    paper: float | None, ours: float, shown: tuple[str, str, str], tmp_path: Path
) -> None:
    figure = Figure("f", paper, ours)
    assert (figure.paper_text, figure.ours_text, figure.apart_text) == shown
    html = ReproducedPage("T", "", [Section("S", figures=[figure])]).html()
    assert all(f"{text}</td>" in html for text in shown)


@pytest.mark.parametrize(
    ("ours", "asked", "shown"),
    [
        (0.95462, 0.955, ("0.9546", "0.955")),
        (0.954999, 0.955, ("0.954999", "0.955")),
        (0.95512, 0.955, ("0.955", "0.955")),
        (0.88523, 0.8854, ("0.885", "0.8854")),
        (0.88538, 0.8854, ("0.885", "0.8854")),
        (0.86912, 0.885, ("0.869", "0.885")),
    ],
)
def test_what_was_missed_looks_smaller_than_what_was_asked_for(
    ours: float, asked: float, shown: tuple[str, str]
) -> None:
    figure = Figure("f", None, ours, asked=asked)
    assert (figure.ours_text, figure.asked_text) == shown


def test_the_terminal_shows_them_as_the_page_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = [Figure("all words", 520_483, 505_323.4, 15_614.5), Figure("F1", None, 0.86912, asked=0.885)]
    page = ReproducedPage("T", "", [Section("S", figures=figures)])
    monkeypatch.setattr("tamis_lab.reproduce.reproduce", lambda paper, data, **options: page)
    assert main(["reproduce", "boilerpipe", "-o", str(tmp_path / "out.html")]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "ok     all words: paper 520,483, here 505,323",
        "MISSED F1: here 0.869, asked for 0.885",
    ]


def test_texts_come_from_a_file(tmp_path: Path) -> None:
    texts = tmp_path / "texts.toml"
    texts.write_text('title = "T"\nwords = """\nTwo\nlines\n"""\n[sections]\n"A: b" = """\nOf\n A\n"""\n')
    page = ReproducedPage.from_texts(texts, [Section("A: b"), Section("C", "own")])
    assert (page.title, page.words) == ("T", "Two lines")
    assert [section.words for section in page.sections] == ["Of A", "own"]
    with pytest.raises(ValueError, match="not on the page: A: b"):
        ReproducedPage.from_texts(texts, [Section("C")])


def test_facts_are_filled_into_the_texts_of_a_file(tmp_path: Path) -> None:
    texts = tmp_path / "texts.toml"
    texts.write_text('title = "T"\nwords = "W"\n[sections]\nA = "{pages} pages, {share:.1f} %"\n')
    page = ReproducedPage.from_texts(texts, [Section("A", facts={"pages": 3, "share": 50})])
    assert page.sections[0].words == "3 pages, 50.0 %"


def test_charts_of_one_page_share_no_ids() -> None:
    both = [re.findall(r'\bid="([^"]+)"', bars({"a": size}, "x")) for size in (1.0, 2.0)]
    assert both[0]
    assert not set(both[0]) & set(both[1])
    assert 'role="img" aria-label="y by x"' in lines({"c": np.ones(3)}, "x", "y")


def test_an_unknown_paper_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(OptionError, match=", ".join(named(TABLES))):
        reproduce("nothing")
    assert main(["reproduce", "nothing"]) == 2
    assert ", ".join(named(TABLES)) in capsys.readouterr().err


@pytest.fixture(scope="module")
def measured() -> list[MeasuredPage]:
    """An article with its gold, and pages with the gold of another one."""
    article = CorpusPage("wcxb", "1", ARTICLE_PAGE.encode(), "dev", "\n".join(PARAGRAPHS), page_type="article")
    others = [
        CorpusPage("wcxb", page.name, page.source, "dev", "Nothing of it.", page_type="forum")
        for page in golden_pages()
        if page.name in ("forum-thread", "product")
    ]
    return list(measure_all([article, *others], [Tamis().weights]))


def test_as_shipped_is_what_people_get(measured: list[MeasuredPage]) -> None:
    article = measured[0]
    assert article.f1 == article.at[AS_SHIPPED].f1 > 0.9
    assert article.weight.sum() == pytest.approx(1)
    assert np.corrcoef(article.scores, article.truth)[0, 1] > 0.8


def test_the_page_has_every_cut_and_every_type(measured: list[MeasuredPage]) -> None:
    html = compose(measured).html()
    for words in (*CUTS, "article", "forum", "Reliability", "The ten worst pages"):
        assert words in html
