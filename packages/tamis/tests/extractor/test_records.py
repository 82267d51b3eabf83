"""The records of a page: where each run is in them, and what they are like together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import log1p

import numpy as np
import pytest

from tamis.document import tags
from tamis.extractor.runs import COLUMNS, PageRuns
from tests.extractor.pages import MORE, PROSE, runs_of, texts
from tests.golden import GoldenPage, golden_pages

RECORDS = slice(COLUMNS.index("in record"), COLUMNS.index("role main"))
DIGITS = set("0123456789０１２３４５６７８９")

POST = "<div class='post p{0}'><b><a href=u>ann</a></b><i>12 May 2024</i><p>{1}</p></div>"
POSTS = "".join(POST.format(number, PROSE) for number in range(3))
PAGE = f"<h1>Pumps</h1><nav><a href=a>Home</a><p>All</p></nav>{POSTS}<p>Imprint</p>"


def of_page(html: str) -> dict[str, float]:
    """The columns about all records."""
    values = runs_of(html).values[0]
    return {name: float(value) for name, value in zip(COLUMNS, values, strict=True) if "record" in name and value}


def test_names_are_short_links() -> None:
    html = PAGE.replace("<i>", "<p>").replace("</i>", "</p>")
    assert of_page(html)["page records with names"] == 1
    assert "page records with names" not in of_page(html.replace("ann", "what ann said about the pumps"))


@pytest.mark.parametrize("html", ["<p>Hello", f"<div><p>a<p>{PROSE}</div>", ""])
def test_pages_without_records(html: str) -> None:
    runs = runs_of(html)
    records = [number for number, name in enumerate(COLUMNS) if "record" in name]
    assert not runs.values[:, records].any()


@dataclass
class Group:
    """Elements with the same parent, tag and name, each as its runs."""

    elements: list[range] = field(default_factory=list)
    words: list[float] = field(default_factory=list)

    @property
    def besides_the_largest(self) -> float:
        return sum(self.words) - max(self.words)


def records_of(found: PageRuns) -> Group | None:
    """The group with the records of a page, by plain counts.

    An element has as many runs as have their block in it. They are counted from the first one that starts in it, which
    in an inline element may be one of the block around it.
    """
    elements, leaves = found.document.elements, found.document.leaves
    held: dict[int, int] = {}
    for block in found.element.tolist():
        for around in elements.ancestors(block):
            held[around] = held.get(around, 0) + 1
    first: dict[int, int] = {}
    for run, leaf in enumerate(found.texts[found.first].tolist()):
        for around in elements.ancestors(int(leaves.element[leaf])):
            first.setdefault(around, run)
    words = found.words.tolist()
    groups: dict[tuple[int, int, str | None], Group] = {}
    best: Group | None = None
    for row in sorted(row for row, count in held.items() if count > 1):
        runs = range(first[row], first[row] + held[row])
        attribute = elements.all_nodes[row].attr
        names = (attribute("class") or "").split() or (attribute("id") or "").split()
        name = re.sub("[0-9]", "", names[0]) if names else None
        code = tags.CODES.get(elements.tag[row], tags.OTHER)
        group = groups.setdefault((int(elements.parent[row]), code, name), Group())
        group.elements.append(runs)
        group.words.append(sum(words[run] for run in runs))
        if group.besides_the_largest > (best.besides_the_largest if best else 0):
            best = group
    return best


def record_columns(found: PageRuns) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The columns of records."""
    table = np.zeros((len(found), RECORDS.stop - RECORDS.start))
    group = records_of(found)
    if group is None:
        return table
    words, strings = found.words.tolist(), texts(found)
    linked = (found.values[:, COLUMNS.index("linked")] * np.maximum(words, 1)).tolist()
    prose, names, dates = (set[int](), set[int](), set[int]())
    for run, count in enumerate(words):
        if count >= 15 and linked[run] < 0.35 * count - 1e-3:
            prose.add(run)
        if 0 < count <= 4 and 2 * linked[run] >= count - 1e-3:
            names.add(run)
        if count <= 12 and sum(mark in DIGITS for mark in strings[run]) >= 3:
            dates.add(run)
    total, number = sum(group.words), len(group.words)
    table[:, 4:] = [
        log1p(number),
        total / max(1, sum(words)),
        max(group.words) / total,
        log1p(total / number),
        *(sum(not known.isdisjoint(runs) for runs in group.elements) / number for known in (prose, names, dates)),
    ]
    table[: group.elements[0][0], 1] = 1
    for before, (runs, count) in enumerate(zip(group.elements, group.words, strict=True)):
        table[runs, :4] = [1, 0, log1p(before), count / total]
    return table


@pytest.mark.parametrize(
    "html",
    [
        PAGE,
        POSTS.replace("post p1", "notice"),
        POSTS.replace("class='post p", "id='post-"),
        f"<ul>{POSTS}<li>a<li>b</ul>{POSTS}",
        POSTS + "".join(f"<section><h2>Card</h2><p>{number} {MORE}</p></section>" for number in range(9)),
    ],
)
def test_small_pages_by_plain_counts(html: str) -> None:
    found = runs_of(html)
    assert np.allclose(record_columns(found), found.values[:, RECORDS], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
def test_golden_pages_by_plain_counts(page: GoldenPage) -> None:
    found = PageRuns(page.document())
    assert np.allclose(record_columns(found), found.values[:, RECORDS], rtol=1e-4, atol=1e-6)


def test_most_golden_pages_have_records() -> None:
    """Else the test above would be of little use."""
    found = [records_of(PageRuns(page.document())) is not None for page in golden_pages()]
    assert sum(found) > len(found) / 2
