from __future__ import annotations

import pytest

from tamis.metadata import values


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("  Bread \n at\u00a0dawn ", "Bread at dawn"),
        ("Ann&#039;s bread", "Ann's bread"),
        ("AT&T", "AT&T"),
        ("<i>Bread</i> at dawn", "Bread at dawn"),
        ("The <em> element", "The <em> element"),
        ("Br\u00adead", "Bread"),
        (["Bread", "Butter"], "Bread"),
        ("a \ud800 b", "a \ufffd b"),
    ],
)
def test_texts_are_clean(written: object, text: str) -> None:
    assert values.text(written) == text


@pytest.mark.parametrize(
    "written",
    ["", " ", "null", "Undefined", "[object Object]", "{{ title }}", "${title}", "%title%", "{title}", "N/A", 3, None],
)
def test_what_a_template_left_is_no_text(written: object) -> None:
    assert values.text(written) is None


def test_brackets_and_percents_of_a_headline_stay() -> None:
    assert values.text("[Update] 5% more bread {and butter}") == "[Update] 5% more bread {and butter}"


@pytest.mark.parametrize(
    ("written", "language"),
    [
        ("en", "en"),
        ("pt_BR", "pt-BR"),
        ("zh-Hant-TW", "zh-Hant-TW"),
        ("en, sv", "en"),
        ("English", None),
        ("", None),
        (None, None),
    ],
)
def test_languages(written: object, language: str | None) -> None:
    assert values.language(written) == language


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("rye, wheat,rye , Rye", ("rye", "wheat")),
        ("rye; wheat; oat", ("rye", "wheat", "oat")),
        ("面包，黄油、果酱", ("面包", "黄油", "果酱")),
        ("Rome, Italy; Paris, France; Bonn, Germany; Oslo", ("Rome, Italy", "Paris, France", "Bonn, Germany", "Oslo")),
        (["Washington, D.C.", "bread"], ("Washington, D.C.", "bread")),
        (["rye, wheat, oat", "bread"], ("rye", "wheat", "oat", "bread")),
        ('#rye, "wheat"', ("rye", "wheat")),
        ("nid:1234, site:section/travel, rye", ("rye",)),
        ("rye, null, {{tag}}", ("rye",)),
        ("x" * 200, ()),
        (None, ()),
    ],
)
def test_tags(written: object, tags: tuple[str, ...]) -> None:
    assert values.tags(written) == tags


def test_tags_end_somewhere() -> None:
    assert len(values.tags(",".join(map(str, range(5_000))))) == 100


@pytest.mark.parametrize(
    ("written", "licence"),
    [
        ("http://creativecommons.org/licenses/by/4.0", "https://creativecommons.org/licenses/by/4.0/"),
        ("https://creativecommons.org/licenses/by-nc-sa/3.0/de/deed.de", "https://creativecommons.org/licenses/by-nc-sa/3.0/de/"),
        ("//creativecommons.org/publicdomain/zero/1.0/", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("Some rights reserved: CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
        ("cc-by-nc-nd", "https://creativecommons.org/licenses/by-nc-nd/"),
        ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        (
            "Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International",
            "https://creativecommons.org/licenses/by-nc-sa/4.0/",
        ),
        ("Creative Commons Attribution 3.0", "https://creativecommons.org/licenses/by/3.0/"),
        ("© 2024 The Oven. All rights reserved.", None),
        ("Cc: Ann Lee", None),
        ("https://oven.example/terms", None),
        (None, None),
    ],
)  # fmt: skip
def test_licences_are_addresses(written: object, licence: str | None) -> None:
    assert values.licence(written) == licence
