"""Records of one page as posts: where each has its text, its name and its date.

What repeats tells the parts. The text is in the element that holds most of what the extractor keeps, and little
besides; the name and the date are in the same place of all posts, names differ, and days rise.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Ints, places
from tamis.cached import cached_property
from tamis.deadline import checked
from tamis.document import tags
from tamis.records.repeats import Span
from tamis.records.texts import (
    LONGEST_DATE,
    LONGEST_NAME,
    Texts,
    day_in,
    has_more_than_clock,
    is_by,
    is_called_author,
    is_said,
    name_in,
    weight_of,
)

PROFILE = re.compile(r"user|member|profil|author|/u/|/people/|/@|account|uid=", re.IGNORECASE)
_QUOTE = re.compile(
    r"(?:^|[-_])(?:quot(?:e[ds]?|ation)|zitat|cita|citation)(?:$|[-_])|(?:bb_?code_?|ips)quote"
    r"|quote(?:header|content|container|body|d_?text|box)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?:quote|zitat|cita|citation|citat|цитата)\s?:?", re.IGNORECASE)
_ATTRIBUTION = re.compile(
    r"(?:quote|zitat|cita|citation|citat|цитата)\s?:?"
    r"|(?:originally posted by|zitat von|quote from|quoting|citation de)\b.*"
    r"|.{1,80}\b(?:wrote|said|schrieb|schreibt|a écrit|escribió|ha scritto|napisał\w?|написал\w?)\b.{0,30}",
    re.IGNORECASE | re.DOTALL,
)
_SIGNATURE = re.compile(r"(?:^|[-_#])(?:user)?(?:sig|signature|signatur)(?:$|[-_])", re.IGNORECASE)
_COUNTED = re.compile(r"\s[\d.,]+$|\d:|:\s?\d|#")  # not the name of a person alone
NUMBER = re.compile(r"(?:#|(?:post|beitrag|message|reply|msg)\s#?)\s?(\d{1,7})", re.IGNORECASE)
_NOT_SAID = re.compile(
    r"\W{0,10}(?:(?:last|post) )?(?:edited|modified)\b[^\n]{0,12}\b(?:by|on|at|times?)\b"
    r"|\W{0,10}(?:zuletzt|nachträglich)? ?(?:bearbeitet|geändert|editiert)\b"
    r"|\W{0,10}(?:last edit|letzte änderung|dernière édition|dernière modification|última edición)\b",
    re.IGNORECASE,
)
# A text in one of these, in the element with the text, may be a name.
_MARKED = frozenset({"a", "b", "strong", "font", "i", "em", "big", "cite", "span", *tags.HEADINGS})
_WORDS = re.compile(r"[^\W_]")
_IS_LINK = tags.lookup("a")
_IS_BLOCK = tags.lookup(*(tags.BLOCK - {"p", "li", "ul", "ol", "br"}))
_IS_QUOTE, _IS_CONTROL = tags.lookup("blockquote"), tags.lookup("button", "select", "textarea")

# A text of this many characters is prose; shorter ones may be names, ranks or buttons.
_LEAST_PROSE = 25
# Records by which the places of names, dates and texts are learned, spread over the page.
_LEARNED_FROM = 6
# A short text of at least this many posts, and of this share of them, is a button, a rank or the subject.
_LEAST_OFTEN, _OFTEN = 3, 0.4
# Elements of which posts have more are parts of their text, and worth less than the element around them.
_MOST_BODIES, _WORTH_OF_PARTS = 1.4, 0.9
# The worth of an element that no post has, as a share of one that all posts have.
_WORTH_OF_RARE = 0.7
_LONG_POST = 300  # characters
_LEAST_BODY = 0.5  # of its worth as the element with the text
_LEVELS = 3  # elements around a text that may be the place of a name or date
_RARE = 0.3  # a place that at most this share of posts has is none of names or dates
_MOST_KINDS_TRIED = 3  # of places for a name or date: the best ones
_MOST_BESIDE_TEXT = 160  # characters of a line with name and date in the element with the text
_LONGEST_BUTTON = 20
_LEAST_NAMES = 0.7  # of the texts in one place must be names
NAMED = 1.3  # the worth of a place for names that its class, its link or the word after it calls so


class Place(NamedTuple):
    """Where a post may have its name or date."""

    row: int
    is_own: bool  # the element holds the text itself


class Slot(NamedTuple):
    """A kind of places, and how surely it has the names or dates."""

    kind: str
    worth: float


@lru_cache(maxsize=4_096)
def _is_quote(kinds: tuple[str, ...]) -> bool:
    return any(map(_QUOTE.search, kinds))


@lru_cache(maxsize=4_096)
def _is_signature(kinds: tuple[str, ...]) -> bool:
    return any(map(_SIGNATURE.search, kinds))


def is_attribution(text: str) -> bool:
    """Is it a line such as "Ann wrote:" above a quotation?"""
    return len(text) <= LONGEST_DATE + LONGEST_NAME and _ATTRIBUTION.fullmatch(text.strip()) is not None


def _spread(items: Sequence[int]) -> list[int]:
    """Some of these, from the first to one of the last."""
    count = len(items)
    return [items[place] for place in sorted({count * turn // _LEARNED_FROM for turn in range(_LEARNED_FROM)}) if count]


class Reader:
    """The records of one page, and the parts of each."""

    def __init__(self, texts: Texts, spans: Sequence[Span]) -> None:
        self.texts, self.elements, self.spans = texts, texts.elements, spans
        owner: Ints = np.full(len(self.elements), -1)
        for number, span in enumerate(spans):
            owner[span.start : span.end] = number
        self.owner = owner  # the post of each element
        self.owners: list[int] = owner.tolist()
        self.of: Ints = owner.take(texts.element)  # the post of each text
        self.sample = _spread(range(len(spans)))

    @cached_property
    def own(self) -> list[list[int]]:
        """The texts of each post, without those of posts in it."""
        found: list[list[int]] = [[] for _ in self.spans]
        for at, number in enumerate(self.of.tolist()):
            if number >= 0:
                found[number].append(at)
        return found

    @cached_property
    def often(self) -> frozenset[str]:
        """Short texts that many posts have."""
        counts: Counter[str] = Counter()
        for own in self.own:
            counts.update({self.texts.text[at] for at in own if self.texts.length[at] <= LONGEST_DATE})
        least, title = max(_LEAST_OFTEN, _OFTEN * len(self.spans)), self.texts.document.title
        often = (text for text, count in counts.items() if count >= least)
        return frozenset(
            text for text in often if weight_of(text) < _LEAST_PROSE or (text.partition(": ")[2] or text) in title
        )

    @cached_property
    def repeated(self) -> frozenset[str]:
        """The longer texts with which several posts end, below others: signatures."""
        texts = self.texts
        is_long = ((texts.weight >= _LEAST_PROSE) & ~texts.in_link & ~texts.is_date).tolist()
        long_ones = ([texts.text[at] for at in own if is_long[at]] for own in self.own)
        counts = Counter(found[-1] for found in long_ones if len(found) > 1)
        return frozenset(text for text, count in counts.items() if count > 1)

    # ---- the element with the text ----

    @cached_property
    def _body(self) -> tuple[str | None, bool, Bools]:
        """The kind of elements that hold what posts say, and little besides; has each post one alone? Their tags."""
        kept: defaultdict[str, float] = defaultdict(float)
        other: defaultdict[str, float] = defaultdict(float)
        rows, posts = Counter[str](), Counter[str]()
        codes: defaultdict[str, set[int]] = defaultdict(set)
        code = self.elements.code
        total = 0.0
        sample = self._with_prose
        prose, others = self._sizes(sample)
        ends, kinds = self.elements.end, self.texts.kinds
        for number in checked(sample):
            span = self.spans[number]
            size = int(prose[span.end] - prose[span.start])
            part = min(1.0, _LONG_POST / max(size, 1))  # a very long post counts as one of this length
            total += size * part
            inside = np.arange(span.start + 1, span.end)
            after = ends.take(inside)
            good, bad = prose.take(after) - prose.take(inside), others.take(after) - others.take(inside)
            chosen = places(((good > 0) | (bad > 0)) & (self.owner.take(inside) == number))
            inside_it = zip(*(column.take(chosen).tolist() for column in (inside, good, bad)), strict=True)
            until: dict[str, int] = {}
            for row, of_prose, of_others in inside_it:
                for kind in kinds.of(row):
                    if row >= until.get(kind, 0):
                        until[kind] = self.texts.ends[row]
                        rows[kind] += 1
                        codes[kind].add(int(code[row]))
                        kept[kind] += of_prose * part
                        other[kind] += of_others * part
            posts.update(until.keys())
        worth = {
            kind: 2 * size / (size + other[kind] + total)
            * (_WORTH_OF_PARTS if rows[kind] > _MOST_BODIES * posts[kind] else 1)
            * (_WORTH_OF_RARE + (1 - _WORTH_OF_RARE) * posts[kind] / len(sample))
            for kind, size in kept.items() if size
        }  # fmt: skip
        best = max(worth, key=worth.__getitem__, default=None)
        is_tag = np.zeros(tags.OTHER + 1, dtype=np.bool_)
        if best is None or worth[best] < _LEAST_BODY:
            return None, False, is_tag
        is_tag[list(codes[best])] = True
        return best, rows[best] == posts[best], is_tag

    @cached_property
    def _with_prose(self) -> list[int]:
        """Some posts of which the extractor keeps a text."""
        prose = self.texts.wanted & (self.texts.weight >= _LEAST_PROSE)
        return _spread(np.unique(self.of[prose & (self.of >= 0)]).tolist())

    def _sizes(self, sample: Sequence[int]) -> tuple[Ints, Ints]:
        """How many characters of prose and of other texts of some posts are before each element.

        Signatures, and quotations that the extractor dropped, say nothing about where posts have their text.
        """
        texts = self.texts
        is_prose = texts.wanted & (texts.weight >= _LEAST_PROSE)
        if not_said := self.often | self.repeated:
            is_prose &= np.fromiter((text not in not_said for text in texts.text), np.bool_, texts.size)
        is_signature, is_quote = (np.zeros(len(self.elements), dtype=np.bool_) for _ in range(2))
        for number in sample:
            for row in self._above(self.own[number], number):
                is_signature[row] = _is_signature(texts.kinds.of(row))
                is_quote[row] = self._is_quote(row)
        counts = ~self.elements.inside(is_signature).take(texts.element)
        is_other = counts & ~is_prose & ~self.elements.inside(is_quote).take(texts.element)
        return texts.sizes(is_prose & counts), texts.sizes(is_other)

    def _is_quote(self, row: int) -> bool:
        return bool(_IS_QUOTE[self.elements.code[row]]) or _is_quote(self.texts.kinds.of(row))

    @cached_property
    def bodies(self) -> list[list[int]]:
        """For each post the elements that hold what it says; none if it is not in an element of its own."""
        kind, is_alone, is_tag = self._body
        found: list[list[int]] = [[] for _ in self.spans]
        if kind is None:
            return found
        ends, shown, kinds = self.elements.end, self.texts.shown, self.texts.kinds
        may_be = (shown.take(ends) > shown[:-1]) & is_tag.take(self.elements.code)
        for number, span in enumerate(checked(self.spans)):
            end = span.start + 1
            inside = slice(span.start, span.end)
            for row in (places(may_be[inside] & (self.owner[inside] == number)) + span.start).tolist():
                if row < end or kind not in kinds.of(row):
                    continue
                end = int(ends[row])
                if self._is_in_signature(row, span.start):
                    continue
                found[number].append(row)
                if is_alone:
                    break
        return found

    def _is_in_signature(self, row: int, start: int) -> bool:
        above = takewhile(lambda each: each > start, self.elements.ancestors(row))
        return any(_is_signature(self.texts.kinds.of(each)) for each in above)

    @cached_property
    def in_body(self) -> Bools:
        """For each text: is it in the element with the text of its post?"""
        inside = np.zeros(len(self.elements), dtype=np.bool_)
        for rows in self.bodies:
            for row in rows:
                inside[row : self.elements.end[row]] = True
        return inside.take(self.texts.element)

    @cached_property
    def _in_body(self) -> list[bool]:
        found: list[bool] = self.in_body.tolist()
        return found

    # ---- names and dates ----

    @cached_property
    def dates(self) -> list[str | None]:
        """The date of each post."""
        found = self._read(self._date_places, self._worth_of_dates, lambda place: self.texts.date_of(place.row))[0]
        for number in (number for number, when in enumerate(found) if when is None):
            first = next(self._date_places(number), None)  # what opens a thread may look otherwise
            found[number] = self.texts.date_of(first[1].row) if first else None
        return found

    @cached_property
    def names(self) -> list[str | None]:
        """The author of each post."""
        found = self._names[0]
        for number in (number for number, name in enumerate(found) if name is None):
            called = (place for kind, place in self._name_places(number, inside=False) if is_called_author(kind))
            found[number] = next(filter(None, map(self._name, called)), None)
        return found

    @property
    def surest_name(self) -> float:
        """The worth of the best place for names."""
        return self._names[1]

    @cached_property
    def _names(self) -> tuple[list[str | None], float]:
        outside = self._read(lambda number: self._name_places(number, inside=False), self._worth_of_names, self._name)
        if outside[1] > 0:
            return outside
        written = [self._name_before_date(number) for number in range(len(self.spans))]
        if sum(name is not None for name in written) >= _LEAST_NAMES * len(written):
            return written, NAMED * (len(set(written)) > 1)
        return self._read(lambda number: self._name_places(number, inside=True), self._worth_of_names, self._name)

    def _name_before_date(self, number: int) -> str | None:
        """The name in a text such as "Posted by Ann on 3 May 2012"."""
        dated = (at for at in self.own[number] if self.texts.is_date[at] and not self.texts.is_other[at])
        return next((name_in(text) for at in dated if is_by(text := self.texts.text[at])), None)

    def _name(self, place: Place) -> str | None:
        return name_in(self.texts.text_of(place.row, alone=place.is_own, dates=False))

    def _read(
        self,
        places_in: Callable[[int], Iterator[tuple[str, Place]]],
        worth: Callable[[str, list[Place]], float],
        read: Callable[[Place], str | None],
    ) -> tuple[list[str | None], float]:
        """What each post has in the best place, and the worth of that place."""
        seen: dict[str, list[Place]] = {}
        for number in checked(self.sample):
            first: dict[str, Place] = {}
            for kind, place in places_in(number):
                first.setdefault(kind, place)
            for kind, place in first.items():
                seen.setdefault(kind, []).append(place)
        slots = [
            Slot(kind, len(found) / len(self.sample) * worth(kind, found) - 0.001 * order)
            for order, (kind, found) in enumerate(seen.items())
            if _RARE * len(self.sample) < len(found)
        ]
        best = sorted((slot for slot in slots if slot.worth > 0), key=lambda slot: -slot.worth)[:_MOST_KINDS_TRIED]
        ranks = {slot.kind: rank for rank, slot in enumerate(best)}
        values = [self._first(places_in(number), ranks, read) for number in checked(range(len(self.spans)))]
        return values, best[0].worth if best else 0

    @staticmethod
    def _first(
        found: Iterator[tuple[str, Place]], ranks: dict[str, int], read: Callable[[Place], str | None]
    ) -> str | None:
        best: dict[int, Place] = {}
        for kind, place in found if ranks else ():
            if (rank := ranks.get(kind)) is not None:
                best.setdefault(rank, place)
                if not rank:
                    break
        return next((value for rank in sorted(best) if (value := read(best[rank]))), None)

    def _around(self, at: int, number: int, longest: int) -> Iterator[tuple[str, Place]]:
        """The kinds of the element that holds a text and of those around it that are short."""
        texts, row, start = self.texts, self.texts.holders[at], self.spans[number].start
        for level in range(_LEVELS):
            if row <= start or (level and texts.size_of(row) > longest):
                return
            for kind in texts.kinds.of(row):
                yield kind, Place(row, not level)
            row = texts.parents[row]

    def _date_places(self, number: int) -> Iterator[tuple[str, Place]]:
        texts, span = self.texts, self.spans[number]
        for at in self.own[number]:
            if texts.dated[at] and not texts.is_other[at]:
                yield from self._around(at, number, LONGEST_DATE)
        empty = texts.empty_times
        for row in empty[slice(*empty.searchsorted((span.start, span.end)).tolist())].tolist():
            if self.owner[row] == number:
                yield from ((kind, Place(row, is_own=True)) for kind in texts.kinds.of(row))

    def _name_places(self, number: int, *, inside: bool) -> Iterator[tuple[str, Place]]:
        texts, in_body = self.texts, self._in_body
        for at in self.own[number]:
            is_short = texts.sizes_of[at] <= LONGEST_NAME and not texts.dated[at]
            if is_short and (not in_body[at] or (inside and texts.nodes[texts.holders[at]].tag in _MARKED)):
                yield from self._around(at, number, LONGEST_NAME)

    def _worth_of_dates(self, kind: str, found: list[Place]) -> float:
        del kind
        shown = [self.texts.text_of(place.row) for place in found]
        days = list(filter(None, map(day_in, shown)))
        rising = sum(one <= other for one, other in pairwise(days)) / max(len(days) - 1, 1)
        in_order = 2 * max(rising, 1 - rising) if len(days) > 1 else 1
        full, timed = len(days), sum(":" in text or not text for text in shown)
        return in_order + (sum(map(has_more_than_clock, shown)) + 0.5 * full + 0.5 * timed) / len(shown)

    def _worth_of_names(self, kind: str, found: list[Place]) -> float:
        """How likely one place of all posts has their names; not above 0 if it does not."""
        names = [name for place in found if (name := self._name(place))]
        if len(names) < _LEAST_NAMES * len(found):
            return 0
        distinct = (len(set(names)) - 1) / max(len(names) - 1, 1)
        node = self.texts.nodes[found[0].row]
        link = node.attr("href") if node.tag == "a" else None
        is_named = is_called_author(kind)
        is_said_of = self._is_said_of(found[0].row)
        is_profile = bool(link and PROFILE.search(link[:LONGEST_DATE]))
        has_letters = sum(any(map(str.isalpha, name)) for name in names) > len(names) / 2
        if not is_named and (not has_letters or (distinct == 0 and not (is_profile or is_said_of))):
            return 0
        counted = sum(_COUNTED.search(name) is not None for name in names) / len(names)
        signs = is_named + 0.8 * is_profile + 0.5 * is_said_of + 0.2 * (node.tag in ("a", "b", "strong", "cite"))
        return distinct + signs - counted

    def _is_said_of(self, row: int) -> bool:
        """Does a word such as "says:" follow an element?"""
        after = self.texts.inside(row).stop
        return after < self.texts.size and is_said(self.texts.text[after])

    # ---- what posts say ----

    @cached_property
    def said(self) -> list[list[int]]:
        """The texts that each post says, with its quotations."""
        texts, found = self.texts, []
        has_bodies = any(self.bodies)
        hidden = self._hidden
        for own, rows in zip(self.own, self.bodies, strict=True):
            if rows:
                chosen = [at for at in own if self.in_body[at]]
            else:
                least = _LEAST_PROSE if has_bodies else 1
                chosen = [at for at in own if texts.wanted[at] and texts.length[at] >= least]
            chosen = [
                at for at in chosen if not hidden[at] and not (texts.in_link[at] and texts.text[at] in self.often)
            ]
            found.append(self._without_frame(self._without_byline(chosen)))
        return found

    @cached_property
    def _hidden(self) -> Bools:
        """For each text: is it in a signature, a control or a button, or a note on an edit?"""
        texts, elements = self.texts, self.elements
        is_hidden = np.zeros(len(elements), dtype=np.bool_)
        hidden = np.zeros(texts.size, dtype=np.bool_)
        for number, own in enumerate(checked(self.own)):
            inside = [at for at in own if self.in_body[at]]
            for row in self._above(inside, number):
                is_hidden[row] = bool(_IS_CONTROL[elements.code[row]]) or self._does_nothing(row)
            for at in inside:
                hidden[at] = texts.length[at] <= LONGEST_DATE and _NOT_SAID.match(texts.text[at]) is not None
        return hidden | elements.inside(is_hidden).take(texts.element)

    def _does_nothing(self, row: int) -> bool:
        """Is it a signature, or a link for scripts?"""
        if _IS_LINK[self.elements.code[row]]:
            node = self.texts.nodes[row]
            return node.attr("role") == "button" or (node.attr("href") or "#").startswith("javascript:")
        return _is_signature(self.texts.kinds.of(row))

    def _above(self, texts: Iterable[int], number: int) -> set[int]:
        """The elements of a post that hold some of its texts."""
        start, parents, holders = self.spans[number].start, self.texts.parents, self.texts.holders
        found: set[int] = set()
        for row in {holders[at] for at in texts}:
            while row > start and row not in found:
                found.add(row)
                row = parents[row]
        return found

    def _without_frame(self, chosen: list[int]) -> list[int]:
        """The texts without the number before them, and without buttons and a signature after them."""
        texts, block = self.texts, self.texts.document.leaves.block
        lines = [list(line) for _, line in groupby(chosen, key=lambda at: block[texts.leaves[at]])]
        while len(lines) > 1 and all(self._is_button(at) for at in lines[-1]):
            lines.pop()
        while len(lines) > 1 and all(NUMBER.fullmatch(texts.text[at]) for at in lines[0]):
            lines = lines[1:]
        found = [at for line in lines for at in line]
        end = len(found)
        while end > 1 and (
            texts.text[found[end - 1]] in self.repeated or not _WORDS.search(texts.text[found[end - 1]])
        ):
            end -= 1  # a signature, and the line above it
        is_signed = any(texts.text[at] in self.repeated for at in found[end:])
        return found[:end] if is_signed else found

    def _is_button(self, at: int) -> bool:
        text = self.texts.text[at]
        return not any(map(str.isalnum, text)) or (bool(self.texts.in_link[at]) and len(text) <= _LONGEST_BUTTON)

    def _without_byline(self, chosen: list[int]) -> list[int]:
        """The texts without a short line of name and date before or after them."""
        texts = self.texts
        marks = [place for place, at in enumerate(chosen) if texts.is_date[at] and self.quoted[at] < 0]
        for place in (*marks[:1], *marks[-1:]):
            head, foot = chosen[: place + 1], chosen[place:]
            if len(head) < len(chosen) and self._is_byline(head):
                return chosen[place + 1 :]
            if len(foot) < len(chosen) and self._is_byline(foot):
                first = place - 1 if place > 1 and texts.length[chosen[place - 1]] <= LONGEST_NAME else place
                return chosen[:first]
        return chosen

    def _is_byline(self, line: Sequence[int]) -> bool:
        texts = self.texts
        return sum(int(texts.length[at]) for at in line) <= _MOST_BESIDE_TEXT and all(
            texts.length[at] <= LONGEST_NAME or texts.is_date[at] for at in line
        )

    @cached_property
    def quoted(self) -> Ints:
        """For each text the outermost element of the quotation that it is in, else -1."""
        elements, texts = self.elements, self.texts
        is_quote = np.zeros(len(elements), dtype=np.bool_)
        of_bodies = self._quotes_that_are_bodies()
        for rows in checked(self.bodies):
            for row in rows:
                blocks = places(_IS_BLOCK.take(elements.code[row + 1 : elements.end[row]])) + row + 1
                for each in blocks.tolist():
                    if self._is_quote(each) and of_bodies.isdisjoint(texts.kinds.of(each)):
                        is_quote[each] = True
        for at in places(self.in_body & (texts.length <= LONGEST_NAME)).tolist():
            if _QUOTED.fullmatch(texts.text[at]):  # "Quote:" in an element of its own, beside the quotation
                row, number = int(elements.parent[texts.element[at]]), int(self.of[at])
                is_quote[row] |= row > self.spans[number].start and row not in self.bodies[number]
        if not is_quote.any():
            return np.full(texts.size, -1)
        outermost = is_quote & (elements.covering(is_quote)[:-1] == 1)
        return elements.nearest(outermost, texts.element)

    def _quotes_that_are_bodies(self) -> frozenset[str]:
        """The kinds of BLOCKQUOTE elements that are in most bodies and hold most of them: no quotations."""
        counts: Counter[str] = Counter()
        bodies = [self.bodies[number] for number in self.sample if self.bodies[number]]
        for rows in bodies:
            for row in rows:
                inside = places(_IS_QUOTE.take(self.elements.code[row : self.elements.end[row]])) + row
                for each in inside[:1].tolist():
                    if 2 * self.texts.size_of(each) > self.texts.size_of(row):
                        counts.update(self.texts.kinds.of(each))
        return frozenset(kind for kind, count in counts.items() if count >= 0.8 * len(bodies))

    @cached_property
    def substance(self) -> float:
        """The share of posts that have a text of some length which is not a link, kept or not."""
        is_long = (self.texts.weight >= _LEAST_PROSE) & ~self.texts.in_link & (self.of >= 0)
        return len(np.unique(self.of[is_long])) / len(self.spans)
