"""The elements that a contestant wrote, compared with those that are wanted."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tamis_lab.bench.structure.elements import KINDS, words
from tamis_lab.bench.structure.expected import Item, Wanted
from tamis_lab.bench.structure.markdown import to_html
from tamis_lab.bench.structure.reader import Reading, read


class Counts(NamedTuple):
    """Elements of one kind on one page, or on several."""

    expected: int = 0
    hits: int = 0
    there: int = 0  # expected ones whose text is in the output, as such elements or not
    beyond: int = 0  # found, and on the page, but not in its gold
    made_up: int = 0  # found, but the page has no such element: glued, duplicated, cut or invented

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
        """The share of hits among the expected elements whose text is there: what is lost by writing alone."""
        return self.hits / self.there if self.there else 0.0


class Comparison(NamedTuple):
    """The counts by kind, and the elements behind them."""

    counts: dict[str, Counts]
    lost: Counter[Item]
    made_up: Counter[Item]


def read_output(output: str, url: str | None, page: Reading, *, is_html: bool) -> Reading:
    """The elements of what a contestant made of a page."""
    html = output if is_html else to_html(output, with_formulas=page.has_formulas)
    return read(html, url, like=page)


def compare(wanted: Wanted, found: Reading, page: Reading, output: str) -> Comparison:
    """Count what was found, lost and made up, for each kind of which something is wanted."""
    items = Counter((element.kind, element.key) for element in found.elements)
    lost = wanted.wanted - items
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
        if all_of_it := expected[kind]:
            there = all_of_it - gone[kind]
            counts[kind] = Counts(all_of_it, all_of_it - missing[kind], there, beyond[kind], strange[kind])
    return Comparison(counts, lost, made_up)


def _judged(found: Reading, page: Reading, wanted: Wanted) -> Counter[Item]:
    """The elements of an output that can be wrong.

    Not those that another careful person might not have written so, nor links for what the page embeds, nor a part of
    a link around several blocks.
    """
    excused = page.embedded | {key[1] for kind, key in wanted.unsure if kind == "link"}
    return Counter(
        (element.kind, element.key)
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
