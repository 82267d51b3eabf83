"""Days, also of other calendars: Japanese eras, the Republic of China, Chinese numerals, the Persian year."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from tamis.document.dates.months import fold

FIRST_YEAR, LAST_YEAR = 1990, 2100  # of a page

_DIGITS = {digit: str(value) for value, digit in enumerate("〇一二三四五六七八九")} | {"零": "0", "○": "0"}
_YEAR_BEFORE = {"昭和": 1925, "平成": 1988, "令和": 2018, "民國": 1911, "民国": 1911}
_ERA = re.compile(
    rf"(?P<era>{'|'.join(_YEAR_BEFORE)})\s?(?P<year>[0-9]{{1,3}}|元)\s?年\s?(?P<month>[0-9]{{1,2}})\s?月"
    r"(?:\s?(?P<day>[0-9]{1,2})\s?日)?"
)
_NUMERALS = re.compile(
    r"(?P<year>[一二][〇零○一二三四五六七八九]{3})年(?P<month>[一二三四五六七八九十]{1,2})月"
    r"(?:(?P<day>[一二三四五六七八九十廿]{1,3})[日号號])?"
)
_PERSIAN_MONTHS = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند"
_PERSIAN = {fold(name): month for month, name in enumerate(_PERSIAN_MONTHS.split(), 1)}
_PERSIAN_DATE = re.compile(
    r"(?<![0-9])(?P<day>[0-9]{1,2})\s{1,2}(?P<month>[^\W\d_]{2,10}(?:\s?ماه)?)\s{1,2}(?P<year>1[34][0-9]{2})(?![0-9])"
)
_PERSIAN_NUMBERS = re.compile(
    r"(?<![0-9])(?P<year>1[34][0-9]{2})\s?[/\-]\s?(?P<month>[0-9]{1,2})\s?[/\-]\s?(?P<day>[0-9]{1,2})(?![0-9])"
)
# A Persian year begins with spring: the first of Farvardin 1400 was the 21st of March 2021. Leap years follow a cycle
# of 33 years, which holds until 2124.
_SPRING_1400 = date(2021, 3, 21)
_LEAP = frozenset({1, 5, 9, 13, 17, 22, 26, 30})


class Part(NamedTuple):
    """A date in a text, day 0 if only the month is written."""

    year: int
    month: int
    day: int
    start: int
    end: int


def day_of(year: int, month: int, day: int) -> date | None:
    """The day with these numbers; None if there is none, or no page was written then."""
    try:
        return date(year, month, day) if FIRST_YEAR <= year <= LAST_YEAR else None
    except ValueError:
        return None


def parts(text: str, language: str) -> Iterator[Part]:
    """The dates of other calendars in a text with plain digits."""
    if "年" in text:
        for found in _ERA.finditer(text):
            year = 1 if found["year"] == "元" else int(found["year"])
            yield Part(_YEAR_BEFORE[found["era"]] + year, int(found["month"]), int(found["day"] or 0), *found.span())
        for found in _NUMERALS.finditer(text):
            year = int("".join(_DIGITS[digit] for digit in found["year"]))
            yield Part(year, _numeral(found["month"]), _numeral(found["day"] or ""), *found.span())
    if language == "fa":
        for pattern in (_PERSIAN_DATE, _PERSIAN_NUMBERS):
            for found in pattern.finditer(text):
                month = found["month"]
                numbered = int(month) if month.isdigit() else _PERSIAN.get(fold(month.removesuffix("ماه").strip()), 0)
                if day := persian(int(found["year"]), numbered, int(found["day"])):
                    yield Part(day.year, day.month, day.day, *found.span())


def persian(year: int, month: int, day: int) -> date | None:
    """The day of a Persian date; None if there is none."""
    if not (1300 <= year < 1500 and 1 <= month <= 12):
        return None
    longest = 31 if month <= 6 else 30 if month < 12 or year % 33 in _LEAP else 29
    if not 1 <= day <= longest:
        return None
    leaps = sum(each % 33 in _LEAP for each in range(min(year, 1400), max(year, 1400)))
    days = (year - 1400) * 365 + (leaps if year > 1400 else -leaps)
    return _SPRING_1400 + timedelta(days=days + (month - 1) * 30 + min(month - 1, 6) + day - 1)


def _numeral(text: str) -> int:
    """A number up to 39 in Chinese numerals; 0 if it is none."""
    text = text.replace("廿", "二十")
    tens, ten, ones = text.rpartition("十")
    try:
        return (int(_DIGITS.get(tens, "1")) * 10 if ten else 0) + int(_DIGITS.get(ones, "0") if ones else 0)
    except ValueError:
        return 0
