"""Groups of columns and what they do to a score: effects add up and point the right way."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.arrays import Bytes
from tamis.document import Document
from tamis.explain import Group
from tamis.explain.effects import Effects, effects
from tamis.explain.groups import group_of, grouped
from tamis.extractor import conventions, declared
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.scaling import Singles
from tests.explain.pages import HARBOUR, ROOT


def test_every_column_is_in_one_group_and_none_is_unknown() -> None:
    numbers = sorted(number for group in grouped(COLUMNS).values() for number in group)
    assert numbers == list(range(len(COLUMNS)))
    assert Group.OTHER not in grouped(COLUMNS), "a new column: add a word of its name to groups.py"


@pytest.mark.parametrize(
    ("column", "group"),
    [
        ("words", Group.LENGTH),
        ("linked", Group.LINKS),
        ("linked 1", Group.SECTION),
        ("words 6", Group.AROUND),
        ("in nav", Group.TAGS),
        ("in h4 h5 h6", Group.TAGS),
        ("in title", Group.HEADINGS),
        ("words before", Group.PLACE),
        ("page linked", Group.PAGE),
        # Names and declarations may be any word; only the first word of the column decides.
        ("named code", Group.NAMES),
        ("named title", Group.NAMES),
        ("named pages", Group.NAMES),
        ("named prose", Group.NAMES),
        ("named main", Group.NAMES),
        ("role main", Group.NAMES),
        ("role listitem", Group.NAMES),
        ("property text", Group.NAMES),
        ("property list item", Group.NAMES),
        ("declared as name", Group.DECLARED),
        ("declared as opening", Group.DECLARED),
        ("data list", Group.PAGE),
        ("marked article", Group.PAGE),
        ("og other", Group.PAGE),
        ("described", Group.PAGE),
        ("address", Group.PAGE),
        ("address words", Group.PAGE),
        ("address digits", Group.PAGE),
        ("address depth", Group.PAGE),
        ("in address", Group.TAGS),
        ("in main", Group.TAGS),
        ("named 404", Group.NAMES),
        ("moon phase", Group.OTHER),
        ("in orbit", Group.OTHER),
    ],
)
def test_a_name_decides_on_the_group(column: str, group: Group) -> None:
    assert group_of(column) is group


def test_names_and_declarations_have_groups_of_their_own() -> None:
    groups = grouped(COLUMNS)
    names = [COLUMNS[number] for number in groups[Group.NAMES]]
    assert {name.split()[0] for name in names} == {"role", "property", "named"}
    assert len(names) == len(conventions.ROLES) + len(conventions.PROPERTIES) + len(conventions.NAMES)
    assert [COLUMNS[number] for number in groups[Group.DECLARED]] == [
        f"declared as {kind}" for kind in (*declared.TEXTS, "opening")
    ]
    assert {*declared.PAGE} <= {COLUMNS[number] for number in groups[Group.PAGE]}


_NAMES = ("words", "linked", "in nav", "place", "page words", "moon phase")


def _linear(values: Singles, tags: Bytes) -> tuple[Singles, Singles]:
    """A network that adds up its columns, and takes 3 off for a tag of 7."""
    logits = values @ np.array([1, -2, -4, 0.5, 10, 1], dtype=np.float32) - 3 * (tags[:, 0] == 7)
    return logits[:, np.newaxis].astype(np.float32), np.zeros(7, dtype=np.float32)


def _page() -> tuple[Singles, Bytes]:
    values = np.random.default_rng(1).normal(size=(9, 6)).astype(np.float32)
    values[:, 4] = 2.0  # of the page: the same for all runs
    tags = np.array([[5], [5], [5], [7], [5], [7], [5], [5], [5]], dtype=np.uint8)
    return values, tags


def test_effects_of_a_network_that_only_adds_are_what_it_adds() -> None:
    values, tags = _page()
    found = effects(_linear, values, tags, _NAMES)
    away = values - values.mean(axis=0)
    expected = {
        Group.LENGTH: away[:, 0],
        Group.LINKS: -2 * away[:, 1],
        Group.TAGS: -4 * away[:, 2] - 3 * (tags[:, 0] == 7),
        Group.PLACE: 0.5 * away[:, 3],
        Group.OTHER: away[:, 5],
    }
    assert set(found.groups) == set(expected), "what is the same for all runs has no effect"
    for number, group in enumerate(found.groups):
        assert found.effects[:, number] == pytest.approx(expected[group], abs=1e-4)
        assert found.log_odds - found.without[:, number] == pytest.approx(expected[group], abs=1e-4)


def _product(values: Singles, tags: Bytes) -> tuple[Singles, Singles]:
    """A network in which two columns only count together."""
    return (values[:, :1] * values[:, 1:2]).astype(np.float32), np.zeros(7, dtype=np.float32)


def test_two_columns_that_count_only_together_share_the_effect() -> None:
    values = np.array([[1, 1], [-1, -1]], dtype=np.float32)
    found = effects(_product, values, np.zeros((2, 1), dtype=np.uint8), ("words", "linked"))
    assert found.effects == pytest.approx(np.full((2, 2), 0.5))


def test_a_page_of_one_run_has_no_effects() -> None:
    values, tags = _page()
    found = effects(_linear, values[:1], tags[:1], _NAMES)
    assert (found.groups, found.effects.shape) == ((), (1, 0))
    assert found.start == found.log_odds


def _of(html: str | bytes) -> Effects:
    from tamis.extractor.tamis import tamis as extractor

    runs = PageRuns(Document.from_html(html).unfolded)
    return effects(extractor.network.run, runs.values, runs.tags, COLUMNS)


def test_effects_add_up_and_are_the_same_each_time() -> None:
    first, second = _of(HARBOUR), _of(HARBOUR)
    assert first.start + first.effects.sum(axis=1) == pytest.approx(first.log_odds, abs=1e-3)
    assert (first.effects == second.effects).all()


def test_taking_away_a_group_moves_the_score_as_its_effect_says() -> None:
    """Mostly: where tags and names show the same about a run, taking one of them away moves little."""
    agree, strong = [], []
    for name in ("blog-with-comments", "forum-thread", "recipe", "russian"):
        found = _of((ROOT / "tests" / "pages" / name / "source.html").read_bytes())
        moved = found.log_odds[:, np.newaxis] - found.without
        agree.append((np.sign(moved) == np.sign(found.effects)).ravel())
        strong.append((np.abs(found.effects) > 0.5).ravel())
        assert strong[-1].sum() > 50
    assert np.concatenate(agree)[np.concatenate(strong)].mean() > 0.85
