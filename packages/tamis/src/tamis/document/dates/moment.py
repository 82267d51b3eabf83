"""A date as a page writes it: a day, a month or a year, and where the page tells it the time and its zone."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

_LENGTHS = {"day": 10, "month": 7, "year": 4}


class Moment(NamedTuple):
    """A date that was read. The day is the one that was written, in the zone of the page."""

    day: date  # the first of the month or year, if the day is not known
    precision: str = "day"  # day, month or year
    time: datetime | None = None  # on that day as written, with its zone where it is known; None without a time

    @property
    def iso(self) -> str:
        """YYYY-MM-DD, YYYY-MM or YYYY."""
        return self.day.isoformat()[: _LENGTHS[self.precision]]

    @property
    def instant(self) -> str | None:
        """ISO 8601 with the time and its zone; None if one of both is not known."""
        return self.time.isoformat() if self.time is not None and self.time.tzinfo is not None else None
