"""Authors as the page shows them: the line with their names below the headline, links to their pages, posters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from tamis.arrays import Ints
from tamis.cached import cached_property
from tamis.document import parse, tags
from tamis.extractor.declared import NAME_PART
from tamis.metadata.people import (
    folded_name,
    is_control,
    is_label,
    is_other_work,
    is_separator,
    joins,
    label_words,
    looks_like_person,
    people,
    starts_like_name,
    without_label,
)
from tamis.metadata.values import table
from tamis.metadata.view import BORDER, Candidate, MetadataSource, View, holders
from tamis.page_type import PageType

# Marks of classes and ids, and of ADDRESS elements.
_AUTHOR = 1
_BYLINE = 2
_USER = 4
_OWNER = 8
_ASIDE = 16  # the element does not hold an author of the page
_FOREIGN = 32  # the element holds nothing about the page
_IN_ADDRESS = 64

# Words of classes, ids and addresses. Each one that counts holds one of the cues, in lower case.
_TABLE: dict[str, list[str]] = table("byline.json")
_WORDS = {key: frozenset(words) for key, words in _TABLE.items()}
_LONGEST_CLASS = 120  # characters that are read; the rest is layout
_MOST_REMEMBERED = 20_000

# Addresses of pages about people.
_PATH = re.compile(
    r"(?P<author>/(?:authors?|by|byline|profiles?|people|persons?|staff|contributors?|autor(?:en|es|e|i|a)?|auteurs?|writers?"
    r"|journalists?|reporters?|columnists?|avtor|avtory|skribent|schrijver|redaktion|bios?|our-team|team)[/?=-][^/?#]"
    r"|[?&](?:author|autor|auteur)(?:_name|id)?=|/@[\w.-]+/?(?:[?#]|$))"
    r"|/(?:members?|users?|u|profil|memberlist|player)[/?.=-][^/]|[?&](?:u|uid|user|member)=\d"
)


class _Remembered(dict[str, int]):
    """A function of a class or an id, computed once for each."""

    def __init__(self, compute: Callable[[str], int]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, given: str) -> int:
        if len(given) > _LONGEST_CLASS:
            return self[given[:_LONGEST_CLASS]]  # which is remembered
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        found = self[given] = self._compute(given)
        return found


def _words_of(given: str) -> set[str]:
    return {part.lower() for part in NAME_PART.findall(given)}


def _author_marks(given: str) -> int:
    """The marks of authors and posters in a class or id; only that of an owner where it names a part next to them."""
    found, words = 0, _words_of(given)
    for word in words:
        if word in _WORDS["author"] or ("tor" in word and _is_of_author(word)):
            found |= _AUTHOR
        elif word in _WORDS["byline"] or "byline" in word:
            found |= _BYLINE
        elif word in _WORDS["owner"]:
            found |= _OWNER
        elif word in _WORDS["user"] or "username" in word:
            found |= _USER
    if "by" in words and words & _WORDS["before by"]:
        found |= _BYLINE
    return found & _OWNER if found and _aside_marks(given) and words.isdisjoint(_WORDS["name"]) else found


def _is_of_author(word: str) -> bool:
    """Is a word one such as "authorname", but not "authority"?"""
    is_of_author = word.startswith(("author", "autor")) or word.endswith("author")
    return is_of_author and not word.startswith(("authori", "autoriz", "autorit"))


def _aside_marks(given: str) -> int:
    """Does a class or id say that its element does not hold an author of the page, or nothing about the page?"""
    for words in map(_words_of, given.split()):
        if words & _WORDS["foreign"] and not words & _WORDS["not foreign"]:
            return _ASIDE | _FOREIGN
    return 0 if _words_of(given).isdisjoint(_WORDS["aside"]) else _ASIDE


_remembered_author_marks = _Remembered(_author_marks).__getitem__
_remembered_aside_marks = _Remembered(_aside_marks).__getitem__


def _cue_finder(cues: Sequence[str]) -> Callable[[str], int]:
    """Says whether a class or an id can mark an author. A quick check: most hold none of the cues."""
    pattern = re.compile("|".join(cues))
    return _Remembered(lambda given: pattern.search(given.lower()) is not None).__getitem__


_has_english_cue = _cue_finder(_TABLE["cues"])
_has_any_cue = _cue_finder(_TABLE["cues"] + _TABLE["cues of other languages"])


def _asides_of(node: parse.Element) -> int:
    """The marks of parts without authors in the class and the id of an element."""
    return _remembered_aside_marks(node.attr("class") or "") | _remembered_aside_marks(node.attr("id") or "")


def _author_place(rel: str, address: str, host: str) -> str:
    """The page that a link leads to: "rel=author", "href author", "href user" or "". `host` is that of this page."""
    if "author" in rel:
        return "rel=author"
    found = _PATH.search(address)
    if not found:
        return ""
    other = address.partition("//")[2].partition("/")[0].lower()
    if other.removeprefix("www.") != host and not _WORDS["social sites"].isdisjoint(other.split(".")):
        return ""
    return "href author" if found["author"] else "href user"


_LEVELS = 2  # elements around a text whose classes count
_MOST_NEXT = 8  # texts of one list
_LONGEST_TEXT = 100
_LONGEST_LINE = 200
_MOST_WORDS = 12  # of a byline that ends with a full stop
_REPORTER = re.compile(r"\s?\w{2,5}\s?(?:기자|특파원)\b")  # in Korean the label is after the name
_MOST_LEVELS = 6  # elements around one in which it may be set apart
_LARGEST = 60  # elements in a byline
_MOST_LEAVES = 60  # texts in a byline
_MOST_LINKS = 100
_NEAR = 8  # texts after the headline among which a name without marks counts
_AROUND = 3  # texts between such a name and a date
_LONGEST_USER = 40  # characters
_MOST_WORDS_OF_USER = 4

_NO_BYLINE = frozenset(tags.CODES[tag] for tag in ("button", "nav", "select", "footer", *tags.HEADINGS))
_WHOLE = frozenset(tags.CODES[tag] for tag in ("html", "body", "main", "article"))
_ADDRESS = tags.CODES["address"]
_LINK = tags.CODES["a"]
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
        for _ in range(_LEVELS):
            around.append(np.maximum(self._elements.parent.take(around[-1]), 0))
        rows = np.concatenate(around)
        codes = dict(zip(rows.tolist(), self._elements.code.take(rows).tolist(), strict=True))
        return Window(leaves, list(zip(*(level.tolist() for level in around), strict=True)), codes)

    def marked(self, window: Window) -> Iterator[Mention]:
        """The names in elements that are named for authors or for posters, and in ADDRESS elements."""
        nodes = self._elements.all_nodes
        has_cue = _has_english_cue if self._view.language.startswith("en") else _has_any_cue
        marks: dict[int, int] = {}
        for row, code in window.codes.items():
            attribute = nodes[row].attr
            name, identity = attribute("class") or "", attribute("id") or ""
            if has_cue(name) or has_cue(identity):
                marks[row] = _remembered_author_marks(name) | _remembered_author_marks(identity)
            if code == _ADDRESS:
                marks[row] = _AUTHOR | _IN_ADDRESS
        done: set[int] = set()
        for leaf, chain in zip(window.leaves, window.chains, strict=True) if marks else ():
            row = next((row for row in chain if marks.get(row)), -1)
            if row >= 0 and row not in done:
                done.add(row)
                yield from self._named(leaf, row, marks[row])

    def _named(self, leaf: int, row: int, marks: int) -> Iterator[Mention]:
        if marks & (_AUTHOR | _BYLINE) and self._elements.end.item(row) - row <= _LARGEST:
            leaves = [each for each in self._view.leaves_in(row)[:_MOST_LEAVES] if not self._is_aside(each, row)]
            names = self._names_of(leaves) if leaves else ()
            if names and (not marks & _IN_ADDRESS or looks_like_person(names[0])):
                place = "class byline" if marks & _BYLINE else "address tag" if marks & _IN_ADDRESS else "class author"
                yield Mention(leaves[0], leaves[-1], row, names, place)
        elif marks & _USER and leaf > self._title - _NEAR and not self._is_aside(leaf, row):
            above = (node.attr("class") or "" for node in self.above(row))
            is_owner = any(_remembered_author_marks(name) & _OWNER for name in above)
            if name := self._user(leaf):
                yield Mention(leaf, leaf, row, (name,), "forum owner" if is_owner else "forum")

    def in_related_links(self) -> Iterator[Mention]:
        """The names in links with rel=author, anywhere on the page."""
        nodes = frozenset(parse.select(self._view.document.tree, "a[rel~=author]")[:_MOST_LINKS])
        rows = (self._elements.code == _LINK).nonzero()[0].tolist() if nodes else []
        return self.in_links([row for row in rows if self._elements.all_nodes[row] in nodes])

    def in_links(self, rows: Sequence[int]) -> Iterator[Mention]:
        """The names in links to pages about people."""
        new = [row for row in rows if row not in self._links]
        if new:
            nodes = [self._elements.all_nodes[row] for row in new]
            relations = [node.attr("rel") or "" for node in nodes]
            addresses = [(node.attr("href") or "")[:_LONGEST_LINE] for node in nodes]
            self._links.update(dict.fromkeys(new))
            signed = {place for place, relation in enumerate(relations) if "author" in relation}
            others = [] if self._view.language.startswith("en") else _TABLE["address cues of other languages"]
            cued = holders(BORDER.join(addresses).lower(), _TABLE["address cues"] + others)
            for each in signed.union(cued):
                if place := _author_place(relations[each], addresses[each], self._view.host):
                    self._links[new[each]] = self._link(new[each], place)
        return filter(None, map(self._links.__getitem__, rows))

    def _link(self, row: int, place: str) -> Mention | None:
        leaves = self._view.leaves_in(row)[:_MOST_NEXT]
        if place == "href user":
            if leaves and leaves[0] > self._title - _NEAR and (name := self._user(leaves[0])):
                return Mention(leaves[0], leaves[0], row, (name,), place)
        elif leaves and (names := people(self._joined(leaves))) and all(map(starts_like_name, names)):
            return Mention(leaves[0], leaves[-1], row, names, place)
        return None

    def labelled(self, window: Window) -> Iterator[Mention]:
        """The names after a word such as "By": in the same text, or in the texts after it."""
        texts, words = self._leaves.text, label_words(self._view.language[:2])
        for place, leaf in enumerate(window.leaves):
            start = texts[leaf][:_LONGEST_TEXT].split(None, 1)
            is_label = start and (start[0].lower().rstrip(":：") in words or start[0][:2] in words)
            if is_label or (not texts[leaf].isascii() and _REPORTER.match(texts[leaf])):
                yield from self._after_label(window.leaves[place : place + _MOST_NEXT])

    def _after_label(self, leaves: list[int]) -> Iterator[Mention]:
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
            line = self._joined_texts(leaves[1:])
            text = self._joined(line)
        elif not _REPORTER.match(text) and ((rest := without_label(text)) == text or not starts_like_name(rest)):
            return
        if line and (names := people(text)) and all(map(starts_like_name, names)):
            yield Mention(line[0], line[-1], int(self._leaves.element[first]), names, "label")

    def _joined_texts(self, leaves: list[int]) -> list[int]:
        """The first text, and those after it that commas and the like join to it."""
        texts, found = self._leaves.text, leaves[:1]
        for leaf in leaves[1:]:
            if not (is_separator(texts[leaf]) or is_separator(texts[found[-1]])):
                break
            found.append(leaf)
        return found

    def next_to_dates(self, window: Window) -> Iterator[Mention]:
        """Names without any mark between the headline and the text, next to a date."""
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
        chains = (islice(self._elements.ancestors(row), _LEVELS) for row in self._leaves.element[leaves].tolist())
        around = dict.fromkeys(row for chain in chains for row in chain if self._elements.code.item(row) == _LINK)
        mentions = (each for each in self.in_links(list(around)) if each.place != "href user")
        linked = [name for each in mentions if not self.is_other_work(each.leaf) for name in each.names]
        found = people(linked) if linked else people(self._joined(leaves))
        return found if all(map(starts_like_name, found)) or len(" ".join(found).split()) <= 2 else ()

    def _joined(self, leaves: Sequence[int]) -> str:
        """The text of a byline without marks of notes, and with a bar between texts that no word joins."""
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
        """The name of a poster; empty if the text cannot be one."""
        name = self._view.text_of([leaf]).strip(" @:,()")
        is_user = 1 < len(name) <= _LONGEST_USER and len(name.split()) <= _MOST_WORDS_OF_USER
        return "" if not is_user or ":" in name or is_control(name) or _NO_USER.search(name) else name

    def _is_aside(self, leaf: int, row: int) -> bool:
        """Is a text in a byline something else by its length or its classes, such as a date, a job or a biography?"""
        if len(self._leaves.text[leaf]) > _LONGEST_TEXT or is_control(self._leaves.text[leaf]):
            return True
        for above in self._elements.ancestors(int(self._leaves.element[leaf])):
            if above <= row:
                break
            if _asides_of(self._elements.all_nodes[above]) & _ASIDE:
                return True
        return False

    def is_other_work(self, leaf: int) -> bool:
        """Does the text before a name say that it is a photographer's, a reviewer's and so on?"""
        if not leaf or not is_other_work(self._leaves.text[leaf - 1]):
            return False
        before, own = self._leaves.block[[leaf - 1, leaf]].tolist()
        return bool(before == own)  # otherwise it belongs to the block above

    def above(self, row: int) -> Iterator[parse.Element]:
        """An element and some around it, up to the whole article."""
        for above in islice(self._elements.ancestors(row), _MOST_LEVELS):
            if self._elements.code.item(above) in _WHOLE:
                return
            yield self._elements.all_nodes[above]


# Visible texts that are read around the headline and around the end of the content. On WCXB dev nine bylines of ten
# are in the first twenty texts after the headline.
_BEFORE = 10
_AFTER = 18
_FURTHER = 45
_BEFORE_END = 10
_AFTER_END = 30
_LONGEST_SHOWN = 100  # characters of a text without its white space
_LONGEST_SOURCE = 2_000  # characters of a text with its white space
_LEAST_TITLE = 8  # letters of a headline that is in the TITLE
_MOST_CANDIDATES = 12

# Pages that are rarely signed: only the texts next to the headline are read.
_UNSIGNED = (PageType.PRODUCT, PageType.SERVICE, PageType.LISTING, PageType.COLLECTION)

_DECLARED = frozenset({"author", "dc.creator", "citation_author", "parsely-author", "sailthru.author"})

# Where names are surely meant as authors, the surest first.
_PLACES = ("rel=author", "class byline", "class author", "href author", "label", "address tag", "forum owner", "forum")


class Byline(MetadataSource):
    """Authors in the visible page, in its order; those near the headline first."""

    def candidates(self, field: str) -> Iterable[Candidate]:
        """The authors that are shown: one candidate a place, each list of names once a place."""
        if field != "authors":
            return
        seen: set[tuple[str, frozenset[str]]] = set()
        for mention in self._mentions():
            key = mention.place, frozenset(map(folded_name, mention.names))
            if key not in seen and len(seen) < _MOST_CANDIDATES:
                seen.add(key)
                yield Candidate(mention.names, "visible", mention.place, mention.row)

    def _mentions(self) -> Iterator[Mention]:
        texts, title = self._leaves.visible_text, self._title
        middle = int(texts.searchsorted(title))
        near = self._mentions_in(texts[max(0, middle - _BEFORE) : middle + _AFTER])
        yield from (mention for mention in near if mention.leaf > title)
        yield from (mention for mention in near if mention.leaf <= title)
        if _is_sure(near) or self._view.page_type in _UNSIGNED or self._is_declared:
            return
        further = self._mentions_in(texts[middle + _AFTER : middle + _FURTHER])
        yield from further
        if not _is_sure(further):
            yield from self._merged(self._found.in_related_links())
            end = int(texts.searchsorted(self._kept[-1] if self._kept else len(self._leaves)))
            yield from self._mentions_in(texts[max(middle + _FURTHER, end - _BEFORE_END) : end + _AFTER_END])

    @property
    def _is_declared(self) -> bool:
        """Does the head or linked data name an author? Then one far from the headline tells nothing new."""
        things = self._view.document.linked_data.things
        return not _DECLARED.isdisjoint(self._view.head.meta) or any(
            thing.is_about_page and "author" in thing.fields for thing in things
        )

    @cached_property
    def _found(self) -> Mentions:
        return Mentions(self._view, self._title)

    @cached_property
    def _title(self) -> int:
        """The leaf of the headline, or the first."""
        leaves = self._leaves
        shown = [inside[0] for row in self._view.headings if (inside := self._view.leaves_in(row))]
        titles = self._view.titles
        if found := [leaf for leaf in shown if leaf in titles]:
            return found[0]
        title = self._view.document.title
        repeated = [leaf for leaf in shown if len(text := leaves.text[leaf].strip()) >= _LEAST_TITLE and text in title]
        if found := repeated or titles:
            return found[0]
        return min([*shown[:1], *self._kept[:1]], default=0)

    @cached_property
    def _kept(self) -> list[int]:
        """The leaves that the extractor keeps, texts and media."""
        labels = self._view.labels
        return [] if labels is None else labels.keep.nonzero()[0].tolist()

    def _mentions_in(self, leaves: Ints) -> list[Mention]:
        """The names in some texts."""
        texts = self._leaves.text
        short = [leaf for leaf in leaves.tolist() if _is_short(texts[leaf])]
        if not short:
            return []
        window = self._found.window(short)
        links = [row for row, code in window.codes.items() if code == _LINK]
        found = [*self._found.marked(window), *self._found.in_links(links), *self._found.labelled(window)]
        merged = self._merged(found)
        return merged if _is_sure(merged) else [*merged, *self._merged(self._found.next_to_dates(window))]

    def _merged(self, mentions: Iterable[Mention]) -> list[Mention]:
        """The mentions of authors of this page, adjacent ones of the same kind as one, such as links of one byline."""
        found: list[Mention] = []
        rank = {place: number for number, place in enumerate(_PLACES)}
        own = filter(self._is_own, mentions)
        for mention in sorted(own, key=lambda each: (each.leaf, rank.get(each.place, len(rank)))):
            before = next((place for place in range(len(found) - 1, -1, -1) if found[place].place == mention.place), -1)
            if before >= 0 and self._are_one_list(found[before], mention):
                names = people([*found[before].names, *mention.names])
                found[before] = found[before]._replace(names=names, last=mention.last)
            else:
                found.append(mention)
        return found

    def _are_one_list(self, first: Mention, second: Mention) -> bool:
        if first.place in ("forum", "forum owner", "href user") or not first.last < second.leaf:
            return False
        if second.leaf - first.last <= _MOST_NEXT // 2:
            between = self._leaves.text[first.last + 1 : second.leaf]
            if all(is_separator(text) or text.strip("*†‡§, ").isdigit() for text in between):
                return bool(between) or first.place != "beside date"
        if not first.place.startswith("class") or int(self._elements.end[first.row]) != second.row:
            return False
        nodes = self._elements.all_nodes  # cards of the same kind, next to each other
        return nodes[first.row].attr("class") == nodes[second.row].attr("class")

    def _is_own(self, mention: Mention) -> bool:
        """Does a mention name an author of this page, not of a comment, a teaser or other work such as photos?"""
        if self._view.is_foreign(mention.leaf) or self._found.is_other_work(mention.leaf):
            return False
        above = self._found.above(mention.row)
        return not is_control(mention.names[0]) and not any(_asides_of(node) & _FOREIGN for node in above)


def _is_sure(mentions: list[Mention]) -> bool:
    return any(mention.place in _PLACES for mention in mentions)


def _is_short(text: str) -> bool:
    """Is a text short without its white space?"""
    if len(text) < _LONGEST_SHOWN:
        return True
    return len(text) < _LONGEST_SOURCE and "  " in text and len(" ".join(text.split())) < _LONGEST_SHOWN
