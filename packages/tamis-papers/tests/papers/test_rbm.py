from __future__ import annotations

from tamis.document import Document
from tamis_papers.rtdm import rbm


def kept(page: str, *others: str) -> list[str]:
    document = Document.from_html(page)
    labels = rbm.learned([Document.from_html(other) for other in others]).label(document)
    return [text.strip() for text, keep in zip(document.leaves.text, labels.keep, strict=True) if keep]


def test_equal_subtrees_go_wherever_they_stand() -> None:
    menu = "<ul><li>Home</li><li>News</li></ul>"
    assert kept(f"{menu}<p>a</p>", f"<div><p>b</p><div>{menu}</div></div>") == ["a"]


def test_what_one_page_lacks_stays() -> None:
    assert kept("<p>menu</p><p>a</p>", "<p>menu</p><p>b</p>", "<p>other</p><p>c</p>") == ["menu", "a"]


def test_a_subtree_that_differs_somewhere_is_mapped_in_its_equal_parts() -> None:
    assert kept("<ul><li>Home</li><li>Here</li></ul>", "<ul><li>Home</li><li>There</li></ul>") == ["Here"]


def test_a_text_beside_others_is_no_subtree() -> None:
    assert kept("<p>By <b>Ann</b></p>", "<p>By <b>Ben</b></p>") == ["By", "Ann"]


def test_another_tag_is_another_subtree() -> None:
    assert kept("<p>menu</p>", "<div>menu</div>") == ["menu"]


def test_the_mapping_is_one_to_one() -> None:
    assert kept("<p>x</p><p>x</p><p>x</p>", "<p>x</p><p>x</p>") == ["x"]


def test_the_same_page_says_nothing() -> None:
    page = "<p>one</p><p>two</p>"
    assert kept(page, page) == ["one", "two"]
    assert kept(page, page, "<p>one</p><p>three</p>") == ["two"]
