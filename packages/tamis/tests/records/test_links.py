"""The links of the content, and Markdown with references in place of addresses."""

from __future__ import annotations

import re
from dataclasses import replace
from time import process_time

import pytest
from markdown_it import MarkdownIt

import tamis
from tamis.records.links import ContentLink, links
from tamis.render.markdown import markdown_blocks
from tests.attacks import FRAGMENTS, page

URL = "https://mill.example/blog/rye"


def found_in(body: str, url: str | None = URL) -> tuple[ContentLink, ...]:
    extracted = tamis.extract(f"<main>{body}</main>", url=url, extractor="keep-all")
    return links(extracted.document, extracted.labels)


def test_a_link_has_text_address_and_heading() -> None:
    body = """
      <p>See <a href="/mills">the <b>old</b> mills</a>.</p>
      <h2>On <i>sieves</i></h2>
      <p><a href="../sieves?a=1#top">All sieves</a>, <a href="https://www.mill.example/x">ours</a>,
      <a href="https://other.example/">theirs</a> and <a href="//third.example">thirds</a>,
      <a href="mailto:ann@mill.example">Ann</a></p>
      <h3><a href="/drum">Drum sieves</a></h3>
    """
    assert found_in(body) == (
        ContentLink("the old mills", "https://mill.example/mills", None, False),
        ContentLink("All sieves", "https://mill.example/sieves?a=1#top", "On sieves", False),
        ContentLink("ours", "https://www.mill.example/x", "On sieves", False),
        ContentLink("theirs", "https://other.example/", "On sieves", True),
        ContentLink("thirds", "https://third.example", "On sieves", True),
        ContentLink("Ann", "mailto:ann@mill.example", "On sieves", False),
        ContentLink("Drum sieves", "https://mill.example/drum", "Drum sieves", False),
    )


@pytest.mark.parametrize(
    "body",
    [
        '<a href="javascript:alert(1)">x</a>',
        '<a href=" java&#10;script:alert(1)">x</a>',
        '<a href="data:text/html,x">x</a>',
        '<a href="#below">x</a>',
        '<a href="">x</a>',
        "<a>x</a>",
        '<a href="/x"> </a>',
        "<p>no link</p>",
        "",
    ],
)
def test_what_is_no_link(body: str) -> None:
    assert found_in(f"<p>Text {body}</p>") == ()


def test_links_of_images_have_the_alternative_text() -> None:
    (link,) = found_in('<p>Text <a href="/x"><img src="i.png" alt=" A  mill "></a> text</p>')
    assert link.text == "A mill"


def test_links_that_are_not_kept_are_left_out() -> None:
    paragraphs = "<p>Rye is an old grain, and this is a long text about it with <a href='/x'>a link</a> in it.</p>" * 9
    extracted = tamis.extract(f"<nav><a href='/menu'>Menu</a></nav><article>{paragraphs}</article>", url=URL)
    assert {link.url for link in links(extracted.document, extracted.labels)} == {"https://mill.example/x"}


def test_without_the_address_of_the_page() -> None:
    body = '<p>Text <a href="/a">a</a> <a href="https://other.example/">b</a></p>'
    assert [(link.url, link.is_external) for link in found_in(body, None)] == [
        ("/a", None),
        ("https://other.example/", None),
    ]


@pytest.mark.parametrize(
    "html",
    [
        lambda n: "<p>" + '<a href="/x">link</a>' * n,
        lambda n: "<h2>" + '<a href="/x">link</a>' * n,
        lambda n: '<a href="/x">' + "text<br>" * n,
        lambda n: "<h2>a</h2><p><a href=/x>b</a></p>" * n,
    ],
)
def test_time_is_linear(html: object) -> None:
    def seconds(size: int) -> float:
        start = process_time()
        found_in(html(size))  # type: ignore[operator]
        return process_time() - start

    assert min(seconds(8_000) for _ in range(2)) < 10 * min(seconds(2_000) for _ in range(2)) + 0.05


def referenced(body: str, url: str | None = URL) -> str:
    found = tamis.extract(f"<main>{body}</main>", url=url, extractor="keep-all")
    blocks = markdown_blocks(found.document, found.labels, replace(found.options, as_references=True))
    return "\n\n".join(block.text for block in blocks)


def test_references_are_numbered_and_listed_at_the_end() -> None:
    body = """<p>See <a href="/a">one</a> and <a href="/b_(c)">two</a>, <a href="/a">one</a> again.</p>
      <table><tr><th>A</th><th>B</th></tr><tr><td><a href="/d">x|y</a></td><td>2</td></tr></table>"""
    assert referenced(body) == (
        "See [one][1] and [two][2], [one][1] again.\n\n"
        "| A | B |\n| --- | --- |\n| [x\\|y][3] | 2 |\n\n"
        "[1]: https://mill.example/a\n[2]: <https://mill.example/b_(c)>\n[3]: https://mill.example/d"
    )


def test_a_page_without_links_has_no_list() -> None:
    assert referenced("<p>Text.</p>") == "Text."


def test_numbers_in_brackets_of_the_page_are_no_references() -> None:
    written = referenced('<p>As is known [1], [<b>7</b>] and [ 3 ]: <a href="/a">here</a>.</p>')
    assert "[here][8]" in written
    html = MarkdownIt("commonmark").render(written)
    assert html.count("<a ") == 1
    assert "[1]" in html


def test_a_link_that_shows_its_address_stays() -> None:
    body = '<p>At <a href="https://other.example/x">https://other.example/x</a>.</p>'
    assert referenced(body) == "At <https://other.example/x>."


def test_references_say_the_same_as_links() -> None:
    """Attacks, too: the same links in the same order, and nothing else that is not in the usual Markdown."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for fragment in FRAGMENTS:
        source = page(fragment)
        found = tamis.extract(source, extractor="keep-all", url=URL)
        blocks = markdown_blocks(found.document, found.labels, replace(found.options, as_references=True))
        usual, other = (reader.render(text) for text in (found.markdown, "\n\n".join(each.text for each in blocks)))
        assert re.findall(r'<a href="([^"]*)', usual) == re.findall(r'<a href="([^"]*)', other), source
        assert re.findall(r"<(\w+)", usual) == re.findall(r"<(\w+)", other), source
