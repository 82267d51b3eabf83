"""Candidates from META and LINK: Open Graph, Twitter and all other names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tamis.document import parse
from tamis.document.dates import read
from tamis.document.decode import clean_text
from tamis.metadata import values
from tamis.metadata.people import BY, people
from tamis.metadata.values import categories, table
from tamis.metadata.view import Candidate, MetadataSource, Value, View
from tamis.render.safe import safe_url

_MOST_CONTENTS = 50  # of one name; the other names of a place follow
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


class _Meaning(NamedTuple):
    rank: int  # in the table
    field: str
    source: str
    place: str


def _without_punctuation(name: str) -> str:
    """The same for dc.date and DC:date, and for pub-date and pubdate."""
    return name.lower().translate(_PUNCTUATION)


def _meaning_table() -> dict[str, tuple[_Meaning, ...]]:
    found: dict[str, tuple[_Meaning, ...]] = {}
    for source, fields in table("meta_names.json").items():
        for field, places in fields.items():
            for rank, (place, others) in enumerate(places.items()):
                for name in map(_without_punctuation, (place, *others)):
                    found[name] = (*found.get(name, ()), _Meaning(rank, field, source, place))
    return found


_MEANINGS = _meaning_table()
# The ends of names that single sites use, with their meaning: fda:publish-date, xy_last_updated.
_ENDINGS = {
    ("publishdate", "publisheddate", "publishedtime", "publishdatetime", "publicationdate", "pubdate", "datepublished",
     "releasedate", "firstpublished"): _Meaning(90, "date", "meta", "*publish-date"),
    ("lastmodified", "lastupdated", "lastupdate", "modifieddate", "modifiedtime", "updateddate", "updatedtime",
     "datemodified", "dateupdated"): _Meaning(90, "date_modified", "meta", "*last-modified"),
    ("author", "authors", "authorname", "byline"): _Meaning(90, "authors", "meta", "*author"),
}  # fmt: skip


@lru_cache(maxsize=4096)  # the pages of the web use the same names
def _meanings(name: str) -> tuple[_Meaning, ...]:
    if len(name) > _LONGEST_NAME:
        return ()
    plain = _without_punctuation(name)
    return _MEANINGS.get(plain) or tuple(meaning for ends, meaning in _ENDINGS.items() if plain.endswith(ends))


class NamedMeta(MetadataSource):
    """The META elements of a page whose names mean something in some sources."""

    def __init__(self, view: View, *sources: str) -> None:
        super().__init__(view)
        self._found: dict[str, dict[_Meaning, list[str]]] = {}
        for name, contents in view.head.meta.items():
            for meaning in _meanings(name):
                if meaning.source in sources:
                    self._found.setdefault(meaning.field, {}).setdefault(meaning, []).extend(contents[:_MOST_CONTENTS])

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The candidates for a field, in the order of the table."""
        if found := self._found.get(field):
            for meaning, contents in sorted(found.items()) if len(found) > 1 else found.items():
                for value in usable_values(field, contents, self._view, meaning.place):
                    yield Candidate(value, meaning.source, meaning.place)


def usable_values(field: str, contents: list[str], view: View, place: str = "") -> list[Value]:
    """The usable values of the contents of one place, each once."""
    found: Iterable[Value | None]
    if field in _READ_ALL:
        found = [_READ_ALL[field](contents, place)]
    else:
        reader = _READ_EACH[field]
        found = [reader(content, view, place) for content in contents[:_MOST_VALUES]]
    return list(dict.fromkeys(value for value in found if value is not None and value not in ("", ())))


def _site_name(content: str, view: View, place: str) -> str | None:
    found = values.text(content)
    if not found or "://" in found:
        return None
    if place == "copyright":
        holder = " ".join(_COPYRIGHT.sub(" ", found).split()).strip(" .,:;-–—|")
        return holder if len(found) <= _LONGEST_COPYRIGHT and len(holder) <= _LONGEST_HOLDER else None
    return found.lstrip("@").strip() if place == "twitter:site" else found


@lru_cache(maxsize=64)  # several places name the same authors
def _people(contents: tuple[str, ...], inverted: bool) -> tuple[str, ...]:
    return people(contents, inverted=inverted)


