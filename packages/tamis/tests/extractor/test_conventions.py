"""What the people who write pages call their parts: names, roles, properties and types."""

from __future__ import annotations

import json
import re
import time
from importlib.resources import files

import pytest

from tamis.extractor.runs import COLUMNS
from tests.extractor.pages import active_columns, check, column, runs_of, short

TABLE = json.loads(files("tamis.extractor").joinpath("conventions.json").read_text(encoding="utf-8"))


class TestTable:
    @pytest.mark.parametrize("kind", ["names", "roles", "properties", "types"])
    def test_every_word_is_in_one_group(self, kind: str) -> None:
        words = [word for group in TABLE[kind].values() for word in group]
        assert len(set(words)) == len(words)

    @pytest.mark.parametrize("kind", ["names", "roles", "properties", "types"])
    def test_every_word_can_be_met(self, kind: str) -> None:
        """They are compared in lower case, and names fall apart at everything that is no letter."""
        assert all(re.fullmatch("[a-z]+", word) for group in TABLE[kind].values() for word in group)

    @pytest.mark.parametrize(("kind", "first"), [("names", "named"), ("roles", "role"), ("properties", "property")])
    def test_every_group_has_a_column(self, kind: str, first: str) -> None:
        assert [name.removeprefix(f"{first} ") for name in COLUMNS if name.split()[0] == first] == list(TABLE[kind])


class TestNames:
    @pytest.mark.parametrize("group", TABLE["names"])
    def test_every_word_of_a_group_is_as_good_as_any_other(self, group: str) -> None:
        expected = None
        for word in TABLE["names"][group]:
            for name in (word, word.upper(), word.capitalize(), f"my-{word}", f"x_{word}_2", f"my{word.capitalize()}"):
                for attribute in ("class", "id"):
                    values = runs_of(f"<p>a</p><div {attribute}='{name}'><p>b</p><p>c</p></div>").values.tolist()
                    expected = expected or values
                    assert values == expected, (attribute, name)
        html = f"<p>a</p><div class={TABLE['names'][group][0]}><p>b</p><p>c</p></div>"
        assert active_columns(html, "named", run=1) == {f"named {group}"}

    @pytest.mark.parametrize(
        ("name", "groups"),
        [
            ("post-content__body", {"article", "content", "prose"}),
            ("relatedPostsList", {"related", "article", "list"}),
            ("SITENav", {"menu"}),
            ("nav2 col-md-6", {"menu", "layout"}),
            ("a b sidebar", {"side"}),
            ("  \n sidebar\tmenu  ", {"side", "menu"}),
            ("unrelated loading subheader navxyz", set()),
            ("articletext", {"article", "prose"}),  # two words without a border
            ("sidebarMENULIST", {"side", "menu", "list"}),
            ("xarticletext articletextx", set()),  # and not three
            ("ulmenu menuul", set()),  # a part has three letters
            ("commentxyz", {"comments"}),
            ("commentmenu", {"comments", "menu"}),
            ("commentary", set()),  # a kind of article
            ("コメント sidebar", {"side"}),
            ("commént", set()),
            ("", set()),
            ("42 _ -- \ud800", set()),
        ],
    )
    def test_a_name_falls_apart_into_words(self, name: str, groups: set[str]) -> None:
        assert active_columns(f'<div class="{name}"><p>a<p>b', "named") == {f"named {group}" for group in groups}

    def test_a_name_holds_for_all_that_stands_in_it_and_nothing_else(self) -> None:
        html = "<p>a<div class=comments><div><ul><li>b<li>c</ul></div>d</div><p>e"
        assert column("named comments", html) == [0, 1, 1, 1, 0]

    def test_elements_that_hold_one_row_are_not_asked(self) -> None:
        html = "<div class=menu><p class=price>a</p></div><div class=menu><p class=price>b</p><p>c</p></div>"
        assert [active_columns(html, "named", run=run) for run in range(3)] == [set(), {"named menu"}, {"named menu"}]

    def test_a_page_is_called_by_what_it_can_do(self) -> None:
        html = "<html class='no-comments sidebar' id=menu><body class='single post search'><div class=price><p>a<p>b"
        assert active_columns(html, "named") == {"named price"}

    def test_roles_and_properties_of_a_page_count(self) -> None:
        assert active_columns("<html><body role=main itemprop=review><p>a", "role", "property") == {
            "role main",
            "property review",
        }

    def test_an_inline_element_names_the_blocks_in_it(self) -> None:
        assert column("named card", "<a class=card href=x><div>a</div><div>b</div></a><p>c") == [1, 1, 0]

    def test_far_above(self) -> None:
        html = f"<div class=sidebar role=navigation>{'<div>' * 400}<p>a</p><p>b</p>{'</div>' * 400}</div><p>c"
        found = runs_of(html)
        check(found)
        for name in ("named side", "role navigation"):
            assert found.values[:, COLUMNS.index(name)].tolist() == [1, 1, 0]

    def test_the_beginning_of_an_endless_name_counts(self) -> None:
        started = time.process_time()
        html = (
            f'<div class="menu {"x" * 1_000_000} footer"><p>a<p>b</p></div>'
            f'<div id="{"aB" * 500_000}"><p>c<p>d</div><div id="{"-" * 1_000_000}"><p>e<p>f'
        )
        assert active_columns(html, "named") == {"named menu"}
        check(runs_of(html))
        assert time.process_time() - started < 20


