"""Pages written for these tests."""

from __future__ import annotations

import json
from collections.abc import Callable

FIRST = (
    "The miller at Oakham Weir opens the sluice at four in the morning, while the valley is dark and the road is "
    "empty, and listens for the change in the water before he lets the stones turn."
)
SECOND = (
    "For eleven years nobody ground flour here. The wheel stood still, the race filled with silt, and the last sacks "
    "were sold to a museum that wanted them for a room about bread."
)
THIRD = (
    "What brought the mill back was not money but a dispute about fish, since a weir that is cleaned twice a year lets "
    "trout pass, and a weir that is left alone does not."
)
COMMENT = (
    "My grandmother carried grain down that road every autumn and always said that the flour tasted of the river, "
    "which we never believed until the mill opened again this spring."
)
CAPTION = "The wheel on the morning that it turned again, seen from the footbridge."
MENU = ("Home", "Weather", "Markets", "Letters", "Archive")

_STYLE = """
body { margin: 0; font: 16px/1.5 serif; } nav { background: #234; padding: 8px } nav a { color: #fff; margin: 8px }
main { width: 620px; margin: 20px; } aside { position: absolute; left: 700px; top: 80px; width: 200px }
footer { background: #eee; padding: 20px }
"""

_MENU = "".join(f"<a href='/{name.lower()}'>{name}</a>" for name in MENU)

