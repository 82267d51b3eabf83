"""Clean HTML, with the structure of the page; and its highlighted and annotated copy, in which nothing runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import turbohtml

import tamis
from tamis.render.html import annotate
from tests.attacks import FRAGMENTS
from tests.attacks import page as hostile
from tests.golden import golden_pages

SOURCE = """<!doctype html><html><head><title>T</title><script>run()</script><meta http-equiv=refresh content="0;url=x">
<link rel=stylesheet href=style.css><style>p { color: teal }</style></head><body onload=run()>
<nav><a href="javascript:run()">Menu</a> <a href=more>More</a></nav>
<p>The first sentence of the article is long enough to be kept by every rule there is. <img src=a.png>
The second one is as long as the first, so that the picture stands between two kept texts.</p></body></html>"""


BARE: dict[str, Any] = {"include_links": False, "include_images": False, "include_tables": False}
AT_DIR: dict[str, Any] = {"url": "https://site.example/dir/page.html"}
SAMPLE = """<p>See <a href="x">this</a> <img src="i.png"></p>
<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td></td></tr></table>"""


@pytest.mark.parametrize(
    ("source", "options", "expected"),
    [
        ('<div class="x" style="color:red"><h2 id="a">Title</h2><p>Some <span>plain</span> <em>text</em></p></div>', {},
         "<div><h2>Title</h2><p>Some plain <em>text</em></p></div>"),
        ('<p><a href="/a?b=1&c=2">one</a>', AT_DIR, '<p><a href="https://site.example/a?b=1&amp;c=2">one</a></p>'),
        ('<p><a href="#part">two</a>', AT_DIR, '<p><a href="https://site.example/dir/page.html#part">two</a></p>'),
        ('<p><a href="mailto:x@y.example">three</a>', AT_DIR, '<p><a href="mailto:x@y.example">three</a></p>'),
        ('<head><base href="https://other.example/x/"></head><p><a href="y">one</a>', AT_DIR,
         '<p><a href="https://other.example/x/y">one</a></p>'),
        ('<p>a</p><video><source src="v.mp4"></video>', {}, '<p>a</p><video src="v.mp4" controls></video>'),
        ('<p>a</p><iframe data-src="https://v.example/1" title="Film"></iframe>', {},
         '<p>a</p><iframe src="https://v.example/1" title="Film" sandbox></iframe>'),
        (SAMPLE, BARE,
         "<p>See this</p> <div><div><div><div>A</div><div>B</div></div><div><div>1</div></div></div></div>"),
        (SAMPLE, {}, '<p>See <a href="x">this</a> <img src="i.png" alt=""></p> <table><tbody><tr><th>A</th><th>B</th>'
         "</tr><tr><td>1</td><td></td></tr></tbody></table>"),
        ('<p lang="ar" dir="rtl">نص</p>', {}, '<p lang="ar" dir="rtl">نص</p>'),
    ],
)  # fmt: skip
def test_the_structure_is_kept_and_decoration_is_not(source: str, options: dict[str, Any], expected: str) -> None:
    assert tamis.extract(source, extractor="keep-all", **options).html == expected


def test_content_is_marked_and_the_rest_is_still_there() -> None:
    page = tamis.extract(SOURCE, extractor="tamis", url="https://site.example/a/")
    tree = turbohtml.parse(page.highlighted)
    marked = " ".join(" ".join(node.text.split()) for node in tree.select("mark.tamis"))
    assert marked.split() == page.text.split()
    assert "Menu" in tree.text
    assert tree.select("mark.tamis-media > img")
    assert "color: teal" in "".join(node.text for node in tree.select("head style")), "the page keeps its own look"
    assert [node.attr("href") for node in tree.select("a")] == [None, "https://site.example/a/more"]


def annotated(page: tamis.Page) -> turbohtml.Document:
    written = annotate(page.document, page.labels, page.blocks)
    return turbohtml.parse(written, allow_declarative_shadow_roots=False)


def test_every_block_is_marked_with_its_number() -> None:
    page = tamis.extract(SOURCE, extractor="tamis")
    tree = annotated(page)
    for number, block in enumerate(page.blocks):
        marks = tree.select(f'[data-block="{number}"]')
        assert "".join("".join(mark.text for mark in marks).split()) == "".join(block.text.split())
        verdict = "kept" if block.keep else "dropped"
        for mark in marks:
            assert {"tamis", f"tamis-{block.role.value}", f"tamis-{verdict}"} <= set((mark.attr("class") or "").split())
    assert "color: teal" in "".join(node.text for node in tree.select("head style")), "the page keeps its own look"


def test_the_surer_the_verdict_the_stronger_the_mark() -> None:
    page = tamis.extract("".join(f"<p>Text {n}.</p>" for n in range(6)), extractor="keep-all")
    scores = np.array([0.0, 0.19, 0.39, 0.41, 0.75, 1.0])
    page = replace(page, labels=tamis.labels.from_text_scores(page.document, scores, threshold=0.4))
    for threshold in (0.0, 1.0):  # no division by zero
        assert annotated(replace(page, labels=page.labels.at(threshold, page.document))).select("[data-block]")
    classes = [(node.attr("class") or "").split()[-2:] for node in annotated(page).select("mark")]
    verdicts = ["dropped"] * 3 + ["kept"] * 3
    assert classes == [[f"tamis-{verdict}", f"tamis-{step}"] for verdict, step in zip(verdicts, "431134", strict=True)]


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_nothing_runs_or_leads_away_from_an_annotated_page(fragment: str) -> None:
    page = tamis.extract(hostile(fragment), extractor="keep-all", url="https://site.example/")
    for node in annotated(page).select("*"):
        assert node.tag not in ("script", "base", "link", "object", "embed"), node
        # Part of a drawing may refer to another part of it.
        addresses = {name for name in node.attrs if name in ("src", "srcset", "action", "ping", "data", "poster")}
        assert not addresses | {name for name in node.attrs if name.startswith(("on", "form"))}, node
        assert (node.attr("href") or "#").startswith("#"), node
    assert "refresh" not in "".join(node.attr("http-equiv") or "" for node in annotated(page).select("meta"))


def test_golden_pages_are_marked_where_they_are_kept() -> None:
    for golden in golden_pages():
        page = golden.perfect()
        texts = page.document.leaves.text
        highlighted = turbohtml.parse(page.highlighted, allow_declarative_shadow_roots=False)
        kept = (page.labels.keep & ~page.document.leaves.is_media).nonzero()[0]
        in_blocks = [leaf for block in page.blocks for leaf in block.leaves]
        for tree, marks, leaves in (
            (highlighted, "mark.tamis:not(.tamis-media)", kept), (annotated(page), "[data-block]", in_blocks),
        ):  # fmt: skip
            marked = "".join("".join(node.text.split()) for node in tree.select(marks))
            assert marked == "".join("".join(texts[leaf] for leaf in leaves).split()), golden.name
