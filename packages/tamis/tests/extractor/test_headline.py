"""Which texts of a page are its headline, whatever a network keeps of it."""

from __future__ import annotations

import pytest

from tamis.labels import Role
from tests.extractor.pages import decide

TEXT = "<p>The baker rises long before the town does, lights the ovens and waits for the dough. " * 8
HEAD = "<title>Bread at dawn - The Oven</title>"


def found(html: str, dropped: str = "") -> list[str]:
    """The texts of the headline on a page of which all is kept but the texts in `dropped`."""
    page = decide(html, lambda text: -9 if text in dropped.split("|") else 9)
    return page.of_role(Role.TITLE)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(f"{HEAD}<h1>Bread at dawn</h1>{TEXT}", ["Bread at dawn"], id="h1"),
        pytest.param(f"{HEAD}<h4>BREAD AT DAWN!</h4>{TEXT}", ["BREAD AT DAWN!"], id="other case and marks"),
        pytest.param(f"{HEAD}<h2>Bread <i>at</i> dawn</h2>{TEXT}", ["Bread", "at", "dawn"], id="marked up"),
        pytest.param(f"{HEAD}<h1>The Oven</h1><h2>Bread at dawn</h2>{TEXT}", ["The Oven", "Bread at dawn"], id="logo"),
        pytest.param(f"{HEAD}<div><b>Bread at dawn</b></div>{TEXT}", ["Bread at dawn"], id="no heading"),
        pytest.param(
            f"{HEAD}<td><font size=5>Bread at dawn</font><br><br>{TEXT[3:]}</td>", ["Bread at dawn"], id="first line"
        ),
        pytest.param(
            f"{HEAD}<ul><li>Home<li>Bread at dawn</ul><div>Bread at dawn</div><h1>Bread at dawn</h1>{TEXT}",
            ["Bread at dawn"] * 3,
            id="several times",
        ),
        pytest.param(
            f"{HEAD}<h1>Bread at dawn: a morning with the baker</h1>{TEXT}",
            ["Bread at dawn: a morning with the baker"],
            id="longer than the title",
        ),
        pytest.param(
            f"<title>Oven</title><meta property=og:title content='Bread at dawn'><h2>Bread at dawn</h2>{TEXT}",
            ["Bread at dawn"],
            id="Open Graph",
        ),
        pytest.param(f"<title>oven.example</title><h1>Bread at dawn</h1>{TEXT}", ["Bread at dawn"], id="only an h1"),
        pytest.param("<title>Хлеб на заре | Печь</title><h3>Хлеб на заре</h3>" + TEXT, ["Хлеб на заре"], id="Russian"),
        pytest.param(
            "<title>黎明的面包店们_烤箱</title><h4>黎明的面包店们</h4>" + TEXT, ["黎明的面包店们"], id="Chinese"
        ),
    ],
)
def test_the_headline(html: str, expected: list[str]) -> None:
    assert found(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(f"<title>Bread at dawn</title>{TEXT}<h2>Bread at dawn, and at noon</h2>{TEXT}", id="section"),
        pytest.param(f"<title>Bread at dawn</title>{TEXT}<h2>Bread</h2>{TEXT}", id="section with a word of it"),
        pytest.param(f"<title>Bread at dawn</title>{TEXT}<h1>More</h1>{TEXT}", id="h1 below the text"),
        pytest.param(f"<title>It rains.</title><p>It rains.</p>{TEXT}", id="sentence"),
        pytest.param(f"<title>Bread at dawn</title><p><i>Bread at dawn</i> is a book.</p>{TEXT}", id="in a sentence"),
        pytest.param(f"<title>Bread - Oven</title><table><tr><td>Bread<td>2</table>{TEXT}", id="cell"),
        pytest.param(TEXT, id="no title"),
    ],
)
def test_what_is_no_headline(html: str) -> None:
    assert found(html) == []


def test_a_subtitle_stays() -> None:
    page = f"{HEAD}<h1><span>Bread at dawn</span> <small>A morning with the baker of the old town</small></h1>{TEXT}"
    assert found(page) == ["Bread at dawn"]
    assert found(f"{HEAD}<h1>Bread at dawn</h1><h2>A morning with the baker</h2>{TEXT}") == ["Bread at dawn"]


def test_the_name_of_the_site_is_rarely_kept() -> None:
    page = f"<title>The Old Oven of the Town - Crumb</title><h2>The Old Oven of the Town</h2><h3>Crumb</h3>{TEXT}"
    assert found(page) == ["The Old Oven of the Town"]
    assert found(page, dropped="The Old Oven of the Town") == ["The Old Oven of the Town", "Crumb"]


def test_it_is_no_content() -> None:
    found = decide(f"{HEAD}<h1>Bread at dawn</h1>{TEXT}", 9)
    assert found.labels.keep.tolist() == [False, False, *[True] * 8]
    assert found.labels.scores.tolist() == [0, 0, *[pytest.approx(1, abs=2e-4)] * 8]
