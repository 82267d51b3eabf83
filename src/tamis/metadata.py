"""Title, author, date and so on, from what the page says of itself.

For each field the sources are asked in the order JSON-LD, OpenGraph, microdata, meta tags, visible
markup, but for the few where another is usually right. The first answer wins and is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from datetime import date
from functools import cached_property
from html import unescape
from itertools import islice
from typing import Any

from tamis.document import Document, parse
from tamis.document.decode import clean_text
from tamis.document.titles import fold, title_parts
from tamis.render.html import base_url
from tamis.render.links import safe_url

# schema.org types that describe the page's content, best first; the others (WebSite, Organization,
# BreadcrumbList, Person) describe what stands around it.
_CONTENT_TYPES = re.compile(
    r"(Article|BlogPosting|Posting|Recipe|Product|HowTo|QAPage|Question|Review|Event|JobPosting|Movie|Book"
    r"|Dataset|SoftwareApplication|Course|Report|ScholarlyArticle|VideoObject|ImageGallery|CollectionPage"
    r"|SearchResultsPage|ItemPage|AboutPage|FAQPage|WebPage)$"
)
_LEAST_TELLING = re.compile(r"(WebPage|CollectionPage|ItemPage|SearchResultsPage|AboutPage|FAQPage)$")

# The sources in the order they are asked.
_ORDER = ("json-ld", "opengraph", "microdata", "meta", "markup")

# Where one source is more to be trusted than those before it: a page's head describes the page,
# its JSON-LD often a product, a series or the site.
_PREFERRED = {"canonical_url": "meta", "description": "meta", "language": "meta"}

# Below these keys JSON-LD says more about the page; below others (hasPart, itemListElement) about other pages.
_ABOUT_THE_PAGE = frozenset({"@graph", "mainEntity", "mainEntityOfPage"})

# The deepest JSON-LD that is read; real ones nest five levels or so.
_DEEPEST = 20

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_COMPACT_DATE = re.compile(r"^(\d{4})(\d{2})(\d{2})(?:\D|$)")
_SLASH_DATE = re.compile(r"^(\d{4})[/.](\d{1,2})[/.](\d{1,2})")
_DAY_MONTH_YEAR = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|\.)?\s+([A-Za-z]{3})[a-z]*\.?,?\s+(\d{4})\b")
_MONTH_DAY_YEAR = re.compile(r"\b([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b")


@dataclass(frozen=True)
class Metadata:
    """What is known about a page. `sources` says for each field that was found where it was."""

    title: str | None = None
    author: str | None = None
    date: str | None = None  # ISO, YYYY-MM-DD
    site_name: str | None = None
    description: str | None = None
    language: str | None = None
    canonical_url: str | None = None
    image: str | None = None
    tags: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()

    def source(self, field: str) -> str | None:
        """Where a field was found: json-ld, opengraph, microdata, meta or markup."""
        return dict(self.sources).get(field)

    def as_dict(self) -> dict[str, object]:
        """The fields as plain data, with their sources."""
        plain: dict[str, object] = {field.name: getattr(self, field.name) for field in fields(self)}
        return plain | {"tags": list(self.tags), "sources": dict(self.sources)}


def read_metadata(document: Document) -> Metadata:
    """Read what the page says of itself."""
    sources, base = _Sources(document), base_url(document)
    found: dict[str, Any] = {}
    origin: list[tuple[str, str]] = []
    for field in _FIELDS:
        value, name = _asked(sources, field, base)
        if name:
            found[field] = value
            origin.append((field, name))
    if "title" in found and "site_name" in found:
        found["title"] = _without_site_name(found["title"], found["site_name"])
    return Metadata(**found, sources=tuple(origin))


def read_title(document: Document) -> str | None:
    """The title of `read_metadata` alone, which on most pages two sources are asked for."""
    sources = _Sources(document)
    title: str | None = _asked(sources, "title", None)[0]
    if title is None or len(title_parts(title)) == 1:
        return title  # no site's name is in it, so none is looked for
    site_name, _ = _asked(sources, "site_name", None)
    return _without_site_name(title, site_name) if site_name else title


class _Sources:
    """What can be asked for a field. Each is read when it is first asked: for a title alone few are."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def json_ld(self) -> _JsonLd:
        return _JsonLd(parse.json_ld(self._document.tree))

    @cached_property
    def opengraph(self) -> _OpenGraph:
        return _OpenGraph(parse.opengraph(self._document.tree))

    @cached_property
    def microdata(self) -> _Microdata:
        return _Microdata(parse.microdata(self._document.tree))

    @cached_property
    def meta(self) -> _Meta:
        return _Meta(self._document.tree)

    @cached_property
    def markup(self) -> _Markup:
        return _Markup(self._document)


