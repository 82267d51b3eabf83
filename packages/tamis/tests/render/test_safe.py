"""Whatever a page holds, what is written from it runs nothing and leads to no code."""

from __future__ import annotations

import json
import time
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.explain import explain
from tamis.render.safe import attributes, safe_url, style
from tests.attacks import AWAY, CONTENT, FRAGMENTS, RUN, assert_harmless, elements_of, is_safe_address, page

PAGE = CONTENT | frozenset(
    """
    html head body meta title style script input label button form span svg g path text tspan rect use foreignobject
    center font select option canvas big tt dir menu main legend fieldset
    """.split()
)


@pytest.mark.parametrize(
    "html",
    ["<script>x</script>", "<p onclick=x>", "<svg/onload=x>", "<a href='java\nscript:x'>", "<a href=' javascript:x'>",
     "<img src='data:text/html,x'>", "<iframe srcdoc=x>", "<meta http-equiv=refresh>", "<img srcset='a 1x'>",
     "<!--x-->", "<p style=x>"],
)  # fmt: skip
def test_what_runs_is_seen(html: str) -> None:
    with pytest.raises(AssertionError):
        assert_harmless(html)
    assert_harmless("<p><a href='https://a.example/?javascript:'>x</a><img src=javascript.html>")


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_content(fragment: str) -> None:
    for url in (None, "page.html", "https://site.example/a/b"):
        found = tamis.extract(page(fragment), extractor="keep-all", url=url)
        assert_harmless(found.html)
        addresses = [medium.url for medium in found.media]
        addresses += [value for field in ("canonical_url", "image") if (value := getattr(found.metadata, field))]
        for address in addresses:
            assert is_safe_address(address)
            assert is_safe_address(urljoin("x", address)), "nor by the rules of others"
        assert json.loads(found.json)


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_highlighted(fragment: str) -> None:
    written = tamis.extract(page(fragment), extractor="keep-all").highlighted
    assert_harmless(written, PAGE - {"script"})
    elements = elements_of(written)
    assert [tag for tag, _ in elements[:5]] == ["html", "head", "meta", "meta", "meta"]
    assert elements[2][1] == {"charset": "utf-8"}
    assert elements[3][1]["content"].startswith("default-src 'none'")
    assert sum(tag == "meta" for tag, _ in elements) == 4, "all of them ours"
    for tag, found in elements:
        assert "src" not in found
        assert tag == "a" or "href" not in found or found["href"].startswith("#")
        assert tag == "meta" or "http-equiv" not in found


@pytest.mark.parametrize("fragment", FRAGMENTS[::5])
def test_explanations(fragment: str) -> None:
    written = explain(page(fragment + f"<title>{fragment}</title>"), url=f"javascript:{RUN}").html
    elements = elements_of(written)
    assert elements[3][1]["content"].startswith("default-src 'none'")
    assert sum(tag == "script" for tag, _ in elements) == 1, "ours"
    assert not [found for _, found in elements if "href" in found or "src" in found]
    assert not [name for _, found in elements for name in found if name.startswith("on")]


ADDRESSES: list[tuple[str, str | None, str | None]] = [
    ("a", "https://s.example/d/p?q#f", "https://s.example/d/a"),
    ("?b", "https://s.example/d/p?q#f", "https://s.example/d/p?b"),
    ("#b", "https://s.example/d/p?q#f", "https://s.example/d/p?q#b"),
    ("../../../a", "https://s.example/d/e/p", "https://s.example/a"),
    ("./%2e%2E/a", "https://s.example/d/e/p", "https://s.example/d/a"),
    ("//o.example/a", "https://s.example/", "https://o.example/a"),
    ("\\\\o.example\\a?b\\c", "https://s.example/", "https://o.example/a?b\\c"),
    ("/\\o.example", "https://s.example/", "https://o.example"),
    ("https:a", "https://s.example/d/", "https://s.example/d/a"),
    ("https:o.example", "http://s.example/", "https://o.example"),
    ("HTTPS:////o.example/a", None, "https://o.example/a"),
    ("a", "https://s.example", "https://s.example/a"),
    (" \x01a\tb\n ", "https://s.example/", "https://s.example/ab"),
    ('a b"<c>`', "https://s.example/", "https://s.example/a%20b%22%3Cc%3E%60"),
    ("a", "https://user:p@ss@s.example/d/", "https://s.example/d/a"),
    ("#a", "https://user:pass@s.example/d/", "https://s.example/d/#a"),
    ("mailto:a@b.example?subject=c d", None, "mailto:a@b.example?subject=c%20d"),
    ("./a:b", None, "./a%3Ab"),
    ("./javascript:run()", "x", "javascript%3Arun()"),
    ("../javascript:run()", "x", "../javascript%3Arun()"),
    ("wiki/File:a", None, "wiki/File:a"),
    ("/..//o.example", "/d/", "/.//o.example"),
    ("a", "file:///d/p.html", "a"),
    ("a", "javascript:run()//", "a"),
    ("javascript:run()", "https://s.example/", None),
    ("java\nscript:run()", None, None),
    ("javascript:run()", None, None),
    ("data:text/html,x", None, None),
    ("http://", None, None),
    ("http://[", "https://s.example/", None),
    ("http://a b/", None, None),
    ("//javascript:run()", None, None),
    ("http://a℀b.example/", None, None),
    ("a" * 9_000, None, None),
    ("", "https://s.example/", None),
]


