"""Dates in the visible page: TIME and similar elements, and texts that are or contain a date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from tamis.cached import cached_property
from tamis.document import parse, tags
from tamis.document.dates import FoundDate, Moment, find, order_of, read
from tamis.document.dates.calendars import fold, month_number, primary
from tamis.document.dates.search import with_plain_digits
from tamis.metadata.address import Address
from tamis.metadata.values import table
from tamis.metadata.view import BORDER, Candidate, MetadataSource, View

_PUBLISHED = "published"
_UPDATED = "updated"
_OTHER = "other"
_DATE = "date"

_WORDS = {name: frozenset(" ".join(lines).split()) for name, lines in table("dateline.json").items()}
_KINDS = {word: kind for kind in (_OTHER, _PUBLISHED, _UPDATED) for word in _WORDS[kind]}
# A label is close to its date: "Published in World by Ann Lee on Monday,".
_MOST_WORDS = 8
_MOST_BEFORE = 80  # characters before a date
_MOST_AFTER = 24  # characters after a date
_SPACES = re.compile(r"[\s\d:,;|/()\[\]\-–—·•]+")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def _label_before(text: str) -> str:
    """The kind of date that the words before it tell: "published", "updated", "other" as in "member since", or ""."""
    for word in fold(text[-_MOST_BEFORE:]).split()[: -_MOST_WORDS - 1 : -1]:
        for part in (word, *_SPACES.split(word)) if not word.isalpha() else (word,):
            if kind := _KINDS.get(part):
                return kind
    if text.isascii():
        return ""
    # In a script without spaces: the label nearest to the end.
    end, kinds = text[-_MOST_BEFORE:], (_PUBLISHED, _UPDATED)
    place, kind = max((end.rfind(word), kind) for kind in kinds for word in _WORDS[f"{kind} in unspaced text"])
    return kind if place >= 0 else ""


@lru_cache(maxsize=2048)
def _class_kind(names: str) -> str:
    """The kind of date that classes or ids tell: "published", "updated", "date", "date updated" or ""."""
    found: set[str] = set()
    for name in names.split():
        parts = {part.lower() for part in _PART.findall(name)}
        kinds = (kind for kind in (_PUBLISHED, _UPDATED, _DATE) if not parts.isdisjoint(_WORDS[f"class {kind}"]))
        found.update(islice(kinds, 1))
    return _PUBLISHED if _PUBLISHED in found else " ".join(sorted(found))


# A page shows its date near its start or its end. Short texts with a date that are read:
_FIRST = 10  # the first ones with a day
_MONTHS = 3  # the first ones with a month only
_LAST = 4  # the last ones
_FOREIGN = 3  # teasers and comments
_FEW = 3  # if there are fewer, long texts are read, too
_LONG = 4
_MOST_TRIED = 40  # texts in which a date is looked for
_MOST_YEARS = 300  # numbers that may be years
_LAST_YEARS = 40
_MOST_SCANNED = 4_000  # characters in which years of two digits are looked for

_SHORT = 120  # characters of a text that may be a date and little else
_BEFORE_YEAR = 80  # characters around a year that are read in a long text
_AFTER_YEAR = 40
_FAR = 24  # characters between a year and its month
_LONGEST_FILLER = 4  # "May of 2021"
_LONGEST_PART = 14  # of texts that are parts of a date: "May", "12"
_MOST_PARTS = 4
_MOST_AROUND_PART = 4  # elements around such a part, one of which is around the others, too

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


class _DatedText(NamedTuple):
    """A text with dates: one leaf, or several that are the parts of one date."""

    leaf: int
    text: str  # white space folded
    found: list[FoundDate]


class _DatedTextSearch:
    """Finds texts with a date that may be that of the page."""

    def __init__(self, view: View, language: str) -> None:
        self._is_foreign, self._language = view.is_foreign, language
        self._leaves, self._elements = view.document.leaves, view.document.elements

    def texts(self) -> list[_DatedText]:
        """These texts, in no order."""
        texts = self._leaves.text
        joined = BORDER.join(texts)
        code = primary(self._language)
        if code in _OTHER_DIGITS:
            joined = with_plain_digits(joined)
        short, long = self._with_year(joined, sorted(_year_places(joined, _OTHER_YEARS.get(code, _YEARS))))
        found = self._of_short(short)
        if sum(not self._is_foreign(each.leaf) for each in found) < _FEW:
            found += (_DatedText(leaf, text, dates) for leaf, text in long if (dates := find(text, self._language)))
        if all(self._is_foreign(each.leaf) for each in found):
            years = [match.start() for match in islice(_SHORT_YEAR.finditer(joined, 0, _MOST_SCANNED), _FIRST)]
            leaves = [joined.count(BORDER, 0, year) for year in years]
            found += self._of_short([leaf for leaf in leaves if len(texts[leaf]) <= _SHORT])
        return found

    def _of_short(self, short: list[int]) -> list[_DatedText]:
        """The first and the last of short texts, and some of teasers and comments."""
        own = [leaf for leaf in short if not self._is_foreign(leaf)]
        found: list[_DatedText] = []
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

    def _read(self, leaves: Iterable[int]) -> Iterator[_DatedText]:
        for leaf in leaves:
            text = " ".join(self._leaves.text[leaf].split())
            dates = find(text, self._language)
            is_part = len(text) <= _LONGEST_PART and not any(each.moment.precision == "day" for each in dates)
            if is_part and (joined := self._joined(leaf)):
                yield joined
            elif dates:
                yield _DatedText(leaf, text, dates)

    def _with_year(self, joined: str, years: list[int]) -> tuple[list[int], list[tuple[int, str]]]:
        """The leaves of short texts that may contain a date, and parts of long texts that may."""
        texts = self._leaves.text
        short: list[int] = []
        long: list[tuple[int, str]] = []
        leaf, last = 0, 0
        for year in years:
            leaf, last = leaf + joined.count(BORDER, last, year), year
            size = len(texts[leaf])
            if short and short[-1] == leaf:
                continue
            if not self._is_of_date(joined, year) and not (
                size <= _LONGEST_PART and (self._is_part(leaf - 1, leaf) or self._is_part(leaf + 1, leaf))
            ):
                continue
            if size <= _SHORT:
                short.append(leaf)
            elif len(long) < _LONG:
                start = max(joined.rfind(BORDER, 0, year) + 1, year - _BEFORE_YEAR)
                text = joined[start : year + _AFTER_YEAR].partition(BORDER)[0]
                long.append((leaf, " ".join(text.split())))
        return short, long

    def _is_of_date(self, joined: str, year: int) -> bool:
        """Is a day or a month before the year, or a number after it? Most years are alone."""
        before = joined[max(0, year - _FAR) : year].rpartition(BORDER)[2].rstrip(_LIGHT)
        if before[-1:].isdigit() or before[-2:] in _ORDINALS or _NUMBER_BEHIND.match(joined, year + 4):
            return True
        words = _SIGNS.split(before)
        if joined[year : year + 2] not in _OF_OUR_ERA or month_number(words[-1], self._language):
            return True
        if len(words) == 1 or len(words[-1]) > _LONGEST_FILLER:
            return False
        return words[-2].isdigit() or month_number(words[-2], self._language) > 0

    def _joined(self, leaf: int) -> _DatedText | None:
        """A date whose parts are texts of their own: "12", "May", "2021"."""
        texts = self._leaves.text
        before, behind = leaf, leaf + 1
        while before > leaf - _MOST_PARTS and self._is_part(before - 1, leaf):
            before -= 1
        while behind < leaf + _MOST_PARTS and self._is_part(behind, leaf):
            behind += 1
        for first, last in ((before, leaf + 1), (leaf, behind)):
            if last - first > 1:
                text = " ".join(" ".join(texts[first:last]).split())
                dates = [each for each in find(text, self._language) if each.moment.precision == "day"]
                if dates:
                    return _DatedText(first, text, dates)
        return None

    def _is_part(self, leaf: int, other: int) -> bool:
        """Is a text a number, a month or punctuation, and in the same small part of the page as the other?"""
        if not 0 <= leaf < len(self._leaves):
            return False
        text = self._leaves.text[leaf].strip()
        if not text or len(text) > _LONGEST_PART:
            return False
        if not all(_DAY.fullmatch(part) or month_number(part.rstrip(_LIGHT), self._language) for part in text.split()):
            return False
        elements, holder = self._elements, self._leaves.element
        near = set(islice(elements.ancestors(int(holder[other])), _MOST_AROUND_PART))
        return any(row in near for row in islice(elements.ancestors(int(holder[leaf])), _MOST_AROUND_PART))


def _year_places(text: str, starts: Iterable[str]) -> Iterator[int]:
    """The places of the first and the last years in a text, by the characters that they start with."""
    for start in starts:
        # A pattern finds many places in half the time of str.find.
        found = [match.start() for match in islice(re.finditer(start, text), _MOST_YEARS + 1)]
        if len(found) > _MOST_YEARS:
            done, place = found.pop(), text.rfind(start)
            while place >= done and len(found) < _MOST_YEARS + _LAST_YEARS:
                found.append(place)
                place = text.rfind(start, 0, place)
        size, is_number = len(start), start.isdigit()
        yield from (place for place in found if not is_number or text[place + size : place + 4].isdigit())


_MOST_TAGS = 4
_MOST_TIMES = 10
_MOST_CANDIDATES = 24
_LONGEST_BESIDE = 40  # characters next to a date in a text that is mainly a date
_LONGEST_LABEL = 60  # characters before a date that may say what it is
_MOST_LABELS = 4  # texts with these characters
_LONGEST_CLASS = 300
_MOST_ABOVE = 3  # elements around a text whose classes are read
_LARGEST_ABOVE = 14  # elements in these

# Attributes of TIME elements and of similar ones, such as relative-time.
_ATTRIBUTES = "datetime content title publishdate timestamp ts data-timestamp data-datetime data-date date".split()
# Attributes of other elements with a date, whose text is perhaps "2 days ago".
_OTHERS = {
    "span": ("title", "datetime", "data-timestamp", "data-time", "data-date", "data-datetime"),
    **dict.fromkeys(("abbr", "a", "p"), ("title",)),
    "div": ("data-date", "data-timestamp"),
}
_WITH_OTHERS = {tag: f"{tag}:is({', '.join(f'[{name}]' for name in names)})" for tag, names in _OTHERS.items()}
_DATE_LIKE = re.compile(r"\s*[0-9]{1,4}[-/. ]|\s*[0-9]{8,14}\s*$|.{0,14}\s[0-9]{1,2},?\s[^\W\d_]{0,12}\s?[0-9]{4}")

_OF_DATES = re.compile("date|time|publish|modif")
_TAG = re.compile(r"time|[a-z][a-z0-9]*-[a-z0-9\-]+")
_NUMBERS = re.compile(r"[0-9]+")
_HEADINGS = frozenset(tags.CODES[tag] for tag in tags.HEADINGS)

# Ends of hosts in whose countries English is not American, and of those whose pages are English if they do not say it.
_BRITISH = frozenset("uk au nz ie in za sg my hk ng ke gh pk bd lk eu tz ug zw mt cy jm tt".split())
_AMERICAN = frozenset("com org net gov edu us mil info io co".split())


class _ShownDate(NamedTuple):
    """A date on the page."""

    moment: Moment
    places: tuple[str, ...]
    row: int
    leaf: int
    is_update: bool


class Dateline(MetadataSource):
    """Dates that a reader sees. Those of teasers and comments, and hidden ones, come last."""

    def candidates(self, field: str) -> Iterator[Candidate]:
        """Dates of modification; or dates of publication and those without a label."""
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
    def _dates(self) -> list[_ShownDate]:
        if not self._leaves.text:
            return []
        texts, order = _DatedTextSearch(self._view, self._language).texts(), ""
        if any(found.is_ambiguous for each in texts for found in each.found):
            order = order_of(self._language, [each.text for each in texts], self._declared)
            texts = [each._replace(found=find(each.text, self._language, order)) for each in texts]
        dates = [*self._of_times(order), *(date for each in texts for date in self._of_text(each))]
        is_foreign, is_visible = self._view.is_foreign, self._leaves.visible.item
        if not any(each.moment.precision == "day" and not is_foreign(each.leaf) for each in dates):
            dates += self._of_others(order)
        return sorted(dates, key=lambda each: (is_foreign(each.leaf) or not is_visible(each.leaf), each.leaf))

    @cached_property
    def _language(self) -> str:
        """The language, with a region where the host tells one."""
        given, end = self._view.language, self._view.host.rpartition(".")[2]
        if primary(given) == "en" and end in _BRITISH:
            return "en-gb"
        return given or ("en" if end in _AMERICAN else "")

    @property
    def _declared(self) -> list[date]:
        """The days in the address and META elements; for a month its middle."""
        moments = [each.value for each in Address(self._view).candidates("date")]
        named = (values[0] for name, values in self._view.head.meta.items() if _OF_DATES.search(name))
        moments += (moment for value in islice(named, _MOST_TIMES) if (moment := read(value, self._language)))
        days = [each for each in moments if isinstance(each, Moment) and each.precision != "year"]
        return [each.day.replace(day=15) if each.precision == "month" else each.day for each in days]

    def _of_times(self, order: str) -> Iterator[_ShownDate]:
        """The dates in attributes of elements for times."""
        named = sorted(tag for tag in self._elements.other_tags if "time" in tag and _TAG.fullmatch(tag))
        for tag in named[:_MOST_TAGS]:
            nodes = parse.select(self._view.document.tree, tag)[:_MOST_TIMES]
            given = (filter(None, map(node.attr, _ATTRIBUTES)) for node in nodes)
            moments = [next(filter(None, (read(each, self._language, order) for each in some)), None) for some in given]
            yield from self._of_elements(nodes, moments, "time datetime")

    def _of_others(self, order: str) -> Iterator[_ShownDate]:
        """The dates in attributes of other elements."""
        tree = self._view.document.tree
        for tag, names in _OTHERS.items():
            for name in names if parse.select(tree, _WITH_OTHERS[tag]) else ():
                nodes = parse.select(tree, f"{tag}[{name}]")[:_MOST_TIMES]
                given = ((node.attr(name) or "")[:_LONGEST_LABEL] for node in nodes)
                moments = [read(each, self._language, order) if _DATE_LIKE.match(each) else None for each in given]
                days = [moment if moment and moment.precision == "day" else None for moment in moments]
                yield from self._of_elements(nodes, days, "attribute")

    def _of_elements(
        self, nodes: Sequence[parse.Element], moments: Sequence[Moment | None], place: str
    ) -> Iterator[_ShownDate]:
        row = 0
        for node, moment in zip(nodes, moments, strict=True):
            if moment:
                row = self._elements.all_nodes.index(node, row)
                leaf = min(self._view.leaf(row), len(self._leaves) - 1)
                is_inside = row <= self._view.opened[leaf] < self._elements.end.item(row)
                own = _NUMBERS.split(self._leaves.text[leaf][:_LONGEST_LABEL])[0] if is_inside else ""
                label = _label_before(own) or _label_before(self._text_before(leaf))
                yield self._shown_date(moment, row, leaf, label, place)

    def _of_text(self, text: _DatedText) -> Iterator[_ShownDate]:
        row, done = int(self._leaves.element[text.leaf]), 0
        length = sum(each.end - each.start for each in text.found)
        place = "short text" if len(text.text) - length <= _LONGEST_BESIDE * len(text.found) else "text"
        if self._elements.all_nodes[row].tag == "time":
            place = "time text"
        for each in text.found:
            before = text.text[done : each.start]
            label = ""
            if place != "text" or each.start < _LONGEST_BESIDE:
                after = text.text[each.end : each.end + _MOST_AFTER]  # some languages have the label there
                label = _label_before(before) or ("" if after.isascii() else _label_before(after))
            if not label and not done and place != "text":
                label = _label_before(self._text_before(text.leaf))
            done = each.end
            yield self._shown_date(each.moment, row, text.leaf, label, place)

    def _shown_date(self, moment: Moment, row: int, leaf: int, label: str, place: str) -> _ShownDate:
        """A date with the kinds that its label and the classes around it tell."""
        named = self._class_kind(row)
        places = [f"label {label}"] if label else []
        places += [place, f"class {named}"] if named else [place]
        return _ShownDate(moment, tuple(places), row, leaf, (label or named) == _UPDATED)

    def _class_kind(self, row: int) -> str:
        """The kind of date that the classes of an element or of those around it tell, the nearest first."""
        elements = self._elements
        for above in islice(elements.ancestors(row), _MOST_ABOVE):
            if above != row and elements.end.item(above) - above > _LARGEST_ABOVE:
                break
            attribute = elements.all_nodes[above].attr
            names = f"{attribute('class') or ''} {attribute('id') or ''} {attribute('itemprop') or ''}"
            if names != "  " and (kind := _class_kind(names[:_LONGEST_CLASS])):
                return kind
        return ""

    def _text_before(self, leaf: int) -> str:
        """The short texts before a leaf, up to a number or a heading."""
        found, leaves = "", self._leaves
        for before in range(leaf - 1, max(-1, leaf - 1 - _MOST_LABELS), -1):
            text = leaves.text[before]
            code = self._elements.code.item(leaves.element.item(before))
            if len(text) + len(found) > _LONGEST_LABEL or code in _HEADINGS:
                break
            *numbers, last = _NUMBERS.split(text)
            found = f"{last} {found}"
            if numbers:
                break
        return found
