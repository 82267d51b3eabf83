"""Groups of columns and what they do to a score: effects add up and point the right way."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from tamis.document import Document
from tamis.explain import Group
from tamis.explain.effects import Effects, RunRows, effects, group_of, grouped, typical_page
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.tamis import tamis
from tests.explain.pages import HARBOUR
from tests.golden import golden_page
from tools.typical_blocks import typical_runs


def test_every_column_is_in_one_group_and_none_is_unknown() -> None:
    numbers = sorted(number for group in grouped(COLUMNS).values() for number in group)
    assert numbers == list(range(len(COLUMNS)))
    assert Group.OTHER not in grouped(COLUMNS), "a new column: add a word of its name to effects.py"


@pytest.mark.parametrize(
    ("column", "group"),
    [
        ("words", Group.LENGTH),
        ("linked", Group.LINKS),
        ("linked 1", Group.SECTION),
        ("words 6", Group.AROUND),
        ("in nav", Group.TAGS),
        ("in title", Group.HEADINGS),
        ("in record", Group.RECORDS),
        ("page records with dates", Group.PAGE),
        ("words before", Group.PLACE),
        ("depth", Group.PAGE),
        ("page linked", Group.PAGE),
        # Names and declarations may be any word; only the first word of the column decides.
        ("named code", Group.NAMES),
        ("role main", Group.NAMES),
        ("property text", Group.NAMES),
        ("declared as name", Group.DECLARED),
        ("data list", Group.PAGE),
        ("marked article", Group.PAGE),
        ("described", Group.PAGE),
        ("address", Group.PAGE),
        ("in address", Group.TAGS),
        ("moon phase", Group.OTHER),
    ],
)
def test_a_name_decides_on_the_group(column: str, group: Group) -> None:
    assert group_of(column) is group


NETWORK = tamis.networks.modern


def _rows(html: str | bytes) -> RunRows:
    runs = PageRuns(Document.from_html(html).unfolded)
    return RunRows(runs.values, runs.tags)


def _of(page: RunRows) -> Effects:
    return effects(NETWORK, page, typical_page(page)[1], COLUMNS)


def _golden(name: str) -> RunRows:
    return _rows(golden_page(name).source)


@pytest.mark.parametrize("name", ["blog-with-comments", "forum-thread", "recipe", "russian", "frameset"])
def test_effects_lead_from_the_typical_run_to_the_networks_logits(name: str) -> None:
    page = _golden(name)
    found = _of(page)
    logits, _ = NETWORK.run(page.values, page.tags)
    assert found.log_odds == pytest.approx(logits[:, 0], abs=1e-4)
    assert found.start + found.effects.sum(axis=1) == pytest.approx(logits[:, 0], abs=1e-3)


def test_a_typical_page_has_no_effects() -> None:
    typical = typical_page(_rows(HARBOUR))[1]
    found = effects(NETWORK, typical, typical, COLUMNS)
    assert (found.groups, found.effects.shape) == ((), (len(typical.values), 0))
    assert (found.start == found.log_odds).all()


@pytest.mark.parametrize("group", [Group.LENGTH, Group.LINKS, Group.MARKS])
def test_only_its_own_text_counts_as_such(group: Group) -> None:
    page = _golden("recipe")
    typical = typical_page(page)[1]
    columns = grouped(COLUMNS)[group]
    usual = (page.values[:, columns] == typical.values[:, columns]).all(axis=1)
    found = _of(page)
    own = found.effects[:, found.groups.index(group)]
    assert (own[usual] == 0).all()
    assert (own[~usual] != 0).any()
    assert usual.any() or group is not Group.LINKS


def test_making_a_group_typical_moves_the_score_as_its_effect_says() -> None:
    """Mostly: where two groups show the same about a run, making one of them typical moves little."""
    agree, strong = [], []
    for name in ("blog-with-comments", "forum-thread", "recipe", "russian"):
        found = _of(_golden(name))
        moved = found.log_odds[:, np.newaxis] - found.without
        agree.append((np.sign(moved) == np.sign(found.effects)).ravel())
        strong.append((np.abs(found.effects) > 0.5).ravel())
        assert strong[-1].sum() > 50
    assert np.concatenate(agree)[np.concatenate(strong)].mean() > 0.95


def test_page_columns_and_the_markup_of_a_kind_are_no_difference() -> None:
    """A paragraph in an article is compared with one in an article, whatever other elements stand around both."""
    paragraphs = "<p>One paragraph of several words.</p><p>Another paragraph of several words.</p>"
    for around in ("<main><article>{}</article></main>", "<article><div><section>{}</section></div></article>"):
        page = _rows(around.format(paragraphs))
        kinds, typical = typical_page(page)
        assert set(kinds) == {("paragraph", "in an <article>")}
        tags = grouped(COLUMNS)[Group.TAGS]
        assert (page.values[:, tags] == typical.values[:, tags]).all()
        assert (page.tags == typical.tags).all()
        pages = grouped(COLUMNS)[Group.PAGE]
        assert (page.values[:, pages] == typical.values[:, pages]).all()


def test_a_typical_position_is_one_on_the_page() -> None:
    """On a short page, no block is blamed for having few blocks before it or little markup around it."""
    page = _rows("".join(f"<p>Paragraph number {number} of eight.</p>" for number in range(8)))
    typical = typical_page(page)[1]
    place = grouped(COLUMNS)[Group.PLACE]
    assert {tuple(row) for row in typical.values[:, place].tolist()} <= {
        tuple(row) for row in page.values[:, place].tolist()
    }
    depth = COLUMNS.index("depth")
    assert (typical.values[:, depth] == page.values[:, depth]).all()
    assert Group.PLACE not in _of(_rows("<p>One paragraph, and that is all there is.")).groups


def test_a_typical_run_is_no_further_from_a_heading_than_the_page_is_long() -> None:
    page = _rows("<nav><a href=/>Go</a></nav><h1>Title</h1>" + "<p>One of eight.</p>" * 8 + "<div>End</div>")
    typical = typical_page(page)[1].values
    from_h1, from_heading = (np.expm1(typical[:, COLUMNS.index(f"from {name}")]) for name in ("h1", "heading"))
    assert (from_h1[0], from_h1[-1], from_heading[-1]) == pytest.approx((10, 10, 10), abs=1e-4)
    assert from_heading[0] > 50, "that of a typical menu: no heading is above it"
    assert np.expm1(typical_page(_rows("<nav>Go</nav>"))[1].values[0, COLUMNS.index("from heading")]) < 50.01


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<nav><ul><li>One</li></ul></nav>", ("list item", "in a <nav>")),
        ("<main><article><p>One</p></article></main>", ("paragraph", "in an <article>")),
        ("<article><aside><p>One</p></aside></article>", ("paragraph", "in an <aside>")),
        ("<main><h4>One</h4></main>", ("heading", "in <main>")),
        ("<div><span>One</span></div>", ("plain block", "outside of <main> and <article>")),
        ("<aside><h1>One</h1></aside>", ("main heading", "")),  # too rare to have a typical block of its own
    ],
)
def test_kinds(html: str, kind: tuple[str, str]) -> None:
    assert typical_page(_rows(html))[0] == [kind]


def test_the_file_of_typical_blocks_is_made_by_the_tool() -> None:
    """From a few pages: medians over pages, each of which counts the same, and tags."""
    short, long = "<main>" + "<p>One two</p>" * 9 + "</main>", "<main><p>One two three four five six</p></main>"
    made = typical_runs([_rows(short), *[_rows(long)] * 2])
    assert made["pages"] == 3
    json_kinds = cast("list[dict[str, Any]]", made["kinds"])
    (anywhere,) = [kind for kind in json_kinds if kind["where"] == ""]
    assert (anywhere["what"], anywhere["pages"], anywhere["tags"][0]) == ("paragraph", 3, "p")
    columns = dict(zip(cast("list[str]", made["columns"]), anywhere["values"], strict=True))
    assert columns["words"] == pytest.approx(np.log1p(6), abs=0.01)
    assert (columns["in p"], columns["in main"]) == (1, 1)
    assert "page words" not in columns
