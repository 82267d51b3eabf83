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
from itertools import chain, pairwise
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

# Leaves around the begin and the end of the content in which links are read.
_BEFORE, _AFTER = 30, 40
_MOST_LINKS = 400  # that are near
_MOST_LAST = 60  # links at the end of a page, where its licence stands
_MOST_RELATED = 500  # links with a relation
_PARENTS = 4  # whose names tell what a link is
_MOST_PARENTS = 100  # of parts of a page
_LONGEST_TEXT, _MOST_WORDS = 60, 6
_LONGEST_LABEL = 60  # of text beside links, such as "Filed under:"; more is a sentence
_MOST = {"tags": 15, "categories": 8}  # more are a cloud or a menu
_FARTHEST = {"tags": 30, "categories": 15}  # leaves from the content, without a relation
_MOST_GROUPS = 3  # more are those of teasers
_MOST_CRUMBS = 8

_WORDS = json.loads(files("tamis.metadata").joinpath("links.json").read_text(encoding="utf-8"))
_HOME = frozenset(_WORDS["home"])
_NO_TAG = tuple(_WORDS["no tag"])


def _names(words: list[str]) -> re.Pattern[str]:
    """Finds one of the words in the names of a class: alone, or as a part of post-tags, postTags and tags-list.

    Not in tag-rye: so systems name posts by what they are about.
    """
    either = "|".join(words)
    capital = "|".join(word.capitalize() for word in words)
    end = rf"(?![a-z])(?![-_]+(?!{'|'.join(_WORDS['after'])})[a-z0-9])"
    return re.compile(rf"(?:(?<![A-Za-z])(?:{either}|{capital})|(?<=[a-z])(?:{capital})){end}")


def _paths(words: list[str]) -> re.Pattern[str]:
    """Finds one of the words as a part of an address that another part follows."""
    return re.compile(rf"[/?&](?:{'|'.join(words)})[/=:][^/?&#]", re.IGNORECASE)


