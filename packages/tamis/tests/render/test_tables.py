"""Tables as grids, their headers, and what is a table at all."""

from __future__ import annotations

import pytest

import tamis
from tamis.render.content import Child, Node
from tamis.render.markdown_table import grid


def row(*cells: Child, name: str = "td") -> Node:
    return Node(
        "tr", {}, [cell if isinstance(cell, Node) else Node(name, {}, [cell] if cell else []) for cell in cells]
    )


def shown(table: Node) -> list[list[str]]:
    return [[cell.text() if cell else "" for cell in line] for line in grid(table).rows]


def test_a_span_ends_with_its_section() -> None:
    high = Node("th", {"rowspan": "9"}, ["h"])
    table = Node("table", {}, [Node("thead", {}, [row(high, "x")]), Node("tbody", {}, [row("a", "b")])])
    assert shown(table) == [["h", "x"], ["a", "b"]]


def test_hostile_spans_are_bounded() -> None:
    cell = {"colspan": "99999", "rowspan": "99999"}
    table = Node("table", {}, [row(*(Node("td", cell, ["x"]) for _ in range(20))) for _ in range(200)])
    assert sum(map(len, grid(table).rows)) <= 100 + 17 * 4_000
    huge = Node("table", {}, [row(*["x"] * 5_000), *(row("y") for _ in range(5_000))])
    assert sum(map(len, grid(huge).rows)) == 10_000


@pytest.mark.parametrize(
    ("rows", "headers"),
    [
        ([row("A", "B", name="th"), row("c", "d", name="th"), row("1", "2")], 2),
        ([row("A", "B", name="th"), row("c", "d", name="th")], 1),
        ([row("", Node("th", {}, ["Mon"]), Node("th", {}, ["Tue"])), row("a", "b", "c")], 1),
        ([row(Node("th", {}, ["Name"]), "Ann"), row(Node("th", {}, ["Age"]), "7")], 0),
        ([row(Node("td", {}, [Node("b", {}, ["A"])]), Node("td", {}, [Node("b", {}, ["B"])])), row("c", "d")], 1),
        ([row("City", "2019", "2020"), row("Ulm", "1", "2"), row("Jena", "3", "4")], 1),
        ([row("1", "2"), row("3", "4"), row("5", "6")], 0),
        ([row("a", "7")], 0),
    ],
)
def test_headers(rows: list[Child], headers: int) -> None:
    assert grid(Node("table", {}, rows)).headers == headers


def test_text_outside_of_cells_stays() -> None:
    table = Node("table", {}, ["Note", row("a", "b"), Node("tr", {}, ["loose", Node("td", {}, ["c"])])])
    found = grid(table)
    assert [caption.text() for caption in found.captions] == ["Note"]
    assert shown(table) == [["a", "b"], ["loose", "c"]]


def markdown(html: str) -> str:
    return tamis.extract(html, extractor="keep-all").markdown


def text(html: str) -> str:
    return tamis.extract(html, extractor="keep-all").text


REST = "<tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr>"


@pytest.mark.parametrize(
    ("html", "is_data"),
    [
        (f"<table>{REST}</table>", True),
        (f"<table><tr><th>A</th><th>B</th></tr>{REST}<tr><td><h3>x</h3></td><td><hr>y</td></tr></table>", True),
        (f"<table>{REST}<tr><td><h3>x</h3></td><td>y</td></tr></table>", False),
        (f"<table>{REST}<tr><td><pre>x</pre></td><td>y</td></tr></table>", True),
        (f"<table>{REST}<tr><td><pre>x</pre></td></tr></table>", False),
        (f"<table><tr><td><h3>A</h3></td><td><h3>B</h3></td></tr>{REST}</table>", True),
        (f"<table><tr><th>A</th><th>B</th></tr>{REST}<tr><td>{'x ' * 500}</td><td>y</td></tr></table>", True),
        (f"<table>{REST}<tr><td>{'x ' * 500}</td><td>y</td></tr></table>", False),
        (f"<table><tr><th>A</th><th>B</th></tr>{REST}<tr><td><h1>x</h1></td><td>y</td></tr></table>", False),
        ('<div role="grid"><div role="row"><i role="gridcell">a</i></div></div>', False),
    ],
)
def test_data_and_layout(html: str, *, is_data: bool) -> None:
    written = markdown(html)
    assert ("|" in written or "<table>" in written) == is_data
    assert ("\t" in text(html)) == is_data


def test_cells_that_are_no_line_are_written_in_html() -> None:
    written = markdown(f"<table><tr><td><ul><li>a</li></ul></td><td><pre>b\n\n \nc</pre></td></tr>{REST}</table>")
    assert written.startswith("<table>\n<tbody>\n<tr><td><ul><li>a</li></ul></td>")
    assert "\n\n" not in written
    assert not any(line.isspace() for line in written.splitlines())
