"""Tables that contradict each other are refused before anything is read by them."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import memmove, sizeof
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tamis import Document, TamisError
from tamis.extractor.runs import PageRuns
from tamis.kernel import PageTables, RunTables, Text, address, byref, library

BAD_TABLE, TOO_LITTLE_MEMORY = -1, -2
HTML = """
<html><head><title>A bridge</title></head><body><h1>A bridge</h1><p role=main>Some words <b>in</b> it.</p>
<ul><li>one</li><li itemprop=name>two</li></ul><img src=a></body></html>
"""


class Tables:
    """The tables of a page in arrays that can be damaged."""

    def __init__(self) -> None:
        self.document = Document.from_html(HTML)
        elements, leaves = self.document.elements, self.document.leaves
        self.parent, self.end = elements.parent.copy(), elements.end.copy()
        self.element, self.opened = leaves.element.copy(), leaves.opened.copy()
        self.page = PageTables()
        memmove(byref(self.page), byref(self.document.kernel_page), sizeof(PageTables))
        self.utf8 = leaves.utf8
        for name in ("parent", "end", "element", "opened"):
            setattr(self.page, name, address(getattr(self, name)))

    def set_texts(self, utf8: bytes) -> None:
        self.utf8 = utf8  # it has to live as long as the page
        self.page.texts = Text.of_bytes(utf8)

    def check(self) -> int:
        code: int = library().tamis_check(byref(self.page))
        return code


def put(name: str, row: int, value: int) -> Callable[[Tables], None]:
    """Another value in a row of a table."""
    return lambda tables: getattr(tables, name).__setitem__(row, value)


def count(name: str, value: int) -> Callable[[Tables], None]:
    return lambda tables: setattr(tables.page, name, value)


DAMAGES: dict[str, Callable[[Tables], None]] = {
    "an element before the root": put("parent", 0, 0),
    "a second root": put("parent", 3, -1),
    "a parent that comes later": put("parent", 3, 5),
    "a parent that has ended": put("parent", -1, 2),
    "a parent that is no row": put("parent", 3, 10**15),
    "an element that ends before it begins": put("end", 3, 3),
    "an element that ends behind the page": put("end", 0, 10**15),
    "an element that ends behind its parent": put("end", 2, 5),
    "a leaf of no element": put("element", 0, -1),
    "a leaf of an element behind the last": put("element", 0, 10**15),
    "a leaf outside of its element": put("opened", 0, 0),
    "a leaf behind the last element": put("opened", -1, 10**15),
    "leaves in another order": put("opened", 1, 10),
    "fewer elements": count("elements", 3),
    "fewer leaves": count("leaves", 2),
    "less than no elements": count("elements", -1),
    "less than no leaves": count("leaves", -1),
    "a text too many": lambda tables: tables.set_texts(tables.utf8 + b"more\0"),
    "a text without an end": lambda tables: tables.set_texts(tables.utf8[:-1]),
    "no texts": lambda tables: tables.set_texts(b""),
}


def test_sound_tables_are_accepted() -> None:
    assert Tables().check() == 0


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_tables_are_refused(name: str) -> None:
    tables = Tables()
    DAMAGES[name](tables)
    assert tables.check() == BAD_TABLE


def test_the_host_raises_an_error() -> None:
    document = Document.from_html(HTML)
    elsewhere = np.full_like(document.leaves.element, 10**15)
    damaged = replace(document, leaves=replace(document.leaves, element=elsewhere))
    with pytest.raises(TamisError, match="contradict"):
        PageRuns(damaged)


def test_an_empty_page_is_a_page() -> None:
    empty = PageTables()
    assert library().tamis_check(byref(empty)) == 0


# ---- what a page declares ----

ROWS = np.array([3, 2, 10**15, -1], np.int64)


def marked(first: int, size: int) -> Callable[[Any], None]:
    """Other rows that have a role or a property."""

    def damage(given: Any) -> None:
        given.marked, given.marked_rows = size, address(ROWS) + first * ROWS.itemsize
        given.marks = Text.of_bytes(b"\0" * 2 * size)

    return damage


def shorter(name: str) -> Callable[[Any], None]:
    return lambda given: setattr(getattr(given, name), "size", -1)


DECLARED: dict[str, Callable[[Any], None]] = {
    **{
        f"{name} of less than no bytes": shorter(name)
        for name in "title og_title body description meta review parts names openings marks".split()
    },
    "names without an end": lambda given: setattr(given, "names", Text.of_bytes(b"a\0b")),
    "openings without an end": lambda given: setattr(given, "openings", Text.of_bytes(b"a")),
    "a name of a section too many": lambda given: setattr(given, "sections", Text.of_bytes(b"a\0" * 999)),
    "marks in another order": marked(0, 2),
    "a mark of no element": marked(2, 1),
    "a mark of an element before the first": marked(3, 1),
    "less than no marks": lambda given: setattr(given, "marked", -1),
    "a mark too many": lambda given: setattr(given, "marks", Text.of_bytes(b"a\0" * 999)),
}


@pytest.mark.parametrize("name", DECLARED)
def test_what_is_declared_is_checked(name: str) -> None:
    runs = PageRuns(Document.from_html(HTML))
    places = byref(runs.page), byref(runs.found), byref(runs.given)
    assert library().tamis_check_declared(*places) == 0
    DECLARED[name](runs.given)
    assert library().tamis_check_declared(*places) == BAD_TABLE


# ---- memory ----


@pytest.mark.parametrize("share", [0.0, 0.001, 0.01])
def test_too_little_memory_is_an_error(share: float) -> None:
    page, found = Document.from_html(HTML).kernel_page, RunTables()
    whole = PageRuns(Document.from_html(HTML))
    size = int(share * library().tamis_workspace(byref(whole.page), byref(whole.given), 24))
    memory = np.empty(size + 16, np.uint8)
    assert library().tamis_begin(byref(page), 1, address(memory), size, byref(found)) == TOO_LITTLE_MEMORY
