"""The texts of a page that hold a date. Most texts are not looked at: a search for years finds those that may."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from tamis.document.dates import Found, find
from tamis.document.dates.months import number, primary
from tamis.document.dates.search import plain
from tamis.metadata.cues import BORDER
from tamis.metadata.view import View

# How many short texts with a date are read: the first ones and the last ones of the page, and some that the extractor
# takes for teasers or comments. A page shows its date near its begin or its end. Long ones are read if these are few.
_FIRST, _MONTHS, _LAST, _FOREIGN, _LONG, _FEW = 10, 3, 4, 3, 4, 3
_MOST_TRIED, _MOST_YEARS, _LAST_YEARS, _MOST_SCANNED = 40, 300, 40, 4_000

_SHORT = 120  # characters of a text that may be a date and little else
_BEFORE_YEAR, _BEHIND_YEAR = 80, 40  # characters around a year that are read in a long text
_FAR = 24  # characters before a year in which its month stands
_LONGEST_FILLER = 4  # "May of 2021"
_LONGEST_PART, _MOST_PARTS = 14, 4  # of texts that are parts of a date: "May", "12"
_MOST_ABOVE = 4  # elements around such a part, of which one is around the others too

_YEARS = ("20", "199")
_OF_OUR_ERA = frozenset({"19", "20"})
_OTHER_YEARS = {"th": (*_YEARS, "25"), "fa": (*_YEARS, "13", "14"), "ja": (*_YEARS, "令和", "平成")}
_OTHER_DIGITS = frozenset("ar fa ur hi bn mr ne ta te gu kn ml pa th lo my km".split())
_SHORT_YEAR = re.compile(r"[0-9]([./\-])[0-9]{1,2}\1[0-9]{2}(?![0-9])")
_LIGHT = " \t\r\n\xa0.,'’/-‐‑–("  # between the parts of a date
_SIGNS = re.compile(r"[\s.,/\-‐‑–(:]+")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_NUMBER_BEHIND = re.compile(r"(?:\s?[.\-/·‐‑–年년]|[.,]?\s[^\W\d_]|\()[^0-9\0]{0,20}+[0-9]")
_DAY = re.compile(r"[0-9]{0,2}(?:st|nd|rd|th)?[.,/|·\-–]?")


class DatedText(NamedTuple):
    """A text with dates: one leaf, or several that are the parts of one date."""

    leaf: int
    text: str  # white space folded
    found: list[Found]


def dated_texts(view: View, language: str) -> list[DatedText]:
    """The texts with a date that may be that of the page, in no order."""
    return _Search(view, language).texts()


class _Search:
    def __init__(self, view: View, language: str) -> None:
        self._is_foreign, self._language = view.is_foreign, language
        self._leaves, self._elements = view.document.leaves, view.document.elements

    def texts(self) -> list[DatedText]:
        texts = self._leaves.text
        joined = BORDER.join(texts)
        code = primary(self._language)
        if code in _OTHER_DIGITS:
            joined = plain(joined)
        short, long = self._with_year(joined, sorted(_places(joined, _OTHER_YEARS.get(code, _YEARS))))
        found = self._of_short(short)
        if sum(not self._is_foreign(each.leaf) for each in found) < _FEW:
            found += (DatedText(leaf, text, dates) for leaf, text in long if (dates := find(text, self._language)))
        if all(self._is_foreign(each.leaf) for each in found):
            years = [match.start() for match in islice(_SHORT_YEAR.finditer(joined, 0, _MOST_SCANNED), _FIRST)]
            leaves = [joined.count(BORDER, 0, year) for year in years]
            found += self._of_short([leaf for leaf in leaves if len(texts[leaf]) <= _SHORT])
        return found

    def _of_short(self, short: list[int]) -> list[DatedText]:
        """The first and the last of short texts, and some of teasers and comments."""
        own = [leaf for leaf in short if not self._is_foreign(leaf)]
        found: list[DatedText] = []
        days = months = 0
        for each in self._read(own[:_MOST_TRIED]):
            has_day = any(date.moment.precision == "day" for date in each.found)
            days, months = days + has_day, months + (not has_day)
            if has_day or months <= _MONTHS:  # a list of archives has many
                found.append(each)
            if days == _FIRST:
                break
        if days == _FIRST or len(own) > _MOST_TRIED:
            done = found[-1].leaf if found else -1
            found += islice(self._read([leaf for leaf in own[:-_MOST_TRIED:-1] if leaf > done]), _LAST)
        if len(own) < len(short):
            found += islice(self._read([leaf for leaf in short if self._is_foreign(leaf)][:_MOST_TRIED]), _FOREIGN)
        return found

    def _read(self, leaves: Iterable[int]) -> Iterator[DatedText]:
        for leaf in leaves:
            text = " ".join(self._leaves.text[leaf].split())
            dates = find(text, self._language)
            is_part = len(text) <= _LONGEST_PART and not any(each.moment.precision == "day" for each in dates)
            if is_part and (joined := self._joined(leaf)):
                yield joined
            elif dates:
                yield DatedText(leaf, text, dates)

    def _with_year(self, joined: str, years: list[int]) -> tuple[list[int], list[tuple[int, str]]]:
        """The leaves of short texts that may hold a date, and the parts of some long ones that may."""
        texts = self._leaves.text
        short: list[int] = []
        long: list[tuple[int, str]] = []
        leaf, last = 0, 0
        for year in years:
            leaf, last = leaf + joined.count(BORDER, last, year), year
            size = len(texts[leaf])
            if short and short[-1] == leaf:
                continue
            if not self._is_of_date(joined, year) and not (size <= _LONGEST_PART and self._is_beside_part(leaf)):
                continue
            if size <= _SHORT:
                short.append(leaf)
            elif len(long) < _LONG:
                start = max(joined.rfind(BORDER, 0, year) + 1, year - _BEFORE_YEAR)
                text = joined[start : year + _BEHIND_YEAR].partition(BORDER)[0]
                long.append((leaf, " ".join(text.split())))
        return short, long

    def _is_of_date(self, joined: str, year: int) -> bool:
        """Does a day or a month stand before the year, or a number behind it? Most years stand alone."""
        before = joined[max(0, year - _FAR) : year].rpartition(BORDER)[2].rstrip(_LIGHT)
        if before[-1:].isdigit() or before[-2:] in _ORDINALS or _NUMBER_BEHIND.match(joined, year + 4):
            return True
        words = _SIGNS.split(before)
        if joined[year : year + 2] not in _OF_OUR_ERA or number(words[-1], self._language):
            return True
        if len(words) == 1 or len(words[-1]) > _LONGEST_FILLER:
            return False
        return words[-2].isdigit() or number(words[-2], self._language) > 0

    def _joined(self, leaf: int) -> DatedText | None:
        """A date whose parts are texts of their own: "12", "May", "2021"."""
        texts = self._leaves.text
        before, behind = leaf, leaf + 1
        while before > max(0, leaf - _MOST_PARTS) and self._is_part(before - 1, leaf):
            before -= 1
        while behind < min(len(texts), leaf + _MOST_PARTS) and self._is_part(behind, leaf):
            behind += 1
        for first, last in ((before, leaf + 1), (leaf, behind)):
            if last - first > 1:
                text = " ".join(" ".join(texts[first:last]).split())
                dates = [each for each in find(text, self._language) if each.moment.precision == "day"]
                if dates:
                    return DatedText(first, text, dates)
        return None

    def _is_beside_part(self, leaf: int) -> bool:
        """Is the text before or behind it a part of a date?"""
        return (leaf > 0 and self._is_part(leaf - 1, leaf)) or (
            leaf + 1 < len(self._leaves) and self._is_part(leaf + 1, leaf)
        )

    def _is_part(self, leaf: int, other: int) -> bool:
        """Is a text a number, a month or punctuation, and in the same small part of the page as the other?"""
        text = self._leaves.text[leaf].strip()
        if not text or len(text) > _LONGEST_PART:
            return False
        if not all(_DAY.fullmatch(part) or number(part.rstrip(_LIGHT), self._language) for part in text.split()):
            return False
        elements, holder = self._elements, self._leaves.element
        near = set(islice(elements.ancestors(int(holder[other])), _MOST_ABOVE))
        return any(row in near for row in islice(elements.ancestors(int(holder[leaf])), _MOST_ABOVE))


def _places(text: str, begins: Iterable[str]) -> Iterator[int]:
    """Where years begin: the first ones and the last ones."""
    for begin in begins:
        # An expression finds many places in half the time of str.find.
        found = [match.start() for match in islice(re.finditer(begin, text), _MOST_YEARS + 1)]
        if len(found) > _MOST_YEARS:
            done, place = found.pop(), text.rfind(begin)
            while place >= done and len(found) < _MOST_YEARS + _LAST_YEARS:
                found.append(place)
                place = text.rfind(begin, 0, place)
        size, is_number = len(begin), begin.isdigit()
        yield from (place for place in found if not is_number or text[place + size : place + 4].isdigit())
