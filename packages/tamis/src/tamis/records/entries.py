"""The entries of a page, found by repeated structure.

Links and headings of like place (by the tags and classes of them and of the elements around them) are heads; the
largest element around a head that holds no other head of its kind is an entry. Of these groups of entries the page's
own is the one with the most kept text, not counting its longest entry, so that neither menus nor one long article win.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from statistics import median
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Floats, Ints, places
from tamis.cached import cached_property
from tamis.deadline import check, checked
from tamis.document import Document, tags
from tamis.labels import Labels

LEAST_ENTRIES = 3  # fewer do not repeat
LEAST_SENTENCE = 40  # characters of a line that is more than a label
MOSTLY = 0.6  # of the entries, or of the text
_MOST_ENTRIES = 5_000  # for hostile pages
_MOST_GROUPS = 40  # that are compared
_MOST_COLUMNS = 50  # that are told apart
# Groups with nearly the most text have the same entries; the one with the best heads is taken.
_NEARLY = 0.8
# A bound of a score leaves out what comes before the first head, which may be more than the longest entry.
_AROUND_HEADS = 1.5
# The share of its shown text that an entry counts for where most have a price: extractors miss the cards of shops.
_OF_GOODS = 0.5
_LEAST_SHARE = 0.05  # of the kept text that is in the entries; less are links of a menu

LEVELS = 3  # elements whose classes a place has: the element, its parent and the one above
_TAGS_ABOVE = 3  # of further ancestors, the tags alone
_LONGEST_CLASS = 80  # characters that are read
# Classes by which like elements differ.
_COUNTING = re.compile(
    r"(?:^|[-_])(?:odd|even|first|last|alt|active|current|selected|clearfix|row)(?:$|[-_]|\d)", re.IGNORECASE
)

# Characters of a title on average. Beyond the first they count no further; beyond the second the title counts less.
_LONG_ENOUGH = 25
LONGEST_TITLE = 150
_CURRENCY = (
    r"(?:[$€£¥₹₽₩₺₴₫฿₪]|(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|INR|Rs\.?|R\$|kr\.?|zł|Kč|Ft|lei|TL)"
    r"(?![a-z]))"
)
PRICE = re.compile(rf"(?<![\w.,]){_CURRENCY}\s?\d[\d.,]{{0,12}}|(?<![\w.,])\d[\d.,\u00a0\u202f]{{0,12}}\s?{_CURRENCY}")

IS_LINK, IS_HEADING = tags.lookup("a"), tags.lookup(*tags.HEADINGS)
_SET_APART = frozenset({"a", "span", "time", "small", "label"})


class Entry(NamedTuple):
    """An entry as a range of the page: its element, its head, and its leaves."""

    row: int
    head: int
    leaves: list[int]


def entries(document: Document, labels: Labels) -> list[Entry]:
    """The repeated structure with the most kept text; empty if nothing repeats."""
    check()
    table = _Table(document, labels)
    scored: list[tuple[float, float, list[Entry]]] = []
    most = 0.0
    for bound, rows in table.groups():
        if bound < _NEARLY * most:
            break
        if units := table.divided(rows):
            scored.append((table.score(units), table.quality(rows), units))
            most = max(most, scored[-1][0])
    if not most or most < _LEAST_SHARE * table.kept_before[-1]:
        return []
    near = [(quality, score, units) for score, quality, units in scored if score >= _NEARLY * most]
    return max(near, key=lambda each: each[:2])[2]


class _Table:
    """The heads of a page and its kept text, as columns over its elements and leaves."""

    def __init__(self, document: Document, labels: Labels) -> None:
        self.document, self.elements, self.leaves = document, document.elements, document.leaves
        leaves, elements = self.leaves, self.elements
        lengths = np.fromiter(map(len, leaves.text), np.int64, len(leaves))
        kept = labels.keep & leaves.is_visible_text
        weights = np.where(kept, 1.0, labels.scores * leaves.is_visible_text)
        self.shown_before: Ints = np.append(0, (lengths * leaves.is_visible_text).cumsum())
        self.kept_before: Floats = np.append(0.0, (lengths * weights).cumsum())
        visible = elements.sums(np.bincount(leaves.element[leaves.is_visible_text], minlength=len(elements)))
        self.kept: Ints = elements.sums(np.bincount(leaves.element[kept], minlength=len(elements)))
        is_link, is_heading = IS_LINK.take(elements.code), IS_HEADING.take(elements.code)
        # The heading around a link is a head, too, since others of like place may be without a link.
        self.is_head: Bools = (visible > 0) & (is_heading | is_link)
        self._places = Places(document)

    def groups(self) -> list[tuple[float, list[int]]]:
        """The heads of each place, with a bound of their score, the highest first."""
        found: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for row in checked(places(self.is_head).tolist()):
            place: tuple[object, ...] = self._places.of(row)
            found[place].append(row)
            if "td" in place:  # in a table of data, like columns are a group; in one that is a grid, all cells
                found[*place, "td", _column(self.document, row)].append(row)
        bounded = [(self._bound(rows), rows[:_MOST_ENTRIES]) for rows in found.values() if len(rows) >= LEAST_ENTRIES]
        return sorted(bounded, key=lambda each: -each[0])[:_MOST_GROUPS]

    def _bound(self, rows: Sequence[int]) -> float:
        """More than the score of the entries of some heads, of which the longest does not count."""
        first, last = self.leaves.opened.searchsorted([rows[0], self.elements.end[rows[-1]]]).tolist()
        kept = float(self.kept_before[last] - self.kept_before[first])
        if self.prices_before[last] - self.prices_before[first] >= MOSTLY * (len(rows) - 1):
            kept = max(kept, _OF_GOODS * float(self.shown_before[last] - self.shown_before[first]))
        return _AROUND_HEADS * kept

    def divided(self, rows: list[int]) -> list[Entry]:
        """The entries of some heads; only where a head or a neighbour of it is kept."""
        elements, heads = self.elements, np.array(rows)
        is_one = np.zeros(len(elements), dtype=np.bool_)
        is_one[heads] = True
        is_many = np.append(elements.sums(is_one) > 1, False)  # the last is the parent of the root
        units = elements.nearest(is_many.take(elements.parent), heads)
        depth = elements.depth
        height = depth.take(heads) - depth.take(units)
        usual = Counter(height.tolist()).most_common(1)[0][0]
        rows_of_units = [
            _above(self.elements.parent, head, min(tall, usual))
            for head, tall in zip(rows, height.tolist(), strict=True)
        ]
        parents = elements.parent.take(rows_of_units)
        above = np.append(elements.parent, -1).take(parents)
        is_kept = self.kept.take(rows_of_units) > 0
        near, nearest = set(parents[is_kept].tolist()), set(above[is_kept].tolist()) - {-1}
        chosen = [
            (unit, head, parent)
            for unit, head, parent, higher in zip(rows_of_units, rows, parents.tolist(), above.tolist(), strict=True)
            if not near or parent in near or higher in nearest
        ]
        return list(self._with_gaps(chosen)) if len(chosen) >= LEAST_ENTRIES else []

    def _with_gaps(self, chosen: Sequence[tuple[int, int, int]]) -> Iterator[Entry]:
        """Entries with the leaves in their elements; if most are followed by text of their own, with that, too."""
        ranges = [self.leaves_of(unit) for unit, _, _ in chosen]
        gaps = [
            range(here.stop, there.start)
            for (here, (_, _, parent)), (there, (_, _, other)) in pairwise(zip(ranges, chosen, strict=True))
            if parent == other
        ]
        usual = int(median([self._kept_in(gap) > 0 for gap in gaps])) if gaps else 0
        length = int(median([len(gap) for gap in gaps])) if gaps else 0
        for number, ((unit, head, parent), leaves) in enumerate(zip(chosen, ranges, strict=True)):
            stop = leaves.stop
            if usual:
                is_last = number + 1 == len(chosen) or chosen[number + 1][2] != parent
                end = self.leaves_of(parent).stop if is_last else ranges[number + 1].start
                stop = min(end, stop + length) if is_last else end
            yield Entry(unit, head, list(range(leaves.start, stop)))

    def _kept_in(self, leaves: range) -> float:
        return float(self.kept_before[max(leaves.stop, leaves.start)] - self.kept_before[leaves.start])

    def leaves_of(self, row: int) -> range:
        """The leaves in an element."""
        first, last = self.leaves.opened.searchsorted([row, self.elements.end[row]]).tolist()
        while first < last and self.leaves.element[last - 1] < row:  # text after the element
            last -= 1
        return range(first, last)

    def score(self, found: Sequence[Entry]) -> float:
        """How much kept text is in some entries, without the longest."""
        ranges = [range(each.leaves[0], each.leaves[-1] + 1) for each in found if each.leaves]
        sizes = [self._kept_in(leaves) for leaves in ranges]
        prices = self.prices_before
        if sum(prices[leaves.stop] > prices[leaves.start] for leaves in ranges) >= MOSTLY * len(found):
            sizes = [max(size, _OF_GOODS * self._shown_in(leaves)) for size, leaves in zip(sizes, ranges, strict=True)]
        linked = sum(map(self._is_linked, found)) / len(found)
        return (sum(sizes) - max(sizes, default=0)) * linked**2

    def _shown_in(self, leaves: range) -> int:
        return int(self.shown_before[leaves.stop] - self.shown_before[leaves.start])

    @cached_property
    def prices_before(self) -> list[int]:
        """How many prices are in the leaves before each, and in all."""
        ends = np.fromiter(accumulate(len(text) + 1 for text in self.leaves.text), np.int64, len(self.leaves))
        found = [match.start() for match in PRICE.finditer("\n".join(self.leaves.text))]
        before: list[int] = np.searchsorted(found, np.append(0, ends)).tolist()
        return before

    @cached_property
    def _is_link_alone(self) -> list[bool]:
        """For each leaf: is it in a link, and not among the words of a paragraph?"""
        leaves, shown = self.leaves, self.leaves.visible_text
        block, in_link = leaves.block.take(shown), leaves.in_link.take(shown)
        among = (block[1:] == block[:-1]) & (in_link[1:] != in_link[:-1])
        words = np.fromiter((len(leaves.text[leaf]) >= LEAST_SENTENCE for leaf in shown.tolist()), np.bool_, len(shown))
        alone = in_link.copy()
        alone[1:] &= ~(among & words[:-1])
        alone[:-1] &= ~(among & words[1:])
        found = leaves.in_link & leaves.is_media
        found[shown] = alone
        answer: list[bool] = found.tolist()
        return answer

    def _is_linked(self, entry: Entry) -> bool:
        return any(self._is_link_alone[leaf] for leaf in entry.leaves)

    def quality(self, rows: Sequence[int]) -> float:
        """How much some heads are like titles."""
        texts = [text_of(self.document, self.leaves_of(row)) for row in rows]
        around = self.elements.code.take([rows[0], self.elements.parent[rows[0]]])
        return likeness(texts, is_marked=bool(IS_HEADING.take(around).any()))


def _above(parent: Ints, row: int, levels: int) -> int:
    for _ in range(levels):
        row = int(parent[row])
    return row


class Places:
    """Where elements are, so that like ones have the same place: tags and classes, without classes that count."""

    def __init__(self, document: Document) -> None:
        self._nodes, self._parent = document.elements.all_nodes, document.elements.parent.tolist()
        self._known: dict[tuple[int, int, int], tuple[str, ...]] = {}

    def of(self, row: int, levels: int = LEVELS, tags_above: int = _TAGS_ABOVE) -> tuple[str, ...]:
        """The tag and class of an element and of those around it, up to `levels`, and the tags of some above."""
        if row < 0 or levels + tags_above == 0:
            return ()
        key = row, levels, tags_above
        if key not in self._known:
            node, parent = self._nodes[row], self._parent[row]
            if levels:
                own: tuple[str, ...] = (node.tag, _first_class(node.attr("class")))
                self._known[key] = own + self.of(parent, levels - 1, tags_above)
            else:
                self._known[key] = (node.tag, *self.of(parent, 0, tags_above - 1))
        return self._known[key]


def _column(document: Document, row: int) -> int:
    """How many cells are before the one that holds an element."""
    elements = document.elements
    cell = next((above for above in elements.ancestors(row) if elements.all_nodes[above].tag == "td"), row)
    other, before = int(elements.parent[cell]) + 1, 0
    while other < cell and before < _MOST_COLUMNS:
        other, before = int(elements.end[other]), before + 1
    return before


def _first_class(names: str | None) -> str:
    """The first class that does not count, without digits."""
    for name in (names or "").split()[:4]:
        if not _COUNTING.search(name[:_LONGEST_CLASS]) and (bare := name.rstrip("0123456789")):
            return bare
    return ""


def likeness(texts: Sequence[str], *, is_marked: bool) -> float:
    """How much texts of like place are like titles: they differ, have some length, and are marked as such."""
    present = [text for text in texts if text]
    if not present:
        return 0.0
    length = sum(map(len, present)) / len(present)
    sized = min(length, _LONG_ENOUGH) / _LONG_ENOUGH * min(1.0, LONGEST_TITLE / length)
    return len(set(present)) / len(texts) * sized * (2 if is_marked else 1)


def text_of(document: Document, members: Iterable[int]) -> str:
    """The visible text of some leaves in one line.

    A space is put between the words of elements that a style sheet sets apart: `<a>Ann</a><span>3 May</span>`.
    """
    leaves, nodes = document.leaves, document.elements.all_nodes
    parts: list[str] = []
    last, before = "", -1
    for leaf in members:
        if not leaves.is_visible_text[leaf]:
            continue
        text, row = leaves.text[leaf], int(leaves.element[leaf])
        is_word = last[-1:].isalnum() and text[:1].isalnum() and not (last[-1:].isdigit() and text[:1].isdigit())
        apart = row != before and is_word and not {nodes[row].tag, nodes[before].tag}.isdisjoint(_SET_APART)
        parts += [" " if leaves.gap[leaf] or apart else "", text]
        last, before = text, row
    return " ".join("".join(parts).split())
