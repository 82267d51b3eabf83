"""Candidates from META and LINK: Open Graph, Twitter and all other names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from tamis.document import parse
from tamis.document.dates import read
from tamis.document.decode import clean_text
from tamis.metadata import values
from tamis.metadata.people import BY, people
from tamis.metadata.values import categories
from tamis.metadata.view import Candidate, Value, View
from tamis.render.safe import safe_url

# Of the contents of one name; the other names of a place follow.
_MOST_CONTENTS = 50
_LONGEST_NAME = 60
_MOST_VALUES = 3  # of one place, where each content is a value of its own

_YES = frozenset("true yes 1 y metered locked paid premium subscriber subscribers subscription registered plus".split())
_NO = frozenset("false no 0 n free open public".split())
_FREE = "isAccessibleForFree"  # the place whose yes is the no of the others
_TAXONOMY = "cxenseparse:taxonomy"  # from the largest to the smallest: "News/National/Education"
_INVERTED_NAMES = frozenset({"citation_author", "dc.creator", "dc.contributor"})  # often "Lee, Ann"

_COPYRIGHT = re.compile(
    r"\(c\)|[©®]|\bcopyright\b|\ball rights reserved\b.*|\b(?:19|20)\d\d\b(?:\s?[-–—]\s?(?:(?:19|20)\d\d\b)?)?|\bby\b"
    r"|\balle rechte vorbehalten\b.*|\btous droits réservés\b.*",
    re.IGNORECASE,
)
_LONGEST_HOLDER = 60  # characters; more is a sentence
_LONGEST_COPYRIGHT = 300


_PUNCTUATION = str.maketrans("", "", ".:_- ")


class _Entry(NamedTuple):
    rank: int  # in the table
    field: str
    source: str
    place: str


def _plain(name: str) -> str:
    """A name without its punctuation: dc.date and DC:date are one, and so are pub-date and pubdate."""
    return name.lower().translate(_PUNCTUATION)


def _entries() -> dict[str, tuple[_Entry, ...]]:
    """From each plain name to what it means."""
    table = json.loads(files("tamis.metadata").joinpath("meta_names.json").read_text(encoding="utf-8"))
    found: dict[str, tuple[_Entry, ...]] = {}
    for source, fields in table.items():
        for field, places in fields.items():
            for rank, (place, others) in enumerate(places.items()):
                for name in map(_plain, (place, *others)):
                    found[name] = (*found.get(name, ()), _Entry(rank, field, source, place))
    return found


_ENTRIES = _entries()


# What the names of single sites end with, and what they mean: fda:publish-date, xy_last_updated.
_ENDINGS = {
    ("publishdate", "publisheddate", "publishedtime", "publishdatetime", "publicationdate", "pubdate", "datepublished",
     "releasedate", "firstpublished"): _Entry(90, "date", "meta", "*publish-date"),
    ("lastmodified", "lastupdated", "lastupdate", "modifieddate", "modifiedtime", "updateddate", "updatedtime",
     "datemodified", "dateupdated"): _Entry(90, "date_modified", "meta", "*last-modified"),
    ("author", "authors", "authorname", "byline"): _Entry(90, "authors", "meta", "*author"),
}  # fmt: skip


@lru_cache(maxsize=4096)  # the pages of the web use the same names
def _meaning(name: str) -> tuple[_Entry, ...]:
    if len(name) > _LONGEST_NAME:
        return ()
    plain = _plain(name)
    return _ENTRIES.get(plain) or tuple(entry for endings, entry in _ENDINGS.items() if plain.endswith(endings))


class Named:
    """The META elements of a page whose names mean something in some sources."""

    def __init__(self, view: View, *sources: str) -> None:
        self._view = view
        self._found: dict[str, dict[_Entry, list[str]]] = {}
        for name, contents in view.head.meta.items():
            for entry in _meaning(name):
                if entry.source in sources:
                    self._found.setdefault(entry.field, {}).setdefault(entry, []).extend(contents[:_MOST_CONTENTS])

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The candidates for a field, in the order of the table."""
        if places := self._found.get(field):
            for entry, contents in sorted(places.items()) if len(places) > 1 else places.items():
                for value in usable(field, contents, self._view, entry.place):
                    yield Candidate(value, entry.source, entry.place)


