"""Authors as the page shows them: the line with their names below the headline, links to their pages, posters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from tamis.document import parse, tags
from tamis.extractor.conventions import NAME_PART
from tamis.labels import Role
from tamis.metadata.candidate import Candidate
from tamis.metadata.names import (
    begins_with_label,
    folded_name,
    is_label,
    is_other_work,
    is_separator,
    looks_like_person,
    people,
    without_label,
)
from tamis.metadata.view import View

# Visible texts around the headline that are read. On WCXB dev nine bylines of ten stand in the first twenty behind it.
_BEFORE, _BEHIND = 20, 60
_FURTHER = 300  # texts that are read if there is no author near the headline
_LONGEST_TEXT, _LONGEST_LINE = 150, 300
_LEVELS = 3  # elements around a text whose names count
_LARGEST = 60  # elements in what is a byline
_MOST, _MOST_LINKS = 10, 100
_NEAR = 8  # texts behind the headline among which an unmarked name may stand
_NEXT = 4  # texts between the names of one list, their separators and jobs

# Words of class and id.
_AUTHOR_WORDS = frozenset(
    "author authors writer writers autor autora autores autorin autoren auteur auteurs auteure autore autori autrice avtor "
    "avtory skribent forfatter kirjoittaja toimittaja yazar penulis szerzo redakteur redactor redaktor contributor "
    "contributors journalist journaliste reporter columnist columnista fn postedby writtenby zuozhe tacgia verfasser "
    "redacteur giornalista periodista muhabir".split()
)
_BYLINE_WORDS = frozenset("byline bylines by byl dateline signature firma signatur autorenzeile".split())
_USER_WORDS = frozenset(
    "username usernames user poster nick nickname member owner creator op starter postername topicstarter profilename "
    "postprofile postauthor login uname".split()
)
_NOT_WORDS = frozenset(
    "bio biography description about title role job position image avatar photo picture img pic date time datetime "
    "published social twitter facebook linkedin instagram email mail follow share comment comments commenter related "
    "count posts tooltip menu nav navigation navbar breadcrumb breadcrumbs footer credit caption tags tag category "
    "categories newsletter subscribe recommended teaser reviewer reviewed editor edited factcheck checked login signin "
    "rank status reputation quote reply sidebar location signup logo copyright occupation designation".split()
)
_NAME_WORDS = frozenset("name names link url".split())
_AUTHOR, _BYLINE, _USER, _NOT = 1, 2, 4, 8
_LONGEST_CLASS = 120
_MOST_REMEMBERED = 20_000

# Addresses of pages about people.
_AUTHOR_PATH = re.compile(
    r"/(?:authors?|by|byline|profiles?|people|person|persons|staff|contributors?|autor(?:en|es|e|i|a)?|auteurs?|writers?|journalists?"
    r"|reporters?|columnists?|team|editors?|avtor|avtory|skribent|schrijver|redaktion|redaction|bio|bios|about/people|creators?|experts?"
    r"|opinion/columnists)[/?=-][^/?#]|/@[\w.-]+/?(?:[?#]|$)|[?&](?:author|autor|auteur)(?:_name|id)?=|/author\.",
    re.IGNORECASE,
)
_USER_PATH = re.compile(
    r"/(?:members?|users?|u|profile|profil|forum/user|memberlist|player)[/?.=-]|[?&](?:u|uid|user|member)=\d"
)
_IS_LINK, _IS_HEADING, _IS_H1 = tags.lookup("a"), tags.lookup(*tags.HEADINGS), tags.lookup("h1")
_IS_ADDRESS = tags.lookup("address")
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\d\s?(?:min|hours?|days?|h|d)\b|\d{1,2}月|\bago\b")


class _Mention(NamedTuple):
    """Names in one place of the page."""

    leaf: int  # the first
    last: int
    row: int
    names: tuple[str, ...]
    place: str


class _Bits(dict[str | None, int]):
    """From a class or an id to what its words say, each read once."""

    def __missing__(self, given: str | None) -> int:
        found = 0
        words = {part.lower() for part in NAME_PART.findall((given or "")[:_LONGEST_CLASS])}
        for word in words:
            if word in _AUTHOR_WORDS or (
                (word.startswith(("author", "autor")) or word.endswith("author")) and not word.startswith("authori")
            ):
                found |= _AUTHOR
            elif word in _BYLINE_WORDS or "byline" in word:
                found |= _BYLINE
            elif word in _USER_WORDS or "username" in word:
                found |= _USER
        if words & _NOT_WORDS and not (found and words & _NAME_WORDS):
            found = _NOT
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        if given is None or len(given) <= _LONGEST_CLASS:
            self[given] = found
        return found


_BITS = _Bits()


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
        texts = self._leaves.visible_text
        title = self._title
        middle = int(texts.searchsorted(title))
        first = max(0, middle - _BEFORE)
        near = _merged(list(self._in(texts[first : middle + _BEHIND].tolist())), self._leaves.text)
        yield from (mention for mention in near if mention.leaf > title)
        yield from (mention for mention in near if mention.leaf <= title)
        if any(mention.place != "forum" for mention in near):
            return
        yield from _merged(list(self._linked()), self._leaves.text)
        further = texts[middle + _BEHIND : middle + _BEHIND + _FURTHER].tolist()
        yield from _merged(list(self._in(further)), self._leaves.text)

    @cached_property
    def _title(self) -> int:
        """The leaf of the headline, or the first."""
        leaves, code = self._leaves, self._elements.code
        h1 = _IS_H1.take(code.take(leaves.element))
        roles = self._view.labels.roles if self._view.labels is not None else None
        titles = [leaf for leaf, role in enumerate(roles) if role is Role.TITLE] if roles is not None else []
        for leaf in titles:
            if h1[leaf]:
                return leaf
        if titles:
            return titles[0]
        shown = (h1 & leaves.visible).nonzero()[0]
        return int(shown[0]) if len(shown) else 0

    def _in(self, leaves: list[int]) -> Iterator[_Mention]:
        """The names in some texts: by classes, links, words before them."""
        if not leaves:
            return
        texts, foreign, parent = self._leaves.text, self._view.foreign, self._elements.parent
        short = [leaf for leaf in leaves if len(texts[leaf]) < _LONGEST_LINE and not foreign[leaf]]
        rows = self._leaves.element[short]
        around = [rows]
        for _ in range(_LEVELS):
            rows = parent.take(rows)
            around.append(rows)
        done: set[int] = set()
        bits: dict[int, int] = {-1: 0}
        for place, (leaf, chain) in enumerate(
            zip(short, zip(*(each.tolist() for each in around), strict=True), strict=True)
        ):
            yield from self._marked(leaf, chain, bits, done)
            if link := next((row for row in chain[:_LEVELS] if row >= 0 and _IS_LINK[self._elements.code[row]]), 0):
                yield from self._link(leaf, link)
            if begins_with_label(texts[leaf]):
                yield from self._labelled(short[place : place + 8])
            elif 0 < leaf - self._title <= _NEAR:
                yield from self._beside_date(leaf, chain, short[max(0, place - 3) : place + 4])

    def _marked(self, leaf: int, chain: Sequence[int], bits: dict[int, int], done: set[int]) -> Iterator[_Mention]:
        """The names in the nearest element around a text that is named for authors."""
        nodes = self._elements.all_nodes
        for row in chain:
            if row not in bits:
                node = nodes[row]
                bits[row] = _BITS[node.attr("class")] | _BITS[node.attr("id")]
            found = bits[row]
            if found & _NOT:
                return
            if found:
                if row in done:
                    return
                done.add(row)
                if int(self._elements.end[row]) - row > _LARGEST:
                    return
                if not found & (_AUTHOR | _BYLINE):
                    yield from self._user(leaf, row)
                    return
                leaves = [each for each in self._view.leaves_in(row) if not self._is_aside(each, row, bits)]
                place = "class byline" if found & _BYLINE else "class author"
                if leaves and (names := self._names_of(leaves)) and not self._is_other_work(leaves[0]):
                    yield _Mention(leaves[0], leaves[-1], row, names, place)
                return

    def _is_aside(self, leaf: int, row: int, bits: dict[int, int]) -> bool:
        """Is a text in a byline a date, a job, a biography by its own class?"""
        for above in self._elements.ancestors(int(self._leaves.element[leaf])):
            if above <= row:
                return False
            if above not in bits:
                node = self._elements.all_nodes[above]
                bits[above] = _BITS[node.attr("class")] | _BITS[node.attr("id")]
            if bits[above] & _NOT:
                return True
        return False

    def _user(self, leaf: int, row: int) -> Iterator[_Mention]:
        """The first poster of a thread."""
        name = self._view.text_of(self._view.leaves_in(row)).strip(" @:,")
        if leaf > self._title and _is_user(name):
            yield _Mention(leaf, leaf, row, (name,), "forum")

    def _link(self, leaf: int, row: int) -> Iterator[_Mention]:
        """The name in a link to a page about a person."""
        node = self._elements.all_nodes[row]
        address = node.attr("href") or ""
        if "author" in (node.attr("rel") or ""):
            place = "rel=author"
        elif _AUTHOR_PATH.search(address):
            place = "href author"
        elif _USER_PATH.search(address) and leaf > self._title:
            name = self._view.text_of([leaf]).strip(" @:,")
            if _is_user(name):
                yield _Mention(leaf, leaf, row, (name,), "href user")
            return
        else:
            return
        if (names := people(self._view.text_of([leaf]))) and not self._is_other_work(leaf):
            yield _Mention(leaf, leaf, row, names, place)

    def _linked(self) -> Iterator[_Mention]:
        """The names in links with rel=author, wherever they stand."""
        nodes = parse.select(self._view.document.tree, "a[rel~=author]")[:_MOST_LINKS]
        if not nodes:
            return
        wanted = set(nodes)
        foreign = self._view.foreign
        for row in _IS_LINK.take(self._elements.code).nonzero()[0].tolist():
            if self._elements.all_nodes[row] in wanted:
                leaves = self._view.leaves_in(row)
                if leaves and not foreign[leaves[0]] and (names := people(self._view.text_of(leaves))):
                    yield _Mention(leaves[0], leaves[-1], row, names, "rel=author")

    def _labelled(self, leaves: list[int]) -> Iterator[_Mention]:
        """The names behind a word such as "By": in the same text, or in the texts behind it."""
        first = leaves[0]
        text = self._view.text_of([first])
        if len(text) > _LONGEST_TEXT:
            return
        row = int(self._leaves.element[first])
        if is_label(text):
            behind = self._line(leaves[1:])
        else:
            block = self._leaves.block_of(self._leaves.element[leaves])
            behind = [leaf for leaf, holder in zip(leaves, block.tolist(), strict=True) if holder == block[0]]
            text = self._joined(behind)
            rest = without_label(text)
            if len(text) > _LONGEST_TEXT or not rest or rest[0].islower() or rest == text:
                return
        if behind and (names := people(self._joined(behind))):
            yield _Mention(behind[0], behind[-1], row, names, "label")

    def _line(self, leaves: list[int]) -> list[int]:
        """The first text, and those behind it that are joined to it by commas and the like."""
        texts, found = self._leaves.text, leaves[:1]
        for before, leaf in zip(leaves, leaves[1:], strict=False):
            if not (is_separator(texts[leaf]) or is_separator(texts[before])):
                break
            found.append(leaf)
        return found

    def _beside_date(self, leaf: int, chain: Sequence[int], around: list[int]) -> Iterator[_Mention]:
        """A name without any mark between the headline and the text, with a date beside it."""
        text = self._leaves.text[leaf].strip()
        if not looks_like_person(text) or any(_IS_HEADING[self._elements.code[row]] for row in chain if row >= 0):
            return
        if any(_DATED.search(self._leaves.text[other]) for other in around if other != leaf):
            yield _Mention(leaf, leaf, chain[0], (" ".join(text.split()),), "beside date")

    def _names_of(self, leaves: list[int]) -> tuple[str, ...]:
        """The names in a byline: those that are links to people, else those of its text."""
        linked: list[str] = []
        for leaf in leaves:
            if self._leaves.in_link[leaf]:
                row = int(self._leaves.element[leaf])
                link = next(
                    (above for above in self._elements.ancestors(row) if _IS_LINK[self._elements.code[above]]), row
                )
                linked += [name for mention in self._link(leaf, link) for name in mention.names]
        return people(linked) if linked else people(self._joined(leaves))

    def _joined(self, leaves: list[int]) -> str:
        """The text of a byline, with a mark between its blocks."""
        block = self._leaves.block_of(self._leaves.element[leaves]).tolist()
        parts: list[list[int]] = []
        for place, leaf in enumerate(leaves):
            if not place or block[place] != block[place - 1]:
                parts.append([])
            parts[-1].append(leaf)
        return " | ".join(map(self._view.text_of, parts))[:_LONGEST_LINE]

    def _is_other_work(self, leaf: int) -> bool:
        """Does the text before say that the name is that of a reviewer, a photographer and so on?"""
        return leaf > 0 and is_other_work(self._leaves.text[leaf - 1])


def _merged(mentions: list[_Mention], texts: Sequence[str]) -> list[_Mention]:
    """Neighbours of the same kind, such as the links of one byline, as one."""
    found: list[_Mention] = []
    for mention in sorted(mentions, key=lambda mention: mention.leaf):
        before = next((place for place in range(len(found) - 1, -1, -1) if found[place].place == mention.place), None)
        if before is not None and _are_one_list(found[before], mention, texts):
            names = people([*found[before].names, *mention.names])
            found[before] = found[before]._replace(names=names, last=mention.last)
        else:
            found.append(mention)
    return found


def _are_one_list(first: _Mention, second: _Mention, texts: Sequence[str]) -> bool:
    if first.place in ("forum", "href user", "beside date") or not 0 < second.leaf - first.last <= _NEXT:
        return False
    return all(map(is_separator, texts[first.last + 1 : second.leaf]))


def _is_user(name: str) -> bool:
    return 1 < len(name) <= 40 and len(name.split()) <= 4 and bool(re.search(r"\w", name))
