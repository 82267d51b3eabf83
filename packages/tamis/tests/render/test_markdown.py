"""Markdown, construct by construct; whole pages are in tests/pages/whole."""

from __future__ import annotations

import pytest

import tamis


def markdown(source: str, *, tables: bool = True) -> str:
    return tamis.extract(source, extractor="keep-all", include_tables=tables).markdown


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<h1>One</h1><h3>Three</h3>", "# One\n\n### Three"),
        ("<p>a <b>bold</b> and <i>slanted</i> <code>x = 1</code></p>", "a **bold** and *slanted* `x = 1`"),
        ("<p>schön <b>größer</b>, <em>naïve</em></p>", "schön **größer**, *naïve*"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ol start=3><li>x</li><li>y</li></ol>", "3. x\n4. y"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        ("<ul><li>a</li> <ul><button>Copy</button></ul></ul><pre>x\ny</pre>", "- a\n\n```\nx\ny\n```"),
        ("<p>a<br>b</p>", "a  \nb"),
        ("<p>a<br><br>b</p>", "a\n\nb"),
        ('<p><a href="https://x.example/">text</a></p>', "[text](https://x.example/)"),
        ('<p>t <img src="i.png" alt="A cat"> t</p>', "t ![A cat](i.png) t"),
        ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
        ("<p>x</p><ul><li><ul><li><hr>a</li></ul></li></ul>", "x\n\n- - ___\n\n    a"),
        ("<dl><dt><pre>a\n\n&lt;b&gt;</pre></dt></dl>", "- **`a <b>`**"),
        ('<p>\\\\<img src="https://x.example/"></p>', "\\\\\\\\![](https://x.example/)"),
        ("<p>10<sup>3</sup> H<sub>2</sub>O</p>", "10^3 H₂O"),
        ("<p>1. not a list</p>", "1\\. not a list"),
        ("<p>&lt;<u>img x&gt;</u> &amp;<u>lt;</u> a &lt; b</p>", "&lt;img x> &amp;lt; a < b"),
        ("<p>[y <math><mtext>](x)</mtext></math></p>", "[y $\\text{]{}(x)}$"),
        ("<svg></svg><hr><p>title: x</p><hr><p>y</p>", "***\n\ntitle: x\n\n---\n\ny"),
        ('<a href="x"><h3>Head</h3><p>para</p></a>', "### [Head](x)\n\npara"),
        (
            '<p>t</p><iframe src="https://v.example/1" title="Film"></iframe><p>t</p>',
            "t\n\n[Film](https://v.example/1)\n\nt",
        ),
    ],
)
def test_constructs(source: str, expected: str) -> None:
    assert markdown(source) == expected


def test_code_keeps_its_indentation_and_language() -> None:
    source = (
        '<div class="highlight-python"><pre><code>    <span>if</span> <span>x</span>:\n'
        "        <span>y</span>\n</code></pre></div>"
    )
    assert markdown(source) == "```python\n    if x:\n        y\n```"


def test_spans_become_a_plain_grid() -> None:
    source = """<table><caption>Cap</caption>
    <tr><th rowspan=2>A</th><th colspan=2>B</th></tr><tr><th>c</th><th>d</th></tr>
    <tr><td>1</td><td>2<br>3</td><td>4|5</td></tr><tr><td>6</td></tr></table>"""
    assert markdown(source) == (
        "Cap\n\n| A | B | B |\n| --- | --- | --- |\n| A | c | d |\n| 1 | 2<br>3 | 4\\|5 |\n| 6 |  |  |"
    )


def test_a_table_that_arranges_the_page_is_no_table() -> None:
    source = "<table><tr><td><h1>Title</h1></td><td><p>Text of the page.</p></td></tr></table>"
    assert markdown(source) == "# Title\n\nText of the page."


def test_without_tables_cells_are_lines() -> None:
    source = "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"
    assert "|" not in markdown(source, tables=False)
    assert markdown(source, tables=False).split() == ["A", "B", "1", "2"]
