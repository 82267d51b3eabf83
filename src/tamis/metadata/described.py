"""The candidates in things of schema.org, whatever notation they are in.

A place is the group of the thing's type and the property: "Article.headline", "Page.datePublished". That of a teaser
begins with "Listed", that of a property without a thing with "loose".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice

from tamis.deadline import check
from tamis.document.dates import read
from tamis.metadata import values
from tamis.metadata.breadcrumbs import categories
from tamis.metadata.candidate import Candidate, Value
from tamis.metadata.names import people
from tamis.metadata.own import LISTED, Found, Thing, Told, address_in, told
from tamis.metadata.schema import (
    AUTHORS,
    BREADCRUMB,
    CATEGORIES,
    DATES,
    ORGANIZATION,
    PERSON,
    SITE,
    TEXTS,
    each,
    group_of,
    plain,
    texts,
    types_of,
)
from tamis.metadata.view import View
from tamis.render.safe import safe_url

_Read = tuple[Value, str, int]  # a value, its place, the row of its element

# Candidates of a field, values of a property that are looked at, characters of texts and of titles.
_MOST_CANDIDATES, _MOST_VALUES, _LONGEST, _LONGEST_TITLE = 12, 50, 10_000, 500
_LONGEST_TAG, _MOST_TAGS = 100, 60

_IS_FREE = {"false": False, "no": False, "0": False, "true": True, "yes": True, "1": True}
_SEPARATORS = tuple(map(re.compile, (";", r"\|", "[,\uff0c\u3001]")))
_CATEGORY_PATH = re.compile(r"\s*+[>\u203a\u00bb]\s*+|\s++/\s++")
_ADDRESS = re.compile(r"https?://|//|/", re.IGNORECASE)


class Described:
    """The candidates in the things of one source."""

    def __init__(self, source: str, view: View, things: Iterable[Thing]) -> None:
        self._source, self._view = source, view
        self._all = list(things)

    def candidates(self, field: str) -> list[Candidate]:
        """The candidates for a field, those of telling types first."""
        if not self._all or field not in _READERS:
            return []
        check()
        found = (Candidate(value, self._source, place, row) for value, place, row in _READERS[field](self, field))
        return list(islice(dict.fromkeys(found), _MOST_CANDIDATES))

    @cached_property
    def _told(self) -> list[Told]:
        return told(self._all, self._view)

    @cached_property
    def _own(self) -> list[Told]:
        return [each for each in self._told if each.group != LISTED]

    def _texts(self, field: str) -> Iterator[_Read]:
        longest = _LONGEST_TITLE if field == "title" else _LONGEST
        for group, thing in self._told if field == "title" else self._own:
            for key in TEXTS[field]:
                for value, row in thing.values(key)[:_MOST_VALUES]:
                    given = next(texts(value), "")
                    if len(given) <= longest and (text := plain(given)) and not _is_address(text):
                        yield text, f"{group}.{key}", row
                        break

    def _authors(self, _: str) -> Iterator[_Read]:
        for group, thing in self._told:
            for key in AUTHORS:
                given: dict[str, list[str]] = {}
                first = -1
                for value, row in thing.values(key)[:_MOST_VALUES]:
                    first = row if first < 0 else first
                    for author in each(value)[:_MOST_VALUES]:
                        given.setdefault(_kind(author), []).extend(_names(author))
                if "person" in given and "" in given:
                    given["person"] += given.pop("")
                for kind, names in given.items():
                    if found := people(names):
                        suffix = f".{kind}" if kind and group != LISTED else ""
                        yield found, f"{group}.{key}{suffix}", first

    def _dates(self, field: str) -> Iterator[_Read]:
        for group, thing in self._told:
            for key in DATES[field]:
                for value, row in thing.values(key)[:_MOST_VALUES]:
                    for text in islice(texts(value), 2):
                        if len(text) < 100 and (moment := read(text, self._view.language)):
                            yield moment, f"{group}.{key}", row

    def _sites(self, _: str) -> Iterator[_Read]:
        for group, thing in self._own:
            for key in ("publisher", "isPartOf"):
                for value, row in thing.values(key)[:2]:
                    yield from _named(value, f"{group}.{key}", row)
        for kind in (SITE, ORGANIZATION):
            for thing in [thing for thing in self._all if thing.group == kind][:3]:
                for value, row in thing.values("name")[:1]:
                    yield from _named(value, f"{kind}.name", row)

    def _languages(self, _: str) -> Iterator[_Read]:
        for group, thing in self._own:
            for value, row in thing.values("inLanguage")[:3]:
                for given in each(value)[:3]:
                    given = (given.get("alternateName") or given.get("name")) if isinstance(given, dict) else given
                    if found := values.language(given):
                        yield found, f"{group}.inLanguage", row

    def _categories(self, _: str) -> Iterator[_Read]:
        for group, thing in self._own:
            for key in CATEGORIES:
                given = thing.values(key)[:_MOST_VALUES]
                paths = (_CATEGORY_PATH.split(text) for value, _ in given for text in texts(value) if len(text) < 500)
                names = (plain(name) for path in paths for name in path)
                if found := tuple(dict.fromkeys(name for name in names if name and not _is_address(name)))[:_MOST_TAGS]:
                    yield found, f"{group}.{key}", given[0].row
        for thing in [thing for thing in self._all if thing.group == BREADCRUMB][:3]:
            if found := categories(thing, self._view):
                yield found, BREADCRUMB, -1

    def _tags(self, _: str) -> Iterator[_Read]:
        for key in ("keywords", "about", "mentions"):
            for group, thing in self._own:
                if (given := thing.values(key)[:_MOST_VALUES]) and (found := tags([value for value, _ in given])):
                    yield found, f"{group}.{key}", given[0].row

    def _licenses(self, _: str) -> Iterator[_Read]:
        for group, thing in self._own:
            for value, row in thing.values("license")[:2]:
                address = address_in(value)
                if address and _ADDRESS.match(address) and (safe := safe_url(address, self._view.base)):
                    yield safe, f"{group}.license", row
                elif (text := plain(next(texts(value), "")[:_LONGEST_TITLE])) and not _is_address(text):
                    yield text, f"{group}.license", row

    def _addresses(self, _: str) -> Iterator[_Read]:
        for group, thing in self._own:
            for key in ("url", "mainEntityOfPage") if group in ("Article", "Page") else ():
                for value, row in thing.values(key)[:2]:
                    address = address_in(value)
                    if address and _ADDRESS.match(address) and (safe := safe_url(address, self._view.base)):
                        yield safe, f"{group}.{key}", row

    def _images(self, _: str) -> Iterator[_Read]:
        for group, thing in self._own:
            for key in ("image", "primaryImageOfPage", "thumbnailUrl"):
                given = [(*size_and_address(image), row) for value, row in thing.values(key)[:5] for image in each(value)]
                best = sorted(given[:_MOST_VALUES], key=lambda image: -image[0])
                safe = ((safe_url(plain(address), self._view.base), row) for _, address, row in best if address)
                if found := next(((address, row) for address, row in safe if address), None):
                    yield found[0], f"{group}.{key}", found[1]

    def _paywalls(self, _: str) -> Iterator[_Read]:
        for group, thing in self._own:
            for value, row in thing.values("isAccessibleForFree")[:2]:
                if (is_free := _truth(value)) is not None:
                    yield not is_free, f"{group}.isAccessibleForFree", row
            for value, row in thing.values("hasPart")[:5]:
                parts = (part.get("isAccessibleForFree") for part in each(value)[:20] if isinstance(part, dict))
                if any(_truth(part) is False for part in parts):
                    yield True, f"{group}.hasPart", row
                    break


_READERS: dict[str, Callable[[Described, str], Iterator[_Read]]] = {
    "title": Described._texts,
    "authors": Described._authors,
    "date": Described._dates,
    "date_modified": Described._dates,
    "site_name": Described._sites,
    "description": Described._texts,
    "language": Described._languages,
    "section": Described._texts,
    "categories": Described._categories,
    "tags": Described._tags,
    "license": Described._licenses,
    "canonical_url": Described._addresses,
    "image": Described._images,
    "is_paywalled": Described._paywalls,
}


def tags(value: object) -> tuple[str, ...]:
    """The tags in a text with separators, in a list of such texts or in the names of things; each once."""
    given = list(islice((plain(text[:_LONGEST]) for text in texts(value)), _MOST_TAGS))
    if len(given) == 1:
        separator = next((mark for mark in _SEPARATORS if mark.search(given[0])), _SEPARATORS[0])
        given = [part.strip() for part in separator.split(given[0])]
    found = (tag.lstrip("#") for tag in given if len(tag) <= _LONGEST_TAG and not _is_address(tag))
    return tuple(dict.fromkeys(filter(None, found)))[:_MOST_TAGS]


def size_and_address(image: object) -> tuple[int, str]:
    """The width of an image, 0 if it is not known, and its address."""
    if not isinstance(image, dict):
        return 0, image if isinstance(image, str) else ""
    width = next(texts(image.get("width")), "") if not isinstance(image.get("width"), int | float) else image["width"]
    digits = str(width).partition(".")[0].removesuffix("px").strip()
    address = next((found for key in ("url", "contentUrl", "@id") if (found := next(texts(image.get(key)), ""))), "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 7 else 0, address


def _kind(author: object) -> str:
    """Does the type say that it is a person or an organisation?"""
    group = group_of(types_of(author)) if isinstance(author, dict) else ""
    return {PERSON: "person", ORGANIZATION: "organization"}.get(group, "")


def _names(author: object) -> list[str]:
    """The names of an author as they are written."""
    if isinstance(author, dict) and not author.get("name"):
        parts = [next(texts(author.get(key)), "") for key in ("givenName", "familyName")]
        return [plain(" ".join(parts))] if any(parts) else []
    return [plain(text) for text in islice(texts(author), _MOST_VALUES) if len(text) <= _LONGEST]


def _named(value: object, place: str, row: int) -> Iterator[_Read]:
    text = plain(next(texts(value), "")[:_LONGEST_TITLE])
    if text and not _is_address(text):
        yield text, place, row


def _truth(value: object) -> bool | None:
    """True or false, however it is written; None for anything else."""
    value = value[0] if isinstance(value, list) and value else value
    return _IS_FREE.get(str(value).rpartition("/")[2].strip().lower())


def _is_address(text: str) -> bool:
    return "://" in text and " " not in text
