"""The headline is in no text, and with `include_title` it is the first line of each."""

from __future__ import annotations

from typing import Any

import pytest

import tamis
from tests.test_api import ARTICLE_PAGE

PROSE = "The baker rises long before the town does, lights the ovens and waits for the dough to rise. " * 4
SEVERAL = f"""<title>Bread at dawn - The Oven</title><h1>The Oven</h1><div>Bread at dawn</div><main>
<h2>Bread at dawn</h2><p>{PROSE}</p><h3>Later</h3><p>{PROSE} Bread at dawn is what he calls it.</p></main>"""
NO_HEADING = f"<title>Bread at dawn</title><p>{PROSE}</p><p>{PROSE} And so on.</p>"
PAGES = {"article": ARTICLE_PAGE, "several": SEVERAL, "no heading": NO_HEADING}


@pytest.mark.parametrize("name", PAGES)
def test_the_default_leaves_it_out(name: str) -> None:
    for wish in ("favor_precision", "favor_recall", "include_comments"):
        wishes: dict[str, Any] = {wish: True}
        page = tamis.extract(PAGES[name], **wishes)
        lines = (page.text + page.markdown).splitlines()
        assert [line for line in lines if line.strip("#* ") == "Bread at dawn"] == []
        assert "<h1" not in page.html
        assert page.title == "Bread at dawn"


@pytest.mark.parametrize("extractor", ["tamis", "keep-all"])
@pytest.mark.parametrize("name", PAGES)
def test_who_asks_for_it_gets_it_once_and_first(name: str, extractor: str) -> None:
    page = tamis.extract(PAGES[name], extractor=extractor, include_title=True)
    assert page.text.startswith("Bread at dawn\n\n")
    assert page.markdown.startswith("# Bread at dawn\n\n")
    assert page.html.startswith("<h1>Bread at dawn</h1>")
    for content in (page.text, page.markdown):
        assert [line.strip("#* ") for line in content.splitlines()].count("Bread at dawn") == 1
    assert page.as_dict()["text"] == page.text


def test_the_rest_stays_the_same() -> None:
    plain, titled = (tamis.extract(SEVERAL, include_title=wish) for wish in (False, True))
    assert titled.text == f"Bread at dawn\n\n{plain.text}"
    assert titled.html == f"<h1>Bread at dawn</h1>{plain.html}"


def test_there_is_none_without_content_or_title() -> None:
    assert tamis.extract("<title>Bread</title>", include_title=True).text == ""
    untitled = f"<p>{PROSE}</p>"
    assert tamis.extract(untitled, include_title=True).text == tamis.extract(untitled).text


def test_a_title_is_text_and_no_markup() -> None:
    page = tamis.extract(f"<title>a &lt;script> *b*</title><p>{PROSE}</p>", extractor="keep-all", include_title=True)
    assert page.text.splitlines()[0] == "a <script> *b*"
    assert page.html.startswith("<h1>a &lt;script&gt; *b*</h1>")
    assert page.markdown.splitlines()[0] == r"# a &lt;script> \*b\*"


def test_short_titles_are_dropped_as_headings_only() -> None:
    html = f"<title>Map</title><h1>Map</h1><p>{PROSE}</p><table><tr><td>Map<td>2</table><p>{PROSE}</p>"
    page = tamis.extract(html, extractor="keep-all", include_title=True)
    assert page.text.startswith("Map\n\nThe baker")
    assert "Map\t2" in page.text