ARTICLE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The mill at Oakham Weir turns again | Valley Post</title>
<style>{_STYLE}</style></head>
<body class="page">
<!-- a comment of the page -->
<nav>{_MENU}</nav>
<main id="story">
<article>
<h1>The mill at Oakham Weir turns again</h1>
<p id="first">{FIRST}</p>
<figure><img id="wheel" src="/wheel.png" alt="A wheel" width="300" height="120">
<figcaption>{CAPTION}</figcaption></figure>
<p id="second">{SECOND} See <a id="link" href="/plan?a=1&amp;b=2">the plan of the weir</a> for more.</p>
<h2 id="fish">A dispute about fish</h2>
<p id="third">{THIRD}</p>
<ul><li>The race is cleaned in March and in September, by hand, and takes four days each time.</li>
<li>The stones are dressed once a year, by a man who comes from the coast for it.</li></ul>
</article>
<section class="comments" id="comments"><h3>Two letters</h3><p>{COMMENT}</p><p>{COMMENT[::-1].title()}</p></section>
</main>
<aside id="teasers"><h4>Also today</h4><ul><li><a href="/1">Bridge toll</a></li><li><a href="/2">Eel prices</a></li>
<li><a href="/3">Choir wanted</a></li></ul></aside>
<footer id="footer">Valley Post <a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></footer>
</body></html>
"""

# What a page may not do, an extension has to do otherwise.
STRICT = (
    "default-src 'none'; script-src 'none'; style-src 'none'; img-src 'none'; connect-src 'none'; font-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'"
)

# Nothing that its own policy forbids, so that nobody complains of the page itself.
STRICT_ARTICLE = "".join(line for line in ARTICLE.splitlines(keepends=True) if "<img" not in line).replace(
    f"<style>{_STYLE}</style>", ""
)

SHADOW_AND_FRAME = f"""<!doctype html><html lang="en"><head><title>Shadows and frames</title></head><body>
<nav>{_MENU}</nav>
<story-text id="host"><template shadowrootmode="open"><style>p {{ width: 600px }}</style>
<p id="inner">{FIRST}</p><div class="frame"><slot></slot></div></template><p id="slotted">{SECOND}</p></story-text>
<iframe id="frame" src="/inside" width="620" height="200"></iframe>
<footer>Valley Post <a href="/imprint">Imprint</a></footer></body></html>
"""
INSIDE = (
    f"<!doctype html><html><head><title>Inside</title></head><body><p id='framed'>{THIRD} {THIRD}</p></body></html>"
)

LAZY = f"""<!doctype html><html lang="en"><head><title>It comes later</title></head><body>
<nav>{_MENU}</nav><main id="story"><article><h1>It comes later</h1><p>{FIRST}</p><p>{SECOND}</p></article></main>
<footer>Valley Post <a href="/imprint">Imprint</a></footer>
<script>
function load() {{
  const text = document.createElement("p");
  text.id = "late";
  text.textContent = {THIRD!r};
  document.querySelector("article").append(text);
}}
</script></body></html>
"""

HOSTILE = f"""<!doctype html><html><head><title>Hostile <img src=x onerror=window.hurt=1></title></head><body>
<nav>{_MENU}</nav><article><h1>Links that want more</h1>
<p id="first">{FIRST} <a href="javascript:window.hurt=1">do not press</a></p>
<p onclick="window.hurt=1">{SECOND} <img src="/x.png" onerror="0" style="position:fixed;inset:0" alt="cover"></p>
<p>{THIRD} <a href="data:text/html,<script>1</script>">nor this</a><svg onload="0"><text>drawn</text></svg></p>
<form id="form"><input name="nodeType"><input name="parentNode"><input name="children"><input name="localName">
<input name="setAttribute"><input name="removeAttribute"><input name="hasAttribute"><input name="getAttribute">
<input name="shadowRoot"><input name="nextSibling"><input name="firstChild"><input name="getBoundingClientRect">
<p id="third">{THIRD}</p></form></article>
<form><input name="attributes"><input name="childNodes"><input name="setAttribute"><input name="assignedSlot">Search
</form><img name="documentElement" src="/x.png" alt=""><img name="title" src="/x.png" alt="">
<img name="body" src="/x.png" alt="">
<img name="createElementNS" src="/x.png" alt=""><img name="URL" src="/x.png" alt="">
<footer>Valley Post</footer></body></html>
"""


def _numbered(part: str, times: int) -> str:
    """A part so many times, with its number for every "#": of texts that are the same only one would stay."""
    return "".join(part.replace("#", str(number)) for number in range(times))


def huge(nodes: int) -> str:
    """A page of so many nodes, elements and texts: paragraphs with links between lists of links."""
    part = (
        f"<section><h2>Part #</h2><p>#. {FIRST} <a href='/a'>a link</a> and <b>more</b> of it.</p><p>#. {SECOND}</p>"
        "<ul><li><a href='/b'>Bridge toll</a></li><li><a href='/c'>Eel prices</a></li></ul></section>"
    )
    return (
        f"<!doctype html><html lang='en'><head><title>Huge</title></head><body><nav>{_MENU}</nav><main>"
        + _numbered(part, nodes // 20 + 1)  # 11 elements and 9 texts each
        + "</main></body></html>"
    )


def huge_flat(nodes: int) -> str:
    """As many paragraphs as it takes, side by side."""
    part = f"<p>#. {FIRST} <a href='/a'>a link</a> and <b>more</b> of it.</p><p>#. {SECOND}</p>"
    return _in_main("Flat", _numbered(part, nodes // 10 + 1))  # 4 elements and 6 texts each


def huge_list(nodes: int) -> str:
    """One list of that many nodes, every tenth item with a list in it."""
    items = "".join(f"<li>#.{number} {SECOND} <em>Really</em>.</li>" for number in range(10))
    inner = f"<li>#. {FIRST}<ul><li>one</li><li>two</li></ul></li>"
    return _in_main("Items", f"<h1>Items</h1><p>{THIRD}</p><ul>{_numbered(items + inner, nodes // 57 + 1)}</ul>")


def huge_table(nodes: int) -> str:
    """One table of that many nodes, four cells a row."""
    row = "<tr><th>Weir</th><td>12 trout</td><td>4 eels</td><td>a <b>pike</b> in March</td></tr>"
    return _in_main("Table", f"<h1>Table</h1><p>{THIRD}</p><table>{row * (nodes // 12 + 1)}</table>")


def huge_paragraph(nodes: int) -> str:
    """One paragraph of that many nodes: words, links and emphasis."""
    part = "The <b>miller</b> opens <a href='/sluice'>the sluice</a>, <i>slowly</i>.<br>"
    return _in_main("Paragraph", f"<p>{part * (nodes // 11 + 1)}</p><p>{SECOND}</p>")


def huge_saying(nodes: int) -> str:
    """Cards with names, roles and properties, no two alike, and data that says all of it again."""
    numbers = range(nodes // 10 + 1)  # 5 elements and 5 texts each
    texts = [f"Number {number} of the reviews says: {SECOND}" for number in numbers]
    cards = (
        f"<div class='card post-item is-{number}' id='review-{number}' itemprop='review' role='article'>"
        f"<h3 class='title'>Review {number}</h3><p class='text'>{text} <a href='/a'>A link</a>, <b>more</b>.</p></div>"
        for number, text in zip(numbers, texts, strict=True)
    )
    reviews = [{"@type": "Review", "name": f"Review {number}", "reviewBody": texts[number]} for number in numbers]
    data = json.dumps({"@type": "Product", "description": THIRD, "articleBody": " ".join(texts), "review": reviews})
    return _in_main("Saying", f"<script type='application/ld+json'>{data}</script>" + "".join(cards))


def _in_main(title: str, content: str) -> str:
    menu = f"<nav>{_MENU}</nav>"
    return (
        f"<!doctype html><html lang='en'><head><title>{title}</title></head><body>{menu}<main>{content}</main></body>"
    )


# Pages of so many nodes, in every shape that is hard on something.
HUGE: dict[str, Callable[[int], str]] = {
    "sections": huge,
    "flat": huge_flat,
    "items": huge_list,
    "table": huge_table,
    "paragraph": huge_paragraph,
    "saying": huge_saying,
}


def pdf() -> bytes:
    """The smallest PDF that viewers take."""
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
    )
