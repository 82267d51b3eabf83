"""Pages that say what they are: names, roles, schema.org, META elements, JSON-LD, addresses, and copies of rows."""

from __future__ import annotations

import json
from importlib.resources import files

from tamis.page_type import PageType

_TABLE: dict[str, dict[str, list[str]]] = json.loads(
    files("tamis.extractor").joinpath("conventions.json").read_text(encoding="utf-8")
)

# A face is one code point to Python and two units to JavaScript.
FACE = "\U0001f600"
LONG = "The miller of the lower valley opens the sluice slowly, and the drum turns."


def _every(kind: str, attribute: str) -> str:
    """One element for each word of a kind."""
    return "".join(
        f"<div {attribute}='{word}'><p>{group} {word}</p><p>and more</p></div>"
        for group, words in _TABLE[kind].items()
        for word in words
    )


def _named(*names: str) -> str:
    """An element of each class that holds two rows, and one that is a row."""
    return "".join(f"<div class='{name}'><p>held</p><p>too</p></div><p class='{name}'>a row</p>" for name in names)


def with_json_ld(*texts: str, rest: str = f"<p>{LONG}</p>") -> str:
    """A page with these scripts of data."""
    scripts = "".join(f"<script type='application/ld+json'>{text}</script>" for text in texts)
    return f"<!doctype html><head>{scripts}</head><body>{rest}<p>Something else that is not said anywhere.</p>"


def _nested(levels: int, inner: str, beside: str = "") -> str:
    return "[" * levels + inner + "]" * levels if not beside else f"[{_nested(levels - 1, inner)}, {beside}]"


_SAID = json.dumps({"description": LONG})

# What is in a script, and whether it is read.
JSON_LD = {
    "plain": (_SAID, True),
    "raw line breaks and tabs": ('{"description": "The miller of\n\tthe lower\r\n valley opens the sluice"}', True),
    "raw control characters beside escapes": (
        '{"description": "The miller\x1f of \\u0074he\n lower valley opens the sluice"}',
        True,
    ),
    "escapes": ('{"description": "The miller of the \\u006cower\\tvalley opens the\\ud83d\\ude00"}', True),
    "an escaped line break": ('{"description": "The miller of the lower\\\n valley opens the sluice slowly"}', False),
    "an escaped backslash before a line break": ('{"a": "\\\\\n", ' + _SAID[1:], True),
    "quotes in a string": ('{"a": "\\"\\\\\\"", ' + _SAID[1:], True),
    "no such escape": ('{"a": "\\x41", ' + _SAID[1:], False),
    "a short escape": ('{"a": "\\u12", ' + _SAID[1:], False),
    "half a pair": ('{"a": "\\ud83d", "b": "\\ude00", ' + _SAID[1:], True),
    "no numbers": ('{"a": NaN, "b": -Infinity, "c": [Infinity, -0, 1.5e-7, true], ' + _SAID[1:], True),
    "a leading zero": ('{"a": 01, ' + _SAID[1:], False),
    "a number without a fraction": ('{"a": 1., ' + _SAID[1:], False),
    "a long number": ('{"a": -' + "9" * 4300 + ", " + _SAID[1:], True),
    "too long a number": ('{"a": ' + "9" * 4301 + ", " + _SAID[1:], False),
    "a long fraction": ('{"a": 0.' + "9" * 4301 + ", " + _SAID[1:], True),
    "a semicolon": (f" {_SAID} ; ", True),
    "two semicolons": (f"{_SAID};;", True),
    "two values": (f'{{"a": 1}}{_SAID}', True),
    "two values and a comma": (f"{_SAID},[]", True),
    "a value before a broken one": (f"{_SAID} {{broken", True),
    "a value behind a broken one": (f"{{broken}} {_SAID}", False),
    "a comma too many": (_SAID[:-1] + " ,\n}", True),
    "a comma too many in a list": (f"[{_SAID},]", True),
    "a comma alone": (f"[[,], {_SAID}]", True),
    "a comma before a value": (f"[,{_SAID}]", False),
    "two commas": (f"[1,,{_SAID}]", False),
    "two commas at the end": (f"[{_SAID},,]", False),
    "another bracket behind a comma": (f"[{_SAID},}}", False),
    "CDATA": (f"<![CDATA[{_SAID}]]>", True),
    "CDATA in comments of a line": (f"//<![CDATA[\n{_SAID}\n//]]>", True),
    "CDATA in comments of a line, all in one": (f"// <![CDATA[ {_SAID} // ]]>", True),
    "CDATA in comments of all sorts": (f"<!--//--><![CDATA[//><!--\n{_SAID}\n//--><!]]>", True),
    "CDATA in comments": (f"/* <![CDATA[ */ {_SAID} /* ]]> */", True),
    "a comment with words": (f"/* about */ {_SAID}", False),
    "comments to the end of a line": ('// about\n{"a": "//", // and\n' + _SAID[1:-1] + ", // so on\n} // end", True),
    "a comment that does not end": (f"// about {_SAID}", False),
    "a comment in a word": (f"[nu//\nll, {_SAID}]", False),
    "single quotes": ("{&apos;a&apos;: 1}", False),
    "no end": (_SAID[:-2], False),
    "no colon": ('{"a" 1, ' + _SAID[1:], False),
    "a key that is none": ("{1: 2, " + _SAID[1:], False),
    "nothing": ("", False),
    "a byte-order mark": ("\ufeff" + _SAID, True),
    "white space that is none": (f"[\u00a0{_SAID}]", False),
    "white space around": (f"\u00a0\x1c{_SAID}\u3000", True),
    "a comment of HTML": (f"<!-- {_SAID} -->", True),
    "a comment of HTML with words": (f"<!-- about --> {_SAID}", False),
    "a key twice": ('{"description": "something else", ' + _SAID[1:], True),
    "a key twice, the last empty": (_SAID[:-1] + ', "description": ""}', False),
    "a key in capitals": (_SAID.replace("description", "DESCRIPTION"), True),
    "keys of JavaScript": ('{"__proto__": {"a": 1}, "constructor": "x", ' + _SAID[1:], True),
    "keys like numbers": ('{"b": {"description": "Not the first of all the descriptions"}, "0": ' + _SAID + "}", True),
    "deep, and read": (_nested(12, _SAID), True),
    "too deep to be read": (_nested(13, _SAID), False),
    "so deep that the rest is not read": (_nested(201, "", _SAID), False),
    "as deep as can be": (_nested(200, "", _SAID), True),
    "as deep as can be, with something inside": (_nested(200, "1", _SAID), False),
    "a value before one that is too deep": (_SAID + _nested(201, ""), True),
    "a value behind one that is too deep": (_nested(200, "1") + _SAID, False),
    "many brackets in one string": ('{"a": "' + "[" * 300 + '", ' + _SAID[1:], True),
    "the last value that is looked at": ("[" + "1," * 19_998 + _SAID + "]", True),
    "one value too many": ("[" + "1," * 19_999 + _SAID + "]", False),
}

