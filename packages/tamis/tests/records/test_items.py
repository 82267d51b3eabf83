"""The entries of listings as records, and listings as lists in Markdown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from markdown_it import MarkdownIt

import tamis
from tamis import Document, Labels
from tamis.page_type import PageType, PageTypes
from tamis.records.items import Item, items
from tamis.records.listing import items_markdown, listing_content
from tamis.render.content import HtmlOptions
from tamis.render.markdown import nodes_markdown
from tests.attacks import FRAGMENTS
from tests.golden import PAGES, GoldenPage

FILES = sorted((PAGES / "items").glob("*.html"))
LISTING = PageTypes({PageType.LISTING: 1.0})


def all_kept(html: str, url: str | None = "https://mill.example/") -> tuple[Document, Labels]:
    """A page as a listing of which all visible text is kept."""
    document = Document.from_html(html, url=url)
    visible = document.leaves.visible
    return document, Labels(visible.astype(np.float64), visible, page_types=LISTING)


def listed(titles: list[str], *, around: str = "<li>{}</li>") -> str:
    return "<ul>" + "".join(around.format(f'<a href="/{n}">{title}</a>') for n, title in enumerate(titles)) + "</ul>"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_golden_pages(file: Path) -> None:
    page = GoldenPage.read(file)
    document = page.document()
    labels = replace(page.gold(document), page_types=PageTypes({PageType(page.head["type"]): 1.0}))
    found = [{name: value for name, value in asdict(item).items() if value} for item in items(document, labels)]
    assert all(item.pop("xpath").startswith("/html[1]/body[1]/") for item in found)
    assert found == page.head.get("items", [])
    content = listing_content(document, labels, HtmlOptions())
    assert (None if content is None else nodes_markdown(content)) == page.expected.get("markdown")


def test_there_are_pages_of_each_kind() -> None:
    assert len(FILES) >= 12
    assert sum("items" not in GoldenPage.read(file).head for file in FILES) >= 2


@pytest.mark.parametrize("kind", [kind for kind in PageType if kind not in (PageType.LISTING, PageType.COLLECTION)])
def test_other_pages_have_none(kind: PageType) -> None:
    document, labels = all_kept(listed(["One of them", "Two of them", "Three of them"]))
    assert len(items(document, labels)) == 3
    assert items(document, replace(labels, page_types=PageTypes({kind: 1.0}))) == ()
    assert items(document, replace(labels, page_types=None)) == ()
    assert len(items(document, replace(labels, page_types=None), LISTING)) == 3


def test_nothing_of_a_page_becomes_markup() -> None:
    hostile = ["](javascript:x) [", "<b>&amp; <script>", "# *one* _two_ `three`", "1. a | b", "\n---\n", "![x](y)"]
    written = items_markdown([Item(text, "https://mill.example/?a=(b)|[c]", text, text, text) for text in hostile])
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(written)
    names = {child.type for token in tokens for child in [token, *(token.children or [])]}
    assert not {"html_block", "html_inline", "heading_open", "image", "em_open", "code_inline", "hr"} & names
    links = [child for token in tokens for child in token.children or [] if child.type == "link_open"]
    assert len(links) == len(hostile)
    assert len({link.attrs["href"] for link in links}) == 1


@pytest.mark.parametrize("address", ["javascript:alert(1)", " java\nscript:x", "data:text/html,x", "#top", ""])
def test_addresses_are_safe(address: str) -> None:
    cards = [f'<li><h3><a href="{address}">Title number {n}</a></h3><img src="{address}"></li>' for n in range(4)]
    document, labels = all_kept(f"<ul>{''.join(cards)}</ul>")
    found = items(document, labels)
    assert len(found) == 4
    assert {item.url for item in found} == {None}


@pytest.mark.parametrize(
    ("shown", "price"),
    [
        ("$5", "$5"),
        ("<s>€ 31.00</s> € 24.90", "€ 24.90"),
        ('<span class="old-price">$9.00</span><span>$7.00</span>', "$7.00"),
        ("1.299,00 €", "1.299,00 €"),
        ("$<span>34</span><span>.99</span>", "$34.99"),
        ("Rs. 1,200", "Rs. 1,200"),
        ("from 12 USD each", "12 USD"),
        ("model A$5B", None),
        ("5 stars of 5", None),
    ],
)
def test_prices(shown: str, price: str | None) -> None:
    cards = [f'<li><h3><a href="/{n}">Sieve number {n}</a></h3><p>{shown}</p></li>' for n in range(3)]
    document, labels = all_kept(f"<ul>{''.join(cards)}</ul>")
    assert {item.price for item in items(document, labels)} == {price}


@pytest.mark.parametrize(
    ("shown", "date"),
    [
        ('<time datetime="2025-03-04T10:00Z">Tue</time>', "2025-03-04"),
        ("4 March 2025", "2025-03-04"),
        ("Posted: 2025-03-04, 12 comments", "2025-03-04"),
        ("3 days ago", "3 days ago"),
        ("vor 2 Stunden", "vor 2 Stunden"),
        ("12 comments", None),
    ],
)
def test_dates(shown: str, date: str | None) -> None:
    cards = [f'<li><h3><a href="/{n}">Sieve number {n}</a></h3><p>{shown}</p></li>' for n in range(3)]
    document, labels = all_kept(f"<ul>{''.join(cards)}</ul>")
    assert {item.date for item in items(document, labels)} == {date}


def test_copies_count_once() -> None:
    html = listed(["One of the sieves", "Two of the sieves", "Three of the sieves"])
    document, labels = all_kept(f"<div>{html}</div><div>{html}</div>")
    assert [item.title for item in items(document, labels)] == [
        "One of the sieves",
        "Two of the sieves",
        "Three of the sieves",
    ]


def test_text_around_the_entries_stays() -> None:
    body = listed([f"A sieve with the number {n}" for n in range(9)], around="<li>{} <p>It is fine.</p></li>")
    document, labels = all_kept(f"<h1>Sieves</h1><p>All of them.</p>{body}<p>That is all of them.</p>")
    content = listing_content(document, labels, HtmlOptions())
    assert content is not None
    written = nodes_markdown(content)
    assert written.startswith(
        "# Sieves\n\nAll of them.\n\n- [A sieve with the number 0](https://mill.example/0) · It is"
    )
    assert written.endswith("\n\nThat is all of them.")


def test_long_entries_are_written_as_everywhere() -> None:
    body = listed(["One post", "Two posts", "Three posts"], around=f"<li>{{}} <p>{'It is long. ' * 200}</p></li>")
    document, labels = all_kept(body)
    assert len(items(document, labels)) == 3
    assert listing_content(document, labels, HtmlOptions()) is None


HOSTILE: dict[str, Callable[[int], str]] = {
    "links": lambda n: listed([f"Title {k}" for k in range(n)]),
    "one link around all": lambda n: "<a href=/x>" + "<div><h3>Title</h3></div>" * n + "</a>",
    "nested": lambda n: "<div><a href=/x>Title</a>" * n,
    "cells": lambda n: "<table><tr>" + "<td><a href=/x>Title</a>" * n + "</table>",
    "rows": lambda n: "<table>" + "<tr><td>1<td><a href=/x>Title</a><td>$5" * n + "</table>",
    "one entry": lambda n: listed(["a", "b", "c"], around="<li>{}" + "<p>Text" * n + "</li>"),
    "deep entry": lambda n: listed(["a", "b", "c"], around="<li>{}" + "<div>Text" * n + "</div>" * n + "</li>"),
    "deep in a link": lambda n: "<p><a href=/x>" + ("<span>" * 50 + "Title<br>") * (n // 50) + "</a>",
    "digits": lambda n: listed(["a1 " * n, "b2 " * n, "c3 " * n]),
    "places": lambda n: "".join(f'<p class="c{chr(97 + k % 26) * (k % 90)}"><a href=/x>Title</a>' for k in range(n)),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_time_is_linear(kind: str) -> None:
    """Twice the page takes at most about twice the time."""

    def seconds(size: int) -> float:
        document, labels = all_kept(HOSTILE[kind](size))
        start = process_time()
        items(document, labels)
        return process_time() - start

    small = min(seconds(1_000) for _ in range(3))
    assert min(seconds(4_000) for _ in range(3)) < 10 * small + 0.05


def test_a_real_extraction() -> None:
    page = tamis.extract(FILES[0].read_bytes())
    assert isinstance(items(page.document, page.labels), tuple)


def test_attacks_stay_text() -> None:
    """A listing with each attack in its entries is written without raw HTML and without other addresses."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    written = 0
    for fragment in FRAGMENTS:
        entry = "<li><h3><a href='/{0}'>Title number {0}</a></h3><div>{1}</div><p>And a line of text below it.</p></li>"
        document, labels = all_kept(f"<ul>{''.join(entry.format(number, fragment) for number in range(3))}</ul>")
        content = listing_content(document, labels, HtmlOptions())
        texts = [items_markdown(items(document, labels)), nodes_markdown(content or [])]
        written += content is not None
        for token in [token for text in texts for token in reader.parse(text)]:
            kinds = {child.type for child in [token, *(token.children or [])]}
            assert not kinds & {"html_block", "html_inline"}, fragment
            for child in token.children or []:
                address = str(child.attrs.get("href", child.attrs.get("src", "")))
                assert address.partition(":")[0] in ("", "http", "https", "mailto", "tel", "ftp"), fragment
    assert written > 10
