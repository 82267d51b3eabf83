from __future__ import annotations

import pytest

from tamis import Document, extract
from tamis_papers.wlr import _words, words_leafs, words_leafs_ratio
from tests.papers.kept import chosen_by, kept_by

kept, chosen = kept_by(words_leafs), chosen_by(words_leafs)

NEWS = "The storm came in the night and closed the harbour for two days."  # 13 words
STORY = "".join(f"<p>{NEWS} Part {number}.</p>" for number in range(4))
MENU = "<ul>" + "".join(f"<li><a href={number}>Section {number}</a></li>" for number in range(12)) + "</ul>"
PAGE = f"<div>{MENU}</div><div id=main><div id=story>{STORY}<img src=harbour.jpg></div><div>{MENU}</div></div>"


def ratios(html: str) -> dict[str, float]:
    """The ratio of each element by its id."""
    document = Document.from_html(html)
    found = words_leafs_ratio(document, _words(document))
    return {name: ratio for name, ratio in zip(document.elements.id, found.tolist(), strict=True) if name}


def test_the_ratio_counts_texts_and_childless_elements_as_leaves() -> None:
    html = "<div id=a>one two<br><p id=b>three four five</p><p id=c><b>six</b> seven</p><img id=d></div>"
    assert ratios(html) == pytest.approx({"a": 7 / 6, "b": 3, "c": 1, "d": 0})


def test_the_element_around_the_paragraphs_is_the_content() -> None:
    assert chosen(PAGE) == ["story"]
    assert kept(PAGE) == [f"{NEWS} Part {number}." for number in range(4)]


def test_media_in_the_chosen_element_stay() -> None:
    assert "harbour.jpg" in extract(PAGE, extractor="wlr").html


def test_of_two_containers_the_one_with_more_words_is_chosen() -> None:
    page = f"<div id=a><p>{NEWS}</p></div><div id=b><p>{NEWS}</p><p>{NEWS}</p></div>"
    assert chosen(page) == ["b"]
    assert chosen(page.replace("<p>", f"<p>{NEWS} {NEWS} ", 1)) == ["a"]


def test_many_short_texts_do_not_outweigh_long_ones() -> None:
    links = "".join(f"<a href={number}>Other page</a>" for number in range(60))  # 120 words
    assert chosen(f"<div id=a>{links}</div><div id=b>{STORY}</div>") == ["b"]


def test_text_directly_in_the_body_is_found() -> None:
    assert kept("text") == ["text"]
    assert chosen(f"{NEWS}<br>{NEWS}<br>{NEWS}") == ["body"]
