"""Which elements of a page are wanted, and how many of them a contestant wrote.

Wanted are the elements whose text is in the gold of a page, or those of an expected output.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from tamis_lab.bench.structure.elements import Reading, read
from tamis_lab.bench.structure.page import KINDS, Element, to_html, words
from tamis_lab.gold import BADLY_PLACED, match
from tamis_lab.metrics import tokens

Item = tuple[str, tuple[str, ...]]  # the kind and the key of an element

_MOST_MISSING = 0.1  # of the words of an element, because annotators leave out a mark here and there
_FEW = 4  # with fewer words than this, the words beside an element have to be in the gold as well
_BESIDE = 8  # words on each side of an image or a formula
_SHARE_BESIDE = 0.6  # of these that the gold must have
_SHARE_AROUND = 0.7  # of the words of the block around it, where there is one


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
    # The larger number of both: hidden words next to an element may belong to it in the whole page.
    everything = _items(whole.elements) | _items(page.elements)
    return Wanted(wanted, everything - wanted - unsure, unsure)


def _items(elements: Iterable[Element]) -> Counter[Item]:
    return Counter((element.kind, element.key) for element in elements)


def by_example(example: Reading) -> Wanted:
    """The elements of an expected output."""
    sure = _items(element for element in example.elements if element.sure)
    return Wanted(sure, Counter(), _items(element for element in example.elements if not element.sure))


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
        """Are the words around an element in the gold? None if only one side is."""
        low = self._text.rfind("\n", 0, element.start) + 1
        high = self._text.find("\n", element.end)
        first, last = self._range(low, high if high >= 0 else len(self._text))
        if last - first >= _FEW and self._share(first, last) >= _SHARE_AROUND:
            return True
        first, last = self._range(element.start, element.end)
        before = self._share(max(0, first - _BESIDE), first) >= _SHARE_BESIDE
        after = self._share(last, min(len(self._gold), last + _BESIDE)) >= _SHARE_BESIDE
        return None if before != after else before


class Counts(NamedTuple):
    """Elements of one kind on one page, or on several."""

    expected: int = 0
    hits: int = 0
    there: int = 0  # expected ones whose text is in the output, as such elements or not
    beyond: int = 0  # found, and on the page, but not in its gold
    made_up: int = 0  # found, but not on the page as such an element: glued, duplicated, cut or invented

    @property
    def recall(self) -> float:
        """The share of the expected elements that were found."""
        return self.hits / self.expected if self.expected else 0.0

    @property
    def precision(self) -> float:
        """The share of the found elements that were expected."""
        found = self.hits + self.beyond + self.made_up
        return self.hits / found if found else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def as_such(self) -> float:
        """The share of hits among the expected elements whose text is there: the rest was lost in writing alone."""
        return self.hits / self.there if self.there else 0.0


class Comparison(NamedTuple):
    """The counts by kind, and the elements behind them."""

    counts: dict[str, Counts]
    lost: Counter[Item]
    made_up: Counter[Item]


def read_output(output: str, url: str | None, page: Reading, *, is_html: bool) -> Reading:
    """The elements of a contestant's output for a page."""
    html = output if is_html else to_html(output, with_formulas=page.has_formulas)
    return read(html, url, like=page)


def compare(wanted: Wanted, found: Reading, page: Reading, output: str) -> Comparison:
    """Count what was found, lost and made up, for each kind of which something is wanted."""
    lost = wanted.wanted - _items(found.elements)
    surplus = _judged(found, page, wanted) - wanted.wanted - wanted.unsure
    made_up = surplus - wanted.beyond
    spare = page.unnamed_formulas  # each may be written in any way
    for item in [item for item in made_up if item[0] == "formula"]:
        spare, made_up[item] = max(0, spare - made_up[item]), max(0, made_up[item] - spare)
    made_up = +made_up
    text, source = f" {words(found.text)} ", "".join(output.split())
    counts: dict[str, Counts] = {}
    expected, missing = _by_kind(wanted.wanted), _by_kind(lost)
    beyond, strange = _by_kind(surplus & wanted.beyond), _by_kind(made_up)
    gone = _by_kind(Counter({item: number for item, number in lost.items() if not _is_there(item, text, source)}))
    for kind in KINDS:
        if every := expected[kind]:
            hits, there = every - missing[kind], every - gone[kind]
            counts[kind] = Counts(every, hits, there, beyond[kind], strange[kind])
    return Comparison(counts, lost, made_up)


def _judged(found: Reading, page: Reading, wanted: Wanted) -> Counter[Item]:
    """The elements of an output that can be wrong.

    Not those that another careful person might not have written so, nor links for what the page embeds, nor a part of
    a link around several blocks.
    """
    excused = page.embedded | {key[1] for kind, key in wanted.unsure if kind == "link"}
    return _items(
        element
        for element in found.elements
        if element.sure and not (element.kind == "link" and element.key[1] in excused)
    )


def _by_kind(items: Counter[Item]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (kind, _), number in items.items():
        found[kind] += number
    return found


def _is_there(item: Item, text: str, source: str) -> bool:
    """Is the text of an element in the output? Of images the address counts."""
    kind, key = item
    if kind == "formula":
        return key[0] in source
    if kind == "image":
        return key[0].rpartition("/")[2] in source
    return f" {words(key[0]) if kind.startswith('code') else key[0]} " in text


def total(many: list[Counts]) -> Counts:
    """The sum of some counts."""
    return Counts(*map(sum, zip(*many, strict=True))) if many else Counts()
