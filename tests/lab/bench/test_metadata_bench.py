"""What `tamis bench --metadata` calls right, counts, and says about confidence."""

from __future__ import annotations

import pytest

from tamis.lab.bench.metadata.matching import (
    names_of,
    same_authors,
    same_authors_strictly,
    same_date,
    same_title,
    same_title_strictly,
)


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("The tide turns", "The tide turns", True),
        ("The tide turns", " the  Tide\nturns. ", True),
        ("“The tide” – it’s turning", '"The tide" - it\'s turning', True),
        ("The tide\u00a0turns…", "The tide turns", True),
        ("Ｔｈｅ tide", "The tide", True),
        ("The tide turns", "The tide turns | The Harbour Times", False),
        ("The tide turns", "Tide turns", False),
        ("?", "!", False),
        ("The tide", "", False),
    ],
)
def test_titles(gold: str, answer: str, same: bool) -> None:
    assert same_title(answer, gold) is same


def test_strict_titles_may_differ_in_white_space_only() -> None:
    assert same_title_strictly("The tide turns", "The  tide turns ")
    assert not same_title_strictly("The tide turns", "the tide turns")


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("2023-05-04", "2023-05-04", True),
        ("2023-05-04", "2023-05-04T23:30:00-07:00", True),
        ("2023-05-04", "20230504", True),
        ("2023-05-04", "2023-05-05", False),
        ("2023-05", "2023-05-31", True),
        ("2023-05", "2023-06-01", False),
        ("2023", "2023-06-01", True),
        ("2023-05-04", "2023-05", False),
        ("2023-05-04", "yesterday", False),
        ("NaT", "NaT", False),
    ],
)
def test_dates(gold: str, answer: str, same: bool) -> None:
    assert same_date(answer, gold) is same


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann Lee", ("Ann Lee",)),
        ("Ann Lee, Bob Ray", ("Ann Lee", "Bob Ray")),
        ("Ann Lee and Bob Ray", ("Ann Lee", "Bob Ray")),
        ("Ann Lee, Bob Ray, and Cy Day", ("Ann Lee", "Bob Ray", "Cy Day")),
        ("Ann, Bob and Cy", ("Ann", "Bob", "Cy")),
        ("Ann Lee & Bob Ray; Cy Day", ("Ann Lee", "Bob Ray", "Cy Day")),
        ("Ann Lee ,  Bob Ray,", ("Ann Lee", "Bob Ray")),
        ("Ann - Bob Ray", ("Ann", "Bob Ray")),
        ("Anne-Marie Lee", ("Anne-Marie Lee",)),
        ("Anna Müller und Jörg Weiß", ("Anna Müller", "Jörg Weiß")),
        ("Ann Lee, PhD; Bob Ray, M.D. FACS", ("Ann Lee", "Bob Ray")),
        ("Ann Lee, MS, RD, XYZQ and Dr. Bob Ray", ("Ann Lee", "Bob Ray")),
        ("Ann Lee CPP, PSP", ("Ann Lee",)),
        ("ANN LEE, BOB RAY", ("ANN LEE", "BOB RAY")),
        ("Ann Lee, Home and Garden Expert", ("Ann Lee",)),
        ("Ann Lee, staff writer and Bob Ray", ("Ann Lee", "Bob Ray")),
        ("Ann Lee, CNN", ("Ann Lee", "CNN")),
        ("Ann Lee (The Harbour Times)", ("Ann Lee",)),
        ("Ann Lee <ann@site.example>", ("Ann Lee",)),
        ("Ray, Bob T.", ("Bob T Ray",)),
        ("Ray, B. T.", ("B. T Ray",)),
        ("AFP, Ann Lee", ("AFP", "Ann Lee")),
        ("Ray, Bob; Lee, Ann", ("Bob Ray", "Ann Lee")),
        ("Bob Ray, Jr.", ("Bob Ray Jr",)),
        ("Md Hossain Ray", ("Md Hossain Ray",)),
        ("Ann Lee, Ann Lee", ("Ann Lee",)),
        ("@annlee", ("annlee",)),
        (" , ; ", ()),
        ("", ()),
    ],
)
def test_names_of_a_list(text: str, names: tuple[str, ...]) -> None:
    assert names_of(text) == names


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("Ann Lee and Bob Ray", ("Bob Ray", "Ann Lee"), True),
        ("Ann Lee and Bob Ray", "Bob Ray; ann lee", True),
        ("J. K. Lee", "JK Lee", True),
        ("Dr. Ann Lee, PhD", ["Ann Lee"], True),
        ("Ann Lee, MS, RD", "Ann Lee; MS; RD", True),
        ("Ann, Bob", ("Bob", "Ann"), True),
        ("Ann O’Lee", "Ann O'Lee", True),
        ("Ann Lee", "Ann Lee; Bob Ray", False),
        ("Ann Lee and Bob Ray", "Ann Lee", False),
        ("Ann Lee", "Ann Lee, CNN", False),
        ("Ann Lee", (), False),
        ("", "", False),
    ],
)
def test_authors(gold: str, answer: str | tuple[str, ...], same: bool) -> None:
    assert same_authors(answer, gold) is same


def test_strict_authors_keep_their_titles() -> None:
    assert same_authors_strictly("Ann Lee, Bob Ray", "bob ray and  Ann Lee")
    assert not same_authors_strictly("Ann Lee, PhD", "Ann Lee")
