"""Annotations move from markup to leaves."""

from __future__ import annotations

import pytest

from tamis.document import Document
from tamis_lab.corpora.annotated import Annotation, MarkedPage, take_out


def spans(html: str) -> MarkedPage:
    return take_out(html, "x", lambda _, attributes: Annotation(attributes.get("is"), None))


def by_text(page: MarkedPage) -> list[tuple[str, str]]:
    return list(zip(Document.from_html(page.html).leaves.text, page.labels, strict=True))


def test_texts_that_join_take_the_label_with_most_characters() -> None:
    page = spans("<p>one <x is=a>two</x><x is=b> three four</x></p>")
    assert by_text(page) == [("one two three four", "b")]


def test_the_innermost_label_counts_and_one_without_inherits() -> None:
    page = spans("<x is=a><p>one</p><x is=b><p>two</p></x><x><p>three</p></x></x><p>four</p>")
    assert by_text(page) == [("one", "a"), ("two", "b"), ("three", "a"), ("four", "")]


def test_private_use_characters_of_the_page_stay() -> None:
    own = "\U000f0000\U000f0001\ue000"
    page = spans(f"<p><x is=a>{own}text</x></p><p>&#xF0002;</p>")
    assert by_text(page) == [(own + "text", "a"), ("\U000f0002", "")]
    assert page.text({"a"}) == own + "text"


def test_media_have_labels_too() -> None:
    page = spans("<x is=a><img src=1><svg><image></image></svg></x><img src=2>")
    assert page.labels == ("a", "a", "")
    assert b"data-tamis-mark" not in page.html


def test_an_old_doctype_stays() -> None:
    doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2//EN">'
    page = spans(f"{doctype}<p><x is=a>one</x><table><tr><td>two</table>")
    assert page.html.startswith(doctype.encode())
    assert b"<table>" in page.html.split(b"</p>")[0]


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<x is=a>",
        "<pre>\n<x is=a>\n one</x></pre>",
        "<table> <x is=a> one <tr><td>two</x></table>",
        "<head> <x is=a> one</head>",
        "<template><x is=a>one</x></template><p>two",
        "<script>one</script><style><x is=a>two</style><textarea><x is=a>three</textarea>",
        "<frameset><noframes><x is=a>one</x></noframes></frameset>",
        "<select><option><x is=a>one<optgroup>two</x></select>",
        "<svg><x is=a><![CDATA[one]]></x></svg>",
        "<a>one<x is=a>two<a>three</x>four</a>",
    ],
)
def test_odd_markup_has_one_label_a_leaf(html: str) -> None:
    page = spans(html)
    assert len(Document.from_html(page.html).leaves) == len(page.labels)
    assert not any("\U000f0000" <= letter <= "\U000ffffd" for letter in page.html.decode())


def test_deep_and_wide_pages_take_linear_time() -> None:
    depth = 50_000
    deep = spans("<div><x is=a>" * depth + "one")
    assert deep.labels == ("a",)
    wide = spans("<x is=a>one</x><br>" * depth)
    assert wide.labels == ("a",) * depth


def test_hidden_text_is_labelled_but_no_gold() -> None:
    page = spans("<x is=a><p>one</p><p hidden>two</p></x>")
    assert page.labels == ("a", "a")
    assert page.text({"a"}) == "one"
