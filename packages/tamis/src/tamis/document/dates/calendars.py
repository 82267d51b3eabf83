"""Days of all calendars, the names of months, and the order of the numbers in a date."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

TABLE = Path(__file__).with_name("months.json")

# Accents, and the marks of hamza and madda, which many leave out; dots and apostrophes of abbreviations.
_MARKS = re.compile(r"[\u0300-\u036f\u0653-\u0655\u0640.'’`´׳\u200b-\u200f]+")
_ELIDED = re.compile(r"^[dl]['’]")  # "d'abril"
_SAME_LETTER = str.maketrans("ıیىک", "iييك")  # of Turkish, Persian and Arabic
_SAME_LANGUAGE = {"no": "nb", "iw": "he", "in": "id", "tl": "fil", "sh": "sr"}
_LONGEST_TAG = 12
_LONGEST_NAME = 20
_SHORTEST_PREFIX = 3  # of the name of a month; shorter ones are ambiguous


def fold(word: str) -> str:
    """A word in the spelling of the table: without capitals, accents and dots."""
    if word.isascii():
        word = word.lower().replace(".", "")
        return word[2:] if word[1:2] == "'" else word
    return _MARKS.sub("", normalize("NFKD", _ELIDED.sub("", word.casefold()))).translate(_SAME_LETTER)


def primary(language: str) -> str:
    """The language alone, of a tag such as "pt-br"."""
    return _primary(language[:_LONGEST_TAG])


@lru_cache(maxsize=256)
def _primary(tag: str) -> str:
    code = tag.replace("_", "-").partition("-")[0].lower()
    return _SAME_LANGUAGE.get(code, code)


@lru_cache(maxsize=4096)
def month_number(word: str, language: str = "", *, is_sure: bool = True) -> int:
    """The number of the month with that name in the language, in English or in any other; 0 for other words.

    Unless the word is sure to be a month, short words of other languages do not count: "Mac" is one to Malays only.
    """
    if not 1 < len(word) <= _LONGEST_NAME:
        return 0
    name = fold(word)
    own = _months().get(primary(language), {})
    if found := own.get(name) or _months()["en"].get(name):
        return found
    if len(name) >= _SHORTEST_PREFIX:
        prefixed = {month for full, month in own.items() if full.startswith(name)}
        if len(prefixed) == 1:
            return prefixed.pop()
    return _months()["*"].get(name, 0) if is_sure or (not own and len(name) > _SHORTEST_PREFIX) else 0


@cache
def _months() -> dict[str, dict[str, int]]:
    """For each language the month of each name; "*" has all names, those of languages earlier in the table first."""
    table: dict[str, list[str]] = json.loads(TABLE.read_text(encoding="utf-8"))
    found: dict[str, dict[str, int]] = {"*": {}}
    for language, lists in table.items():
        found[language] = {name: month for month, names in enumerate(lists, 1) for name in names.split()}
        found["*"] = found[language] | found["*"]
    return found


FIRST_YEAR = 1990  # of a page
LAST_YEAR = 2100

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


class CalendarDate(NamedTuple):
    """A date in a text, day 0 if only the month is written."""

    year: int
    month: int
    day: int
    start: int
    end: int


def day_of(year: int, month: int, day: int) -> date | None:
    """The day with these numbers; None if it does not exist, or is before pages were written."""
    try:
        return date(year, month, day) if FIRST_YEAR <= year <= LAST_YEAR else None
    except ValueError:
        return None


def dates_in(text: str, language: str) -> Iterator[CalendarDate]:
    """The dates of other calendars in a text with plain digits."""
    if "年" in text:
        for found in _ERA.finditer(text):
            year = 1 if found["year"] == "元" else int(found["year"])
            yield CalendarDate(
                _YEAR_BEFORE[found["era"]] + year, int(found["month"]), int(found["day"] or 0), *found.span()
            )
        for found in _NUMERALS.finditer(text):
            year = int("".join(_DIGITS[digit] for digit in found["year"]))
            yield CalendarDate(year, _numeral(found["month"]), _numeral(found["day"] or ""), *found.span())
    if language == "fa":
        for pattern in (_PERSIAN_DATE, _PERSIAN_NUMBERS):
            for found in pattern.finditer(text):
                month = found["month"]
                numbered = int(month) if month.isdigit() else _PERSIAN.get(fold(month.removesuffix("ماه").strip()), 0)
                if day := _persian_day(int(found["year"]), numbered, int(found["day"])):
                    yield CalendarDate(day.year, day.month, day.day, *found.span())


def _persian_day(year: int, month: int, day: int) -> date | None:
    """The day of a Persian date; None if it does not exist."""
    if not (1300 <= year < 1500 and 1 <= month <= 12):
        return None
    longest = 31 if month <= 6 else 30 if month < 12 or year % 33 in _LEAP else 29
    if not 1 <= day <= longest:
        return None
    leaps = sum(each % 33 in _LEAP for each in range(min(year, 1400), max(year, 1400)))
    days = (year - 1400) * 365 + (leaps if year > 1400 else -leaps)
    return _SPRING_1400 + timedelta(days=days + (month - 1) * 30 + min(month - 1, 6) + day - 1)


def _numeral(text: str) -> int:
    """A number up to 39 in Chinese numerals; 0 for other texts."""
    text = text.replace("廿", "二十")
    tens, ten, ones = text.rpartition("十")
    try:
        return (int(_DIGITS.get(tens, "1")) * 10 if ten else 0) + int(_DIGITS.get(ones, "0") if ones else 0)
    except ValueError:
        return 0


# The languages with the month before the day if the year is last. English without a region is mostly American.
_MONTH_FIRST = frozenset({"en", "en-us", "en-ph", "en-ca", "en-pr", "es-us", "es-pr", "fil", "ja", "ko", "zh"})
_DAY_FIRST_IN = frozenset({"zh-hk", "zh-mo", "zh-sg"})
# The languages with the year first in 21/03/04.
_YEAR_FIRST = frozenset({"ja", "ko", "zh", "hu", "lt", "mn"})

_NUMBERS = re.compile(r"(?<![0-9])([0-9]{1,2}) ?([./\-]) ?([0-9]{1,2}) ?\2 ?((?:19|20)[0-9]{2}|[0-9]{2})(?![0-9])")
# "3 October 2023" and "October 3, 2023".
_DAY_FIRST = re.compile(r"(?<![0-9])[0-9]{1,2}(?:st|nd|rd|th)?\.? [^\W\d_]{3,}\.?,? (?:19|20)[0-9]{2}")
_MONTH_AHEAD = re.compile(r"(?<![^\W\d_])[^\W\d_]{3,}\.? [0-9]{1,2}(?:st|nd|rd|th)?,? (?:19|20)[0-9]{2}")
_SURE = 10_000  # the weight of a date that can be read in one way only; that of a written month is 1
_NEAR = 100  # the weight of a date near a known day
_MOST_DAYS = 16  # between a date and a known day that is near, or the middle of a known month


def usual_order(language: str) -> str:
    """The order of the parts of a date in numbers, by a language tag such as "en-gb"."""
    tag = language.lower().replace("_", "-")
    code = primary(tag)
    if code in _YEAR_FIRST:
        return "ymd"
    return "mdy" if tag in _MONTH_FIRST or (code != "en" and code in _MONTH_FIRST) else "dmy"


def order_of(language: str, samples: Iterable[str], known: Sequence[date] = ()) -> str:
    """The order in dates like these texts.

    Those with a number above 12 decide, then known days that are near, then dates with a written month: an English
    page without a region that has "3 October 2023" means the third of October with 03/10/2023. Otherwise the language
    decides.
    """
    votes = 0  # for the day first
    has_region = "-" in language.replace("_", "-")
    for sample in samples:
        for first, _, second, year in _NUMBERS.findall(sample):
            votes += _SURE * ((int(first) > 12) - (int(second) > 12))
            votes += _NEAR * _nearer(int(first), int(second), int(year), known)
        if not has_region:
            votes += bool(_DAY_FIRST.search(sample)) - bool(_MONTH_AHEAD.search(sample))
    return "dmy" if votes > 0 else "mdy" if votes < 0 else usual_order(language)


def _nearer(first: int, second: int, year: int, known: Sequence[date]) -> int:
    """Is a date closer to the known days with the day first (1) or with the month first (-1)?"""
    if not known or first == second or max(first, second) > 12:
        return 0
    full = year if year > 99 else 2000 + year
    try:
        day_first, month_first = (
            min(abs((day - each).days) for each in known)
            for day in (date(full, second, first), date(full, first, second))
        )
    except ValueError:
        return 0
    return (day_first < month_first) - (month_first < day_first) if min(day_first, month_first) <= _MOST_DAYS else 0


def is_month_first(order: str, language: str) -> bool:
    """Does the month come first if the year is last?"""
    if order in ("dmy", "mdy"):
        return order == "mdy"
    tag = language.lower().replace("_", "-")
    return tag not in _DAY_FIRST_IN and (tag in _MONTH_FIRST or (tag[:3] != "en-" and primary(tag) in _MONTH_FIRST))
