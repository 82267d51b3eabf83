"""XML, construct by construct, and TEI against its schema."""

from __future__ import annotations

import lzma
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.records.posts import Comment
from tamis.render.content import Child, Node
from tamis.render.xml import Facts, to_tei, to_xml
from tests.attacks import FRAGMENTS
from tests.golden import golden_pages, structure_pages

# TEI's own schema of all its elements (P5, version 3.0.0), under the CC BY and BSD-2 licences of the TEI Consortium.
_SCHEMA = Path(__file__).parents[1] / "schemas" / "tei_all.rng.xz"

pytestmark = pytest.mark.xdist_group("tei")  # the schema takes seconds to load

Check = Callable[[str], None]


@pytest.fixture(scope="session")
def valid() -> Check:
    """Fails for a document that is not valid TEI."""
    etree = pytest.importorskip("lxml.etree", reason="needs lxml: pip install 'tamis[bench]'")
    validator = etree.RelaxNG(etree.fromstring(lzma.decompress(_SCHEMA.read_bytes())))

    def check(document: str) -> None:
        parsed = etree.fromstring(document.encode(), etree.XMLParser(huge_tree=True))
        assert validator.validate(parsed), validator.error_log.last_error

    return check


def main_of(source: str) -> str:
    """What is in `main`, on one line."""
    page = tamis.extract(source, extractor="keep-all", url="https://site.example/page")
    found = re.search(r"<main>(.*)</main>", page.xml, re.DOTALL)
    return found[1].replace("\n", "") if found else ""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<h2>A</h2><p>b</p>", '<head rend="h2">A</head><p>b</p>'),
        ("<p>a <b>b</b> <i>i</i> <u>u</u></p>",
         '<p>a <hi rend="#b">b</hi> <hi rend="#i">i</hi> <hi rend="#u">u</hi></p>'),
        ("<p>a <s>b</s> <kbd>c</kbd> <code>d &lt;</code></p>",
         '<p>a <del rend="overstrike">b</del> <hi rend="#t">c</hi> <code>d &lt;</code></p>'),
        ('<p>a <a href="b?x&amp;y">b</a></p>', '<p>a <ref target="https://site.example/b?x&amp;y">b</ref></p>'),
        ("<p>a<br>b</p>", "<p>a<lb/>b</p>"),
        ("<ul><li>a<li>b<ol><li>c</ol></ul>",
         '<list rend="ul"><item>a</item><item><p>b</p><list rend="ol"><item>c</item></list></item></list>'),
        ("<dl><dt>a<dd>b<dt>c<dd>d<dd>e</dl>",
         '<list rend="dl"><item rend="dt-1">a</item><item rend="dd-1">b</item><item rend="dt-2">c</item>'
         '<item rend="dd-2">d</item><item rend="dd-2">e</item></list>'),
        ("<table><caption>t</caption><tr><th>a<th>b<tr><td colspan=2>c<tr><td>d<td></table>",
         '<table><head>t</head><row><cell role="head">a</cell><cell role="head">b</cell></row>'
         '<row><cell cols="2">c</cell></row><row><cell>d</cell><cell/></row></table>'),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "<quote><p>a</p><p>b</p></quote>"),
        ("<p>t <img src=i.png alt='A cat'> t</p>",
         '<p>t <graphic src="https://site.example/i.png" alt="A cat"/> t</p>'),
        ("<p lang=fr>a</p><p>b <i lang='x y'>c</i></p>", '<p>a</p><p>b <hi rend="#i">c</hi></p>'),
        ("<p>a \x01&#2;\ufffe b</p>", "<p>a  b</p>"),
        ("<b><p>a</p><p>b</p></b>", "<p>a</p><p>b</p>"),
    ],
)  # fmt: skip
def test_constructs(source: str, expected: str) -> None:
    assert main_of(source) == expected


def test_code_keeps_its_lines() -> None:
    page = tamis.extract("<p>a</p><pre>if x:\n    y\n</pre>", extractor="keep-all")
    assert "<code>if x:\n    y</code>" in page.xml
    assert '<ab type="code"><code>if x:\n    y</code></ab>' in re.sub(r">\n<", "><", page.tei)


_NAMES = {"t": "http://www.tei-c.org/ns/1.0"}
_DESCRIBED = """<html lang=en><head><title>T &quot;q&quot; &lt;b> | S</title>
<meta name=author content="Ann Lee"><meta name=author content="Bo Ray"><meta name=keywords content="x, y">
<meta property=og:site_name content=S><meta name=date content=2020-01-02>
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "T \\"q\\" <b>", "datePublished": "2020-01-02",
"author": [{"@type": "Person", "name": "Ann Lee"}, {"@type": "Person", "name": "Bo Ray"}]}</script>
<body><h1>T &quot;q&quot; &lt;b></h1><p>text</p>"""


