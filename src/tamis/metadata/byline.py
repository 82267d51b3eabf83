"""Authors as the page shows them: the line with their names below the headline, links to their pages, posters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tamis.arrays import Ints
from tamis.document import parse, tags
from tamis.labels import Role
from tamis.metadata.candidate import Candidate
from tamis.metadata.name_words import (
    is_control,
    is_label,
    is_other_work,
    is_separator,
    label_words,
    looks_like_person,
    starts_like_name,
    without_label,
)
from tamis.metadata.names import folded_name, people
from tamis.metadata.naming import ASIDE, AUTHOR, BYLINE, FOREIGN, OWNER, USER, author_place, has_cue, marks_of
from tamis.metadata.view import View

# Visible texts around the headline, and around the end of the content, that are read. On WCXB dev nine bylines of ten
# stand in the first twenty behind the headline.
_BEFORE, _BEHIND = 20, 60
_BEFORE_END, _BEHIND_END = 10, 30
_LONGEST_TEXT, _LONGEST_LINE = 100, 200
_LEVELS, _MOST_LEVELS = 3, 8  # elements around a text whose classes count; and in which it may be set apart
_LARGEST = 60  # elements in what is a byline
_MOST, _MOST_LINKS, _MOST_NEXT = 12, 100, 8
_NEAR, _AROUND = 8, 3  # texts behind the headline among which an unmarked name may stand; its distance from a date
_LONGEST_USER, _MOST_WORDS_OF_USER = 40, 4

_IS_LINK, _IS_HEADING, _IS_H1 = tags.lookup("a"), tags.lookup(*tags.HEADINGS), tags.lookup("h1")
_IS_WHOLE = tags.lookup("html", "body", "main", "article")
_IS_ADDRESS, _IS_CONTROL = tags.lookup("address"), tags.lookup("button", "nav", "select", "footer")
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\d\s?(?:min|hours?|days?|h|d)\b|\d{1,2}月|\bago\b")
_NO_LETTERS = re.compile(r"[\W\d_]*$")

# The order of candidates: in the same text the surer one comes first.
_PLACES = ("rel=author", "class byline", "class author", "href author", "label", "address tag", "forum owner", "forum")


class _Mention(NamedTuple):
    """Names in one place of the page."""

    leaf: int  # the first
    last: int
    row: int
    names: tuple[str, ...]
    place: str


class Byline:
    """Authors in the visible page, in its order; those near the headline first."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._leaves, self._elements = view.document.leaves, view.document.elements
        self._marks: dict[int, int] = {}  # of elements by row

    def candidates(self, field: str) -> Iterable[Candidate]:
        """The authors that are shown: one candidate a place, each list of names once a place."""
        if field != "authors":
            return
        seen: set[tuple[str, frozenset[str]]] = set()
        for mention in self._mentions():
            key = mention.place, frozenset(map(folded_name, mention.names))
            if key not in seen and len(seen) < _MOST:
                seen.add(key)
                yield Candidate(mention.names, "visible", mention.place, mention.row)

    def _mentions(self) -> Iterator[_Mention]:
        texts, title = self._leaves.visible_text, self._title
        middle = int(texts.searchsorted(title))
        near = self._in(texts[max(0, middle - _BEFORE) : middle + _BEHIND])
        yield from (mention for mention in near if mention.leaf > title and mention.place != "beside date")
        yield from (mention for mention in near if mention.leaf > title and mention.place == "beside date")
        yield from (mention for mention in near if mention.leaf <= title)
        if not any(mention.place in _PLACES for mention in near):
            yield from self._merged(self._linked())
            end = int(texts.searchsorted(self._end))
            yield from self._in(texts[max(middle + _BEHIND, end - _BEFORE_END) : end + _BEHIND_END])

    @cached_property
    def _title(self) -> int:
        """The leaf of the headline, or the first."""
        leaves = self._leaves
        shown = (_IS_H1.take(self._elements.code.take(leaves.element)) & leaves.visible).nonzero()[0].tolist()
        roles = self._view.labels.roles if self._view.labels is not None else None
        if roles is not None:
            found = next((leaf for leaf in shown if roles[leaf] is Role.TITLE), None)
            if found is None and Role.TITLE in roles:
                found = roles.index(Role.TITLE)
            if found is not None:
                return found
        return shown[0] if shown else 0

    @property
    def _end(self) -> int:
        """The last leaf that is kept, or the last one."""
        labels = self._view.labels
        kept = labels.keep.nonzero()[0] if labels is not None else ()
        return int(kept[-1]) if len(kept) else len(self._leaves)

    def _in(self, leaves: Ints) -> list[_Mention]:
        """The names in some texts: by classes, links, words before them."""
        texts, parent = self._leaves.text, self._elements.parent
        short = [leaf for leaf in leaves.tolist() if len(texts[leaf]) < _LONGEST_LINE]
        if not short:
            return []
        around = [self._leaves.element[short]]
        for _ in range(_LEVELS):
            around.append(np.maximum(parent.take(around[-1]), 0))
        chains = list(zip(*(rows.tolist() for rows in around), strict=True))
        found = [
            *self._marked(short, chains, {row for chain in chains for row in chain}),
            *self._links(short, chains),
            *self._labelled(short),
            *self._beside_dates(short, chains),
        ]
        return self._merged(mention for mention in found if not self._is_foreign(mention))

    def _marked(
        self, leaves: Sequence[int], chains: Sequence[tuple[int, ...]], rows: Iterable[int]
    ) -> Iterator[_Mention]:
        """The names in elements that are named for authors or for posters."""
        nodes = self._elements.all_nodes
        named = [(row, nodes[row].attr("class") or "", nodes[row].attr("id") or "") for row in rows]
        if not has_cue(" ".join([name for _, *names in named for name in names if name])):
            yield from self._addresses(leaves, chains)
            return
        self._marks.update((row, marks_of(names) | marks_of(name)) for row, names, name in named)
        done: set[int] = set()
        for leaf, chain in zip(leaves, chains, strict=True):
            row = next((row for row in chain if self._marks[row]), -1)
            if row >= 0 and row not in done and not self._marks[row] & ASIDE:
                done.add(row)
                yield from self._named(leaf, row)
        yield from self._addresses(leaves, chains)

    def _named(self, leaf: int, row: int) -> Iterator[_Mention]:
        marks = self._marks[row]
        if marks & (AUTHOR | BYLINE) and int(self._elements.end[row]) - row <= _LARGEST:
            leaves = [each for each in self._view.leaves_in(row) if not self._is_aside(each, row)]
            if leaves and (names := self._names_of(leaves)):
                yield _Mention(leaves[0], leaves[-1], row, names, "class byline" if marks & BYLINE else "class author")
        elif marks & (USER | OWNER) and leaf > self._title and (name := self._user(leaf)):
            yield _Mention(leaf, leaf, row, (name,), "forum owner" if marks & OWNER else "forum")

    def _addresses(self, leaves: Sequence[int], chains: Sequence[tuple[int, ...]]) -> Iterator[_Mention]:
        """The names in ADDRESS elements, which are for contacts."""
        if self._elements.has("address"):
            done: set[int] = set()
            for chain in chains:
                row = next((row for row in chain if _IS_ADDRESS[self._elements.code[row]]), -1)
                if row >= 0 and row not in done:
                    done.add(row)
                    inside = self._view.leaves_in(row)
                    if (names := self._names_of(inside[:_MOST_NEXT])) and looks_like_person(names[0]):
                        yield _Mention(inside[0], inside[0], row, names, "address tag")

    def _links(self, leaves: Sequence[int], chains: Sequence[tuple[int, ...]]) -> Iterator[_Mention]:
        """The names in links to pages about people."""
        done: set[int] = set()
        linked = self._leaves.in_link[leaves].nonzero()[0].tolist()
        for place in linked:
            row = next((row for row in chains[place] if _IS_LINK[self._elements.code[row]]), -1)
            if row >= 0 and row not in done:
                done.add(row)
                yield from self._link(leaves[place], row)

    def _link(self, leaf: int, row: int) -> Iterator[_Mention]:
        node = self._elements.all_nodes[row]
        place = author_place(node.attr("rel"), node.attr("href") or "", self._view.host)
        if place == "href user":
            if leaf > self._title and (name := self._user(leaf)):
                yield _Mention(leaf, leaf, row, (name,), place)
        elif place:
            inside = self._view.leaves_in(row)
            if (names := people(self._joined(inside))) and all(map(starts_like_name, names)):
                yield _Mention(leaf, inside[-1], row, names, place)

    def _linked(self) -> Iterator[_Mention]:
        """The names in links with rel=author, wherever they stand."""
        nodes = frozenset(parse.select(self._view.document.tree, "a[rel~=author]")[:_MOST_LINKS])
        for row in _IS_LINK.take(self._elements.code).nonzero()[0].tolist() if nodes else ():
            if self._elements.all_nodes[row] in nodes and (leaves := self._view.leaves_in(row)):
                yield from (mention for mention in self._link(leaves[0], row) if not self._is_foreign(mention))

    def _labelled(self, leaves: list[int]) -> Iterator[_Mention]:
        """The names behind a word such as "By": in the same text, or in the texts behind it."""
        texts, words = self._leaves.text, label_words(self._view.language[:2])
        for place, leaf in enumerate(leaves):
            begin = texts[leaf][:_LONGEST_TEXT].split(None, 1)
            if begin and (begin[0].lower().rstrip(":：") in words or begin[0][:2] in words):
                yield from self._behind_label(leaves[place : place + _MOST_NEXT])

    def _behind_label(self, leaves: list[int]) -> Iterator[_Mention]:
        first = leaves[0]
        block = self._leaves.block_of(self._leaves.element[[*leaves, max(0, first - 1)]]).tolist()
        if block[-1] == block[0] and not is_separator(self._leaves.text[first - 1]) and first:
            return  # in the middle of a line
        line = [leaf for leaf, holder in zip(leaves, block, strict=False) if holder == block[0]]
        text = self._joined(line)
        if len(text) > _LONGEST_LINE:
            return
        if len(line) == 1 and is_label(text):
            line = self._list(leaves[1:])
            text = self._joined(line)
        elif (rest := without_label(text)) == text or not starts_like_name(rest):
            return
        if line and (names := people(text)) and all(map(starts_like_name, names)):
            yield _Mention(line[0], line[-1], int(self._leaves.element[first]), names, "label")

    def _list(self, leaves: list[int]) -> list[int]:
        """The first text, and those behind it that are joined to it by commas and the like."""
        texts, found = self._leaves.text, leaves[:1]
        for leaf in leaves[1:]:
            if not (is_separator(texts[leaf]) or is_separator(texts[found[-1]])):
                break
            found.append(leaf)
        return found

    def _beside_dates(self, leaves: Sequence[int], chains: Sequence[tuple[int, ...]]) -> Iterator[_Mention]:
        """Names without any mark between the headline and the text, with a date beside them."""
        texts, code = self._leaves.text, self._elements.code
        for place, leaf in enumerate(leaves):
            if not 0 < leaf - self._title <= _NEAR:
                continue
            name = " ".join(texts[leaf].split())
            around = leaves[max(0, place - _AROUND) : place + _AROUND + 1]
            if (
                looks_like_person(name)
                and not any(_IS_HEADING[code[row]] or _IS_CONTROL[code[row]] for row in chains[place])
                and any(_DATED.search(texts[other]) for other in around if other != leaf)
            ):
                yield _Mention(leaf, leaf, chains[place][0], (name,), "beside date")

    def _names_of(self, leaves: list[int]) -> tuple[str, ...]:
        """The names in a byline: those that are links to people, else those of its text."""
        linked = [
            name
            for mention in self._links(
                leaves, [(row, *self._above(row)) for row in self._leaves.element[leaves].tolist()]
            )
            if mention.place != "href user" and not self._is_other_work(mention.leaf)
            for name in mention.names
        ]
        found = people(linked) if linked else people(self._joined(leaves))
        return found if all(map(starts_like_name, found)) or len(" ".join(found).split()) <= 2 else ()

    def _above(self, row: int) -> list[int]:
        parent = self._elements.parent
        return [row := max(0, int(parent[row])) for _ in range(_LEVELS)]

    def _joined(self, leaves: Sequence[int]) -> str:
        """The text of a byline, with a mark between its blocks. Marks of notes are left out."""
        texts = self._leaves.text
        leaves = [leaf for leaf in leaves if len(leaves) == 1 or not texts[leaf].strip("*†‡§ ").isdigit()]
        if len(leaves) == 1:
            return self._view.text_of(leaves)
        block = self._leaves.block_of(self._leaves.element[leaves]).tolist()
        parts: list[list[str]] = []
        for place, leaf in enumerate(leaves):
            if not place or block[place] != block[place - 1]:
                parts.append([])
            parts[-1].append(self._view.text_of([leaf]))
        return " | ".join(map(" ".join, parts))

    def _user(self, leaf: int) -> str:
        """The name of a poster; empty if it can be none."""
        name = self._view.text_of([leaf]).strip(" @:,()")
        is_user = 1 < len(name) <= _LONGEST_USER and len(name.split()) <= _MOST_WORDS_OF_USER
        return "" if not is_user or is_control(name) or _NO_LETTERS.match(name) else name

    def _is_aside(self, leaf: int, row: int) -> bool:
        """Is a text in a byline a date, a job, a biography by its own class?"""
        if len(self._leaves.text[leaf]) > _LONGEST_TEXT or is_control(self._leaves.text[leaf]):
            return True
        for above in self._elements.ancestors(int(self._leaves.element[leaf])):
            if above <= row:
                break
            if self._marks_of(above) & ASIDE:
                return True
        return False

    def _is_foreign(self, mention: _Mention) -> bool:
        """Is it in a comment or a teaser, or does it name a photographer, a reviewer and so on?"""
        labels = self._view.labels
        if (
            labels is not None
            and labels.roles is not None
            and labels.roles[mention.leaf] in (Role.COMMENT, Role.RELATED)
        ):
            return True
        if self._is_other_work(mention.leaf) or is_control(mention.names[0]):
            return True
        above = zip(range(_MOST_LEVELS), self._elements.ancestors(mention.row), strict=False)
        return any(self._marks_of(row) & FOREIGN for _, row in above if not _IS_WHOLE[self._elements.code[row]])

    def _is_other_work(self, leaf: int) -> bool:
        return leaf > 0 and is_other_work(self._leaves.text[leaf - 1])

    def _marks_of(self, row: int) -> int:
        if row not in self._marks:
            node = self._elements.all_nodes[row]
            self._marks[row] = marks_of(node.attr("class") or "") | marks_of(node.attr("id") or "")
        return self._marks[row]

    def _merged(self, mentions: Iterable[_Mention]) -> list[_Mention]:
        """Neighbours of the same kind, such as the links of one byline, as one."""
        found: list[_Mention] = []
        for mention in sorted(
            mentions, key=lambda each: (each.leaf, _PLACES.index(each.place) if each.place in _PLACES else 99)
        ):
            before = next((place for place in range(len(found) - 1, -1, -1) if found[place].place == mention.place), -1)
            if before >= 0 and self._are_one_list(found[before], mention):
                names = people([*found[before].names, *mention.names])
                found[before] = found[before]._replace(names=names, last=mention.last)
            else:
                found.append(mention)
        return found

    def _are_one_list(self, first: _Mention, second: _Mention) -> bool:
        if first.place in ("forum", "forum owner", "href user") or not first.last < second.leaf:
            return False
        if second.leaf - first.last <= _MOST_NEXT // 2:
            between = self._leaves.text[first.last + 1 : second.leaf]
            if all(is_separator(text) or text.strip("*†‡§, ").isdigit() for text in between):
                return bool(between) or first.place != "beside date"
        if not first.place.startswith("class") or int(self._elements.end[first.row]) != second.row:
            return False
        nodes = self._elements.all_nodes  # cards of the same kind, one beside the other
        return nodes[first.row].attr("class") == nodes[second.row].attr("class")