def usable(field: str, contents: list[str], view: View, place: str = "") -> Iterable[Value]:
    """The usable values of the contents of one place, each once."""
    return dict.fromkeys(_READERS[field](contents, view, place))


def _texts(contents: list[str], view: View, place: str) -> list[Value]:
    return list(values.unique(map(values.text, contents[:_MOST_VALUES])))


def _sites(contents: list[str], view: View, place: str) -> Iterator[Value]:
    for found in map(values.text, contents[:_MOST_VALUES]):
        if found and "://" not in found:
            if place == "copyright":
                found = _holder(found)
            elif place == "twitter:site":
                found = found.lstrip("@").strip()
            if found:
                yield found


def _holder(text: str) -> str:
    """The holder of a copyright."""
    name = " ".join(_COPYRIGHT.sub(" ", text).split()).strip(" .,:;-–—|")
    return name if len(text) <= _LONGEST_COPYRIGHT and len(name) <= _LONGEST_HOLDER else ""


def _authors(contents: list[str], view: View, place: str) -> Iterator[Value]:
    if found := _people(tuple(contents), place in _INVERTED_NAMES):
        yield found


@lru_cache(maxsize=64)  # several places name the same authors
def _people(contents: tuple[str, ...], inverted: bool) -> tuple[str, ...]:
    return people(contents, inverted=inverted)


def _moments(contents: list[str], view: View, place: str) -> Iterator[Value]:
    for content in contents[:_MOST_VALUES]:
        if moment := read(content, view.language):
            yield moment


def _languages(contents: list[str], view: View, place: str) -> list[Value]:
    return list(values.unique(map(values.language, contents[:_MOST_VALUES])))


def _tags(contents: list[str], view: View, place: str) -> Iterator[Value]:
    if found := values.tags(contents):
        yield found


def _categories(contents: list[str], view: View, place: str) -> Iterator[Value]:
    if found := _listed_categories(contents, place):
        yield found


def _sections(contents: list[str], view: View, place: str) -> Iterator[Value]:
    if found := _listed_categories(contents[:1], place):
        yield found[-1 if place == _TAXONOMY else 0]


def _listed_categories(contents: list[str], place: str) -> tuple[str, ...]:
    if place == _TAXONOMY:
        contents = [part for content in contents for part in content.split("/")]
    return categories(values.tags(contents))


def _licences(contents: list[str], view: View, place: str) -> list[Value]:
    return list(values.unique(map(values.licence, contents[:_MOST_VALUES])))


def addresses(contents: list[str], view: View, place: str = "") -> Iterator[Value]:
    """Addresses of pages and images, relative ones resolved."""
    for content in contents[:_MOST_VALUES]:
        if found := _resolved(content, view.base):
            yield found


@lru_cache(maxsize=64)  # several places have the same address
def _resolved(address: str, base: str | None) -> str | None:
    found = safe_url(clean_text(address), base)
    return None if found and found.startswith(("mailto:", "tel:")) else found


def _paywalls(contents: list[str], view: View, place: str) -> Iterator[Value]:
    word = contents[0].strip().lower()
    if word in _YES or word in _NO:
        yield (word in _YES) is not (place == _FREE)


_READERS: dict[str, Callable[[list[str], View, str], Iterable[Value]]] = {
    "title": _texts,
    "authors": _authors,
    "date": _moments,
    "date_modified": _moments,
    "site_name": _sites,
    "description": _texts,
    "language": _languages,
    "section": _sections,
    "categories": _categories,
    "tags": _tags,
    "license": _licences,
    "canonical_url": addresses,
    "image": addresses,
    "is_paywalled": _paywalls,
}