@pytest.mark.parametrize(("url", "base", "expected"), ADDRESSES)
def test_addresses_are_resolved_and_then_judged(url: str, base: str | None, expected: str | None) -> None:
    assert safe_url(url, base) == expected


@given(
    st.text(alphabet="javscript:/\\.?#@%2e x\t\n\x01[]&;ｊ", max_size=24),
    st.one_of(st.none(), st.text(alphabet="ahtps:/.?#@x", max_size=12)),
)
def test_no_address_leads_to_code(url: str, base: str | None) -> None:
    found = safe_url(url, base)
    for again in (None, "x", "x/y", "/x", "page.html", "https://s.example/a/"):
        resolved = found if found is None or again is None else urljoin(again, found)
        assert resolved is None or is_safe_address(resolved)
    assert found is None or safe_url(found, None) == found


def test_an_attribute_that_is_not_allowed_is_not_written() -> None:
    assert attributes({"onclick": "x", "class": 'a"b', "srcdoc": "x", "href": "javascript:x"}) == ' class="a&quot;b"'


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("a { b: url(https://e.example/) }", "a { b: url(#https://e.example/) }"),
        ("a { b: URL('x') }", "a { b: URL(#'x') }"),
        (r"a { b: u\72l(x) } @\69mport 'y';", "a { b: url(#x) } @x-left-out 'y';"),
        (r"a { b: \000075\r\6C(x) }", "a { b: url(#x) }"),
        ("a { b: image-set('x' 1x) }", "a { b: image-set(#'x' 1x) }"),
        ("a::after { content: '</style>' }", r"a::after { content: '\3c /style>' }"),
        ("a { b: url(data:image/gif;base64,R0) url(#c) }", "a { b: url(data:image/gif;base64,R0) url(#c) }"),
        (r".md\:flex { content: '\f101 \\72' } @media (width<9px) {}", None),
    ],
)
def test_style_sheets_load_nothing(css: str, expected: str | None) -> None:
    assert style(css) == (css if expected is None else expected)


def test_credentials_of_the_page_stay_with_it() -> None:
    source = page("<a href=x>x</a><a href='#y'>y</a><img src=z.png><link rel=canonical href=c>")
    found = tamis.extract(source, extractor="keep-all", url="https://user:secret@site.example/a/")
    assert found.url == "https://site.example/a/"
    explained = explain(source, url="https://user:secret@site.example/a/").html
    for written in (found.html, found.markdown, found.highlighted, found.json, str(found.media), explained):
        assert "site.example" in written
        assert "secret" not in written


def test_half_a_character_in_the_address_is_not_an_error() -> None:
    found = tamis.extract(page("<a href=x>x</a>"), extractor="keep-all", url="https://site.example/\ud800/")
    for written in (found.html, found.markdown, found.highlighted, found.json):
        assert written.encode()


LINKS = "<a href=x>y</a> " * 12_000
SIZES = {
    "a long base": f"<base href='https://s.example/{'a' * 100_000}/'>{LINKS}",
    "a base that is just allowed": f"<base href='https://s.example/{'a' * 1_900}/'>{LINKS * 3}",
    "commas in a srcset": f"<img srcset='{',' * 100_000}'>",
    "a srcset of one address": f"<img srcset='{'a' * 100_000} b'>",
    "a srcset of many": f"<img srcset='{'a ' * 100_000}'>",
    "a class above code": f"<div class='{'x ' * 25_000}'>{'<code>x</code> ' * 5_000}</div>",
    "a table that is no grid": f"<table><tr>{'<td>x' * 3_000}</tr>{'<tr><td>y' * 3_000}</table>",
    "nested subscripts": f"{'<sub>x' * 400} {'<a href=x>y</a>' * 4_000}",
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", SIZES)
def test_size_costs_no_more_than_size(name: str) -> None:
    begin = time.process_time()
    found = tamis.extract(f"<p>Text before.</p>{SIZES[name]}<p>Text after.</p>", extractor="keep-all")
    outputs = (found.html, found.markdown, found.highlighted, str(found.media))
    assert time.process_time() - begin < 10, "it took minutes"
    assert sum(map(len, outputs)) < 100_000_000


def test_requests_would_have_been_seen() -> None:
    """What is looked for is in the pages."""
    assert sum(AWAY in fragment for fragment in FRAGMENTS) > 15
    assert sum(RUN in fragment for fragment in FRAGMENTS) > 60
    assert len(FRAGMENTS) > 100
