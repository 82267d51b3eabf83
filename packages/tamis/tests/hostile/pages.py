"""Hostile pages by name: each is a function from a number of characters to a page of about that length.

A shape is a small idea (a tag again and again, a text in a place, an attribute), and the table is made of their
combinations.
"""

from __future__ import annotations

import json
from collections.abc import Callable

Page = str | bytes
Make = Callable[[int], Page]

# Tags that browsers, and so the parser, the tables or an output, treat each in their own way.
TAGS = """
a abbr address amp-img article aside audio b blockquote body br button caption canvas code col colgroup dd details
dialog div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 head header hr html i iframe
img input ins label legend li link listing main map mark math menu meta nav noembed nobr noframes noscript object ol
optgroup option p param picture plaintext pre q rb rp rt ruby s samp script section select slot small source span
strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track u ul var video wbr
x-y xmp mi mtext annotation-xml foreignObject desc
""".split()

# Texts are repetitions of these.
FILLERS = {
    "spaces": " ",
    "newlines": "\n",
    "no-break spaces": "\u00a0",
    "dashes": "-",
    "digits": "7",
    "dates": "2020-01-01 ",
    "broken dates": "1 Jan ",
    "commas": ",",
    "bars": " | ",
    "colons": ": ",
    "underscores": "_a",
    "quotes": '\\"',
    "letters": "a",
    "words": "word ",
    "openings": "&lt;a ",
    "ampersands": "&amp;",
    "backslashes": "\\\\",
    "backticks": "`",
    "stars": "*_",
    "brackets": "[](",
    "addresses": "http://",
    "dots": "www.",
    "Han": "字",
    "marks": "a\u0301",
    "right to left": "\u202eא",
    "emoji": "\U0001f600",
    "NULs": "\0",
    "controls": "\x1b[2J",
}

_PROSE = "The old bridge was closed for two years, and now it carries traffic again. "
_ARTICLE = f"<article><h1>A bridge</h1><p>{_PROSE * 8}</p></article>"

# Places of a text, which is {}.
PLACES = {
    "in a paragraph": "<p>{}</p>" + _ARTICLE,
    "in pre": "<pre><code>{}</code></pre>" + _ARTICLE,
    "in the title": "<title>{}</title>" + _ARTICLE,
    "in a heading": "<h1>{}</h1>" + _ARTICLE,
    "in a byline": "<p class=byline>{}</p>" + _ARTICLE,
    "in a cell": "<table><tr><th>a<th>b<tr><td>{}<td>c</table>" + _ARTICLE,
    "in og:title": '<meta property="og:title" content="{}"><p>x',
    "in a description": '<meta name=description content="{}">' + _ARTICLE,
    "in a date": '<meta name=date content="{}"><time datetime="{}">{}</time>' + _ARTICLE,
    "in JSON-LD": '<script type="application/ld+json">{{"@type":"Article","articleBody":"{}"}}</script><p>x',
    "in state": f'<script>window.s={{{{"a":{{{{"title":"x","text":"{_PROSE * 9}{{}}"}}}}}}}}</script><title>x</title>',
    "in a script": "<script>{}</script>" + _ARTICLE,
    "in a comment": "<!-- {} -->" + _ARTICLE,
    "in noscript": "<noscript>{}</noscript>" + _ARTICLE,
}

# Attributes that tamis reads.
ATTRIBUTES = """
alt class cite colspan content data-lang data-src datetime dir href id itemprop itemref itemtype lang rel role rowspan
src srcset start style title type value
""".split()


