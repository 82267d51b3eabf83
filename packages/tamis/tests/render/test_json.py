"""The page as data."""

from __future__ import annotations

import json

import pytest

import tamis
from tamis.render.text import Block
from tests.extractors import word_count

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
