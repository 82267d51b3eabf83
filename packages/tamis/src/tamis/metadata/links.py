"""The tags, categories, breadcrumbs and licence that links of the visible page tell; and marks of a paywall.

Links near the start and the end of the content count: tags are there, and menus are elsewhere.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain, islice, pairwise, zip_longest
from typing import NamedTuple
from urllib.parse import urlsplit

from tamis.arrays import places
from tamis.cached import cached_property
from tamis.deadline import check, checked
from tamis.document import parse, tags
from tamis.document.titles import fold, title_parts
from tamis.metadata import values
from tamis.metadata.head import address_in
from tamis.metadata.values import categories, is_home, table
from tamis.metadata.view import BORDER, Candidate, MetadataSource, View, holders

_LINK, _NAV, _ASIDE, _HEADER, _FOOTER, _FIGURE = (
    tags.CODES[tag] for tag in ("a", "nav", "aside", "header", "footer", "figure")
)
_PARTS = frozenset(
    tags.CODES[tag] for tag in ("article", "aside", "body", "footer", "header", "main", "nav", "section")
)
_CONTENT = frozenset(tags.CODES[tag] for tag in ("article", "main"))

# Leaves before and after the start and the end of the content that are near: nearly all such links of WCXB dev.
_AT_START = (18, 8)
_AT_END = (6, 28)
_MOST_ROWS = 1_500  # of elements at each end
_MOST_NAMED = 200  # elements with the same cue in their class
_MOST_PARENTS = 100  # of parts of a page
_LONGEST_LINK = 1_000  # characters
_LONGEST_CLASS = 300  # characters
_MOST_LEVELS = 4  # from a link up to the list that it belongs to
_MOST_LEVELS_OF_ITEM = 10  # from a link up to the list of teasers that it is in
_IN_SENTENCE = 8  # leaves before and after a link that are read
_LONGEST_LABEL = 60  # characters beside links, such as "Filed under:"; more is a sentence


class ContentLinks:
    """The links of a page, those near its content above all. A link is a place in `links`, the rows of all links."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._elements, self._leaves = view.document.elements, view.document.leaves
        self.nodes = self._elements.all_nodes
        self.links: list[int] = places(self._elements.code == _LINK).tolist()  # the rows of all links

    def links_in(self, row: int) -> range:
        """The links in an element; itself, if it is one."""
        return range(bisect_left(self.links, row), bisect_left(self.links, self._elements.end.item(row)))

    @cached_property
    def content(self) -> tuple[int, int] | None:
        """The first and the last leaf of the content; None if it is not known."""
        labels = self.view.labels
        if labels is None or len(labels.keep) != len(self._leaves):
            return None
        kept = places(labels.keep)
        return (kept.item(0), kept.item(-1)) if kept.size else None

    @cached_property
    def _windows(self) -> list[tuple[int, int]]:
        """The first row that is near, and the one after the last, at the start and at the end of the content."""
        opened, rows = self.view.opened, len(self._elements)
        if not opened:
            return []
        if self.content is None:
            return [(0, min(rows, _MOST_ROWS))]
        found: list[tuple[int, int]] = []
        for leaf, (before, after) in zip(self.content, (_AT_START, _AT_END), strict=True):
            start = opened[max(leaf - before, 0)]
            stop = opened[leaf + after] + 1 if leaf + after < len(opened) else rows
            found.append((max([start, *(stop for _, stop in found)]), min(stop, start + _MOST_ROWS)))
        return found

    @cached_property
    def near_links(self) -> list[int]:
        """The links near the start and the end of the content."""
        edges = ((bisect_left(self.links, edge) for edge in window) for window in self._windows)
        return [link for start, stop in edges for link in range(start, stop)]

    @cached_property
    def _classes_around(self) -> tuple[list[tuple[int, str]], str]:
        """The classes of the elements closely around these links, with their rows; and all of them as one text."""
        parent, nodes = self._elements.parent.item, self.nodes
        rows = {self.links[link] for link in self.near_links}
        around: set[int] = set()
        for _ in range(_MOST_LEVELS):
            rows = {parent(row) for row in rows if row >= 0}
            around |= rows
        around.discard(-1)
        found = [(row, name[:_LONGEST_CLASS]) for row in sorted(around) if (name := nodes[row].attr("class"))]
        return found, BORDER.join([name for _, name in found]).lower()

    def named(self, *cues: str) -> list[tuple[int, str]]:
        """The rows of those elements whose class holds one of the cues, with that class."""
        classes, joined = self._classes_around
        return [classes[number] for number in holders(joined, cues, _MOST_NAMED)]

    def related(self, relation: str, most: int) -> list[int]:
        """The links with a relation."""
        found = set(parse.select(self.view.document.tree, f"a[rel~={relation} i]")[:most])
        return [link for link, row in enumerate(self.links) if self.nodes[row] in found] if found else []

    def address(self, link: int) -> str:
        """The address of a link as it is written."""
        return self.nodes[self.links[link]].attr("href") or ""

    def text(self, link: int) -> str:
        """The text of a link, without a number of its own at its end."""
        row = self.links[link]
        text = self.nodes[row].text[:_LONGEST_LINK]
        if text[-1:].isdecimal():
            leaves = self.view.leaves_in(row)
            if len(leaves) > 1 and self._leaves.text[leaves[-1]].strip().isdecimal():
                text = self.view.text_of(leaves[:-1])
        return (values.text(text) or "").strip("#<>‹›«»,; ")

    def are_together(self, first: int, second: int) -> bool:
        """Do two adjacent links belong to one list? They share a close ancestor within their part of the page."""
        elements, before, row = self._elements, self.links[first], self.links[second]
        for _ in range(_MOST_LEVELS):
            row = elements.parent.item(row)
            if row < before:  # so it holds both
                leaf, other = self.view.leaf(before), self.view.leaf(self.links[second])
                return row >= 0 and self.view.is_foreign(leaf) == self.view.is_foreign(other)
            if elements.code.item(row) in _PARTS:
                return False
        return False

    def in_items(self, rows: list[int], least: int) -> set[int]:
        """Those of some elements that are in items of one list: in at least `least` children of one element."""
        held: dict[int, dict[int, list[int]]] = {}
        for row in rows:
            child, *parents = islice(self._elements.ancestors(row), _MOST_LEVELS_OF_ITEM)
            for parent in parents:
                held.setdefault(parent, {}).setdefault(child, []).append(row)
                child = parent
        return {row for items in held.values() if len(items) >= least for item in items.values() for row in item}

    def is_elsewhere(self, link: int, leaf: int) -> bool:
        """Is a link in a menu, next to the content, or about another page?"""
        above = self.codes_above(link)
        is_at_edge = (_FOOTER in above or _HEADER in above) and _CONTENT.isdisjoint(above)
        return self.view.is_foreign(leaf) or _NAV in above or _ASIDE in above or is_at_edge

    def is_in_sentence(self, leaf: int) -> bool:
        """Is a leaf of a link part of a sentence?"""
        leaves = self._leaves
        around = range(max(leaf - _IN_SENTENCE, 0), min(leaf + _IN_SENTENCE + 1, len(leaves)))
        beside = [each for each in around if leaves.is_visible_text[each] and not leaves.in_link[each]]
        inside = (leaves.text[each].strip() for each in beside if leaves.block[each] == leaves.block[leaf])
        return sum(map(len, inside)) > _LONGEST_LABEL

    def codes_above(self, link: int) -> list[int]:
        """The tag codes of a link and of the elements around it."""
        parents = islice(self._elements.ancestors(self.links[link]), _MOST_PARENTS)
        return list(map(self._elements.code.item, parents))


