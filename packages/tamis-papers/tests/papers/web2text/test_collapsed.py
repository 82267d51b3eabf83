from __future__ import annotations

from dataclasses import dataclass
from itertools import count, pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tamis import Document
from tamis.arrays import Ints
from tamis_papers.web2text.features import CollapsedTree


def collapsed(html: str | bytes) -> CollapsedTree:
    return CollapsedTree.of(Document.from_html(html))


def texts(tree: CollapsedTree) -> list[str]:
    return [tree.document.leaves.text[leaf].strip() for leaf in tree.leaves]


def tags(tree: CollapsedTree, nodes: Ints) -> list[str]:
    return [tree.document.elements.tag[node] if node >= 0 else "" for node in nodes]


class TestByHand:
    def test_links_of_two_list_items_share_the_list_as_parent(self) -> None:
        """Figure 2 of the paper."""
        tree = collapsed("<div><ul><li><a>one</a></li><li><a>two</a></li></ul></div><p>three</p>")
        assert tags(tree, tree.holder) == ["a", "a", "p"]
        assert tags(tree, tree.parent) == ["ul", "ul", "body"]
        assert tags(tree, tree.above(tree.parent)) == ["body", "body", ""]
        assert tags(tree, tree.common) == ["ul", "body"]
        assert tree.depth[tree.holder].tolist() == [2, 2, 1]

    @pytest.mark.parametrize(
        "nothing",
        [
            "<p></p>",
            "<br>",
            "<hr>",
            "<img src=x>",
            "<input>",
            "<iframe>no</iframe>",
            "<p> <b>\n</b> </p>",
            "<!-- c -->",
        ],
    )
    def test_what_has_no_text_vanishes(self, nothing: str) -> None:
        tree = collapsed(f"<div><section>{nothing}<b>one</b>{nothing}</section>{nothing}<i>two</i></div>")
        assert texts(tree) == ["one", "two"]
        assert tags(tree, tree.parent) == ["div", "div"]
        assert tags(tree, np.flatnonzero(tree.is_node)) == ["div"]

    @pytest.mark.parametrize(
        "hidden",
        [
            "<p hidden>no</p>",
            "<p style='display:none'>no <b>no</b></p>",
            "<template><p>no</p></template>",
            "<script>no</script>",
        ],
    )
    def test_what_a_reader_does_not_see_plays_no_part(self, hidden: str) -> None:
        tree = collapsed(f"<title>no</title><div>{hidden}<p>one</p>{hidden}</div>{hidden}<p>two</p>")
        assert texts(tree) == ["one", "two"]
        assert tags(tree, tree.parent) == ["body", "body"]
        assert [node.tolist() for node in tree.leaf_range(tree.parent)] == [[0, 0], [2, 2]]

    def test_a_page_of_one_text_has_no_inner_node(self) -> None:
        tree = collapsed("<div><p>alone</p></div>")
        assert tree.parent.tolist() == [-1]
        assert tree.above(tree.parent).tolist() == [-1]
        assert tree.common.tolist() == []
        assert tree.depth[tree.holder].tolist() == [0]
        assert [bound.tolist() for bound in tree.leaf_range(tree.parent)] == [[0], [1]]


# A tree for the slow version: a text is its own number, an element its name and its children.
Node = int | tuple[str, list["Node"]]

_KINDS = ("div", "span", "section", "b", "hidden", "img", "br")


def _element(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.tuples(st.sampled_from(_KINDS), st.lists(children, max_size=4))


NODES: st.SearchStrategy[Node] = st.recursive(
    st.one_of(st.just(0), st.tuples(st.sampled_from(_KINDS), st.builds(list[Node]))), _element, max_leaves=16
)


@dataclass
class Slow:
    """The collapsed tree by plain recursion: what each text and each element is expected to have."""

    paths: list[list[str]]  # for each text: its inner nodes from the top down
    ranges: dict[str, tuple[int, int]]  # for each inner node: its leaves
    children: dict[str, int]  # for each inner node: its children


def _write(node: Node, names: count[int]) -> tuple[str, Node]:
    """The markup of a tree, and the tree with the ids that its elements got, the hidden ones emptied."""
    if isinstance(node, int):
        return "word<!-- -->", 0
    kind, children = node
    name = f"e{next(names)}"
    if kind in ("img", "br"):
        return f"<{kind} id={name}>", (name, [])
    inner = [_write(child, names) for child in children]
    tag = "div hidden" if kind == "hidden" else kind
    markup = f"<{tag} id={name}>{''.join(part for part, _ in inner)}</{tag.split()[0]}>"
    return markup, (name, [] if kind == "hidden" else [child for _, child in inner])


def _collapse(node: Node) -> Node | None:
    """§3.1: without text it goes, with one child it becomes that child."""
    if isinstance(node, int):
        return node
    name, children = node
    left = [child for child in map(_collapse, children) if child is not None]
    if len(left) < 2:
        return left[0] if left else None
    return name, left


def _measure(node: Node, path: list[str], slow: Slow) -> None:
    if isinstance(node, int):
        slow.paths.append(path)
        return
    name, children = node
    first = len(slow.paths)
    for child in children:
        _measure(child, [*path, name], slow)
    slow.ranges[name] = (first, len(slow.paths))
    slow.children[name] = len(children)


@given(st.lists(NODES, max_size=4))
def test_the_columns_say_what_plain_recursion_finds(nodes: list[Node]) -> None:
    # The last text keeps a reader's word on the page: one on which all is hidden counts as shown.
    markup, named = _write(("section", [*nodes, 0]), count())
    assume(markup.count("word") < 20)
    slow = Slow([], {}, {})
    top = _collapse(named)
    assert top is not None
    _measure(top, [], slow)
    tree = collapsed(markup)
    ids = tree.document.elements.id
    rows = {name: row for row, name in enumerate(ids) if name}

    def row(path: list[str], height: int) -> int:
        return rows[path[-height]] if len(path) >= height else -1

    paths = slow.paths
    assert len(tree.leaves) == len(paths)
    assert {ids[node] for node in np.flatnonzero(tree.is_node)} == set(slow.ranges)
    grandparent = tree.above(tree.parent)
    assert tree.parent.tolist() == [row(path, 1) for path in paths]
    assert grandparent.tolist() == [row(path, 2) for path in paths]
    assert tree.above(grandparent).tolist() == [row(path, 3) for path in paths]
    assert tree.depth[tree.holder].tolist() == [len(path) for path in paths]
    shared = [[a for a, b in zip(before, here, strict=False) if a == b] for before, here in pairwise(paths)]
    assert tree.common.tolist() == [row(path, 1) for path in shared]
    inner = np.array([rows[name] for name in slow.ranges], np.int64)
    first, stop = tree.leaf_range(inner)
    assert list(zip(first.tolist(), stop.tolist(), strict=True)) == list(slow.ranges.values())
    assert tree.children[inner].tolist() == list(slow.children.values())