def _asked(sources: _Sources, field: str, base: str | None) -> tuple[Any, str]:
    """A field, and which source has it; nothing, and no source, where none does. `base` is for links."""
    preferred = _PREFERRED.get(field)
    for name in _ORDER if preferred is None else (preferred, *_ORDER):
        reader = getattr(getattr(sources, name.replace("-", "_")), field, None)
        if reader and (value := _FIELDS[field](reader(), base)):
            return value, name
    return None, ""


def _without_site_name(title: str, site_name: str) -> str:
    """A title without the name of the site behind or before it."""
    parts = title_parts(title)
    if len(parts) > 1 and fold(parts[-1]) == fold(site_name):
        return title[: title.rindex(parts[-2], 0, title.rindex(parts[-1])) + len(parts[-2])]
    if len(parts) > 1 and fold(parts[0]) == fold(site_name):
        return title[title.index(parts[1], len(parts[0])) :]
    return title


def _text(value: object, base: str | None) -> str | None:
    del base
    if isinstance(value, list):
        value = next((each for each in value if isinstance(each, str)), None)
    # JSON can write half a surrogate pair, which no output can.
    return " ".join(clean_text(value).split()) or None if isinstance(value, str) else None


def _language(value: object, base: str | None) -> str | None:
    text = _text(value, base)
    return text.replace("_", "-") if text and re.match(r"^[A-Za-z]{2,3}(?:[-_]\w+)*$", text) else None


def _url(value: object, base: str | None) -> str | None:
    return safe_url(clean_text(value), base) if isinstance(value, str) else None


def _tags(value: object, base: str | None) -> tuple[str, ...]:
    del base
    values = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    words = (" ".join(clean_text(word).split()) for word in values if isinstance(word, str))
    return tuple(dict.fromkeys(word for word in words if word))


def _date(value: object, base: str | None) -> str | None:
    """The day of a date in one of the usual writings, as ISO."""
    del base
    if not isinstance(value, str):
        return None
    text = value.strip()
    for pattern in (_ISO_DATE, _SLASH_DATE, _COMPACT_DATE):
        if match := pattern.search(text):
            return _day(*match.groups())
    if match := _DAY_MONTH_YEAR.search(text):
        return _day(match.group(3), match.group(2), match.group(1))
    if match := _MONTH_DAY_YEAR.search(text):
        return _day(match.group(3), match.group(1), match.group(2))
    return None


def _day(year: str, month: str, day: str) -> str | None:
    number = int(month) if month.isdigit() else _MONTHS.index(month.lower()) + 1 if month.lower() in _MONTHS else 0
    try:
        return date(int(year), number, int(day)).isoformat()
    except ValueError:
        return None


_FIELDS: dict[str, Callable[[object, str | None], object]] = {
    "title": _text,
    "author": _text,
    "date": _date,
    "site_name": _text,
    "description": _text,
    "language": _language,
    "canonical_url": _url,
    "image": _url,
    "tags": _tags,
}


