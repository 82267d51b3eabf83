"""The posts of a thread and the comments below an article: who says what and when, as the page shows it.

No site or system is known here. Posts are elements of one kind that each have a date (or a name) and text
(`repeats.py`). What repeats in all of them tells their parts: the text is in the element that holds most of what the
extractor keeps, and names and dates are always in the same place outside of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Ints, places
from tamis.cached import cached_property
from tamis.deadline import check, checked
from tamis.document import Document, tags
from tamis.document.dates import day
from tamis.labels import Labels, Role
from tamis.records import repeats
from tamis.records.repeats import Kinds, Span, Weights
from tamis.render.layout import Layout
from tamis.render.safe import safe_url
from tamis.render.text import pieces

_DATE = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}(?:[T ,]+\d{1,2}:\d{2})?|\d{4}年\d{1,2}月\d{1,2}日"
    r"|\d{1,2}[ -](?:de )?[^\W\d_]{3,20}\.?,?[ -](?:de )?\d{2,4}|\d{1,2}(?:st|nd|rd|th|\.)?\s[^\W\d_]{3,20}\.?,?\s\d{4}"
    r"|[^\W\d_]{3,20}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s['’]?\d{2,4}"
    r"|\d{1,2}:\d{2}|\d{1,4}\s[^\W\d_]{1,20}\s(?:ago|temu|назад)|\d{1,4}\s?[^\W\d_]{1,3}前"
    r"|\b(?:vor|il y a|hace|há|fa)\s\d{1,4}\s[^\W\d_]{1,20}",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\d{1,2}:\d{2}")
_LONGEST_DATE, _LONGEST_NAME = 100, 60
_LONGEST_LABEL = 25  # "Date of registration:"
# A text of so many characters is prose; shorter ones may be names, ranks or buttons.
_LEAST_PROSE = 25
# Letters around a date that is not in a sentence; one of Chinese or Japanese counts for several.
_MOST_AROUND_DATE, _LETTERS_OF_UNSPACED, _FIRST_UNSPACED = 40, 4, "\u3040"
_OTHER_DAY = re.compile(
    r"\W*(?:join|regist|member since|mitglied seit|since|seit\b|dabei|beitritt|edit|modif|updat|bearbeit|geändert|"
    r"zuletzt|last\b|inscri|miembro desde|active|seen|founded|birth|born|geb\b)",
    re.IGNORECASE,
)
_IS_TIME = re.compile(r"(?:^|[-_ ])(?:date|time|datetime|timestamp|ago|when|data|datum|fecha)(?:$|[-_ ])", re.IGNORECASE)
_AUTHOR = re.compile(
    r"(?:^|[-_])(?:author|fn|by|byline|user|user-?name|user-?id|nick|nickname|poster|commenter|name|who|autor|auteur|"
    r"creator)s?(?:$|[-_])|(?:author|user_?name|nick_?name|poster|commenter|(?<=[a-z])(?:User|Author|Name))(?![a-z])",
    re.IGNORECASE,
)
_PROFILE = re.compile(r"user|member|profil|author|/u/|/people/|/@|account|uid=", re.IGNORECASE)
_QUOTE = re.compile(r"(?:^|[-_])(?:quot(?:e[ds]?|ation)|zitat|cita|citation)(?:$|[-_])|(?:bb_?code_?|ips)quote|quote(?:header|content|container|body|d_?text)", re.IGNORECASE)
_QUOTED = re.compile(r"(?:quote|zitat|cita|citation|citat)\s?:?", re.IGNORECASE)
_SIGNATURE = re.compile(r"(?:^|[-_#])(?:sig|signature|signatur)(?:$|[-_])", re.IGNORECASE)
_NOT_SAID = re.compile(
    r"\W*(?:(?:last|post) )?(?:edited|modified)\b.{0,12}\b(?:by|on|at|times)\b|\W*(?:zuletzt|nachträglich)? ?(?:bearbeitet|geändert|editiert)\b|"
    r"\W*(?:last edit|letzte änderung|dernière édition|última edición)\b",
    re.IGNORECASE,
)
_ACCEPTED = re.compile(r"accept|best-?answer|solution|solved|correct-?answer|is-?answer", re.IGNORECASE)
_QUESTION = re.compile(r"(?:^|[-_])question(?:$|[-_])", re.IGNORECASE)
_NUMBER = re.compile(r"#\s?(\d{1,6})|(?:post|beitrag|message|reply|msg)\s(?:#|no\.? ?)?(\d{1,6})", re.IGNORECASE)
_COUNTED = re.compile(r"\s[\d.,]+$|\d:|:\s?\d|#")  # not the name of a person alone
# Posts hold at least this share of what the extractor keeps of a thread.
_LEAST_SHARE = 0.5
# A short text of at least so many posts, and of this share of them, is not what somebody says.
_LEAST_OFTEN, _OFTEN = 3, 0.4
# An element of which posts have more is a part of what they say, and worth less as the element with all of it.
_MOST_BODIES, _WORTH_OF_PARTS = 1.4, 0.9
# Records by which the places of names, dates and texts are learned, spread over the page.
_LEARNED_FROM = 12
_MOST_POSTS = 5_000
_IS_HEADING = tags.lookup(*tags.HEADINGS)
_IS_QUOTE, _IS_CONTROL = tags.lookup("blockquote"), tags.lookup("button", "form", "select", "textarea")
_BEFORE_NAME = re.compile(
    r"^\W*(?:(?:(?:(?:posted|written|comment|submitted|asked|answered|started) )?by|from|von|par|por|от|autor|author)\b)?:?[\W_]*?(?=[\w@])",
    re.IGNORECASE,
)
_AFTER_NAME = re.compile(
    r"\W*(?:\b(?:says?|said|wrote|writes|replied|commented|on|at|am|um|pisze|napisał\(?a?\)?|пишет|написал\(?а?\)?|说|说))?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Post:
    """A post of a thread, or a comment by a reader."""

    text: str  # without quotations, signatures, names, dates, counters and buttons
    author: str | None = None
    date: str | None = None  # YYYY-MM-DD, or as it is written
    number: int = 0  # as the page counts it, else its place from 1
    url: str | None = None  # of the post itself
    depth: int = 0  # how many posts it is below
    replies_to: int | None = None  # the number of the post that it answers
    quotes: tuple[str, ...] = ()
    is_question: bool = False
    is_accepted: bool = False  # the accepted answer
    xpath: str = ""
    markdown: str = field(default="", repr=False, compare=False)


class _View:
    """The visible texts of a page as columns, and which of them are dates."""

    def __init__(self, document: Document, wanted: Bools) -> None:
        self.document, self.elements = document, document.elements
        self.kinds = Kinds(document.elements)
        leaves = document.leaves
        self.leaves = leaves.visible_text
        self.element: Ints = leaves.element.take(self.leaves)
        self.opened: Ints = leaves.opened.take(self.leaves)
        self.texts = [leaves.text[leaf].strip() for leaf in self.leaves.tolist()]
        self.is_date: Bools = np.fromiter(map(self._is_date, self.texts, self.element.tolist()), np.bool_, len(self.texts))
        self.is_other = np.zeros(len(self.texts), dtype=np.bool_)
        self.length: Ints = np.fromiter(map(len, self.texts), np.int64, len(self.texts))
        for at in places(self.is_date).tolist():  # "Joined: May 2012" is not the day of a post
            before = self.texts[at - 1] if at else ""
            if _OTHER_DAY.match(self.texts[at]) or (len(before) <= _LONGEST_LABEL and _OTHER_DAY.match(before)):
                self.is_other[at] = True
        self.wanted: Bools = wanted.take(self.leaves) & ~self.is_date
        self.in_link: Bools = leaves.in_link.take(self.leaves)
        self.nodes = document.elements.all_nodes
        self.empty_times = np.array(self._empty_times(), dtype=np.int64)

    def _empty_times(self) -> list[int]:
        """The rows of TIME elements that show their day by a script."""
        if not self.elements.has("time"):
            return []
        shown = set(self.element.tolist())
        return [row for row, tag in enumerate(self.elements.tag) if tag == "time" and row not in shown and _given_day(self.nodes[row])]

    @property
    def marks(self) -> Ints:
        """How many dates are in the elements before each."""
        rows = np.concatenate([self.element[self.is_date], self.empty_times])
        return repeats.before(np.bincount(rows, minlength=len(self.elements)))

    def _is_date(self, text: str, row: int) -> bool:
        if len(text) > _LONGEST_DATE:
            return False
        if _tells_date(text):
            return True
        if len(text) > _MOST_AROUND_DATE:
            return False
        node = self.elements.all_nodes[row]
        return node.tag == "time" or (node.tag in ("span", "abbr", "a", "relative-time") and bool(_given_day(node)))

    @cached_property
    def prose(self) -> Bools:
        """Which texts may be what a post says: kept, not a date and not a link."""
        return self.wanted & ~self.in_link

    def before(self, mask: Bools) -> Ints:
        """How many characters of some texts are in the elements before each."""
        return repeats.before(np.bincount(self.element[mask], self.length[mask], len(self.elements)))

    def range_of(self, row: int) -> range:
        """The texts in an element."""
        first = int(self.opened.searchsorted(row))
        end = int(self.elements.end[row])
        last = int(self.opened.searchsorted(end))
        while last < len(self.element) and row <= self.element[last] < end:
            last += 1
        return range(first, last)

    def text_of(self, row: int, *, alone: bool = False, dates: bool = True) -> str:
        """The text of a short element, with `alone` without that of elements in it."""
        end = row + 1 if alone else int(self.elements.end[row])
        chosen = (at for at in self.range_of(row) if row <= self.element[at] < end and (dates or not self.is_date[at]))
        return " ".join(" ".join(self.texts[at].split()) for at in chosen)


def _given_day(node: object) -> str | None:
    """The day that an element declares in its attributes."""
    for name in ("datetime", "title", "data-time", "data-timestamp", "content"):
        value = node.attr(name)  # type: ignore[attr-defined]
        if value and value[:1].isalnum() and any(map(str.isdigit, value)) and (found := day(value)):
            return found
    return None


def _are_beside(shown: str, declared: str) -> bool:
    """Are two days at most one apart, as in two time zones?"""
    return abs((date.fromisoformat(shown) - date.fromisoformat(declared)).days) <= 1


def _tells_date(text: str) -> bool:
    """Is it a date with a few words around it, and not a sentence?"""
    if not any(map(str.isdigit, text)) or not _DATE.search(text):
        return False
    around = _DATE.sub("", text).strip()
    return sum(_LETTERS_OF_UNSPACED if letter > _FIRST_UNSPACED else 1 for letter in around) <= _MOST_AROUND_DATE


def posts(document: Document, labels: Labels) -> tuple[Post, ...]:
    """The posts of a thread in document order; empty if the page is none."""
    view = _View(document, labels.keep)
    if view.is_date.sum() + len(view.empty_times) < 2:
        return ()
    weights = Weights(view.before(view.prose), view.marks)
    spans = repeats.find(view.elements, view.kinds, weights, _LEAST_SHARE)
    if not spans:
        return ()
    thread = _Thread(view, [*_opening(view, spans), *spans])
    return tuple(thread.posts())


def _opening(view: _View, spans: Sequence[Span]) -> list[Span]:
    """What opens a thread, if it is in an element of another kind than the answers: all before the first with text."""
    elements = view.elements
    first = spans[0].start
    is_before = view.prose & (view.element < first)
    if not is_before.any():
        return []
    prose, marks = view.before(is_before), view.marks
    rows = np.arange(first)
    ends = elements.end[:first]
    inside = prose.take(ends) - prose[:first]
    fits = (ends <= first) & (marks.take(ends) > marks[:first]) & (2 * inside > prose[first])
    best = places(fits)
    return [Span(int(rows[best[0]]), int(ends[best[0]]))] if best.size else []


class _Thread:
    """Records of one page, read as posts."""

    def __init__(self, view: _View, spans: Sequence[Span]) -> None:
        self.view, self.elements = view, view.elements
        self.spans = sorted(spans)[:_MOST_POSTS]
        owner: Ints = np.full(len(view.elements), -1)
        for number, span in enumerate(self.spans):
            owner[span.start : span.end] = number
        self.owner = owner
        self.of: Ints = owner.take(view.element)  # the post of each text
        self.bounds: list[range] = []
        for number, span in enumerate(self.spans):
            self.bounds.append(view.range_of(span.start) if span.end == int(view.elements.end[span.start]) else range(
                int(view.opened.searchsorted(span.start)), int(view.opened.searchsorted(span.end))))
        count = len(self.spans)
        self.sample = sorted({count * turn // _LEARNED_FROM for turn in range(_LEARNED_FROM)}) if count > _LEARNED_FROM else list(range(count))

    def own_texts(self, number: int) -> list[int]:
        return [at for at in self.bounds[number] if self.of[at] == number]

    # ---- the element with the text ----

    def _body_kind(self) -> str | None:
        """The kind of element that holds what posts say, and little besides."""
        view = self.view
        kept: Counter[str] = Counter()
        other: Counter[str] = Counter()
        rows_of: Counter[str] = Counter()
        units: Counter[str] = Counter()
        often = self._often
        total = 0
        for number in checked(self.sample):
            seen: dict[int, list[int]] = {}
            for at in self.own_texts(number):
                size, is_kept = int(view.length[at]), bool(
                    view.wanted[at] and view.length[at] >= _LEAST_PROSE and view.texts[at] not in often
                )
                above: list[int] = []
                for row in self.elements.ancestors(int(view.element[at])):
                    if row <= self.spans[number].start:
                        break
                    above.append(row)
                if self._is_beside(above, is_kept):
                    continue
                total += size * is_kept
                for row in above:
                    seen.setdefault(row, [0, 0])[not is_kept] += size
            done: dict[str, int] = {}
            for row in sorted(seen):
                for kind in view.kinds.of(row):
                    if row >= done.get(kind, 0):
                        done[kind] = int(self.elements.end[row])
                        rows_of[kind] += 1
                        kept[kind] += seen[row][0]
                        other[kind] += seen[row][1]
            units.update(done.keys())
        if not total:
            return None
        scores = {kind: 2 * kept[kind] / (kept[kind] + other[kind] + total) for kind in kept}
        for kind, count in rows_of.items():
            share = min(units[kind] / len(self.sample), 1)
            scores[kind] *= (_WORTH_OF_PARTS if count > _MOST_BODIES * units[kind] else 1) * (0.7 + 0.3 * share)
        best = max(scores, key=scores.__getitem__, default=None)
        return best if best is not None and scores[best] > 0.5 else None

    def _is_beside(self, rows: Sequence[int], is_kept: bool) -> bool:
        """Is a text in a signature, or a quotation that the extractor dropped? It says nothing about the body."""
        for row in rows:
            kinds = self.view.kinds.of(row)
            if any(map(_SIGNATURE.search, kinds)) or (not is_kept and self._is_quote(row, kinds)):
                return True
        return False

    def _is_quote(self, row: int, kinds: Sequence[str]) -> bool:
        return bool(_IS_QUOTE[self.elements.code[row]]) or any(map(_QUOTE.search, kinds))

    @cached_property
    def _often(self) -> frozenset[str]:
        """Short texts that many posts have: buttons, the subject, ranks."""
        counts: Counter[str] = Counter()
        for number in range(len(self.spans)):
            counts.update({self.view.texts[at] for at in self.own_texts(number) if self.view.length[at] <= _LONGEST_DATE})
        least = max(_LEAST_OFTEN, _OFTEN * len(self.spans))
        return frozenset(text for text, count in counts.items() if count >= least)

    @cached_property
    def bodies(self) -> list[list[int]]:
        """For each post the elements that hold what it says; none if it is not in an element of its own."""
        kind = self._body_kind()
        found: list[list[int]] = []
        text = self.view.before(self.view.length > 0)
        for number, span in enumerate(checked(self.spans)):
            rows: list[int] = []
            end = 0
            if kind:
                inside = places(text.take(self.elements.end[span.start : span.end]) > text[span.start : span.end]) + span.start
                for row in inside.tolist():
                    if row < end or row == span.start or self.owner[row] != number:
                        continue
                    kinds = self.view.kinds.of(row)
                    if any(map(_SIGNATURE.search, kinds)):
                        end = int(self.elements.end[row])
                    elif kind in kinds:
                        rows.append(row)
                        end = int(self.elements.end[row])
            found.append(rows)
        return found

    @cached_property
    def in_body(self) -> Bools:
        inside = np.zeros(len(self.elements), dtype=np.bool_)
        for number, rows in enumerate(self.bodies):
            for row in rows:
                inside[row : self.elements.end[row]] = True
        return inside.take(self.view.element)

    # ---- names and dates ----

    def _slots(self, number: int, *, dates: bool) -> dict[str, tuple[int, bool]]:
        """For each kind the first short element of a post that may hold its name, or its date."""
        view, found = self.view, {}
        for at in self.own_texts(number):
            if (view.is_date[at] and not (dates and view.is_other[at])) != dates or view.length[at] > _LONGEST_DATE or (self.in_body[at] and self.bodies[number] and not dates):
                continue
            row = int(view.element[at])
            for level, each in enumerate(self.elements.ancestors(row)):
                if level > 2 or each <= self.spans[number].start:
                    break
                if level and self._size[self.elements.end[each]] - self._size[each] > (_LONGEST_DATE if dates else _LONGEST_NAME):
                    break
                for kind in view.kinds.of(each):
                    found.setdefault(kind, (each, not level))
        if dates:
            span = self.spans[number]
            for row in view.empty_times[view.empty_times.searchsorted(span.start) : view.empty_times.searchsorted(span.end)].tolist():
                for kind in view.kinds.of(row):
                    found.setdefault(kind, (row, True))
        return found

    @cached_property
    def _size(self) -> Ints:
        return self.view.before(self.view.length > 0)

    def _ranked(self, slots: Sequence[dict[str, tuple[int, bool]]], *, dates: bool) -> list[str]:
        """The kinds that may hold the name or date of posts, the best first."""
        counts: Counter[str] = Counter()
        worth: dict[str, float] = {}
        values: dict[str, list[str]] = {}
        for number in self.sample:
            for kind, (row, alone) in slots[number].items():
                counts[kind] += 1
                values.setdefault(kind, []).append(self.view.text_of(row, alone=alone and not dates, dates=dates))
        for place, (kind, count) in enumerate(counts.items()):
            share = count / len(self.sample)
            texts = values[kind]
            worth[kind] = share * (self._worth_of_date(kind, texts) if dates else self._worth_of_name(kind, texts, slots)) - 0.001 * place
        return sorted((kind for kind in worth if worth[kind] > 0), key=worth.__getitem__, reverse=True)

    def _worth_of_date(self, kind: str, texts: Sequence[str]) -> float:
        days = list(filter(None, map(day, texts)))
        timed = sum(":" in text or not text for text in texts) / len(texts)
        rising = sum(one <= other for one, other in pairwise(days)) / max(len(days) - 1, 1)
        dated = sum(any(map(str.isdigit, _CLOCK.sub("", text))) or not text for text in texts) / len(texts)
        return dated + 0.5 * len(days) / len(texts) + 0.5 * timed + 2 * max(rising, 1 - rising)

    def _worth_of_name(self, kind: str, texts: Sequence[str], slots: Sequence[dict[str, tuple[int, bool]]]) -> float:
        names = [name for text in texts if (name := _name(text))]
        if len(names) < 0.7 * len(texts):
            return -1
        distinct = (len(set(names)) - 1) / max(len(names) - 1, 1)
        is_named = bool(_AUTHOR.search(kind))
        row, _ = next(slots[number][kind] for number in self.sample if kind in slots[number])
        node = self.view.nodes[row]
        linked = node if node.tag == "a" else None
        is_profile = bool(linked is not None and _PROFILE.search((linked.attr("href") or "")[:200]))
        if distinct == 0 and not is_named and not is_profile:
            return -1
        if not is_named and sum(any(map(str.isalpha, name)) for name in names) < len(names) / 2:
            return -1
        digits = sum(_COUNTED.search(name) is not None for name in names) / len(names)
        return distinct + is_named + 0.8 * is_profile + 0.2 * (node.tag in ("a", "b", "strong", "cite")) - digits

    def posts(self) -> list[Post]:
        check()
        names = [self._slots(number, dates=False) for number in range(len(self.spans))]
        dates = [self._slots(number, dates=True) for number in range(len(self.spans))]
        name_kinds, date_kinds = self._ranked(names, dates=False), self._ranked(dates, dates=True)
        self.name_kinds, self.date_kinds = name_kinds, date_kinds; _Thread.last = self
        texts = self._texts()
        found = []
        for number, span in enumerate(self.spans):
            author = next((self._named(*names[number][kind]) for kind in name_kinds if kind in names[number]), None)
            when = next((self._dated(dates[number][kind][0]) for kind in date_kinds if kind in dates[number]), None)
            text, quotes = texts[number]
            if text or quotes or (author and when):
                found.append(Post(text, author, when, number=len(found) + 1, quotes=quotes))
        return found

    def _named(self, row: int, alone: bool) -> str | None:
        return _name(self.view.text_of(row, alone=alone, dates=False))

    def _dated(self, row: int) -> str | None:
        text = self.view.text_of(row)
        shown = day(text)
        declared = (_given_day(self.view.nodes[each]) for each in range(row, int(self.elements.end[row])))
        if given := next(filter(None, declared), None):
            return shown if shown and _are_beside(shown, given) else given
        if shown:
            return shown
        written = _DATE.search(text)
        return written[0] if written and len(text) > 40 else text

    # ---- texts ----

    def _texts(self) -> list[tuple[str, tuple[str, ...]]]:
        view = self.view
        quoted, often = self._quoted(self._kinds_of_bodies()), self._often
        has_bodies = any(self.bodies)
        chosen: list[list[int]] = []
        for number in range(len(self.spans)):
            own = self.own_texts(number)
            if self.bodies[number]:
                chosen.append([at for at in own if self.in_body[at]])
            else:
                least = _LEAST_PROSE if has_bodies else 0
                chosen.append([at for at in own if view.wanted[at] and view.length[at] >= least])
        every = [at for own in chosen for at in own]
        order = np.array(sorted(set(every)), dtype=np.int64)
        layout = Layout(view.document, view.leaves.take(order))
        written = dict(zip(order.tolist(), pieces(view.document, layout), strict=True)) if order.size else {}
        found = []
        for own in chosen:
            said = "".join(written[at] for at in own if quoted[at] < 0 and not (view.in_link[at] and view.texts[at] in often))
            quotes: dict[int, str] = {}
            for at in own:
                if quoted[at] >= 0:
                    quotes[int(quoted[at])] = quotes.get(int(quoted[at]), "") + written[at]
            found.append((said.strip(), tuple(text.strip() for text in quotes.values())))
        return found

    def _kinds_of_bodies(self) -> set[str]:
        """The kinds of BLOCKQUOTE elements that are in most bodies and hold most of them: no quotations."""
        counts: Counter[str] = Counter()
        bodies = [self.bodies[number] for number in self.sample if self.bodies[number]]
        size, ends = self._size, self.elements.end
        for rows in bodies:
            for row in rows:
                inside = places(_IS_QUOTE.take(self.elements.code[row : ends[row]])) + row
                for each in inside[:1].tolist():
                    if 2 * (size[ends[each]] - size[each]) > size[ends[row]] - size[row]:
                        counts.update(self.view.kinds.of(each))
        return {kind for kind, count in counts.items() if count >= 0.8 * len(bodies)}

    def _quoted(self, of_bodies: set[str]) -> Ints:
        """For each text the outermost element of the quotation that it is in, else -1."""
        elements, view = self.elements, self.view
        is_quote = np.zeros(len(elements), dtype=np.bool_)
        for rows in checked(self.bodies):
            for row in rows:
                end, each = int(elements.end[row]), row + 1
                while each < end:
                    kinds = view.kinds.of(each)
                    if self._is_quote(each, kinds) and of_bodies.isdisjoint(kinds):
                        is_quote[each] = True
                        each = int(elements.end[each])
                    else:
                        each += 1
        for at in places(self.in_body).tolist():  # "Quote:" in an element of its own, and what is quoted beside it
            if view.length[at] <= _LONGEST_LABEL and _QUOTED.fullmatch(view.texts[at]):
                row = int(elements.parent[view.element[at]])
                is_quote[row] |= row > self.spans[self.of[at]].start and row not in self.bodies[self.of[at]]
        found: Ints = elements.nearest(is_quote, view.element)
        return found


def _name(text: str) -> str | None:
    """A name without the words around it."""
    if len(text) > 2 * _LONGEST_NAME:
        return None
    name = _AFTER_NAME.sub("", _BEFORE_NAME.sub("", " ".join(text.split()), count=1))
    is_name = 0 < len(name) <= _LONGEST_NAME and any(map(str.isalnum, name)) and "://" not in name
    return name if is_name else None
