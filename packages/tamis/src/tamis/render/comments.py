"""Readers' comments as values of their own: the text of each, its author and its date.

The extractor says which leaves are comments. Here they are divided: each comment is in an element that repeats, and
most tell author and date in lines of their own above or below the text. These lines, and lines of links and counters
("Reply", "3"), are not part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from tamis.arrays import Bools, Floats, Ints, places
from tamis.deadline import check, checked
from tamis.document import Document, tags
from tamis.document.dates import day
from tamis.document.decode import clean_text
from tamis.document.titles import fold
from tamis.document.words import tokenize
from tamis.labels import Labels, Role
from tamis.page_data import COMMENT
from tamis.render.layout import Break, Layout, follows_other
from tamis.render.text import pieces

_AUTHOR = re.compile(
    r"(?:^|[-_ ])(?:author|fn|by|byline|user|username|user-?id|nick|nickname|poster|commenter|name|who|autor|auteur)s?"
    r"(?:$|[-_ ])|(?:author|user_?name|nick_?name|poster|commenter)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"(?:^|[-_ ])(?:date|time|datetime|timestamp|ago|published|when|data|datum|fecha)(?:$|[-_ ])", re.IGNORECASE
)
_AUTHOR_PROPERTIES = frozenset({"author", "creator"})
_WHEN_PROPERTIES = frozenset({"datepublished", "datecreated", "commenttime"})
_DATE = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}(?:[T ,]+\d{1,2}:\d{2})?|\d{4}年\d{1,2}月\d{1,2}日"
    r"|\d{1,2}(?:st|nd|rd|th|\.)?\s[^\W\d_]{3,20}\.?,?\s\d{4}|[^\W\d_]{3,20}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}"
    r"|\d{1,2}:\d{2}|\d{1,4}\s[^\W\d_]{1,20}\s(?:ago|temu|назад)|\d{1,4}\s?[^\W\d_]{1,3}前",
    re.IGNORECASE,
)
# Words around a name: "Posted by: Ann", "Ann says".
_BEFORE_NAME = re.compile(
    r"^\W*(?:(?:(?:(?:posted|written|comment|submitted) )?by|from|von|par|por|от|autor)\b)?\W*", re.IGNORECASE
)
_AFTER_NAME = re.compile(
    r"\W*(?:\b(?:says?|said|wrote|writes|replied|on|at|am|um|pisze|napisał\(?a?\)?|пишет|написал\(?а?\)?|说|說))?\W*$",
    re.IGNORECASE,
)

# A text in one of these, on the line of a date, may be a name.
_MARKED = frozenset({"a", "b", "strong", "font", "i", "em", "big", *tags.HEADINGS})
_IS_HEADING = tags.lookup(*tags.HEADINGS)
_IS_CONTROL = tags.lookup("a", "button")
_IS_FORM = tags.lookup("form")
_IS_FOOTER = tags.lookup("footer")
_OF_THE_PAGE = frozenset({Role.TEXT, Role.TITLE, Role.CAPTION, Role.NOTE})

_LONGEST_NAME = 60  # characters
_LONGEST_DATE = 100  # characters
_MOST_BESIDE = 4  # words beside a name or date on a line that is not text
_MOST_AROUND_DATE = 40  # letters
_LETTERS_OF_UNSPACED = 4  # for each of Chinese or Japanese
_FIRST_UNSPACED = "\u3040"
_MOST_LINKED = 4  # words of a line of links alone
_LEAST_SHARE = 0.6  # of the comments, in the repeating elements
_MOST_LEVELS = 4  # that the search for the name above a single comment climbs
_MOST_ADDED = 200  # characters that this search may add


@dataclass(frozen=True)
class Comment:
    """A comment by a reader."""

    text: str
    author: str | None = None
    date: str | None = None  # ISO, YYYY-MM-DD, or as it is written

    def as_dict(self) -> dict[str, object]:
        """The comment as plain data."""
        return COMMENT.read(self)


@dataclass
class _CommentDraft:
    """A comment that is being read. Without text it is the head or foot of another."""

    pieces: list[str] = field(default_factory=list)
    author: str | None = None
    date: str | None = None
    head: list[str] = field(default_factory=list)  # a short first line in bold or the like: a name or a heading
    guess: str | None = None  # the name that it may be


def comments(document: Document, labels: Labels) -> tuple[Comment, ...]:
    """The comments in document order; none if the extractor knows no roles."""
    roles = labels.roles or ()
    marked = np.array([leaf for leaf, role in enumerate(roles) if role is Role.COMMENT], dtype=np.int64)
    if not marked.size:
        return ()
    check()
    area = _CommentArea(document, labels, marked)
    drafts = _with_heads(area.drafts())
    known = _declared_comments(document)
    found = []
    for draft in drafts:
        author, date = known.get(fold("".join(draft.pieces).strip()[:_LONGEST_DATE]), (None, None))
        author, date = draft.author or author, draft.date or date
        is_text = author or not draft.pieces  # the head
        text = "".join([*draft.head, *draft.pieces] if is_text else draft.pieces).strip()
        found.append(Comment(text, author if is_text else draft.guess, date))
    return tuple(found)


class _CommentArea:
    """The part of the page that holds its comments, as columns over its leaves."""

    def __init__(self, document: Document, labels: Labels, marked: Ints) -> None:
        self.document, self.elements = document, document.elements
        leaves = document.leaves
        roles = labels.roles or ()
        other = np.fromiter((role not in _OF_THE_PAGE for role in roles), np.bool_, len(roles))
        lengths = np.fromiter(map(len, leaves.text), np.int64, len(leaves))
        self.begin, self.end = self._bounds(marked, lengths, ~other & leaves.visible & ~leaves.is_media)
        # A form that holds less than half of the comments is the one in which new ones are written.
        count = self.elements.sums(np.bincount(leaves.element.take(marked), minlength=len(self.elements)))
        is_form = _IS_FORM.take(self.elements.code) & (2 * count < len(marked))
        in_form = self.elements.inside(is_form).take(leaves.element)
        inside = (leaves.element >= self.begin) & (leaves.element < self.end) & ~in_form
        self.leaves: Ints = places(inside & other & leaves.visible & ~leaves.is_media)
        self.element: Ints = leaves.element.take(self.leaves)
        self.texts = [leaves.text[leaf] for leaf in self.leaves.tolist()]
        self.is_marked: Bools = np.isin(self.leaves, marked)
        self._find_names_and_dates()
        tokens = tokenize(self.texts)
        words: Floats = tokens.sum_per_text(tokens.weight)
        has_letters = [any(map(str.isalpha, text)) for text in self.texts]
        is_plain = ~(self.is_name | self.is_date | self.is_control) & np.array(has_letters, dtype=np.bool_)
        self.words: list[float] = words.tolist()
        self.plain: list[float] = (words * is_plain).tolist()  # words outside of names, dates, links and numbers
        self.is_prose = self.is_marked & is_plain
        self.unit: Ints = self.elements.nearest(self._units(lengths.take(self.leaves)), self.element)

    def _bounds(self, marked: Ints, lengths: Ints, is_page: Bools) -> tuple[int, int]:
        """The smallest element around all comments, or one a little larger that may hold the name above them.

        A line in the footer of the page that is taken for a comment does not count.
        """
        elements, leaves = self.elements, self.document.leaves
        holders = leaves.element.take(marked)
        is_body = ~elements.inside(_IS_FOOTER.take(elements.code)).take(holders)
        holders = holders[is_body] if is_body.any() else holders
        around = places((np.arange(len(elements)) <= holders.min()) & (elements.end > holders.max()))[::-1]
        size = elements.sums(np.bincount(leaves.element, lengths, len(elements)).astype(np.int64))
        page = elements.sums(np.bincount(leaves.element[is_page], minlength=len(elements)).astype(np.int64))
        row = smallest = int(around[0])
        for larger in around[1 : 1 + _MOST_LEVELS].tolist():
            if page[larger] > page[smallest] or size[larger] > size[smallest] + _MOST_ADDED:
                break
            row = larger
        return row, int(elements.end[row])

    def _find_names_and_dates(self) -> None:
        """For each leaf the rows of the nearest elements that are called so, else -1; and is it short and a date?"""
        elements = self.elements
        rows = range(self.begin, self.end)
        called = [f"{elements.class_[row]} {elements.id[row]}"[:_LONGEST_DATE] for row in checked(rows)]
        names, dates = (np.zeros(len(elements), dtype=np.bool_) for _ in range(2))
        tag = elements.tag[self.begin : self.end]
        for mask, special, pattern in ((names, "cite", _AUTHOR), (dates, "time", _WHEN)):
            found = [name == special or bool(pattern.search(each)) for name, each in zip(tag, called, strict=True)]
            mask[self.begin : self.end] = found
        for row, node in zip(elements.notable.tolist(), elements.notable_nodes, strict=True):
            properties = (node.attr("itemprop") or "").lower().split()
            names[row] |= not _AUTHOR_PROPERTIES.isdisjoint(properties)
            dates[row] |= not _WHEN_PROPERTIES.isdisjoint(properties)
        lengths = [len(text.strip()) for text in self.texts]
        size = elements.sums(np.bincount(self.element, lengths, len(elements)).astype(np.int64))
        names &= size <= _LONGEST_NAME
        dates &= (size <= _LONGEST_DATE) & ~names
        self.name: Ints = elements.nearest(names, self.element)
        self.when: Ints = elements.nearest(dates, self.element)
        self.is_date: Bools = np.array(list(map(_is_date, self.texts)), dtype=np.bool_) | (self.when >= 0)
        self.is_name: Bools = (self.name >= 0) & ~self.is_date
        # A name in an element with more words ("Ann says") counts once.
        outermost = names & (elements.covering(names)[:-1] == 1)
        self.names = len(np.unique(elements.nearest(outermost, self.element[self.is_name])))
        self.is_heading: Bools = elements.inside(_IS_HEADING.take(elements.code)).take(self.element)
        self.is_control: Bools = elements.inside(_IS_CONTROL.take(elements.code)).take(self.element)

    def _units(self, lengths: Ints) -> Bools:
        """Which elements hold one comment each: those of one kind, about as many as there are names or dates."""
        elements = self.elements
        is_unit = np.zeros(len(elements), dtype=np.bool_)
        weights = elements.sums(
            np.bincount(self.element[self.is_prose], lengths[self.is_prose], len(elements)).astype(np.int64)
        )
        expected = self.names or int(self.is_date.sum())
        kinds: dict[tuple[int, str, int], list[int]] = {}  # the number, weight, first row and last end of each
        holders = places(weights[self.begin + 1 : self.end]) + self.begin + 1
        for row in checked(holders.tolist()):
            kind = kinds.setdefault(self._kind(row), [0, 0, row, 0])
            kind[0] += 1
            if row >= kind[3]:  # else it is inside one of its kind
                kind[1] += int(weights[row])
                kind[3] = int(elements.end[row])
        enough = _LEAST_SHARE * int(weights[self.begin])
        several = {
            kind: (abs(count - expected) if expected else count, first)
            for kind, (count, share, first, _) in kinds.items()
            if count > 1 and share >= enough
        }
        if several and expected != 1:
            chosen = min(several, key=several.__getitem__)
            is_unit[[row for row in holders.tolist() if self._kind(row) == chosen]] = True
        else:
            is_unit[self.begin] = True
        return is_unit

    def _kind(self, row: int) -> tuple[int, str, int]:
        """The tag of an element with the first of its classes, without numbers, or else with its depth."""
        names = self.elements.class_[row].split(maxsplit=1)
        code = int(self.elements.code[row])
        return (code, names[0].rstrip("0123456789"), 0) if names else (code, "", int(self.elements.depth[row]))

    def drafts(self) -> Iterable[_CommentDraft]:
        """The comments, and heads and feet outside of them, in the order in which they start."""
        layout = Layout(self.document, self.leaves)
        rendered = pieces(self.document, layout)
        units = self.unit.tolist()
        starts = (layout.separations.breaks != Break.NONE) | follows_other(self.document, self.leaves)
        starts |= np.append(True, self.unit[1:] != self.unit[:-1])
        found: dict[int, _CommentDraft] = {}
        outside = -1  # lines outside of the repeating elements have a number below that
        for first, end in checked(pairwise([*places(starts).tolist(), len(units)])):
            unit, line = units[first], range(first, end)
            if unit < 0:
                unit = outside = outside - 1
            draft = found.setdefault(unit, _CommentDraft())
            words = sum(self.words[first:end])
            is_dated = any(self.is_date[at] or self.is_name[at] for at in line)
            plain = sum(self.plain[first:end])  # a line of text says more than a name, a date, links and counters
            if plain <= _MOST_BESIDE if is_dated else not (plain > 0 or words > _MOST_LINKED):
                draft.author = draft.author or self._author(line)
                draft.date = draft.date or self._date(line)
                if not (is_dated or draft.pieces or draft.guess):
                    draft.guess = self._name_in(line)
            elif (
                unit >= 0
                and not (draft.pieces or draft.head)
                and words <= _MOST_BESIDE
                and all(self.elements.tag[self.element[at]] in _MARKED for at in line)
            ):
                draft.guess = draft.guess or self._name_in(line)
                draft.head = rendered[first:end]
            elif self._belongs(line, unit, words):
                draft.pieces += rendered[first:end]
        return found.values()

    def _belongs(self, line: range, unit: int, words: float) -> bool:
        """Is a line of text a part of a comment? The extractor may miss a long one in an element that repeats."""
        is_marked = bool(self.is_marked[line.start : line.stop].any())
        if unit < 0:
            return is_marked and words > _MOST_BESIDE and not self.is_heading[line.start]
        return is_marked or (words > _MOST_BESIDE and unit > self.begin)

    def _name_in(self, line: range) -> str | None:
        return _bare_name(" ".join(self.texts[line.start : line.stop]))

    def _author(self, line: range) -> str | None:
        named = [at for at in line if self.is_name[at]]
        if named:
            parts = [self.texts[at] for at in named if self.name[at] == self.name[named[0]]]
            return _bare_name(" ".join(parts))
        if not self.is_date[line.start : line.stop].any():
            return None
        others = [at for at in line if not self.is_date[at]]
        marked = [at for at in others if self.elements.tag[self.element[at]] in _MARKED]
        dated = [at for at in line if self.is_date[at] and self.when[at] < 0]
        for at in (*marked[:1], *others[:1], *dated[:1]):
            if name := _bare_name(_DATE.split(self.texts[at][: 2 * _LONGEST_NAME])[0]):
                return name
        return None

    def _date(self, line: range) -> str | None:
        for at in line:
            if not self.is_date[at]:
                continue
            text = " ".join(self.texts[at].split())
            around = int(self.when[at]) if self.when[at] >= 0 else int(self.element[at])
            given = [self.elements.attribute(around, name) for name in ("datetime", "title", "content")]
            exact = next(filter(None, map(day, (*given, text))), None)
            written = _DATE.search(text)
            return exact or (text if self.when[at] >= 0 and not written else written[0] if written else None)
        return None


def _is_date(text: str) -> bool:
    """Is it a date with a few words around it, and not a sentence?"""
    if len(text) > _LONGEST_DATE or not _DATE.search(text):
        return False
    around = _DATE.sub("", text).strip()
    return sum(_LETTERS_OF_UNSPACED if letter > _FIRST_UNSPACED else 1 for letter in around) <= _MOST_AROUND_DATE


def _bare_name(text: str) -> str | None:
    """A name without the words around it."""
    if len(text) > 2 * _LONGEST_NAME:
        return None
    name = _AFTER_NAME.sub("", _BEFORE_NAME.sub("", " ".join(text.split())))
    is_name = len(name) <= _LONGEST_NAME and any(map(str.isalpha, name)) and "://" not in name
    return name if is_name else None


def _with_heads(drafts: Iterable[_CommentDraft]) -> list[_CommentDraft]:
    """The drafts with text, with the names and dates of the heads before them or of the feet behind them."""
    every = list(drafts)
    texts = [number for number, draft in enumerate(every) if draft.pieces or draft.head]
    if not texts:
        return []
    with_text = frozenset(texts)
    for key in ("author", "date"):
        loose = [number for number, draft in enumerate(every) if number not in with_text and getattr(draft, key)]
        is_head = bool(loose) and loose[0] < texts[0]
        for number in loose:
            place = int(np.searchsorted(texts, number))
            target = place if is_head else place - 1
            if 0 <= target < len(texts) and not getattr(every[texts[target]], key):
                setattr(every[texts[target]], key, getattr(every[number], key))
    return [every[number] for number in texts]


def _declared_comments(document: Document) -> dict[str, tuple[str | None, str | None]]:
    """Author and date of each comment in JSON-LD, by the beginning of its text, folded."""
    found: dict[str, tuple[str | None, str | None]] = {}
    for thing in document.linked_data.things:
        text = thing.fields.get("text")
        if isinstance(text, str) and not {"Comment", "UserComments"}.isdisjoint(thing.types):
            author = thing.fields.get("author") or thing.fields.get("creator")
            name = author.get("name") if isinstance(author, dict) else author
            when = (thing.fields.get(key) for key in ("datePublished", "dateCreated", "commentTime"))
            key = fold(" ".join(text.split())[:_LONGEST_DATE])
            named = _bare_name(clean_text(name)) if isinstance(name, str) else None
            found[key] = (named, next(filter(None, map(day, when)), None))
    return found
