"""Pages whose text is markup in Markdown, cut in pieces by inline elements. A number makes the same page each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from random import Random

from hypothesis import strategies as st

RUN = "alert(1)"  # a value without quotes has no sign of equality in CommonMark
IMAGE = f"&lt;img src=x onerror={RUN}&gt;"  # as the text of a page

PAYLOADS = (
    f"<img src=x onerror={RUN}>", f"<script>{RUN}</script>", f"<javascript:{RUN}>",
    f'<a href="javascript:{RUN}">x</a>', f"<!-- x --><img src=x onerror={RUN}>", f"<?php {RUN} ?>",
    f"<![CDATA[<img src=x onerror={RUN}>]]>", "<!DOCTYPE x>", f"<div onclick={RUN}>",
    f"</p><iframe src=javascript:{RUN}>", f"<svg onload={RUN}>", "<style>", "<textarea>", f"[x](javascript:{RUN})",
    f"![x](javascript:{RUN})", f"[x]: javascript:{RUN}", f"[x y]: javascript:{RUN}", "[x]", "[x y]",
    f"[x][y] [y]: javascript:{RUN}", f"](javascript:{RUN})", f"](javascript:{RUN} 'x'", "[^1]",
    f"[^1]: javascript:{RUN}", f"[^1](javascript:{RUN})", f"(javascript:{RUN})", f":javascript:{RUN}",
    f": javascript:{RUN}", "[", "]", "![", "](", f"&lt;img src=x onerror={RUN}&gt;",
    f"&#60;img src=x onerror={RUN}&#62;", f"javascript:{RUN}", f"javascript&colon;{RUN}", "`", "``", "```", "````",
    "~~~", "~~~~", "$", "$$", "$x$", "\\", "\\\\", "|", "a|b", "--|--", ":-:", "|--|", "---", "===", "- -", "# ", "> ",
    "- ", "+ ", "* ", "1. ", "1) ", "9999999999. ", "    ", "\t", "*", "**", "_", "__", "~~", "www.e.example",
    "http://e.example", "https:", "//e.example", "ftp://e.example/", "mailto:a@e.example", "a@e.example",
    "{: onclick=x}", "+++", "<details>", "</details>", "<table>", "</table>", "<br>", "<summary>", "[x]:", "[ ] ", "!",
    "^1", "^", "(", ")", "<", ">", "&", "\u200b", "\u00ad", "\u2028", "\x0b", "\x0c", "\x85", "\ufeff", "\u00a0", "é",
    "中", "。", "word", "two words", "7", "\ufffd", "\x01",
)  # fmt: skip
CUTS = (
    "<u>|</u>", "<small>|</small>", "<mark>|</mark>", "<abbr>|</abbr>", "<cite>|</cite>", "<ins>|</ins>",
    "<span>|</span>", "<ruby>|</ruby>", "<ruby>x<rt>|</rt></ruby>", "<bdo dir=ltr>|</bdo>", "<b>|</b>", "<i>|</i>",
    "<s>|</s>", "<em>|</em>", "<sup>|</sup>", "<sub>|</sub>", "<q>|</q>", "<code>|</code>", "<kbd>|</kbd>",
    "<a href=/l>|</a>", "<a href='/?`'>|</a>", "<math><mtext>|</mtext></math>", "<math><mi>|</mi></math>",
    "<time>|</time>", "<font>|</font>", "<del>|</del>", "<a href='https://e.example/'>|</a>",
    "<code><span style='white-space:pre'>|</span></code>", "<var>|</var>", "|<b></b>", "|<!-- -->", "|<wbr>", "|<br>",
    "|&shy;", "|&nbsp;", "|&#8203;", "|\n", "|&#13;", "|&#10;&#10;", "|&#12;", "|&#0;", "| ", "|<img src=/i>",
    "|<img src=/i alt='](x) <b> `'>", "|<span> </span>", "|<a href=#fn1>1</a>", "|<i>&#8203;</i>",
    "|<marquee></marquee>", "|<sup></sup>", "|<br><br>", "<marquee>|</marquee>", "|<svg></svg>",
    "<span hidden>|</span>", "|<math><mi>x</mi></math>", "|<code>x</code>", "|<input type=checkbox>",
)  # fmt: skip
CONTEXTS = (
    "<p>|</p>", "<p>|</p><p>|</p>", "<h2>|</h2>", "<h3>x |</h3>", "<ul><li>|<li>|</ul>",
    "<ol start=999999999><li>|<li>|</ol>", "<ol><li><p>|<pre>|</pre></ol>", "<ul><li><ul><li>|</ul>|</ul>",
    "<ul><li class=task-list-item><input type=checkbox> |</ul>", "<blockquote>|</blockquote>",
    "<blockquote><pre>|</pre></blockquote>", "<a href=/x>|</a>", "<a href=/x><h2>|</h2><p>|</p></a>",
    "<p><a href=/x title='|'>|</a> |</p>", "<table><tr><th>a<th>|<tr><td>|<td>|</table>",
    "<table><tr><td>|<td><code>|</code></table>", "<table><caption>|</caption><tr><th>a<th>b<tr><td>|<td>b</table>",
    "<table><tr><th>a<tr><td><ul><li>|</ul><td>|</table>", "<table><tr><th>a<tr><td><pre>|</pre><td><p>|<p>|</table>",
    "<table><tr><th>a<th>b<tr><td>|<br>|<td>|</table>", "<p><code>|</code></p>", "<p>|<code>|</code>|</p>",
    "<pre>|</pre>", "<pre><code class=language-x>|\n|</code></pre>", "<p><math alttext='|'><mi>x</mi></math>|</p>",
    "<p>\\(|\\) |</p>", "<div class='math display'>\\[|\\]</div><pre>|</pre>",
    "<math display=block><mtext>|</mtext></math>", "<p>$$|$$</p>", "<p>|<math><mtext>|</mtext></math>|</p>",
    "<p><img src=/i alt='|'>|</p>", "<figure><img src=/i alt='|'><figcaption>|</figcaption></figure>",
    "<p>x<a href=#fn1 id=r1>1</a></p><ol class=footnotes><li id=fn1>|</ol>",
    "<p>x<sup><a href=#fn1>1</a></sup>|<p>|<li id=fn1>| <a href=#r1>↩</a>", "<p>x<span class=sidenote>|</span>|</p>",
    "<div class='admonition tip'><p class=admonition-title>|</p><p>|</div>",
    "<details><summary>|</summary>|</details>", "<details><summary>|</summary><ul><li>|</ul></details>",
    "<dl><dt>|<dd>|</dl>", "<dl><dt><code>|</code><dd><pre>|</pre></dl>", "<iframe src=/f title='|'></iframe>",
    "<p>|<br>|<br>|</p>", "<div>|<p>|</p>|</div>", "<b><p>|</p></b>|<i><pre>|</pre></i>", "<hr><p>|</p><hr>",
    "<p>a|b<br>|</p>", "<section>|</section>", "<p><a href=/1>| <marquee><a href=/2>|</a></marquee></a>|</p>",
    "<ruby>|<rt>|</rt></ruby>", "<q>|</q>", "<address>|</address>",
)  # fmt: skip
_ADDRESSES = (
    "/x", f"javascript:{RUN}", "a)b", "x [y](z", "<x>", "a|b", "`", f"x) [y](javascript:{RUN}", "/?$x$", "/]:x",
)  # fmt: skip


def text(random: Random) -> str:
    """Payloads one after the other, escaped as a text of HTML and cut in pieces by elements."""
    whole = "".join(random.choice(PAYLOADS) for _ in range(random.choice((1, 1, 1, 2, 3))))
    return "".join(_cut(whole, random))


def _cut(whole: str, random: Random) -> Iterator[str]:
    places = sorted(random.sample(range(len(whole) + 1), k=min(len(whole) + 1, random.choice((0, 1, 1, 2, 3)))))
    for start, end in zip([0, *places], [*places, len(whole)], strict=True):
        part = escape(whole[start:end])
        yield random.choice(CUTS).replace("|", part, 1) if start and random.random() < 0.8 else part


def filled(context: str, random: Random) -> str:
    """A context with a text at each of its places."""
    parts = context.split("|")
    quoted = "'" in context
    found = [parts[0]]
    for part in parts[1:]:
        each = text(random)
        is_attribute = quoted and found[-1].rpartition("<")[2].count("'") % 2 == 1
        found += [escape("".join(random.choices(PAYLOADS, k=2))) if is_attribute else each, part]
    return "".join(found)


def page(seed: int, contexts: Sequence[str] = CONTEXTS) -> str:
    """The page with this number."""
    random = Random(seed)
    blocks = [filled(random.choice(contexts), random) for _ in range(random.choice((1, 1, 2, 3, 5)))]
    if random.random() < 0.1:
        blocks.append(f"<a href='{escape(random.choice(_ADDRESSES))}'>{text(random)}</a>")
    if random.random() < 0.1:  # nested, without an end
        blocks.insert(0, random.choice(CUTS).split("|")[0])
    return "<!---->" + random.choice(("", "\n", " ", "<p>x</p>")).join(blocks)


# Parts of pages, for any markup.
TEXTS = [
    f"<img src=x onerror={RUN}>", "<b>", "<script>", "</p>", "<!--", "<?", "<![CDATA[", f"<javascript:{RUN}>",
    f"[x](javascript:{RUN})", f"[x]: javascript:{RUN}", "[x]", "`", "``", "```", "````", "~~~", "~~~~", "\n", "\n\n",
    "    ", "\t", "> ", "- ", "1. ", "2) ", "# ", "---", "===", "|", "| --- |", "*", "_", "\\", "&lt;", "&#60;", "]",
    "(", "!", "é", "中", "word", "\u2028", "\x0c", "\x85",
]  # fmt: skip
TAGS = (
    "pre pre code kbd samp sub sup s del b i em strong q blockquote ul ol li menu dir table tr td th caption p h1 h2 "
    "dl dt dd div figure figcaption details summary span u ruby rt mark xmp listing var small abbr math mtext address "
    "button center time cite dfn textarea select noscript marquee object hr br"
).split()
ADDRESSES = [
    "x", f"javascript:{RUN}", f"./javascript:{RUN}", "a b", "a)b", "a>b", "<x>", "x\\)y", "`", "a|b", "https://e.example/",
    f"javascript&colon;{RUN}", f"x) [y](javascript:{RUN}", f"<img src=x onerror={RUN}>", "https://e.example/a_b_c",
]  # fmt: skip
LANGUAGES = ["python", "a`b", "```", "x\ny", "c++", "a~b", "<b>"]

PIECES = st.one_of(
    st.sampled_from([escape(text) for text in TEXTS]),
    st.sampled_from(["&#13;", "&#10;", "&#9;", "&nbsp;"]),
    st.sampled_from([f"<{tag}>" for tag in TAGS]),
    st.sampled_from([f"</{tag}>" for tag in TAGS]),
    st.sampled_from([f'<a href="{escape(url)}">' for url in ADDRESSES]),
    st.sampled_from([f'<img src="{escape(url)}" alt="{escape(alt)}">' for url in ADDRESSES for alt in ("a`", "]<b>")]),
    st.sampled_from([f'<pre class="language-{language}">' for language in LANGUAGES]),
    st.sampled_from(["<td colspan=3>", "<th rowspan=2>", "<ol start=1000000000>", "<ol start=0>", "</a>"]),
)
