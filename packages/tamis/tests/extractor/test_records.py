"""The records of a page: where each run is in them, and what they are like together."""

from __future__ import annotations

import numpy as np
import pytest
from tamis.extractor.runs import COLUMNS
from tests.extractor.pages import MORE, PROSE, column, near, runs_of

POST = "<div class='post p{0}'><b><a href=u>ann</a></b><i>12 May 2024</i><p>{1}</p></div>"
POSTS = "".join(POST.format(number, PROSE) for number in range(3))
PAGE = f"<h1>Pumps</h1><nav><a href=a>Home</a><p>All</p></nav>{POSTS}<p>Imprint</p>"


def of_page(html: str) -> dict[str, float]:
    """The columns about all records."""
    values = runs_of(html).values[0]
    return {name: float(value) for name, value in zip(COLUMNS, values, strict=True) if "record" in name and value}


def test_where_runs_are() -> None:
    posts = 3 * [1.0, 1.0]  # name and date are one run
    assert column("in record", PAGE) == [0, 0, 0, *posts, 0]
    assert column("before records", PAGE) == [1, 1, 1, *(6 * [0.0]), 0]
    assert column("records before", PAGE)[3:9] == near(np.log1p([0, 0, 1, 1, 2, 2]).tolist())
    assert column("share of records", PAGE)[3:9] == near(6 * [1 / 3])


def test_what_they_are_like() -> None:
    found = of_page(PAGE)
    assert found["page records"] == pytest.approx(np.log1p(3))
    assert found["page largest record"] == pytest.approx(1 / 3)
    assert found["page records with prose"] == found["page records with dates"] == 1
    assert found["page in records"] > 0.9


def test_names_are_short_links() -> None:
    html = PAGE.replace("<i>", "<p>").replace("</i>", "</p>")
    assert of_page(html)["page records with names"] == 1
    assert "page records with names" not in of_page(html.replace("ann", "what ann said about the pumps"))


def test_classes_part_them_but_not_numbers() -> None:
    assert column("in record", POSTS.replace("post p1", "notice"))[2:4] == [0, 0]
    numbered = POSTS.replace("class='post p", "id='post-").replace("'>", "'>")
    assert set(column("in record", numbered)) == {1}


def test_the_group_with_most_words_beside_its_largest() -> None:
    cards = "".join(f"<section><h2>Card</h2><p>{number} {MORE}</p></section>" for number in range(9))
    found = column("in record", POSTS + cards)
    assert found == [*(6 * [0]), *(18 * [1])]


@pytest.mark.parametrize("html", ["<p>Hello", f"<div><p>a<p>{PROSE}</div>", ""])
def test_pages_without_records(html: str) -> None:
    runs = runs_of(html)
    records = [number for number, name in enumerate(COLUMNS) if "record" in name]
    assert not runs.values[:, records].any()