def test_metadata_are_attributes() -> None:
    html = _DESCRIBED.replace("text", "The bridge was opened again on Monday, after a winter of repairs. " * 9)
    page = tamis.extract(html, extractor="keep-all", url="https://www.site.example/page")
    assert page.page_type
    doc = ElementTree.fromstring(page.xml)
    known = {
        "title": 'T "q" <b>',
        "date": "2020-01-02",
        "source": "https://www.site.example/page",
        "hostname": "www.site.example",
        "sitename": "S",
        "language": "en",
        "pagetype": str(page.page_type),
        "tags": "x;y",
    }
    assert {name: doc.get(name) for name in known} == known
    assert doc.get("author") == "; ".join(page.metadata.authors)
    tei = ElementTree.fromstring(page.tei)
    assert texts_of(tei, ".//t:titleStmt/t:title") == ['T "q" <b>']
    assert texts_of(tei, ".//t:titleStmt/t:author") == [*page.metadata.authors]
    assert texts_of(tei, ".//t:keywords/t:term[@type='tag']") == ["x", "y"]
    assert [each.get("ident") for each in tei.findall(".//t:language", _NAMES)] == ["en"]


def texts_of(tei: ElementTree.Element, path: str) -> list[str | None]:
    return [each.text for each in tei.findall(path, _NAMES)]


# All that both can say, whatever a page gives.
_FACTS: Facts = {
    "title": "T",
    "author": ("Ann Lee", "Bo Ray"),
    "date": "2020-01",
    "date_modified": "2020-02-03",
    "source": "https://site.example/page",
    "sitename": "S",
    "excerpt": "E",
    "language": "en",
    "section": "Harbour",
    "categories": ("News", "Boats"),
    "tags": ("x", "y z"),
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "pagetype": "article",
}


def test_several_values_are_one_attribute_of_xml_and_several_elements_of_tei(valid: Check) -> None:
    doc = ElementTree.fromstring(to_xml([], _FACTS))
    several = {"author": "Ann Lee; Bo Ray", "categories": "News;Boats", "tags": "x;y z"}
    assert doc.attrib == {**_FACTS, **several}
    written = to_tei([], _FACTS)
    valid(written)
    tei = ElementTree.fromstring(written)
    for place in ("titleStmt", "bibl"):
        assert texts_of(tei, f".//t:{place}/t:author") == ["Ann Lee", "Bo Ray"]
    assert [each.attrib for each in tei.findall(".//t:bibl/t:date", _NAMES)] == [
        {"when": "2020-01"},
        {"type": "modified", "when": "2020-02-03"},
    ]
    terms = [(each.get("type"), each.text) for each in tei.findall(".//t:term", _NAMES)]
    assert terms[:3] == [("section", "Harbour"), ("category", "News"), ("category", "Boats")]
    assert terms[3:] == [("tag", "x"), ("tag", "y z"), ("pagetype", "article")]
    (licence,) = tei.findall(".//t:publicationStmt/t:availability/t:licence", _NAMES)
    assert licence.get("target") == licence.text == _FACTS["license"]


def test_a_licence_without_a_publisher_is_prose(valid: Check) -> None:
    written = to_tei([], {"license": "All rights reserved"})
    valid(written)
    assert texts_of(ElementTree.fromstring(written), ".//t:publicationStmt/t:p") == ["All rights reserved"]


def test_nodes_that_only_recognisers_make() -> None:
    content: list[Child] = [
        Node(
            "p", {}, ["a", Node("note-reference", {"id": "1"}, ["[1]"]), Node("note-reference", {"id": "none"}, ["2"])]
        ),
        Node("formula", {"tex": "a < b", "display": ""}),
        Node("callout", {"kind": "tip", "title": "Title"}, [Node("p", {}, ["b ", Node("formula", {"tex": "x"})])]),
        Node("ul", {}, [Node("li", {"checked": "true"}, ["c"])]),
        Node("pre", {"language": "python"}, ["d"]),
        Node("embed", {"src": "https://v.example/", "title": "Film", "kind": "video"}),
        Node("notes", {}, [Node("note", {"id": "1"}, ["e"])]),
    ]
    written = re.sub(r">\n<", "><", to_xml(content, {"title": "T"}, [Comment("f", "Ann", "2020-01-01")]))
    assert written == (
        '<?xml version="1.0" encoding="UTF-8"?><doc title="T"><main>'
        '<p>a<ref target="#fn-1" type="note">1</ref><hi rend="#sup">2</hi></p>'
        '<p><formula notation="TeX" rend="display">a &lt; b</formula></p>'
        '<quote rend="callout-tip"><p><hi rend="#b">Title</hi></p><p>b <formula notation="TeX">x</formula></p></quote>'
        '<list rend="ul"><item rend="done">c</item></list><code lang="python">d</code>'
        '<p><ref target="https://v.example/" type="video">Film</ref></p><note id="fn-1" n="1">e</note></main>'
        '<comments><p author="Ann" date="2020-01-01">f</p></comments></doc>\n'
    )


