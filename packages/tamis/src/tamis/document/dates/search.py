"""Finds the dates in a text, and reads a value that is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from tamis.document.dates import calendars, moment
from tamis.document.dates.calendars import (
    FIRST_YEAR,
    LAST_YEAR,
    day_of,
    fold,
    is_month_first,
    month_number,
    primary,
    usual_order,
)
from tamis.document.dates.moment import Moment, moment_of

_BUDDHIST = 543  # years that the Buddhist era is ahead
_LAST_OF_CENTURY = 49  # two digits above it mean a year before 2000

YEAR = r"(?:199|20[0-9]|210|25[3-9])[0-9]"
_SIGN = r"[./·‐‑–\-]"
# Between the parts of a date with a written month: letters and light punctuation.
_MID = r"[^0-9:;!?\"<>=+*#@&%$|\[\]{}\\]{1,32}+"
_N, _END = "[0-9]{1,2}", "(?![0-9])"
_DATE = re.compile(
    rf"""(?:
      (?P<y1>{YEAR})\s?(?P<s1>{_SIGN})\s?(?P<m1>{_N})\s?(?P=s1)\s?(?P<d1>{_N}){_END}
    | (?P<y2>{YEAR})\s?[年년]\s?(?P<m2>{_N})\s?[月월](?:\s?(?P<d2>{_N})\s?[日일号號])?
    | (?P<y3>{YEAR})(?:(?P<mid3>{_MID})(?P<d3>{_N})(?![0-9:]|(?:st|nd|rd|th|ST|ND|RD|TH)?,?\s{{1,2}}{YEAR}))?{_END}
    | (?P<a>{_N})\s?(?P<s4>{_SIGN})\s?(?P<b>{_N})\s?(?P=s4)\s?(?P<c>{YEAR}|[0-9]{{2}}){_END}
    | (?P<d5>{_N})\s{{0,2}}(?:[Tt]háng|THÁNG|[Tt]hg?\.?)\s?(?P<m5>{_N})(?:,|,?\s?năm)?\s{{0,2}}(?P<y5>{YEAR})
    | (?P<d6>{_N})(?P<mid6>{_MID})(?P<y6>{YEAR}|[0-9]{{2}}(?!\s?[.:h]?[0-9]|\s?[^\W0-9]|,?\s{{1,2}}{YEAR})){_END}
    | (?P<d7>{_N}),?\s(?P<t7>{_N}:[0-9]{{2}}[^|<>()]{{0,14}}?)\s(?P<y7>{YEAR}){_END}
    )""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"[0-9]++")
# Every text with a date has one of these.
_CUE = re.compile(
    rf"{YEAR}|[0-9]\s?{_SIGN}\s?[0-9]{{1,2}}\s?{_SIGN}\s?[0-9]{{2}}|'[0-9]{{2}}\b|年|[0-9][\s.\-]{{0,2}}[^\W0-9_]"
    r"[^\s0-9]{2,11}[\s\-][0-9]{2}\b"
)
_PERSIAN_CUE = re.compile(r"1[34][0-9]{2}")

# Digits of other scripts: each row of ten begins with its zero.
_ZEROS = "٠۰߀०০੦૦୦௦౦೦൦๐໐༠၀០᠐０"
_OTHER_DIGIT = re.compile("[" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in _ZEROS) + "]")
_PLAIN_DIGITS = {ord(zero) + value: str(value) for zero in _ZEROS for value in range(10)}

