from __future__ import annotations

import numpy as np
import pytest

from tamis.document import Document
from tamis_papers.iwptd import Iwptd, iwptd, segments, template_blocks
from tests.papers.kept import kept_on_site as kept


class TestSegments:
    def test_the_same_text_and_path_are_the_same_segment(self) -> None:
        first, second = segments(Document.from_html("<div><p> a  b </p></div><div><p>a b</p></div>"))
        assert first == second

    @pytest.mark.parametrize("other", ["<div><p>c</p></div>", "<div><b>a</b></div>", "<p>a</p>"])
    def test_another_text_or_path_is_another(self, other: str) -> None:
        first, second = segments(Document.from_html(f"<div><p>a</p></div>{other}"))
        assert first != second


def test_blocks_that_repeat_go() -> None:
    menu = "<div><p>Home</p><p>News</p></div>"
    assert kept(iwptd, f"{menu}<div>story</div>", f"{menu}<div>other</div>") == ["story"]


def test_a_block_goes_or_stays_as_a_whole() -> None:
    first, second = (f"<div><p>All rights reserved</p><p>{number}</p></div>" for number in (1, 2))
    assert kept(iwptd, first, second) == []
    first, second = (f"<div><p>Print</p><p>A long story, number {number}</p></div>" for number in (1, 2))
    assert kept(iwptd, first, second) == ["Print", "A long story, number 1"]


def test_inner_blocks_are_counted_for_themselves() -> None:
    first, second = (f"<div>{text}<div>menu</div></div>" for text in ("a story", "another"))
    assert kept(iwptd, first, second) == ["a story"]


def test_a_segment_repeats_on_a_share_of_the_pages() -> None:
    pages = [f"<div>{menu}</div><div>story {number}</div>" for number, menu in enumerate("mmxyzw")]
    assert kept(iwptd, *pages) == ["m", "story 0"]
    assert kept(Iwptd(frequency=0.3), *pages) == ["story 0"]


def test_a_text_that_repeats_on_one_page_alone_does_not_count() -> None:
    assert kept(Iwptd(frequency=0.1), "<div>x</div><div>x</div>", "<div>y</div>") == ["x", "x"]


def test_hidden_text_does_not_weigh() -> None:
    document = Document.from_html("<div><p hidden>a long hidden text</p><p>menu</p></div>")
    repeats = np.array(["menu" in text for text in document.leaves.text])
    assert template_blocks(document, repeats, 0.5).all()
