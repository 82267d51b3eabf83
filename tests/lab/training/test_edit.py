"""Pages that are changed before they become tables: what moves, what goes, and that texts stay who they are."""

from __future__ import annotations

import pytest

from tamis import Document
from tamis.document import parse
from tamis.lab.training.edit import Draft

PAGE = b"<main><p>one <b>two</b></p><p>three</p></main><footer>four<img src=x></footer>"
OTHER = b"<nav>five</nav><div><p>six</p></div>"


def row(html: bytes, selector: str) -> int:
    """The number of the first element that a selector matches."""
    document = Document.from_html(html)
    (wanted, *_) = parse.select(document.tree, selector)
    return parse.elements(document.tree).index(wanted)


def texts(draft: Draft) -> list[str]:
    return [text for text in draft.document()[0].leaves.text if text]


def structure(draft: Draft) -> list[str]:
    """The tags below BODY."""
    return draft.document()[0].elements.tag[3:]


@pytest.mark.parametrize(
    "html",
    [
        PAGE,
        b"",
        b"<title>T</title>plain",
        "<p>näve</p>".encode("latin-1"),
        b"<frameset><noframes><p>a</noframes></frameset>",
    ],
)
def test_an_unchanged_draft_is_the_page(html: bytes) -> None:
    document, nodes = Draft(html).document()
    read = Document.from_html(html)
    assert (document.leaves.text, document.elements.tag) == (read.leaves.text, read.elements.tag)
    assert document.leaves.visible.tolist() == read.leaves.visible.tolist()
    assert [node.text for node in nodes] == [text for text in read.leaves.text if text]


def test_texts_are_the_text_leaves_in_order() -> None:
    assert [node.text for node in Draft(PAGE).texts] == ["one ", "two", "three", "four"]


def test_an_element_goes_with_all_that_is_in_it() -> None:
    draft = Draft(PAGE)
    draft.remove(row(PAGE, "main p"))
    assert texts(draft) == ["three", "four"]
    assert structure(draft) == ["main", "p", "footer", "img"]


def test_numbers_are_those_of_the_page_at_first() -> None:
    draft = Draft(PAGE)
    draft.remove(row(PAGE, "main p"))
    draft.remove(row(PAGE, "footer"))
    assert texts(draft) == ["three"]


def test_what_is_inside_something_that_went_may_go_again() -> None:
    draft = Draft(PAGE)
    draft.remove(row(PAGE, "main"))
    draft.remove(row(PAGE, "main b"))
    assert texts(draft) == ["four"]


def test_a_part_of_another_page_is_put_before_an_element() -> None:
    draft, other = Draft(PAGE), Draft(OTHER)
    draft.put_before(row(PAGE, "footer"), other, row(OTHER, "nav"))
    assert texts(draft) == ["one ", "two", "three", "five", "four"]
    assert structure(draft) == ["main", "p", "b", "p", "nav", "footer", "img"]
    assert texts(other) == ["six"], "it was taken out there"


def test_a_part_of_another_page_takes_the_place_of_an_element() -> None:
    draft, other = Draft(PAGE), Draft(OTHER)
    draft.replace(row(PAGE, "main"), other, row(OTHER, "div"))
    assert texts(draft) == ["six", "four"]
    assert structure(draft) == ["div", "p", "footer", "img"]
    assert texts(other) == ["five"]


def test_a_page_may_be_mixed_with_itself() -> None:
    draft, other = Draft(PAGE), Draft(PAGE)
    draft.put_before(row(PAGE, "main"), other, row(PAGE, "footer"))
    assert texts(draft) == ["four", "one ", "two", "three", "four"]


def test_texts_stay_who_they_are_however_far_they_move() -> None:
    draft, other = Draft(PAGE), Draft(OTHER)
    known = {node: f"page one, {node.text}" for node in draft.texts} | {
        node: f"page two, {node.text}" for node in other.texts
    }
    draft.replace(row(PAGE, "footer"), other, row(OTHER, "div"))
    draft.put_before(row(PAGE, "main"), other, row(OTHER, "nav"))
    draft.remove(row(PAGE, "main b"))
    draft.rewrite(str.upper)
    document, nodes = draft.document()
    assert document.leaves.text == ["FIVE", "ONE ", "THREE", "SIX"]
    assert [known[node] for node in nodes] == ["page two, five", "page one, one ", "page one, three", "page two, six"]


def test_every_text_is_rewritten_and_no_code() -> None:
    html = b"<title>t</title><style>s</style><p>a <b hidden>b</b></p><svg><text><![CDATA[c]]></text></svg><script>d"
    draft = Draft(html)
    draft.rewrite(lambda text: f"({text})")
    assert texts(draft) == ["(t)", "(a )", "(b)", "(c)"]
    assert "(s)" not in draft._tree.html
    assert "(d)" not in draft._tree.html


def test_rewriting_leaves_structure_and_white_space_alone() -> None:
    html = b"<p>a</p>\n <p><b>b</b> <i>c</i><img src=x></p>"
    draft = Draft(html)
    draft.rewrite(lambda text: text * 3)
    document, before = draft.document()[0], Document.from_html(html)
    assert document.leaves.text == ["aaa", "bbb", "ccc", ""]
    assert document.leaves.gap == before.leaves.gap
    assert document.elements.tag == before.elements.tag


def test_hidden_parts_can_be_moved_into_sight() -> None:
    html = b"<p>shown</p><div hidden><p>tab</p></div>"
    draft, other = Draft(PAGE), Draft(html)
    draft.put_before(row(PAGE, "footer"), other, row(html, "div p"))
    document, _ = draft.document()
    assert document.leaves.visible.all()
