"""The tables of a page, which the kernel fills in one pass over the parser's nodes, are those of the parser's tree."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.document import Document, parse, tags
from tamis.document.decode import clean_text
from tamis.kernel import WalkColumns, walked
from tests.golden import GoldenPage, golden_pages
from tests.hostile import HOSTILE

_ELEMENTS, _LEAVES = ("code", "parent", "end", "nodes"), ("element", "opened", "block", "is_media", "in_link", "shown")


def by_the_tree(tree: parse.Tree) -> dict[str, list[Any]]:
    """The columns by a plain walk, which asks every node for what is around it."""
    found: dict[str, list[Any]] = {name: [] for name in (*_ELEMENTS, *_LEAVES, "texts", "gaps", "notable", "styled")}

    def add(row: int, text: str, above: parse.Element | None, *, is_media: bool) -> None:
        around = [node for node in (above, *(above.ancestors if above else ())) if isinstance(node, parse.Element)]
        blocks = [rows[node] for node in around if node.tag in tags.BLOCK]
        hides = [node for node in around if node.tag in tags.INVISIBLE and not _is_shadow_root(node)]
        in_link = any(node.tag == "a" for node in around)
        leaf = (row, len(rows) - 1, (*blocks, 0)[0], is_media, in_link, not hides)
        for name, value in zip((*_LEAVES, "texts", "gaps"), (*leaf, text, "".join(gap)), strict=True):
            found[name].append(value)
        gap.clear()

    rows: dict[parse.Node, int] = {}
    gap: list[str] = []
    is_verbatim = False
    for node in tree.descendants:
        above = _holder(node)
        if isinstance(node, parse.Element):
            row = rows[node] = len(rows)
            inside = sum(isinstance(each, parse.Element) for each in node.descendants)
            parent = rows[above] if above else 0 if row else -1
            element = (tags.CODES.get(node.tag, tags.OTHER), parent, row + 1 + inside, node)
            for name, value in zip(_ELEMENTS, element, strict=True):
                found[name].append(value)
            if any(node.attr(name) is not None for name in ("role", "itemprop", "itemtype")):
                found["notable"].append(row)
            if (style := node.attr("style")) is not None:
                found["styled"].append((row, style))
            if node.tag in tags.PREFORMATTED:
                gap.clear()
                is_verbatim = True
            outside = {each.tag for each in node.ancestors if isinstance(each, parse.Element)}
            if (node.tag in tags.MEDIA or parse.is_formula(node)) and not tags.MEDIA & outside:
                add(row, "", above, is_media=True)
        elif isinstance(node, parse.Text | parse.CData) and not (above and above.tag in tags.CODE):
            if not node.data.isspace():
                add(rows[above] if above else 0, node.data, above, is_media=False)
            else:
                gap[:] = [*gap, node.data] if is_verbatim else [node.data]
    if rows:
        found["end"][0] = len(rows)
    return found


def _holder(node: parse.Node) -> parse.Element | None:
    """The element that holds a node; a fragment, which has the content of a template, is none."""
    above = node.parent
    while not (above is None or isinstance(above, parse.Element)):
        above = above.parent
    return above


def _is_shadow_root(node: parse.Element) -> bool:
    return node.tag == "template" and node.attr("shadowrootmode") is not None


def assert_same(html: str) -> None:
    tree = parse.parse(html)
    nodes: list[parse.Node] = []
    found = parse.walk(tree, nodes)
    for name, column in by_the_tree(tree).items():
        assert list(getattr(found, name)) == column, name
    texts = [text for text in found.texts if text]
    assert [node.data for node in nodes if isinstance(node, parse.Text | parse.CData)] == texts
    assert found.utf8.decode().split("\0")[:-1] == found.texts
    assert [found.nodes[row] for row in found.notable.tolist()] == found.notable_nodes
    assert found.other_tags == {node.tag for node in found.nodes} - set(tags.CODES)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<!doctype html><html><head></head><body></body></html>",
        "<p>a</body>b</html>c<p>d",
        "<div><template><p>a<template>b</template><img></template>c</div>d",
        "<div><template shadowrootmode=open>a<template>b</template><style>c</style></template></div>",
        "<table><template><tr><td>a</template><tr><td>b</table>",
        "<p>a<script type='math/tex'>x<y</script> <script type=text/x>b</script>c",
        "<svg><script type=math/tex>x</script><style>a<b>c</style><title>t<p>u</title><desc>d</desc></svg>",
        "<math><mi>a<p>b</mi><annotation-xml encoding=text/html><div>c</annotation-xml><mglyph/><img></math>d",
        "<svg><foreignObject><math><mtext><svg><a>x</a></svg></mtext></math></foreignObject><br/><p>out</p></svg>",
        "<svg><a href=x>a<![CDATA[b & <c>]]></a><![CDATA[ ]]></svg><![CDATA[no]]>",
        "<object><video><img>a</video><picture><source><img></picture></object><img><canvas>b</canvas>",
        "<pre>\n\n a\n</pre> <pre>\n</pre><textarea>\n\nb</textarea><listing>\n\n<b>c</b></listing>",
        "<pre><!-- -->\na</pre><pre><b>\n</b>c</pre><textarea></textarea>\nd",
        "<pre><b>a</b> \n <i> </i>\t</pre> <p> </p>b",
        "<p>a<plaintext>b</p><c>&amp;</plaintext>",
        "<xmp><p>&amp;</xmp><noembed><b></noembed><iframe><p></iframe><noframes><i></noframes><noscript><b>x</noscript>",
        "<script><!-- <script> </script> --> a</script>b<script><!--<script></script>c",
        "<script><!--<script>a",
        "<style></styles></style x>a<title></titles>&lt;</title>b<textarea></textareas>&amp;lt;</textarea>",
        "a<!-- b -->c<!--->d<!---->e<!--f--!>g<!x-->h>i<?j k>l</ m>n</>o",
        "&amp;lt; &nbsp; &nbsp;a&nbsp; &#60; < > \" ' &notin; &#0; &#x85;",
        "<p>\0a\0b</p>\0<svg>\0c</svg><script>\0</script>",
        "<p>\u00a0<p>\u3000<p>\u200b<p>\x0b<p>\x1f<p>\x85<p>\u2028",
        '<p class="a&quot;b<c>d\u00a0" id=\'\n\' "q"=1 =x a=b=c a<b CLASS=no hidden>e',
        "<p role=main itemprop itemtype='a&amp;b' style='x:\"y\"' style=no>a<b style>b",
        "<x-y>a</x-y><o:p>b</o:p><a<b>c</a<b><svg:rect>d<image>e<marquee>f<menuitem>g",
        "<area><base><br><col><embed><hr><img><input><link><meta><param><source><track><wbr><keygen>a<frame>",
        "<b><p>a</b>b</p><a>c<table><a>d<tr><td>e</a>f</table><i><b></i>g",
        "<select><option>a<optgroup><option>b<b>c</select><table><caption>d<td>e<form><form>f",
        "<html class=a><body id=b><html id=c class=d><body class=e>f<head>g",
        "<div>" * 600 + "a" + "</div>" * 300 + "b",
        "<svg>" * 600 + "a" + "</svg>" * 300 + "b",
        "<b>" * 100 + "<p>a</b>" * 100,
    ],
    ids=lambda html: html[:20],
)
def test_odd_pages(html: str) -> None:
    assert_same(html)


@pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
def test_golden_pages(page: GoldenPage) -> None:
    assert_same(page.document().html)


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pages(kind: str) -> None:
    html = HOSTILE[kind](600)
    assert_same(clean_text(html if isinstance(html, str) else html.decode("latin-1")))


_TAGS = """
    a b br body canvas col desc details div embed foreignObject form frameset g h1 head hr html iframe image img input
    keygen li link listing math meta mi mtext noembed noframes noscript object option p picture plaintext pre script
    section select source span style svg table td template text textarea title tr video wbr x-y xmp