ADDRESSES = {
    "the root": "https://valley.example/",
    "no path": "https://valley.example",
    "a query without a path": "https://valley.example?x=/y",
    "no scheme but a host": "//valley.example/a/b",
    "only a query": "https://valley.example/?page=2",
    "an empty query": "https://valley.example/a?",
    "two queries": "https://valley.example/a??b?c",
    "words": "https://valley.example/2024/05/the-mill_in_the-valley.html",
    "a suffix before a fragment": "//valley.example/a/b.html\n#c",
    "no suffix": "/a/b.longer",
    "deep": "/a/b/c/d/e/f/g/h/i/j",
    "many words": "/" + "a-" * 20,
    "digits": "/article-" + "1234567890" * 7,
    "digits behind faces": f"/{FACE * 40}" + "1" * 40,
    "capitals and other letters": "/News/STRASSE-Straße-İstanbul-Ελλάς-\u212a",
    "of equal length": f"/ab-cd-e/{FACE * 7}/x",
    "longer in faces": f"/a-b-c-d/{FACE * 6}",
    "white space around": "\u00a0 https://valley.example/a/ \x1c",
    "another scheme": "app+x.y-z://a/b-c",
    "no scheme": "1http://a/b",
}

SAYING = {
    "every name": _every("names", "class"),
    "every name as an id": "<main>" + _every("names", "id") + "</main>",
    "every role": _every("roles", "role"),
    "every property": _every("properties", "itemprop"),
    "every type in attributes": _every("types", "itemscope itemtype"),
    "every type in data": with_json_ld(
        json.dumps([{"@type": word} for words in _TABLE["types"].values() for word in words])
    ),
    "names in many ways": _named(
        "mainNav",
        "NAVBar",
        "NAV",
        "nav2x",
        "xnav",
        "Nav",
        "post_title wp-block-BUTTON__link",
        "nav\u00c9",
        "\n nav\t",
        "",
    )
    + "<div id=sideBar class=''><p>an id</p></div><div id=top class=ads><p>both</p></div>",
    "names of two words without a border": _named(
        "articletext", "sideBARmenulist", "xarticletext", "navul ulnav", "commentxyz", "commentary", "commentmenu"
    ),
    "long names": _named("x" * 97 + "nav", "x" * 96 + " nav", "x-" * 49 + "na nav")
    + _named(FACE * 97 + "nav", FACE * 98 + "nav", FACE * 400 + " nav"),
    "names of what holds rows, and of rows": "<p class=nav>a<div class=ads>b</div><div class=tag>c<p>d</p></div>"
    "<div class=top><b class=nav>e</b></div><div class=card><b class=nav><p class=list>f</p></b></div>",
    "names of the page": "<html class=nav role=main><body class=comments id=footer itemprop=text><p>a<p class=ad>b",
    "a page in a drawing": "<svg class=footer><html class=nav><g class=ads>a</g></html></svg><p class=tag>b",
    "roles in many ways": "<p role=' MAIN '>a<p role='main navigation'>b<p role>c<p role=none>d<p role='\u00a0Dialog'>e"
    "<div role=article><div role=listitem>f<b role=button>g</b></div>h</div>",
    "several properties": "<p itemprop='name  articleBody\nOFFERS x'>a<p itemprop=''>b<p itemprop=' ReviewBody'>c",
    "types with and without addresses": "<p itemscope itemtype='https://schema.org/Product//'>a"
    "<p itemtype='http://x/Article http://x/Other'>b<p itemtype=' FAQPage '>c<p itemtype=/>d<p itemtype>e",
    "in templates": "<div><template shadowrootmode=open><p role=main class=nav itemtype=HowTo>in</template>"
    f'</div><template><meta name=description content=\'{LONG}\'><script type=x-ld+json>{{"@type": "Product"}}'
    f"</script><link rel=canonical href=/a/b></template><p>{LONG}",
    "unknown tags with names of JavaScript": "<constructor itemtype=Product><p>a<toString>b</toString></constructor>",
    "lists of types, and graphs": with_json_ld(
        json.dumps(
            {"@context": "x", "@graph": [{"@type": ["NewsArticle", 7, ["Product"], "http://schema.org/HowTo/"]}]}
        ),
        json.dumps([{"@type": "WebPage", "mainEntity": {"@type": "question", "name": LONG}}]),
        "{broken",
    ),
    "what readers said": with_json_ld(
        json.dumps(
            {
                "@type": "Product",
                "name": "A sieve of some renown",
                "review": [
                    {"@type": "Review", "name": "Best sieve ever made", "description": "I have had mine for years now"},
                    {"@type": ["Thing", "COMMENT"], "text": "Mine broke on the first day, sadly"},
                    {"@type": " http://schema.org/Review/", "text": "It has an address and a space around it"},
                ],
                "articleBody": LONG,
            }
        ),
        rest=f"<h1>A sieve of some renown</h1><p>Best sieve ever made<p>I have had mine for years now<p>{LONG}"
        "<p>Mine broke on the first day, sadly</p><p>It has an address and a space around it</p>",
    ),
    "ingredients and steps": with_json_ld(
        json.dumps(
            {
                "@type": ["Thing", "Recipe"],
                "name": "Sieved soup",
                "recipeIngredient": ["2 cups of  water", "<b>Salt</b> &amp; pepper\n\nAn onion", 3, ["No"]],
                "RecipeInstructions": [
                    {"@type": "HowToStep", "image": {"@type": "HowToTip", "text": "Inner"}, "text": LONG},
                    {"@type": "http://schema.org/HowToStep/", "name": f"{FACE * 39} and on", "url": "No"},
                ],
            },
        ),
        json.dumps({"@type": "recipe", "ingredients": "A leek\rA bean\nSa", "text": "No part of it"}),
        rest=f"<ul><li><i>2</i> cups of water<li>Salt & pepper<li>An onion<li>A leek A bean<li>Sa<li>No<li>Inner</ul>"
        f"<p>{LONG}<p>{LONG[:39]}<p>{FACE * 39}<p>{FACE * 38}<p>No part of it",
    ),
    **{
        f"comments of a {kind}": with_json_ld(
            json.dumps({"@type": "Comment", "text": LONG}),
            json.dumps(
                {
                    "@type": kind,
                    "comment": [
                        {"@type": "Comment", "text": "Said below"},
                        {"@type": ["Answer", "Comment"], "text": "So"},
                    ],
                    "mainEntity": {"@type": "Question", "name": "Why is it?", "suggestedAnswer": {"@type": "Answer"}},
                }
            ),
            rest=f"<p>{LONG}<p>Said below<p>So<p>Why is it?",
        )
        for kind in ("QAPage", "NewsArticle", "DiscussionForumPosting")
    },
    "more parts than are read": with_json_ld(
        json.dumps({"@type": "Recipe", "ingredients": [f"{FACE * 9}\n" * 19_999, "A leek and a bean", "No"]}),
        rest="<p>A leek and<p>A leek and a bean<p>No",
    ),
    "markup and entities in data": with_json_ld(
        json.dumps({"abstract": f"<p>The&nbsp;miller &amp;amp; his <b>drum</b>&#039;s   &lt;noise&gt;{FACE}< a >&no;"}),
        rest=f"<p>The miller &amp;amp; his drum 's &lt;noise>{FACE}</p><p>&amp; his drum 's &lt;noise>{FACE} &amp;no;",
    ),
    "beginnings of several lengths": with_json_ld(
        json.dumps({"text": f"{FACE * 39}x{FACE} {LONG}", "name": " A  name ", "headline": LONG[:30]}),
        rest=f"<p>{FACE * 39}xyz<p>{FACE * 39}y<p>{FACE * 25}<p>{FACE * 24}<p>{LONG[:25]}<p>{LONG[:24]}<p>{LONG[:40]}!"
        f"<p>A name<p>A  name<p>A name and more<p>{LONG[:30]}<p>{LONG[:29]}",
    ),
    "descriptions": f"""<meta name=Description content=' {LONG[:30]} '>
        <meta property=og:description content='{LONG[:30]}'>
        <meta name=twitter:description content='{FACE * 24}'><meta name=description content><meta name=description>
        <meta property='' name=description content='{FACE * 25} and'><meta property=x name=description content=No>
        <p>In the middle: {LONG}<p>{FACE * 25} and more<p>{FACE * 24}<p>{LONG[:30]}<p>{LONG[:7]}""",
    "a description of 40 characters": f"<meta name=description content='{LONG}'><p>{LONG[:40]}<p>{LONG[:39]}<p>{LONG}",
    "more data than is read": with_json_ld(
        json.dumps({"text": FACE * 199_960 + LONG, "name": FACE * 200_001}, ensure_ascii=False),
        rest=f"<p>{LONG[:39]}<p>{LONG[:40]}<p>{LONG[:38]}!<p>{LONG[1:41]}<p>{LONG[2:43]}<p>{FACE * 200_001}",
    ),
    "scripts of other types": f"<script type=' Text/LD+JSON; a'>{_SAID}</script><svg><script type=ld+json>{{\"name\":"
    f'<g>"A name that is said"</g>}}</script></svg><script>{_SAID}</script><p>{LONG}<p>A name that is said',
    **{
        f"Open Graph: {kind}": f"<meta property=OG:Type content='{kind}'><meta name=og:url content=/a/b><p>Words"
        for kind in (" News.Article", "product.item", "WEBSITE", "profile", "other", "video.movie", "")
    },
    "several addresses": "<meta property=og:type content=a><meta property=og:type content=website>"
    "<meta property=og:url content><meta property=og:url content=/first?q><meta property=og:url content=/a/b>"
    "<p>Words",
    "several canonical addresses": "<meta property=og:url content=/a/b/c><link rel=canonical href=/1>"
    "<link rel=Canonical href=/1/2><link rel=canonical href><link rel='canonical next' href=/><link rel=canonical>"
    "<p>Words",
    "frames": f"<title>a</title><meta name=description content='{LONG}'><frameset><frame src=x></frameset>"
    f"<noframes><p role=main class=nav>{LONG}</noframes>",
}