_SOURCE = "visible"
_LONGEST_TEXT = 60  # characters of a tag or category
_MOST_WORDS = 6  # of a tag or category
_MOST = {"tags": 15, "categories": 8}  # links in a row; more are a cloud or a menu
_FARTHEST = {"tags": 30, "categories": 15}  # leaves from the content, without a relation
_MOST_GROUPS = 3  # groups in at least this number of items of one list are those of teasers
_MOST_MARKED = 500  # links; more are a list of other pages
_MOST_LAST = 40  # links at the end of a page, where its licence is

# What marks a link, the weakest first.
_STRENGTH = ("class tags", "class categories", "tag address", "category address", "rel=tag", "rel=category")
_ADDRESSED = {"tags": "tag address", "categories": "category address"}

_WORDS = table("links.json")
_NO_NAME = tuple(_WORDS["no name"])  # starts of texts that name nothing
_PAYWALL = tuple(_WORDS["paywall"])
# The words of classes for several, for one, and behind the latter: systems name a post about rye tag-rye.
_CLASS = {field: frozenset(words) for field, words in _WORDS["classes"].items()}
_ONE = frozenset(_WORDS["one"])
_BEHIND = frozenset(_WORDS["behind one"])
_PATH = {field: frozenset(words) for field, words in _WORDS["paths"].items()}
_PATHS = frozenset(chain.from_iterable(_PATH.values()))
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COUNT = re.compile(r"[\s(]\d{1,6}\)?$")


