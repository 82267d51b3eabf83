"""Repeated structure: elements of one kind, each of which holds one record.

Two elements are of one kind if they share a class, the front of an id without its number or a tag of the site's own;
elements that have none, if their tags and those above them agree. A record is such an element, or, where heads and
texts are siblings, all from one head up to the next (or up to a foot).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import exp, log
from typing import Any, NamedTuple

import numpy as np

from tamis.arrays import Ints, places
from tamis.deadline import checked
from tamis.document.table import Elements

_DIGITS = re.compile(r"[0-9]+")
# Classes of one element that are looked at, characters of each, and levels of tags without a class.
_MOST_CLASSES, _LONGEST_CLASS, _LEVELS = 6, 60, 3
# Kinds that are weighed, those with the most elements first; and the most elements that are looked at.
_MOST_KINDS, _MOST_ROWS = 400, 20_000
# A larger element of the same records is taken if it is about as good: it holds the name, too.
_ABOUT_AS_GOOD = 0.95
# A kind is usual if this share of some elements has it.
_USUAL = 0.6
_NEARLY_ALL = 0.9  # of the prose; with less, records without a mark are looked for
_HALF = 0.5  # of the usual kinds, and at least two, are those of such a record
# Siblings are heads or feet if at most this share of them has prose.
_MOST_WITH_PROSE = 0.3


class Span(NamedTuple):
    """The elements of one record: the rows from `start` up to `end`."""

    start: int
    end: int


class Kinds:
    """The kinds of the elements of a page, found when asked for."""

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._known: dict[int, tuple[str, ...]] = {}

    def of(self, row: int) -> tuple[str, ...]:
        """The kinds of an element: each of its classes, the front of its id, or the tags from it upwards."""
        known = self._known.get(row)
        if known is None:
            node = self._elements.all_nodes[row]
            known = _named(node.attr("class") or "", node.attr("id") or "", node.tag) or (self._tags(row),)
            self._known[row] = known
        return known

    def _tags(self, row: int) -> str:
        nodes, parent = self._elements.all_nodes, self._elements.parent
        tags = [nodes[row].tag]
        for _ in range(_LEVELS):
            row = int(parent[row])
            if row < 0:
                break
            if classes := _named(nodes[row].attr("class") or ""):
                tags.append(classes[0])
                break
            tags.append(nodes[row].tag)
        return "<".join(tags)


@lru_cache(maxsize=4_096)  # the same few recur on the pages of all boards
def _named(classes: str, id_: str = "", tag: str = "") -> tuple[str, ...]:
    names = [_without_digits(name) for name in classes.split(maxsplit=_MOST_CLASSES)[:_MOST_CLASSES]]
    if id_ and (front := _without_digits(id_)) != id_:
        names.append(front and f"#{front}")
    if "-" in tag:  # an element of the site's own
        names.append(tag)
    return tuple(dict.fromkeys(filter(None, names)))


def _without_digits(name: str) -> str:
    return _DIGITS.sub("", name[:_LONGEST_CLASS]).rstrip("-_")


class Weights(NamedTuple):
    """What records are made of, as sums over all elements before each; the last item is the sum over all."""

    prose: Ints  # characters of text that may be that of records
    marks: Ints  # what each record has: its date or name


def before(column: Any) -> Ints:
    """The sums of a column over all elements before each."""
    sums: Ints = np.zeros(len(column) + 1, dtype=np.int64)
    column.cumsum(out=sums[1:], dtype=np.int64)
    return sums


def find(elements: Elements, kinds: Kinds, weights: Weights, least: float) -> list[Span]:
    """The records of a page with at least this share of its prose; empty if it has none.

    As many as possible, as equal as possible, each with prose and a mark of its own. Records may be in each other.
    """
    total = int(weights.prose[-1])
    with_marks = weights.marks.take(elements.end) > weights.marks[:-1]
    by_kind: dict[str, list[int]] = {}
    for row in checked(places(with_marks)[:_MOST_ROWS].tolist()):
        for kind in kinds.of(row):
            by_kind.setdefault(kind, []).append(row)
    groups = {tuple(group): None for group in by_kind.values() if len(group) > 1}
    found = [
        (worth * _likeness(kinds, group), spans)
        for group in checked(sorted(groups, key=len, reverse=True)[:_MOST_KINDS])
        for spans in _divisions(elements, group, weights)
        if (worth := _worth(spans, weights, max(1, least * total)))
    ]
    best = max((worth for worth, _ in found), default=0)
    good = (spans for worth, spans in found if worth >= _ABOUT_AS_GOOD * best)
    chosen = max(
        good, key=lambda spans: (_whole(spans, weights), sum(span.end - span.start for span in spans)), default=[]
    )
    return _completed(elements, kinds, weights, chosen)


def _completed(elements: Elements, kinds: Kinds, weights: Weights, spans: list[Span]) -> list[Span]:
    """The records with those of their kind that have prose and no mark, if much prose is outside of them."""
    starts = [span.start for span in spans]
    covered = sum(own(spans, weights.prose))
    if not spans or covered >= _NEARLY_ALL * weights.prose[-1] or any(elements.end[row] != end for row, end in spans):
        return spans
    usual = _usual([kinds.of(row) for row in starts])
    is_code = np.zeros(256, dtype=np.bool_)
    is_code[elements.code.take(starts)] = True
    has_prose = weights.prose.take(elements.end) > weights.prose[:-1]
    has_mark = weights.marks.take(elements.end) > weights.marks[:-1]
    others = places(has_prose & ~has_mark & is_code.take(elements.code))[:_MOST_ROWS].tolist()
    least = max(min(2, len(usual)), _HALF * len(usual), 1)
    found = [Span(row, int(elements.end[row])) for row in others if len(usual.intersection(kinds.of(row))) >= least]
    return sorted([*spans, *found])


def _whole(spans: Sequence[Span], weights: Weights) -> float:
    """The share of records with prose of their own, in tenths."""
    return round(sum(size > 0 for size in own(spans, weights.prose)) / len(spans), 1)


def _likeness(kinds: Kinds, group: Sequence[int]) -> float:
    """How alike elements are: the share of the kinds of each that most of them have."""
    of_each = [kinds.of(row) for row in group]
    usual = _usual(of_each)
    return sum(len(usual.intersection(each)) / len(usual.union(each)) for each in of_each) / len(group)


def _usual(of_each: Sequence[tuple[str, ...]]) -> set[str]:
    counts = Counter(chain.from_iterable(of_each))
    return {kind for kind, count in counts.items() if count >= _USUAL * len(of_each)}


def _divisions(elements: Elements, group: Sequence[int], weights: Weights) -> Iterator[list[Span]]:
    """The records that elements of one kind may make: those elements, or those and the siblings up to the next."""
    spans = list(map(Span, group, elements.end.take(group).tolist()))
    sizes = Counter(elements.parent.take(group).tolist())
    if len(sizes) == 1 or max(sizes.values()) == 1 or len(set(sizes.values())) > 1:
        yield spans  # else they are as many in each of several elements: parts of records
    parent, count = sizes.most_common(1)[0]
    if parent < 0 or count < 2:
        return
    spans = [span for span in spans if elements.parent[span.start] == parent]
    around = Span(parent + 1, int(elements.end[parent]))
    if sum(sum_of(span, weights.prose) > 0 for span in spans) <= _MOST_WITH_PROSE * len(spans):
        starts, ends = [span.start for span in spans], [span.end for span in spans]
        yield list(map(Span, starts, [*starts[1:], around.end]))
        if sum_of(Span(around.start, starts[0]), weights.prose):
            yield list(map(Span, [around.start, *ends[:-1]], ends))


def own(spans: Sequence[Span], sums: Ints) -> list[int]:
    """What each of some records has without those in it."""
    starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    sizes: list[int] = (sums.take(ends) - sums.take(starts)).tolist()
    if not (starts[1:] < ends[:-1]).any():
        return sizes
    found: list[int] = []
    open_ones: list[tuple[int, int]] = []  # the end and the number of the records around
    for number, (span, size) in enumerate(zip(spans, sizes, strict=True)):
        while open_ones and span.start >= open_ones[-1][0]:
            open_ones.pop()
        if open_ones:
            found[open_ones[-1][1]] -= size
        found.append(size)
        open_ones.append((span.end, number))
    return found


def sum_of(span: Span, sums: Ints) -> int:
    """The sum over the elements of a span."""
    return int(sums[span.end] - sums[span.start])


def _worth(spans: Sequence[Span], weights: Weights, least: float) -> float:
    """How many records of equal length have as much prose as these, times that prose; 0 if it is less than `least`."""
    sizes = zip(own(spans, weights.prose), own(spans, weights.marks), strict=True)
    counted = [size for size, marks in sizes if size > 0 and marks > 0]
    prose = sum(counted)
    if len(counted) < 2 or prose < least:
        return 0
    return prose * exp(-sum(size / prose * log(size / prose) for size in counted))
