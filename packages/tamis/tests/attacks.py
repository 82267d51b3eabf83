"""Pages that want to smuggle code or requests into what is written, and how to see whether they did.

`RUN` is what a script of theirs would do. Addresses to be loaded begin with `AWAY`.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

RUN = "window.ran=1"
AWAY = "http://127.0.0.1:9/away/"

# Each is put between two paragraphs of a page.
FRAGMENTS = (
    # code in elements and handlers
    f"<script>{RUN}</script>",
    f"<script src={AWAY}a.js></script>",
    f"<img src=x onerror={RUN}>",
    f"<svg onload={RUN}><script>{RUN}</script></svg>",
    f"<svg><animate onbegin={RUN} attributeName=x dur=1s></svg>",
    f"<svg><set onbegin={RUN} attributeName=x></svg>",
    f"<svg><a xlink:href='javascript:{RUN}'><text>x</text></a></svg>",
    f"<svg><foreignObject><img src=x onerror={RUN}><iframe srcdoc='<script>{RUN}</script>'></iframe></svg>",
    f"<svg><style><img src=x onerror={RUN}></style></svg>",
    f"<svg><title><style><img src=x onerror={RUN}></style></title></svg>",
    f"<svg><desc><noscript><p title='</noscript><img src=x onerror={RUN}>'></noscript></desc></svg>",
    f"<svg></p><style><a id='</style><img src=x onerror={RUN}>'>",
    f"<svg><use href='data:image/svg+xml,<svg id=x onload={RUN}>#x'></use></svg>",
    f"<math><mtext><mglyph><style><!--</style><img title='--><img src=x onerror={RUN}>'>",
    f"<math><mtext><table><mglyph><style><math><img src=x onerror={RUN}></style></table></mtext></math>",
    f"<form><math><mtext></form><form><mglyph><style></math><img src=x onerror={RUN}>",
    f"<math><annotation-xml encoding='text/html'><style><img src=x onerror={RUN}></style></annotation-xml></math>",
    f"<math><mi xlink:href='javascript:{RUN}' href='javascript:{RUN}'>x</mi></math>",
    f"<p><math>&lt;img src=x onerror={RUN}&gt;</math></p><math display=block>&lt;script&gt;{RUN}&lt;/script&gt;</math>",
    f"<details open ontoggle={RUN}><summary>x</summary></details>",
    f"<body onload={RUN} onpageshow={RUN}>",
    f"<input autofocus onfocus={RUN}>",
    f"<video autoplay onloadstart={RUN} poster={AWAY}p.png><source src={AWAY}v.mp4 onerror={RUN}></video>",
    f"<audio src={AWAY}a.ogg onerror={RUN} autoplay></audio>",
    f"<marquee onstart={RUN}>x</marquee>",
    f"<p style='animation: x 1s' onanimationstart={RUN}>x</p><style>@keyframes x {{ from {{ top: 0 }} }}</style>",
    f"<a/onclick={RUN}/href=x>x</a>",
    f"<x-y onpointerover={RUN} is=z>x</x-y>",
    f"<template><script>{RUN}</script></template>",
    f"<div><template shadowrootmode=open><script>{RUN}</script><p onclick={RUN}>in</p></template></div>",
    f"<select><option><script>{RUN}</script></select>",
    f"<textarea></textarea><script>{RUN}</script>",
    f"<textarea>&lt;/textarea>&lt;img src=x onerror={RUN}></textarea>",
    f"<xmp></xmp><img src=x onerror={RUN}></xmp>",
    f"<xmp>&lt;img src=x onerror={RUN}><img src=x onerror={RUN}></xmp>",
    f"<title>&lt;/title>&lt;img src=x onerror={RUN}></title>",
    f"<noembed></noembed><img src=x onerror={RUN}></noembed>",
    f"<noframes><img src=x onerror={RUN}></noframes>",
    f"<!--><img src=x onerror={RUN}>-->",
    f"<!--!--><img src=x onerror={RUN}>--!>",
    f"<![CDATA[><img src=x onerror={RUN}>]]>",
    f"<svg><![CDATA[<img src=x onerror={RUN}>]]></svg>",
    f"<?xml-stylesheet href='javascript:{RUN}'?>",
    f"&lt;img src=x onerror={RUN}&gt;",
    f"&amp;lt;img src=x onerror={RUN}&amp;gt;",
    f"<p title='\"><img src=x onerror={RUN}>' class='\"><img src=x onerror={RUN}>' id='x\" onclick=\"{RUN}'>x</p>",
    f"<abbr title='&quot; onmouseover=&quot;{RUN}'>x</abbr>",
    f"<img src=a alt='\"><img src=x onerror={RUN}>'>",
    f"<p lang='\" onclick={RUN}' dir='\" onclick={RUN}'>x</p>",
    f"<ol start='\"><img src=x onerror={RUN}>'><li value='\"><img src=x onerror={RUN}>'>x</ol>",
    f"<time datetime='\"><img src=x onerror={RUN}>'>x</time>",
    # noscript, which a browser with scripts reads as text
    f"<noscript><p title='</noscript><img src=x onerror={RUN}>'></noscript>",
    f"<noscript><!--</noscript><img src=x onerror={RUN}>--></noscript>",
    f"<noscript><!--</noscript><meta http-equiv=refresh content='0;url={AWAY}'>--></noscript>",
    f"<noscript><style></noscript><img src=x onerror={RUN}></style></noscript>",
    f"<noscript><iframe src={AWAY}></iframe><img src={AWAY}n.png></noscript>",
    # addresses
    f"<a href='javascript:{RUN}'>x</a>",
    f"<a href=' \x01java\nscript\t:{RUN}'>x</a>",
    f"<a href='./javascript:{RUN}'>x</a><img src='./javascript:{RUN}'><iframe src='../javascript:{RUN}'></iframe>",
    f"<a href='a/../javascript:{RUN}'>x</a>",
    f"<a href='javascript&colon;{RUN}'>x</a><a href='javascript&amp;colon;{RUN}'>x</a>",
    f"<a href='javascript&#x3a;{RUN}'>x</a><a href='javascript\\:{RUN}'>x</a>",
    f"<a href='JaVaScRiPt://%0a{RUN}'>x</a>",
    f"<a href='vbscript:{RUN}'>x</a><a href='livescript:{RUN}'>x</a><a href='view-source:javascript:{RUN}'>x</a>",
    f"<a href='data:text/html,<script>{RUN}</script>'>x</a>",
    f"<iframe src='data:text/html,<script>{RUN}</script>'></iframe>",
    f"<a href='blob:{AWAY}x'>x</a><a href='file:///etc/passwd'>x</a><a href='filesystem:{AWAY}x'>x</a>",
    f"<img srcset='javascript:{RUN} 2x, data:text/html,x 3x'>",
    f"<img data-src='javascript:{RUN}' data-srcset='javascript:{RUN}'>",
    f"<object data='javascript:{RUN}'></object><embed src='javascript:{RUN}'>",
    f"<blockquote cite='javascript:{RUN}'>x</blockquote><q cite='./javascript:{RUN}'>x</q>",
    f"<form action='javascript:{RUN}'><button formaction='javascript:{RUN}'>x</button><input type=image src={AWAY}i>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"<base href='javascript:{RUN}//'><a href='x'>x</a>",
    f"<base href='data:text/html,'><a href='<script>{RUN}</script>'>x</a>",
    f"<base href='x'><a href='./javascript:{RUN}'>x</a>",
    f"<base href={AWAY}><img src=x.png><a href=y>x</a>",
    # requests
    f"<meta http-equiv=refresh content='0;url={AWAY}'>",
    f"<meta http-equiv=refresh content='0;url=javascript:{RUN}'>",
    f"<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-inline'\"><script>{RUN}</script>",
    f"<link rel=stylesheet href={AWAY}s.css><link rel=preload as=image href={AWAY}p><link rel=preconnect href={AWAY}>",
    f"<link rel=icon href={AWAY}i.ico><link rel=prefetch href={AWAY}f><link rel=manifest href={AWAY}m>",
    f"<style>@import '{AWAY}s.css'; p {{ background: url({AWAY}b.png) }}</style>",
    f"<style>@font-face {{ font-family: f; src: url({AWAY}f) }} p {{ font-family: f }}</style>",
    f"<style></style><img src=x onerror={RUN}></style>",
    f"<style>a::before {{ content: '</style><img src=x onerror={RUN}>' }}</style>",
    f"<p style='background: url({AWAY}b.png); list-style: url({AWAY}l.png)'>x</p>",
    f"<table background={AWAY}t.png><tr><td background={AWAY}c.png>x</table>",
    f"<img src={AWAY}i.png srcset='{AWAY}j.png 2x'><picture><source srcset={AWAY}k.png><img src={AWAY}l.png></picture>",
    f"<iframe src={AWAY}f></iframe><object data={AWAY}o></object><embed src={AWAY}e>",
    f"<svg><image href={AWAY}i.png /><use href={AWAY}u.svg#x /><feImage href={AWAY}f /></svg>",
    f"<svg><rect width=9 height=9 fill='url({AWAY}p.svg#x)' mask='url({AWAY}m.svg#x)' style='filter:url({AWAY}f#x)'/>",
    f"<a href=x ping={AWAY}>x</a><body background={AWAY}b.png>",
    # Markdown
    f"<pre class='language-a`b'>&lt;img src=x onerror={RUN}&gt;</pre>",
    f"<pre><code class='lang-x' data-lang='```\n'>&lt;img src=x onerror={RUN}&gt;</code></pre>",
    f"<b>é</b>x<i>y</i><b><pre>&lt;img src=x onerror={RUN}&gt;</pre></b>",
    f"<p><sub><sub><sub>x</sub></sub></sub></p><pre>~~~\n&lt;img src=x onerror={RUN}&gt;</pre>",
    f"<sup><pre>&lt;img src=x onerror={RUN}&gt;</pre></sup><q><pre>&lt;img src=x onerror={RUN}&gt;</pre></q>",
    f"<pre>d</pre><q><ul><li>+</ul></q><pre>&lt;img src=x onerror={RUN}&gt;</pre>",
    f"<ol start=1000000000><li>a<pre>&lt;img src=x onerror={RUN}&gt;\n\nb</pre></ol>",
    f"b<menu><menu><menu><pre>&lt;img src=x onerror={RUN}&gt;\n\n</pre></menu></menu></menu>",
    f"<blockquote><pre>a&#13;&lt;img src=x onerror={RUN}&gt;</pre></blockquote>",
    f"<table><tr><th>a</th></tr><tr><td>`</td><td colspan=2>&lt;img src=x onerror={RUN}&gt;</td></tr></table>",
    f"<h6><i><table><tr><th>[](javascript:{RUN})&lt;b&gt;<tr><td>;<td colspan=2></table></i></h6>",
    f"<a href='<img src=x onerror={RUN}>'><h2>t<table><tr><td>u<td><a href=y>v</a></table></h2></a>",
    f"<a href='x) <img src=x onerror={RUN}>'>x</a><img src='x> <img src=x onerror={RUN}>' alt='](x) <b>'>",
    f"[x](javascript:{RUN}) ![x](javascript:{RUN}) &lt;javascript:{RUN}&gt;",
    f"<p>[x]: javascript:{RUN}</p><p>[x]</p>",
    f"\\<del>é</del><b>&lt;img src=x onerror={RUN}&gt;</b>",
)  # fmt: skip


def page(fragment: str) -> str:
    """A page with a fragment in it."""
    words = "The bridge over the river was closed for repairs and opens again on Monday. " * 3
    return f"<!doctype html><title>A bridge</title><p>{words}</p>{fragment}<p>{words}</p>"


SCHEME = re.compile(r"[\x00-\x20]*([a-zA-Z][a-zA-Z0-9+.\-\t\r\n]*):")
SAFE_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})


def is_safe_address(url: str) -> bool:
    """Has an address no scheme, or one that can't run code?"""
    scheme = SCHEME.match(url)
    return scheme is None or re.sub(r"\s", "", scheme.group(1)).lower() in SAFE_SCHEMES


