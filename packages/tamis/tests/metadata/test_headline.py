"""What can be left of a title, and the titles that a page shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.metadata.headline import Headline, cuts
from tests.metadata.sources import found

WORDS = st.lists(st.sampled_from(["rye", "Bread", "-5", "a-b", "C++", "ä", "面包"]), min_size=1, max_size=3).map(
    " ".join
)
SEPARATORS = st.sampled_from([" | ", " - ", ": ", " — ", " » ", " · ", "|"])


def kinds(title: str) -> dict[str, str]:
    """What is left by the kind of cut."""
    return {f"{cut.kind} {len(cut.rest)}".strip(): cut.text for cut in cuts(title)}


def test_all_kinds_of_cuts() -> None:
    assert kinds("Bread at dawn | Food | The Oven") == {
        "0": "Bread at dawn | Food | The Oven",
        "end 1": "Bread at dawn | Food",
        "ends 2": "Bread at dawn",
        "begin 1": "Food | The Oven",
        "begins 2": "The Oven",
        "middle 2": "Food",
    }


def test_what_was_cut_off_is_told() -> None:
    by_kind = {cut.kind: cut for cut in cuts("Bread at dawn – Food | The Oven")}
    assert (by_kind["end"].rest, by_kind["end"].separator) == (("The Oven",), "|")
    assert (by_kind["ends"].rest, by_kind["ends"].separator) == (("Food", "The Oven"), "–")
    assert (by_kind["begin"].rest, by_kind["begin"].separator) == (("Bread at dawn",), "–")
    assert by_kind["middle"].rest == ("Bread at dawn", "The Oven")


@pytest.mark.parametrize(
    "title", ["Bread", "Well-known bread", "12:30 at the oven", "a/b testing", "-5 in Oslo", "C++"]
)
def test_a_title_of_one_part_stays_whole(title: str) -> None:
    assert [(cut.text, cut.kind, cut.rest) for cut in cuts(title)] == [(title, "", ())]


@pytest.mark.parametrize("title", ["", "|", " | ", "¶", "- -"])
def test_a_title_of_nothing_has_no_parts(title: str) -> None:
    assert all(not cut.rest for cut in cuts(title))


def test_the_anchor_of_a_heading_is_no_part_of_it() -> None:
    assert [cut.text for cut in cuts("Baking ¶")] == ["Baking"]


@given(parts=st.lists(WORDS, min_size=1, max_size=8), separator=SEPARATORS)
def test_never_cut_inside_a_part(parts: list[str], separator: str) -> None:
    title = separator.join(parts)
    for cut in cuts(title):
        assert cut.text in title
        assert all(any(part in rest for part in parts) for rest in cut.rest)
        assert cut.text == cut.text.strip()
        # Each end of what is left is an end of a part.
        assert any(cut.text.startswith(part) for part in parts)
        assert any(cut.text.endswith(part) for part in parts)
        assert bool(cut.rest) is bool(cut.kind)


@pytest.mark.parametrize(
    ("page", "titles"),
    [
        ("<h1>Bread</h1><h1>Butter</h1>", [("Bread", "h1 first"), ("Butter", "h1 other")]),
        ("<h2>Bread</h2>", [("Bread", "h2 first")]),
        ("<h1><img src=a alt='Bread  and butter'></h1>", [("Bread and butter", "h1 image")]),
        ("<h1><a href='https://oven.example/'>The Oven</a></h1>", [("The Oven", "h1 logo")]),
        (
            "<title>Bread | Oven</title><h2>Bread</h2>",
            [("Bread", "h2"), ("Bread", "h2 first"), ("Bread | Oven", "TITLE")],
        ),
        ("<title>Bread</title><h1>Bread</h1><h2>Bread</h2>", [("Bread", "h1"), ("Bread", "TITLE")]),
        (
            "<title>Bread | Oven</title><h1><span>Food</span> <span>Bread</span></h1>",
            [("Bread", "h1"), ("Food Bread", "h1 with kicker"), ("Bread | Oven", "TITLE")],
        ),
    ],
)
def test_titles_that_a_page_shows(page: str, titles: list[tuple[str, str]]) -> None:
    assert found(Headline, page, "title") == titles


def test_the_ends_of_the_title_may_name_the_site() -> None:
    names = found(Headline, "<title>Bread - Food | The Oven</title>", "site_name")
    assert names == [("The Oven", "TITLE end"), ("Bread", "TITLE begin")]
