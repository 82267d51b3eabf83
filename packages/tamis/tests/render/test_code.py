"""Blocks of code, their languages, and anchors beside headings."""

from __future__ import annotations

import pytest

import tamis
from tamis.document import Document
from tamis.render.content.code import ascending, code_blocks
from tamis.render.content.source import PageSource
from tamis.render.content.structures import anchors


def source(html: str) -> PageSource:
    document = Document.from_html(f"<p>Text.</p>{html}")
    return PageSource(document, document.leaves.visible.copy())


def blocks(html: str) -> list[tuple[str, str]]:
    """The language and the code of each block."""
    found = code_blocks(source(html))
    nodes = [each for node in (found.replaced if found else {}).values() for each in node.walk() if each.name == "pre"]
    return [(node.attributes.get("language", ""), node.text()) for node in nodes]


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<pre class="language-PHP">x</pre>', "php"),
        ('<div class="highlight highlight-source-c++"><pre>x</pre></div>', "cpp"),
        ('<pre lang="bash">x</pre>', "bash"),
        ('<pre><code class="python">x</code></pre>', "python"),
        ('<pre data-lang="ipython3">x</pre>', "python"),
        ('<pre class="language-none">x</pre>', ""),
        ('<div class="language-py"><pre><code class="language-plaintext">x</code></pre></div>', ""),
        ('<div class="lang-switch"><pre class="wide box">x</pre></div>', ""),
        ('<pre lang="pl">x</pre>', ""),
        ('<pre class="language-a`b">x</pre>', ""),
    ],
)
def test_languages(html: str, language: str) -> None:
    assert blocks(html) == [(language, "x")]


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<pre>a<br>b\nc</pre>", "a\nb\nc"),
        ("<pre>a&nbsp;b\u200b\n</pre>", "a b"),
        ("<pre>a\n<div>b</div>\n\nc</pre>", "a\nb\n\n\nc"),  # as browsers show it
        ("<pre><span>a</span> <b>b</b>\n<div>c</div></pre>", "a b\nc"),
        ('<pre><span class="line">a</span><span class="line"></span><span class="line">b</span></pre>', "a\n\nb"),
        ('<pre><span style="display: block">a</span><span style="display: block">b</span></pre>', "a\nb"),
        ('<pre>see <a href="#note">12</a></pre>', "see 12"),
        ('<pre><span class="ln">one</span></pre>', "one"),
        ('<pre><span data-line-number="7">7</span>x\n<span data-line-number="8">42</span></pre>', "x\n42"),
        ("<table><tr><td>1\n2</td><td><pre>a\nb</pre></td></tr></table>", "a\nb"),
    ],
)
def test_lines(html: str, code: str) -> None:
    assert blocks(html) == [("", code)]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Press <code>a<br>b</code> now</p>",
        '<p style="white-space: pre">A poem\nin lines</p>',
        '<div style="white-space: pre-wrap">Prose\nof an editor</div>',
        '<div style="white-space: pre"><h2>A</h2>b\nc</div>',
        "<pre><h2>A heading</h2><p>b</p></pre>",
        '<div class="fragment">A part of a text</div>',
    ],
)
def test_no_code(html: str) -> None:
    assert blocks(html) == []


def test_a_block_is_whole_if_a_part_of_it_is_kept() -> None:
    document = Document.from_html('<table><tr><td class="gutter"><pre>1\n2</pre></td><td><pre>a\nb</pre></td></table>')
    keep = document.leaves.visible.copy()
    keep[0] = False
    found = code_blocks(PageSource(document, keep))
    assert found is not None
    assert [node.text() for node in found.replaced.values()] == ["a\nb"]


def test_numbers_of_lines_ascend() -> None:
    assert ascending("7 8\n9")
    assert not ascending("7 9")
    assert not ascending("")
    assert not ascending("1" * 5_000)


def test_anchors() -> None:
    page = source(
        '<h2>A <a href="#a">#</a></h2><h2>B <a href="https://x.example/#b">🔗</a></h2><h2>Item <a href="/c">#</a></h2>'
        '<p>See <a class="permalink" href="/d">Permalink</a>, <a class="anchor" href="#e">the part</a></p>'
        '<p><button>Copy</button><button class="clipboard">Now</button><button>Buy</button></p>'
    )
    found = anchors(page)
    assert found is not None
    assert sorted(page.text(row) for row in found.skipped) == ["#", "Copy", "Now", "Permalink", "🔗"]


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        ('<span class="k">if</span> <span>x</span>:\n  <b>y</b>', "if x:\n  y"),
        ('<span class="line">a\n</span><span class="line">b</span>', "a\nb"),
        ('<span class="line">a</span><span class="line">b</span>', "a\nb"),
        ('<span class="line"><span class="line">a</span>\n</span><span class="line">b</span>', "a\nb"),
        ('<span style="display: block">a</span><span>b</span>', "a\nb"),
        ('<span style="color: red">a</span><span>b</span>', "ab"),
        ('<span data-line-number="1">1</span><span>a</span>', "a"),
        ('<span hidden class="x">no</span><span>a</span>', "a"),
    ],
)
def test_elements_that_colour_code_and_those_that_are_none(inside: str, code: str) -> None:
    assert [found for _, found in blocks(f"<pre>{inside}</pre>")] == [code]


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        ("let x = 1;<a class=playground-link href=/play>Try</a>", "let x = 1;"),
        (
            "x();<span class=error><span>Not callable.</span></span><span class=error-behind>Not callable.</span>",
            "x();",
        ),
        ("<span class=error>x</span>();", "x();"),
        (
            "const <span class=twoslash-hover>x<span class=twoslash-popup-container>number</span></span> = 1",
            "const x = 1",
        ),
    ],
)
def test_what_a_page_says_about_code_is_no_code(inside: str, code: str) -> None:
    assert blocks(f"<pre class='shiki lsp'><code>{inside}</code></pre>") == [("", code)]


@pytest.mark.parametrize("sign", ["[¶]", "\uf0c1", "\ue9cb"])
def test_signs_that_link_to_a_place_are_left_out(sign: str) -> None:
    html = f"<dl><dt id=x>Rope<a class=headerlink href='#x'>{sign}</a></dt><dd>Text</dd></dl>"
    page = tamis.extract(html, extractor="keep-all")
    assert sign not in page.text
    assert sign not in page.markdown.lstrip("#")
    assert "Rope" in page.text
