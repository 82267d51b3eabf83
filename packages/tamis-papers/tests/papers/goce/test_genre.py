"""GOCE as a whole: the genre decides on the algorithm."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis import Document, testing
from tamis.page_type import GenreGuess, PageType
from tamis_papers.goce import classifiers
from tamis_papers.goce import extractor as extractors
from tamis_papers.goce.classifiers import GENRES, Genre, PictureClassifier
from tamis_papers.goce.extractor import article, goce, goce_html, list_view
from tests.papers.goce.tiny import plain_picture, write_pictures

NEWS = "The storm came in the night and closed the harbour for two days."
MENU = "<ul class=menu>" + "<li><a href=x>Home</a></li>" * 8 + "</ul>"
# On these the two algorithms do not agree.
STORY = f"<div>{MENU}</div><main class=story>{''.join(f'<p>{NEWS} Part {number}.</p>' for number in range(6))}</main>"
PADDING = "".join(f"<i class=s{'abcdefghijklmnopqrst'[number]}>word</i>" * 5 for number in range(20))
CARDS = f"<div>{MENU}</div>{f'<p class=card>{NEWS}</p>' * 20}{PADDING}"
PAGES = {"article": STORY, "list": CARDS}


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
    """Let every picture have one colour, and a network tell white articles from black lists."""
    for name in ("playwright", "PIL", "onnxruntime", "onnx"):
        pytest.importorskip(name)
    small = PictureClassifier(write_pictures(tmp_path / "goce-pictures"))
    monkeypatch.setattr(classifiers, "PICTURE_CLASSIFIER", small)

    def draw(colour: str) -> None:
        class FakeBrowser:
            def screenshot(self, html: str, *, url: str | None) -> bytes:
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


class TestPage:
    """What a caller of `extract` gets to see."""

    def test_it_is_in_the_json(self) -> None:
        page = tamis.extract(STORY, extractor=goce_html)
        data = json.loads(page.json)
        assert isinstance(page.genre, GenreGuess)
        assert data["genre"] == page.genre.as_dict()


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
