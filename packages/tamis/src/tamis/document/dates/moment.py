"""A date as a page writes it: a day, a month or a year, and where the page tells it the time and its zone."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
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


# Hours from Greenwich. A name of several zones means that of most readers; ET, CT, MT and PT change with the season and
# are left out.
_HOURS = {
    "utc": 0, "gmt": 0, "z": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "cest": 2, "mez": 1, "mesz": 2, "eet": 2,
    "eest": 3, "msk": 3, "sast": 2, "wat": 1, "cat": 2, "eat": 3, "pkt": 5, "ist": 5.5, "wib": 7, "hkt": 8, "sgt": 8,
    "pht": 8, "awst": 8, "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13, "ast": -4, "adt": -3,
    "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8,
    "hst": -10, "brt": -3, "art": -3,
}  # fmt: skip
_ZONE = (
    r"(?P<zone>(?:GMT|UTC) ?[+\-−] ?[0-9]{1,2}(?::?[0-9]{2})?(?![0-9])|[+\-−][0-9]{2}:?[0-9]{2}(?![0-9])"
    rf"|(?:{'|'.join(_HOURS)})\b)"
)
_OFFSET = re.compile(r"(?:gmt|utc)?([+-])([0-9]{1,2}?)(?::?([0-9]{2}))?")
_HALF = r"a\.?m\b\.?|p\.?m\b\.?|π\.?μ\b\.?|μ\.?μ\b\.?|ч\b"
_CLOCK = (
    r"(?P<before>上午|下午|午前|午後|오전|오후)?\s?(?P<hour>[0-9]{1,2})"
    r"(?:\s?(?:[:.h時时시点點]\s?)(?P<minute>[0-9]{2})(?![0-9]|[./][0-9])(?::(?P<second>[0-9]{2})(?![0-9])(?:[.,][0-9]{1,9})?)?"
    rf"(?:[分분])?\s?(?P<half>{_HALF})?|\s?(?P<only>{_HALF}))"
    rf"(?:\s?(?:Uhr|hrs?|h)\b)?(?:\s?\(?{_ZONE})?"
)
# After a day: the time, perhaps after a weekday and a short word such as "at", "um" or "kl.".
_AFTER = re.compile(
    rf"\.?\(?\w?\)?[\s,;|/·•–—T@\-]{{0,5}}(?:[^\W\d_]{{1,6}}[.:]?\s{{1,2}}){{0,2}}+{_CLOCK}", re.IGNORECASE
)
# Before it: "10:30 AM EST, Mon".
_BEFORE = re.compile(
    rf"(?<![0-9.:]){_CLOCK}\)?[\s,;|·•–—\-]{{0,5}}(?:[^\W\d_]{{1,12}}\.?,?\s{{1,2}}){{0,2}}+$", re.IGNORECASE
)
_MOST_AFTER = 60  # characters that are read after a day
_MOST_BEFORE = 50
_AFTERNOON = frozenset({"下午", "午後", "오후"})
_MORNING = frozenset({"上午", "午前", "오전"})
_LONGEST_OFFSET = timedelta(hours=15)


def zone(text: str) -> tzinfo | None:
    """The zone of a text such as "Z", "+02:00", "GMT+8" or "CET"."""
    name = text.strip().lower().replace(" ", "").replace("−", "-")
    if name in _HOURS:
        return _fixed(timedelta(hours=_HOURS[name]))
    if not (offset := _OFFSET.fullmatch(name)):
        return None
    sign, hours, minutes = offset.groups("0")
    return _fixed((-1 if sign == "-" else 1) * timedelta(hours=int(hours), minutes=int(minutes)))


def _fixed(offset: timedelta) -> tzinfo | None:
    if abs(offset) > _LONGEST_OFFSET:
        return None
    return timezone(offset) if offset else UTC


def moment_of(day: date, hour: int, minute: int, second: int, where: str | None) -> datetime | None:
    """A time of that day; None if no clock shows it."""
    try:
        return datetime.combine(day, time(hour, minute, min(second, 59)), zone(where) if where else None)
    except ValueError:
        return None


def time_after(text: str, end: int, day: date) -> tuple[datetime | None, int]:
    """The time that follows a day which ends there, and where the time ends."""
    found = _AFTER.match(text, end, end + _MOST_AFTER)
    read = found and _clock_time(found, day)
    return read, found.end() if found and read else end


def time_before(text: str, start: int, day: date) -> tuple[datetime | None, int]:
    """The time before a day which starts there, and where the time starts."""
    first = max(0, start - _MOST_BEFORE)
    found = _BEFORE.search(text[first:start]) if text.find(":", first, start) >= 0 else None
    read = found and _clock_time(found, day)
    return read, first + found.start() if found and read else start


def _clock_time(found: re.Match[str], day: date) -> datetime | None:
    hour, half = int(found["hour"]), (found["half"] or found["only"] or "").lower().replace(".", "")
    if half in ("pm", "μμ") or found["before"] in _AFTERNOON:
        hour += 12 if hour < 12 else 0
    elif (half in ("am", "πμ") or found["before"] in _MORNING) and hour == 12:
        hour = 0
    return moment_of(day, hour, int(found["minute"] or 0), int(found["second"] or 0), found["zone"])
