from __future__ import annotations

import numpy as np
import pytest

from tamis import Document
from tamis_papers.boilerpipe.features import Blocks, atomic_text_blocks
from tests.golden import GoldenPage, golden_pages


def blocks(html: str) -> Blocks:
    return atomic_text_blocks(Document.from_html(html))


@pytest.mark.parametrize("tag", "b i em span p div font u sup abbr button label h1 li".split())
def test_every_tag_separates(tag: str) -> None:
    assert blocks(f"a<{tag}>b</{tag}>c").texts == ["a", "b", "c"]


@pytest.mark.parametrize("tag", ["br", "hr", "wbr", "img", "input"])
def test_so_do_tags_that_hold_nothing(tag: str) -> None:
    assert blocks(f"<p>a<{tag}>b</p>").texts == ["a", "b"]


@pytest.mark.parametrize("inner", ["<script>s()</script>", "<span hidden>h</span>", "<style></style>"])
def test_what_is_not_shown_separates_and_is_in_no_block(inner: str) -> None:
    assert blocks(f"<p>a{inner}b</p>").texts == ["a", "b"]


def test_a_link_does_not_separate() -> None:
    assert blocks("<p>see <a href=x>this page</a> and <a href=y>that</a></p>").texts == ["see this page and that"]


def test_an_empty_link_does_not_separate() -> None:
    assert blocks("<p>a <a name=x></a>b</p>").texts == ["a b"]


def test_links_side_by_side_are_one_block() -> None:
    assert blocks("<div><a>Home</a> <a>News</a>\n<a>Sport</a></div>").texts == ["Home News Sport"]


def test_a_tag_inside_a_link_separates() -> None:
    assert blocks("<p>a <a href=x>b <b>c</b> d</a> e</p>").texts == ["a b", "c", "d e"]


def test_a_link_in_a_link_does_not_separate() -> None:
    assert blocks("<p><a>a <a>b</a> c</p>").texts == ["a b c"]
    assert blocks("<svg><text><a>a <a>b</a></a> c</text></svg>").texts == ["a b c"]


def test_a_link_around_blocks_does_not_join_them() -> None:
    assert blocks("<a><h2>a</h2><p>b</p></a><a>c</a>").texts == ["a", "b", "c"]


def test_media_and_hidden_text_are_in_no_block() -> None:
    assert blocks("<title>t</title><img><video>v</video><p hidden>h</p><p>a</p>").texts == ["a"]


def test_a_block_knows_its_leaves() -> None:
    found = blocks("<img><p>a <a>b</a></p><p hidden>h</p><p>c</p>")
    assert len(found) == 2
    assert found.leaves.tolist() == [1, 2, 4]
    assert found.block.tolist() == [0, 0, 1]
    assert found.first_leaf.tolist() == [1, 4]


def test_values_of_blocks_are_spread_over_the_leaves() -> None:
    found = blocks("<img><p>a <a>b</a></p><p hidden>h</p><p>c</p>")
    assert found.to_leaves(np.array([0.5, 1.5]), outside=-1.0).tolist() == [-1, 0.5, 0.5, -1, 1.5]


@pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
def test_every_visible_text_is_in_exactly_one_block(page: GoldenPage) -> None:
    document = page.document()
    found = atomic_text_blocks(document)
    assert found.leaves.tolist() == document.leaves.visible_text.tolist()
    assert sorted(set(found.block.tolist())) == list(range(len(found)))
    assert found.block.tolist() == sorted(found.block.tolist())
    assert all(found.texts)