class _JsonLd:
    """schema.org data in scripts."""

    def __init__(self, data: object) -> None:
        self._by_id = {str(thing["@id"]): thing for thing in _objects(data) if "@id" in thing and len(thing) > 1}
        things = [thing for thing in _objects(data, within=_ABOUT_THE_PAGE) if _CONTENT_TYPES.search(_type(thing))]
        self._things = sorted(things, key=lambda thing: _rank(_type(thing)))

    def _first(self, *keys: str) -> object:
        values = (value for thing in self._things for key in keys if (value := thing.get(key)))
        value = self._resolved(next(values, None))
        return unescape(value) if isinstance(value, str) else value

    def _resolved(self, value: object) -> object:
        """A reference such as {"@id": "#author"} stands for the object of that id."""
        if isinstance(value, list):
            return [self._resolved(each) for each in value]
        if isinstance(value, dict) and len(value) == 1 and "@id" in value:
            return self._by_id.get(str(value["@id"]))
        return value

    def title(self) -> object:
        return self._first("headline", "name")

    def author(self) -> object:
        return _names(self._first("author", "creator"))

    def date(self) -> object:
        return self._first("datePublished", "dateCreated", "uploadDate", "datePosted")

    def site_name(self) -> object:
        for key in ("publisher", "isPartOf"):
            if name := _names(self._first(key)):
                return name
        return None

    def description(self) -> object:
        return self._first("description")

    def language(self) -> object:
        return self._first("inLanguage")

    def image(self) -> object:
        value = self._first("image", "thumbnailUrl")
        while isinstance(value, list | dict) and value:
            value = value[0] if isinstance(value, list) else value.get("url") or value.get("contentUrl")
        return value

    def tags(self) -> object:
        return self._first("keywords")


class _OpenGraph:
    """og: and article: properties."""

    def __init__(self, properties: dict[str, str]) -> None:
        self._properties = properties

    def title(self) -> object:
        return self._properties.get("title")

    def site_name(self) -> object:
        return self._properties.get("site_name")

    def description(self) -> object:
        return self._properties.get("description")

    def language(self) -> object:
        return self._properties.get("locale")

    def canonical_url(self) -> object:
        return self._properties.get("url")

    def image(self) -> object:
        return self._properties.get("image") or self._properties.get("image:url")


class _Microdata:
    """itemscope and itemprop in the markup."""

    def __init__(self, items: list[tuple[str, dict[str, list[object]]]]) -> None:
        self._items = [properties for kind, properties in items if _CONTENT_TYPES.search(kind)]

    def _first(self, *keys: str) -> object:
        return next((value for item in self._items for key in keys for value in item.get(key, [])), None)

    def title(self) -> object:
        return self._first("headline", "name")

    def author(self) -> object:
        return _names(self._first("author", "creator"))

    def date(self) -> object:
        return self._first("datePublished", "dateCreated", "uploadDate", "datePosted")

    def description(self) -> object:
        return self._first("description")

    def image(self) -> object:
        return self._first("image")


_META_NAMES = ("name", "property", "itemprop", "http-equiv")  # attributes that say what a meta tag is about


class _Meta:
    """meta and link tags of the head, and the language of the root."""

    def __init__(self, tree: parse.Tree) -> None:
        self._values: dict[str, list[str]] = {}
        self._links: dict[str, str] = {}
        self._root_language = parse.root_attribute(tree, "lang")
        for node in parse.select(tree, "meta, link"):
            if node.tag == "meta":
                key = next((key for name in _META_NAMES if (key := node.attr(name))), "")
                self._values.setdefault(key.strip().lower(), []).append(node.attr("content") or "")
            else:
                for rel in (node.attr("rel") or "").lower().split():
                    self._links.setdefault(rel, node.attr("href") or "")

    def _first(self, *keys: str) -> str | None:
        return next((value for key in keys for value in self._values.get(key, []) if value.strip()), None)

    def title(self) -> object:
        return self._first("citation_title", "dc.title", "dcterms.title", "twitter:title", "parsely-title")

    def author(self) -> object:
        names = [*self._values.get("citation_author", []), *self._values.get("author", [])]
        names = names or [self._first("dc.creator", "dcterms.creator", "article:author", "parsely-author") or ""]
        return _names([name for name in names if "://" not in name])

    def date(self) -> object:
        return self._first(
            "article:published_time", "datepublished", "date", "dc.date", "dcterms.created", "dc.date.issued",
            "citation_publication_date", "citation_date", "pubdate", "publishdate", "publish-date", "parsely-pub-date",
        )  # fmt: skip

    def site_name(self) -> object:
        return self._first("application-name", "apple-mobile-web-app-title", "dc.publisher")

    def description(self) -> object:
        return self._first("description", "dc.description", "twitter:description")

    def language(self) -> object:
        return self._root_language or self._first("content-language", "dc.language")

    def canonical_url(self) -> object:
        return self._links.get("canonical")

    def image(self) -> object:
        return self._first("twitter:image", "twitter:image:src") or self._links.get("image_src")

    def tags(self) -> object:
        return self._values.get("article:tag") or self._first("keywords", "news_keywords", "parsely-tags")


