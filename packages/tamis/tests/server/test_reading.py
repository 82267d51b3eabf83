"""What `read_page` gives, part by part, as parsers of others read each part alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html.parser import HTMLParser
from typing import ClassVar

import httpx
import pytest

pytest.importorskip("markdown_it")
pytest.importorskip("cmarkgfm")
pytest.importorskip("mcp")

import tamis
from tamis.server.jobs import _FORMS, Form, Job, Reply, clean
from tamis.server.models import PageOptions
from tamis.server.reading import Format, PageReading, PageText
from tests.golden import URL, golden_pages, structure_pages
from tests.hostile import HOSTILE
from tests.markdown_judge import harm
from tests.markdown_pages import IMAGE, RUN
from tests.markdown_pages import page as cut_page
from tests.servers import LocalHandler, LocalServer

# Each is cut by a part of 200 characters. The name says where.
LONG = {
    "code": f"<pre>{f'{IMAGE} and more{chr(10)}' * 30}</pre>",
    "code in a list": f"<ul><li>a<pre>{f'{IMAGE} and more{chr(10)}' * 30}</pre></ul>",
    "code with fences in it": f"<pre>{f'````{chr(10)}{IMAGE}{chr(10)}~~~~~{chr(10)}' * 30}</pre>",
    "a table": f"<table><tr><th>a<th>b{f'<tr><td><code>|{IMAGE}</code><td>c' * 20}</table>",
    "code in a line": f"<p>see <code>{f'{IMAGE} ' * 40}</code></p>",
    "an address": f"<p><a href='/{'x' * 150}?)[y](javascript:{RUN}){'x' * 300}'>x</a></p>",
    "details": f"<details open><summary>s</summary><pre>{f'{IMAGE}{chr(10)}' * 30}</pre></details>",
    "many blocks": f"<h2>{IMAGE}</h2><p>A `word`.</p><pre>{IMAGE}</pre>" * 30,
}  # fmt: skip
SHAPELESS = {
    "a tag": "<p>&lt;|img src=x onerror=alert(1)&gt;</p>",
    "a link": f"<p>[x]|(javascript:{RUN})</p>",
    "an image": f"<p>!|[x]|(javascript:{RUN})</p>",
    "a cut tag": "<p>&lt;<u>|</u>img src=x onerror=alert(1)&gt;</p>",
    "an autolink": f"<p>&lt;|javascript:{RUN}&gt;</p>",
    "backticks in code": f"<p><code>a ``|` {IMAGE} `|`</code> {IMAGE}</p>",
    "a fence": f"<pre>x\n``|`\n{IMAGE}</pre>",
    "joiners in two elements": "<p>&lt;<u>|</u><small>|</small>img src=x onerror=alert(1)&gt;</p>",
}  # fmt: skip


def answer(html: str, form: Form, written: Format = "markdown") -> Reply:
    """The answer of a worker."""
    options = PageOptions(extractor="keep-all", formats=[written], visible_only=True, include_images=False)
    return _FORMS[form](Job(f"<!---->{html}", URL, options, form))


def reading(html: str, form: Format = "markdown") -> PageReading:
    return PageReading.of(answer(html, "reading", form), form)


def parts(whole: PageReading, most: int) -> list[PageText]:
    """All parts of a text, which are the text without what was put around them."""
    found = [whole.part(0, most)]
    while (start := found[-1].next_start) is not None:
        assert start > found[-1].start
        found.append(whole.part(start, most))
    own = [part.text[len(part.before) : len(part.text) - len(part.after)] for part in found]
    assert all(part.text == f"{part.before}{each}{part.after}" for part, each in zip(found, own, strict=True))
    assert [len(each) for each in own] == [part.end - part.start for part in found]
    assert "".join(own) == whole.text
    return found


def judge(html: str, most: int = 40) -> list[PageText]:
    whole = reading(html)
    found = parts(whole, most)
    for part in found:
        assert part.end - part.start <= most
        assert harm(part.text) == [], part.text
    return found


@pytest.mark.parametrize("name", LONG)
def test_a_cut_makes_no_markup(name: str) -> None:
    found = judge(LONG[name], 200)
    assert len(found) > 2
    whole = reading(LONG[name])
    for start in range(0, len(whole.text), 7):  # a client may begin anywhere
        assert harm(whole.part(start, 200).text) == []


@pytest.mark.parametrize("name", SHAPELESS)
def test_what_has_no_shape_is_gone_before_the_markdown_is_written(name: str) -> None:
    for character in ("\u200b", "\u200e", "\u2060", "\U000e0061", "\x9f", "\u200d\u200c", "\ufe00\ufe01\ufe02"):
        html = SHAPELESS[name].replace("|", character)
        text = reading(html).text
        assert clean(text) == text
        assert harm(text) == [], text
        page = reading(html, "html").text
        assert clean(page) == page
        assert not {"img", "b", "a"} & {tag for tag, _ in _balanced(page).starts}


def test_a_part_of_markdown_ends_before_a_heading_or_else_behind_a_block() -> None:
    words, code = "The mill turns. " * 5, "The mill turns.\n" * 30
    whole = reading(f"<p>{words}<p>{words}<h2>Next</h2><p>{words}<p>{words}<pre>{code}</pre><p>{words}")
    first, second, *of_code, last = parts(whole, 250)
    assert whole.text[first.end :].startswith("## Next")
    assert whole.text[second.end :].startswith("```")
    assert not first.before + first.after + second.before + second.after + last.before
    assert [part.before for part in of_code] == ["````markdown\n", "````markdown\n"]
    assert last.text == words.strip()


def test_no_heading_or_list_begins_behind_what_has_no_shape() -> None:
    text = reading("<p>\u200e# not a heading<p>\u200e- not an item<p>\u200e1. nor this<p>\u200e```<p>x").text
    assert text == "\\# not a heading\n\n\\- not an item\n\n1\\. nor this\n\n\\`\\`\\`\n\nx"


def test_golden_structure_and_hostile_pages() -> None:
    pages = [golden.source for golden in golden_pages()] + [each.html for each in structure_pages()]
    for html in [*pages, *(make(60) for make in HOSTILE.values())]:
        for part in judge(html if isinstance(html, str) else html.decode("utf-8", "replace")):
            assert clean(part.text) == part.text


def test_generated_pages() -> None:
    for seed in range(150):
        for part in judge("".join(map(cut_page, range(seed, seed + 3)))):
            assert clean(part.text) == part.text, seed


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(10_000, 20_000, 1_000))
def test_many_generated_pages(first: int) -> None:
    for seed in range(first, first + 1_000):
        judge(cut_page(seed) * 3)


class _Balanced(HTMLParser):
    """The elements of a part, all of which end in it."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.starts: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.starts.append((tag, tuple(attrs)))
        if tag not in ("br", "hr", "img", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def _balanced(html: str) -> _Balanced:
    found = _Balanced()
    found.feed(html)
    found.close()
    assert found.open == []
    return found


def test_parts_of_html_end_what_they_begin() -> None:
    pages = [*LONG.values(), *(each.html for each in structure_pages()), *map(cut_page, range(60))]
    for html in pages:
        whole = reading(f"<article><div>{html}</div></article>", "html")
        known = set(_balanced(whole.text).starts)
        found = [_balanced(part.text) for part in parts(whole, 200)]
        for each in found:
            assert all(start in known or not start[1] for start in each.starts), each.starts
        assert "".join("".join(each.words for each in found).split()) == "".join(_balanced(whole.text).words.split())
        for start in range(0, len(whole.text), 31):
            _balanced(whole.part(start, 200).text)


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_titles_and_headings_are_texts_for_who_renders_the_whole_answer(form: Format) -> None:
    html = f"<title>{IMAGE} [x](javascript:{RUN})</title><h2>{IMAGE} [x](javascript:{RUN})</h2><p>A word.</p>"
    whole = reading(html, form)
    for shown in (whole.part(0, 200).as_text(), whole.outline().as_text()):
        assert RUN in shown
        assert "<img" not in shown
        assert form == "html" or harm(shown) == []


def _sources() -> Iterable[str]:
    yield from (each.html for each in structure_pages()[::9])
    yield from map(cut_page, range(20))


def test_read_and_extract_give_the_markdown_of_the_page() -> None:
    """So what is judged there is judged here."""
    for html in _sources():
        page = tamis.extract(f"<!---->{html}", url=URL, extractor="keep-all", visible_only=True, include_images=False)
        markdown = page.markdown.encode("utf-8", "replace").decode()
        assert answer(html, "text/markdown").body.decode() == markdown
        assert json.loads(answer(html, "extract").body)["markdown"] == markdown


class _Site(LocalHandler):
    pages: ClassVar = {
        "/page": (200, {"Content-Type": "text/html; charset=utf-8"}, "".join(_sources()).encode("utf-8", "replace"))
    }


@pytest.mark.slow
def test_over_http_they_give_the_markdown_of_the_page(open_server: str) -> None:
    with LocalServer(_Site).running() as site:
        address = site.address("/page")
        given = httpx.get(address).content
        markdown = tamis.extract(given, url=address).markdown
        titled = tamis.extract(given, url=address, include_title=True).markdown
        read = httpx.get(f"{open_server}/read?url={address}", headers={"accept": "text/markdown"}, timeout=60)
        asked = {"html": given.decode(), "url": address, "formats": ["markdown"]}
        extracted = httpx.post(f"{open_server}/v1/extract", json=asked, timeout=60)
    assert markdown
    assert extracted.json()["markdown"] == markdown
    assert read.text == titled
    assert harm(titled) == []
