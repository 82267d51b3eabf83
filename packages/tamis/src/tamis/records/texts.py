"""The visible texts of a page as columns, which of them are dates and names, and what these say."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

import numpy as np

from tamis.arrays import Bools, Ints, places
from tamis.cached import cached_property
from tamis.deadline import checked
from tamis.document import Document, parse
from tamis.document.dates import day
from tamis.records import repeats
from tamis.records.repeats import Kinds

_DATE = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}(?:[T ,]+\d{1,2}:\d{2})?|\d{4}年\d{1,2}月\d{1,2}日"
    r"|\d{1,2}(?:-[^\W\d_]{3,20}-\d{2}|[ -](?:de )?[^\W\d_]{3,20}\.?,?[ -](?:de )?['’]?\d{4})"
    r"|\d{1,2}(?:st|nd|rd|th|\.)?\s[^\W\d_]{3,20}\.?,?\s\d{4}"
    r"|\b[^\W\d_]{3,20}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s['’]?\d{2,4}"
    r"|\d{1,2}:\d{2}|\d{1,4}\s?[^\W\d_]{1,20}\s(?:ago|temu|назад)|\d{1,4}\s?[^\W\d_]{1,3}前"
    r"|\b(?:vor|il y a|hace|há|fa)\s\d{1,4}\s[^\W\d_]{1,20}",
    re.IGNORECASE,
)
_AUTHOR = re.compile(
    r"(?:^|[-_])(?:author|fn|by|byline|user|user-?name|user-?id|nick|nickname|poster|commenter|name|who|autor|auteur|"
    r"creator|profile)s?(?:$|[-_])|(?:author|user_?name|nick_?name|poster|commenter)|[a-z](?:User|Author|Name)(?![a-z])",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_CLOCK = re.compile(r"\d{1,2}:\d{2}")
LONGEST_DATE, LONGEST_NAME = 100, 60
_LONGEST_LABEL = 25  # "Date of registration:"
# Letters around a date that is not in a sentence; one of Chinese or Japanese counts for several.
_MOST_AROUND, _LETTERS_OF_UNSPACED, _UNSPACED = 40, 4, re.compile("[\u3040-\uffff]")
_OTHER_DAY = re.compile(
    r"\W{0,10}(?:join|regist|member since|mitglied seit|since|seit\b|dabei|beitritt|edit|modif|updat|bearbeit|geändert|"
    r"zuletzt|last\b|inscri|miembro desde|active|seen|founded|birth|born|geb\b)",
    re.IGNORECASE,
)
_NAMES_OF_DAYS = ("datetime", "title", "data-time", "data-timestamp", "content")
# A text that may be short for a day which an attribute declares: "3h", "2 yr. ago", "yesterday".
_MAY_BE_DAY = re.compile(
    r"\d{1,3}\s?[^\W\d_]{1,3}"
    r"|(?:yesterday|today|just now|gestern|heute|hier|aujourd.hui|ayer|hoy|ieri|oggi|вчера|сегодня)"
    r"|.{0,12}\b(?:ago|vor|hace|il y a)\b.{0,12}",
    re.IGNORECASE,
)
# Words around a name: "Posted by: Ann", "Ann says".
_BEFORE_NAME = re.compile(
    r"^[\s:,;|·•»«–—]*(?:\(?(?:(?:posted|written|comment|submitted|asked|answered|started) )?"
    r"(?:by|from|von|par|por|от|autor|author)\b[\s:]*)?",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\W{0,10}(?:(?:posted|written|comment|submitted|asked|answered|started) )?(?:by|from|von|par|por|от)\b",
    re.IGNORECASE,
)
_AFTER_NAME = re.compile(
    r"[\s:,;|·•»«–—(-]{0,10}(?:\b(?:says?|said|wrote|writes|replied|commented|on|at|am|um|pisze|napisał\(?a?\)?|пишет|"
    r"написал\(?а?\)?|说|说)\b\W{0,10})?$",
    re.IGNORECASE,
)


class Texts:
    """The visible texts of a page in document order; each column has one item a text."""

    def __init__(self, document: Document, wanted: Bools) -> None:
        self.document, self.elements, self.nodes = document, document.elements, document.elements.all_nodes
        self.kinds = Kinds(document.elements)
        leaves = document.leaves
        self.leaves = leaves.visible_text
        self.element: Ints = leaves.element.take(self.leaves)
        self.opened: Ints = leaves.opened.take(self.leaves)
        self.in_link: Bools = leaves.in_link.take(self.leaves)
        self.text = [leaves.text[leaf].strip() for leaf in self.leaves.tolist()]
        self.size = len(self.text)
        self.length: Ints = np.fromiter(map(len, self.text), np.int64, self.size)
        self.ends: list[int] = document.elements.end.tolist()
        self.parents: list[int] = document.elements.parent.tolist()
        self.holders: list[int] = self.element.tolist()
        self.sizes_of: list[int] = self.length.tolist()
        self.linked: list[bool] = self.in_link.tolist()
        self._find_dates()
        self.wanted: Bools = wanted.take(self.leaves) & ~self.is_date

    def _find_dates(self) -> None:
        """Set `is_date`, and `is_other`: of those the days on which somebody joined or a post was edited."""
        known: dict[str, bool] = {}
        holders, nodes, has_times = self.holders, self.nodes, self.elements.has("time")
        self.is_date = np.zeros(self.size, dtype=np.bool_)
        self.is_other = np.zeros(self.size, dtype=np.bool_)
        for at in checked(places(self.length <= LONGEST_DATE).tolist()):
            text = self.text[at]
            if (found := known.get(text)) is None:
                known[text] = found = tells_date(text)
            is_short = len(text) <= _LONGEST_LABEL
            is_time = has_times and nodes[holders[at]].tag == "time"
            if not found and (is_time or (is_short and _MAY_BE_DAY.fullmatch(text))):
                found = declared_day(nodes[holders[at]]) is not None
            if found:
                self.is_date[at] = True
                label = self.text[at - 1] if at else ""
                is_labelled = len(label) <= _LONGEST_LABEL and _OTHER_DAY.match(label)
                self.is_other[at] = bool(is_labelled or _OTHER_DAY.match(text))

    @cached_property
    def dated(self) -> list[bool]:
        """For each text: is it a date?"""
        found: list[bool] = self.is_date.tolist()
        return found

    @cached_property
    def weight(self) -> Ints:
        """How long each text is; a letter of Chinese or Japanese counts for several."""
        return np.fromiter(map(weight_of, self.text), np.int64, self.size)

    @cached_property
    def prose(self) -> Bools:
        """Which texts may be what a post says: kept, not a date and not a link."""
        return self.wanted & ~self.in_link

    @cached_property
    def empty_times(self) -> Ints:
        """The rows of TIME elements that show their day by a script."""
        if not any(not node.text.strip() for node in parse.select(self.document.tree, "time")):
            return np.zeros(0, dtype=np.int64)
        shown, tags = set(self.holders), enumerate(self.elements.tag)
        rows = [row for row, tag in tags if tag == "time" and row not in shown and declared_day(self.nodes[row])]
        return np.array(rows, dtype=np.int64)

    @cached_property
    def dates(self) -> Ints:
        """How many dates are in the elements before each."""
        return self.marks(np.concatenate([self.element[self.is_date], self.empty_times]))

    @cached_property
    def called_names(self) -> Ints:
        """The elements that hold a short text and are called after authors."""
        short = places((self.length <= LONGEST_NAME) & ~self.is_date & (self.length > 0))
        found = []
        for row in self.element.take(short).tolist():
            node = self.nodes[row]
            parent = int(self.elements.parent[row])
            around = (row, parent) if parent >= 0 and self.size_of(parent) <= LONGEST_NAME else (row,)
            if node.tag == "cite" or any(is_called_author(kind) for each in around for kind in self.kinds.of(each)):
                found.append(row)
        return np.array(found, dtype=np.int64)

    def marks(self, rows: Ints) -> Ints:
        """How many of some elements are before each element."""
        return repeats.before(np.bincount(rows, minlength=len(self.elements)))

    def sizes(self, mask: Bools) -> Ints:
        """How many characters of some texts are in the elements before each."""
        return repeats.before(np.bincount(self.element[mask], self.length[mask], len(self.elements)))

    @cached_property
    def shown(self) -> Ints:
        """How many characters are in the elements before each."""
        return self.sizes(self.length > 0)

    @cached_property
    def _shown(self) -> list[int]:
        found: list[int] = self.shown.tolist()
        return found

    def size_of(self, row: int) -> int:
        """How many characters are in an element."""
        shown = self._shown
        return shown[self.ends[row]] - shown[row]

    def inside(self, row: int) -> range:
        """The texts in an element."""
        first, end, holders = int(self.opened.searchsorted(row)), self.ends[row], self.holders
        last = first
        while last < self.size and row <= holders[last] < end:
            last += 1
        return range(first, last)

    def text_of(self, row: int, *, alone: bool = False, dates: bool = True) -> str:
        """The text of a short element; with `alone` without that of elements in it."""
        return " ".join(
            " ".join(self.text[at].split())
            for at in self.inside(row)
            if not (alone and self.holders[at] != row) and (dates or not self.dated[at])
        )

    def date_of(self, row: int) -> str:
        """The day that an element shows or declares, as ISO, or else as it is written."""
        text = self.text_of(row)
        shown = day_in(text)
        rows = range(row, self.ends[row])
        declared = next(filter(None, (declared_day(self.nodes[each]) for each in rows)), None)
        if declared and not (shown and _are_adjacent(shown, declared)):
            return declared
        written = _DATE.search(text) if len(text) > _MOST_AROUND else None
        return shown or (written[0] if written else text)


@lru_cache(maxsize=4_096)
def day_in(text: str) -> str | None:
    """The day that a text is, as ISO."""
    return day(text)


def _iso_day(value: str) -> str | None:
    """The day of a date as attributes mostly have it; to read others takes longer."""
    try:
        return date.fromisoformat(value[:10]).isoformat() if value[4:5] == "-" else None
    except ValueError:
        return None


def declared_day(node: parse.Element) -> str | None:
    """The day that an element declares in its attributes."""
    for name in _NAMES_OF_DAYS:
        value = node.attr(name)
        if (
            value
            and len(value) <= LONGEST_DATE
            and _DIGIT.search(value)
            and (found := _iso_day(value) or day_in(value))
        ):
            return found
    return None


def weight_of(text: str) -> int:
    """The characters of a text; one of Chinese or Japanese counts for several."""
    if text.isascii():
        return len(text)
    return len(text) + (_LETTERS_OF_UNSPACED - 1) * len(_UNSPACED.findall(text))


@lru_cache(maxsize=4_096)
def tells_date(text: str) -> bool:
    """Is it a date with a few words around it, and not a sentence?"""
    if not _DIGIT.search(text) or not _DATE.search(text):
        return False
    around = _DATE.sub("", text).strip()
    return weight_of(around) <= _MOST_AROUND


def has_more_than_clock(text: str) -> bool:
    """Does a date tell more than hours and minutes? One that is empty is told by an attribute."""
    return not text or any(map(str.isdigit, _CLOCK.sub("", text))) or not any(map(str.isdigit, text))


def _are_adjacent(shown: str, declared: str) -> bool:
    """Are two days at most one apart, as in two time zones?"""
    return abs((date.fromisoformat(shown) - date.fromisoformat(declared)).days) <= 1


@lru_cache(maxsize=4_096)
def name_in(text: str) -> str | None:
    """A name without the words around it."""
    if len(text) > 2 * LONGEST_NAME:
        return None
    text = _DATE.split(text)[0] if tells_date(text) else text
    name = _AFTER_NAME.sub("", _BEFORE_NAME.sub("", " ".join(text.split()), count=1))
    is_name = 0 < len(name) <= LONGEST_NAME and any(map(str.isalnum, name)) and "://" not in name
    return name if is_name else None


@lru_cache(maxsize=4_096)
def is_called_author(kind: str) -> bool:
    """Does the name of a class or of an id say that it holds a name?"""
    return _AUTHOR.search(kind) is not None


def is_by(text: str) -> bool:
    """Does a text start with a word such as "by" before a name?"""
    return _BY.match(text) is not None


def is_said(text: str) -> bool:
    """Is it a word such as "says:" after a name?"""
    return bool(text) and len(text) <= _LONGEST_LABEL and any(map(str.isalpha, text)) and not _AFTER_NAME.sub("", text)
