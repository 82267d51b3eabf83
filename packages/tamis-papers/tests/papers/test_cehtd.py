from __future__ import annotations

import numpy as np
import pytest

from tamis import Document, OptionError
from tamis_papers.cetd import Cehtd, DensityTree, cehtd_ds, visual_importance

NEWS = "The storm came in the night and closed the harbour for two days, and nobody was hurt."
STORY = "".join(f"<p>{NEWS} Part {number}.</p>" for number in range(6))
MENU = "<ul>" + "".join(f"<li><a href={number}>Part {number}</a></li>" for number in range(12)) + "</ul>"


def kept(html: str) -> list[str]:
    """The texts that are kept."""
    document = Document.from_html(html)
    labels = cehtd_ds.label(document)
    return [text.strip() for text, stays in zip(document.leaves.text, labels.keep, strict=True) if stays and text]


def importance(html: str, line: int = 10) -> list[float]:
    return [float(value) for value in visual_importance(Document.from_html(html), line)]


def test_a_block_in_the_middle_is_more_important_than_one_at_the_end() -> None:
    line = "<p>0123456789</p>"
    assert importance(line) == [1]
    assert importance(line * 3) == pytest.approx([2 / 3, 1, 2 / 3])


def test_a_block_that_fills_half_a_line_is_half_as_important() -> None:
    assert importance("<p>0123456789</p><p>01234</p><p>0123456789</p>")[1] == pytest.approx(0.5)


def test_all_texts_of_a_block_are_equally_important() -> None:
    first, second, third = importance("<p>0123<b>45</b>6789</p>")
    assert first == second == third == 1


def test_hidden_texts_take_no_place() -> None:
    assert importance("<p>0123456789</p><p hidden>0123456789</p>")[0] == 1


def test_hybrid_characters_are_those_of_the_texts_times_their_importance() -> None:
    document = Document.from_html("<div id=a><p>0123456789</p><p>01234</p><p>0123456789</p></div>")
    tree = DensityTree(document, visual_importance(document, 10))
    assert tree.characters[document.elements.id.index("a")] == pytest.approx(10 * 2 / 3 + 5 / 2 + 10 * 2 / 3)


def test_menus_go_and_the_story_stays() -> None:
    page = f"<div>{MENU}</div><div><div>{STORY}</div><div>{MENU}</div></div>"
    assert kept(page) == [f"{NEWS} Part {number}." for number in range(6)]


def test_a_narrow_text_at_the_top_goes_where_plain_characters_would_keep_it() -> None:
    page = f"<div><p>Two words</p></div><div>{STORY}</div>"
    document = Document.from_html(page)
    plain, hybrid = DensityTree(document), DensityTree(document, visual_importance(document, 80))
    first = document.elements.tag.index("p")
    body = document.elements.tag.index("body")
    assert (
        hybrid.text_density[first] / hybrid.text_density[body]
        < 0.2 * plain.text_density[first] / plain.text_density[body]
    )


def test_one_text_is_the_content() -> None:
    assert kept("text") == ["text"]


def test_a_line_without_characters_is_refused() -> None:
    with pytest.raises(OptionError, match="at least 1 character"):
        Cehtd(line=0)


def test_deep_pages_end() -> None:
    labels = cehtd_ds.label(Document.from_html("<div>" * 100_000 + NEWS))
    assert np.flatnonzero(labels.keep).size == 1