_CLASS = {field: _names(_WORDS["classes"][field]) for field in ("tags", "categories")}
_PATH = {field: _paths(_WORDS["paths"][field]) for field in ("tags", "categories")}
_PAYWALL = re.compile("|".join(_WORDS["paywall"]), re.IGNORECASE)
_NO_PAYWALL = re.compile(r"(?:no|non|un|free)-?_?(?:paywall|premium)", re.IGNORECASE)
_COUNT = re.compile(r"[\s(]\d{1,6}\)?$")
_BREADCRUMBS = "nav[aria-label*=crumb i], nav[class*=crumb i], ol[class*=crumb i], ul[class*=crumb i]"


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
        if field in _MOST:
            check()
            for group in self._groups(field):
                yield Candidate(group.texts, _SOURCE, group.place, group.row)
            if field == "categories" and self._crumbs:
                yield Candidate(self._crumbs, _SOURCE, "breadcrumb", self._crumb_row)
        elif field == "section":
            if self._crumbs:
                yield Candidate(self._crumbs[-1], _SOURCE, "breadcrumb", self._crumb_row)
            for group in self._groups("categories"):
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
    def _content(self) -> tuple[int, int]:
        """The first and the last leaf of the content; of all leaves, if it is not known."""
        count, labels = len(self._leaves), self._view.labels
        if labels is None or len(labels.keep) != count or not labels.keep.any():
            return 0, count - 1
        return int(labels.keep.argmax()), count - 1 - int(labels.keep[::-1].argmax())

    @cached_property
    def _near(self) -> list[int]:
        """The links near the begin and the end of the content, as places in `_rows`."""
        first, last = self._content
        opened, rows = self._leaves.opened, self._rows
        if not rows or last < 0:
            return []
        if self._view.labels is None:
            return list(range(min(len(rows), _MOST_LINKS)))
        found: dict[int, None] = {}
        for before, after in ((first - _BEFORE, first + _BEFORE), (last - _BEFORE, last + _AFTER)):
            start = int(opened[max(before, 0)])
            stop = int(opened[after]) if after < len(opened) else rows[-1] + 1
            found |= dict.fromkeys(range(bisect_left(rows, start), bisect_left(rows, stop)))
        return sorted(found)[:_MOST_LINKS]

    @cached_property
    def _names_around(self) -> dict[int, str]:
        """From the rows of links near the content, and of the elements around them, to their classes."""
        nodes, parent = self._elements.all_nodes, self._elements.parent
        found: dict[int, str] = {}
        for place in self._near:
            row = self._rows[place]
            for _ in range(_PARENTS):
                if row < 0 or row in found:
                    break
                found[row] = nodes[row].attr("class") or ""
                row = int(parent[row])
        return found

    @cached_property
    def _all_names(self) -> str:
        return "\n".join(self._names_around.values()).lower()

    @cached_property
    def _related(self) -> dict[parse.Element, frozenset[str]]:
        """Links with a relation that tells something about the page."""
        found = {}
        for node in parse.select(self._view.document.tree, "a[rel]")[:_MOST_RELATED]:
            relations = frozenset((node.attr("rel") or "").lower().split())
            if relations & {"tag", "category", "license", "licence"}:
                found[node] = relations
        return found

    def _groups(self, field: str) -> list[_Group]:
        """Groups of links that are tags or categories, the nearest first."""
        marks = self._marks.get(field, {})
        places_ = sorted(marks)
        starts = [0, *(at for at, (one, two) in enumerate(pairwise(places_), 1) if two != one + 1), len(places_)]
        found: dict[tuple[str, ...], _Group] = {}
        for start, stop in pairwise(starts):
            group = self._group(field, places_[start:stop], marks)
            if group and (group.texts not in found or found[group.texts].distance > group.distance):
                found[group.texts] = group
        nearest = sorted(found.values(), key=lambda group: (not group.is_related, group.distance))
        return nearest if len(nearest) <= _MOST_GROUPS else []

    @cached_property
    def _marks(self) -> dict[str, dict[int, str]]:
        """For tags and categories: from links, as places in `_rows`, to what marks them."""
        nodes, rows = self._elements.all_nodes, self._rows
        found: dict[str, dict[int, str]] = {"tags": {}, "categories": {}}
        near = dict.fromkeys(self._near)
        if self._related:
            near |= dict.fromkeys(place for place, row in enumerate(rows) if nodes[row] in self._related)
        named = [field for field, cues in _WORDS["cues"].items() if any(cue in self._all_names for cue in cues)]
        for place in near:
            node = nodes[rows[place]]
            relations, address = self._related.get(node, frozenset()), node.attr("href") or ""
            if "//" in address and self._view.host not in address:
                address = ""  # of another site
            is_category = _PATH["categories"].search(address)
            if "category" in relations:
                found["categories"][place] = "rel=category"
            elif "tag" in relations:
                found["categories" if is_category else "tags"][place] = "rel=tag"
            elif is_category:
                found["categories"][place] = "category address"
            elif _PATH["tags"].search(address):
                found["tags"][place] = "tag address"
            elif field := next((field for field in named if self._is_named(rows[place], field)), ""):
                found[field][place] = f"class {field}"
        return found

    def _is_named(self, row: int, field: str) -> bool:
        """Do the classes around a link say that it is a tag or a category?"""
        for _ in range(_PARENTS):
            if row < 0 or row not in self._names_around:
                return False
            if _CLASS[field].search(self._names_around[row]):
                return True
            row = int(self._elements.parent[row])
        return False

    def _group(self, field: str, links: list[int], marks: dict[int, str]) -> _Group | None:
        """A group, unless it is a menu, a cloud, or about another page."""
        if not links or len(links) > _MOST[field]:
            return None
        row = self._rows[links[0]]
        shown = self._view.leaves_in(row)
        if not shown or self._is_elsewhere(row, shown[0]) or self._is_prose(row):
            return None
        place, (first, last) = min(marks[place] for place in links), self._content
        distance = min(abs(shown[0] - first), abs(shown[0] - last))
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
        code = self._elements.code
        above = [int(code[parent]) for _, parent in zip(range(_MOST_PARENTS), self._elements.ancestors(row), strict=False)]
        if _NAV in above or _ASIDE in above:
            return True
        return (_FOOTER in above or _HEADER in above) and _CONTENT.isdisjoint(above)

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
        return (values.text(self._view.text_of(leaves)) or "").lstrip("# ").rstrip(",; ")

    @cached_property
    def _crumb_row(self) -> int:
        """The element that holds the breadcrumbs; -1 if there is none."""
        nodes = self._elements.all_nodes
        named = sorted(row for row, name in self._names_around.items() if "crumb" in name.lower())
        others = (nodes.index(node) for node in parse.select(self._view.document.tree, _BREADCRUMBS)[:3])
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
        title = fold((title_parts(self._view.document.title[:1_000]) or [""])[0])
        if texts and fold(texts[-1]) == title:
            texts.pop()
        return categories(text for text in values.unique(texts) if len(text) <= _LONGEST_TEXT)

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
        for node, relations in self._related.items():
            if relations & {"license", "licence"}:
                for address in addresses([node.attr("href") or ""], self._view):
                    yield Candidate(values.licence(address) or address, _SOURCE, "rel=license", nodes.index(node))
                    return
        for row in {*self._rows[-_MOST_LAST:], *(self._rows[place] for place in self._near)}:
            address = nodes[row].attr("href") or ""
            if "creativecommons.org/" in address and (licence := values.licence(address)):
                above = zip(range(_MOST_PARENTS), self._elements.ancestors(row), strict=False)
                if not any(self._elements.code[parent] == _FIGURE for _, parent in above):
                    yield Candidate(licence, _SOURCE, "creativecommons", row)
                    return

    def _has_paywall(self) -> bool:
        """Do classes of the page, or around the links near the content, name a paywall?"""
        outer = (node.attr("class") for node in parse.select(self._view.document.tree, "body, article")[:3])
        names = (*filter(None, outer), self._all_names)
        return any(_PAYWALL.search(name) and not _NO_PAYWALL.search(name) for name in names)