_CRUMB = "crumb"
# One by one they use the parser's index of tags.
_CRUMB_QUERIES = tuple(f"{place}*={_CRUMB} i]" for place in ("nav[aria-label", "nav[class", "ol[class"))
_MOST_CRUMBS = 8
_LONGEST_TITLE = 1_000
_HOME_PATHS = frozenset({"index.html", "index.php", "home"})


class Breadcrumbs:
    """The visible breadcrumbs of a page."""

    def __init__(self, near: ContentLinks) -> None:
        self._near = near

    @cached_property
    def row(self) -> int:
        """The row of the element that holds them; -1 without one."""
        tree, nodes = self._near.view.document.tree, self._near.nodes
        found = chain.from_iterable(parse.select(tree, query)[:2] for query in _CRUMB_QUERIES)
        rows = chain((row for row, _ in self._near.named(_CRUMB)), (nodes.index(node) for node in found))
        return next((row for row in rows if 0 < len(self._near.links_in(row)) <= _MOST_CRUMBS), -1)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The texts of the links between the home page and the page itself."""
        if self.row < 0:
            return ()
        links = [link for link in self._near.links_in(self.row) if not self._is_self(link)]
        texts = [text for link in links if (text := self._near.text(link)) and not self._is_home(link, text)]
        if texts and fold(texts[-1]) in self._titles():
            texts.pop()
        named = (text for text in values.unique(texts) if not text.casefold().startswith(_NO_NAME))
        return categories(text for text in named if len(text) <= _LONGEST_TEXT and not text.isdecimal())

    def _titles(self) -> set[str]:
        """What the page may call itself."""
        document = self._near.view.document
        headings = [node.text[:_LONGEST_TITLE] for node in parse.select(document.tree, "h1")[:1]]
        return {fold(text) for text in (*title_parts(document.title[:_LONGEST_TITLE])[:1], *headings)}

    def _is_self(self, link: int) -> bool:
        """Does a link lead to this page?"""
        address = self._near.address(link)
        return not address or address.startswith("#") or address == self._near.view.address

    def _is_home(self, link: int, text: str) -> bool:
        if is_home(text):
            return True
        try:
            path = urlsplit(self._near.address(link)).path.strip("/")
        except ValueError:
            return False
        return len(path) <= 2 or path in _HOME_PATHS


class _LinkGroup(NamedTuple):
    """Links in a row that are marked alike."""

    texts: tuple[str, ...]
    place: str
    row: int
    distance: int  # to the content, in leaves


class Links(MetadataSource):
    """The links near the content."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._near = ContentLinks(view)
        self._crumbs = Breadcrumbs(self._near)

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The candidates for a field: those with a relation first, then the nearest to the content."""
        if field == "tags":
            for group in self._groups("tags"):
                yield Candidate(group.texts, _SOURCE, group.place, group.row)
        elif field == "categories":
            for group in self._categories:
                yield Candidate(group.texts, _SOURCE, group.place, group.row)
            if self._crumbs.names:
                yield Candidate(self._crumbs.names, _SOURCE, "breadcrumb", self._crumbs.row)
        elif field == "section":
            if self._crumbs.names:
                yield Candidate(self._crumbs.names[-1], _SOURCE, "breadcrumb", self._crumbs.row)
            for group in self._categories:
                yield Candidate(group.texts[0], _SOURCE, group.place, group.row)
        elif field == "license":
            yield from self._licences()
        elif field == "is_paywalled":
            named = self._near.named(*_WORDS["cues"]["paywall"])
            if any(word in name.lower() for _, name in named for word in _PAYWALL):
                yield Candidate(True, _SOURCE, "class paywall")

    @cached_property
    def _categories(self) -> list[_LinkGroup]:
        return self._groups("categories")

    def _groups(self, field: str) -> list[_LinkGroup]:
        """Groups of links that are tags or categories."""
        marks = self._marks[field]
        if len(marks) > _MOST_MARKED:
            return []
        links = sorted(marks)
        ends = (
            at
            for at, (one, two) in enumerate(pairwise(links), 1)
            if two != one + 1 or not self._near.are_together(one, two)
        )
        starts = [0, *ends, len(links)]
        found: dict[tuple[str, ...], _LinkGroup] = {}
        for start, stop in checked(pairwise(starts)):
            group = self._group(field, links[start:stop], marks)
            if group and (group.texts not in found or found[group.texts].distance > group.distance):
                found[group.texts] = group
        groups = list(found.values())
        if len(groups) > _MOST_GROUPS:
            in_lists = self._near.in_items([group.row for group in groups], _MOST_GROUPS)
            groups = [group for group in groups if group.row not in in_lists]
        best = sorted(groups, key=lambda group: (not group.place.startswith("rel="), group.distance))
        return best if len(best) <= _MOST_GROUPS else []

    @cached_property
    def _marks(self) -> dict[str, dict[int, str]]:
        """For tags and categories: from links to the strongest mark of each."""
        check()
        found: dict[str, dict[int, str]] = {"tags": {}, "categories": {}}
        for field, marks in found.items():
            for row, name in self._near.named(*_WORDS["cues"][field]):
                links = self._near.links_in(row) if _class_names(name, field) else ()
                if len(links) <= _MOST[field]:
                    marks |= dict.fromkeys(links, f"class {field}")
        for link, field in self._addressed.items():
            found[field][link] = _ADDRESSED[field]
        for link in self._near.related("tag", _MOST_MARKED):
            field = self._addressed.get(link) or _field_of(self._near.address(link), "")
            found["categories" if field == "categories" else "tags"][link] = "rel=tag"
        for link in self._near.related("category", _MOST_MARKED):
            found["categories"][link] = "rel=category"
            found["tags"].pop(link, None)
        for link in found["categories"].keys() & found["tags"].keys():
            del found[min(found, key=lambda field: _STRENGTH.index(found[field][link]))][link]
        return found

    @cached_property
    def _addressed(self) -> dict[int, str]:
        """The fields of links near the content, by their addresses."""
        nodes, links = self._near.nodes, self._near.links
        near = self._near.near_links
        given = [nodes[links[link]].attr("href") or "" for link in near]
        named = _PATHS.intersection(_parts("/".join(given)))
        likely = holders(BORDER.join(given).lower(), named) if named else ()
        return {near[place]: field for place in likely if (field := _field_of(given[place], self._view.host))}

    def _group(self, field: str, links: list[int], marks: dict[int, str]) -> _LinkGroup | None:
        """A group, unless it is a menu, a cloud, or about another page."""
        leaves = self._view.leaves_in(self._near.links[links[0]]) if 0 < len(links) <= _MOST[field] else []
        leaf = leaves[0] if leaves else -1
        if leaf < 0 or self._near.is_elsewhere(links[0], leaf) or self._near.is_in_sentence(leaf):
            return None
        place = max((marks[link] for link in links), key=_STRENGTH.index)
        distance = min(abs(leaf - edge) for edge in self._near.content or (leaf,))
        if not place.startswith("rel=") and distance > _FARTHEST[field]:
            return None
        texts = [self._near.text(link) for link in links]
        if sum(bool(_COUNT.search(text)) for text in texts) * 2 > len(texts):
            return None
        short = (text for text in texts if len(text) <= _LONGEST_TEXT and text.count(" ") < _MOST_WORDS)
        named = values.unique(text for text in short if not text.casefold().startswith(_NO_NAME))
        if len(named) * 2 <= len(texts):
            return None
        found = categories(named) if field == "categories" else tuple(named)
        return _LinkGroup(found, place, self._near.links[links[0]], distance) if found else None

    def _licences(self) -> Iterator[Candidate]:
        """The licence that a link names."""
        near = self._near
        for link in near.related("license", 1):
            if address := address_in(near.address(link), self._view):
                yield Candidate(values.licence(address) or address, _SOURCE, "rel=license", near.links[link])
                return
        last = [near.nodes[row].attr("href") or "" for row in near.links[-_MOST_LAST:]]
        if "creativecommons.org/" in " ".join(last):
            for link in range(len(near.links) - len(last), len(near.links)):
                licence = values.licence(near.address(link))
                if licence and _FIGURE not in near.codes_above(link):
                    yield Candidate(licence, _SOURCE, "creativecommons", near.links[link])
                    return


def _class_names(name: str, field: str) -> bool:
    """Does a class say that its element holds tags, or categories?"""
    if not name.islower():
        name = _CAPITAL.sub("-", name).lower()
    for token in name.replace("_", "-").split():
        words = token.split("-")
        if not _CLASS[field].isdisjoint(words):
            known = list(filter(None, words))
            for word, after in zip_longest(known, known[1:]):
                if word in _CLASS[field] and (word not in _ONE or after is None or after in _BEHIND):
                    return True
    return False


def _parts(address: str) -> list[str]:
    """The parts of the path and the query of an address."""
    return address.lower().replace("?", "/").replace("=", "/").replace("&", "/").split("/")


def _field_of(address: str, host: str) -> str:
    """The field that a page of the site is about by its address, tags or categories; empty for other pages."""
    parts = _parts(address)
    if _PATHS.isdisjoint(parts) or ("//" in address and host not in address):
        return ""
    for part, after in pairwise(parts):
        if after and not after.startswith("#"):
            if part in _PATH["categories"]:
                return "categories"
            if part in _PATH["tags"]:
                return "tags"
    return ""