@pytest.mark.parametrize(
    "source",
    [
        "",
        "<figure><img src=x><figcaption>only a figure</figcaption></figure>",
        "<figure><pre>a</pre><h2>b</h2><table><tr><td>c<td>d</table></figure>",
        "<table><tr><td>a<td><h3>b</h3><ul><li>c</ul><table><tr><td>d<td>e</table><tr></table>",
        "<table><caption><p>a</p><p>b</p></caption><tr><td>c<td></table>",
        "<ul><li><h2>a</h2><blockquote><h3>b</h3><details><summary>c</summary><h4>d</h4></details></blockquote></ul>",
        "<details><summary>a</summary></details><details><h2>b</h2>c</details>",
        "<dl><dt>a<dt><p>b</p><dd>c<dd><dl><dd>d</dl><dt>e</dl>",
        "<p>a<a href='x'><p>b</p><ul><li>c</ul></a><b><h2>d</h2></b>",
        "<p><ruby>a<rt>b</rt></ruby> <q>c <q>d</q></q> <time datetime=x>e</time> <abbr title=f>g</abbr>",
        "<p><a href='https://x.example/a b|c%zz[d]\\e^{f}'>a</a> <a href='mailto:a@b.example'>b</a>",
        "<h6>a</h6><p>b</p><h1>c</h1><h3>d</h3><h2>e</h2><p>f</p>",
        "<div lang='x y'><p lang='en-'>a</p><p lang=pt-BR><i lang=de>b</i></p></div>",
        "<div>" * 300 + "deep" + "</div>" * 300,
        "<table><tr><td>a<td>" * 80 + "deep",
        "<p>" + "<b><i>" * 150 + "deep",
    ],
)
def test_unusual_pages_are_valid(source: str, valid: Check) -> None:
    assert_valid(tamis.extract(source, extractor="keep-all", url="https://site.example/"), valid)


def test_golden_structure_and_hostile_pages_are_valid(valid: Check) -> None:
    for page in (*(golden.perfect() for golden in golden_pages()), *(each.extracted() for each in structure_pages())):
        assert_valid(page, valid)
    for fragment in FRAGMENTS:
        html = f"<p>before {fragment}<p>after<h2>{fragment}</h2>"
        assert_valid(tamis.extract(html, extractor="keep-all"), valid)


def assert_valid(page: tamis.Page, valid: Check) -> None:
    valid(page.tei)
    ElementTree.fromstring(page.xml)


_TEXT = st.text(st.characters(codec="utf-8"), max_size=5)
_ADDRESS = _TEXT.filter(bool)
_ID = st.sampled_from(["1", "a b", "\x00", "ä", "1"])
_INLINE = "a abbr b br cite code del em embed formula img kbd mark note-reference q rp rt ruby s small sub sup".split()
_BLOCK = """
    address article aside blockquote callout caption dd details div dl dt figcaption figure h1 h2 h4 header hr li main
    note notes ol p pre section summary table tbody td th thead tr ul
""".split()


@st.composite
def _nodes(draw: st.DrawFn, depth: int = 0) -> Child:
    """A node with anything in it."""
    if depth == 4 or draw(st.booleans()):
        return draw(_TEXT)
    name = draw(st.sampled_from(_INLINE + _BLOCK))
    attributes: dict[str, str] = {}
    if name in ("note", "note-reference"):
        attributes["id"] = draw(_ID)
    elif name == "callout":
        attributes = {"kind": "tip", "title": draw(_TEXT)}
    elif name in ("embed", "img"):
        attributes = {"src": draw(_ADDRESS), "alt": draw(_TEXT), "title": draw(_TEXT), "kind": "frame"}
    elif name == "formula":
        attributes = {"tex": draw(_TEXT)} | ({"display": ""} if draw(st.booleans()) else {})
    elif name == "a":
        attributes = {"href": draw(_ADDRESS)}
    elif name in ("td", "th"):
        attributes = {"colspan": draw(st.sampled_from(["2", "0", "x", "99999999"])), "lang": draw(_TEXT)}
    elif name == "li":
        attributes = {"checked": "false"} if draw(st.booleans()) else {}
    return Node(name, attributes, draw(st.lists(_nodes(depth + 1), max_size=4)))


@given(st.lists(_nodes(), max_size=5), _TEXT, st.lists(_TEXT, max_size=2))
def test_any_tree_is_valid(valid: Check, content: list[Child], text: str, several: list[str]) -> None:
    facts: Facts = {name: tuple(several) if isinstance(value, tuple) else text for name, value in _FACTS.items()}
    comments = [Comment(text), Comment(text, text, text), Comment("a\n\nb", "Ann", "2020-01-01")]
    valid(to_tei(content, facts, comments))
    ElementTree.fromstring(to_xml(content, facts, comments))