_BYLINES = (
    '[rel~="author"], [itemprop~="author"], .author.vcard, .byline .author, .author-name, .byline-name, '
    ".p-author, .entry-author, .post-author, .byline"
)
_BY = re.compile(r"^(?:(?:written |posted |text )?by|text|texte|текст|โดย)(?:\b|(?=\s)):?\s*", re.IGNORECASE)
_LONGEST_BYLINE = 60  # characters; more is a sentence about somebody


# A page that repeats its TITLE does so in one of the first headings.
_MOST_HEADINGS = 50
_MOST_PARTS = 20


class _Markup:
    """What a reader sees: the first heading, bylines, dates, tag links."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def _texts(self, selector: str) -> Iterator[str]:
        for node in parse.select(self._document.tree, selector):
            if text := " ".join(node.text.split()):
                yield text

    def title(self) -> object:
        return self._title

    @cached_property
    def _title(self) -> str | None:
        title = self._document.title
        headings = [(fold(heading), heading) for heading in islice(self._texts("h1, h2"), _MOST_HEADINGS)]
        parts = [(fold(part), part) for part in title_parts(title)[:_MOST_PARTS]]
        matches = [
            (min(len(part), len(heading)), heading if _holds(folded, folded_part) else part)
            for folded, heading in headings
            for folded_part, part in parts
            if _holds(folded, folded_part) or _holds(folded_part, folded)
        ]
        if matches:
            # The site's name may be a heading too; the headline is the longer one.
            return max(matches, key=lambda match: match[0])[1]
        # Nothing on the page repeats its TITLE: the longest part is rarely the site's name.
        return max(title_parts(title), key=len, default=None) or next(self._texts("h1"), None)

    def author(self) -> object:
        name = next(self._texts(_BYLINES), "")
        return _BY.sub("", name) if len(name) < _LONGEST_BYLINE else None

    def date(self) -> object:
        return parse.visible_date(self._document.html)

    def site_name(self) -> object:
        parts = title_parts(self._document.title)
        title = fold(str(self.title()))
        others = [part for part in parts if fold(part) not in title and title not in fold(part)]
        return others[-1] if others and len(others) < len(parts) else None

    def tags(self) -> object:
        return list(dict.fromkeys(self._texts('a[rel~="tag"]')))


def _objects(data: object, within: frozenset[str] | None = None) -> Iterator[dict[str, Any]]:
    """Every object in JSON-LD, outer ones first; of inner ones only those below the keys `within`."""
    level = [data]
    for _ in range(_DEEPEST):
        inner: list[object] = []
        for value in level:
            if isinstance(value, dict):
                yield value
                inner.extend(each for key, each in value.items() if within is None or key in within)
            elif isinstance(value, list):
                inner.extend(value)
        level = inner


def _rank(kind: str) -> int:
    """How well a type tells what the page is about: articles best, pages as such least."""
    if kind.endswith(("Article", "Posting", "Report")):
        return 0
    return 3 if _LEAST_TELLING.search(kind) else 2 if kind == "VideoObject" else 1


def _type(thing: dict[str, Any]) -> str:
    kinds = thing.get("@type")
    every = [str(kind) for kind in (kinds if isinstance(kinds, list) else [kinds or ""])]
    return next((kind for kind in every if _CONTENT_TYPES.search(kind)), every[0] if every else "")


def _holds(text: str, part: str) -> bool:
    """Do the words of `part` stand in a row in `text`? Both are folded."""
    return bool(part) and f" {part} " in f" {text} "


def _names(value: object) -> str | None:
    """One name or several, joined by commas."""
    if isinstance(value, str):
        return None if "://" in value else value
    if isinstance(value, dict):
        return _names(value.get("name"))
    if isinstance(value, list):
        names = [name for each in value if (name := _names(each))]
        return ", ".join(dict.fromkeys(names)) or None
    return None
