"""What Markdown parsers of others make of a page: nothing but what Markdown means, in the page and in each chunk."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest

pytest.importorskip("markdown_it")
pytest.importorskip("cmarkgfm")

from hypothesis import example, given
from hypothesis import strategies as st

import tamis
from tamis.cli.main import main
from tests import attacks
from tests.fuzz.pages import page as fuzzed_page
from tests.golden import URL, golden_pages, structure_pages
from tests.hostile import HOSTILE
from tests.markdown_judge import harm
from tests.markdown_pages import IMAGE, PIECES, RUN
from tests.markdown_pages import page as cut_page

# Each was markup of the page's choice. The name says how.
ROWS = {
    "a tag cut by an element without marks": f"<p>&lt;<u>img src=x onerror={RUN}&gt;</u></p>",
    "a tag cut by an element that closes": f"<p>&lt;<b></b><!-- -->img src=x onerror={RUN}&gt;</p>",
    "a script": f"<p>&lt;<small>script&gt;{RUN}&lt;/<small>script&gt;</p>",
    "a link of HTML": f"<p>&lt;<mark>a href=\"javascript:{RUN}\"&gt;x&lt;/</mark>a&gt;</p>",
    "an autolink": f"<p>&lt;<abbr>javascript:{RUN}&gt;</abbr></p>",
    "a comment": "<p>&lt;<cite>!-- x</cite></p><p>--&gt;</p>",
    "a tag by ruby": f"<p><ruby>&lt;<rp></rp></ruby>img src=x onerror={RUN}&gt;</p>",
    "a reference to a character": f"<p>&amp;<u>lt;img src=x onerror={RUN}&amp;gt;</u> &amp;#6<b>0;</b>img&gt;</p>",
    "a link that ends in a formula": f"<p>[y <math><mtext>](javascript:{RUN})</mtext></math></p>",
    "a link of two formulas": f"<p><math><mtext>[a</mtext></math> <math><mtext>](javascript:{RUN})</mtext></math></p>",
    "a formula in a link": f"<p><a href=/x>y <math><mtext>](javascript:{RUN})</mtext></math></a></p>",
    "a backtick in a formula": f"<p><math alttext='x_`'><mi>x</mi></math> <code>{IMAGE}</code></p>",
    "a tag that begins in a formula": f"<p><math alttext='a&lt;img src='><mi>x</mi></math> onerror={RUN} ></p>",
    "a fence in a formula": f"<div class='math display'>\\[~~~\\]</div><pre>~~~\n{IMAGE}</pre>",
    "an address in a formula": f"<p><math><mtext>http://e.example</mtext></math><code>{IMAGE}</code></p>",
    "a blank line in the code of a term": (
        f"<dl><dt><code><span style='white-space:pre'>words\n\n{IMAGE}</span></code><dd>x</dl>"
    ),
    "code in a cell, with an escaped bar": f"<table><tr><th>a<tr><td><code>\\|{IMAGE}</code></table>",
    "code in a cell, cut before its bar": f"<table><tr><th>a<tr><td><code>x\\</code><code>|{IMAGE}</code></table>",
    "code of several pieces": f"<p><code>a</code><u><code>``b</code></u><i></i><code>{IMAGE}</code></p>",
    "code behind a bare address": f"<p><u>ww</u>w.evil.example<code>{IMAGE}</code></p>",
    "a definition over two lines": f"<p>[x<br>y]: javascript:{RUN}</p><p>[x y]</p>",
    "a definition that goes on in code": f"<p>[<code>]: javascript:{RUN}</code></p>",
    "a definition in a link": f"<p><a href=/x><code>]: javascript:{RUN}</code></a></p>",
    "a definition in a formula": f"<p><math display=block><mtext>[x]: javascript:{RUN}</mtext></math></p><p>[x]</p>",
    "a note of one word": f"<p>a<a href=#fn1>1</a></p><ol><li id=fn1>javascript:{RUN}&nbsp;x</ol>",
    "a note that begins with code": (
        "<p>a<sup><a href=#fn1>1</a></sup></p><ol><li id=fn1><pre>&lt;img src=x onerror=alert(1)&gt;</pre></ol>"
    ),
    "a note that begins with details": (
        "<p>a<sup><a href=#fn1>1</a></sup></p><ol><li id=fn1>"
        "<details><summary>[x y](javascript:alert(1))</summary><p>z</p></details></ol>"
    ),
    "a note of one word and a quotation": f"<p>a<a href=#fn1>1</a></p><ol><li id=fn1>javascript:{RUN} 'x'</ol>",
    "brackets behind the mark of a note": f"<p>x<a href=#fn1>1</a>(javascript:{RUN})</p><ol><li id=fn1>a b</ol>",
    "a colon behind the mark of a note": f"<p><a href=#fn1>1</a>:javascript:{RUN}</p><li id=fn1>&lt; x&gt;",
    "a line end of other systems in code": f"<blockquote><pre>a&#13;{IMAGE}</pre></blockquote>",
    "a blank line in a table of HTML": (
        f"<table><tr><th>a<tr><td><pre>x&#13;&#13;[x](javascript:{RUN})</pre><td><ul><li>b</ul></table>"
    ),
    "a frame in a table of HTML": "<table><tr><th>a<tr><td><iframe src=https://e.example/></iframe><ul><li>b</ul></table>",
}  # fmt: skip
# Each lost its fence or its fence's end in a chunk.
LINES = "\n".join(f"&lt;img src=x onerror={RUN}&gt; {number}" for number in range(20))
CUT_ROWS = {
    "code in a list": f"<ul><li>a<pre>{LINES}</pre></ul>",
    "code in a quotation": f"<blockquote><pre>{LINES}</pre></blockquote>",
    "code of a definition": f"<dl><dt>a<dd><pre>{LINES}</pre></dl>",
    "code in a line": f"<p>see <code>{LINES}</code></p>",
    "code without spaces": f"<p><code>{LINES.replace(' ', '/')}</code></p>",
    "an overlap that begins in code": f"<p>{f'A <code>. {IMAGE} . x</code> word. ' * 9}</p>",
    "a table of HTML": f"<table><tr><th>a<tr><td><ul><li>{LINES}</ul></table>",
    "details": f"<details><summary>s</summary><p>a</p><pre>{LINES}</pre></details>",
    "a cell that is no delimiter": f"<p><code>a | {IMAGE}</code> | b<br>--|-- {'word ' * 20}</p>",
    "a definition behind a cut": f"<p>{'word ' * 12}{f'[x]: javascript:{RUN} ' * 9}</p>",
    "a note": f"<p>x<a href=#fn1>1</a></p><ol><li id=fn1>javascript:{RUN}//{'a' * 400} {'word ' * 20}</ol>",
}


def judge(html: str, sizes: tuple[tuple[int, int], ...] = ((16, 8), (24, 0), (60, 15))) -> None:
    page = tamis.extract(f"<!---->{html}", extractor="keep-all", url=URL)
    assert harm(page.markdown) == [], page.markdown
    assert harm(page.front_matter + page.markdown) == [], page.front_matter
    for chunk_tokens, chunk_overlap in sizes:
        for chunk in page.chunks(chunk_tokens=chunk_tokens, chunk_overlap=chunk_overlap):
            assert harm(chunk.markdown) == [], (chunk.markdown, page.markdown)


@pytest.mark.parametrize("name", ROWS)
def test_nothing_of_a_page_becomes_markup(name: str) -> None:
    judge(ROWS[name])
    for around in ("h2>|</h2", "ul><li>|</ul", "table><tr><th>a<th>b<tr><td>|<td>b</table", "blockquote>|</blockquote"):
        judge(f"<{around}>".replace("|", ROWS[name]))


@pytest.mark.parametrize("name", CUT_ROWS)
def test_nothing_becomes_markup_in_a_chunk(name: str) -> None:
    judge(CUT_ROWS[name], tuple((size, chunk_overlap) for size in range(16, 64, 4) for chunk_overlap in (0, 8)))


def test_golden_and_structure_pages() -> None:
    for page in [golden.perfect() for golden in golden_pages()] + [each.extracted() for each in structure_pages()]:
        assert harm(page.markdown) == []
        for chunk in page.chunks(chunk_tokens=48, chunk_overlap=12):
            assert harm(chunk.markdown) == []


def test_hostile_and_fuzzed_pages() -> None:
    for make in HOSTILE.values():
        html = make(60)
        judge(html.decode("utf-8", "replace") if isinstance(html, bytes) else html, ((24, 8),))
    for seed in range(40):
        page = tamis.extract("<!---->" + fuzzed_page(seed)[:20_000], extractor="keep-all", url=URL)
        assert harm(page.markdown) == [], seed


@pytest.mark.parametrize(
    "seeds",
    [range(300)]
    + [pytest.param(range(first, first + 500), marks=pytest.mark.slow) for first in range(1_000, 4_000, 500)]
    + [pytest.param(range(first, first + 1_000), marks=pytest.mark.nightly) for first in range(10_000, 30_000, 1_000)],
    ids=str,
)
def test_pages_cut_by_elements(seeds: range) -> None:
    for seed in seeds:
        judge(cut_page(seed), ((16, 8), (48, 0)))


@pytest.mark.parametrize("url", [None, "page.html"])
@pytest.mark.parametrize("fragment", attacks.FRAGMENTS)
def test_hostile_fragments(fragment: str, url: str | None) -> None:
    assert harm(tamis.extract(attacks.page(fragment), extractor="keep-all", url=url).markdown) == []


def test_front_matter_is_no_markup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    title = escape(f"<img src=x onerror={attacks.RUN}> [x](javascript:{attacks.RUN})")
    file.write_text(attacks.page(f"<meta name=author content='{title}'><h1>{title}</h1>").replace("A bridge", title))
    assert main(["extract", str(file), "--format", "markdown", "--with-metadata"]) == 0
    written = capsys.readouterr().out
    assert "author" in written
    assert harm(written) == []


@given(st.lists(PIECES, max_size=40))
@example(["<time>", "<pre>", "s", "</pre>", "<s>", "é", "</s>", "x", "<pre>", "&lt;b&gt;"])
@example(['<a href="a b">', "<h2>", "<table>", "<th>", "é", "<td>", '<a href="a)b">', "~"])
def test_any_markup(pieces: list[str]) -> None:
    assert harm(tamis.extract("".join(pieces), extractor="keep-all").markdown) == []
