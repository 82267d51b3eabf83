"""Plain text: what a reader sees as lines and paragraphs, and nothing added."""

from __future__ import annotations

import sys

import pytest

import tamis


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<p>a\n   b</p>", "a b"),
        ("<b>a</b> <i>b</i>", "a b"),
        ("<b>a</b><i>b</i>", "ab"),
        ("wor<!-- x -->d", "word"),
        ("<div>a<span> b</span></div>", "a b"),
        ("<p>a<br>b</p>", "a\nb"),
        ("<p>a<br><br>b</p>", "a\n\nb"),
        ("<ul><li>a</li><li>b</li></ul><p>c</p>", "a\nb\n\nc"),
        ("<ul><li>a<ul><li>b</li></ul></li></ul>", "a\nb"),
        ("<ul><li><h3>a</h3><p>b</p></li><li><h3>c</h3><p>d</p></li></ul>", "a\nb\n\nc\nd"),
        ("<dl><dt>a</dt><dd>b</dd></dl>", "a\nb"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "a\tb\nc\td"),
        ("<table><tr><td>a</td><td></td><td>b</td></tr><tr><td>c</td></tr></table>", "a\t\tb\nc"),
        ("<table><tr><td>a<br>b</td><td><p>c</p><p>d</p></td></tr></table>", "a b\tc d"),
        ("<p>a</p><pre>\n  x\n    y\n</pre><p>b</p>", "a\n\n  x\n    y\n\nb"),
        ("<pre><b>if</b> <i>x</i>:\n    <b>y</b></pre>", "if x:\n    y"),
        ("<p>漢<ruby>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>。</p>", "漢字(じ)。"),
        ("<p>f(<span hidden>no</span>x)</p>", "f(x)"),
        ("<button>a</button><button>b</button>", "a\n\nb"),
        ("<h1>a</h1>b", "a\n\nb"),
        ("<p>so\u00adft \u2060a \u00ad</p>", "soft a"),
        ("<p>\u00ad a \u00ad b</p>", "a  b"),
        ("<p>a\u200bb ก\u200bข\u00ad\u200bค</p>", "ab ก\u200bขค"),
    ],
)
def test_lines(source: str, expected: str) -> None:
    assert tamis.extract(source, extractor="keep-all").text == expected


def test_all_white_space_is_folded() -> None:
    spaces = [character for character in map(chr, range(sys.maxunicode + 1)) if character.isspace()]
    for space in spaces:
        assert tamis.extract(f"<p>a{space}{space}b c</p>", extractor="keep-all").text == "a b c", ascii(space)


def test_what_is_dropped_leaves_a_space() -> None:
    document = tamis.Document.from_html("<p>word<sup>1</sup>s</p>")
    keep = ~document.inside("sup")
    assert tamis.Page(document, tamis.Labels(keep.astype(float), keep), "test", document).text == "word s"


def test_rows_of_one_column_stand_on_lines_of_their_own() -> None:
    html = "<table><tr><td>one</td></tr><tr><td>two</td></tr></table>"
    assert tamis.extract(html, extractor="keep-all").text == "one\ntwo"
