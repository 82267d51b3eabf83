"""Dates as pages write them."""

from __future__ import annotations

from datetime import date
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.document.dates import Moment, day, find, order_of, read

# Language, text, day.
WRITTEN = """
en | March 5, 2021 | 2021-03-05
en | Posted on Friday, 5th of March 2021 by Ann | 2021-03-05
en | Sept. 1st, 2019 | 2019-09-01
en | 05-Mar-21 | 2021-03-05
en | 5 Mar 21 | 2021-03-05
en | Mar 5, '21 | 2021-03-05
en | Friday 5 March, 2021 | 2021-03-05
en | 2021 March 5 | 2021-03-05
de | Freitag, 5. März 2021 | 2021-03-05
de | 1. Mai 2020, 14:30 Uhr | 2020-05-01
de | am 5.3.2021 um 10.15 Uhr | 2021-03-05
de-at | 5. Jänner 2021 | 2021-01-05
fr | le 1er août 2021 à 14h30 | 2021-08-01
fr | Publié le vendredi 5 févr. 2021 | 2021-02-05
fr | 05/03/2021 | 2021-03-05
es | 5 de marzo de 2021 | 2021-03-05
es | viernes, 5 de setiembre del 2021 | 2021-09-05
es | 05 ENE 2021 | 2021-01-05
it | venerdì 5 maggio 2021, ore 10:30 | 2021-05-05
it | 1º gennaio 2020 | 2020-01-01
pt | 5 de março de 2021 às 14h30 | 2021-03-05
pt-br | Sexta-feira, 05 de Dez. de 2021 | 2021-12-05
nl | vrijdag 5 maart 2021 om 10:00 | 2021-03-05
nl | 5 mrt. 2021 | 2021-03-05
pl | 5 października 2021 r. | 2021-10-05
pl | 5 listopada 2021 | 2021-11-05
hr | 5. listopada 2021. | 2021-10-05
ru | 5 мая 2021 г. | 2021-05-05
ru | 5 мая 2021 года в 10:30 | 2021-05-05
ru | 05 Сен 2021, 10:30 | 2021-09-05
uk | 5 травня 2021 р. | 2021-05-05
be | 5 траўня 2021 | 2021-05-05
bg | 5 май 2021 г. | 2021-05-05
sr | 5. мај 2021. | 2021-05-05
sr | 5. avgust 2021. | 2021-08-05
mk | 5 мај 2021 | 2021-05-05
cs | pátek 5. května 2021 | 2021-05-05
cs | 5. 3. 2021 | 2021-03-05
sk | 5. októbra 2021 | 2021-10-05
sl | 5. avgust 2021 | 2021-08-05
ro | 5 martie 2021 | 2021-03-05
hu | 2021. május 3., hétfő | 2021-05-03
hu | 2021. 05. 03. | 2021-05-03
el | Δευτέρα, 5 Μαΐου 2021 | 2021-05-05
el | 5 ΑΥΓΟΥΣΤΟΥ 2021 | 2021-08-05
tr | 5 Ağustos 2021 Perşembe | 2021-08-05
tr | 12 KASIM 2020 | 2020-11-12
sv | den 5 maj 2021 kl. 10.30 | 2021-05-05
da | 5. oktober 2021 kl. 10:30 | 2021-10-05
nb | 5. desember 2021 | 2021-12-05
no | 5. des. 2021 | 2021-12-05
fi | 5. toukokuuta 2021 klo 14.30 | 2021-05-05
et | 5. märts 2021 | 2021-03-05
lv | 2021. gada 3. maijs | 2021-05-03
lt | 2021 m. gegužės 3 d. | 2021-05-03
is | 5. ágúst 2021 | 2021-08-05
ca | 5 d’octubre de 2021 | 2021-10-05
ca | 5 de maig del 2021 | 2021-05-05
eu | 2021(e)ko maiatzaren 3(a) | 2021-05-03
gl | 5 de xaneiro de 2021 | 2021-01-05
ga | 5 Deireadh Fómhair 2021 | 2021-10-05
sq | 5 shkurt 2021 | 2021-02-05
zh | 2021年5月3日 | 2021-05-03
zh | 发布时间：2021年5月3日 14:30 | 2021-05-03
zh | 二〇二一年五月二十三日 | 2021-05-23
zh-tw | 民國110年5月3日 | 2021-05-03
ja | 2021年5月3日（月） 14時30分 | 2021-05-03
ja | 令和6年3月5日 | 2024-03-05
ja | 令和元年5月3日 | 2019-05-03
ja | 21/05/03 | 2021-05-03
ko | 2021년 5월 3일 오후 2:30 | 2021-05-03
ko | 입력 2021. 5. 3. 14:30 | 2021-05-03
ar | الجمعة 5 مارس 2021 | 2021-03-05
ar | ٥ مايو ٢٠٢١ | 2021-05-05
ar | 5 كانون الثاني/يناير 2021 | 2021-01-05
ar | 5 تشرين الأول 2021 | 2021-10-05
fa | ۵ مه ۲۰۲۱ | 2021-05-05
fa | ۱۵ اردیبهشت ۱۴۰۰ | 2021-05-05
fa | ۱۳۹۹/۱۲/۳۰ | 2021-03-20
he | 5 במאי 2021 | 2021-05-05
hi | 5 मई 2021 | 2021-05-05
bn | ৫ মে ২০২১ | 2021-05-05
ta | 5 மே 2021 | 2021-05-05
ur | 5 مارچ 2021 | 2021-03-05
th | 5 พฤษภาคม 2564 | 2021-05-05
th | 5 พ.ค. 64 | 2021-05-05
th | 05/03/2564 | 2021-03-05
vi | Ngày 5 tháng 12 năm 2021 | 2021-12-05
vi | 5 Tháng 5, 2021 | 2021-05-05
id | Jumat, 5 Agustus 2021 10:30 WIB | 2021-08-05
ms | 5 Ogos 2021 | 2021-08-05
ms | 5 Mac 2021 | 2021-03-05
ka | 5 მაისი 2021 | 2021-05-05
hy | 5 մայիսի 2021 | 2021-05-05
az | 5 avqust 2021 | 2021-08-05
kk | 5 мамыр 2021 | 2021-05-05
"""
CASES = [tuple(part.strip() for part in line.split("|")) for line in WRITTEN.strip().splitlines()]


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_written_dates(language: str, text: str, expected: str) -> None:
    found = find(text, language)
    assert [each.moment.iso for each in found] == [expected]
    assert read(text, language) == found[0].moment
    assert text[found[0].start : found[0].end].strip()


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_most_need_no_language(language: str, text: str, expected: str) -> None:
    needs_language = {"hr", "fa", "ja"} | ({"ms"} if "Mac" in text else set())
    if language not in needs_language:
        assert day(text) == expected