# A sentence that is said twice, beside short ones and code that may be.
_TURNS = "On most days the drum turns once a minute, and nobody in the valley knows why it does so."
_TWICE = "<p>Short and said twice.</p>" * 2 + f"<div><p>{_TURNS}</p><pre>{_TURNS}</pre></div>" * 2
_PARAGRAPHS = [
    f"<p>{LONG} It was {number} o'clock when the first of them came down to the water, and by then the boats had been "
    "gone for an hour. Nobody had told them and nobody had thought of it, so they waited and talked of the weather.</p>"
    for number in range(2, 12)
]
_ARTICLE = "".join([*_PARAGRAPHS[:5], _TWICE, *_PARAGRAPHS[5:]])
_MANUAL = "".join(
    f"<section id='call-{number}'><h2>drum.turn{number}(speed, *, unit='minute')</h2><p>Turns the drum {number} times. "
    f"Returns the number of turns as an <code>int</code>.</p><pre><code>drum.turn{number}(4)</code></pre><dl>"
    "<dt>speed</dt><dd>How fast it turns.</dd><dt>unit</dt><dd>What a turn is measured by.</dd></dl></section>"
    for number in range(2, 12)
)

# By the kind of page that each is taken for.
COPIED = {
    PageType.ARTICLE: "<title>The drum | Valley news</title><meta property=og:type content=article><main><article>"
    f"<h1>The drum</h1>{_ARTICLE}</article></main>",
    PageType.DOCUMENTATION: "<title>The drum | API reference documentation</title><nav class=toc><ul>"
    + "".join(f"<li><a href='#call-{number}'>drum.turn{number}</a></li>" for number in range(2, 12))
    + f"</ul></nav><main class='docs content'><h1>The drum</h1><p>{LONG}</p>{_TWICE}{_MANUAL}</main>",
}
