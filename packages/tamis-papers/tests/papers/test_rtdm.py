from __future__ import annotations

import random
from functools import cache, partial

import pytest

from tamis.document import Document
from tamis_papers.rtdm import _anchors, in_order, rbm, rtdm
from tamis_papers.trees import NodeTree
from tests.papers.kept import kept_on_site

kept = partial(kept_on_site, rtdm)


def body(html: str) -> tuple[NodeTree, list[int]]:
    tree = NodeTree(Document.from_html(f"<body>{html}</body>"))
    return tree, tree.children(tree.name.index("body"))


def pairs(first: str, second: str) -> list[tuple[int, int]]:
    """The places of the children of BODY that are paired."""
    (tree, nodes), (other, images) = body(first), body(second)
    found = in_order(tree, nodes, other, images)
    return sorted((nodes.index(node), images.index(image)) for node, image in found)


def test_what_all_pages_share_goes() -> None:
    menu = "<ul><li>Home</li><li>News</li></ul>"
    pages = [f"{menu}<div><p>Story {number}</p></div>" for number in range(3)]
    assert kept(*pages) == ["Story 0"]


def test_what_one_page_lacks_stays() -> None:
    assert kept("<p>menu</p><p>a</p>", "<p>menu</p><p>b</p>", "<p>other</p><p>c</p>") == ["menu", "a"]


def test_a_text_under_another_parent_stays() -> None:
    assert kept("<div><p>menu</p></div><p>a</p>", "<section><p>menu</p></section><p>b</p>") == ["menu", "a"]


def test_shared_parts_in_another_order_are_not_all_mapped() -> None:
    assert len(kept("<p>one</p><div>two</div>", "<div>two</div><p>one</p>")) == 1


class TestAlignment:
    def test_equal_subtrees_come_first(self) -> None:
        assert pairs("<p>new</p><p>x</p><p>y</p>", "<p>x</p><p>y</p><p>old</p>") == [(1, 0), (2, 1)]

    def test_between_them_names_decide(self) -> None:
        first = "<h1>A</h1><p>a</p><div>x</div><p>b</p>"
        second = "<h1>B</h1><p>c</p><p>d</p><div>x</div><p>e</p>"
        assert pairs(first, second) == [(0, 0), (1, 1), (2, 3), (3, 4)]

    def test_more_of_the_same_are_left_over(self) -> None:
        assert pairs("<p>a</p>" * 3, "<p>a</p>" * 2) == [(0, 0), (1, 1)]

    @pytest.mark.parametrize("seed", range(30))
    def test_the_chain_of_anchors_is_the_longest(self, seed: int) -> None:
        rng = random.Random(seed)
        words = rng.sample("abcdefgh", rng.randrange(1, 9))
        shuffled = rng.sample(words, len(words))
        (tree, nodes), (other, images) = (
            body("".join(f"<p>{word}</p>" for word in each)) for each in (words, shuffled)
        )

        @cache
        def longest(first: int, second: int) -> int:
            if first == len(words) or second == len(shuffled):
                return 0
            equal = 1 + longest(first + 1, second + 1) if words[first] == shuffled[second] else 0
            return max(equal, longest(first + 1, second), longest(first, second + 1))

        chain = _anchors(tree, nodes, other, images)
        assert len(chain) == longest(0, 0)
        assert all(words[place] == shuffled[image] for place, image in chain)


def test_equal_subtrees_go_wherever_they_stand() -> None:
    menu = "<ul><li>Home</li><li>News</li></ul>"
    assert kept_on_site(rbm, f"{menu}<p>a</p>", f"<div><p>b</p><div>{menu}</div></div>") == ["a"]


def test_a_subtree_that_differs_somewhere_is_mapped_in_its_equal_parts() -> None:
    assert kept_on_site(rbm, "<ul><li>Home</li><li>Here</li></ul>", "<ul><li>Home</li><li>There</li></ul>") == ["Here"]


def test_a_text_beside_others_is_no_subtree() -> None:
    assert kept_on_site(rbm, "<p>By <b>Ann</b></p>", "<p>By <b>Ben</b></p>") == ["By", "Ann"]


def test_another_tag_is_another_subtree() -> None:
    assert kept_on_site(rbm, "<p>menu</p>", "<div>menu</div>") == ["menu"]


def test_the_mapping_of_subtrees_is_one_to_one() -> None:
    assert kept_on_site(rbm, "<p>x</p><p>x</p><p>x</p>", "<p>x</p><p>x</p>") == ["x"]