_THAI = re.compile("[\u0e00-\u0e7f]")
_SPLIT = re.compile(r"[\s,/()\-‐‑–—·_:;|\"!?]+")
# Words beside the month of a date, and what makes ordinals of its numbers, folded.
_FILLERS = frozenset(
    fold(word)
    for word in """
    a an and d da de del della den der des di do du e el em en er ere eme ia i ii in is ko la le m na nd o of r ra rd re
    ro s st sta ste t ta te th the u v va van von y ye yr
    г год года р рік року го ого и й е га та оны ж жылы η ης το του της
    gada gads god godine goda leto leta dn dia jour dag tag monat month mes mois mese bulan tahun năm
    של שנת ב عام سنة من سال ماه เดือน พ.ศ. ค.ศ. ปี
    """.split()
)
_NEXT_WORD = re.compile(r"\.?\s{1,2}([^\W\d_]{3,12})")
_MOST_BEFORE = 34  # characters before a day in which the month is looked for
_DOTS = ".'’"
_BETWEEN = " \t\r\n\f\xa0\u202f\u2009.,'’/-‐‑–("  # between a month and the day behind it


class FoundDate(NamedTuple):
    """A date in a text."""

    moment: Moment
    start: int
    end: int
    is_ambiguous: bool = False  # day and month could change places


def find(text: str, language: str = "", order: str = "") -> list[FoundDate]:
    """The dates in a text, in its order, also of a month and a year. A year alone is not a date.

    `order` (dmy, mdy or ymd) decides about 03/04/2021, else the language.
    """
    if not text.isascii():
        text = with_plain_digits(text)
    code = primary(language)
    if not _CUE.search(text) and not (code == "fa" and _PERSIAN_CUE.search(text)):
        return []
    if code == "fa" or "年" in text:
        dates = (_found(text, *part) for part in calendars.dates_in(text, code))
        if found := [each for each in dates if each]:
            return found
    return list(_scan(text, language, order))


def _scan(text: str, language: str, order: str) -> Iterator[FoundDate]:
    done = 0
    for each in _NUMBER.finditer(text):
        start, end = each.span()
        if start < done or end - start not in (1, 2, 4) or not (match := _DATE.match(text, start)):
            continue
        kind = match.lastgroup or ""
        found: FoundDate | None
        if kind in ("d1", "m2", "d2", "y5"):  # in numbers, with no doubt
            which = kind[1]
            day = int(match[f"d{which}"] or 0)
            found = _found(text, int(match[f"y{which}"]), int(match[f"m{which}"]), day, *match.span())
        elif kind == "c":
            found = _of_numbers(text, match, language, order)
        elif kind == "y6":
            found = _of_day_first(text, match, language)
        elif kind == "y7":
            found = _of_month_before(text, match["d7"], match["y7"], *match.span(), language)
            if found:
                time, _ = moment.time_after(text, match.end("d7"), found.moment.day)
                found = found._replace(moment=found.moment._replace(time=time))
        else:
            found = _of_year_first(text, match, language)
        if found:
            yield found
            done = found.end


def _of_numbers(text: str, match: re.Match[str], language: str, order: str) -> FoundDate | None:
    """03/04/2021 or 03.04.21."""
    start, end = match.span()
    first, second, sign = int(match["a"]), int(match["b"]), match["s4"]
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    if (before[-1:] == sign and before[:1].isdigit()) or (behind[:1] == sign and behind[1:].isdigit()):
        return None  # an address or a version
    if len(match["c"]) == 2:
        if before[-1:].isalpha() or behind[:1].isalpha():
            return None
        if first > 31 or (order or usual_order(language)) == "ymd":
            return _found(text, _full_year(match["a"]), second, int(match["c"]), start, end, is_ambiguous=first <= 31)
    is_month = second > 12 or (first <= 12 and is_month_first(order, language))
    month, day = (first, second) if is_month else (second, first)
    is_ambiguous = first != second and max(first, second) <= 12
    return _found(text, _full_year(match["c"]), month, day, start, end, is_ambiguous=is_ambiguous)


def _of_day_first(text: str, match: re.Match[str], language: str) -> FoundDate | None:
    """5 May 2021, or with the month before: May 5, 2021."""
    day, between, year = match["d6"], match["mid6"], match["y6"]
    month = _month_between(between, language)
    if month > 0:
        return _found(text, _full_year(year, between), month, int(day), *match.span())
    if month < 0 or (len(year) == 2 and between[-1] not in "'’"):
        return None
    return _of_month_before(text, day, year, *match.span(), language)


