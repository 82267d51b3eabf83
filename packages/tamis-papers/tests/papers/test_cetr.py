from __future__ import annotations

import numpy as np
import pytest

from tamis import Document
from tamis_papers.cetr import TagRatios, cetr, cetr_threshold, clustered, derivative, lines, smoothed
from tamis_papers.pieces import pieces
from tests.papers.kept import kept_by

kept = kept_by(cetr)

NEWS = "The storm came in the night and closed the harbour for two days."
STORY = "\n".join(f"<p>{NEWS} {NEWS} Part {number}.</p>" for number in range(8))
MENU = "<ul>\n" + "\n".join(f"<li><a href={number}>Section {number}</a></li>" for number in range(12)) + "\n</ul>"
PAGE = f"{MENU}\n{STORY}\n{MENU}"

both = pytest.mark.parametrize("extractor", [cetr, cetr_threshold], ids=["clusters", "threshold"])


def ratios(html: str, width: int = 65) -> list[float]:
    """The tag ratios of the lines below BODY."""
    found: list[float] = lines(pieces(Document.from_html(html)), width).ratio.tolist()
    return found


def test_a_ratio_is_characters_per_tag() -> None:
    # The first line also has the tags of HTML, HEAD and BODY, the last one their end tags.
    page = "\n<p>twelve chars</p>\n<b>ab</b><i>cd</i>\nno tag here\n<hr>"
    assert ratios(page)[:4] == [12 / 6, 4 / 4, 11.0, 0.0]


def test_lines_without_tags_and_text_are_left_out() -> None:
    assert ratios("<p>one</p>\n\n \n\n<p>two</p>") == ratios("<p>one</p>\n<p>two</p>")


def test_scripts_hidden_texts_and_comments_do_not_count() -> None:
    plain = "<p>one</p>\n<p>two</p>"
    assert ratios(f"<p>one</p><script>var a = 1;</script>\n<!-- {NEWS} --><p>two</p>") == ratios(plain)
    hidden = ratios(f"<p>one</p><p hidden>{NEWS}</p>\n<p>two</p>")
    assert hidden[1] == ratios(plain)[1]
    assert hidden[0] < ratios(plain)[0]  # two more tags, no more text


def test_a_page_without_line_breaks_is_broken() -> None:
    text = "word " * 60
    found = lines(pieces(Document.from_html(f"<p>{text}</p>")), 65)
    assert len(found.ratio) > 4
    assert found.segment_size.sum() == len(text.strip())
    assert found.segment_size.max() == 65  # a full line of text
    assert len(ratios(f"<p>{text}</p>\n<p>end</p>")) == 2  # with a line break it stays as it is
    whole = lines(pieces(Document.from_html(f"<p>{text}</p>\n<p>end</p>")), 65, break_all=True)
    assert len(whole.ratio) > 4


def test_broken_lines_begin_anew_on_each_line() -> None:
    # Line one: html, head and body tags (25 characters) and 40 of text. Line two has 30 of text and no tag.
    found = lines(pieces(Document.from_html(f"<p>{'a' * 40}\n{'b' * 30}")), 20, break_all=True)
    assert found.segment_size.tolist() == [12, 20, 8, 20, 10]


def test_smoothing_keeps_the_sum_and_spreads_a_peak() -> None:
    peak = np.zeros(9)
    peak[4] = 8.0
    found = smoothed(peak, 2)
    assert found.sum() == pytest.approx(8.0)
    assert found[4] < 8
    assert (found[2:7] > 0).all()
    assert not found[[0, 1, 7, 8]].any()
    assert found.tolist() == found[::-1].tolist()


def test_the_derivative_is_the_mean_of_the_next_lines_minus_the_line() -> None:
    assert derivative(np.array([1.0, 4.0, 4.0, 7.0, 2.0]), 3).tolist() == pytest.approx([4.0, 1 / 3, 0.5, -5.0, 0.0])


def test_the_cluster_of_the_origin_stays_there() -> None:
    # Without the fixed centroid, the points near 30 would be the lowest cluster.
    points = np.array([[30.0, 0.0], [31.0, 0.0], [90.0, 0.0], [91.0, 0.0]])
    assert clustered(points, 3).tolist() == [1, 1, 2, 2]
    assert clustered(np.vstack([points, [[2.0, 0.0]]]), 3).tolist() == [1, 1, 2, 2, 0]


@both
def test_menus_around_the_text_go(extractor: TagRatios) -> None:
    found = kept(PAGE, extractor)
    assert [text for text in found if "Part" in text] == [f"{NEWS} {NEWS} Part {number}." for number in range(8)]
    # Smoothing blurs the edges: a line beside the story may stay.
    assert set(found) - {"Section 0", "Section 11"} == {f"{NEWS} {NEWS} Part {number}." for number in range(8)}


@both
def test_a_page_in_one_line_is_told_apart_too(extractor: TagRatios) -> None:
    found = kept(PAGE.replace("\n", ""), extractor)
    assert f"{NEWS} {NEWS} Part 4." in found
    assert "Section 5" not in found


def test_a_short_line_between_long_ones_stays() -> None:
    page = PAGE.replace("Part 3.</p>\n", "Part 3.</p>\n<p>Photo</p>\n")
    assert "Photo" in kept(page)


def test_a_text_is_kept_by_the_lines_that_most_of_it_stands_on() -> None:
    document = Document.from_html(PAGE)
    labels = cetr.label(document)
    assert set(labels.scores.tolist()) == {0.0, 1.0}
    crossing = PAGE.replace("Section 11</a>", f"Section 11</a> ends\n{NEWS}", 1)
    document = Document.from_html(crossing)
    scores = cetr.label(document).scores
    place = next(row for row, text in enumerate(document.leaves.text) if text.startswith(" ends"))
    assert 0 < scores[place] <= 1
