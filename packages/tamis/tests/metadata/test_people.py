"""Clean names from what pages write around them."""

from __future__ import annotations

import pytest

from tamis.metadata.people import folded_name, is_organisation, people

ANN, BOTH = ("Ann Lee",), ("Ann Lee", "Bob Ray")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann Lee", ANN),
        ("BY ANN LEE", ("ANN LEE",)),
        ("By Ann Lee", ANN),
        ("Guest post by Ann Lee", ANN),
        ("Author: By Ann Lee", ANN),
        ("Von Max Müller und Eva Klein, Berlin", ("Max Müller", "Eva Klein")),
        ("Veröffentlicht von Eva Klein am 3. Mai 2021", ("Eva Klein",)),
        ("Par Jean Petit et Marie Blanc", ("Jean Petit", "Marie Blanc")),
        ("Por José Gómez y Ríos", ("José Gómez y Ríos",)),
        ("Por José Gómez y Ana Ruiz", ("José Gómez", "Ana Ruiz")),
        ("Di Stefano", ("Di Stefano",)),
        ("Door Jan van der Berg en Piet Smit", ("Jan van der Berg", "Piet Smit")),
        ("Autor: Jan Kowal i Anna Nowa", ("Jan Kowal", "Anna Nowa")),
        ("Yazan: Ahmet Demir ve Ayşe Kaya", ("Ahmet Demir", "Ayşe Kaya")),
        ("Автор: Иван Петров и Анна Белова", ("Иван Петров", "Анна Белова")),
        ("記者王小明／台北報導", ("王小明",)),
        ("山田太郎、鈴木花子", ("山田太郎", "鈴木花子")),
    ],
)
def test_the_words_before_a_name_are_left_out_in_many_languages(text: str, names: tuple[str, ...]) -> None:
    assert people(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann Lee, PhD", ANN),
        ("Ann Lee, MS, RD, FAND", ANN),
        ("Ann Lee, PhD and Bob Ray, MD | CNN", BOTH),
        ("Ann Lee, CNN", ANN),
        ("Ann Lee (Reuters)", ANN),
        ("Ann Lee/AP", ANN),
        ("Ann Lee for The Example", ANN),
        ("Ann Lee in London", ANN),
        ("Ann Lee Staff Writer", ANN),
        ("Ann Lee, Director of Sales, Example Lines", ANN),
        ("Ann Lee - May 3, 2021", ANN),
        ("12 May 2020 | Ann Lee", ANN),
        ("Ann Lee Updated 3 hours ago", ANN),
        ("Ann Lee @annlee Follow", ANN),
        ("Ann Lee <ann@example.org>", ANN),
        ("ann@example.org (Ann Lee)", ANN),
        ("Written by Ann Lee, reviewed by Bob Ray", ANN),
        ("Text: Ann Lee, Fotos: Eva Klein", ANN),
        ("Ann Lee, Jr. and Bob Ray", ("Ann Lee Jr.", "Bob Ray")),
        ("Ann Lee, Bob Ray, and Example Team", (*BOTH, "Example Team")),
        ("Ann Lee; Bob Ray", BOTH),
        ("Ann Lee, Ann Lee", ANN),
        ("Ann Lee et al.", ANN),
        ("Jean Petit et Al Blanc", ("Jean Petit", "Al Blanc")),
    ],
)
def test_degrees_jobs_outlets_and_dates_behind_a_name_are_left_out(text: str, names: tuple[str, ...]) -> None:
    assert people(text) == names


@pytest.mark.parametrize(
    "name",
    ["Reuters", "Staff", "The Associated Press", "Example Blog Contributor", "Center for Drug Studies and Research",
     "Von der Heide", "98 Buck Club", "user3080", "Ursula von der Heide", "Our Editors",
     "ann lee", "The Example Team", "Example.com"],
)  # fmt: skip
def test_names_stay_as_they_are(name: str) -> None:
    assert people(name) == (name,)


@pytest.mark.parametrize(
    "value",
    ["", "admin", "by admin", "@annlee", "ann@example.org", "/people/ann", "https://example.org/ann", "null",
     "4 minutes", "9f3a77c0deadbeef", "Photos by Ann Lee", "Reviewed by Ann Lee", "May 3, 2021", "{{ author }}",
     "Ann\x07 Lee", "12345", None, 7, {}, {"name": ""}, "a" * 100, "What did they know about it all?"],
)  # fmt: skip
def test_what_is_no_name_gives_none(value: object) -> None:
    assert people(value) == ()


def test_a_text_that_is_too_long_has_no_names() -> None:
    assert people("Ann Lee, " * 10_000) == ()


def test_lists_and_things_of_linked_data() -> None:
    assert people([{"@type": "Person", "name": "Ann Lee"}, {"name": ["Bob Ray"]}]) == BOTH
    assert people([{"name": "Ann Lee, Bob Ray"}, {"@type": "Organization", "name": "CNN"}]) == BOTH
    assert people({"givenName": "Ann", "familyName": "Lee"}) == ANN
    assert people({"name": "Ann &amp; Bob"}) == ("Ann", "Bob")


def test_the_surname_may_stand_first() -> None:
    assert people("Lee, Ann", inverted=True) == ANN
    assert people("Lee, Ann; Ray, Bob", inverted=True) == BOTH
    assert people("van der Heide, Ann B.", inverted=True) == ("Ann B. van der Heide",)
    assert people("Lee, Ann B.") == ("Ann B. Lee",)
    assert people("Lee, PhD", inverted=True) == ("Lee",)
    assert people("LEE, ANN; RAY, BOB", inverted=True) == ("ANN LEE", "BOB RAY")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Ann B. Lee", "Ann Lee", True),
        ("Dr. Ann Lee", "Ann Lee, PhD", True),
        ("José Gómez", "Jose Gomez", True),
        ("Ann O'Hara", "Ann O’Hara", True),
        ("John Lee Jr.", "John Lee", True),
        ("Ann Lee", "Anna Lee", False),
    ],
)
def test_names_are_the_same_but_for_case_dots_initials_and_titles(first: str, second: str, same: bool) -> None:
    assert (folded_name(first) == folded_name(second)) is same


def test_a_name_may_be_that_of_the_site() -> None:
    own = ["Example News", "The Example News Team", "example-news.com", "Staff", "Redaktion"]
    for site_name, host in (("Example News", "www.example-news.com"), ("", "example-news.com")):
        assert [name for name in (*own, "Ann Lee", "Reuters") if is_organisation(name, site_name, host)] == own
