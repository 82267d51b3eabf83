"""What the extension writes of a page, in a browser: its structure beside Python's, and nothing that does harm."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from random import Random

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt

from tamis_lab.bench.structure.elements import read_elements
from tamis_lab.bench.structure.scores import ElementCounts, by_example, compare, read_output, total
from tests.attacks import FRAGMENTS, RUN, page
from tests.extension.parity.harness import ROOT, Core
from tests.golden import URL, structure_pages
from tests.hostile import HOSTILE
from tests.markdown_pages import ADDRESSES, LANGUAGES, TAGS, TEXTS

pytestmark = pytest.mark.xdist_group("extension core")

# F1 on the structure pages, whose expected Markdown is Python's: Python has 1.
FLOORS = {
    **dict.fromkeys(("heading", "heading level", "list item", "list depth", "table cell", "link"), 0.95),
    **dict.fromkeys(("code", "code language"), 0.95),
    "formula": 0.85,
    "footnote": 0.7,
}

_LISTS = json.loads((ROOT / "extension/src/core/content/allowed.json").read_text(encoding="utf-8"))
_TAGS = {*_LISTS["tags"], *_LISTS["made"], *_LISTS["math"]}
_ADDRESS = re.compile(r"(?:https?://|mailto:|tel:|#fn)", re.IGNORECASE)
_NOTES = re.compile(
    r'<sup class="footnote-ref">.*?</sup>| ?<a href="#fnref[^>]*>.*?</a>|<section class="footnotes"[^>]*>|</section>|'
    r'(?<=<li) id="fn[^>]*"'
)
_PICTURE = re.compile(r"data:image/(?:avif|gif|jpeg|png|webp)[;,]", re.IGNORECASE)

# What a page's text becomes where each piece of it is escaped alone, or where what is raw in Markdown holds Markdown.
TRAPS = [
    f"<p>&lt;<u>img src=x onerror={RUN}&gt;</u></p>",
    f"<p>&lt;<b></b><!-- -->img src=x onerror={RUN}&gt;</p>",
    f"<p>&lt;<span> </span>img src=x onerror={RUN}&gt; &lt;<wbr>script&gt;{RUN}&lt;/<wbr>script&gt;</p>",
    f"<p>[y <math><mtext>](javascript:{RUN})</mtext></math></p>",
    f"<p><math><mtext>[a</mtext></math> b <math><mtext>](javascript:{RUN})</mtext></math></p>",
    f"<p><math alttext='x_`'><mi>x</mi></math> <code>&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p><math alttext='x$&lt;img src=x onerror={RUN}&gt;'><mi>x</mi></math></p>",
    f"<p><math alttext='x\\$&lt;img src=x onerror={RUN}&gt;'><mi>x</mi></math></p>",
    f"<p><math><mi class=toolbar id=x role=alert href='javascript:{RUN}' onclick={RUN}>x</mi></math></p>",
    f"<p><math><mtext>x_1\n\n[x]: javascript:{RUN}</mtext></math></p><p>[x]</p>",
    f"<p><code>a\n\n&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p><code>a</code><code>`b</code><code>&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p><code>a</code><u><code>``b</code></u><i></i><code>&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p>\ufdd0<code>a\ufdd0</code>\ufdd0<code>`&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p>&lt;javascript:{RUN}&gt; &lt;<i>javascript:{RUN}&gt;</i></p>",
    f"<p>&amp;<u>lt;img src=x onerror={RUN}&amp;gt;</u> &amp;#6<b>0;</b>img src=x onerror={RUN}></p>",
    f"<p><a href='/?`'>a</a> <code>&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p><img src='/?`' alt='`'> <code>&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<table><caption>&lt;img src=x onerror={RUN}&gt;</caption><tr><th>a<th>b<tr><td>1<td>2</table>",
    f"<h2><table><tr><th>[x](javascript:{RUN})<th>b<tr><td><ul><li>[x](javascript:{RUN})</ul><td>`</table></h2>",
    f"<table><tr><th>a<th>b<tr><td><pre>\n\n[x](javascript:{RUN})\n\n&lt;img src=x onerror={RUN}&gt;</pre><td></table>",
    f"<h3>a<pre>``\n&lt;img src=x onerror={RUN}&gt;</pre></h3><a href=/x><pre>`&lt;script&gt;</pre></a>",
    f"<ul><li><p>\\<b>&lt;img src=x onerror={RUN}&gt;</b></ul>",
    f"<div class='admonition tip'><p class=admonition-title>&lt;img src=x onerror={RUN}&gt;</p>&lt;b&gt;</div>",
    f"<p>a<sup><a href=#fn1 id=r1>1</a></sup><ol class=footnotes><li id=fn1>&lt;<i>img src=x onerror={RUN}&gt;</ol>",
    f"<p>a<sup><a href=#fn1]>1</a></sup><li id=fn1]>b <a href=#fn1](javascript:{RUN})>↩</a>",
    f"<p>a<a href=#fn1>1</a> and <a href=#fn2>2</a><ol><li id=fn1>javascript:{RUN}<li id=fn2>javascript:x 'y'</ol>",
    f"<p>a<a href=#fn1>1</a></p><p><a href=#fn1>1</a>:javascript:{RUN}</p><li id=fn1>&lt; javascript:{RUN}&gt;",
    f"<p>a<a href=#fn1>1</a><ol><li id=fn1><pre class=language-js>a\n&lt;img src=x onerror={RUN}&gt;\n\nb</pre></ol>",
    f"<p>a<a href=#fn1>1</a><ol><li id=fn1>b<pre>a\n\n&lt;img src=x onerror={RUN}&gt;</pre></ol>",
    f"<p>a<img src=/x><li><pre>&lt;img src=x onerror={RUN}&gt;</pre><s><del><pre>&lt;b&gt;</pre>x</del></s>",
    f"<b>a <pre>&lt;b&gt;</pre> </b>b<pre>&lt;img src=x onerror={RUN}&gt;</pre>",
    f"<video src=/v title='](javascript:{RUN})'></video><iframe src=/f title='&lt;img src=x onerror={RUN}&gt;'>",
    f"<p>x<span class=sidenote>note a b</span>(javascript:{RUN})</p>",
    f"<p>x<a href=#fn1>1</a>(javascript:{RUN})</p><ol><li id=fn1>a b</ol>",
    f"<div class='math display'>\\[~~~\\]</div><pre>~~~\n&lt;img src=x onerror={RUN}&gt;</pre>",
    f"<p>a<math display=block><mtext>~~~</mtext></math><pre>~~~\n&lt;img src=x onerror={RUN}&gt;</pre>",
    f"<ol start=999999999><li>a<li><pre>x\n\n&lt;img src=x onerror={RUN}&gt;</pre></ol>",
    f"<p>a|b<br>-:|-:<br><code>x | &lt;img src=x onerror={RUN}&gt;</code>|</p>",
    f"<p>www.evil.example&lt;img src=x onerror={RUN}&gt;</p>",
    f"<p>www.evil.example<code>&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p><u>ww</u>w.evil.example<code>&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p><b>http</b>://evil.example<code>&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p>http:/<b>/evil.example</b><code>&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p><a href=/1>t <marquee><a href=/2>v</a></marquee></a><code>&lt;img src=x onerror={RUN}&gt;</code></p>",
    f"<p>a<a href=#fn1>1</a></p><ol><li id=fn1>javascript:{RUN}&nbsp;x</ol>",
    f"<p>a<a href=#fn1>1</a></p><ol><li id=fn1>javascript:{RUN}\u2028x</ol>",
    f"<a href='/l'>![x](javascript:{RUN})</a>",
    f"<pre class='language-a`&#10;&lt;img src=x onerror={RUN}&gt;'>a</pre>",
]


def by_hundreds(pages: Sequence[str]) -> Iterator[Sequence[str]]:
    return (pages[at : at + 100] for at in range(0, len(pages), 100))


def test_the_structure_is_that_of_python(core: Core) -> None:
    pages = structure_pages()
    found = core.ask("rendered", [each.html for each in pages], URL)
    counts: dict[str, list[ElementCounts]] = defaultdict(list)
    for each_page, written in zip(pages, found, strict=True):
        whole = read_elements(each_page.html, URL)
        wanted = by_example(read_output(each_page.markdown, URL, whole, is_html=False))
        output = written["markdown"]
        for kind, each in compare(wanted, read_output(output, URL, whole, is_html=False), whole, output).counts.items():
            counts[kind].append(each)
    figures = {kind: total(many).f1 for kind, many in counts.items()}
    assert {kind: figure for kind, figure in figures.items() if figure < FLOORS.get(kind, 0.75)} == {}


def harm(elements: Iterable[tuple[str, dict[str, str]]], extra: frozenset[str] = frozenset()) -> list[str]:
    """What is off the lists."""
    found = []
    for tag, attributes in elements:
        if tag not in _TAGS | extra:
            found.append(tag)
        for name, value in attributes.items():
            if name in _LISTS["addresses"]:
                is_safe = bool(_ADDRESS.match(value) or (name == "src" and _PICTURE.match(value)))
            elif name in _LISTS["values"]:
                is_safe = bool(re.fullmatch(_LISTS["values"][name], value))
            else:
                is_safe = name in _LISTS["attributes"]
            if not is_safe:
                found.append(f"{tag} {name}={value}")
    return found


def renderers() -> list[Callable[[str], str]]:
    """Makers of HTML from Markdown that let HTML and every address pass, with and without what GitHub adds."""
    common = MarkdownIt("commonmark", {"html": True})
    tables = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for each in (common, tables):
        each.validateLink = lambda url: True  # type: ignore[method-assign]
    unsafe = Options.CMARK_OPT_UNSAFE
    github = ["table", "strikethrough", "autolink"]
    return [
        common.render,
        tables.render,
        lambda text: cmarkgfm.markdown_to_html(text, options=unsafe),
        lambda text: cmarkgfm.markdown_to_html_with_extensions(text, options=unsafe, extensions=github),
        # Notes with names of its own: only what is in them is judged.
        lambda text: _NOTES.sub(
            "", cmarkgfm.markdown_to_html_with_extensions(text, unsafe | Options.CMARK_OPT_FOOTNOTES, github)
        ),
    ]


def assert_harmless(core: Core, pages: Sequence[str]) -> None:
    """Read what is written as a browser does, and the Markdown as a renderer that lets HTML pass makes HTML of it."""
    for part in by_hundreds(pages):
        found = core.ask("rendered", part, URL)
        versions = [[each["html"] for each in found]]
        markdown = [each["markdown"].encode("utf-8", "replace").decode() for each in found]  # without lone surrogates
        versions += [list(map(render, markdown)) for render in renderers()]
        for version in versions:
            for source, html, elements in zip(part, version, core.ask("elements", version), strict=True):
                assert harm(elements) == [], (source, html)


def test_attacks_do_no_harm(core: Core) -> None:
    assert_harmless(core, [page(fragment) for fragment in FRAGMENTS])


def test_traps_do_no_harm(core: Core) -> None:
    assert_harmless(core, TRAPS)


def test_hostile_pages_do_no_harm(core: Core) -> None:
    pages = [make(300) for make in HOSTILE.values()]
    assert_harmless(core, [each.decode("utf-8", "replace") if isinstance(each, bytes) else each for each in pages])


def soup(seed: int) -> str:
    """Tags, texts and addresses that are markup in Markdown, one after the other."""
    random = Random(seed)
    pieces = [
        *map(escape, TEXTS),
        *("&#13;", "&#10;", "&#9;", "&nbsp;", "</a>", "<td colspan=3>", "<th rowspan=2>", "<ol start=1000000000>"),
        *(f"<{close}{tag}>" for tag in TAGS for close in ("", "/")),
        *(f'<a href="{escape(url)}">' for url in ADDRESSES),
        *(f'<img src="{escape(url)}" alt="{escape(alt)}">' for url in ADDRESSES for alt in ("a`", "]<b>")),
        *(f'<pre class="language-{language}">' for language in LANGUAGES),
        *(f'<math alttext="{escape(text)}_">' for text in TEXTS),
    ]
    return "".join(random.choices(pieces, k=random.randrange(1, 30)))


def test_pieces_of_markup_do_no_harm(core: Core) -> None:
    assert_harmless(core, [soup(seed) for seed in range(300)])


@pytest.mark.nightly
def test_many_pieces_of_markup_do_no_harm(core: Core) -> None:
    assert_harmless(core, [soup(seed) for seed in range(300, 20_000)])