@pytest.mark.parametrize(
    ("value", "iso", "instant"),
    [
        ("2024-03-05", "2024-03-05", None),
        (" 2024-3-5 ", "2024-03-05", None),
        ("2024/03/05", "2024-03-05", None),
        ("20240305", "2024-03-05", None),
        ("2024-03-05T10:20", "2024-03-05", None),
        ("2024-03-05 10:20:30.0", "2024-03-05", None),
        ("2024-03-05T23:20:30+02:00", "2024-03-05", "2024-03-05T23:20:30+02:00"),
        ("2024-03-05T23:20:30-0500", "2024-03-05", "2024-03-05T23:20:30-05:00"),
        ("2024-03-05T10:20:30.123456Z", "2024-03-05", "2024-03-05T10:20:30+00:00"),
        ("2024-03-05 10:20:30 +0200", "2024-03-05", "2024-03-05T10:20:30+02:00"),
        ("2024-03-05T10:20:30+02", "2024-03-05", "2024-03-05T10:20:30+02:00"),
        ("2024-03-05T10:20:30+01:00[Europe/Berlin]", "2024-03-05", "2024-03-05T10:20:30+01:00"),
        ("20240305T102030Z", "2024-03-05", "2024-03-05T10:20:30+00:00"),
        ("20240305102030", "2024-03-05", None),
        ("Tue, 05 Mar 2024 10:20:30 +0200", "2024-03-05", "2024-03-05T10:20:30+02:00"),
        ("Tue, 05 Mar 2024 10:20:30 GMT", "2024-03-05", "2024-03-05T10:20:30+00:00"),
        ("Tue Mar 5 10:20:30 UTC 2024", "2024-03-05", "2024-03-05T10:20:30+00:00"),
        ("Tue Mar 05 2024 10:20:30 GMT+0100 (CET)", "2024-03-05", "2024-03-05T10:20:30+01:00"),
        ("2024030510", "2024-03-05", None),
        ("946684800", "2000-01-01", "2000-01-01T00:00:00+00:00"),
        ("1709632800", "2024-03-05", "2024-03-05T10:00:00+00:00"),
        ("1709632800000", "2024-03-05", "2024-03-05T10:00:00+00:00"),
        ("March 5, 2024 3:04 p.m. EST", "2024-03-05", "2024-03-05T15:04:00-05:00"),
        ("12:30 AM EDT, Tue March 5, 2024", "2024-03-05", "2024-03-05T00:30:00-04:00"),
        ("5. März 2024, 14:30 Uhr (MEZ)", "2024-03-05", "2024-03-05T14:30:00+01:00"),
        ("2004", "2004", None),
        ("2021-05", "2021-05", None),
        ("05/2021", "2021-05", None),
        ("May 2021", "2021-05", None),
    ],
)
def test_values(value: str, iso: str, instant: str | None) -> None:
    found = read(value)
    assert found is not None
    assert (found.iso, found.instant) == (iso, instant)