# What twitter:label1 says of twitter:data1, beside the words before names.
_LABELS = {
    "date": """
        published|published on|publication date|date|posted on|veröffentlicht|veröffentlicht am|datum|publié le
        |date de publication|publicado|publicado el|fecha|pubblicato|pubblicato il|data|opublikowano|дата|公開日|投稿日
        |发布日期|發佈日期""",
    "section": """
        filed under|category|categories|section|kategorie|catégorie|categoría|categoria|kategoria|рубрика|カテゴリー""",
}
_FIELD_OF = dict.fromkeys(BY, "authors") | {
    label.strip(): field for field, labels in _LABELS.items() for label in labels.split("|")
}
_LABELLED = frozenset(_FIELD_OF.values())
_PAIRS = tuple((f"twitter:label{number}", f"twitter:data{number}") for number in range(1, 5))


class Social:
    """The og:, article: and twitter: properties."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._named = Named(view, "opengraph", "twitter")

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The candidates for a field, Open Graph's before Twitter's."""
        yield from self._named.candidates(field)
        if field in _LABELLED:
            yield from self._labelled(field)
        if field == "authors":
            yield from self._profile()

    def _labelled(self, field: str) -> Iterator[Candidate]:
        """What stands in a pair of label and data."""
        meta = self._view.head.meta
        for label_name, data_name in _PAIRS:
            labels, data = meta.get(label_name), meta.get(data_name)
            if labels and data and _FIELD_OF.get(labels[0][:40].strip(" :").casefold()) == field:
                for value in usable(field, data[:1], self._view):
                    yield Candidate(value, "twitter", "twitter:data")

    def _profile(self) -> Iterator[Candidate]:
        """The person of profile:, unless the page is about that person."""
        meta = self._view.head.meta
        if "profile:first_name" in meta and meta.get("og:type") != ["profile"]:
            parts = (meta.get(name, [""])[0] for name in ("profile:first_name", "profile:last_name"))
            if found := people(" ".join(parts)):
                yield Candidate(found, "opengraph", "profile")


_SOURCE = "meta"
_LINKS = {"canonical_url": ("canonical",), "image": ("image_src", "thumbnail"), "license": ("license", "licence")}
# The fields of the object that parsely-page holds.
_PARSELY = {
    "title": "title",
    "authors": "authors",
    "date": "pub_date",
    "section": "section",
    "tags": "tags",
    "canonical_url": "link",
    "image": "image_url",
}
_LONGEST_OBJECT = 20_000


class Meta:
    """META elements by name, LINK elements, and the language of the root."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._named = Named(view, _SOURCE)

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The candidates for a field, the most telling places first."""
        for relation in _LINKS.get(field, ()):
            for address in addresses(self._view.head.links.get(relation, []), self._view):
                value = (values.licence(address) or address) if field == "license" else address
                yield Candidate(value, _SOURCE, f"rel={_LINKS[field][0]}")
        if field == "language":
            yield from self._root_language()
        yield from self._named.candidates(field)
        if "parsely-page" in self._view.head.meta:
            yield from self._parsely(field)

    def _root_language(self) -> Iterator[Candidate]:
        for name in ("lang", "xml:lang"):
            if found := values.language(parse.root_attribute(self._view.document.tree, name)):
                yield Candidate(found, _SOURCE, "html lang")
                return

    def _parsely(self, field: str) -> Iterator[Candidate]:
        """What the object in parsely-page says, as older pages have it."""
        try:
            given = json.loads(self._view.head.meta["parsely-page"][0][:_LONGEST_OBJECT])
        except (ValueError, RecursionError):
            return
        value = given.get(_PARSELY.get(field)) if isinstance(given, dict) else None
        if field == "authors" and isinstance(given, dict):
            value = value or given.get("author")
        contents = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]
        if contents:
            for found in usable(field, contents, self._view):
                yield Candidate(found, _SOURCE, "parsely-page")
