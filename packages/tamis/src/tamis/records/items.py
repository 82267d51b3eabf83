"""The entries of a listing or collection: title, address, snippet, date, price and image of each, as the page has them.

They are found by repeated structure. Links and headings of like place (by the tags and classes of them and of the
elements around them) are heads; the largest element around a head that holds no other head of its kind is an entry. Of
these groups of entries the page's own is the one with the most kept text, not counting its longest entry, so that
neither menus nor one long article win. Within the entries, texts of like place are a slot, and the slot whose texts
differ, are in links or headings and have the length of a title holds the titles.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise
from statistics import median
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Floats, Ints, places
from tamis.cached import cached_property
from tamis.deadline import check, checked
from tamis.document import Document, parse, tags
from tamis.document.dates import day, find
from tamis.document.paths import Paths
from tamis.labels import Labels
from tamis.page_type import PageType, PageTypes
from tamis.render.content import Child, HtmlOptions, Node
from tamis.render.content.media import medium_node, medium_source
from tamis.render.content.source import base_url
from tamis.render.content.tree import content_tree
from tamis.render.markdown import nodes_markdown
from tamis.render.safe import safe_url

# The probability of the two types together from which a page is read.
_LEAST_PROBABILITY = 0.5
_LEAST_ENTRIES = 3  # fewer do not repeat
_MOST_ENTRIES = 5_000  # the longest list of the corpora has 400
_MOST_GROUPS = 40  # that are compared
_MOST_LINES = 200  # of an entry that are read
_MOST_COLUMNS = 50  # that are told apart
_MOST_LEVELS = 60  # between an entry and its texts
# Groups with nearly the most text have the same entries; the one with the best heads is taken.
_NEARLY = 0.8
# A bound of a score leaves out what comes before the first head, which may be more than the longest entry.
_AROUND_HEADS = 1.5

_LEVELS = 3  # elements whose classes a place has: the element, its parent and the one above
_TAGS_ABOVE = 3  # of further ancestors, the tags alone
# Classes by which like elements differ.
_COUNTING = frozenset("odd even first last alt active current selected clearfix row".split())

_TITLE_CUE = re.compile(r"title|name|headline|heading|subject", re.IGNORECASE)
_LONG_ENOUGH, _LONGEST_TITLE = 25, 150  # characters of a title on average; more count no further, then less
_UNLINKED = 0.2  # what texts count that are neither links nor headings
_MOSTLY = 0.6  # of the entries
# The share of its shown text that an entry counts for where most have a price: extractors miss the cards of shops.
_OF_GOODS = 0.5
_LEAST_SHARE = 0.05  # of the kept text that is in the entries; less are links of a menu
_LONGEST_LABEL = 80  # characters of a line that may be a date
_BETWEEN = " \u00b7|:\u2013\u2014"  # signs around the parts of a line
_LONGEST_SHOWN = 1_500  # characters of an entry that is written as an item of a list
_MOST_PARTS = 20  # of a page around its entries
_LEAST_SNIPPET, _LONGEST_SNIPPET = 40, 1_000  # characters
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")  # a letter of these is half a word
_CURRENCY = (
    r"(?:[$€£¥₹₽₩₺₴₫฿₪]|(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|INR|Rs\.?|R\$|kr\.?|zł|Kč|Ft|lei|TL)"
    r"(?![a-z]))"
)
_PRICE = re.compile(rf"(?<![\w.,]){_CURRENCY}\s?\d[\d.,]{{0,12}}|(?<![\w.,])\d[\d.,\u00a0\u202f]{{0,12}}\s?{_CURRENCY}")
_OLD = re.compile(r"(?:^|[-_ ])(?:old|was|strike|striked|crossed|original|msrp|compare)(?:$|[-_ ])", re.IGNORECASE)
_AGO = re.compile(r"\d{1,3}\s?[^\W\d_]{1,20}\s(?:ago|temu|назад|önce|fa|siden|sedan)\b|vor\s\d{1,3}\s[^\W\d_]{1,20}|"
                  r"(?:hace|il y a|há)\s\d{1,3}\s[^\W\d_]{1,20}|\d{1,3}\s?[^\W\d_]{1,3}前")  # fmt: skip

_IS_LINK, _IS_HEADING = tags.lookup("a"), tags.lookup(*tags.HEADINGS)
_IMAGES = frozenset({"img", "picture", "amp-img"})
_SET_APART = frozenset({"a", "span", "time", "small", "label"})
_STRUCK = frozenset({"del", "s", "strike"})


@dataclass(frozen=True)
class Item:
    """An entry of a listing."""

    title: str
    url: str | None = None  # absolute where the page's address is known
    snippet: str | None = None  # the entry's text below the title
    date: str | None = None  # ISO, YYYY-MM-DD, or as it is written
    price: str | None = None  # as it is written; of several the one to pay
    image: str | None = None  # its address
    xpath: str = ""  # of the element that holds the entry


class Entry(NamedTuple):
    """An entry as a range of the page: its element, its head, and its leaves."""

    row: int
    head: int
    leaves: list[int]


class _Record(NamedTuple):
    """An entry as an item and as a part of the page."""

    item: Item
    entry: Entry
    named: list[int]  # the leaves of the title


class _Piece(NamedTuple):
    """Text of an entry in one block and one link."""

    slot: tuple[object, ...]
    holder: int  # the link, or else the block
    leaves: list[int]
    text: str
    is_linked: bool
    is_heading: bool


def items(document: Document, labels: Labels, page_types: PageTypes | None = None) -> tuple[Item, ...]:
    """The entries of the page in document order; none if it is not a listing or collection, or nothing repeats.

    `page_types` are those of the page where `labels` know none.
    """
    types = page_types or labels.page_types
    if types is None or not is_listing(types):
        return ()
    return tuple(record.item for record in _records(document, labels))


def _records(document: Document, labels: Labels) -> list[_Record]:
    found = entries(document, labels)
    return list(_EntryReader(document, found).records()) if found else []


def items_markdown(found: Sequence[Item]) -> str:
    """Items as a list in Markdown: the title as a link, date and price, and the snippet below."""
    return nodes_markdown(
        [Node("ul", {}, [_list_item(item, [item.date, item.price], [item.snippet]) for item in found])]
    )


def _list_item(item: Item, facts: Iterable[str | None], lines: Iterable[Child | None]) -> Child:
    title = Node("a", {"href": item.url}, [item.title]) if item.url else Node("b", {}, [item.title])
    below = [child for line in lines if line for child in (Node("br"), line)]
    return Node("li", {}, [title, *[f" · {fact}" for fact in facts if fact], *below])


def listing_content(
    document: Document, labels: Labels, options: HtmlOptions, page_types: PageTypes | None = None
) -> list[Child] | None:
    """The content of a listing with its entries as lists; None if the page is not shown so.

    It is if its entries are short, hold most of the kept text, and are not the rows of a table. They are written with
    all their kept text; the rest of the content is written around them as on other pages.
    """
    types = page_types or labels.page_types
    found = _records(document, labels) if types and is_listing(types) else []
    keep, lengths = labels.keep, [len(text) for text in document.leaves.text]
    kept = [(record, [leaf for leaf in record.entry.leaves if keep[leaf]]) for record in found]
    kept = [(record, leaves) for record, leaves in kept if leaves]
    sizes = [sum(lengths[leaf] for leaf in leaves) for _, leaves in kept]
    whole = sum(lengths[leaf] for leaf in places(keep).tolist())
    if len(kept) < _LEAST_ENTRIES or any(document.elements.all_nodes[each.entry.row].tag == "tr" for each, _ in kept):
        return None
    if max(sizes) > _LONGEST_SHOWN or sum(sizes) < _MOSTLY * whole:
        return None
    rest = keep.copy()
    rest[[leaf for _, leaves in kept for leaf in leaves]] = False
    content: list[Child] = []
    items_here = Node("ul")  # the list that the next item belongs to, if nothing is kept between
    done, count = 0, 0
    for record, leaves in [*kept, (None, [len(keep)])]:
        if rest[done : leaves[0]].any():
            around = np.zeros(len(keep), dtype=np.bool_)
            around[done : leaves[0]] = rest[done : leaves[0]]
            content += content_tree(document, replace(labels, keep=around), options).children
            count += 1
        if record is not None:
            if not content or content[-1] is not items_here:
                items_here = Node("ul")
                content.append(items_here)
            items_here.children.append(_shown_item(document, record, leaves, options))
        done = max(done, leaves[-1] + 1)
        if count > _MOST_PARTS:
            return None
    return content


def is_listing(types: PageTypes) -> bool:
    """Is a page a listing or collection rather than a page of another type?"""
    return sum(types.probabilities.get(kind, 0) for kind in (PageType.LISTING, PageType.COLLECTION)) >= (
        _LEAST_PROBABILITY
    )


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


def _shown_item(document: Document, record: _Record, leaves: Sequence[int], options: HtmlOptions) -> Child:
    """An item of a list with all kept text of an entry, short lines beside the title and long ones below."""
    item = record.item
    others = dict.fromkeys(text for _, text in _lines_of(document, leaves, record.named, item.title))
    facts = [line for line in others if len(line) < _LEAST_SNIPPET]
    below: list[Child] = [line for line in others if len(line) >= _LEAST_SNIPPET]
    if options.images:
        rows = [int(document.leaves.element[leaf]) for leaf in leaves if document.leaves.is_media[leaf]]
        base = base_url(document)
        below += [
            image for row in rows if (image := medium_node(document.elements, row, base)) and image.name == "img"
        ][:1]
    return _list_item(item if options.links else replace(item, url=None), facts, below)


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
        is_link, is_heading = _IS_LINK.take(elements.code), _IS_HEADING.take(elements.code)
        # The heading around a link is the head, since others of like place may be without a link.
        self.is_head: Bools = (visible > 0) & (is_heading | (is_link & ~elements.inside(is_heading)))
        self._places = _Places(document)

    def groups(self) -> list[tuple[float, list[int]]]:
        """The heads of each place, with a bound of their score, the highest first."""
        found: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for row in checked(places(self.is_head).tolist()):
            place: tuple[object, ...] = self._places.of(row)
            found[place].append(row)
            if "td" in place:  # in a table of data, like columns are a group; in one that is a grid, all cells
                found[*place, "td", _column(self.document, row)].append(row)
        bounded = [(self._bound(rows), rows[:_MOST_ENTRIES]) for rows in found.values() if len(rows) >= _LEAST_ENTRIES]
        return sorted(bounded, key=lambda each: -each[0])[:_MOST_GROUPS]

    def _bound(self, rows: Sequence[int]) -> float:
        """More than the score of the entries of some heads, of which the longest does not count."""
        first, last = self.leaves.opened.searchsorted([rows[0], self.elements.end[rows[-1]]]).tolist()
        kept = float(self.kept_before[last] - self.kept_before[first])
        if self.prices_before[last] - self.prices_before[first] >= _MOSTLY * (len(rows) - 1):
            kept = max(kept, _OF_GOODS * float(self.shown_before[last] - self.shown_before[first]))
        return _AROUND_HEADS * kept

    def divided(self, rows: list[int]) -> list[Entry]:
        """The entries of some heads; only where a head is kept, or one beside it."""
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
        return list(self._with_gaps(chosen)) if len(chosen) >= _LEAST_ENTRIES else []

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
        if sum(prices[leaves.stop] > prices[leaves.start] for leaves in ranges) >= _MOSTLY * len(found):
            sizes = [max(size, _OF_GOODS * self._shown_in(leaves)) for size, leaves in zip(sizes, ranges, strict=True)]
        linked = sum(map(self._is_linked, found)) / len(found)
        return (sum(sizes) - max(sizes, default=0)) * linked**2

    def _shown_in(self, leaves: range) -> int:
        return int(self.shown_before[leaves.stop] - self.shown_before[leaves.start])

    @cached_property
    def prices_before(self) -> list[int]:
        """How many prices are in the leaves before each, and in all."""
        ends = np.fromiter(accumulate(len(text) + 1 for text in self.leaves.text), np.int64, len(self.leaves))
        found = [match.start() for match in _PRICE.finditer("\n".join(self.leaves.text))]
        before: list[int] = np.searchsorted(found, np.append(0, ends)).tolist()
        return before

    @cached_property
    def _is_link_alone(self) -> list[bool]:
        """For each leaf: is it in a link, and not among the words of a paragraph?"""
        leaves, shown = self.leaves, self.leaves.visible_text
        block, in_link = leaves.block.take(shown), leaves.in_link.take(shown)
        among = (block[1:] == block[:-1]) & (in_link[1:] != in_link[:-1])
        words = np.fromiter((len(leaves.text[leaf]) >= _LEAST_SNIPPET for leaf in shown.tolist()), np.bool_, len(shown))
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
        texts = [_text(self.document, self.leaves_of(row)) for row in rows]
        return _likeness(texts, is_marked=bool(_IS_HEADING[self.elements.code[rows[0]]]))


def _above(parent: Ints, row: int, levels: int) -> int:
    for _ in range(levels):
        row = int(parent[row])
    return row


class _Places:
    """Where elements are, so that like ones have the same place: tags and classes, without classes that count."""

    def __init__(self, document: Document) -> None:
        self._nodes, self._parent = document.elements.all_nodes, document.elements.parent.tolist()
        self._known: dict[tuple[int, int, int], tuple[str, ...]] = {}

    def of(self, row: int, levels: int = _LEVELS, tags_above: int = _TAGS_ABOVE) -> tuple[str, ...]:
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
        if name.lower() not in _COUNTING and (bare := name.rstrip("0123456789")):
            return bare
    return ""


def _likeness(texts: Sequence[str], *, is_marked: bool) -> float:
    """How much texts of like place are like titles: they differ, have some length, and are marked as such."""
    present = [text for text in texts if text]
    if not present:
        return 0.0
    length = sum(map(len, present)) / len(present)
    sized = min(length, _LONG_ENOUGH) / _LONG_ENOUGH * min(1.0, _LONGEST_TITLE / length)
    return len(set(present)) / len(texts) * sized * (2 if is_marked else 1)


def _text(document: Document, members: Iterable[int]) -> str:
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


def _lines_of(
    document: Document, members: Sequence[int], named: Sequence[int], title: str
) -> list[tuple[list[int], str]]:
    """The lines of an entry without its title: the leaves of each and its text."""
    leaves, found, block, left_out = document.leaves, list[list[int]](), -1, frozenset(named)
    for leaf in members:
        if leaf in left_out or not leaves.is_visible_text[leaf]:
            continue
        if not found or int(leaves.block[leaf]) != block:
            if len(found) == _MOST_LINES:
                break
            found.append([])
        block = int(leaves.block[leaf])
        found[-1].append(leaf)
    lines = [(line, _text(document, line).strip(_BETWEEN)) for line in found]
    return [(line, text) for line, text in lines if text not in ("", title)]


class _EntryReader:
    """Reads the fields of entries."""

    def __init__(self, document: Document, found: Sequence[Entry]) -> None:
        self.document, self.elements, self.leaves = document, document.elements, document.leaves
        self.entries = found
        self.base = base_url(document)
        self.language = parse.root_attribute(document.tree, "lang") or ""
        self._places = _Places(document)
        rows = np.arange(len(self.elements))
        self.link_above: list[int] = self.elements.nearest(_IS_LINK.take(self.elements.code), rows).tolist()

    def records(self) -> Iterator[_Record]:
        """The entries with a title, each once."""
        paths, known, slot = Paths(self.document), set[tuple[str, str | None]](), self.title_slot
        for entry, pieces in checked(zip(self.entries, self.pieces, strict=True)):
            likely = [piece for piece in pieces if piece.slot == slot]
            likely += [piece for piece in pieces if piece.is_heading]
            named = next((piece for piece in likely if not self._is_fact(piece.text)), None)
            leaves = named.leaves if named else self._inside(entry, entry.head)
            title = _text(self.document, leaves)
            url = self._url(entry, named)
            if not title or (title, url) in known or self._is_fact(title):
                continue
            known.add((title, url))
            lines = _lines_of(self.document, entry.leaves, leaves, title)
            price = self._price(lines)
            date, dated = self._date(entry, lines)
            snippet = self._snippet(lines, dated)
            item = Item(title, url, snippet, date, price, self._image(entry), paths.element_xpath(entry.row))
            yield _Record(item, entry, leaves)

    @cached_property
    def pieces(self) -> list[list[_Piece]]:
        """The pieces of each entry."""
        return [list(self._pieces(entry)) for entry in checked(self.entries)]

    @cached_property
    def title_slot(self) -> tuple[object, ...]:
        """The place of the titles."""
        texts: dict[tuple[object, ...], list[str]] = defaultdict(list)
        marks: dict[tuple[object, ...], bool] = {}
        linked: dict[tuple[object, ...], bool] = {}
        for pieces in self.pieces:
            for slot, piece in {piece.slot: piece for piece in reversed(pieces)}.items():
                texts[slot].append(piece.text)
                marks.setdefault(slot, piece.is_heading or _is_called_title(self.elements.all_nodes[piece.holder]))
                linked.setdefault(slot, piece.is_linked)
        best: tuple[float, tuple[object, ...]] = (0.0, ())
        for slot, values in texts.items():
            names = [value for value in values if not self._is_fact(value)]
            share = len(names) / len(self.entries)
            fit = _likeness(names, is_marked=marks[slot]) * share
            fit *= 1 if linked[slot] or marks[slot] else _UNLINKED
            best = max(best, (fit, slot), key=lambda each: each[0])
        return best[1]

    def _is_fact(self, text: str) -> bool:
        """Is a text a price, a date or a number and not a name?"""
        if not any(map(str.isalpha, text)) or _PRICE.match(text):
            return True
        return len(text) <= _LONGEST_LABEL and any(
            found.end - found.start > len(text) / 2 for found in find(text, self.language)
        )

    def _pieces(self, entry: Entry) -> Iterator[_Piece]:
        leaves, elements = self.leaves, self.elements
        links, blocks = self.link_above, leaves.block
        before: tuple[int, int, int] | None = None
        members: list[int] = []
        for leaf in [*entry.leaves[: _MOST_LINES * 4], -1]:
            if leaf >= 0 and not leaves.is_visible_text[leaf]:
                continue
            row = int(leaves.element[leaf])
            here = None if leaf < 0 else (int(blocks[leaf]), links[row], self._called_title(row))
            if before is not None and here != before:
                holder, link = max(before), before[1]
                if text := _text(self.document, members):
                    is_heading = any(_IS_HEADING[elements.code[row]] for row in self._up(holder, entry))
                    yield _Piece(self._places.of(holder, tags_above=0), holder, members, text, link >= 0, is_heading)
                members = []
            before = here
            members.append(leaf)

    def _up(self, row: int, entry: Entry) -> Iterator[int]:
        """An element and those around it in its entry."""
        for above in islice(self.elements.ancestors(row), _MOST_LEVELS):
            if above < entry.row:
                return
            yield above

    def _called_title(self, row: int) -> int:
        """The element right around a text if it is called a title, else -1."""
        return row if _is_called_title(self.elements.all_nodes[row]) else -1

    def _inside(self, entry: Entry, row: int) -> list[int]:
        end = self.elements.end[row]
        return [leaf for leaf in entry.leaves if row <= self.leaves.element[leaf] < end]

    def _address(self, row: int) -> str | None:
        href = self.elements.attribute(row, "href")
        return None if not href or href.lstrip()[:1] == "#" else safe_url(href, self.base)

    def _url(self, entry: Entry, named: _Piece | None) -> str | None:
        """The address of the link that the title is in or has in it, else of the one that the entry has most often."""
        for row in (named.holder if named else entry.head, entry.head):
            for link in (self.link_above[row], *self._links(row)[:1]):
                if link >= 0 and (found := self._address(link)):
                    return found
        around = {self.link_above[int(self.leaves.element[leaf])] for leaf in entry.leaves} - {-1}
        counted = Counter(filter(None, map(self._address, sorted({*around, *self._links(entry.row)}))))
        return counted.most_common(1)[0][0] if counted else None

    def _links(self, row: int) -> list[int]:
        codes = self.elements.code[row : self.elements.end[row]]
        rows: list[int] = (places(_IS_LINK.take(codes))[:_MOST_LINES] + row).tolist()
        return rows

    def _price(self, lines: Sequence[tuple[list[int], str]]) -> str | None:
        old: str | None = None
        for leaves, text in lines:
            if not (match := _PRICE.search(text)):
                continue
            current = [leaf for leaf in leaves if not self._is_old(leaf)]
            if current and (now := _PRICE.search(_text(self.document, current))):
                return now[0].rstrip(".,").strip()
            old = old or match[0].rstrip(".,").strip()
        return old

    def _is_old(self, leaf: int) -> bool:
        """Is a price struck through, or called an old one?"""
        rows = islice(self.elements.ancestors(int(self.leaves.element[leaf])), _LEVELS)
        nodes = [self.elements.all_nodes[row] for row in rows]
        return any(node.tag in _STRUCK or _OLD.search(node.attr("class") or "") for node in nodes)

    def _date(self, entry: Entry, lines: Sequence[tuple[list[int], str]]) -> tuple[str | None, str]:
        """The date of an entry, and the line that it is in."""
        for leaves, text in lines:
            for row in {int(self.leaves.element[leaf]) for leaf in leaves}:
                node = self.elements.all_nodes[row]
                if node.tag == "time" and (found := day(node.attr("datetime"))):
                    return found, text
        for _, text in lines:
            if len(text) <= _LONGEST_LABEL:
                days = [each.moment for each in find(text, self.language) if each.moment.precision == "day"]
                if days:
                    return days[0].iso, text
                if match := _AGO.search(text):
                    return match[0], text
        return None, ""

    def _snippet(self, lines: Sequence[tuple[list[int], str]], dated: str) -> str | None:
        """The first line that is long enough for a sentence, else none."""
        for _, text in lines:
            size = len(text) + 3 * len(_WIDE.findall(text))
            is_fact = text == dated or (size < _LONGEST_TITLE and _PRICE.search(text))
            if size >= _LEAST_SNIPPET and not is_fact:
                return text[:_LONGEST_SNIPPET]
        return None

    def _image(self, entry: Entry) -> str | None:
        for leaf in entry.leaves:
            row = int(self.leaves.element[leaf])
            is_image = self.leaves.is_media[leaf] and self.elements.all_nodes[row].tag in _IMAGES
            if is_image and (found := medium_source(self.elements, row, self.base)):
                return found
        return None


def _is_called_title(node: parse.Element) -> bool:
    return _TITLE_CUE.search(f"{node.attr('class') or ''} {node.attr('itemprop') or ''}"[:200]) is not None