@pytest.mark.parametrize(
    "value",
    [
        *(
            "",
            " ",
            "yesterday",
            "soon",
            "12345",
            "123456789012",
            "2021-02-30",
            "31/02/2021",
            "0000-00-00",
            "1970-01-01",
        ),
        *("1234-05-06", "9999-12-31", "0", "-1", "10.12.20.1", "5 maybe 2021", "5 people 2021", "12 of 2021", "12:30"),
    ],
)
def test_no_dates(value: str) -> None:
    assert read(value) is None
    assert find(value) == []


@pytest.mark.parametrize(
    "text",
    ["Copyright 2021", "© 2019-2021", "the Mac 2021", "Box Set 2020", "in 2021 we", "1/2", "3 of 4", "Ubuntu 20.04"],
)
def test_years_and_other_numbers_are_no_dates(text: str) -> None:
    assert find(text, "en") == []


def test_several_dates_in_their_order() -> None:
    text = "Published May 5, 2020 | Updated 3:30 PM, June 6, 2021 | since March 2019 | 12 comments 7.8.2021"
    found = find(text, "en-gb")
    assert [each.moment.iso for each in found] == ["2020-05-05", "2021-06-06", "2019-03", "2021-08-07"]
    assert [text[each.start : each.end] for each in found][::2] == ["May 5, 2020", "March 2019"]
    assert [each.is_ambiguous for each in found] == [False, False, False, True]
    assert [each.moment.iso for each in find("5 May 2021 06.05.2021 07.05.2021")] == [
        f"2021-05-0{n}" for n in (5, 6, 7)
    ]


@pytest.mark.parametrize(
    ("language", "order", "expected"),
    [
        ("en", "", "2021-03-04"),
        ("en-us", "", "2021-03-04"),
        ("en-gb", "", "2021-04-03"),
        ("en-gb", "mdy", "2021-03-04"),
        ("en", "dmy", "2021-04-03"),
        ("de", "", "2021-04-03"),
        ("", "", "2021-04-03"),
        ("ja", "", "2021-03-04"),
    ],
)
def test_order_of_day_and_month(language: str, order: str, expected: str) -> None:
    (found,) = find("03/04/2021", language, order)
    assert found.moment.iso == expected
    assert found.is_ambiguous


@pytest.mark.parametrize(
    ("language", "samples", "expected"),
    [
        ("en", ["13/04/2021", "05/04/2021"], "dmy"),
        ("de", ["04/13/2021"], "mdy"),
        ("en", ["03/04/2021"], "mdy"),
        ("fr", [], "dmy"),
        ("ko", ["no date"], "ymd"),
        ("en", ["13/04/2021 and 14/04/2021", "4/15/2021"], "dmy"),
    ],
)
def test_order_of_a_page(language: str, samples: list[str], expected: str) -> None:
    assert order_of(language, samples) == expected


@pytest.mark.parametrize(("known", "expected"), [("2021-05-04", "dmy"), ("2021-03-20", "mdy"), ("2020-01-01", "mdy")])
def test_a_known_day_near_by_tells_the_order(known: str, expected: str) -> None:
    assert order_of("en", ["03/05/2021"], [date.fromisoformat(known)]) == expected


def test_a_moment_without_a_day() -> None:
    assert Moment(date(2021, 5, 1), "month").iso == "2021-05"
    assert day("May 2021") is None
    assert day(None) is None
    assert day("5.6.2007") == "2007-06-05"


@given(
    st.text(alphabet=st.sampled_from("0123456789 ./-:年月日TZ'’,+abmyMAY\n٣۲กк"), max_size=60) | st.text(max_size=60)
)
def test_any_text(text: str) -> None:
    for found in find(text, "en"):
        assert 0 <= found.start < found.end <= len(text)
        assert 1990 <= found.moment.day.year <= 2100
    read(text, "fa")


@given(st.dates(date(1990, 1, 1), date(2100, 12, 31)))
def test_round_trip(written: date) -> None:
    for form in ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%b %d %Y", "%Y/%m/%d", "%Y%m%d", "%d.%m.%Y"):
        assert read(written.strftime(form)) == Moment(written)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "unit", ["1", "12 ", "2021 ", "a", "5 a", "5 May ", "2021. ", "12/", "年", "10:30 ", " ", "5 de ", "May "]
)
def test_long_texts_take_linear_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    start = perf_counter()
    find(text, "fa")
    read(text)
    assert perf_counter() - start < 3
