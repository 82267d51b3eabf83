"""The guard in front of the parser: pages that end the process without it, and pages that it leaves alone."""

from __future__ import annotations

import random
import time

import pytest

import tamis
from tamis.document import Document
from tamis.document.guard import guarded

# Each of them ends the process if the parser sees it as it is.
_DEEP_CELL = "<table><td></table><a><h5><a>"
HARMFUL = {
    "tables": "<div><div><p>" + "<table><td>" * 127 + "</table><a><blockquote></a>",
    "blocks": "<div>" * 506 + "<i><table></i><title>x</title><i><td></i></tr></tr><table></i></i><u><blockquote></u>",
    "unknown elements": "<d>" * 507 + _DEEP_CELL,
    "rows": "<ul><li>" * 254 + "<table><tr><strike></tbody><svg><small><div></small></p><strike><strong>",
    "capitals": "<DIV>" * 507 + _DEEP_CELL,
    "ends in attributes": "<div title='></div>'>" * 507 + _DEEP_CELL,
    "ends in comments": "<div><!--</div>-->" * 507 + _DEEP_CELL,
    "ends in scripts": "<div><script>'</div>'</script>" * 507 + _DEEP_CELL,
    "ends that are blocked": "<span><div></span></div>" * 507 + _DEEP_CELL,
    "ends of a drawing": "<svg></p><g/>" * 507 + _DEEP_CELL,
    "ends of no drawing": "<svg></svg><g></svg>" * 507 + _DEEP_CELL,
    "drawings that formatting ends": "<svg><b></b><g></svg>" * 507 + _DEEP_CELL,
    "drawings that a table ends": "<svg><table></table><g></svg>" * 507 + _DEEP_CELL,
    "cells in a drawing": "<svg>" + "<td>" * 505 + "<desc>" + _DEEP_CELL,
    "options in a drawing": "<svg>" + "<option>" * 505 + "<desc>" + _DEEP_CELL,
    "cells in a formula": "<math>" + "<th>" * 505 + "<mi>" + _DEEP_CELL,
    "scripts in scripts": "<div><script><!--<script></script></div>--></script>" * 507 + _DEEP_CELL,
}


@pytest.mark.parametrize("page", HARMFUL.values(), ids=HARMFUL)
def test_a_page_that_ends_the_process_is_rewritten_and_read(page: str) -> None:
    assert guarded(page.encode()) != page.encode()
    extracted = tamis.extract(page + "<p>What the page says.")
    assert extracted.document.leaves.text[-1] == "What the page says."
    assert extracted.html is not None
    assert extracted.markdown is not None
    assert extracted.metadata is not None


def test_a_page_that_is_deeper_than_the_stack_of_the_guard_is_rewritten() -> None:
    page = b"<i></i>" * 600 + b"<div>" * 5_000
    assert guarded(page).count(b"<div>") == 150


def test_what_is_left_out_of_a_page_makes_no_new_tags() -> None:
    hidden = "<div><div><p>" + "<table><td>" * 127 + "</table><a><blockquote></a>"
    page = "<html>" * 50 + hidden.replace("<", "<<!-- -->") + "word"
    assert guarded(page.encode()).count(b"<table") == 0
    assert Document.from_html(page).leaves.text[-1].endswith("word")


def test_the_encoding_is_looked_for_in_no_harmful_page() -> None:
    """What begins a comment in ASCII is a character behind an escape of ISO-2022-JP."""
    page = b"<meta charset=iso-2022-jp>\x1b$B<!--\x1b(B" + HARMFUL["tables"].encode() + b"<p>word"
    document = Document.from_html(page)
    assert document.encoding == "iso-2022-jp"
    assert document.leaves.text[-1] == "word"


def test_formatting_elements_do_not_multiply() -> None:
    page = "".join(f"<p><b id={number}>" for number in range(2_000)) + "<p>word" * 20_000
    assert len(Document.from_html(page).elements) < 20 * 22_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [
        "".join(f"<html a{number}=1>" for number in range(40_000)),
        "<body>" + "".join(f"<body a{number}=1>" for number in range(40_000)),
        "".join(f"<html {' '.join(f'{letter}{number}' for number in range(40_000))}>" for letter in "abcdefgh"),
        "<svg " * 60_000 + "<table><td>x",
        "<svg>" + "<g>" * 200_000 + "<path>" + "</g>" * 200_000 + "<table><td>x",
        f"<select><button>{'<selectedcontent></selectedcontent>' * 20_000}</button>{'<option selected>x' * 20_000}",
    ],
    ids=["html", "body", "attributes of html", "drawings without an end", "deep drawing", "selectedcontent"],
)
def test_pages_that_take_the_parser_minutes_end(page: str) -> None:
    begin = time.process_time()
    Document.from_html(page)
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 2_000,
        "<ul>" + "<li>item" * 3_000 + "</ul>",
        "<p>" + "<a href=x>link</a> " * 3_000,
        "<table>" + "<tr><td>a<td>b" * 2_000 + "</table>",
        "<div><img src='a.png'><br>" * 200 + "</div>" * 200 + "<table><td>x</table>",
        "<svg><g><path d='M0'/></g></svg>" * 1_000 + "<table><td>x</table>",
        "<div class='a'><span>x</span></div>" * 1_000 + "<table><tr><td>x</table>",
        "<p>text<div>more</div>" * 800 + "<table><tr><th>x</table>",
        "<dt>a<dd>b<option>c</option></dd>" * 800 + "<table><td>x</table>",
        "<svg><linearGradient><stop></linearGradient><path d='M0'/></svg>" * 800 + "<table><td>x</table>",
        "<b></b><!--></b><!---></b><!--<b>--!>" * 2_000 + "<table><td>x</table>",
        "<DIV title='</div>' lang=\">\"/><script>a<b</SCRIPT ></Div>" * 800 + "<table><td>x</table>",
        "<i></i>" * 600 + "<div>" * 4_000,
    ],
)
def test_an_ordinary_page_is_left_as_it_is(page: str) -> None:
    data = page.encode()
    assert guarded(data) is data


def test_all_text_of_a_page_that_is_rewritten_is_kept() -> None:
    words = [f"word{number}" for number in range(600)]
    page = "".join(f"<table><td><b class={word}>{word}" for word in words)
    document = Document.from_html(page)
    assert "".join(document.leaves.text).split("word")[1:] == [word.removeprefix("word") for word in words]


def test_broken_pages_are_read() -> None:
    """Pages of random tags, more than the parser has room for."""
    tags = "div p b i a table td tr th caption svg math select option template style script li ul button br h1".split()
    for seed in range(300):
        source = random.Random(seed)
        page = "<div>" * source.choice((0, 100, 480, 505)) + "".join(
            source.choice(("<{}>", "<{}>", "</{}>", "<{} x='</{}>'>", "<!--</{}>-->", "<{}/>")).replace(
                "{}", source.choice(tags)
            )
            for _ in range(source.randrange(200))
        )
        assert Document.from_html(page) is not None
