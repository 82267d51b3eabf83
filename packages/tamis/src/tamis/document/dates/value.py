"""Reads a value that is a date."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from tamis.document.dates.calendars import FIRST_YEAR, LAST_YEAR, day_of
from tamis.document.dates.clock import moment_of
from tamis.document.dates.moment import Moment
from tamis.document.dates.months import primary
from tamis.document.dates.search import YEAR, find, plain

_MOST_SECONDS = 10  # digits; more are milliseconds
_LONGEST_VALUE = 300  # of an attribute that is a date

_ISO = re.compile(
    r"\s*(?P<year>[12][0-9]{3})(?P<sign>[\-/.:]?)(?P<month>[0-9]{2}|(?<=[\-/.:])[0-9])(?P=sign)"
    r"(?P<day>[0-9]{2}|(?<=[\-/.:])[0-9])(?![0-9]$)(?:(?:T|\s?[,\s]\s*|(?<=[0-9]{8}))(?P<hour>[0-9]{1,2}):?(?P<minute>[0-9]{2})"
    r"(?::?(?P<second>[0-9]{2})(?:[.,:][0-9]{1,9})?)?\s*(?P<zone>Z\b|[+\-]\s?[0-9]{2}(?::?[0-9]{2})?\b|[A-Z]{3,4}\b)?)?",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"1[0-8][0-9]{8}(?:[0-9]{3})?|[6-9][0-9]{8}(?:[0-9]{3})?")  # until 2030
_MONTH_OR_YEAR = re.compile(
    rf"(?P<year>{YEAR})(?:\s?[-/.]\s?(?P<month>[0-9]{{1,2}}))?|(?P<before>[0-9]{{1,2}})\s?[-/.]\s?(?P<behind>{YEAR})"
)


def read(text: str, language: str = "", order: str = "") -> Moment | None:
    """The date of a value that is one, such as the content of a META element; None if it is none.

    A number of seconds or milliseconds since 1970, a month or a year alone are dates only if they are the whole value.
    `order` (dmy, mdy or ymd) decides about 03/04/2021, else the language.
    """
    value = text.strip()[:_LONGEST_VALUE]
    if not value:
        return None
    if not value.isascii():
        value = plain(value)
    if _SECONDS.fullmatch(value):
        return _of_seconds(int(value[:-3] if len(value) > _MOST_SECONDS else value))
    if (iso := _ISO.match(value)) and (iso["year"] >= "19" or primary(language) != "fa"):
        return _of_iso(iso)
    if part := _MONTH_OR_YEAR.fullmatch(value):
        return _of_part(part)
    found = find(" ".join(value.split()), language, order)
    return next((each.moment for each in found if each.moment.precision == "day"), found[0].moment if found else None)


def _of_iso(found: re.Match[str]) -> Moment | None:
    day = day_of(int(found["year"]), int(found["month"]), int(found["day"]))
    if day is None or not found["hour"]:
        return Moment(day) if day else None
    time = int(found["hour"]), int(found["minute"]), int(found["second"] or 0)
    return Moment(day, "day", moment_of(day, *time, found["zone"]))


def _of_seconds(seconds: int) -> Moment | None:
    time = datetime.fromtimestamp(seconds, UTC)
    return Moment(time.date(), "day", time) if FIRST_YEAR <= time.year <= LAST_YEAR else None


def _of_part(part: re.Match[str]) -> Moment | None:
    month = part["month"] or part["before"]
    day = day_of(int(part["year"] or part["behind"]), int(month or 1), 1)
    return Moment(day, "month" if month else "year") if day else None