def _section(contents: list[str], place: str) -> str:
    found = _categories(contents[:1], place)
    return found[-1 if place == _TAXONOMY else 0] if found else ""


def _categories(contents: list[str], place: str) -> tuple[str, ...]:
    if place == _TAXONOMY:
        contents = [part for content in contents for part in content.split("/")]
    return categories(values.tags(contents))


def address_in(content: str, view: View, place: str = "") -> str | None:
    """The address of a page or image, absolute if it was relative; None for other content."""
    return _resolved(content, view.base)


@lru_cache(maxsize=64)  # several places have the same address
def _resolved(address: str, base: str | None) -> str | None:
    found = safe_url(clean_text(address), base)
    return None if found and found.startswith(("mailto:", "tel:")) else found


def _paywall(contents: list[str], place: str) -> bool | None:
    word = contents[0].strip().lower()
    return (word in _YES) is not (place == _FREE) if word in _YES or word in _NO else None


# Readers of one content, and of all contents of a place together.
_READ_EACH: dict[str, Callable[[str, View, str], Value | None]] = {
    **dict.fromkeys(("title", "description"), lambda content, view, place: values.text(content)),
    **dict.fromkeys(("date", "date_modified"), lambda content, view, place: read(content, view.language)),
    **dict.fromkeys(("canonical_url", "image"), address_in),
    "site_name": _site_name,
    "language": lambda content, view, place: values.language(content),
    "license": lambda content, view, place: values.licence(content),
}
_READ_ALL: dict[str, Callable[[list[str], str], Value | None]] = {
    "authors": lambda contents, place: _people(tuple(contents), place in _INVERTED_NAMES),
    "section": _section,
    "categories": _categories,
    "tags": lambda contents, place: values.tags(contents),
    "is_paywalled": _paywall,
}


# The fields of twitter:data1 by the text of twitter:label1.
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
_PAIRS = tuple((f"twitter:label{number}", f"twitter:data{number}") for number in range(1, 5))


class Social(NamedMeta):
    """The og:, article: and twitter: properties."""

    def __init__(self, view: View) -> None:
        super().__init__(view, "opengraph", "twitter")

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The candidates for a field: Open Graph's, Twitter's, pairs of label and data, the author of profile:."""
        yield from super().candidates(field)
        meta = self._view.head.meta
        for label_name, data_name in _PAIRS if field in _LABELS or field == "authors" else ():
            labels, data = meta.get(label_name), meta.get(data_name)
            if labels and data and _FIELD_OF.get(labels[0][:40].strip(" :").casefold()) == field:
                for value in usable_values(field, data[:1], self._view):
                    yield Candidate(value, "twitter", "twitter:data")
        # A page of type profile is about that person.
        if field == "authors" and "profile:first_name" in meta and meta.get("og:type") != ["profile"]:
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


class Meta(NamedMeta):
    """META elements by name, LINK elements, and the language of the root."""

    def __init__(self, view: View) -> None:
        super().__init__(view, _SOURCE)

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The candidates for a field, the most telling places first."""
        for relation in _LINKS.get(field, ()):
            for content in self._view.head.links.get(relation, [])[:_MOST_VALUES]:
                if address := address_in(content, self._view):
                    value = (values.licence(address) or address) if field == "license" else address
                    yield Candidate(value, _SOURCE, f"rel={_LINKS[field][0]}")
        if field == "language":
            tree = self._view.document.tree
            given = (values.language(parse.root_attribute(tree, name)) for name in ("lang", "xml:lang"))
            if language := next(filter(None, given), None):
                yield Candidate(language, _SOURCE, "html lang")
        yield from super().candidates(field)
        if "parsely-page" in self._view.head.meta:
            yield from self._parsely(field)

    def _parsely(self, field: str) -> Iterator[Candidate]:
        """The candidates in the object of parsely-page, as older pages have it."""
        try:
            given = json.loads(self._view.head.meta["parsely-page"][0][:_LONGEST_OBJECT])
        except (ValueError, RecursionError):
            return
        value = given.get(_PARSELY.get(field)) if isinstance(given, dict) else None
        if field == "authors" and isinstance(given, dict):
            value = value or given.get("author")
        contents = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]
        if contents:
            for found in usable_values(field, contents, self._view):
                yield Candidate(found, _SOURCE, "parsely-page")