""".split()
_ATTRIBUTES = [
    "", " class=a", " id='b c'", ' class="&quot;&lt;"', " role=main itemprop=name", " style=x", " shadowrootmode=open",
    " type=math/tex", " encoding=text/html", " =x", " a<b=c", "/",
]  # fmt: skip
_TEXTS = [
    "a", " ", "\n", "\n\nb", "&amp;lt;", "&nbsp;", "\u3000", "<", ">", '"', "]]>", "<![CDATA[c<d]]>", "<!-- e -->",
    "<!-->", "<!--", "-->", "<!--<script>", "</script>", "<?f>", "</ g>", "\0", "é", "日本",
]  # fmt: skip
_PIECES = st.one_of(
    st.builds("<{}{}>".format, st.sampled_from(_TAGS), st.sampled_from(_ATTRIBUTES)),
    st.builds("</{}>".format, st.sampled_from(_TAGS)),
    st.sampled_from(_TEXTS),
)


@given(st.lists(_PIECES, max_size=20).map("".join))
def test_any_page(html: str) -> None:
    assert_same(html)


def test_many_blanks_are_soon_done() -> None:
    started = time.process_time()
    document = Document.from_html(f"<pre>a{'<b> </b>' * 100_000}b</pre><p>{' <i>c</i>' * 100_000}")
    assert document.leaves.gap[1] == " " * 100_000
    assert document.leaves.gap[2:] == [" "] * 100_000
    assert time.process_time() - started < 20


def test_memory_is_given_back() -> None:
    tree = parse.parse(f"<p class=x>{'some words ' * 25} <b>{'and more ' * 25}</b>" * 2_000)

    def peak() -> int:
        for _ in range(50):
            parse.walk(tree)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # kB

    peak()
    before, after = peak(), peak()
    assert after - before < 20_000, "50 pages of a megabyte each"


@dataclass(frozen=True)
class Tag:
    """An element that is none of the parser's."""

    tag: Any
    count: int = 0

    def __len__(self) -> int:
        return self.count


