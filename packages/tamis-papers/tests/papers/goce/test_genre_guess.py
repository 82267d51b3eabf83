"""The genre of a page by its HTML or by a picture."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import tamis
from tamis import Document
from tamis.batch.records import Record
from tamis.batch.rows import BatchOptions, answer
from tamis.cli.main import main
from tamis.errors import BrowserMissing, RenderError, WeightsError
from tamis_papers.goce import classifiers, extractor
from tamis_papers.goce.classifiers import Genre, PictureClassifier, genre_guess
from tamis_papers.goce.extractor import genre_by_html, genre_by_picture
from tests.papers.goce.tiny import plain_picture, write_pictures

pytestmark = pytest.mark.usefixtures("classifier")

STORY = Document.from_html("<div class=story>words</div>", url="https://oven.example/story")
CARDS = Document.from_html("<div class=card>words</div>")

EXTRAS = ("playwright", "PIL", "onnxruntime")


class FakeBrowser:
    """Gives the same picture of every page, or fails."""

    def __init__(self, picture: bytes | Exception) -> None:
        self._picture = picture
        self.asked: list[tuple[str, str | None]] = []

    def screenshot(self, html: str, *, url: str | None) -> bytes:
        self.asked.append((html, url))
        if isinstance(self._picture, Exception):
            raise self._picture
        return self._picture


Fake = Callable[[bytes | Exception], FakeBrowser]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    def put(picture: bytes | Exception) -> FakeBrowser:
        browser = FakeBrowser(picture)
        monkeypatch.setattr(extractor, "_browser", lambda: browser)
        return browser

    return put


@pytest.fixture
def _small_picture_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Picture weights for which a bright page is an article."""
    for name in (*EXTRAS, "onnx"):
        pytest.importorskip(name)
    small = PictureClassifier(write_pictures(tmp_path / "goce-pictures"))
    monkeypatch.setattr(classifiers, "PICTURE_CLASSIFIER", small)


def test_by_html() -> None:
    assert (genre_by_html(STORY).genre, genre_by_html(STORY).source) == (Genre.ARTICLE, "html")
    assert genre_by_html(CARDS).genre is Genre.LIST


@pytest.mark.usefixtures("_small_picture_network")
@pytest.mark.parametrize("document", [STORY, CARDS])
def test_a_picture_decides_whatever_the_html_says(document: Document, fake: Fake) -> None:
    browser = fake(plain_picture("white"))
    bright = genre_by_picture(document)
    assert (bright.genre, bright.source) == (Genre.ARTICLE, "picture")
    assert bright.confidence > 0.9
    assert browser.asked == [(document.html, document.url)]
    fake(plain_picture("black"))
    assert genre_by_picture(document).genre is Genre.LIST


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
    page.write_text(CARDS.html)
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


@pytest.mark.usefixtures("_small_picture_network")
def test_a_page_that_can_not_be_drawn_fails(fake: Fake) -> None:
    fake(RenderError("took longer than 15 s to draw", "timeout"))
    with pytest.raises(tamis.InputError, match="took longer than 15 s to draw"):
        tamis.extract(CARDS, extractor="goce")


@pytest.mark.usefixtures("_small_picture_network")
def test_picture_weights_that_are_not_there_are_an_error(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(plain_picture("white"))
    monkeypatch.setattr(classifiers, "PICTURE_CLASSIFIER", PictureClassifier(tmp_path / "nowhere"))
    with pytest.raises(WeightsError, match="nowhere"):
        genre_by_picture(STORY)


@pytest.mark.parametrize(
    ("article", "genre", "confidence"),
    [(1.0, "article", 1.0), (0.75, "article", 0.75), (0.5, "article", 0.5), (0.25, "list", 0.75), (0.0, "list", 1.0)],
)
def test_a_guess_from_the_probability_of_an_article(article: float, genre: str, confidence: float) -> None:
    guess = genre_guess(article, "picture")
    assert (guess.genre, guess.confidence, guess.source) == (Genre(genre), confidence, "picture")
