"""Dates in the visible page: TIME elements and their kind, and texts that are or hold a date."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from itertools import islice
from typing import NamedTuple

from tamis.cached import cached_property
from tamis.document import parse, tags
from tamis.document.dates import Moment, find, order_of, read
from tamis.document.dates.months import primary
from tamis.metadata.address import Address
from tamis.metadata.candidate import Candidate
from tamis.metadata.view import View
from tamis.metadata.visible.date_words import UPDATED, class_says, label_before, label_behind
from tamis.metadata.visible.dated_texts import DatedText, dated_texts

_MOST_TAGS, _MOST_TIMES, _MOST_CANDIDATES = 4, 10, 24
_LONGEST_BESIDE = 40  # characters beside a date in a text that is mainly a date
_LONGEST_LABEL, _MOST_LABELS = 60, 4  # characters and texts before a date that may say what it is
_LONGEST_CLASS = 300
_MOST_ABOVE, _LARGEST_ABOVE = 3, 14  # elements around a text whose classes are read, and the elements in them

# Attributes of TIME elements and of others named for time, such as relative-time.
_ATTRIBUTES = "datetime content title publishdate timestamp ts data-timestamp data-datetime data-date date".split()
# Where others have a date, of which the text says perhaps "2 days ago".
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


class Dateline:
    """Dates that a reader sees. Those of teasers and comments, and hidden ones, come last."""

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
        if not self._leaves.text:
            return []
        texts, order = dated_texts(self._view, self._language), ""
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
        """Days that the address and META elements tell, of a month its middle."""
        moments = [each.value for each in Address(self._view).candidates("date")]
        named = (values[0] for name, values in self._view.head.meta.items() if _OF_DATES.search(name))
        moments += (moment for value in islice(named, _MOST_TIMES) if (moment := read(value, self._language)))
        days = [each for each in moments if isinstance(each, Moment) and each.precision != "year"]
        return [each.day.replace(day=15) if each.precision == "month" else each.day for each in days]

    def _of_times(self, order: str) -> Iterator[_Date]:
        """Elements for times that say theirs in an attribute."""
        named = sorted(tag for tag in self._elements.other_tags if "time" in tag and _TAG.fullmatch(tag))
        for tag in named[:_MOST_TAGS]:
            yield from self._of_elements(tag, partial(self._time_of, order=order), "time datetime")

    def _time_of(self, node: parse.Element, order: str) -> Moment | None:
        given = (value for name in _ATTRIBUTES if (value := node.attr(name)))
        return next((found for value in given if (found := read(value, self._language, order))), None)

    def _of_others(self, order: str) -> Iterator[_Date]:
        """Other elements with an attribute that is a date."""
        for tag, names in _OTHERS.items():
            for name in names if parse.select(self._view.document.tree, _WITH_OTHERS[tag]) else ():
                read_day = partial(self._day_of, name=name, order=order)
                yield from self._of_elements(f"{tag}[{name}]", read_day, "attribute")

    def _day_of(self, node: parse.Element, name: str, order: str) -> Moment | None:
        value = (node.attr(name) or "")[:_LONGEST_LABEL]
        moment = read(value, self._language, order) if _DATE_LIKE.match(value) else None
        return moment if moment and moment.precision == "day" else None

    def _of_elements(
        self, selector: str, moment_of: Callable[[parse.Element], Moment | None], place: str
    ) -> Iterator[_Date]:
        """The dates of the first elements that match."""
        row, nodes = 0, self._elements.all_nodes
        for node in parse.select(self._view.document.tree, selector)[:_MOST_TIMES]:
            if moment := moment_of(node):
                row = nodes.index(node, row)
                yield self._of_element(moment, row, place)

    def _of_element(self, moment: Moment, row: int, place: str) -> _Date:
        leaf = min(self._view.leaf(row), len(self._leaves) - 1)
        is_inside = row <= self._view.opened[leaf] < self._elements.end.item(row)
        own = _NUMBERS.split(self._leaves.text[leaf][:_LONGEST_LABEL])[0] if is_inside else ""
        return self._date(moment, row, leaf, label_before(own) or label_before(self._text_before(leaf)), place)

    def _of_text(self, text: DatedText) -> Iterator[_Date]:
        row, done = int(self._leaves.element[text.leaf]), 0
        length = sum(each.end - each.start for each in text.found)
        place = "short text" if len(text.text) - length <= _LONGEST_BESIDE * len(text.found) else "text"
        if self._elements.all_nodes[row].tag == "time":
            place = "time text"
        for each in text.found:
            before = text.text[done : each.start]
            label = ""
            if place != "text" or each.start < _LONGEST_BESIDE:
                label = label_before(before) or label_behind(text.text[each.end :])
            if not label and not done:
                label = label_before(self._text_before(text.leaf)) if place != "text" else ""
            done = each.end
            yield self._date(each.moment, row, text.leaf, label, place)

    def _date(self, moment: Moment, row: int, leaf: int, label: str, place: str) -> _Date:
        """A date with what its label and the classes around it say."""
        named = self._class(row)
        places = [f"label {label}"] if label else []
        places += [place, f"class {named}"] if named else [place]
        return _Date(moment, tuple(places), row, leaf, (label or named) == UPDATED)

    def _class(self, row: int) -> str:
        """What the classes of an element and of those around it say, the nearest first."""
        elements = self._elements
        for above in islice(elements.ancestors(row), _MOST_ABOVE):
            if above != row and elements.end.item(above) - above > _LARGEST_ABOVE:
                break
            attribute = elements.all_nodes[above].attr
            names = f"{attribute('class') or ''} {attribute('id') or ''} {attribute('itemprop') or ''}"
            if names != "  " and (said := class_says(names[:_LONGEST_CLASS])):
                return said
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
