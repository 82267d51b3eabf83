from __future__ import annotations

import random

import numpy as np
import pytest

from tamis import Document
from tamis_papers.cetd import (
    Cetd,
    DensityTree,
    best_below,
    cectd_ds,
    cectd_s,
    cehtd_ds,
    cetd_ds,
    composite,
    density_sum,
    visual_importance,
)
from tests.papers.kept import kept_by

kept = kept_by(cectd_ds)

NEWS = "The storm came in the night and closed the harbour for two days, and nobody was hurt."
STORY = "".join(f"<p>{NEWS} Part {number}.</p>" for number in range(6))
MENU = "<ul>" + "".join(f"<li><a href={number}>Part {number}</a></li>" for number in range(12)) + "</ul>"
PAGE = f"<body><div id=head>{MENU}</div><div id=main><div id=story>{STORY}</div><div id=side>{MENU}</div></div></body>"

every_variant = pytest.mark.parametrize(
    "extractor", [cetd_ds, cectd_s, cectd_ds], ids=["cetd-ds", "cectd-s", "cectd-ds"]
)


def row(tree: DensityTree, name: str) -> int:
    """The element of this id."""
    return tree.elements.id.index(name)


class TestDensity:
    def test_the_figures_that_the_authors_print_for_a_page(self) -> None:
        """CN102184189, BODY of a page of the New York Times: its counts and its density."""
        found = composite(np.array([6094.0]), np.array([541]), np.array([3243.0]), np.array([445]), 3243 / 6094)
        assert found == pytest.approx([4.18771], abs=5e-5)

    def test_counts_leave_out_the_node_itself(self) -> None:
        document = Document.from_html("<div id=a>ab  c<p>de</p><a id=b href=x>fg<b>h</b></a></div>")
        tree = DensityTree(document)
        assert [tree.characters[row(tree, name)] for name in "ab"] == [4 + 2 + 3, 3]
        assert [tree.tags[row(tree, name)] for name in "ab"] == [3, 1]
        assert [tree.link_characters[row(tree, name)] for name in "ab"] == [3, 3]
        assert [tree.link_tags[row(tree, name)] for name in "ab"] == [1, 0]
        assert tree.text_density[row(tree, "a")] == 3

    def test_links_lower_the_composite_density_and_not_the_plain_one(self) -> None:
        linked = f"<div id=a><p><a href=x>{NEWS}</a></p></div><div id=b><p><i>{NEWS}</i></p></div>"
        tree = DensityTree(Document.from_html(linked))
        first, second = row(tree, "a"), row(tree, "b")
        assert tree.text_density[first] == tree.text_density[second]
        assert tree.composite_density[first] < tree.composite_density[second] / 3

    def test_the_sum_is_that_of_the_children(self) -> None:
        tree = DensityTree(Document.from_html("<div id=a>text<p>abcd</p><div><p>ab</p><p>abcd</p></div></div>"))
        assert density_sum(tree.elements, tree.text_density)[row(tree, "a")] == 4 + 3


@pytest.mark.parametrize("seed", range(20))
def test_the_best_of_a_subtree_is_that_of_a_plain_search(seed: int) -> None:
    rng = random.Random(seed)
    parts = [rng.choice(["<div>", "<div>", "</div>", "<b>x</b>"]) for _ in range(40)]
    elements = Document.from_html("".join(parts)).elements
    values = np.array([float(rng.randrange(4)) for _ in range(len(elements))])
    rows = np.arange(len(elements))
    slow = [start + int(np.argmax(values[start:end])) for start, end in zip(rows, elements.end, strict=True)]
    assert best_below(elements, values, rows).tolist() == slow


@every_variant
def test_menus_go_and_the_story_stays(extractor: Cetd) -> None:
    assert kept(PAGE, extractor) == [f"{NEWS} Part {number}." for number in range(6)]


def test_the_sum_keeps_a_node_whole_and_smoothing_only_its_dense_parts() -> None:
    page = f"<div>{MENU}</div><div>{STORY}{MENU}{STORY}</div>"
    assert kept(page, cectd_ds).count("Part 5") == 1  # of two menus that in the story
    assert kept(page, cectd_s).count("Part 5") == 0


def test_smoothing_keeps_a_short_text_between_dense_ones() -> None:
    page = f"<div>{MENU}</div><div>{STORY}<h2><a href=x>Photo</a></h2>{STORY}</div>"
    assert "Photo" in kept(page, cectd_s)


def test_linked_texts_as_long_as_the_story_go_only_with_the_composite_density() -> None:
    teasers = "".join(f"<a href={number}>{NEWS}</a>" for number in range(6))
    page = f"<div>{teasers}</div><div>{STORY}</div>"
    assert kept(page, cetd_ds).count(NEWS) == 6
    assert kept(page, cectd_ds).count(NEWS) == 0


def importance(html: str, line: int = 10) -> list[float]:
    return [float(value) for value in visual_importance(Document.from_html(html), line)]


def test_a_block_in_the_middle_is_more_important_than_one_at_the_end() -> None:
    line = "<p>0123456789</p>"
    assert importance(line) == [1]
    assert importance(line * 3) == pytest.approx([2 / 3, 1, 2 / 3])


def test_a_block_that_fills_half_a_line_is_half_as_important() -> None:
    assert importance("<p>0123456789</p><p>01234</p><p>0123456789</p>")[1] == pytest.approx(0.5)


def test_hybrid_characters_are_those_of_the_texts_times_their_importance() -> None:
    document = Document.from_html("<div id=a><p>0123456789</p><p>01234</p><p>0123456789</p></div>")
    tree = DensityTree(document, visual_importance(document, 10))
    assert tree.characters[document.elements.id.index("a")] == pytest.approx(10 * 2 / 3 + 5 / 2 + 10 * 2 / 3)


def test_hybrid_density_drops_menus_too() -> None:
    page = f"<div>{MENU}</div><div><div>{STORY}</div><div>{MENU}</div></div>"
    assert kept(page, cehtd_ds) == [f"{NEWS} Part {number}." for number in range(6)]


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
