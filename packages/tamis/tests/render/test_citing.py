"""Addresses that point to a text, and the places of blocks and chunks in the text and Markdown of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import tamis
from tamis.document.paths import Paths
from tamis.render.chunks import chunks
from tamis.render.citing import ShownText, cited, text_fragment
from tamis.render.text import visible_text
from tests.golden import GoldenPage, golden_pages

URL = "https://mill.example/rye"


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("A sieve", "A%20sieve"),
        ("5-10, or more & less", "5%2D10%2C%20or%20more%20%26%20less"),
        (" ".join(map(str, range(40))), "0%201%202%203%204,35%2036%2037%2038%2039"),
        ("Sieves\n\nThey are old.\n\nThe end is near.", "They%20are%20old.,The%20end%20is%20near."),
        ("Grain\tWeight\nSpelt\t42", "Grain,42"),
        ("***\n\nOne two three four", "One%20two%20three%20four"),
    ],
)  # fmt: skip
def test_fragments(text: str, fragment: str) -> None:
    assert text_fragment(text) == f"#:~:text={fragment}"


@pytest.mark.parametrize("text", ["", " \n\t", "***", "—"])
def test_a_text_without_words_has_none(text: str) -> None:
    assert text_fragment(text) == ""
    assert cited(URL, text) == URL


def test_a_text_without_spaces_is_cut_at_its_punctuation() -> None:
    text = "磨坊主人拿起一個圓形的篩子，輕輕搖動。" * 9
    start, _, end = unquote(text_fragment(text).removeprefix("#:~:text=")).partition(",")
    assert start == "磨坊主人拿起一個圓形的篩子"
    assert text.endswith(end)
    assert 0 < len(end) < 40


def test_only_words_of_the_page_are_taken() -> None:
    shown = ShownText("First\nTake 52 grains of rye, all of them\nand the last words")
    assert text_fragment("Take 5^2 grains of rye, all of them", shown).endswith("grains%20of%20rye%2C%20all%20of")
    assert text_fragment("not on the page at all", shown) == ""


def test_an_address_with_a_fragment_keeps_it() -> None:
    assert cited(f"{URL}#/route", "A sieve") == f"{URL}#/route:~:text=A%20sieve"
    assert cited(None, "A sieve") is None


@pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
def test_blocks_know_their_place_in_the_text(page: GoldenPage) -> None:
    found = page.perfect()
    end = 0
    for block in found.blocks:
        if block.start is None or block.end is None:
            continue
        assert block.keep
        assert end <= block.start <= block.end <= len(found.text)
        end = block.end
        if found.text[block.start : block.end] != block.text:  # a formula, code, a note ...
            assert found.text[block.start : block.end].strip()
    assert end >= 0.9 * len(found.text.rstrip())
    same = [found.text[block.start : block.end] == block.text for block in found.blocks if block.start is not None]
    assert sum(same) >= 0.5 * len(same)


def test_a_title_above_the_text_shifts_the_blocks() -> None:
    from tamis.render.text import blocks, without_title

    page = tamis.extract("<h1>Rye</h1><p>Old and good.</p>", extractor="keep-all", url=URL)
    below = without_title(page.document, page.labels, "Rye")
    text = "Rye\n\nOld and good."
    found = blocks(page.document, page.labels, below, len("Rye\n\n"))
    assert [text[each.start : each.end] for each in found if each.start is not None] == ["Old and good."]


FILLER = "<p>" + "Other words fill this page. " * 20 + "</p>"
TEXTS = {
    "paragraph": "<p>The miller takes a <b>drum</b> sieve, well-worn and round, and shakes it until the bran, which is"
    " coarse, stays behind in it for good (as she said).</p>",
    "inline": '<p>Take two hand<i>ful</i>s of <a href="/x">rye flour &amp; salt</a>, 5-10 grams each, then wait.</p>',
    "list": "<ul><li>Two cups of fine rye flour<li>One pinch of salt from the sea<li>Water</ul>",
    "table": "<table><tr><th>Grain<th>Weight<tr><td>Spelt and old rye<td>Forty two and a half</table>",
    "scripts": "<p>Take 5<sup>2</sup> grains of rye, H<sub>2</sub>O and all that a baker has in the house for it.</p>",
    "chinese": "<p>磨坊主人拿起一個圓形的篩子，輕輕搖動，直到麥麩留在裡面。" + "麵粉落下，像雪一樣白。" * 9 + "</p>",
    "thai": "<p>คนทำขนมปังใช้ตะแกรงร่อนแป้ง เพื่อให้แป้งละเอียดและนุ่มนวลมากขึ้น แล้วจึงนวดแป้งกับน้ำและเกลือทะเล</p>",
    "code": "<pre>def sieve(flour):\n    return [grain for grain in flour if grain.fine]\n</pre>",
    "lines": "<p>First line of the poem here<br>and the second one of it<br>ends the poem now at last</p>",
    "heading": "<h2>On sieves</h2><p>They are round and they are old, as old as bread itself, and all know it.</p>",
}


@pytest.fixture
def tab(chromium: None) -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    from tamis.web.browser import chromium_path

    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


def is_found(tab: Any, file: Path, fragment: str) -> bool:
    """Does the browser scroll to the text?"""
    tab.goto("about:blank")
    tab.goto(file.as_uri() + fragment)
    tab.wait_for_timeout(100)
    return bool(tab.evaluate("scrollY > 0"))


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("kind", TEXTS)
def test_a_browser_finds_the_text(kind: str, tab: Any, tmp_path: Path) -> None:
    html = f"<!doctype html><meta charset=utf-8><title>t</title><main>{FILLER * 30}{TEXTS[kind]}{FILLER * 30}</main>"
    file = tmp_path / "page.html"
    file.write_text(html, encoding="utf-8")
    page = tamis.extract(html, extractor="keep-all", url=URL)
    content = tamis.extract(f"<main>{TEXTS[kind]}</main>", extractor="keep-all", url=URL)
    (chunk,) = chunks(
        content._markdown_blocks,
        Paths(content.document).element_xpath,
        {"url": URL},
        chunk_tokens=500,
        shown=visible_text(page.document),
    )
    addresses = [chunk.url, *(block.url for block in page.blocks if "Other words" not in block.text)]
    assert not is_found(tab, file, "#:~:text=nowhere%20on%20it")
    for address in addresses:
        assert address
        assert ":~:text=" in address
        assert is_found(tab, file, address.removeprefix(URL)), address
