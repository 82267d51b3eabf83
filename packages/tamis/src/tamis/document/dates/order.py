"""Which number of 03/04/2021 is the month? The page's other dates tell, else its language and region."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from tamis.document.dates.months import primary

# Where the month stands before the day if the year stands last. English without a region is mostly American.
_MONTH_FIRST = frozenset({"en", "en-us", "en-ph", "en-ca", "en-pr", "es-us", "es-pr", "fil", "ja", "ko", "zh"})
_DAY_FIRST_IN = frozenset({"zh-hk", "zh-mo", "zh-sg"})
# Where the year stands first in 21/03/04.
_YEAR_FIRST = frozenset({"ja", "ko", "zh", "hu", "lt", "mn"})

_NUMBERS = re.compile(r"(?<![0-9])([0-9]{1,2}) ?([./\-]) ?([0-9]{1,2}) ?\2 ?((?:19|20)[0-9]{2}|[0-9]{2})(?![0-9])")
# "3 October 2023" and "October 3, 2023".
_DAY_FIRST = re.compile(r"(?<![0-9])[0-9]{1,2}(?:st|nd|rd|th)?\.? [^\W\d_]{3,}\.?,? (?:19|20)[0-9]{2}")
_MONTH_AHEAD = re.compile(r"(?<![^\W\d_])[^\W\d_]{3,}\.? [0-9]{1,2}(?:st|nd|rd|th)?,? (?:19|20)[0-9]{2}")
# The weights of a date that can be read in one way only and of one that is near a known day; a written month has 1.
_SURE, _NEAR = 10_000, 100
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

    Those with a number above 12 tell it, then days that are known to be near, then dates with a written month: an
    English page of no region with "3 October 2023" means the third of October with 03/10/2023. Otherwise the language
    tells it.
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
    """Does the month stand first if the year stands last?"""
    if order in ("dmy", "mdy"):
        return order == "mdy"
    tag = language.lower().replace("_", "-")
    return tag not in _DAY_FIRST_IN and (tag in _MONTH_FIRST or (tag[:3] != "en-" and primary(tag) in _MONTH_FIRST))
