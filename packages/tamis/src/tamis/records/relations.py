"""What posts are to each other and on their page: numbers, addresses, depth, which answers which, accepted answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise, takewhile

from tamis.arrays import places
from tamis.cached import cached_property
from tamis.document import tags
from tamis.records.reading import NUMBER, PROFILE, Reader
from tamis.records.repeats import Span
from tamis.records.texts import LONGEST_NAME

_ACCEPTED = re.compile(r"accepted|best-?answer|(?:is|as|marked)-?solution|solved|correct-?answer", re.IGNORECASE)
_ACTION = re.compile(r"quote|reply|report|edit|login|like|share|vote|mode=|action=|/delete|javascript:", re.IGNORECASE)
_INDENT = re.compile(
    r"(?:^|[\s_-])(?:depth|level|indent|lvl)[-_]?(\d{1,2})(?!\d)|(?:margin|padding)-left\s?:\s?(\d{1,4})", re.IGNORECASE
)
_LEVEL_ATTRIBUTES = frozenset({"depth", "data-depth", "data-level", "aria-level", "indent"})
_LAST_NUMBER = re.compile(r"\d+")
_LONGEST_LINK = 500
# Elements of a post in which its link is looked for, and its id and its level.
_MOST_ROWS_OF_LINKS, _MOST_ROWS_OF_IDS = 300, 8
_MOST_INDENTS = 30  # of one page
_LONGEST_CHAIN = 3  # of posts that are each in the one before
_IS_LINK = tags.lookup("a")
_LONGEST_NUMBER = 25  # "Message no. 12"
_LEAST_DISTINCT = 0.7  # of the links in one place lead to different addresses
_MOST_HEADS = 3  # elements around a post alone that are looked at


@lru_cache(maxsize=4_096)
def _is_accepted(kinds: tuple[str, ...]) -> bool:
    return any(map(_ACCEPTED.search, kinds))


class Relations:
    """The relations of the posts that a reader has found."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.texts, self.elements = reader, reader.texts, reader.elements
        self.spans, self.owners, self.sample = reader.spans, reader.owners, reader.sample

    @cached_property
    def numbers(self) -> list[int]:
        """The number of each post as the page counts it, else its place from 1."""
        counted = [self._number(number) for number in range(len(self.spans))]
        given = [number for number in counted if number is not None]
        if len(given) == len(counted) and all(1 <= later - one <= 3 for one, later in pairwise(given)):
            return given
        return list(range(1, len(counted) + 1))

    def _number(self, number: int) -> int | None:
        texts = self.texts
        for at in self.reader.own[number]:
            if (
                texts.length[at] <= _LONGEST_NUMBER
                and (not self.reader.in_body[at])
                and (found := NUMBER.fullmatch(texts.text[at]))
            ):
                return int(found[1])
        return None

    @cached_property
    def links(self) -> list[str | None]:
        """The address of each post, as the page writes it."""
        slots: dict[str, list[str]] = {}
        for number in self.sample:
            first: dict[str, str] = {}
            for kind, address in self._links(number):
                first.setdefault(kind, address)
            for kind, address in first.items():
                slots.setdefault(kind, []).append(address)
        worth = {kind: self._worth_of_links(found) for kind, found in slots.items()}
        best = max(worth, key=worth.__getitem__, default=None)
        is_good = best is not None and worth[best] > 0
        found = []
        for number, name in enumerate(self.ids):
            given = (address for kind, address in self._links(number) if is_good and kind == best)
            found.append(next(given, None) or (f"#{name}" if name else None))
        return found

    def _links(self, number: int) -> Iterator[tuple[str, str]]:
        """The kinds and addresses of the links of a post, without those in what it says."""
        span, nodes = self.spans[number], self.texts.nodes
        inside = range(span.start, min(span.end, span.start + _MOST_ROWS_OF_LINKS))
        bodies = [range(row, int(self.elements.end[row])) for row in self.reader.bodies[number]]
        for row in places(_IS_LINK.take(self.elements.code[inside.start : inside.stop])).tolist():
            row += span.start
            if self.owners[row] == number and not any(row in body for body in bodies):
                address = nodes[row].attr("href")
                if address and len(address) <= _LONGEST_LINK:
                    yield from ((kind, address) for kind in self.texts.kinds.of(row))

    def _worth_of_links(self, found: list[str]) -> float:
        """How likely links lead to posts: each to another place, with a fragment or a number, and to no action."""
        distinct = len(set(found)) / len(self.sample)
        marks = sum(("#" in link and not link.endswith("#")) + any(map(str.isdigit, link)) for link in found) / len(
            found
        )
        wrong = sum(bool(_ACTION.search(link) or PROFILE.search(link)) for link in found) / len(found)
        return distinct + 0.5 * marks - 1 - 2 * wrong if distinct > _LEAST_DISTINCT else 0

    @cached_property
    def ids(self) -> list[str | None]:
        """The id of each post with its number, by which a link can name it."""
        found = []
        for span in self.spans:
            rows = range(span.start, min(span.end, span.start + _MOST_ROWS_OF_IDS))
            names = (self.texts.nodes[row].attr("id") or "" for row in rows)
            found.append(
                next((name for name in names if _LAST_NUMBER.search(name) and len(name) <= LONGEST_NAME), None)
            )
        return found if len(set(found)) == len(found) else [None] * len(found)

    @cached_property
    def depths(self) -> list[int]:
        """How many posts each is below: by elements in each other, or as far as it is indented."""
        nested = self._nested([self._with_answers(number) for number in range(len(self.spans))])
        if any(nested):
            is_chain = (
                nested == list(range(len(nested))) and len(nested) > _LONGEST_CHAIN
            )  # elements that were not closed
            return [0] * len(nested) if is_chain else nested
        indented = [self._indent(span.start) for span in self.spans]
        levels = {indent: level for level, indent in enumerate(sorted(set(indented)))}
        return [levels[indent] for indent in indented] if len(levels) <= _MOST_INDENTS else nested

    @staticmethod
    def _nested(spans: Sequence[Span]) -> list[int]:
        nested: list[int] = []
        ends: list[int] = []
        for span in spans:
            while ends and span.start >= ends[-1]:
                ends.pop()
            nested.append(len(ends))
            ends.append(span.end)
        return nested

    def _with_answers(self, number: int) -> Span:
        """A post with the element around it, if that holds only other posts that are deeper in it."""
        span, after, depth = self.spans[number], self.spans[number + 1 :][:1], self.elements.depth
        row = self.texts.parents[span.start]
        if not after or row < 0 or (number and self.spans[number - 1].start > row):
            return span
        end, kinds = self.texts.ends[row], self.texts.kinds
        if not span.end <= after[0].start < end or set(kinds.of(span.start)).isdisjoint(kinds.of(after[0].start)):
            return span
        others = takewhile(lambda each: each.start < end, islice(self.spans, number + 1, None))
        return Span(span.start, end) if all(depth[each.start] > depth[span.start] for each in others) else span

    def _indent(self, start: int) -> int:
        """A level, or the space at the left in pixels or so, that a post or its first elements declare."""
        for row in range(start, min(self.texts.ends[start], start + _MOST_ROWS_OF_IDS)):
            for name, value in self.elements.attributes(row):
                if name in _LEVEL_ATTRIBUTES and value.isdecimal() and len(value) <= 3:
                    return int(value)
                if name in ("class", "style") and (found := _INDENT.search(value[:_LONGEST_LINK])):
                    return int(found[1] or found[2])
        return 0

    @cached_property
    def answered(self) -> list[int | None]:
        """For each post the place of the one that it answers: that above it, or that to which its quotation links."""
        found: list[int | None] = []
        above: list[int] = []
        by_number = {_LAST_NUMBER.findall(name)[-1]: place for place, name in enumerate(self.ids) if name}
        for place, depth in enumerate(self.depths):
            while above and self.depths[above[-1]] >= depth:
                above.pop()
            found.append(above[-1] if above and depth else self._quoted_post(place, by_number))
            above.append(place)
        return found

    def _quoted_post(self, number: int, by_number: dict[str, int]) -> int | None:
        for at in self.reader.said[number]:
            if self.texts.in_link[at] and self.reader.quoted[at] >= 0:
                address = self.texts.nodes[int(self.texts.element[at])].attr("href") or ""
                for digits in _LAST_NUMBER.findall(address[:_LONGEST_LINK])[-1:]:
                    if by_number.get(digits, number) < number:
                        return by_number[digits]
        return None

    @cached_property
    def accepted(self) -> list[bool]:
        """Is each post an accepted answer? Its element says so, or a label outside of its text."""
        return [self._is_accepted(number) for number in range(len(self.spans))]

    def _is_accepted(self, number: int) -> bool:
        texts = self.texts
        if any(
            _is_accepted(texts.kinds.of(row)) or texts.nodes[row].attr("itemprop") == "acceptedAnswer"
            for row in self.heads(number)
        ):
            return True
        return any(
            texts.length[at] <= LONGEST_NAME
            and not (self.reader.in_body[at] or texts.in_link[at])
            and _is_accepted(texts.kinds.of(int(texts.element[at])))
            for at in self.reader.own[number]
        )

    def heads(self, number: int) -> list[int]:
        """The element of a post, and those around it alone."""
        span = self.spans[number]
        found: list[int] = []
        before = self.spans[number - 1].start if number else -1
        after = self.spans[number + 1].start if number + 1 < len(self.spans) else len(self.elements)
        row = span.start
        while before < row and self.elements.end[row] <= after and len(found) < _MOST_HEADS:
            found.append(row)
            row = int(self.elements.parent[row])
        return found
