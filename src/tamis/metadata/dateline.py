"""Dates in the visible page: TIME elements, elements named for dates, and texts that are or hold a date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from tamis.document import parse
from tamis.document.dates import Found, Moment, find, order_of, read
from tamis.document.dates.months import number, primary
from tamis.document.dates.search import plain
from tamis.metadata.candidate import Candidate
from tamis.metadata.date_words import UPDATED, class_says, label_before, label_behind
from tamis.metadata.view import View

# How many texts with a year are read: short ones at the begin and at the end of the page, short ones that the extractor
# takes for teasers or comments, long ones. A reader finds the date of a page near its begin or its end.
_FIRST, _LAST, _FOREIGN, _LONG = 12, 4, 3, 4
_MOST_TRIED = 40
_MOST_YEARS, _MOST_TIMES, _MOST_CANDIDATES = 400, 10, 24

_SHORT = 120  # characters of a text that may be a date and little else
_LONGEST_BESIDE = 40  # characters beside a date in a text that is mainly a date
_BEFORE_YEAR, _BEHIND_YEAR = 80, 40  # characters around a year that are read in a long text
_FAR = 24  # characters before a year in which its month stands
_LONGEST_FILLER = 4  # "May of 2021"
_LONGEST_PART, _MOST_PARTS = 14, 4  # of texts that are parts of a date: "May", "12"
_LONGEST_LABEL = 60
_MOST_ABOVE, _LARGEST_ABOVE = 3, 14  # elements around a text whose classes are read, and the elements in them

_YEARS = ("20", "199")
_OTHER_YEARS = {"th": (*_YEARS, "25"), "fa": (*_YEARS, "13", "14"), "ja": (*_YEARS, "令和", "平成")}
_OTHER_DIGITS = frozenset("ar fa ur hi bn mr ne ta te gu kn ml pa th lo my km".split())
_SHORT_YEAR = re.compile(r"[0-9]{1,2}([./\-])[0-9]{1,2}\1[0-9]{2}(?![0-9])")
_LIGHT = " \t\r\n\xa0.,'’/-‐‑–("  # between the parts of a date
_SIGNS = re.compile(r"[\s.,/\-‐‑–(:]+")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_NUMBER_BEHIND = re.compile(r"(?:\s?[.\-/·‐‑–年년]|[.,]?\s[^\W\d_]|\()[^0-9\0]{0,20}+[0-9]")
_DAY = re.compile(r"[0-9]{0,2}(?:st|nd|rd|th)?[.,/|·\-–]?")
_NUMBERS = re.compile(r"[0-9]+")
_MOST_SCANNED = 20_000
_END = "\0"  # between texts; a parser leaves none of these

_ATTRIBUTES = ("datetime", "data-datetime", "data-date", "data-time", "data-timestamp", "data-published", "title")

# Where English is not American, and where a page without a language is English: by the end of the host.
_BRITISH = frozenset("uk au nz ie in za sg my hk ng ke gh pk bd lk eu tz ug zw mt cy jm tt".split())
_AMERICAN = frozenset("com org net gov edu us mil info io co".split())


class _Date(NamedTuple):
    """A date on the page."""

    moment: Moment
    places: tuple[str, ...]
    row: int
    leaf: int
    is_update: bool


class _Text(NamedTuple):
    """A text with a date."""

    leaf: int
    text: str
    found: list[Found]


class Dateline:
    """Dates that a reader sees. Those of teasers, of comments and of parts beside the content come last."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._leaves, self._elements = view.document.leaves, view.document.elements

    def candidates(self, field: str) -> Iterator[Candidate]:
        """Dates of publication, and dates that nothing is said about; or dates of modification."""
        if field not in ("date", "date_modified"):
            return
        seen: set[tuple[str, str]] = set()
        for each in self._dates:
            if each.is_update == (field == "date_modified"):
                for place in each.places:
                    if (key := (each.moment.iso, place)) not in seen and len(seen) < _MOST_CANDIDATES:
                        seen.add(key)
                        yield Candidate(each.moment, "visible", place, each.row)

    @cached_property
    def _dates(self) -> list[_Date]:
        texts = self._texts()
        order = ""
        if any(found.is_ambiguous for each in texts for found in each.found):
            order = order_of(self._language, (each.text for each in texts))
            texts = [each._replace(found=find(each.text, self._language, order)) for each in texts]
        dates = [*self._times(order), *(date for each in texts for date in self._of_text(each))]
        foreign, visible = self._view.foreign, self._leaves.visible
        return sorted(dates, key=lambda each: (bool(foreign[each.leaf]) or not visible[each.leaf], each.leaf))

    @cached_property
    def _language(self) -> str:
        """The language, with a region where the host tells one."""
        given, end = self._view.language, self._view.host.rpartition(".")[2]
        if primary(given) == "en" and end in _BRITISH:
            return "en-gb"
        return given or ("en" if end in _AMERICAN else "")

    # Elements

    def _times(self, order: str) -> Iterator[_Date]:
        """TIME elements that say their date in an attribute."""
        if not self._elements.has("time"):
            return
        row, nodes = 0, self._elements.all_nodes
        for node in islice(parse.select(self._view.document.tree, "time"), _MOST_TIMES):
            row = nodes.index(node, row)
            value = node.attr("datetime") or node.attr("content") or node.attr("title") or ""
            if moment := read(value, self._language, order):
                leaf = min(int(self._leaves.opened.searchsorted(row)), len(self._leaves) - 1)
                kind = label_before(self._text_before(leaf)) if leaf >= 0 else ""
                yield self._date(moment, row, leaf, kind, ("time datetime",))

    def _date(self, moment: Moment, row: int, leaf: int, label: str, places: tuple[str, ...]) -> _Date:
        """A date with what its label and the classes around it say."""
        named = self._class(row)
        kind = label or named
        if label:
            places = (f"label {label}", *places)
        if named:
            places = (*places, f"class {named}")
        return _Date(moment, places, row, leaf, kind == UPDATED)

    def _class(self, row: int) -> str:
        """What the classes of an element and of those around it say, the nearest first."""
        elements = self._elements
        for above in islice(elements.ancestors(row), _MOST_ABOVE):
            if above != row and int(elements.end[above]) - above > _LARGEST_ABOVE:
                break
            node = elements.all_nodes[above]
            names = f"{node.attr('class') or ''} {node.attr('id') or ''} {node.attr('itemprop') or ''}"
            if names != "  " and (said := class_says(names)):
                return said
        return ""

    # Texts

    def _texts(self) -> list[_Text]:
        """Texts with a date: the first and the last of the page, some of teasers and comments, the first long ones."""
        short, long = self._with_year()
        foreign = self._view.foreign
        own = [leaf for leaf in short if not foreign[leaf]]
        found = list(islice(self._read(own[:_MOST_TRIED]), _FIRST))
        done = found[-1].leaf if len(found) == _FIRST else own[-1] if own else 0
        found += islice(self._read(leaf for leaf in own[:-_MOST_TRIED:-1] if leaf > done), _LAST)
        found += islice(self._read([leaf for leaf in short if foreign[leaf]][:_MOST_TRIED]), _FOREIGN)
        for leaf, text in long[:_LONG]:
            if dates := find(text, self._language):
                found.append(_Text(leaf, text, dates))
        return found

    def _read(self, leaves: Iterable[int]) -> Iterator[_Text]:
        """The dates of short texts."""
        for leaf in leaves:
            text = " ".join(self._leaves.text[leaf].split())
            dates = find(text, self._language)
            is_part = len(text) <= _LONGEST_PART and not any(each.moment.precision == "day" for each in dates)
            if is_part and (joined := next(self._joined(leaf), None)):
                yield joined
            elif dates:
                yield _Text(leaf, text, dates)

    def _with_year(self) -> tuple[list[int], list[tuple[int, str]]]:
        """The leaves of short texts that may hold a date; the parts of long ones that may."""
        texts = self._leaves.text
        joined = _END.join(texts)
        code = primary(self._language)
        if code in _OTHER_DIGITS:
            joined = plain(joined)
        years = sorted(_places(joined, _OTHER_YEARS.get(code, _YEARS)))
        if not years:
            years = [match.start() for match in islice(_SHORT_YEAR.finditer(joined, 0, _MOST_SCANNED), _FIRST)]
        short: list[int] = []
        long: list[tuple[int, str]] = []
        leaf, last = 0, 0
        for year in years:
            leaf, last = leaf + joined.count(_END, last, year), year
            if short and short[-1] == leaf:
                continue
            start = max(joined.rfind(_END, 0, year) + 1, year - _BEFORE_YEAR)
            if not (len(texts[leaf]) <= _LONGEST_PART or self._is_year_of_date(joined, year)):
                continue
            if len(texts[leaf]) <= _SHORT:
                short.append(leaf)
            elif len(long) < _LONG:
                end = joined.find(_END, year, year + _BEHIND_YEAR)
                text = joined[start : end if end >= 0 else year + _BEHIND_YEAR]
                long.append((leaf, " ".join(text.split())))
        return short, long

    def _is_year_of_date(self, text: str, year: int) -> bool:
        """Does the year that begins there follow a day or a month, or does a number follow it? Most years do not."""
        before = text[max(0, year - _FAR) : year].rpartition(_END)[2].rstrip(_LIGHT)
        if before[-1:].isdigit() or before[-2:] in _ORDINALS or _NUMBER_BEHIND.match(text, year + 4):
            return True
        words = _SIGNS.split(before)
        if number(words[-1], self._language):
            return True
        return len(words) > 1 and len(words[-1]) <= _LONGEST_FILLER and number(words[-2], self._language) > 0

    def _joined(self, leaf: int) -> Iterator[_Text]:
        """A date whose parts are texts of their own: "12", "May", "2021"."""
        texts = self._leaves.text
        before, behind = leaf, leaf + 1
        while before > max(0, leaf - _MOST_PARTS) and self._is_part(before - 1, leaf):
            before -= 1
        while behind < min(len(texts), leaf + _MOST_PARTS) and self._is_part(behind, leaf):
            behind += 1
        for first, last in ((before, leaf + 1), (leaf, behind)):
            text = " ".join(" ".join(texts[first:last]).split())
            dates = [each for each in find(text, self._language) if each.moment.precision == "day"]
            if last - first > 1 and dates:
                yield _Text(leaf, text, dates)
                return

    def _is_part(self, leaf: int, other: int) -> bool:
        """Is a text a number, a month or punctuation, and in the same small part of the page as the other?"""
        text = self._leaves.text[leaf].strip()
        if len(text) > _LONGEST_PART:
            return False
        if not all(_DAY.fullmatch(part) or number(part.rstrip(_LIGHT), self._language) for part in text.split()):
            return False
        elements, holder = self._elements, self._leaves.element
        near = set(islice(elements.ancestors(int(holder[other])), _MOST_ABOVE + 1))
        return any(row in near for row in islice(elements.ancestors(int(holder[leaf])), _MOST_ABOVE + 1))

    def _of_text(self, text: _Text) -> Iterator[_Date]:
        row, done = int(self._leaves.element[text.leaf]), 0
        length = sum(each.end - each.start for each in text.found)
        place = "short text" if len(text.text) - length <= _LONGEST_BESIDE else "text"
        for each in text.found:
            before = text.text[done : each.start]
            label = label_before(before if before.strip(" :,|(") else before + self._text_before(text.leaf))
            label = label or label_behind(text.text[each.end :])
            done = each.end
            yield self._date(each.moment, row, text.leaf, label, (place,))

    def _text_before(self, leaf: int) -> str:
        """The end of the text before a leaf, behind the last number in it, if it is short."""
        for before in range(leaf - 1, max(-1, leaf - 3), -1):
            text = " ".join(self._leaves.text[before][-_LONGEST_LABEL - 1 :].split())
            if len(text) > _LONGEST_LABEL:
                return ""
            if text.strip(":|·•-–—,( "):
                return _NUMBERS.split(text)[-1]
        return ""


def _places(text: str, begins: Iterable[str]) -> Iterator[int]:
    """Where years begin."""
    for begin in begins:
        place = text.find(begin)
        for _ in range(_MOST_YEARS):
            if place < 0:
                break
            rest = text[place + len(begin) : place + 4]
            if rest.isdigit() or not begin.isdigit():
                yield place
            place = text.find(begin, place + len(begin))
