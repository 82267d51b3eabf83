"""The highlighted copy: the whole page, its content marked, nothing that runs."""

from __future__ import annotations

import turbohtml

import tamis
from tests.golden import golden_pages

SOURCE = """<!doctype html><html><head><title>T</title><script>run()</script><meta http-equiv=refresh content="0;url=x">
<link rel=stylesheet href=style.css><style>p { color: teal }</style></head><body onload=run()>
<nav><a href="javascript:run()">Menu</a> <a href=more>More</a></nav>
<p>The first sentence of the article is long enough to be kept by every rule there is. <img src=a.png>
The second one is as long as the first, so that the picture stands between two kept texts.</p></body></html>"""


def test_content_is_marked_and_the_rest_is_still_there() -> None:
    page = tamis.extract(SOURCE, extractor="tamis", url="https://site.example/a/")
    tree = turbohtml.parse(page.highlighted)
    marked = " ".join(" ".join(node.text.split()) for node in tree.select("mark.tamis"))
    assert marked.split() == page.text.split()
    assert "Menu" in tree.text
    assert tree.select("mark.tamis-media > img")
    assert "color: teal" in "".join(node.text for node in tree.select("head style")), "the page keeps its own look"
    assert [node.attr("href") for node in tree.select("a")] == [None, "https://site.example/a/more"]


def test_nothing_runs() -> None:
    written = tamis.extract(SOURCE, extractor="keep-all").highlighted
    assert "run()" not in written
    assert "refresh" not in written
    assert "default-src 'none'" in written


def test_every_golden_page_can_be_highlighted() -> None:
    for golden in golden_pages():
        page = golden.perfect()
        tree = turbohtml.parse(page.highlighted, allow_declarative_shadow_roots=False)
        marked = "".join("".join(node.text.split()) for node in tree.select("mark.tamis:not(.tamis-media)"))
        kept = page.labels.keep & ~page.document.leaves.is_media
        texts = [text for text, keep in zip(page.document.leaves.text, kept, strict=True) if keep]
        assert marked == "".join("".join(texts).split()), golden.name
