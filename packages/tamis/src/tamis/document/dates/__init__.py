"""Dates as pages write them, in the notations of some seventy languages."""

from __future__ import annotations

from tamis.document.dates.calendars import order_of
from tamis.document.dates.moment import Moment
from tamis.document.dates.search import FoundDate, find, read

__all__ = ["FoundDate", "Moment", "day", "find", "order_of", "read"]


def day(value: object) -> str | None:
    """The day of a date in one of the usual notations, as ISO."""
    found = read(value) if isinstance(value, str) else None
    return found.iso if found and found.precision == "day" else None
