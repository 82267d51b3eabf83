"""Pages on which two readers of HTML may well differ, and Python's answers as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamis.arrays import places
from tamis.document import Document, parse
from tamis.extractor.declared import Declared

# Fields of a form with these names stand before its own properties.
FIELDS = """
nodeType lastChild previousSibling parentNode ownerDocument textContent localName shadowRoot children firstElementChild
getAttribute hasAttribute getElementsByTagName id childNodes firstChild nextSibling content style
"""

# Each is small and pins one thing.
TRICKY = {
    "empty": "",
    "only blanks": " \n\t ",
    "no body": "<!doctype html><html><frameset><frame src=x></frameset></html>",
    "noframes": "<frameset><frame src=x></frameset><noframes><p>Words for <b>old</b> browsers</noframes>",
    "blanks that only Python knows": "<p>\x1c\x1d</p><p>a\x85b</p><p>\x85</p><p>\u180e</p><p>\ufeff</p><p>\u200b</p>",
    "a text longer than a node": "<p>" + "word " * 30_000 + "</p><p>next</p>",
    "astral letters": "<p>\U00020000\U0001f600</p>",
    "a table of data": "<table><tr><td>" + "\U0001d4d0" * 600 + "<td>b<tr><td><td>c</table>",
    "a table of prose": "<table><tr><td>" + "\U0001d4d0" * 601 + "<td>b<tr><td><td>c</table>",
    "a list of short and long items": "<ul><li>a<li>b<ul><li>c</ul><li><p>d<p>e</ul><dl><dt>f<dd>g</dl>h<br>i<br><br>j",
    "template in template": "<template>a<template>b</template></template><template></template><p>c",
    "declared shadow root": "<div><template shadowrootmode=open><p>in<p hidden>out</template>light</div>",
    "template of SVG": "<svg><template>x</template><![CDATA[data]]>tail</svg><p>y",
    "code in SVG": "<svg><style><g>a</g><style>b</style>c</style><title>t</title></svg>after",
    "processing instruction": "<p>a<?php echo 1 ?>b<!-- c -->d",
    "noscript everywhere": "<head><noscript><style>x</style></noscript></head><noscript><p>shown</p></noscript>",
    "hidden": "<p hidden>a<p hidden=until-found>b<p hidden=' Until-Found '>c<p hidden=false>d<p>e<p>f<p>g",
    "style hides": """<p style="DISPLAY : None">a<p style="color:red;visibility:hidden">b<p style="display:nonexist">c
        <p style="display:none\u00e9">d<p style="x-display:none">e<p style=";\x85display\x1f:none">f<p>g""",
    "curtain": "<div style='display:none'>" + "<p>behind</p>" * 30 + "<p hidden>still hidden</p></div>",
    "no curtain": "<div hidden>" + "<p>away</p>" * 30 + "</div>" + "<p>shown</p>" * 3,
    "streamed parts": "<div hidden id=S:1f><p>part</p></div><div hidden id=S:xyz><p>no</p></div><p>whole",
    "preformatted gaps": "<p>a</p>\n\n<pre>\n  x\n\n</pre>  <b>y</b> <i>z</i>  <textarea>\n t </textarea> end",
    "media in media": "<object><img src=a><p>other</p></object> <picture><source><img></picture><svg><image/>t</svg>",
    "media between": "<main><p>"
    + "words and more " * 20
    + "<figure><img src=a><figcaption>c</figcaption></figure></main><img>",
    "mis-nested": "<b><p>one<i>two</b>three</i><table>x<tr><td>y<div>z</table><a>u<a>v",
    "list of links": "<ul>" + "<li><a href=x>a link</a></li>" * 9 + "</ul><p>" + "a word " * 30,
    "wide": "".join(f"<div>{number}</div>" for number in range(9)),
    "upper case in SVG": "<svg><foreignObject><p>x</p></foreignObject><linearGradient/></svg>",
    "unknown tags": "<x-y><undefined>a</undefined><MyTag>b</MyTag></x-y>",
    "formula": "<p>let <math><mi>x</mi><annotation>TeX</annotation></math> be",
    "a form that answers for itself": "<img name=documentElement><form name=body hidden>"
    + "".join(f"<input name={name}>" for name in FIELDS.split())
    + "<p>hidden</p></form><form>"
    + "".join(f"<input name={name}>" for name in FIELDS.split())
    + "<p>shown</p></form><p>after<p>and more",
    "NUL and form feed": "<p>a\0b\fc\rd\r\ne",
    "titles of others": "<svg><title>drawing of it</title></svg><template><title>template of it</title></template>"
    "<h1>drawing of it</h1><h2>template of it</h2>",
    "a title with gaps": "<title> The  long\n title | Site </title><h1>The long title</h1><h2>The  long</h2>"
    "<h3>The</h3><h4> title </h4><p>Site</p><p>| Si</p>",
    "headlines": "<title>Bread at dawn - The Oven</title><h1>The Oven</h1><ul><li>Home<li>Bread at dawn</ul>"
    "<div>Bread at dawn</div><h3>BREAD at dawn!</h3><td>Bread at dawn<br><br>He wakes.</td><p><i>Bread at dawn</i>."
    "<h2>Bread</h2><h2>Bread at dawn<small>A morning</small></h2>",
    "headlines in other scripts": "<title>ΟΔΟΣ Straße 体育总局发表白皮书全文_社会</title>"
    "<meta property=og:title content='体育总局发表白皮书全文'><h2>οδός STRASSE 体育总局发表白皮书全文</h2>"
    "<p>体育总局发表白皮书全文</p><p>体育总局发表白皮书全文。</p>",
    "two titles": "<title></title><title>first title</title><title>second title</title><h1>second title<h1>first title",
    "marks": '<p>1,2;3. A|B/C \u203a "x" (y) \u2026 \U0001d400\uff0c\u3001\uff01</p><p>Ends.  </p><p>Ends?\u200b</p>'
    "<p>\u201cQuote.\u201d</p><p>" + "Z" * 90 + "</p><p>- \u2014 \u2022</p><p>\U00020000\U00020001.</p>",
    "rows of several texts": "<p><b>Same</b> text<p><b>Same</b> words <a href=x>linked <i>ones</i></a>.<p>Same"
    "<div>a<p>b</p>c</div>",
    "holders": "<dialog open>a</dialog><form><textarea>b</textarea><select><option>c</select><fieldset>"
    "<legend>d</legend><button>e</button></fieldset></form><address>f</address><dl><dt>g</dl><xmp>h</xmp>"
    "<details><summary>i</details>",
    "nodes that are no blocks": "<span><div>a</div><div>b</div><b>c <div>d</div></b></span><x-y><p>e</p>f</x-y>",
    "headings far apart": "<p>one</p>" * 3 + "<h2>two</h2>" + "<p>three</p>" * 60 + "<div><h1>four</h1></div><p>five",
    "prose and teasers": "".join(
        f"<p><a href=x>{'link ' * linked}</a>{'word ' * (words - linked)}</p>"
        for words, linked in ((14, 0), (15, 0), (15, 5), (16, 5), (20, 7), (20, 6), (40, 13))
    ),
    "alike": "<ul>" + "<li>a<li>b c<li><a href=x>d e f</a>" * 4 + "</ul><div><ul><li>g</ul></div>",
}


def _prose(subject: str) -> str:
    return (
        f"<p>{subject} of a sieve tells more about a kitchen than most cooks would admit, and whoever has washed one "
        f"by hand after a long evening knows why. {subject} is settled early, by the maker, and it stays that way; "
        f"the rest is a matter of taste, of time, and of what there is to be sieved. So much for {subject.lower()}.</p>"
    )


# A menu that opens, a collapsed section with a picture, words in a line and a closed tab, folded away by attributes.
FOLDED = f"""<!doctype html><title>Sieves of the world | Kitchen</title><nav><ul><li><a href=/>Home</a>
<li><a href=/b>All</a><li><ul hidden><li><a href=/c>Pots</a><li><a href=/d>Pans</a></ul></ul></nav>
<main><article><h1>Sieves of the world</h1>{_prose("The shape")}{_prose("The rim")}
<div class=more style="display:none">{_prose("The mesh")}<img src=drum.png alt=drum>{_prose("The weight")}</div>
<h2>In use</h2>{_prose("The sound")}<p>Some <span class=more hidden>of them, and not only the old ones, </span>hum
when they are tapped, which is said to be a sign of good wood.</p>
<section class=collapse hidden><h3>Care</h3>{_prose("The age")}</section>
<hr><div hidden><button>Share</button></div>
{_prose("The price")}</article></main><footer><p>About us</p><p hidden>Cookies</p></footer>"""


_WORDS = "it was never clear to me why they would do that and not the other thing which was easier then".split()


def _sentence(number: int, length: int) -> str:
    return " ".join(_WORDS[(7 * number + place) % len(_WORDS)] for place in range(length)).capitalize() + "."


# An article, what readers said of it, and what else there is to read.
DISCUSSED = (
    "<title>A long story</title><header><nav><ul><li><a href=/>Home</a><li><a href=/x>News</a></ul></nav></header>"
    "<main><article><h1>A long story</h1><figure><img src=x><figcaption>A picture, by a friend</figcaption></figure>"
    + "".join(f"<p>{_sentence(number, 60)} {_sentence(number + 3, 30)}</p>" for number in range(12))
    + "</article><section><h2>20 Comments</h2><ol>"
    + "".join(
        f"<li><div><a href=/u>user {number}</a> <span>{number} hours ago</span></div>"
        f"<div><p>{_sentence(number, 12)}</p></div><div><a href=#>Reply</a> <a href=#>Like</a></div></li>"
        for number in range(20)
    )
    + "</ol></section><section><h2>More</h2><ul>"
    + "".join(
        f"<li><a href=/a><img src=x></a><p><a href=/a>{_sentence(number, 9)}</a></p><p>{_sentence(number, 15)}</p></li>"
        for number in range(12)
    )
    + "</ul></section></main><footer><p>About</p></footer>"
)

_MORE = (
    "Nobody remembers when the first pipe was laid, but the records of the parish speak of water in the square long "
    "before the railway came to the valley, and of a wheel that turned day and night."
)
_RANKING = "".join(
    f"<tr><td>{place}<td>{town}<td>{90 - 3 * place}<td>{7 * place} m"
    for place, town in enumerate("Aston Barlow Corby Denby Elmley Fenton Garston Hanley Ilford Jarrow Kelso".split())
)
_CALENDAR = "<tr><th>M<th>T<th>W<th>T<th>F<th>S<th>S" + "<tr><td>1<td>2<td>3<td>4<td>5<td>6<td>7" * 4

# Structures and lines in the flow of an article.
ARTICLES = {
    name: "<title>The pump house</title><nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav><article>"
    f"<h1>The pump house</h1><p>The pump house stands at the end of the lane. {_MORE}</p><p>{_MORE}</p>{inside}"
    f"<p>After that, {_MORE}</p></article><footer>Imprint</footer>"
    for name, inside in {
        "list and figure": "<ol><li>Open the valve.<li>Wait.<li>Close it.</ol><figure><img src=x><figcaption>Valve"
        "</figcaption></figure>",
        "table, heading, formula": "<table><tr><th>Year<th>Flow<tr><td>1990<td>12<tr><td>2000<td>14</table><h3>Pipes"
        "</h3><p>E = mc²</p><dl><dt>Pump<dd>A machine for water, in many sizes.</dl>",
        "long items": f"<ul><li>{_MORE}<li><a href=a>Ten pumps</a><li>{_MORE}</ul><blockquote><p>{_MORE}</p>"
        "</blockquote>",
        "lines of noise": "<p>4 min read · 1,204 comments</p><p>ADVERTISEMENT</p><p>Photo: Jane Doe</p>"
        "<p>Read <b>more</b> »</p><p>广告</p>",
        "more noise": "<table><tr><td>May 4, 2024</table><p>Читайте также: Вода</p><pre>share</pre><p>𝟙𝟚 by Jane</p>"
        "<p>ΟΔΟΣ</p>",
        "data tables": f"<div><div><table>{_RANKING * 3}</table></div></div><p>{_MORE}</p><div><table><tr><th>a<th>b"
        "<tr><td>c<td>d<tr><td>e<td>f</table></div>",
        "a table of links": "<table><tr><th>Town<th>Map"
        f"{'<tr><td><a href=a>Aston</a><td><a href=b>Barlow</a>' * 9}</table>",
        "a calendar": f"<aside><table>{_CALENDAR}</table></aside><table>"
        f"{'<tr><td><a href=a>Ten pumps</a><td>of Venice' * 4}</table>",
    }.items()
}


def tables(document: Document) -> dict[str, dict[str, list[Any]]]:
    """The tables of a page as answers.js tells them."""
    elements, leaves = document.elements, document.leaves
    return {
        "elements": {
            "tag": elements.tag,
            "code": elements.code.tolist(),
            "parent": elements.parent.tolist(),
            "end": elements.end.tolist(),
            "depth": elements.depth.tolist(),
            "nodes": [len(node) for node in parse.tree_elements(document.tree)],
        },
        "leaves": {
            "text": leaves.text,
            "gap": leaves.gap,
            "element": leaves.element.tolist(),
            "opened": leaves.opened.tolist(),
            "is_media": leaves.is_media.tolist(),
            "visible": leaves.visible.tolist(),
            "folded": leaves.folded.tolist(),
            "in_link": leaves.in_link.tolist(),
        },
    }


def given(document: Document) -> dict[str, Any]:
    """What the kernel is given of a page beside its tables; lists in no order are sorted."""
    elements, leaves, declared = document.elements, document.leaves, Declared.of(document)
    texts = elements.sums(np.bincount(leaves.element[leaves.visible_text], minlength=len(elements)))

    def pairs(rows: list[int], one: str, other: str) -> list[Any]:
        """Rows and two attributes, where there is one."""
        values = ((row, [elements.attribute(row, name) or "" for name in (one, other)]) for row in rows)
        return [[row, pair] for row, pair in values if any(pair)]

    return {
        "titles": [document.title, declared.title],
        "declared": [
            *(declared.texts.get(kind, "") for kind in ("body", "description", "meta", "review")),
            declared.parts,
        ],
        "names": sorted(declared.names),
        "openings": sorted(declared.openings),
        "page": declared.page.tolist(),
        "called": pairs(places(texts > 1).tolist(), "class", "id"),
        "marks": pairs(elements.notable.tolist(), "role", "itemprop"),
    }
