"""Hostile pages by number: `page(seed)` is always the same page for the same seed.

A page is built of tokens (tags, texts, attributes), of parts (a table, a list, linked data, ...) and of runs, which
repeat a piece up to and past the parser's limits. Most pages are then damaged. About 30 µs and 2 kB a page.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random

from tests.fuzz.fragments import (
    ATTRIBUTES,
    BLOCKS,
    DOCTYPES,
    FILLERS,
    FORMATTING,
    HEADS,
    LANGS,
    LAST_WORDS,
    ODD_TEXTS,
    PARTS,
    RAW,
    SENTENCE,
    TABLE,
    TAGS,
    UNITS,
    WORDS,
)

_FULL = 510  # besides html and body
_OPENED = (
    "<table>", "<table><td>", "<table><tr>", "<table><td><table>", "<td>", "<tr>", "<caption>", "<col>", "<select>",
    "<template>", "<a>", "<b>", "<p>", "<div>", "<svg>", "<math><mi>", "<textarea>", "<script>", "<style>", "<button>",
    "<li>", "<h1>", "<form>",
)  # fmt: skip
_CLOSED = tuple(
    f"</{tag}>"
    for tag in "table table td tr div div p b a i svg math template select button ul h1 script textarea body".split()
)
_LIMITS = sorted({near + step for part in (1, 2, 3, 4, 5) for near in (512 // part,) for step in range(-6, 7)})
# Formatting elements with distinct attributes are all kept in the parser's list. Each token is equally wide.
_DISTINCT = tuple("".join(f"<{tag} a={number:03}>" for number in range(640)) for tag in FORMATTING)
_DISTINCT_WITH_BLOCK = tuple("".join(f"<{tag} a={number:03}><p>" for number in range(320)) for tag in FORMATTING)
_WIDTHS = tuple((len(tag) + 8, len(tag) + 11) for tag in FORMATTING)
_ENDS = tuple(
    f"</{tag}>" for tag in (*FORMATTING, *FORMATTING, *BLOCKS, *TABLE, *TABLE, "select", "template", "svg", "math", "p")
)
_ADOPTIONS = tuple(
    f"<{tag}><{block}></{tag}>"
    for tag in FORMATTING
    for block in ("blockquote", "p", "div", "td", "table", "svg", "i", "li")
)
_OPENINGS = tuple(f"<{tag}>" for tag in TAGS)
_TEXTS = tuple(f"{word} " for word in WORDS)


def _weighted(*groups: tuple[int, Sequence[str]]) -> tuple[list[str], list[float]]:
    """All tokens of the groups, and their cumulative weights: that of a group is shared by its tokens."""
    tokens = [token for _, group in groups for token in group]
    return tokens, list(accumulate(weight / len(group) for weight, group in groups for _ in group))


_TAG_NAMES = (
    *TAGS, *FORMATTING, *TABLE, *FORMATTING, *TABLE, "div", "p", "p", "svg", "math", "template", "select", "a", "img",
)  # fmt: skip
_WITH_ATTRIBUTES = tuple(
    f"<{tag} {ATTRIBUTES[(position * 37 + turn * 101) % len(ATTRIBUTES)]}{'/' if turn == 3 else ''}>"
    for position, tag in enumerate(_TAG_NAMES)
    for turn in range(8)
)
_SOUP = _weighted(
    (20, _OPENINGS),
    (14, tuple(f"<{tag}>" for tag in FORMATTING)),
    (12, tuple(f"<{tag}>" for tag in TABLE)),
    (22, _ENDS),
    (8, tuple(f"</{tag}>" for tag in TAGS)),
    (12, _WITH_ATTRIBUTES),
    (14, _TEXTS),
    (6, ODD_TEXTS),
    (3, tuple(f"<{tag}>x</{tag}>" for tag in RAW[:-1])),
    (1, PARTS),
)
# After a run: what takes elements off the stack, moves them or asks for one of them.
_AFTER = _weighted(
    (30, _ENDS),
    (14, tuple(f"<{tag}>" for tag in FORMATTING)),
    (14, tuple(f"<{tag}>" for tag in TABLE)),
    (12, _OPENINGS),
    (8, _TEXTS),
    (6, tuple(f"<{tag}>x</{tag}>" for tag in RAW[:-1])),
    (2, _WITH_ATTRIBUTES),
    (2, LAST_WORDS),
    (8, _ADOPTIONS),
    (2, PARTS),
)
_BODY = _weighted(
    (60, PARTS), (20, tuple(f"<p>{SENTENCE * count}" for count in (1, 2, 5))), (8, _WITH_ATTRIBUTES), (8, _SOUP[0])
)


def _pick(rng: Random, weighted: tuple[list[str], list[float]], count: int) -> str:
    return "".join(rng.choices(weighted[0], cum_weights=weighted[1], k=count))


def _soup(rng: Random) -> str:
    """Tokens in any order."""
    return _pick(rng, _SOUP, 5 + int(150 * rng.random() ** 2))


def _size(rng: Random) -> int:
    """How often a run repeats its unit: mostly near a limit."""
    chance = rng.random()
    if chance < 0.55:
        return _LIMITS[int(rng.random() * len(_LIMITS))]
    return 100 + int(rng.random() * 500) if chance < 0.8 else 2 + int(rng.random() * 60)


def _run(rng: Random) -> str:
    """One or two units repeated, between tokens."""
    before = _pick(rng, _SOUP, int(8 * rng.random()))
    size, chance = _size(rng), rng.random()
    if chance < 0.15:
        which = int(rng.random() * len(FORMATTING))
        run = _DISTINCT[which][: min(size, 640) * _WIDTHS[which][0]]
    elif chance < 0.25:
        which = int(rng.random() * len(FORMATTING))
        run = _DISTINCT_WITH_BLOCK[which][: min(size, 320) * _WIDTHS[which][1]]
    elif chance < 0.35:
        run = _pick(rng, _SOUP, 3) * min(size, 200)
    else:
        run = rng.choice(UNITS) * size
        if chance > 0.8:
            run += _pick(rng, _AFTER, int(4 * rng.random())) + rng.choice(UNITS) * _size(rng)
    after = _pick(rng, _AFTER, 1 + int(12 * rng.random()))
    if rng.random() < 0.15:
        after *= 1 + int(20 * rng.random())
    return before + run + after


def _at_the_limit(rng: Random) -> str:
    """A stack of open elements that is about full, then tokens that need it, and again after some are closed."""
    unit, opened = rng.choice(FILLERS)
    before, room = _pick(rng, _AFTER, int(4 * rng.random())), int(12 * rng.random()) - 6
    repeats, missing = divmod(_FULL - room, opened)
    pieces = [before, unit * repeats, "<div>" * missing]
    for _ in range(1 + int(3 * rng.random())):
        pieces += rng.choices(_OPENED, k=int(4 * rng.random()))
        pieces += rng.choices(_CLOSED, k=int(3 * rng.random()))
        pieces += rng.choices(_ADOPTIONS, k=int(2 * rng.random()))
        pieces.append(_pick(rng, _AFTER, int(4 * rng.random())))
    return "".join(pieces)


def _document(rng: Random) -> str:
    """A page as sites write them, of hostile parts."""
    head = "".join(rng.choices(HEADS, k=int(7 * rng.random())))
    body = _pick(rng, _BODY, 1 + int(9 * rng.random()))
    if rng.random() < 0.5:
        return f"{rng.choice(DOCTYPES)}<html lang='{rng.choice(LANGS)}'><head>{head}</head><body>{body}</body></html>"
    return rng.choice(DOCTYPES) + head + body


def _tagged(rng: Random) -> str:
    """Elements with attributes put together here, so that any can meet any."""
    pieces = []
    for tag in rng.choices(_TAG_NAMES, k=3 + int(10 * rng.random())):
        attributes = " ".join(rng.choices(ATTRIBUTES, k=1 + int(3 * rng.random())))
        pieces.append(f"<{tag} {attributes}>{_pick(rng, _SOUP, 2)}" + (f"</{tag}>" if rng.random() < 0.5 else ""))
    return "".join(pieces)


def _mixed(rng: Random) -> str:
    return "".join(rng.choice(_KINDS[:5])(rng) for _ in range(2))


_KINDS: tuple[Callable[[Random], str], ...] = (_soup, _run, _at_the_limit, _document, _tagged, _mixed)
_SHARES = tuple(accumulate((0.3, 0.2, 0.15, 0.2, 0.1, 0.05)))


def _damaged(rng: Random, page: str) -> str:
    """A page with slices deleted, doubled, moved or cut off."""
    for _ in range(1 + int(3 * rng.random())):
        size = len(page)
        start = int(size * rng.random())
        stop = start + 1 + int(40 * rng.random())
        change = rng.random()
        if change < 0.3:
            page = page[:start] + page[stop:]
        elif change < 0.5:
            page = page[:stop] + page[start:]
        elif change < 0.65:
            page = page[:start] + page[start:stop] * (1 + int(30 * rng.random())) + page[stop:]
        elif change < 0.75:
            other = int(size * rng.random())
            page = page[:start] + page[other : other + 40] + page[stop:]
        elif change < 0.9:
            page = page[:start] + _pick(rng, _SOUP, 2) + page[start:]
        elif change < 0.95:
            page = page[:start]
        else:
            page = page[start:] + page[:start]
    return page


def page(seed: int) -> str:
    """The page with this number."""
    rng = Random(seed)
    made = _KINDS[bisect(_SHARES, rng.random() * 0.999)](rng)
    return _damaged(rng, made) if rng.random() < 0.5 else made


# What two readers of a page may take for different things: whether an element was opened, closed or ignored.
_TRICKY = (
    "<option>", "<th>", "<tr>", "</tr>", "<<!-- -->table>", "<svg ", "<g a=b/>", "<svg a=b/>", "<svg/>", "<svg>",
    "</svg>", "<SVG>", "<math/>", "<math>", "</math>", "<text>", "<g>", "<path>", "<g/>", "<image>", "<desc>",
    "<foreignObject>", "</foreignObject>", "<title>", "</title>", "<mi>", "</mi>", "<mtext>", "<annotation-xml>",
    "</desc>", "<annotation-xml encoding=text/html>", "<malignmark>", "<p>", "</p>", "<li>", "</li>", "<dd>", "<dt>",
    "</dd>", "<td>", "</td>", "<th>", "</th>", "<tr>", "</tr>", "<tbody>", "</tbody>", "<table>", "</table>",
    "<caption>", "</caption>", "<col>", "<colgroup>", "</colgroup>", "<select>", "</select>", "<option>", "</option>",
    "<optgroup>", "<form>", "</form>", "<button>", "</button>", "<a>", "</a>", "<a href=x>", "<b>", "</b>", "<i>",
    "</i>", "<nobr>", "</nobr>", "<font>", "</font>", "<h1>", "</h1>", "</h2>", "<div>", "</div>", "<div/>", "<DIV>",
    "</DIV >", "<span>", "</span>", "<br>", "</br>", "<input>", "<img>", "<link>", "<meta>", "<base>", "<hr>",
    "<source>", "<param>", "<embed>", "<area>", "<frameset>", "</frameset>", "<frame>", "<template>", "</template>",
    "<noscript>", "</noscript>", "<object>", "</object>", "<applet>", "<marquee>", "</marquee>", "<ruby>", "<rt>",
    "<rp>", "</rt>", "<head>", "</head>", "<body>", "</body>", "<html>", "</html>", "<script>", "</script>",
    "<script>x</script>", "<style></style>", "<textarea></textarea>", "<title></title>", "<xmp></xmp>", "<style>",
    "<iframe></iframe>", "<noembed></noembed>", "<noframes></noframes>", "<script><!--</script>",
    "<script><!--<script></script>", "-->", "<!--", "<!-->", "<!--->", "<!--x-->", "<!---!>", "<!--x--!>", "<![CDATA[",
    "]]>", "<![CDATA[>]]>", "<![CDATA[x]]>", "<!doctype>", "<?x>", "</>", "</ x>", "<p a='>'>", '<div a=">">',
    "<div a=>", "<div a='", "'>", "<div/a>", "<div =>", "<x\0y>", "<listing>", "<pre>", "<center>", "<details>",
    "<summary>", "<dialog>", "<search>", "<menu>", "<my-element>", "</my-element>", "<keygen>", "<isindex>",
    "<command>", "<bgsound>", "<basefont>", "<wbr>", "<track>", "x", " ", "\n", "<address>", "</address>",
)  # fmt: skip
_TAILS = (
    "<table><tr><strike></tbody><svg><small><div></small></p><strike><strong>",
    *(
        f"{outside}{cell}{end}<{tag}><{block}></{tag}>"
        for outside in ("", "<desc>", "<mi>")
        for cell in ("<table><td>", "<table><tr><th>", "<table><td><table><td>", "<template><td>", "<table><tr>")
        for end in ("</table>", "</tr>", "</tbody>", "</td></tr>", "</template></table>")
        for tag, block in (("a", "blockquote"), ("b", "p"), ("tt", "div"), ("font", "li"))
    ),
)


def evasive(seed: int) -> str:
    """A page that wants to be deeper than it looks: a few tricky tokens repeated up to the limit, and then a table."""
    rng = Random(seed)
    unit = "".join(rng.choices(_TRICKY, k=1 + int(4 * rng.random())))
    before = "".join(rng.choices(_TRICKY, k=int(4 * rng.random())))
    between = "".join(rng.choices(_TRICKY, k=int(3 * rng.random())))
    return f"{before}{unit * _size(rng)}{between}{'<div>' * int(8 * rng.random())}{rng.choice(_TAILS)}"
