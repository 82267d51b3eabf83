"""What links of the visible page tell: tags, categories, breadcrumbs, the licence; and marks of a paywall.

Links near the begin and the end of the content count: tags stand there, and menus elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import chain, pairwise, zip_longest
from typing import NamedTuple

from tamis.cached import cached_property
from tamis.deadline import check, checked
from tamis.metadata.candidate import Candidate
from tamis.metadata.categories import categories
from tamis.metadata.cues import BORDER, holders
from tamis.metadata.head import values
from tamis.metadata.head.named import addresses
from tamis.metadata.view import View
from tamis.metadata.visible.crumbs import Crumbs
from tamis.metadata.visible.near import Near

_SOURCE = "visible"
_LONGEST_TEXT, _MOST_WORDS = 60, 6
_MOST = {"tags": 15, "categories": 8}  # links in a row; more are a cloud or a menu
_FARTHEST = {"tags": 30, "categories": 15}  # leaves from the content, without a relation
_MOST_GROUPS = 3  # so many, or more, in the items of one list are those of teasers
_MOST_MARKED = 500  # links; more are a list of other pages
_MOST_LAST = 40  # links at the end of a page, where its licence stands

# What marks a link, the weakest first.
_STRENGTH = ("class tags", "class categories", "tag address", "category address", "rel=tag", "rel=category")
_ADDRESSED = {"tags": "tag address", "categories": "category address"}

_WORDS = json.loads(files("tamis.metadata.visible").joinpath("links.json").read_text(encoding="utf-8"))
_NO_NAME, _PAYWALL = tuple(_WORDS["no name"]), tuple(_WORDS["paywall"])
# The words of classes for several, for one, and behind the latter: systems name a post about rye tag-rye.
_CLASS = {field: frozenset(words) for field, words in _WORDS["classes"].items()}
_ONE, _BEHIND = frozenset(_WORDS["one"]), frozenset(_WORDS["behind one"])
_PATH = {field: frozenset(words) for field, words in _WORDS["paths"].items()}
_PATHS = frozenset(chain.from_iterable(_PATH.values()))
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COUNT = re.compile(r"[\s(]\d{1,6}\)?$")


class _Group(NamedTuple):
    """Links in a row that are marked alike."""

    texts: tuple[str, ...]
    place: str
    row: int
    distance: int  # to the content, in leaves


class Links:
    """The links near the content."""

    def __init__(self, view: View) -> None:
        self._view, self._near = view, Near(view)
        self._crumbs = Crumbs(self._near, _NO_NAME)

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
        elif field == "is_paywalled" and self._has_paywall():
            yield Candidate(True, _SOURCE, "class paywall")

    @cached_property
    def _categories(self) -> list[_Group]:
        return self._groups("categories")

    def _groups(self, field: str) -> list[_Group]:
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
        found: dict[tuple[str, ...], _Group] = {}
        for start, stop in checked(pairwise(starts)):
            group = self._group(field, links[start:stop], marks)
            if group and (group.texts not in found or found[group.texts].distance > group.distance):
                found[group.texts] = group
        groups = list(found.values())
        if len(groups) > _MOST_GROUPS:
            in_lists = self._near.repeated([group.row for group in groups], _MOST_GROUPS)
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
                links = self._near.links_in(row) if _says(name, field) else ()
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
        """From links near the content to what their addresses say."""
        nodes, links = self._near.nodes, self._near.links
        near = self._near.near_links
        given = [nodes[links[link]].attr("href") or "" for link in near]
        named = _PATHS.intersection(_parts("/".join(given)))
        likely = holders(BORDER.join(given).lower(), named) if named else ()
        return {near[place]: field for place in likely if (field := _field_of(given[place], self._view.host))}

    def _group(self, field: str, links: list[int], marks: dict[int, str]) -> _Group | None:
        """A group, unless it is a menu, a cloud, or about another page."""
        leaf = self._near.leaf(links[0]) if 0 < len(links) <= _MOST[field] else -1
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
        return _Group(found, place, self._near.links[links[0]], distance) if found else None

    def _licences(self) -> Iterator[Candidate]:
        """The licence that a link names."""
        near = self._near
        for link in near.related("license", 1):
            for address in addresses([near.address(link)], self._view):
                yield Candidate(values.licence(address) or address, _SOURCE, "rel=license", near.links[link])
                return
        last = [near.nodes[row].attr("href") or "" for row in near.links[-_MOST_LAST:]]
        if "creativecommons.org/" in " ".join(last):
            for link in range(len(near.links) - len(last), len(near.links)):
                licence = values.licence(near.address(link))
                if licence and not near.is_in_figure(link):
                    yield Candidate(licence, _SOURCE, "creativecommons", near.links[link])
                    return

    def _has_paywall(self) -> bool:
        """Do the classes of elements near the content name a paywall?"""
        named = self._near.named(*_WORDS["cues"]["paywall"])
        return any(word in name.lower() for _, name in named for word in _PAYWALL)


def _says(name: str, field: str) -> bool:
    """Does a class say that what is in it are tags, or categories?"""
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
    """Is a page of the site about a tag or a category, by its address? Empty if it is neither."""
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
