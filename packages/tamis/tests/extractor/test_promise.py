"""What the columns do not look at: words of texts, and names that are no convention."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import numpy as np
import pytest

from tamis.extractor.runs import COLUMNS
from tests.extractor.pages import runs_of
from tests.golden import GoldenPage, golden_pages

PROSE = "It rained and rained, and the river rose; nobody had seen it like that in many years."
PAGE = f"""
<html><head><title>The Report: 2008 &amp; later</title><meta name="description" content="{PROSE[:60]}">
<link rel="canonical" href="https://river.example/2008/the-report.html">
<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "The Report",
"articleBody": "{PROSE}"}}</script>
</head><body>
<nav class="menu top"><ul><li><a href=x>Home</a></li><li><a href=y>About us</a></li></ul></nav>
<main class=article id=content role=main><h1>The Report</h1><p itemprop=articleBody>{PROSE}</p>
<p>Read <a href=z>the second part</a> now!</p></main>
<footer>Imprint | Contact</footer></body></html>
"""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
OTHERS = str.maketrans(LETTERS + LETTERS.upper(), (LETTERS[13:] + LETTERS[:13]) + (LETTERS[13:] + LETTERS[:13]).upper())
_MARKUP = re.compile(r"(<style.*?</style>|<[^>]*>|&[#\w]+;?)", re.DOTALL)
_LINKED_DATA = re.compile(r"(<script[^>]*ld\+json[^>]*>)(.*?)(</script)", re.DOTALL | re.IGNORECASE)
_DESCRIPTION = re.compile(r"""(<meta[^>]*description["']?\s[^>]*content=)("[^"]*"|'[^']*')""", re.IGNORECASE)
_NAMES = re.compile(r"""(?<=\s)(class|id)=(?!"S:)("[^"]*"|'[^']*'|[^\s>"']+)""", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z][^>]*>")


def foreign(html: str) -> str:
    """The page in another language, where each letter is another one of the same case.

    The same happens to its texts and to what it says of them in its data and its description.
    """
    parts = _LINKED_DATA.split(html)  # page, tag, data, end, page, ...
    for number, part in enumerate(parts):
        if number % 4 == 0:
            parts[number] = _DESCRIPTION.sub(lambda found: found[1] + _translated(found[2]), _translated(part))
        elif number % 4 == 2:
            parts[number] = json.dumps(_translated_data(json.loads(part)), ensure_ascii=False)
    return "".join(parts)


def _translated(text: str) -> str:
    return "".join(part if number % 2 else part.translate(OTHERS) for number, part in enumerate(_MARKUP.split(text)))


def _translated_data(value: object) -> object:
    if isinstance(value, dict):
        return {key: inner if key == "@type" else _translated_data(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_translated_data(inner) for inner in value]
    return _translated(value) if isinstance(value, str) else value


def with_more_names(html: str) -> str:
    """The page with names of no group added to those it has, but for the parts that a page is streamed in."""

    def more(name: re.Match[str]) -> str:
        return f'{name[1]}="{name[2].strip(chr(34) + chr(39))} zyx-omma Quux_frobGlim unrelated 42"'

    return _TAG.sub(lambda tag: _NAMES.sub(more, tag[0]), html)


def with_names(html: str, names: str) -> str:
    """The page with these names instead of its own."""
    return _TAG.sub(lambda tag: _NAMES.sub(rf'\1="{names}"', tag[0]), html)


def assert_same(one: str, other: str) -> None:
    before, after = runs_of(one), runs_of(other)
    differing = (before.values != after.values).any(axis=0)
    assert not [name for name, differs in zip(COLUMNS, differing, strict=True) if differs]
    assert np.array_equal(before.tags, after.tags)
    assert np.array_equal(before.copies, after.copies)


@pytest.mark.parametrize("change", [foreign, with_more_names])
class TestPromise:
    def test_a_small_page(self, change: Callable[[str], str]) -> None:
        assert change(PAGE) != PAGE
        assert_same(PAGE, change(PAGE))

    @pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
    def test_golden_pages(self, page: GoldenPage, change: Callable[[str], str]) -> None:
        html = page.document().html
        assert_same(html, change(html))


def test_the_small_page_says_what_would_be_lost() -> None:
    """Or else a change of language would change nothing for want of anything to change."""
    values = runs_of(PAGE).values
    declared = [f"declared as {kind}" for kind in ("body", "meta", "name", "opening")]
    for name in (*declared, "named menu", "in title"):
        assert values[:, COLUMNS.index(name)].any(), name


@pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
def test_names_of_no_group_are_like_none(page: GoldenPage) -> None:
    html = page.document().html
    assert_same(with_names(html, ""), with_names(html, "zyx-omma Quux_frobGlim unrelated 42"))


def test_names_of_a_group_are_seen() -> None:
    before, after = runs_of(with_names(PAGE, "")).values, runs_of(with_names(PAGE, "sidebar")).values
    differing = (before != after).any(axis=0)
    assert [name for name, differs in zip(COLUMNS, differing, strict=True) if differs] == ["named side"]