def _of_year_first(text: str, match: re.Match[str], language: str) -> FoundDate | None:
    """2021 May 5, or a month before the year alone: May 2021."""
    year, start = match["y3"], match.start()
    if found := _of_month_before(text, "0", year, start, match.end("y3"), language):
        return found
    if not match["mid3"]:
        return None
    month, end = _month_between(match["mid3"], language), match.end()
    if month == 0 and (behind := _NEXT_WORD.match(text, end)):
        month, end = month_number(behind[1], language), behind.end()
    return _found(text, int(year), month, int(match["d3"]), start, end) if month > 0 else None


def _of_month_before(text: str, day: str, year: str, start: int, end: int, language: str) -> FoundDate | None:
    """A day, or 0, and a year, if the word before them is a month."""
    chunk = text[max(0, start - _MOST_BEFORE) : start].rstrip(_BETWEEN)
    words = chunk.split()
    if len(words) > 1 and fold(words[-1]) in _FILLERS:
        words.pop()
    if not words:
        return None
    name, is_sure = words[-1].rstrip(_BETWEEN), day != "0"
    if not name.isalpha():
        name = _SPLIT.split(name)[-1].strip(_DOTS)
        name = name if name[:1].isalpha() else name[1:]  # a picture of a calendar
    month = month_number(name, language, is_sure=is_sure)
    if not month and len(words) > 1 and not name.isascii():
        name, last = words[-2], name
        month = month_number(name + last, language, is_sure=is_sure)
    if not month:
        return None
    begin = max(0, start - _MOST_BEFORE) + chunk.rindex(name)
    return _found(text, _full_year(year, name), month, int(day), begin, end)


def _month_between(text: str, language: str) -> int:
    """The month that is written between day and year; 0 if there are only fillers, -1 for any other text."""
    month = 0
    words = [word.strip(_DOTS) for word in _SPLIT.split(text)]
    for place, word in enumerate(words):
        found = month_number(word, language)
        if not found and word and fold(word) not in _FILLERS:
            # A name of two words. The second alone does not count.
            found = month_number("".join(words[place : place + 2]), language)
            if not found and not (month and month_number("".join(words[place - 1 : place + 1]), language) == month):
                return -1
        if found and month and found != month:
            return -1
        month = found or month
    return month


def _found(
    text: str, year: int, month: int, day: int, start: int, end: int, *, is_ambiguous: bool = False
) -> FoundDate | None:
    """The date with these numbers; None if it does not exist."""
    if year > LAST_YEAR:
        year -= _BUDDHIST
    written = day_of(year, month, day or 1)
    if written is None:
        return None
    if not day:
        return FoundDate(Moment(written, "month"), start, end)
    time, last = moment.time_after(text, end, written)
    if time is None:
        time, start = moment.time_before(text, start, written)
    return FoundDate(Moment(written, "day", time), start, last, is_ambiguous)


def _full_year(text: str, beside: str = "") -> int:
    """The year of two or four digits. Beside a Thai month it is Buddhist."""
    year = int(text)
    if year > 99:
        return year
    if _THAI.search(beside):
        return year + 2500
    return year + (2000 if year <= _LAST_OF_CENTURY else 1900)


def with_plain_digits(text: str) -> str:
    """The text with ASCII digits, in the same places."""
    return text.translate(_PLAIN_DIGITS) if _OTHER_DIGIT.search(text) else text


_MOST_SECONDS = 10  # digits; longer numbers are milliseconds
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
    """The date that a value is, such as the content of a META element; None for other values.

    A number of seconds or milliseconds since 1970, a month or a year alone are dates only if they are the whole value.
    `order` (dmy, mdy or ymd) decides about 03/04/2021, else the language.
    """
    value = text.strip()[:_LONGEST_VALUE]
    if not value:
        return None
    if not value.isascii():
        value = with_plain_digits(value)
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
