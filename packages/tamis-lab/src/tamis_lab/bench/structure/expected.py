"""Which elements of a page are wanted: those whose text is in its gold."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import NamedTuple

from tamis_lab.bench.structure.elements import Element
from tamis_lab.bench.structure.reader import Reading
from tamis_lab.gold import BADLY_PLACED, match
from tamis_lab.metrics import tokens

Item = tuple[str, tuple[str, ...]]  # the kind and the key of an element

_MOST_MISSING = 0.1  # of the words of an element, because annotators leave out a mark here and there
_FEW = 4  # with fewer words than this, the words beside an element have to be in the gold as well
_BESIDE = 8  # words on each side of an image or a formula
_SHARE_BESIDE = 0.6  # of these that the gold must have
_SHARE_AROUND = 0.7  # of the words of the block around it, where it stands in one


class Wanted(NamedTuple):
    """The elements of a page: wanted, beyond the gold, and those that are neither wanted nor wrong."""

    wanted: Counter[Item]
    beyond: Counter[Item]
    unsure: Counter[Item]


def by_gold(page: Reading, whole: Reading, gold_text: str) -> Wanted | None:
    """The elements of a page by its gold text; None if too little of the gold is on the page.

    `whole` is the page with what it hides, which some contestants show.
    """
    place = _Place(page.text, gold_text)
    if place.share < BADLY_PLACED:
        return None
    wanted: Counter[Item] = Counter()
    unsure: Counter[Item] = Counter()
    for element in page.elements:
        inside = place.beside(element) if element.kind in ("image", "formula") else place.holds(element)
        chosen = unsure if inside is None or not element.sure else wanted if inside else None
        if element.kind == "image" and element.sure and (element.kind, element.key) in wanted:
            chosen = unsure  # shown twice, of which one is enough
        if chosen is not None:
            chosen[element.kind, element.key] += 1
    # The larger number of both: hidden words beside an element may be a part of it in the whole page.
    everything = _items(whole) | _items(page)
    return Wanted(wanted, everything - wanted - unsure, unsure)


def _items(page: Reading) -> Counter[Item]:
    return Counter((element.kind, element.key) for element in page.elements)


def by_example(example: Reading) -> Wanted:
    """The elements of an expected output."""
    sure = Counter((element.kind, element.key) for element in example.elements if element.sure)
    unsure = Counter((element.kind, element.key) for element in example.elements if not element.sure)
    return Wanted(sure, Counter(), unsure)


class _Place:
    """Where the words of a page are in the gold."""

    def __init__(self, text: str, gold_text: str) -> None:
        self._text = text
        page: list[str] = []
        self._starts: list[int] = []
        at = 0
        for line in text.split("\n"):
            for part in line.split(" "):
                found = tokens(part)
                page += found
                # Where exactly a word begins within a part does not matter but for links inside words.
                self._starts += [at] * len(found)
                at += len(part) + 1
        gold = tokens(gold_text)
        pairs = match(page, gold)
        self.share = len(pairs) / len(gold) if gold else 0.0
        self._gold = [-1] * len(page)
        for number, found_at in pairs:
            self._gold[number] = found_at

    def _range(self, start: int, end: int) -> tuple[int, int]:
        return bisect_left(self._starts, start), bisect_left(self._starts, end)

    def _share(self, first: int, last: int) -> float:
        return sum(place >= 0 for place in self._gold[first:last]) / max(1, last - first)

    def holds(self, element: Element) -> bool:
        """Is the text of an element in the gold, in one piece?"""
        start = element.start
        while start > 0 and not self._text[start - 1].isspace():  # it begins within a word: (<a>link</a>
            start -= 1
        first, last = self._range(start, element.end)
        if first == last or self._share(first, last) < 1 - _MOST_MISSING:
            return False
        places = [place for place in self._gold[first:last] if place >= 0]
        if places[-1] - places[0] > 1.2 * (last - first) + 2:
            return False
        if last - first >= _FEW:
            return True
        before = self._gold[first - 1] if first else -1
        after = self._gold[last] if last < len(self._gold) else -1
        return (before >= 0 and places[0] - before <= _FEW) or (after >= 0 and after - places[-1] <= _FEW)

    def beside(self, element: Element) -> bool | None:
        """Is what an element stands in or between in the gold? None if only one side is."""
        low = self._text.rfind("\n", 0, element.start) + 1
        high = self._text.find("\n", element.end)
        first, last = self._range(low, high if high >= 0 else len(self._text))
        if last - first >= _FEW and self._share(first, last) >= _SHARE_AROUND:
            return True
        first, last = self._range(element.start, element.end)
        before = self._share(max(0, first - _BESIDE), first) >= _SHARE_BESIDE
        after = self._share(last, min(len(self._gold), last + _BESIDE)) >= _SHARE_BESIDE
        return None if before != after else before