# What may be written as content.
CONTENT = frozenset(
    """
    a abbr address article aside b bdi bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption
    figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark nav ol p pre q rp rt ruby s samp section
    small strong sub summary sup table tbody td tfoot th thead time tr u ul var img video audio iframe input

    math semantics annotation menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow
    ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none
    """.split()
)
NAMES = frozenset(
    """
    href src cite alt title class id lang dir colspan rowspan scope start type value reversed datetime open controls
    sandbox style width height content http-equiv name charset media checked disabled for role aria-label aria-hidden
    hidden autocomplete viewbox fill mask x y

    display encoding accent accentunder columnalign columnspan displaystyle fence form linebreak linethickness
    mathvariant movablelimits stretchy
    """.split()
)


class _Elements(HTMLParser):
    """The standard library's reading, which knows nothing of the one that is tested."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_comment(self, data: str) -> None:
        self.found.append(("comment", {}))

    handle_pi = unknown_decl = handle_comment


def elements_of(html: str) -> list[tuple[str, dict[str, str]]]:
    parser = _Elements()
    parser.feed(html)
    parser.close()
    return parser.found


def assert_harmless(html: str, allowed: frozenset[str] = CONTENT) -> None:
    """Fails for HTML with an element, attribute or address that is not on the lists of what tamis writes."""
    names = NAMES - {"style", "http-equiv"} if allowed is CONTENT else NAMES
    for tag, found in elements_of(html):
        assert tag in allowed, tag
        for name, value in found.items():
            assert name in names, f"{tag} {name}={value!r}"
            assert name not in ("href", "src", "cite") or is_safe_address(value), f"{tag} {name}={value!r}"
        assert tag != "iframe" or "sandbox" in found