class TestRoles:
    @pytest.mark.parametrize("group", TABLE["roles"])
    def test_every_role(self, group: str) -> None:
        for role in TABLE["roles"][group]:
            for written in (role, role.upper(), f"&#10; {role.capitalize()} "):
                html = f"<p>a</p><div ROLE='{written}'><p>b</p></div><p>c</p>"
                assert column(f"role {group}", html) == [0, 1, 0], written
                assert active_columns(html, "role", run=1) == {f"role {group}"}

    @pytest.mark.parametrize("role", ["", " ", "presentation", "mainly", "コ", "x" * 1_000_000], ids=short)
    def test_other_roles_say_nothing(self, role: str) -> None:
        assert active_columns(f"<p role='{role}'>a", "role") == set()


class TestProperties:
    @pytest.mark.parametrize("group", TABLE["properties"])
    def test_every_property(self, group: str) -> None:
        for name in TABLE["properties"][group]:
            for written in (name, name.upper(), f" {name}\n"):
                html = f"<p>a</p><div itemprop='{written}'><p>b</p></div><p>c</p>"
                assert column(f"property {group}", html) == [0, 1, 0], written
                assert active_columns(html, "property", run=1) == {f"property {group}"}

    def test_an_element_may_have_several(self) -> None:
        html = "<p itemprop='Name  author\tunheardOf datePublished'>a"
        assert active_columns(html, "property") == {"property name", "property author", "property date"}

    @pytest.mark.parametrize("name", ["", "image", "names", "articleBody," * 100_000], ids=short)
    def test_others_say_nothing(self, name: str) -> None:
        assert active_columns(f"<p itemprop='{name}'>a", "property") == set()


class TestTypes:
    @pytest.mark.parametrize("group", TABLE["types"])
    def test_every_type_counts_for_the_page(self, group: str) -> None:
        for name in TABLE["types"][group]:
            for written in (name, f"https://schema.org/{name}", f" http://schema.org/{name.upper()}/ "):
                html = f"<p>a</p><div itemscope itemtype='{written}'></div>"
                assert active_columns(html, "marked") == {f"marked {group}"}, written

    @pytest.mark.parametrize("tag", ["meta", "link", "script"])
    def test_that_of_elements_without_text_too(self, tag: str) -> None:
        assert active_columns(f"<{tag} itemtype=https://schema.org/Recipe></{tag}><p>a</p>", "marked") == {
            "marked instruction"
        }

    def test_several_elements_add_up(self) -> None:
        html = "<p>a</p><i itemtype=https://schema.org/Recipe></i><b itemtype=https://schema.org/FAQPage></b>"
        assert active_columns(html, "marked") == {"marked instruction", "marked questions"}

    @pytest.mark.parametrize(
        "name", ["", "/", "https://schema.org", "https://schema.org/WebPage", "/" * 1_000_000], ids=short
    )
    def test_others_say_nothing(self, name: str) -> None:
        assert active_columns(f"<p itemtype='{name}'>a", "marked") == set()
