"""The measure of whole, torn and lost structures, and of headings with nothing below them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from tamis import Document
from tamis.arrays import Bools
from tamis_lab.scores.structures import Headings, headings, judged


def leaves_of(document: Document, texts: Iterable[str]) -> Bools:
    wanted = set(texts)
    return np.array([text.strip() in wanted for text in document.leaves.text])


def outcomes(html: str, gold: str, kept: str) -> list[tuple[str, str]]:
    """What becomes of the structures of a page; texts are single letters."""
    document = Document.from_html(html)
    return [
        (each.kind, each.outcome) for each in judged(document, leaves_of(document, gold), leaves_of(document, kept))
    ]


LIST = "<p>a<ul><li>b<li>c</ul>"


@pytest.mark.parametrize(
    ("gold", "kept", "outcome"),
    [
        ("abc", "abc", "whole"),
        ("abc", "ac", "torn"),
        ("abc", "a", "lost"),
        ("a", "a", "foreign"),
        ("a", "ab", "foreign kept"),
    ],
)
def test_a_list_is_whole_torn_lost_or_foreign(gold: str, kept: str, outcome: str) -> None:
    assert outcomes(LIST, gold, kept) == [("list", outcome)]


def test_what_the_gold_has_in_part_does_not_count() -> None:
    assert outcomes(LIST, "ab", "ab") == []


def test_the_outermost_that_the_gold_has_counts() -> None:
    nested = "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>"
    assert outcomes(nested, "abcd", "abc") == [("list", "torn")]
    assert outcomes(nested, "bc", "bc") == [("list", "whole")]  # the outer list is in the gold in part


@pytest.mark.parametrize(
    "html",
    [
        "<nav><ul><li>a<li>b</ul></nav>",
        "<ul><li>a</ul>",
        "<ul><li>-<li>a</ul>",
        "<table><tr><td>a<td>b</table>",
        "<table><tr><td><h2>a</h2><tr><td>b</table>",
        "<figure><img src=x>a</figure>",
    ],
)
def test_menus_layouts_and_single_items_are_no_structures(html: str) -> None:
    assert outcomes(html, "ab", "ab") == []


def test_a_table_inside_one_that_arranges_the_page_is_one() -> None:
    html = "<table><tr><td>a<tr><td><table><tr><td>b<tr><td>c</table></table>"
    assert outcomes(html, "abc", "bc") == [("table", "whole")]


def test_it_does_not_matter_which_copy_stays() -> None:
    document = Document.from_html("<pre>a</pre><p>a")
    content, keep = np.array([True, False]), np.array([False, True])
    assert [each.outcome for each in judged(document, content, keep)] == ["whole"]


SECTIONS = "<h1>a</h1><p>b<h2>c</h2><h3>d</h3><p>e<h2>f <i>g</i></h2><p>h"


@pytest.mark.parametrize(
    ("kept", "found"),
    [
        ("abcdefgh", Headings(4, 0, False)),  # a heading above another one that has text is not hollow
        ("abcdfgh", Headings(4, 2, False)),
        ("abcdefg", Headings(4, 1, True)),
        ("beh", Headings(0, 0, False)),
        ("", Headings(0, 0, False)),
    ],
)
def test_headings_that_no_text_follows_are_hollow(kept: str, found: Headings) -> None:
    document = Document.from_html(SECTIONS)
    assert headings(document, leaves_of(document, kept)) == found
