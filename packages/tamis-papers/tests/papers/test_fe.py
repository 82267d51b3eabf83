from __future__ import annotations

import numpy as np
import pytest

from tamis import Document
from tamis_papers.fe import block_features, blocks, clustered, fe, k_fe, winner
from tests.papers.kept import kept_by

kept = kept_by(fe)

NEWS = "The storm came in the night and closed the harbour for two days."
STORY = "".join(f"<p>{NEWS} {NEWS} {'Part ' * number}</p>" for number in range(5))
MENU = "<ul>" + "".join(f"<li><a href={number}>Section {number}</a></li>" for number in range(8)) + "</ul>"


def divided(html: str) -> list[list[str]]:
    """The texts of each block."""
    document = Document.from_html(html)
    number = blocks(document)
    return [
        [text.strip() for text, block in zip(document.leaves.text, number, strict=True) if block == each and text]
        for each in range(number.max(initial=-1) + 1)
    ]


def test_tags_divide_a_page_into_blocks() -> None:
    page = "<p>a <b>b</b> c</p><table><tr><td>d<td>e<tr><td>f</table><ul><li>g<li>h</ul>i"
    assert divided(page) == [["a", "b", "c"], ["d", "e"], ["f"], ["g", "h"], ["i"]]


def test_a_rule_divides_too() -> None:
    assert divided("<div>a<br>b<hr>c</div>") == [["a", "b"], ["c"]]


def test_a_block_is_torn_by_one_inside_it() -> None:
    assert divided("<div>a<p>b</p>c</div>") == [["a"], ["b"], ["c"]]


def test_features_are_shares_of_the_largest_on_the_page() -> None:
    document = Document.from_html("<p>four</p><p>twelve chars<img src=x></p><p><a href=x>y</a> <a href=y>z</a></p>")
    features = block_features(document, blocks(document))
    assert features["text"].tolist() == pytest.approx([4 / 11, 1, 2 / 11])  # white space aside
    assert features["media"].tolist() == [0, 1, 0]
    assert features["links"].tolist() == [0, 0, 1]
    assert features["forms"].tolist() == [0, 0, 0]


def test_the_winner_is_the_block_with_the_purest_text() -> None:
    document = Document.from_html(f"<p>{NEWS} {NEWS} <a href=x>More</a></p><p>{NEWS}</p><p>Short.</p>")
    assert winner(block_features(document, blocks(document))) == 1


def test_fe_keeps_one_block() -> None:
    assert kept(MENU + STORY + MENU) == [f"{NEWS} {NEWS} Part Part Part Part"]


def test_k_fe_keeps_the_blocks_that_are_like_the_winner() -> None:
    found = kept(MENU + STORY + MENU + "<p>Imprint</p>", k_fe)
    assert len(found) == 5
    assert all(text.startswith(NEWS) for text in found)


def test_k_means_finds_clusters_that_stand_apart() -> None:
    points = np.array([[0.0, 0.0], [0.1, 0.0], [0.0, 0.9], [0.1, 1.0], [1.0, 0.0], [0.9, 0.1]])
    found = clustered(points, 3)
    assert found[0] == found[1]
    assert found[4] == found[5]
    assert found[0] != found[4]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_fewer_blocks_than_clusters(size: int) -> None:
    assert kept("".join(f"<p>{NEWS}</p>" for _ in range(size)), k_fe) == [NEWS] * size
