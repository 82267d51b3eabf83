"""The entries of a listing or collection: title, address, snippet, date, price and image of each, as the page has them.

`entries.py` finds them. Within the entries, texts of like place are a slot, and the slot whose texts differ, are in
links or headings and have the length of a title holds the titles.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from tamis.arrays import places
from tamis.cached import cached_property
from tamis.deadline import checked
from tamis.document import Document, parse
from tamis.document.dates import day, find
from tamis.document.paths import Paths
from tamis.labels import Labels
from tamis.page_type import PageType, PageTypes
from tamis.records.entries import (
    IS_HEADING,
    IS_LINK,
    LEAST_SENTENCE,
    LEVELS,
    LONGEST_TITLE,
    PRICE,
    Entry,
    Places,
    entries,
    likeness,
    text_of,
)
from tamis.render.content.media import medium_source
from tamis.render.content.source import base_url
from tamis.render.safe import safe_url

# The probability of the two types together from which a page is read. Of the 213 listings and collections of WCXB dev,
# read out of fold, 156 have it, and 27 of the 1,266 other pages with entries; a model of the structure adds nothing.
_LEAST_PROBABILITY = 0.5
_MOST_LINES = 200  # of an entry that are read
_MOST_LEVELS = 60  # between an entry and its texts
_TITLE_CUE = re.compile(r"title|name|headline|heading|subject", re.IGNORECASE)
_UNLINKED = 0.2  # what texts count that are neither links nor headings
_LONGEST_LABEL = 80  # characters of a line that may be a date
_LONGEST_SNIPPET = 1_000  # characters
_BETWEEN = " \u00b7|:\u2013\u2014"  # signs around the parts of a line
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")  # a letter of these is half a word
_OLD = re.compile(r"(?:^|[-_ ])(?:old|was|strike|striked|crossed|original|msrp|compare)(?:$|[-_ ])", re.IGNORECASE)
_AGO = re.compile(r"\d{1,3}\s?[^\W\d_]{1,20}\s(?:ago|temu|назад|önce|fa|siden|sedan)\b|vor\s\d{1,3}\s[^\W\d_]{1,20}|"
                  r"(?:hace|il y a|há)\s\d{1,3}\s[^\W\d_]{1,20}|\d{1,3}\s?[^\W\d_]{1,3}前")  # fmt: skip

_IMAGES = frozenset({"img", "picture", "amp-img"})
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


class ListedItem(NamedTuple):
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
    return tuple(listed.item for listed in listed_items(document, labels, page_types))


def listed_items(document: Document, labels: Labels, page_types: PageTypes | None = None) -> list[ListedItem]:
    """The entries of a listing or collection, as items and as parts of the page; other pages have none."""
    types = page_types or labels.page_types
    if types is None or not _is_listing(types):
        return []
    found = entries(document, labels)
    return list(_EntryReader(document, found).records()) if found else []


def _is_listing(types: PageTypes) -> bool:
    """Is a page a listing or collection rather than a page of another type?"""
    return sum(types.probabilities.get(kind, 0) for kind in (PageType.LISTING, PageType.COLLECTION)) >= (
        _LEAST_PROBABILITY
    )


def lines_of(
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
    lines = [(line, text_of(document, line).strip(_BETWEEN)) for line in found]
    return [(line, text) for line, text in lines if text not in ("", title)]


class _EntryReader:
    """Reads the fields of entries."""

    def __init__(self, document: Document, found: Sequence[Entry]) -> None:
        self.document, self.elements, self.leaves = document, document.elements, document.leaves
        self.entries = found
        self.base = base_url(document)
        self.language = parse.root_attribute(document.tree, "lang") or ""
        self._places = Places(document)
        rows = np.arange(len(self.elements))
        self.link_above: list[int] = self.elements.nearest(IS_LINK.take(self.elements.code), rows).tolist()

    def records(self) -> Iterator[ListedItem]:
        """The entries with a title, each once."""
        paths, known, slot = Paths(self.document), set[tuple[str, str | None]](), self.title_slot
        for entry, pieces in checked(zip(self.entries, self.pieces, strict=True)):
            likely = [piece for piece in pieces if piece.slot == slot]
            likely += [piece for piece in pieces if piece.is_heading]
            named = next((piece for piece in likely if not self._is_fact(piece.text)), None)
            leaves = named.leaves if named else self._inside(entry, entry.head)
            title = text_of(self.document, leaves)
            url = self._url(entry, named)
            if not title or (title, url) in known or self._is_fact(title):
                continue
            known.add((title, url))
            lines = lines_of(self.document, entry.leaves, leaves, title)
            price = self._price(lines)
            date, dated = self._date(entry, lines)
            snippet = self._snippet(lines, dated)
            item = Item(title, url, snippet, date, price, self._image(entry), paths.element_xpath(entry.row))
            yield ListedItem(item, entry, leaves)

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
            fit = likeness(names, is_marked=marks[slot]) * share
            fit *= 1 if linked[slot] or marks[slot] else _UNLINKED
            best = max(best, (fit, slot), key=lambda each: each[0])
        return best[1]

    def _is_fact(self, text: str) -> bool:
        """Is a text a price, a date or a number and not a name?"""
        if not any(map(str.isalpha, text)) or PRICE.match(text):
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
                if text := text_of(self.document, members):
                    is_heading = any(IS_HEADING[elements.code[row]] for row in self._up(holder, entry))
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
        rows: list[int] = (places(IS_LINK.take(codes))[:_MOST_LINES] + row).tolist()
        return rows

    def _price(self, lines: Sequence[tuple[list[int], str]]) -> str | None:
        old: str | None = None
        for leaves, text in lines:
            if not (match := PRICE.search(text)):
                continue
            current = [leaf for leaf in leaves if not self._is_old(leaf)]
            if current and (now := PRICE.search(text_of(self.document, current))):
                return now[0].rstrip(".,").strip()
            old = old or match[0].rstrip(".,").strip()
        return old

    def _is_old(self, leaf: int) -> bool:
        """Is a price struck through, or called an old one?"""
        rows = islice(self.elements.ancestors(int(self.leaves.element[leaf])), LEVELS)
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
            is_fact = text == dated or (size < LONGEST_TITLE and PRICE.search(text))
            if size >= LEAST_SENTENCE and not is_fact:
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
