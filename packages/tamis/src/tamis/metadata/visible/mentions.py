"""Names of authors in some texts of a page: by classes, links, words before them, dates beside them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from tamis.document import parse, tags
from tamis.metadata.names.naming import (
    ADDRESS,
    ASIDE,
    AUTHOR,
    BYLINE,
    OWNER,
    USER,
    asides_of,
    author_place,
    cue_finder,
    cued,
    marks_of,
)
from tamis.metadata.names.people import people
from tamis.metadata.names.words import (
    is_control,
    is_label,
    is_other_work,
    is_separator,
    joins,
    label_words,
    looks_like_person,
    starts_like_name,
    without_label,
)
from tamis.metadata.view import View

LEVELS = 2  # elements around a text whose classes count
MOST_NEXT = 8  # texts of one list
_LONGEST_TEXT, _LONGEST_LINE = 100, 200
_MOST_WORDS = 12  # of a byline that ends with a stop
_REPORTER = re.compile(r"\s?\w{2,5}\s?(?:기자|특파원)\b")  # in Korean the word stands behind the name
_MOST_LEVELS = 6  # elements around one in which it may be set apart
_LARGEST, _MOST_LEAVES = 60, 60  # elements and texts in what is a byline
_MOST_LINKS = 100
_NEAR, _AROUND = 8, 3  # texts behind the headline among which an unmarked name may stand; its distance from a date
_LONGEST_USER, _MOST_WORDS_OF_USER = 40, 4

_NO_BYLINE = frozenset(tags.CODES[tag] for tag in ("button", "nav", "select", "footer", *tags.HEADINGS))
_WHOLE = frozenset(tags.CODES[tag] for tag in ("html", "body", "main", "article"))
_ADDRESS, _LINK = tags.CODES["address"], tags.CODES["a"]
# A year, or a number and a unit. The first character is a digit in all of them, so that the search skips others fast.
_DATED = re.compile(r"\d(?:(?<=1)9\d\d\b|(?<=2)0\d\d\b|\s?(?:min|hours?|days?|h|d)\b|月)")
_NO_USER = re.compile(r"^(?:[\W\d_]*+$|\d++\s)|[\x00-\x1f\x7f-\x9f]")


class Mention(NamedTuple):
    """Names in one place of the page."""

    leaf: int  # the first
    last: int
    row: int
    names: tuple[str, ...]
    place: str


class Window(NamedTuple):
    """Some short texts, and the elements around them."""

    leaves: list[int]
    chains: list[tuple[int, ...]]  # of each leaf: the rows of its element and those around it
    codes: dict[int, int]  # of these rows


class Mentions:
    """Finds names in windows. `title` is the leaf of the headline."""

    def __init__(self, view: View, title: int) -> None:
        self._view, self._title = view, title
        self._leaves, self._elements = view.document.leaves, view.document.elements
        self._links: dict[int, Mention | None] = {}  # the names in links that were read, by row

    def window(self, leaves: list[int]) -> Window:
        """The window of some leaves."""
        around = [self._leaves.element.take(leaves)]
        for _ in range(LEVELS):
            around.append(np.maximum(self._elements.parent.take(around[-1]), 0))
        rows = np.concatenate(around)
        codes = dict(zip(rows.tolist(), self._elements.code.take(rows).tolist(), strict=True))
        return Window(leaves, list(zip(*(level.tolist() for level in around), strict=True)), codes)

    def marked(self, window: Window) -> Iterator[Mention]:
        """The names in elements that are named for authors or for posters, and in ADDRESS elements."""
        nodes, has_cue = self._elements.all_nodes, cue_finder(self._view.language)
        marks: dict[int, int] = {}
        for row, code in window.codes.items():
            attribute = nodes[row].attr
            name, identity = attribute("class") or "", attribute("id") or ""
            if (has_cue(name) or has_cue(identity)) and (mark := marks_of(name) | marks_of(identity)):
                marks[row] = mark
            if code == _ADDRESS:
                marks[row] = AUTHOR | ADDRESS
        done: set[int] = set()
        for leaf, chain in zip(window.leaves, window.chains, strict=True) if marks else ():
            row = next((row for row in chain if row in marks), -1)
            if row >= 0 and row not in done:
                done.add(row)
                yield from self._named(leaf, row, marks[row])

    def _named(self, leaf: int, row: int, marks: int) -> Iterator[Mention]:
        if marks & (AUTHOR | BYLINE) and self._elements.end.item(row) - row <= _LARGEST:
            leaves = [each for each in self._view.leaves_in(row)[:_MOST_LEAVES] if not self._is_aside(each, row)]
            names = self._names_of(leaves) if leaves else ()
            if names and (not marks & ADDRESS or looks_like_person(names[0])):
                place = "class byline" if marks & BYLINE else "address tag" if marks & ADDRESS else "class author"
                yield Mention(leaves[0], leaves[-1], row, names, place)
        elif marks & USER and leaf > self._title - _NEAR and not self._is_aside(leaf, row):
            is_owner = any(marks_of(node.attr("class") or "") & OWNER for node in self.above(row))
            if name := self._user(leaf):
                yield Mention(leaf, leaf, row, (name,), "forum owner" if is_owner else "forum")

    def links(self, window: Window) -> Iterator[Mention]:
        """The names in links to pages about people."""
        return self._in_links([row for row, code in window.codes.items() if code == _LINK])

    def linked(self) -> Iterator[Mention]:
        """The names in links with rel=author, wherever they stand."""
        nodes = frozenset(parse.select(self._view.document.tree, "a[rel~=author]")[:_MOST_LINKS])
        rows = (self._elements.code == _LINK).nonzero()[0].tolist() if nodes else []
        return self._in_links([row for row in rows if self._elements.all_nodes[row] in nodes])

    def _in_links(self, rows: Sequence[int]) -> Iterator[Mention]:
        new = [row for row in rows if row not in self._links]
        if new:
            nodes = [self._elements.all_nodes[row] for row in new]
            relations = [node.attr("rel") or "" for node in nodes]
            addresses = [(node.attr("href") or "")[:_LONGEST_LINE] for node in nodes]
            self._links.update(dict.fromkeys(new))
            signed = {place for place, relation in enumerate(relations) if "author" in relation}
            for each in signed.union(cued(addresses, self._view.language)):
                if place := author_place(relations[each], addresses[each], self._view.host):
                    self._links[new[each]] = self._link(new[each], place)
        return filter(None, map(self._links.__getitem__, rows))

    def _link(self, row: int, place: str) -> Mention | None:
        leaves = self._view.leaves_in(row)[:MOST_NEXT]
        if place == "href user":
            if leaves and leaves[0] > self._title - _NEAR and (name := self._user(leaves[0])):
                return Mention(leaves[0], leaves[0], row, (name,), place)
        elif leaves and (names := people(self._joined(leaves))) and all(map(starts_like_name, names)):
            return Mention(leaves[0], leaves[-1], row, names, place)
        return None

    def labelled(self, window: Window) -> Iterator[Mention]:
        """The names behind a word such as "By": in the same text, or in the texts behind it."""
        texts, words = self._leaves.text, label_words(self._view.language[:2])
        for place, leaf in enumerate(window.leaves):
            begin = texts[leaf][:_LONGEST_TEXT].split(None, 1)
            is_behind = begin and (begin[0].lower().rstrip(":：") in words or begin[0][:2] in words)
            if is_behind or (not texts[leaf].isascii() and _REPORTER.match(texts[leaf])):
                yield from self._behind_label(window.leaves[place : place + MOST_NEXT])

    def _behind_label(self, leaves: list[int]) -> Iterator[Mention]:
        first = leaves[0]
        block = self._leaves.block[[*leaves, max(0, first - 1)]].tolist()
        before = self._leaves.text[first - 1] if first and block[-1] == block[0] else ""
        if not is_separator(before) and not (_DATED.search(before) and len(before) < _LONGEST_TEXT):
            return  # in the middle of a line
        line = [leaf for leaf, holder in zip(leaves, block, strict=False) if holder == block[0]]
        text = self._joined(line)
        if len(text) > _LONGEST_LINE or (text.endswith(".") and len(text.split()) > _MOST_WORDS):
            return
        if len(line) == 1 and is_label(text):
            line = self._list(leaves[1:])
            text = self._joined(line)
        elif not _REPORTER.match(text) and ((rest := without_label(text)) == text or not starts_like_name(rest)):
            return
        if line and (names := people(text)) and all(map(starts_like_name, names)):
            yield Mention(line[0], line[-1], int(self._leaves.element[first]), names, "label")

    def _list(self, leaves: list[int]) -> list[int]:
        """The first text, and those behind it that are joined to it by commas and the like."""
        texts, found = self._leaves.text, leaves[:1]
        for leaf in leaves[1:]:
            if not (is_separator(texts[leaf]) or is_separator(texts[found[-1]])):
                break
            found.append(leaf)
        return found

    def beside_dates(self, window: Window) -> Iterator[Mention]:
        """Names without any mark between the headline and the text, with a date beside them."""
        texts, leaves = self._leaves.text, window.leaves
        first = bisect_right(leaves, self._title)
        last = bisect_right(leaves, self._title + _NEAR, first)
        near = range(first, min(last + _AROUND, len(leaves)))
        dated = [place for place in near if _DATED.search(texts[leaves[place]])]
        for place in range(first, last) if dated else ():
            leaf, chain = leaves[place], window.chains[place]
            name = " ".join(texts[leaf].split())
            if (
                looks_like_person(name)
                and any(0 < abs(other - place) <= _AROUND for other in dated)
                and not any(window.codes[row] in _NO_BYLINE for row in chain)
            ):
                yield Mention(leaf, leaf, chain[0], (name,), "beside date")

    def _names_of(self, leaves: list[int]) -> tuple[str, ...]:
        """The names in a byline: those that are links to people, else those of its text."""
        linked = [
            name
            for mention in self._in_links(self._links_around(leaves))
            if mention.place != "href user" and not self.is_other_work(mention.leaf)
            for name in mention.names
        ]
        found = people(linked) if linked else people(self._joined(leaves))
        return found if all(map(starts_like_name, found)) or len(" ".join(found).split()) <= 2 else ()

    def _links_around(self, leaves: list[int]) -> list[int]:
        """The rows of the links that hold these texts."""
        rows: dict[int, None] = {}
        for row in self._leaves.element[leaves].tolist():
            for above in islice(self._elements.ancestors(row), LEVELS):
                if self._elements.code.item(above) == _LINK:
                    rows[above] = None
        return list(rows)

    def _joined(self, leaves: Sequence[int]) -> str:
        """The text of a byline, with a mark between texts that no word joins. Marks of notes are left out."""
        source = self._leaves.text
        leaves = [leaf for leaf in leaves if len(leaves) == 1 or not source[leaf].strip("*†‡§ ").isdigit()]
        texts = self._view.lines(leaves)
        if len(texts) < 2:
            return "".join(texts)
        element = self._leaves.element[leaves].tolist()
        joined = texts[0]
        for place in range(1, min(len(texts), len(element))):
            before, after = texts[place - 1], texts[place]
            is_one = is_label(before) or joins(before) or joins(after)
            is_one |= element[place] == element[place - 1] or not (" " in before or " " in after)
            joined += f" {after}" if is_one else f" | {after}"
        return joined

    def _user(self, leaf: int) -> str:
        """The name of a poster; empty if it can be none."""
        name = self._view.text_of([leaf]).strip(" @:,()")
        is_user = 1 < len(name) <= _LONGEST_USER and len(name.split()) <= _MOST_WORDS_OF_USER
        return "" if not is_user or ":" in name or is_control(name) or _NO_USER.search(name) else name

    def _is_aside(self, leaf: int, row: int) -> bool:
        """Is a text in a byline a date, a job, a biography by its own class?"""
        if len(self._leaves.text[leaf]) > _LONGEST_TEXT or is_control(self._leaves.text[leaf]):
            return True
        for above in self._elements.ancestors(int(self._leaves.element[leaf])):
            if above <= row:
                break
            node = self._elements.all_nodes[above]
            if (asides_of(node.attr("class") or "") | asides_of(node.attr("id") or "")) & ASIDE:
                return True
        return False

    def is_other_work(self, leaf: int) -> bool:
        """Does the text before a name say that it is a photographer's, a reviewer's and so on?"""
        if not leaf or not is_other_work(self._leaves.text[leaf - 1]):
            return False
        before, own = self._leaves.block[[leaf - 1, leaf]].tolist()
        return bool(before == own)  # else it belongs to what stands above

    def above(self, row: int) -> Iterator[parse.Element]:
        """An element and some around it, up to the whole article."""
        for above in islice(self._elements.ancestors(row), _MOST_LEVELS):
            if self._elements.code.item(above) in _WHOLE:
                return
            yield self._elements.all_nodes[above]