@dataclass(frozen=True)
class Data:
    data: Any


class Other:
    """A node of another kind, such as a comment."""


def walk(nodes: Iterable[object], **lists: list[Any]) -> WalkColumns:
    given: dict[str, Any] = {name: [] for name in ("elements", "texts", "gaps", "text_nodes", "notable")} | lists
    return walked(
        nodes=iter(nodes), element_type=Tag, text_type=Data, cdata_type=Data, fragment_type=Tag, codes=dict(tags.CODES),
        other=tags.OTHER, notable_kind=b"", **given,
    )  # fmt: skip


def failing(error: Exception) -> Iterator[object]:
    yield from (Tag("html", 3), Tag("pre", 2), Data(" "), Data("a"))
    raise error


@pytest.mark.parametrize(
    ("nodes", "error"),
    [
        (failing(ZeroDivisionError("here")), ZeroDivisionError),
        ([Tag("html", 1), Data("\ud800")], UnicodeEncodeError),
        ([Tag("html", 1), Data(7)], TypeError),
        ([Tag(["html"], 1)], TypeError),
        ([Tag("html", -1)], ValueError),
    ],
)
def test_an_error_reaches_the_caller(nodes: Iterable[object], error: type[Exception]) -> None:
    with pytest.raises(error):
        walk(nodes)
    assert walk([Tag("html", 1), Data("a")]).texts == b"a\0", "the next page is read as any"


def test_a_nul_ends_no_text() -> None:
    texts: list[str] = []
    assert walk([Tag("html", 2), Data("a\0b"), Data("\0")], texts=texts).texts == b"a?b\0?\0"
    assert texts == ["a\0b", "\0"]


@pytest.mark.parametrize("fails", [False, True])
def test_references_are_given_back(fails: bool) -> None:
    tag, text, blank = "".join(("x", "-y")), "".join(("so", "me")), "".join((" ", "\n"))
    nodes = [Tag("html", 5), Tag(tag), Data(blank), Tag("pre"), Data(blank), Data(text), Other()]
    given = [tag, text, blank, tags.OTHER, *nodes, Tag, Data, Other, ""]

    def count() -> list[int]:
        for _ in range(1_000):
            if fails:
                with pytest.raises(UnicodeEncodeError):
                    walk([*nodes[:-1], Data("\ud800")])
            else:
                walk(nodes)
        return list(map(sys.getrefcount, given))

    before = count()
    # One reference lost at each walk would be a thousand; a few come and go with what else this process does.
    assert all(abs(after - first) < 100 for after, first in zip(count(), before, strict=True))