def _repeated(unit: str, size: int, before: str = "", after: str = "") -> str:
    return before + unit * max(1, size // len(unit)) + after


def _in_place(place: str, filler: str) -> Make:
    count = place.count("{}") if "{{" not in place else 1
    return lambda size: place.format(*[filler * (size // len(filler) // count + 1)] * place.count("{}"))


def _with_attribute(name: str, filler: str, tag: str) -> Make:
    return lambda size: f'<{tag} {name}="{filler * (size // len(filler) + 1)}">words in it</{tag}>{_ARTICLE}'


def _spans(size: int) -> str:
    row = "<tr>" + "<td rowspan=100 colspan=100>x" * 20
    return _repeated(row, size, "<table>")


def _ragged(size: int) -> str:
    return "<table><tr>" + "<td>a" * (size // 10) + "<tr><td>x" * (size // 18)


def _doubling(size: int) -> str:
    """Items that each name the next one twice."""
    items = max(2, size // 90)
    each = (
        f'<div id=a{number} itemprop=author itemscope itemref="a{number + 1} b{number + 1}"></div>'
        f'<div id=b{number} itemprop=author itemscope itemref="a{number + 1} b{number + 1}"></div>'
        for number in range(items // 2)
    )
    return f'<div itemscope itemtype="http://schema.org/Article" itemref="a0 b0"></div>{"".join(each)}<p>words'


def _circle(size: int) -> str:
    items = max(2, size // 90)
    each = (
        f"<div id=a{number} itemprop=author itemscope itemtype=http://schema.org/Article "
        f"itemref=a{(number + 1) % items}></div>"
        for number in range(items)
    )
    return f'<div itemscope itemtype=http://schema.org/Article itemref="a0">{"".join(each)}</div><p>words'


def _all_named(size: int) -> str:
    """Items that all name one element with many properties."""
    many = size // 60
    items = "<div itemscope itemtype=http://schema.org/Article itemref=all></div>" * many
    return items + "<div id=all>" + "<i itemprop=name>x</i>" * many + "</div>"


def _json(value: str) -> Make:
    return lambda size: f'<script type="application/ld+json">{_repeated(value, size)}</script>{_ARTICLE}'


def _said(size: int) -> str:
    """A declared text, and as many paragraphs that nearly are in it."""
    body = "a" * (size // 3)
    paragraphs = (
        f"<p>{'a' * 20}{number:b}{'a' * 19}".replace("0", "b").replace("1", "a") for number in range(size // 90)
    )
    return (
        f'<script type="application/ld+json">{json.dumps({"@type": "Article", "articleBody": body})}</script>'
        + "".join(paragraphs)
    )


def _strings_in_json(size: int) -> str:
    inner = json.dumps(["a b c d e f g h"] * 20)
    return f"<script type=application/json>{json.dumps([inner] * (size // 500 + 1))}</script>x"


SHAPES: dict[str, Make] = {
    "language of pairs": lambda size: f'<html lang="aa{"_a" * (size // 2)}!"><p>words',
    "class above many codes": lambda size: f'<div class="{"x " * (size // 4)}">' + "<code>c</code> " * (size // 30),
    "long base": lambda size: f'<base href="http://a/{"b" * (size // 2)}">' + "<a href=c>d</a> " * (size // 32),
    "base of many parts": lambda size: f'<base href="//a/{"b/" * (size // 4)}">' + "<a href=../c>d</a>" * (size // 40),
    "one link around headings": lambda size: f'<a href="{"b" * (size // 2)}">' + "<h2>words</h2>" * (size // 28),
    "spans": _spans,
    "ragged rows": _ragged,
    "one row of cells": lambda size: _repeated("<td>x", size, "<table><tr><td>a<tr>"),
    "tall cells": lambda size: _repeated("<td rowspan=99>x", size, "<table><tr>", "<tr>" * 200),
    "rows of two cells": lambda size: _repeated("<tr><td>a<td>b", size, "<table>"),
    "empty cells": lambda size: _repeated("<td>", size, "<table><tr><td>a<td>b<tr>", "x"),
    "tables in a row": lambda size: _repeated("<table><tr><td>a<td>b<tr><td>c<td>d</table>", size),
    "lists in a row": lambda size: _repeated("<ul><li>a<li>b</ul>", size),
    "breaks": lambda size: _repeated("w<br>", size, "<p>"),
    "gaps in pre": lambda size: _repeated("<b></b> \n", size, "<pre>a", "b"),
    "texts in pre": lambda size: _repeated("<b>a</b> \n", size, "<pre>"),
    "gaps after pre": lambda size: _repeated("<i></i> ", size, "<pre>x</pre>", "b"),
    "comments between texts": lambda size: _repeated("a<!---->", size, "<p>"),
    "items that double": _doubling,
    "items in a circle": _circle,
    "items that name all": _all_named,
    "nested items": lambda size: _repeated("<b itemscope itemprop=author itemtype=Book>", size, "<div itemscope>"),
    "nested names": lambda size: _repeated(
        "<div itemprop=name>", min(size, 9_000), "<div itemscope itemtype=Article>", "x" * size
    ),
    "nested headings": lambda size: _repeated("<h1><div>", min(size, 2_000), "<title>a</title>", "w " * (size // 2)),
    "nested tags of a page": lambda size: _repeated("<a rel=tag><table><td>", min(size, 4_000), "", "w " * (size // 2)),
    "deep pictures with titles": lambda size: _repeated("<title>x</title>", size, "<svg>" + "<g>" * 400),
    "deep paragraphs": lambda size: _repeated("<p>word", size, "<div>" * 190),
    "deep inline": lambda size: _repeated("<i><b>w</b></i> ", size, "<div>" * 190),
    "deep headings in a link": lambda size: _repeated("<h2>w</h2>", size, "<a href=x>" + "<div>" * 400),
    "deepest text": lambda size: _repeated("text<b>more</b>", size, "<p>" + "<math><mi>" * 253 + "<table><td></tr>"),
    "adoption at the cap": lambda size: _repeated("<a><blockquote></a>", size, "<div><p>" + "<table><td>" * 126),
    "formatting left open": lambda size: _repeated("<b><p>", size, "", "x"),
    "formatting with attributes": lambda size: "".join(f"<b id={number}><p>x" for number in range(size // 14)),
    "fonts": lambda size: _repeated("<font color=a><p></font>x", size),
    "foster parenting": lambda size: _repeated("<table>x<tr>y", size),
    "selects": lambda size: _repeated("<select><option>a<select>", size),
    "forms": lambda size: _repeated("<form><table><form>x", size),
    "templates": lambda size: _repeated("<template><p>x", size),
    "shadow roots": lambda size: _repeated("<div><template shadowrootmode=open>x</template>", size),
    "hidden all": lambda size: _repeated("<p hidden>words here", size),
    "styles that hide": lambda size: _repeated("<p style='display:none'>words here", size),
    "captions": lambda size: _repeated("<figure><img src=a><figcaption>c</figcaption></figure>", size, _ARTICLE),
    "pictures": lambda size: _repeated("<img src=a.png>", size, "<p>x", "<p>y"),
    "sources of one picture": lambda size: _repeated("<source srcset=a>", size, f"{_ARTICLE}<picture>", "<img src=b>"),
    "frames": lambda size: _repeated("<frame src=x>", size, "<frameset>", "<noframes><p>words"),
    "noframes": lambda size: _repeated("<noframes><p>words</noframes>", size, "<frameset>"),
    "metas": lambda size: _repeated("<meta name=author content=a>", size, "", _ARTICLE),
    "properties": lambda size: _repeated('<meta property="og:x" content=a>', size, "", _ARTICLE),
    "links of the head": lambda size: _repeated("<link rel='a b c' href=x>", size, "", _ARTICLE),
    "times": lambda size: _repeated("<time datetime=x>1</time>", size, "", _ARTICLE),
    "bylines": lambda size: _repeated("<p class=byline>", min(size, 8_000), "", "a" * size),
    "declared text": _said,
    "many attributes": lambda size: "<p " + " ".join(f"a{number}=1" for number in range(size // 8)) + ">" + _ARTICLE,
    "many names": lambda size: "".join(f"<x{number}>w" for number in range(size // 8)),
    "many classes": lambda size: "".join(f"<p class=c{number}>w" for number in range(size // 18)),
    "many ids": lambda size: "".join(f"<p id=c{number}>w" for number in range(size // 15)),
    "same text": lambda size: _repeated(f"<p>{_PROSE}", size),
    "texts of the title": lambda size: f"<title>{'ab' * (size // 8)}</title>"
    + "".join(f"<p>{'ab' * (number % 40 + 2)}{number}" for number in range(size // 60)),
    "lists in JSON": _json("["),
    "objects in JSON": _json('{"a":'),
    "graphs": _json('{"@graph":[{"@type":"Article","hasPart":['),
    "values in JSON": _json('{"@type":"Article","name":"x"}'),
    "broken JSON": _json('{"a":"b",}'),
    "numbers in JSON": _json("9"),
    "comments in JSON": _json("// "),
    "types in JSON": lambda size: f'<script type="application/ld+json">{{"@type":["A{chr(34)},{chr(34)}'
    + '","'.join(["Article"] * (size // 10))
    + f'"]}}</script>{_ARTICLE}',
    "beginnings of state": lambda size: _repeated('a=["', size, "<script>", "</script>x"),
    "stream of state": lambda size: _repeated('self.__next_f.push([1,"1:T9,x"])', size, "<script>", "</script>x"),
    "rows of state": lambda size: f'<script>__next_f.push([1,"{_repeated("1:[]" + chr(92) + "n", size)}"])</script>',
    "pieces of sentences": lambda size: '<script type="application/ld+json">'
    + json.dumps({"@type": "Article", "text": ["a piece "] * (size // 12)})
    + "</script>x",
    "JSON in attributes": lambda size: _repeated("<p data-x='[1,2,3" + ",4" * 120 + "]'>", size),
    "nested JSON strings": _strings_in_json,
    "only openings": lambda size: "<" * size,
    "only closings": lambda size: "</p>" * (size // 4),
    "only ampersands": lambda size: "&" * size,
    "entities": lambda size: _repeated("&amp;&#x1F600;&bogus;&#xD800;", size),
    "lone surrogates": lambda size: "<p>" + "\ud800 a \udfff" * (size // 5),
    "bytes": lambda size: bytes(range(256)).decode("latin-1") * (size // 256 + 1),
    "bytes of UTF-16": lambda size: ("<p>word" * (size // 7)).encode("utf-16"),
    "broken UTF-8": lambda size: b"<p>caf\xe9 \xff" * (size // 9),
    "escapes": lambda size: b"<meta charset=iso-2022-jp><p>\x1b$B" + b"\x1b$B%" * (size // 4),
    "charset declared again": lambda size: b"\xff" + b"<meta charset=x>" * (size // 16),
    "no page": lambda size: "\n%PDF-1.7\n\0\xff\xfe" + "\x89PNG\r\n\x1a\n" * (size // 8),
}  # fmt: skip

HOSTILE: dict[str, Make] = {
    **{f"<{tag}> left open": lambda size, tag=tag: _repeated(f"<{tag}>w ", size) for tag in TAGS},  # type: ignore[misc]
    **{f"<{tag}> closed": lambda size, tag=tag: _repeated(f"<{tag}>w</{tag}>", size) for tag in TAGS},  # type: ignore[misc]
    **{
        f"{filler} {place}": _in_place(where, text)
        for place, where in PLACES.items()
        for filler, text in FILLERS.items()
    },
    **{
        f"{name} of {filler}": _with_attribute(name, FILLERS[filler], tag)
        for name, tag in zip(ATTRIBUTES, ("img", "div", "q", "td", "a", "code") * 5, strict=False)
        for filler in ("spaces", "commas", "letters", "words", "underscores")
    },
    **SHAPES,
}
