"""Authors as the page shows them: the line with their names below the headline, links to their pages, posters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from operator import or_
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
    joins,
    label_words,
    looks_like_person,
    starts_like_name,
    without_label,
)
from tamis.metadata.names import folded_name, people
from tamis.metadata.naming import (
    ADDRESS,
    ASIDE,
    AUTHOR,
    BYLINE,
    FOREIGN,
    OWNER,
    USER,
    asides_of,
    author_place,
    has_author_place,
    marks_of,
)
from tamis.metadata.option import page_type_of
from tamis.metadata.view import View
from tamis.page_type import PageType

# Visible texts around the headline, and around the end of the content, that are read. On WCXB dev nine bylines of ten
# stand in the first twenty behind the headline.
_BEFORE, _BEHIND, _FURTHER = 10, 18, 45
_BEFORE_END, _BEHIND_END = 10, 30
_REPORTER = re.compile(r"\s?\w{2,5}\s?(?:기자|특파원)\b")  # in Korean the word stands behind the name
_MOST_WORDS = 12  # of a byline that ends with a stop
_LONGEST_TEXT, _LONGEST_LINE, _LONGEST_SOURCE = 100, 200, 2_000
_LEVELS, _MOST_LEVELS = 2, 6  # elements around a text whose classes count; and in which it may be set apart
_LEAST_TITLE = 8  # letters of a headline that is in the TITLE
_LARGEST = 60  # elements in what is a byline
_MOST, _MOST_LINKS, _MOST_NEXT, _MOST_LEAVES, _MOST_HEADINGS = 12, 100, 8, 60, 5
_NEAR, _AROUND = 8, 3  # texts behind the headline among which an unmarked name may stand; its distance from a date
_LONGEST_USER, _MOST_WORDS_OF_USER = 40, 4

_IS_WHOLE = tags.lookup("html", "body", "main", "article")
_IS_NO_BYLINE = tags.lookup("button", "nav", "select", "footer", *tags.HEADINGS)
_ADDRESS, _LINK, _H1 = (tags.CODES[name] for name in ("address", "a", "h1"))
_DATED = re.compile(r"(?:19|20)\d\d\b|\d\s?(?:min|hours?|days?|h|d)\b|\d{1,2}月")
_NO_USER = re.compile(r"[\W\d_]*$|\d+\s")

# Pages that are rarely signed: their ends are not searched.
_UNSIGNED = (PageType.PRODUCT, PageType.SERVICE, PageType.LISTING, PageType.COLLECTION)

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
        if _is_sure(near) or page_type_of(self._view) in _UNSIGNED:
            return
        further = self._in(texts[middle + _BEHIND : middle + _FURTHER])
        yield from further
        if not _is_sure(further):
            yield from self._merged(self._linked())
            end = int(texts.searchsorted(self._end))
            yield from self._in(texts[max(middle + _FURTHER, end - _BEFORE_END) : end + _BEHIND_END])

    @cached_property
    def _title(self) -> int:
        """The leaf of the headline, or the first."""
        leaves, labels = self._leaves, self._view.labels
        headings = (self._elements.code == _H1).nonzero()[0][:_MOST_HEADINGS].tolist()
        shown = [inside[0] for row in headings if (inside := self._view.leaves_in(row))]
        roles = labels.roles if labels is not None and labels.roles is not None else ()
        if found := [leaf for leaf in shown if roles and roles[leaf] is Role.TITLE]:
            return found[0]
        title = self._view.document.title
        if found := [
            leaf for leaf in shown if len(text := leaves.text[leaf].strip()) >= _LEAST_TITLE and text in title
        ]:
            return found[0]
        if Role.TITLE in roles:
            return roles.index(Role.TITLE)
        kept = labels.keep.nonzero()[0][:1].tolist() if labels is not None else []
        return min([*shown[:1], *kept], default=0)

    @property
    def _end(self) -> int:
        """The last leaf that is kept, or the last one."""
        labels = self._view.labels
        kept = labels.keep.nonzero()[0] if labels is not None else ()
        return int(kept[-1]) if len(kept) else len(self._leaves)

    def _in(self, leaves: Ints) -> list[_Mention]:
        """The names in some texts: by classes, links, words before them."""
        texts, parent = self._leaves.text, self._elements.parent
        short = [leaf for leaf in leaves.tolist() if len(texts[leaf]) < _LONGEST_TEXT or _is_short(texts[leaf])]
        if not short:
            return []
        around = [self._leaves.element[short]]
        for _ in range(_LEVELS):
            around.append(np.maximum(parent.take(around[-1]), 0))
        found = [
            *self._marked(short, around),
            *self._links(short, around),
            *self._labelled(short),
            *self._beside_dates(short, around),
        ]
        return self._merged(mention for mention in found if not self._is_foreign(mention)) if found else []

    def _marked(self, leaves: Sequence[int], around: Sequence[Ints]) -> Iterator[_Mention]:
        """The names in elements that are named for authors or for posters, and in ADDRESS elements."""
        nodes, code = self._elements.all_nodes, self._elements.code
        rows = list({row for level in around for row in level.tolist()})
        some = [nodes[row] for row in rows]
        classes = map(marks_of, [node.attr("class") for node in some])
        marks = np.fromiter(map(or_, classes, map(marks_of, [node.attr("id") for node in some])), np.uint8, len(some))
        marks[code.take(rows) == _ADDRESS] |= AUTHOR | ADDRESS
        if not marks.any():
            return
        of_row = np.zeros(len(code), dtype=np.uint8)
        of_row[rows] = marks
        nearest = around[0]
        for level in around[1:]:  # the nearest element that has a mark counts
            nearest = np.where(of_row.take(nearest), nearest, level)
        done: set[int] = set()
        for place in of_row.take(nearest).nonzero()[0].tolist():
            row = int(nearest[place])
            if row not in done:
                done.add(row)
                yield from self._named(leaves[place], row, int(of_row[row]))

    def _named(self, leaf: int, row: int, marks: int) -> Iterator[_Mention]:
        if marks & (AUTHOR | BYLINE) and int(self._elements.end[row]) - row <= _LARGEST:
            leaves = [each for each in self._view.leaves_in(row)[:_MOST_LEAVES] if not self._is_aside(each, row)]
            names = self._names_of(leaves) if leaves else ()
            if names and (not marks & ADDRESS or looks_like_person(names[0])):
                place = "class byline" if marks & BYLINE else "address tag" if marks & ADDRESS else "class author"
                yield _Mention(leaves[0], leaves[-1], row, names, place)
        elif marks & USER and leaf > self._title - _NEAR and not self._is_aside(leaf, row):
            is_owner = any(marks_of(node.attr("class")) & OWNER for node in self._above(row))
            if name := self._user(leaf):
                yield _Mention(leaf, leaf, row, (name,), "forum owner" if is_owner else "forum")

    def _links(self, leaves: Sequence[int], around: Sequence[Ints]) -> Iterator[_Mention]:
        """The names in links to pages about people."""
        code, nodes = self._elements.code, self._elements.all_nodes
        first: dict[int, int] = {}  # from the row of a link to its first text
        for level in around:
            for place in (code.take(level) == _LINK).nonzero()[0].tolist():
                first.setdefault(int(level[place]), leaves[place])
        links = [nodes[row] for row in first]
        if has_author_place(" ".join([f"{link.attr('rel') or ''} {link.attr('href') or ''}" for link in links])):
            for row, leaf in first.items():
                yield from self._link(leaf, row)

    def _link(self, leaf: int, row: int) -> Iterator[_Mention]:
        node = self._elements.all_nodes[row]
        place = author_place(node.attr("rel"), node.attr("href") or "", self._view.host)
        if place == "href user":
            if leaf > self._title - _NEAR and (name := self._user(leaf)):
                yield _Mention(leaf, leaf, row, (name,), place)
        elif place:
            inside = self._view.leaves_in(row)[:_MOST_NEXT]
            if (names := people(self._joined(inside))) and all(map(starts_like_name, names)):
                yield _Mention(leaf, inside[-1], row, names, place)

    def _linked(self) -> Iterator[_Mention]:
        """The names in links with rel=author, wherever they stand."""
        nodes = frozenset(parse.select(self._view.document.tree, "a[rel~=author]")[:_MOST_LINKS])
        for row in (self._elements.code == _LINK).nonzero()[0].tolist() if nodes else ():
            if self._elements.all_nodes[row] in nodes and (leaves := self._view.leaves_in(row)):
                yield from (mention for mention in self._link(leaves[0], row) if not self._is_foreign(mention))

    def _labelled(self, leaves: list[int]) -> Iterator[_Mention]:
        """The names behind a word such as "By": in the same text, or in the texts behind it."""
        texts, words = self._leaves.text, label_words(self._view.language[:2])
        for place, leaf in enumerate(leaves):
            begin = texts[leaf][:_LONGEST_TEXT].split(None, 1)
            if begin and (begin[0].lower().rstrip(":：") in words or begin[0][:2] in words or _REPORTER.match(texts[leaf])):
                yield from self._behind_label(leaves[place : place + _MOST_NEXT])

    def _behind_label(self, leaves: list[int]) -> Iterator[_Mention]:
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
            yield _Mention(line[0], line[-1], int(self._leaves.element[first]), names, "label")

    def _list(self, leaves: list[int]) -> list[int]:
        """The first text, and those behind it that are joined to it by commas and the like."""
        texts, found = self._leaves.text, leaves[:1]
        for leaf in leaves[1:]:
            if not (is_separator(texts[leaf]) or is_separator(texts[found[-1]])):
                break
            found.append(leaf)
        return found

    def _beside_dates(self, leaves: Sequence[int], around: Sequence[Ints]) -> Iterator[_Mention]:
        """Names without any mark between the headline and the text, with a date beside them."""
        texts, code = self._leaves.text, self._elements.code
        first = bisect_right(leaves, self._title)
        last = bisect_right(leaves, self._title + _NEAR, first)
        dated = [
            place for place in range(first, min(last + _AROUND, len(leaves))) if _DATED.search(texts[leaves[place]])
        ]
        for place in range(first, last) if dated else ():
            leaf = leaves[place]
            name = " ".join(texts[leaf].split())
            if (
                looks_like_person(name)
                and any(0 < abs(other - place) <= _AROUND for other in dated)
                and not any(_IS_NO_BYLINE[code[level[place]]] for level in around)
            ):
                yield _Mention(leaf, leaf, int(around[0][place]), (name,), "beside date")

    def _names_of(self, leaves: list[int]) -> tuple[str, ...]:
        """The names in a byline: those that are links to people, else those of its text."""
        rows = self._leaves.element[leaves]
        linked = [
            name
            for mention in self._links(leaves, [rows, np.maximum(self._elements.parent.take(rows), 0)])
            if mention.place != "href user" and not self._is_other_work(mention.leaf)
            for name in mention.names
        ]
        found = people(linked) if linked else people(self._joined(leaves))
        return found if all(map(starts_like_name, found)) or len(" ".join(found).split()) <= 2 else ()

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
        return "" if not is_user or is_control(name) or _NO_USER.match(name) else name

    def _is_aside(self, leaf: int, row: int) -> bool:
        """Is a text in a byline a date, a job, a biography by its own class?"""
        if len(self._leaves.text[leaf]) > _LONGEST_TEXT or is_control(self._leaves.text[leaf]):
            return True
        for above in self._elements.ancestors(int(self._leaves.element[leaf])):
            if above <= row:
                break
            node = self._elements.all_nodes[above]
            if (asides_of(node.attr("class")) | asides_of(node.attr("id"))) & ASIDE:
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
        return any(
            (asides_of(node.attr("class")) | asides_of(node.attr("id"))) & FOREIGN for node in self._above(mention.row)
        )

    def _is_other_work(self, leaf: int) -> bool:
        """Does the text before it, in the same block, say that it names a photographer, a reviewer and so on?"""
        if not leaf or not is_other_work(self._leaves.text[leaf - 1]):
            return False
        before, own = self._leaves.block[[leaf - 1, leaf]].tolist()
        return bool(before == own)

    def _above(self, row: int) -> Iterator[parse.Element]:
        """An element and some around it, up to the whole article."""
        for _, above in zip(range(_MOST_LEVELS), self._elements.ancestors(row), strict=False):
            if _IS_WHOLE[self._elements.code[above]]:
                return
            yield self._elements.all_nodes[above]

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


def _is_sure(mentions: list[_Mention]) -> bool:
    return any(mention.place in _PLACES for mention in mentions)


def _is_short(text: str) -> bool:
    """Is a text short, its white space aside?"""
    return len(text) < _LONGEST_SOURCE and "  " in text and len(" ".join(text.split())) < _LONGEST_TEXT
