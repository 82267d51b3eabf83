"""Plain text and blocks: what a reader sees as lines and paragraphs; the title; the page as data."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

import tamis
from tamis.render.text import Block
from tests.extractors import word_count
from tests.test_api import ARTICLE_PAGE


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>a\n   b</p>", "a b"),
        ("<b>a</b> <i>b</i>", "a b"),
        ("<b>a</b><i>b</i>", "ab"),
        ("wor<!-- x -->d", "word"),
        ("<div>a<span> b</span></div>", "a b"),
        ("<p>a<br><br>b</p>", "a\n\nb"),
        ("<ul><li>a</li><li>b</li></ul><p>c</p>", "a\nb\n\nc"),
        ("<ul><li>a<ul><li>b</li></ul></li></ul>", "a\nb"),
        ("<ul><li><h3>a</h3><p>b</p></li><li><h3>c</h3><p>d</p></li></ul>", "a\nb\n\nc\nd"),
        ("<table><tr><td>a</td><td></td><td>b</td></tr><tr><td>c</td></tr></table>", "a\t\tb\nc"),
        ("<table><tr><td>one</td></tr><tr><td>two</td></tr></table>", "one\ntwo"),
        ("<table><tr><td>a<br>b</td><td><p>c</p><p>d</p></td></tr></table>", "a b\tc d"),
        ("<p>a</p><pre>\n  x\n    y\n</pre><p>b</p>", "a\n\n  x\n    y\n\nb"),
        ("<pre><b>if</b> <i>x</i>:\n    <b>y</b></pre>", "if x:\n    y"),
        ("<p>f(<span hidden>no</span>x)</p>", "f(x)"),
        ("<button>a</button><button>b</button>", "a\n\nb"),
        ("<h1>a</h1>b", "a\n\nb"),
        ("<p>\u00ad a \u00ad b</p>", "a  b"),
    ],
)
def test_lines(source: str, expected: str) -> None:
    assert tamis.extract(source, extractor="keep-all").text == expected


def test_all_white_space_is_folded() -> None:
    spaces = [character for character in map(chr, range(sys.maxunicode + 1)) if character.isspace()]
    for space in spaces:
        assert tamis.extract(f"<p>a{space}{space}b c</p>", extractor="keep-all").text == "a b c", ascii(space)


def test_what_is_dropped_leaves_a_space() -> None:
    document = tamis.Document.from_html("<p>word<sup>1</sup>s</p>")
    keep = ~document.inside("sup")
    assert tamis.Page(document, tamis.Labels(keep.astype(float), keep), "test", document).text == "word s"


PROSE = "The baker rises long before the town does, lights the ovens and waits for the dough to rise. " * 4
SEVERAL = f"""<title>Bread at dawn - The Oven</title><h1>The Oven</h1><div>Bread at dawn</div><main>
<h2>Bread at dawn</h2><p>{PROSE}</p><h3>Later</h3><p>{PROSE} Bread at dawn is what he calls it.</p></main>"""
NO_HEADING = f"<title>Bread at dawn</title><p>{PROSE}</p><p>{PROSE} And so on.</p>"
PAGES = {"article": ARTICLE_PAGE, "several": SEVERAL, "no heading": NO_HEADING}


@pytest.mark.parametrize("name", PAGES)
def test_the_default_leaves_it_out(name: str) -> None:
    for wish in ("favor_precision", "favor_recall", "include_comments"):
        wishes: dict[str, Any] = {wish: True}
        page = tamis.extract(PAGES[name], **wishes)
        lines = (page.text + page.markdown).splitlines()
        assert [line for line in lines if line.strip("#* ") == "Bread at dawn"] == []
        assert "<h1" not in page.html
        assert page.title == "Bread at dawn"


@pytest.mark.parametrize("extractor", ["tamis", "keep-all"])
@pytest.mark.parametrize("name", PAGES)
def test_who_asks_for_it_gets_it_once_and_first(name: str, extractor: str) -> None:
    page = tamis.extract(PAGES[name], extractor=extractor, include_title=True)
    assert page.text.startswith("Bread at dawn\n\n")
    assert page.markdown.startswith("# Bread at dawn\n\n")
    assert page.html.startswith("<h1>Bread at dawn</h1>")
    for content in (page.text, page.markdown):
        assert [line.strip("#* ") for line in content.splitlines()].count("Bread at dawn") == 1
    assert page.as_dict()["text"] == page.text


def test_the_rest_stays_the_same() -> None:
    plain, titled = (tamis.extract(SEVERAL, include_title=wish) for wish in (False, True))
    assert titled.text == f"Bread at dawn\n\n{plain.text}"
    assert titled.html == f"<h1>Bread at dawn</h1>{plain.html}"


def test_there_is_none_without_content_or_title() -> None:
    assert tamis.extract("<title>Bread</title>", include_title=True).text == ""
    untitled = f"<p>{PROSE}</p>"
    assert tamis.extract(untitled, include_title=True).text == tamis.extract(untitled).text


def test_a_title_is_text_and_no_markup() -> None:
    page = tamis.extract(f"<title>a &lt;script> *b*</title><p>{PROSE}</p>", extractor="keep-all", include_title=True)
    assert page.text.splitlines()[0] == "a <script> *b*"
    assert page.html.startswith("<h1>a &lt;script&gt; *b*</h1>")
    assert page.markdown.splitlines()[0] == r"# a &lt;script> \*b\*"


def test_short_titles_are_dropped_as_headings_only() -> None:
    html = f"<title>Map</title><h1>Map</h1><p>{PROSE}</p><table><tr><td>Map<td>2</table><p>{PROSE}</p>"
    page = tamis.extract(html, extractor="keep-all", include_title=True)
    assert page.text.startswith("Map\n\nThe baker")
    assert "Map\t2" in page.text


SOURCE = """<title>Title of it</title><ul><li><a href=x>Home</a></li></ul>
<div><p>The first sentence of the article is <b>long</b> enough to be kept by every rule there is.</p></div>"""


def test_json_describes_the_page() -> None:
    page = tamis.extract(SOURCE, extractor="tamis", url="https://site.example/")
    data = json.loads(page.json)
    assert data == json.loads(json.dumps(page.as_dict()))
    assert data["url"] == "https://site.example/"
    assert data["extractor"] == "tamis"
    assert data["metadata"]["title"] == "Title of it"
    assert data["words"] == 17
    assert 17 <= data["tokens"] <= 22
    assert "blocks" not in data


def test_every_block_says_what_became_of_it_if_blocks_are_asked_for() -> None:
    page = tamis.extract(SOURCE, extractor="tamis")
    data = json.loads(json.dumps(page.as_dict(blocks=True)))
    assert [*data] == [*page.as_dict(), "blocks"]
    menu, article = data["blocks"]
    assert menu["text"] == "Home"
    assert not menu["keep"]
    assert menu["role"] == "boilerplate"
    assert menu["xpath"] == "/html[1]/body[1]/ul[1]/li[1]/a[1]/text()[1]"
    assert menu["tag_path"] == "html/body/ul/li/a"
    assert article["keep"]
    assert article["role"] == "text"
    assert 0.5 <= article["score"] <= 1


def test_a_block_is_kept_or_dropped_as_a_whole() -> None:
    page = tamis.extract("<p>" + "long text " * 20 + "<br>tail</p>", extractor=word_count)
    for block in page.blocks:
        assert {bool(page.labels.keep[leaf]) for leaf in block.leaves} == {block.keep}


def test_a_page_without_text_has_no_blocks() -> None:
    assert tamis.extract("<img src=x>").blocks == []


@pytest.mark.parametrize("style", ["a {}<!-- note -->b {}", "a {}<g>in</g>b {}", "<![CDATA[a {}]]>b {}"])
def test_the_style_of_a_drawing_does_not_shift_what_follows(style: str) -> None:
    page = tamis.extract(
        f"<p>one</p><svg><style>{style}</style><text>two</text></svg><p>three</p>", extractor="keep-all"
    )
    assert [(block["text"], block["xpath"]) for block in map(Block.as_dict, page.blocks)] == [
        ("one", "/html[1]/body[1]/p[1]/text()[1]"),
        ("two", "/html[1]/body[1]/svg[1]/text[1]/text()[1]"),
        ("three", "/html[1]/body[1]/p[2]/text()[1]"),
    ]
    for text in ('<mark class="tamis">one<', '<tspan class="tamis">two<', '<mark class="tamis">three<'):
        assert text in page.highlighted
    assert page.highlighted.count('class="tamis"') == 3
