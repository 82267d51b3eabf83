"""The measure of the entries of listings."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tamis import Document, Labels
from tamis.page_type import PageType, PageTypes
from tamis.records.items import items
from tamis_lab.bench.items import HALVES, LABELS, Found, compare, entries_of, table

HTML = """<ul>
<li><h3><a href="/1">One of the sieves</a></h3><p>It is round.</p></li>
<li><h3><a href="/2">Two of the sieves</a></h3><p>They are round.</p></li>
<li><h3>Three of the sieves</h3><p>All <a href="/others">others</a>.</p><p><a href="/3">Read more</a></p></li>
</ul>"""
LABEL: dict[str, Any] = {"id": "x", "title": "li > h3", "entries": 3}


def document() -> Document:
    return Document.from_html(HTML, url="https://mill.example/")


def test_entries_are_read_by_their_label() -> None:
    first, *_, last = entries_of(document(), LABEL)
    assert (first.title, first.url) == ("One of the sieves", "https://mill.example/1")
    assert (last.title, last.url) == ("Three of the sieves", None)
    *_, last = entries_of(document(), {**LABEL, "link": "p > a:last-child, h3 > a"})
    assert last.url == "https://mill.example/others"
    *_, last = entries_of(document(), {**LABEL, "link": "p + p > a, h3 > a"})
    assert last.url == "https://mill.example/3"


def test_a_page_that_changed_is_an_error() -> None:
    with pytest.raises(ValueError, match="x has 3 entries, not 4"):
        entries_of(document(), {**LABEL, "entries": 4})


def test_items_are_compared_with_entries() -> None:
    page = document()
    visible = page.leaves.visible
    labels = Labels(visible.astype(np.float64), visible, page_types=PageTypes({PageType.LISTING: 1.0}))
    entries = entries_of(page, {**LABEL, "link": "p + p > a, h3 > a"})
    found = items(page, labels)
    assert compare(page, found, entries)[:2] == (3, 3)
    assert compare(page, found[:1], entries) == (1, 1, 1)
    assert compare(page, (), entries) == (0, 0, 0)


def test_the_labels_are_complete() -> None:
    labels = json.loads(LABELS.read_text(encoding="utf-8"))
    assert [sum(label["half"] == half for label in labels) for half in HALVES] == [20, 20]
    assert len({label["id"] for label in labels}) == 40


def test_the_table_has_a_line_for_each_half() -> None:
    lines = list(table([Found("a", "seen", 4, 4, 3, 3, 2), Found("b", "unseen", 2, 0, 0, 0, 0)], pages=True))
    assert [line.split()[0] for line in lines[1:]] == ["seen", "unseen", "all", "a", "b"]
    assert lines[1].split()[1:] == ["1", "4", "0.750", "0.750", "1.000", "0.667", "0.250"]
