"""Days in the usual notations."""

from __future__ import annotations

import re
from datetime import date

from tamis.document.dates.moment import Moment

__all__ = ["Moment", "day"]

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
# In the order they are tried.
_DATES = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"),
    re.compile(r"^(?P<year>\d{4})[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})"),
    re.compile(r"^(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?:\D|$)"),
    re.compile(r"\b(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?P<month>[A-Za-z]{3})[a-z]*\.?,?\s+(?P<year>\d{4})\b"),
    re.compile(r"\b(?P<month>[A-Za-z]{3})[a-z]*\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})\b"),
)


def day(value: object) -> str | None:
    """The day of a date in one of the usual notations, as ISO."""
    if not isinstance(value, str):
        return None
    found = next((match for pattern in _DATES if (match := pattern.search(value.strip()))), None)
    if found is None:
        return None
    month = found["month"].lower()
    number = int(month) if month.isdigit() else _MONTHS.index(month) + 1 if month in _MONTHS else 0
    try:
        return date(int(found["year"]), number, int(found["day"])).isoformat()
    except ValueError:
        return None
