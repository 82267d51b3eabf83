"""GOCE as a whole: the genre decides on the algorithm."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis import Document, testing
from tamis.batch.records import Record
from tamis.batch.rows import BatchOptions, answer
from tamis.cli.main import main
from tamis.errors import BrowserMissing, RenderError
from tamis.page_type import GenreGuess, PageType
from tamis_papers.goce import classifiers
from tamis_papers.goce import extractor as extractors
from tamis_papers.goce.classifiers import GENRES, Genre, PictureClassifier, genre_guess
from tamis_papers.goce.extractor import article, goce, goce_html, list_view
from tests.papers.goce.tiny import plain_picture, write_pictures

NEWS = "The storm came in the night and closed the harbour for two days."
MENU = "<ul class=menu>" + "<li><a href=x>Home</a></li>" * 8 + "</ul>"
# On these the two algorithms do not agree.
STORY = f"<div>{MENU}</div><main class=story>{''.join(f'<p>{NEWS} Part {number}.</p>' for number in range(6))}</main>"
PADDING = "".join(f"<i class=s{'abcdefghijklmnopqrst'[number]}>word</i>" * 5 for number in range(20))
CARDS = f"<div>{MENU}</div>{f'<p class=card>{NEWS}</p>' * 20}{PADDING}"
PAGES = {"article": STORY, "list": CARDS}


EXTRAS = ("playwright", "PIL", "onnxruntime")

pytestmark = pytest.mark.usefixtures("classifier")


def test_products_and_services_have_no_genre() -> None:
    assert set(PageType) - set(GENRES) == {PageType.PRODUCT, PageType.SERVICE}


@pytest.mark.parametrize("genre", PAGES)
def test_each_genre_has_its_algorithm(genre: str) -> None:
    document = Document.from_html(PAGES[genre])
    labels = goce_html.label(document)
    wanted, other = (article, list_view) if genre == "article" else (list_view, article)
    expected = wanted.label(document)
    assert np.array_equal(labels.keep, expected.keep)
    assert np.array_equal(labels.scores, expected.scores)
    assert labels.nodes is not None
    assert expected.nodes is not None
    assert labels.nodes.tolist() == expected.nodes.tolist()
    assert not np.array_equal(labels.keep, other.label(document).keep)


def test_the_labels_say_the_genre_and_by_what_it_was_told() -> None:
    by_html = goce_html.label(Document.from_html(CARDS)).genre
    assert by_html is not None
    assert (by_html.genre, by_html.source) == (Genre.LIST, "html")


@pytest.fixture
def draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let every picture have one colour, or fail, and a network tell white articles from black lists."""
    for name in (*EXTRAS, "onnx"):
        pytest.importorskip(name)
    small = PictureClassifier(write_pictures(tmp_path / "goce-pictures"))
    monkeypatch.setattr(classifiers, "PICTURE_CLASSIFIER", small)

    def draw(colour: str) -> None:
        class FakeBrowser:
            def screenshot(self, html: str, *, url: str | None) -> bytes:
                if colour == "broken":
                    raise RenderError("took longer than 15 s to draw", "timeout")
                return plain_picture(colour)

        monkeypatch.setattr(extractors, "_browser", FakeBrowser)

    return draw


@pytest.mark.parametrize("check", testing.CHECKS, ids=lambda check: str(check.__name__))
@pytest.mark.parametrize("colour", ["white", "black"])
def test_contract(draw: Callable[[str], None], colour: str, check: testing.Check) -> None:
    """The contract suite has no browser."""
    draw(colour)
    check(goce, testing.PAGES[:3])


@pytest.mark.parametrize(("colour", "genre"), [("white", "article"), ("black", "list")])
def test_the_picture_decides(draw: Callable[[str], None], colour: str, genre: str) -> None:
    draw(colour)
    for html in PAGES.values():
        labels = goce.label(Document.from_html(html))
        assert labels.genre is not None
        assert (labels.genre.genre, labels.genre.source) == (Genre(genre), "picture")
        expected = (article if genre == "article" else list_view).label(Document.from_html(html))
        assert np.array_equal(labels.keep, expected.keep)


def test_a_page_that_can_not_be_drawn_fails(draw: Callable[[str], None]) -> None:
    draw("broken")
    with pytest.raises(tamis.InputError, match="took longer than 15 s to draw"):
        tamis.extract(CARDS, extractor="goce")


@pytest.mark.parametrize("missing", EXTRAS)
def test_without_the_extra_it_fails_and_names_what_needs_none(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    words = "goce, unlike goce-html, needs an extra: pip install 'tamis-papers[render]'"
    with pytest.raises(tamis.MissingExtra) as caught:
        tamis.extract(CARDS, extractor="goce")
    assert str(caught.value) == words
    page = tmp_path / "page.html"
    page.write_text(CARDS)
    assert main(["extract", "-e", "goce", str(page)]) == 2
    assert capsys.readouterr() == ("", f"tamis: {words}\n")


def test_without_chromium_it_fails() -> None:
    """As in all tests: TAMIS_CHROMIUM is none."""
    for name in EXTRAS:
        pytest.importorskip(name)
    with pytest.raises(BrowserMissing, match="rendering needs Chromium, which is not found; on Debian"):
        tamis.extract(STORY, extractor="goce")
    with pytest.raises(BrowserMissing):
        answer(Record(b"<p>words", "pages"), BatchOptions("goce"))


@pytest.mark.parametrize(
    ("article", "genre", "confidence"),
    [(1.0, "article", 1.0), (0.75, "article", 0.75), (0.5, "article", 0.5), (0.25, "list", 0.75), (0.0, "list", 1.0)],
)
def test_a_guess_from_the_probability_of_an_article(article: float, genre: str, confidence: float) -> None:
    guess = genre_guess(article, "picture")
    assert (guess.genre, guess.confidence, guess.source) == (Genre(genre), confidence, "picture")


def test_the_genre_is_in_the_json() -> None:
    page = tamis.extract(STORY, extractor=goce_html)
    assert isinstance(page.genre, GenreGuess)
    assert json.loads(page.json)["genre"] == page.genre.as_dict()


@pytest.mark.xdist_group("browser")
@pytest.mark.usefixtures("chromium")
def test_a_real_browser_looks_at_a_page() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("PIL")
    extractors._browser.cache_clear()
    try:
        labels = goce.label(Document.from_html(STORY))
        assert labels.genre is not None
        assert labels.genre.source == "picture"
        assert labels.keep.any()
    finally:
        extractors._browser().close()
        extractors._browser.cache_clear()
