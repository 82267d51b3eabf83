"""Pages saved as XML keep what HTML's rules would put into an iframe or a script."""

from __future__ import annotations

import pytest

from tamis.document import Document

TEXT = "The ferry leaves the harbour at nine in the morning."


def shown(html: str) -> list[str]:
    leaves = Document.from_html(html).leaves
    return [leaves.text[leaf].strip() for leaf in leaves.visible_text.tolist()]


@pytest.mark.parametrize("tag", ["iframe", "script", "style", "textarea", "title", "noframes", "noembed", "xmp"])
def test_an_element_that_closes_itself_swallows_nothing(tag: str) -> None:
    page = f'<html><head><meta charset="utf-8"/></head><body><p>Before</p><{tag} class="x"/><p>{TEXT}</p></body></html>'
    assert shown(page) == ["Before", TEXT]


def test_nor_does_one_of_the_head() -> None:
    page = f'<html><head><meta charset="utf-8"/><script src="x"/></head><body><p>{TEXT}</p></body></html>'
    assert shown(page) == [TEXT]


def test_what_follows_a_noscript_that_closes_itself_is_not_in_it() -> None:
    document = Document.from_html(f"<body><div><noscript/><p>{TEXT}</p></div><p>Behind</p></body>")
    assert [document.leaves.text[leaf] for leaf in document.leaves.visible_text.tolist()] == [TEXT, "Behind"]
    assert not document.inside("noscript").any()
    closed = Document.from_html(f"<p>Before</p><noscript/><p>{TEXT}</p></noscript>")
    assert closed.inside("noscript").any(), "as browsers read it"


def test_other_elements_of_such_a_page_close_themselves_too() -> None:
    page = f'<body><a id="top"/><p>{TEXT}</p><iframe src="x"/><br/><p>Behind</p><img src="y.png"/></body>'
    document = Document.from_html(page)
    assert not document.leaves.in_link.any()
    assert shown(page) == [TEXT, "Behind"]


@pytest.mark.parametrize(
    "page",
    [
        f'<p>{TEXT}</p><script src="x"/><p>Inside the script</p></script>',  # as browsers read it
        f'<p>{TEXT}</p><script>document.write("<p>Written</p>")',  # cut off
        f'<p>{TEXT}</p><iframe src="x"/>',  # nothing behind it
        f'<svg><path d="M0 0"/></svg><p>{TEXT}</p>',
        f'<p>{TEXT}</p><script src="x"/>var slash = "</p>"</script><script src="y"></script>',
    ],
)
def test_pages_in_html_are_read_as_html(page: str) -> None:
    assert shown(page) == [TEXT]
