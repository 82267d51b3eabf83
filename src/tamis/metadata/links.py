"""What links of the visible page tell: tags, categories, breadcrumbs, the licence; and marks of a paywall.

Links near the begin and the end of the content count: tags stand there, and menus elsewhere.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from importlib.resources import files
from itertools import chain, pairwise, zip_longest
from typing import NamedTuple
from urllib.parse import urlsplit

from tamis.arrays import places
from tamis.deadline import check
from tamis.document import parse, tags
from tamis.document.titles import fold, title_parts
from tamis.labels import Role
from tamis.metadata import values
from tamis.metadata.candidate import Candidate
from tamis.metadata.named import addresses, categories
from tamis.metadata.view import View

_SOURCE = "visible"
_IS_LINK = tags.lookup("a")
_NAV, _ASIDE, _HEADER, _FOOTER, _FIGURE = (tags.CODES[tag] for tag in ("nav", "aside", "header", "footer", "figure"))
_CONTENT = frozenset(tags.CODES[tag] for tag in ("article", "main"))

# Leaves before and after the begin and the end of the content in which links are read.
_AT_BEGIN, _AT_END = (15, 10), (12, 28)
_MOST_ROWS = 1_500  # of elements there, at each end
_BETWEEN = "\0"  # which no attribute of a parsed page holds
_MOST_NAMED = 200  # elements that are named alike
_MOST_LAST = 60  # links at the end of a page, where its licence stands
_MOST_RELATED = 500  # links with a relation
_MOST_PARENTS = 100  # of parts of a page
_LONGEST_TEXT, _MOST_WORDS = 60, 6
_LONGEST_LABEL = 60  # of text beside links, such as "Filed under:"; more is a sentence
_MOST = {"tags": 15, "categories": 8}  # more are a cloud or a menu
_FARTHEST = {"tags": 30, "categories": 15}  # leaves from the content, without a relation
_MOST_GROUPS = 3  # more are those of teasers
_MOST_CRUMBS = 8
# What marks a link, the weakest first.
_STRENGTH = ("class tags", "class categories", "tag address", "category address", "rel=tag", "rel=category")

_WORDS = json.loads(files("tamis.metadata").joinpath("links.json").read_text(encoding="utf-8"))
_HOME = frozenset(_WORDS["home"])
_NO_TAG = tuple(_WORDS["no tag"])


# The words of classes for several, for one, and behind the latter: systems name a post about rye tag-rye.
_CLASS = {field: frozenset(words) for field, words in _WORDS["classes"].items()}
_ONE, _BEHIND = frozenset(_WORDS["one"]), frozenset(_WORDS["behind one"])
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PATHS = frozenset(chain.from_iterable(_WORDS["paths"].values()))
_PATH = {field: frozenset(_WORDS["paths"][field]) for field in ("tags", "categories")}
_COUNT = re.compile(r"[\s(]\d{1,6}\)?$")
# One by one they use the parser's index of tags.
_BREADCRUMBS = ("nav[aria-label*=crumb i]", "nav[class*=crumb i]", "ol[class*=crumb i]", "ul[class*=crumb i]")
_RELATIONS = {relation: f"a[rel~={relation} i]" for relation in ("category", "tag", "license")}


class _Group(NamedTuple):
    """Links in a row that are marked alike."""

    texts: tuple[str, ...]
    place: str
    row: int
    distance: int  # to the content, in leaves

    @property
    def is_related(self) -> bool:
        """Does a relation mark it?"""
        return self.place.startswith("rel=")


class Links:
    """The links near the content."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._elements, self._leaves = view.document.elements, view.document.leaves

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The candidates for a field, the nearest to the content first."""
        check()
        if field in _MOST:
            for group in self._tags if field == "tags" else self._categories:
                yield Candidate(group.texts, _SOURCE, group.place, group.row)
            if field == "categories" and self._crumbs:
                yield Candidate(self._crumbs, _SOURCE, "breadcrumb", self._crumb_row)
        elif field == "section":
            if self._crumbs:
                yield Candidate(self._crumbs[-1], _SOURCE, "breadcrumb", self._crumb_row)
            for group in self._categories:
                yield Candidate(group.texts[0], _SOURCE, group.place, group.row)
        elif field == "license":
            yield from self._licences()
        elif field == "is_paywalled" and self._has_paywall():
            yield Candidate(True, _SOURCE, "class paywall")

    @cached_property
    def _rows(self) -> list[int]:
        """The rows of all links."""
        rows: list[int] = places(_IS_LINK.take(self._elements.code)).tolist()
        return rows

    @cached_property
    def _content(self) -> tuple[int, int] | None:
        """The first and the last leaf of the content; None if it is not known."""
        labels = self._view.labels
        if labels is None or len(labels.keep) != len(self._leaves) or not labels.keep.any():
            return None
        return int(labels.keep.argmax()), len(self._leaves) - 1 - int(labels.keep[::-1].argmax())

    @cached_property
    def _windows(self) -> list[tuple[int, int]]:
        """The rows around the begin and the end of the content: the first ones, and those behind the last."""
        opened, rows = self._leaves.opened, len(self._elements)
        if not len(opened):
            return []
        if self._content is None:
            return [(0, min(rows, _MOST_ROWS))]
        found: list[tuple[int, int]] = []
        for leaf, (before, after) in zip(self._content, (_AT_BEGIN, _AT_END), strict=True):
            start = int(opened[max(leaf - before, 0)])
            stop = int(opened[leaf + after]) + 1 if leaf + after < len(opened) else rows
            found.append((max([start, *(stop for _, stop in found)]), min(stop, start + _MOST_ROWS)))
        return found

    @cached_property
    def _near(self) -> list[int]:
        """The links near the begin and the end of the content, as places in `_rows`."""
        edges = ((bisect_left(self._rows, edge) for edge in window) for window in self._windows)
        return [place for start, stop in edges for place in range(start, stop)]

    @cached_property
    def _names(self) -> list[tuple[int, str]]:
        """The classes of the elements near the begin and the end of the content, with their rows."""
        nodes = self._elements.all_nodes
        return [
            (row, name)
            for start, stop in self._windows
            for row, node in enumerate(nodes[start:stop], start)
            if (name := node.attr("class"))
        ]

    @cached_property
    def _all_names(self) -> str:
        return _BETWEEN.join([name for _, name in self._names]).lower()

    def _named(self, *cues: str) -> list[tuple[int, str]]:
        """The rows whose class holds one of the cues."""
        names = self._all_names
        found: set[int] = set()
        for cue in cues:
            start = names.find(cue)
            while start >= 0 and len(found) < _MOST_NAMED:
                found.add(names.count(_BETWEEN, 0, start))
                end = names.find(_BETWEEN, start)
                start = names.find(cue, end) if end >= 0 else -1
        return [self._names[line] for line in sorted(found)]

    def _related(self, relation: str) -> list[int]:
        """The links with a relation, as places in `_rows`."""
        found = parse.select(self._view.document.tree, _RELATIONS[relation])[:_MOST_RELATED]
        if not found:
            return []
        wanted, nodes = set(found), self._elements.all_nodes
        return [place for place, row in enumerate(self._rows) if nodes[row] in wanted]

    @cached_property
    def _marks(self) -> dict[str, dict[int, str]]:
        """For tags and categories: from links, as places in `_rows`, to what marks them. The best mark is the last."""
        found: dict[str, dict[int, str]] = {"tags": {}, "categories": {}}
        for field, marks in found.items():
            for row, name in self._named(*_WORDS["cues"][field]):
                links = self._links_in(row) if _says(name, field) else []
                if len(links) <= _MOST[field]:
                    first = bisect_left(self._rows, row)
                    marks |= dict.fromkeys(range(first, first + len(links)), f"class {field}")
        nodes, rows = self._elements.all_nodes, self._rows
        addresses_ = [nodes[rows[place]].attr("href") or "" for place in self._near]
        by_address = {}
        if not _PATHS.isdisjoint(_parts("/".join(addresses_))):
            fields = (_field_of(address, self._view.host) for address in addresses_)
            by_address = dict(zip(self._near, fields, strict=True))
        for place, field in by_address.items():
            if field:
                found[field][place] = "tag address" if field == "tags" else "category address"
        for place in self._related("tag"):
            field = by_address[place] if place in by_address else _field_of(nodes[rows[place]].attr("href") or "", "")
            found["categories" if field == "categories" else "tags"][place] = "rel=tag"
        for place in self._related("category"):
            found["categories"][place] = "rel=category"
            found["tags"].pop(place, None)
        for place in found["categories"].keys() & found["tags"].keys():
            weaker = "tags" if found["tags"][place].startswith("class") else "categories"
            del found[weaker][place]
        return found

    def _groups(self, field: str) -> list[_Group]:
        """Groups of links that are tags or categories, the nearest first."""
        marks = self._marks[field]
        links = sorted(marks)
        starts = [0, *(at for at, (one, two) in enumerate(pairwise(links), 1) if two != one + 1), len(links)]
        found: dict[tuple[str, ...], _Group] = {}
        for start, stop in pairwise(starts):
            group = self._group(field, links[start:stop], marks)
            if group and (group.texts not in found or found[group.texts].distance > group.distance):
                found[group.texts] = group
        nearest = sorted(found.values(), key=lambda group: (not group.is_related, group.distance))
        return nearest if len(nearest) <= _MOST_GROUPS else []

    @cached_property
    def _tags(self) -> list[_Group]:
        return self._groups("tags")

    @cached_property
    def _categories(self) -> list[_Group]:
        return self._groups("categories")

    def _group(self, field: str, links: list[int], marks: dict[int, str]) -> _Group | None:
        """A group, unless it is a menu, a cloud, or about another page."""
        if not links or len(links) > _MOST[field]:
            return None
        row = self._rows[links[0]]
        shown = self._view.leaves_in(row)
        if not shown or self._is_elsewhere(row, shown[0]) or self._is_prose(row):
            return None
        place = max((marks[place] for place in links), key=_STRENGTH.index)
        distance = min(abs(shown[0] - edge) for edge in self._content or shown)
        if not place.startswith("rel=") and distance > _FARTHEST[field]:
            return None
        texts = [self._text(self._rows[place]) for place in links]
        if sum(bool(_COUNT.search(text)) for text in texts) * 2 > len(texts):
            return None
        named = [text for text in texts if len(text) <= _LONGEST_TEXT and text.count(" ") < _MOST_WORDS]
        named = values.unique(text for text in named if not text.casefold().startswith(_NO_TAG))
        if len(named) * 2 <= len(texts):
            return None
        found = categories(named) if field == "categories" else tuple(named)
        return _Group(found, place, row, distance) if found else None

    def _is_elsewhere(self, row: int, leaf: int) -> bool:
        """Is it in a menu, beside the content, or about another page?"""
        labels = self._view.labels
        if labels and labels.roles and labels.roles[leaf] in (Role.COMMENT, Role.RELATED):
            return True
        above = self._codes_above(row)
        if _NAV in above or _ASIDE in above:
            return True
        return (_FOOTER in above or _HEADER in above) and _CONTENT.isdisjoint(above)

    def _codes_above(self, row: int) -> list[int]:
        code, parents = self._elements.code, self._elements.ancestors(row)
        return [int(code[parent]) for _, parent in zip(range(_MOST_PARENTS), parents, strict=False)]

    def _is_prose(self, row: int) -> bool:
        """Is a link a part of a sentence?"""
        leaves = self._leaves
        block = int(leaves.block_of(self._elements.parent[row : row + 1])[0])
        around = (leaf for leaf in self._view.leaves_in(block) if not leaves.in_link[leaf]) if block >= 0 else ()
        return sum(len(leaves.text[leaf].strip()) for leaf in around) > _LONGEST_LABEL

    def _text(self, row: int) -> str:
        """The text of a link, without a number of its own at its end."""
        leaves = self._view.leaves_in(row)
        if len(leaves) > 1 and self._leaves.text[leaves[-1]].strip(" ()\n").isdecimal():
            leaves = leaves[:-1]
        return (values.text(self._view.text_of(leaves)) or "").strip("#<>‹›«»,; ")

    @cached_property
    def _crumb_row(self) -> int:
        """The element that holds the breadcrumbs; -1 if there is none."""
        nodes = self._elements.all_nodes
        named = (row for row, _ in self._named("crumb"))
        found = (node for query in _BREADCRUMBS for node in parse.select(self._view.document.tree, query)[:2])
        others = (nodes.index(node) for node in found)
        return next((row for row in chain(named, others) if 0 < len(self._links_in(row)) <= _MOST_CRUMBS), -1)

    def _links_in(self, row: int) -> list[int]:
        """The rows of the links in an element, and of its own if it is one."""
        first, stop = (bisect_left(self._rows, edge) for edge in (row, int(self._elements.end[row])))
        return self._rows[first:stop]

    @cached_property
    def _crumbs(self) -> tuple[str, ...]:
        """The breadcrumbs between the home page and this page."""
        if self._crumb_row < 0:
            return ()
        links = [row for row in self._links_in(self._crumb_row) if not self._is_self(row)]
        texts = [text for row in links if (text := self._text(row)) and not self._is_home(row, text)]
        if texts and fold(texts[-1]) in self._titles:
            texts.pop()
        named = (text for text in values.unique(texts) if not text.casefold().startswith(_NO_TAG))
        return categories(text for text in named if len(text) <= _LONGEST_TEXT and not text.isdecimal())

    @property
    def _titles(self) -> set[str]:
        """What the page may call itself."""
        document = self._view.document
        headings = [node.text[:1_000] for node in parse.select(document.tree, "h1")[:1]]
        return {fold(text) for text in (*title_parts(document.title[:1_000])[:1], *headings)}

    def _is_self(self, row: int) -> bool:
        """Does a link lead to this page?"""
        address = self._elements.attribute(row, "href") or ""
        return not address or address.startswith("#") or address == self._view.address

    def _is_home(self, row: int, text: str) -> bool:
        if text.casefold() in _HOME:
            return True
        try:
            path = urlsplit(self._elements.attribute(row, "href") or "").path.strip("/")
        except ValueError:
            return False
        return len(path) <= 2 or path in ("index.html", "index.php", "home")

    def _licences(self) -> Iterator[Candidate]:
        """The licence that a link names."""
        nodes = self._elements.all_nodes
        for place in self._related("license"):
            row = self._rows[place]
            for address in addresses([nodes[row].attr("href") or ""], self._view):
                yield Candidate(values.licence(address) or address, _SOURCE, "rel=license", row)
                return
        last = self._rows[-_MOST_LAST:]
        if "creativecommons.org/" not in "\n".join([nodes[row].attr("href") or "" for row in last]):
            return
        for row in last:
            licence = values.licence(nodes[row].attr("href"))
            if licence and _FIGURE not in self._codes_above(row):
                yield Candidate(licence, _SOURCE, "creativecommons", row)
                return

    def _has_paywall(self) -> bool:
        """Do classes of the page, or around the links near the content, name a paywall?"""
        named = [name for _, name in self._named(*_WORDS["cues"]["paywall"])]
        named += [node.attr("class") or "" for node in parse.select(self._view.document.tree, "body")[:1]]
        return any(word in name.lower() for name in named for word in _WORDS["paywall"])


def _says(name: str, field: str) -> bool:
    """Does a class say that what is in it are tags, or categories?"""
    for token in name.split():
        if any(cue in token.lower() for cue in _WORDS["cues"][field]):
            words = [word for word in re.split(r"[-_]", _CAPITAL.sub("-", token).lower()) if word]
            for word, after in zip_longest(words, words[1:]):
                if word in _CLASS[field] and (word not in _ONE or after is None or after in _BEHIND):
                    return True
    return False


def _parts(address: str) -> list[str]:
    """The parts of the path and the query of an address."""
    return address.lower().replace("?", "/").replace("=", "/").replace("&", "/").split("/")


def _field_of(address: str, host: str) -> str:
    """Is a page of the site about a tag or a category, by its address? Empty if it is neither."""
    if "//" in address and host not in address:
        return ""
    parts = _parts(address)
    for part, after in pairwise(parts):
        if after and not after.startswith("#"):
            if part in _PATH["categories"]:
                return "categories"
            if part in _PATH["tags"]:
                return "tags"
    return ""
