"""Which number of 03/04/2021 is the month? The page's other dates tell, else its language and region."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tamis.document.dates.months import primary

ORDERS = ("dmy", "mdy", "ymd")

# Where the month stands before the day if the year stands last. English without a region is mostly American.
_MONTH_FIRST = frozenset({"en", "en-us", "en-ph", "en-ca", "en-pr", "es-us", "es-pr", "fil", "ja", "ko", "zh"})
_DAY_FIRST_IN = frozenset({"zh-hk", "zh-mo", "zh-sg"})
# Where the year stands first in 21/03/04.
_YEAR_FIRST = frozenset({"ja", "ko", "zh", "hu", "lt", "mn"})

_NUMBERS = re.compile(r"(?<![0-9])([0-9]{1,2}) ?([./\-]) ?([0-9]{1,2}) ?\2 ?(?:(?:19|20)[0-9]{2}|[0-9]{2})(?![0-9])")


def usual_order(language: str) -> str:
    """The order of the parts of a date in numbers, by a language tag such as "en-gb"."""
    tag = language.lower().replace("_", "-")
    code = primary(tag)
    if code in _YEAR_FIRST:
        return "ymd"
    return "mdy" if tag in _MONTH_FIRST or (code != "en" and code in _MONTH_FIRST) else "dmy"


def order_of(language: str, samples: Iterable[str]) -> str:
    """The order in dates like these texts. The majority of those with a number above 12 tells, else the language."""
    votes = 0  # for the day first
    for sample in samples:
        for first, _, second in _NUMBERS.findall(sample):
            votes += (int(first) > 12) - (int(second) > 12)
    return "dmy" if votes > 0 else "mdy" if votes < 0 else usual_order(language)


def is_month_first(order: str, language: str) -> bool:
    """Does the month stand first if the year stands last?"""
    if order in ("dmy", "mdy"):
        return order == "mdy"
    tag = language.lower().replace("_", "-")
    return tag not in _DAY_FIRST_IN and (tag in _MONTH_FIRST or (tag[:3] != "en-" and primary(tag) in _MONTH_FIRST))
