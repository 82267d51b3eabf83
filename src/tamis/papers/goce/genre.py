"""Article or list? By a picture of the page where a browser is to be had, else by its HTML."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tamis.document import Document
from tamis.errors import BrowserMissing, MissingExtra, RenderError
from tamis.page_type import GenreGuess
from tamis.papers.goce.html_classifier import CLASSIFIER

if TYPE_CHECKING:
    from tamis.lab.browser import Browser


def by_html(document: Document, note: str = "") -> GenreGuess:
    """By the HTML alone. Raises WeightsError."""
    return CLASSIFIER.genre(document, note)


def by_look(document: Document) -> GenreGuess:
    """By how the page looks in a browser without network; where that can't be had, by its HTML, with the reason.

    Raises WeightsError.
    """
    if not all(find_spec(name) for name in ("playwright", "PIL", "onnxruntime")):
        return by_html(document, str(MissingExtra("the picture of a page", "render")))
    from tamis.papers.goce.picture_classifier import CLASSIFIER as LOOKING
    from tamis.papers.goce.picture_classifier import shrink

    try:
        picture = _browser().screenshot(document.html, url=document.url)
    except (BrowserMissing, RenderError) as error:
        return by_html(document, str(error))
    return GenreGuess.of(LOOKING.article_probability(shrink(picture)), "picture")


@cache
def _browser() -> Browser:
    """One for all pages of this process; it starts at the first, and ends with the process."""
    from tamis.lab.browser import Browser

    return Browser()
