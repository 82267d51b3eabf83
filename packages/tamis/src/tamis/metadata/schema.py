"""What a page declares as things of schema.org, whatever the notation: their types, values and candidates.

A place is the group of the thing's type and the property: "Article.headline", "Page.datePublished". The places of a
teaser start with "Listed", those of a property without a thing with "loose". The places of authors end with "person" or
"organization" if the type says so, and with "later" if the authors are far from the first ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from html import unescape
from itertools import islice
from typing import Any, NamedTuple

from tamis.cached import cached_property
from tamis.deadline import checked
from tamis.document.dates import read
from tamis.document.decode import clean_text
from tamis.document.linked_data import LinkedData
from tamis.document.titles import fold, title_parts
from tamis.metadata import values
from tamis.metadata.people import people
from tamis.metadata.values import categories, is_home, table
from tamis.metadata.view import Candidate, MetadataSource, Value, View
from tamis.render.safe import safe_url

# Groups of types, the most telling about the content of a page first.
GROUPS = ("Article", "Forum", "Recipe", "Review", "Product", "Event", "Video", "Other", "Page")
# Groups of the things around the content.
SITE = "Site"
ORGANIZATION = "Organization"
BREADCRUMB = "Breadcrumb"
PERSON = "Person"
COMMENT = "Comment"

TABLE: dict[str, list[str]] = table("schema.json")
_ENDINGS = {"article": "Article", "page": "Page", "event": "Event", "organization": ORGANIZATION, "recipe": "Recipe"}
_RANK = {group: rank for rank, group in enumerate((*GROUPS, SITE, BREADCRUMB, PERSON, ORGANIZATION, COMMENT))}
_GROUP_OF = {name: group for group in _RANK for name in TABLE[group]}

_TAG = re.compile(
    r"</?(?:(blockquote|br|div|h[1-6]|hr|li|ol|p|table|td|tr|ul)|a|b|em|font|i|mark|small|span|strong|sub|sup|u)"
    r"(?:\s[^<>]*+)?/?>",
    re.IGNORECASE,
)
_DEEPEST = 4  # of lists and things around a text


@lru_cache(maxsize=4096)
def local_name(name: str) -> str:
    """The name of a type or property without the address or prefix of its vocabulary."""
    return re.split(r"[/#:]", name.strip().rstrip("/#"))[-1]


@lru_cache(maxsize=4096)
def _group_of(name: str) -> str:
    name = local_name(name).lower()
    return _GROUP_OF.get(name) or next((group for end, group in _ENDINGS.items() if name.endswith(end)), "")


def group_of(types: Iterable[str]) -> str:
    """The most telling group of a thing's types; empty if none is known."""
    return min(filter(None, map(_group_of, types)), key=_RANK.__getitem__, default="")


def types_of(value: Mapping[str, object]) -> list[str]:
    """The types of an object, as they are written."""
    given = value.get("@type")
    return [name for name in (given if isinstance(given, list) else (given,)) if isinstance(name, str)]


def members(value: object) -> list[object]:
    """The members of a list, or the value itself; nothing for None."""
    if isinstance(value, dict) and isinstance(value.get("@list"), list):
        value = value["@list"]
    return value if isinstance(value, list) else [] if value is None else [value]


def texts(value: object, depth: int = 0) -> Iterator[str]:
    """The texts in a value: itself, those of a list, the names of things."""
    if isinstance(value, str):
        yield value
    elif depth > _DEEPEST:
        return
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner, depth + 1)
    elif isinstance(value, dict):
        yield from texts(value.get("@value") or value.get("name"), depth + 1)


def plain_text(text: str) -> str:
    """A text without markup and entities, white space folded. Entities are often escaped twice."""
    if "&" in text:
        text = unescape(text)
        if "&" in text:
            text = unescape(text)
    if "<" in text:
        text = _TAG.sub(lambda found: " " if found[1] else "", text)
    return " ".join(clean_text(text).split())


_MOST_TAGS = 60
_MOST_VALUES = 100
_LONGEST_TAG = 80  # characters of a tag or section
_LONGEST_LIST = 10_000  # characters of a list of them

_SEPARATORS = tuple(map(re.compile, (";", r"\|", "[,\uff0c\u3001]")))
_LEVELS = re.compile("[>\u203a\u00bb]| / ")
_TRUTH = {"false": False, "no": False, "0": False, "true": True, "yes": True, "1": True}


def tag_names(value: object) -> tuple[str, ...]:
    """The tags in a text with separators, in a list of texts or in the names of things; each once.

    The only text of a list may hold all tags. Texts such as _noindex or /article are meant for machines.
    """
    given = _written_list(value, 0)
    return _unique_short(tag.lstrip("#") for tag in given if tag[:1] not in ("_", "/") and not is_address(tag))


def section_names(value: object) -> tuple[str, ...]:
    """The sections or categories in a list or a path, the widest first. Sentences are left out."""
    given = _written_list(value, 2)
    return _unique_short(name.strip() for path in given for name in _LEVELS.split(path) if not is_address(path))


def _written_list(value: object, least_commas: int) -> list[str]:
    """The texts in a value. A single one is a list itself if it has separators, or at least these commas."""
    given = [plain_text(text) for text in islice(texts(value), _MOST_VALUES) if len(text) <= _LONGEST_LIST]
    if len(given) != 1 or given[0].count(",") < least_commas:
        return given
    separator = next((mark for mark in _SEPARATORS if mark.search(given[0])), None)
    return [part.strip() for part in separator.split(given[0])] if separator else given


def _unique_short(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if 0 < len(name) <= _LONGEST_TAG))[:_MOST_TAGS]


def image_address(value: object, base: str | None) -> str | None:
    """The address of the widest image, of the first if no width is known."""
    given = [size_and_address(image) for images in members(value) for image in members(images)[:_MOST_VALUES]]
    for _, address in sorted(given[:_MOST_VALUES], key=lambda image: -image[0]):
        safe = safe_url(plain_text(address), base) if address else None
        if safe and safe.rstrip("/").count("/") > 2 * ("://" in safe):  # else it is a site
            return safe
    return None


def size_and_address(image: object) -> tuple[int, str]:
    """The width of an image, 0 if it is unknown, and its address."""
    if not isinstance(image, dict):
        return 0, image if isinstance(image, str) else ""
    address = next((text for key in ("url", "contentUrl", "@id") for text in texts(image.get(key))), "")
    width = image.get("width")
    digits = str(next(texts(width), width)).partition(".")[0].removesuffix("px").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 7 else 0, address


def truth_value(value: object) -> bool | None:
    """The truth value that a page writes in one of many ways; None for other values."""
    value = value[0] if isinstance(value, list) and value else value
    return _TRUTH.get(str(value).rpartition("/")[2].strip().lower())


def is_address(text: str) -> bool:
    """Is a text an address?"""
    return "://" in text and " " not in text


LISTED = "Listed"  # the group of teasers
LOOSE = "loose"  # the group of properties that belong to no thing

_OWN_RANK = {group: rank for rank, group in enumerate((*GROUPS, LOOSE, COMMENT))}
_PARTS_OF_ARTICLES = frozenset({"Forum", "Product", "Event", "Video"})  # next to an article they are not the page

_MOST_THINGS = 15  # of a group
_MOST_ADDRESSES = 5  # of a property
_LEAST_WORDS = 3  # a shorter part of the TITLE is in many headlines
_MOST_STEPS = 20  # of breadcrumbs


class PropertyValue(NamedTuple):
    """A value of a property."""

    value: object  # as JSON has it
    row: int = -1  # of the element that has it, if one does


@dataclass(frozen=True, slots=True, eq=False)
class DeclaredThing:
    """Something that the page declares."""

    group: str  # of its types
    is_listed: bool  # in a list of things
    keys: Container[str]  # its properties
    values: Callable[[str], list[PropertyValue]]  # of a property


class PlacedThing(NamedTuple):
    """A thing, and the group that its places are named after."""

    group: str
    thing: DeclaredThing


def placed_things(things: Iterable[DeclaredThing], view: View) -> list[PlacedThing]:
    """The things with content: those of the page itself, then teasers."""
    groups: dict[str, list[DeclaredThing]] = {}
    for thing in things:
        if thing.group != "Page" or not thing.is_listed:  # pages in lists are steps of breadcrumbs
            groups.setdefault(thing.group, []).append(thing)
    page = _PageIdentity(view)
    own: list[PlacedThing] = []
    listed: list[PlacedThing] = []
    for group in sorted(_OWN_RANK.keys() & groups.keys(), key=_OWN_RANK.__getitem__):
        given = groups[group][: _MOST_THINGS if group != COMMENT else 1]  # the first of a thread may be its post
        is_beside = group in _PARTS_OF_ARTICLES and bool(own) and own[0].group == GROUPS[0]
        for thing, is_own in page.judged(given):
            if is_own and not is_beside:
                own.append(PlacedThing(group, thing))
            elif group != "Review":  # those of readers
                listed.append(PlacedThing(LISTED, thing))
    return own + listed


class _PageIdentity:
    """Knows which things are the page itself, by its addresses and its title."""

    def __init__(self, view: View) -> None:
        self._view = view

    def judged(self, things: list[DeclaredThing]) -> list[tuple[DeclaredThing, bool]]:
        """The things of one group, each with whether it is the page itself."""
        free = [thing for thing in things if not thing.is_listed]
        if len(things) == 1:
            return [(things[0], bool(free) or self._is_own(things[0]))]
        own = [thing for thing in free or things if len(free) == 1 or self._is_own(thing)]
        headlines = {fold(headline(thing)) for thing in free} if not own else set()
        if len(headlines) == 1 and "" not in headlines:
            own = free
        elif not own and len(free) == 2:
            own = free[:1]
        return [(thing, True) for thing in own] + [(thing, False) for thing in things if thing not in own]

    def _is_own(self, thing: DeclaredThing) -> bool:
        keys = ("url", "mainEntityOfPage", "@id")
        given = (address_in(found.value) for key in keys for found in thing.values(key)[:_MOST_ADDRESSES])
        if any(address_key(address, self._view.base) in self._addresses for address in given if address):
            return True
        name = f" {fold(headline(thing))} "
        return bool(name.strip()) and (name in self._title or any(part in name for part in self._parts))

    @cached_property
    def _addresses(self) -> frozenset[str]:
        links = self._view.head.links.get("canonical", [])
        given = (self._view.document.url, self._view.address, *links[:1])
        return frozenset(address_key(address, self._view.base) for address in given if address) - {""}

    @cached_property
    def _title(self) -> str:
        return f" {fold(self._view.document.title[:1000])} "

    @cached_property
    def _parts(self) -> list[str]:
        parts = map(fold, title_parts(self._view.document.title[:1000]))
        return [f" {part} " for part in parts if part.count(" ") + 1 >= _LEAST_WORDS]


def headline(thing: DeclaredThing) -> str:
    """The headline or name of a thing; empty without one."""
    given = (text for key in ("headline", "name") for found in thing.values(key)[:1] for text in texts(found.value))
    return plain_text(next(given, "")[:1000])


def address_in(value: object) -> str | None:
    """The address in a value: itself, or that of a thing."""
    for inner in members(value)[:_MOST_ADDRESSES]:
        if isinstance(inner, dict):
            inner = inner.get("url") or inner.get("@id")
            inner = inner[0] if isinstance(inner, list) and inner else inner
        if isinstance(inner, str) and inner.strip():
            return inner.strip()
    return None


def address_key(address: str, base: str | None) -> str:
    """A key that is the same for spellings of an address: without scheme, www, fragment and last slash."""
    if not address.startswith("http"):
        address = safe_url(address, base) or ""
    key = address.partition("#")[0].partition("://")[2].rstrip("/")
    return key.removeprefix("www.").lower()


def _breadcrumb_categories(trail: DeclaredThing, view: View) -> tuple[str, ...]:
    """The names of the steps between the first, which is the site, and the last, which is the page."""
    steps = [_step(item) for value, _ in trail.values("itemListElement")[:_MOST_STEPS] for item in members(value)]
    steps = sorted(steps[:_MOST_STEPS], key=lambda step: step[0])
    named = [(name, address_key(address, view.base) if address else "") for _, name, address in steps]
    if named and (named[0][1].partition("/")[2] == "" or (len(named) > 1 and is_home(named[0][0]))):
        del named[0]
    title = f" {fold(view.document.title[:1000])} "
    if named:
        name, address = named[-1]
        if not address or address == address_key(view.address, view.base) or f" {fold(name)} " in title:
            del named[-1]
    names = (plain_text(name) for name, _ in named if len(name) <= 100)
    return categories(dict.fromkeys(filter(None, names)))


def _step(item: object) -> tuple[float, str, str]:
    """The position, the name and the address of a step in breadcrumbs."""
    if not isinstance(item, dict):
        return 0, item if isinstance(item, str) else "", ""
    inner = item.get("item")
    name = next(texts(item.get("name")), "") or next(texts(inner), "")
    position = next(iter(members(item.get("position"))), 0)
    try:
        number = float(position) if isinstance(position, str | int | float) else 0
    except (OverflowError, ValueError):
        number = 0
    return number, "" if "://" in name else name, address_in(inner) or address_in(item.get("url")) or ""


_FoundValue = tuple[Value, str, int]  # a value, the end of its place, the row of its element

# The properties of a field, the most telling first.
_KEYS = {
    "title": ("headline", "name", "alternativeHeadline"),
    "authors": ("author", "creator"),
    "date": ("datePublished", "dateCreated", "uploadDate", "datePosted"),
    "date_modified": ("dateModified",),
    "site_name": ("publisher", "isPartOf"),
    "description": ("description", "abstract"),
    "language": ("inLanguage",),
    "section": ("articleSection",),
    "categories": ("articleSection", "category", "recipeCategory", "genre"),
    "tags": ("keywords", "about", "mentions"),
    "license": ("license",),
    "canonical_url": ("url", "mainEntityOfPage"),
    "image": ("image", "primaryImageOfPage", "thumbnailUrl"),
    "is_paywalled": ("isAccessibleForFree", "hasPart"),
}
# The groups that are asked for a field; for most fields all things of the page itself.
_OWN = frozenset({*GROUPS, LOOSE})
_ASKED = {
    "title": _OWN | {LISTED},
    "authors": _OWN | {LISTED, COMMENT},
    "date": _OWN | {LISTED, COMMENT},
    "date_modified": _OWN | {LISTED},
    "canonical_url": frozenset({"Article", "Page", "Forum"}),  # other things have addresses of their own
}
_MOST_TEASERS = 3
_MOST_AROUND = 3  # sites, organisations and breadcrumbs
_MOST_CANDIDATES = 12  # of a field
_MOST_VALUES_OF_KEY = 50
_LONGEST = 10_000  # characters of a description
_LONGEST_NAME = 500
_LONGEST_DATE = 100
_FAR = 30  # with more elements between them authors are in other parts of the page: in comments, below pictures
_MOST_PARTS = 3


class ThingSource(MetadataSource):
    """The candidates in the things of one source, which `things_in` finds when the first field is asked for."""

    def __init__(self, source: str, view: View, things_in: Callable[[View], Iterable[DeclaredThing]]) -> None:
        super().__init__(view)
        self._source, self._things_in = source, things_in

    @cached_property
    def _all(self) -> list[DeclaredThing]:
        return list(self._things_in(self._view))

    @cached_property
    def _placed(self) -> list[PlacedThing]:
        placed = placed_things(self._all, self._view)
        teasers = [each for each in placed if each.group == LISTED]
        return [each for each in placed if each.group != LISTED] + teasers[:_MOST_TEASERS]

    def candidates(self, field: str) -> list[Candidate]:
        """The candidates for a field, those of telling types first."""
        if not self._all or field not in _KEYS:
            return []
        found: dict[Candidate, None] = {}
        asked = _ASKED.get(field, _OWN)
        for group, thing in self._placed:
            for key in _KEYS[field] if group in asked else ():
                if key in thing.keys and (given := thing.values(key)):
                    for value, suffix, row in self._values(field, given, key):
                        place = f"{group}.{key}{suffix if group != LISTED else ''}"
                        found[Candidate(value, self._source, place, row)] = None
        for value, place, row in self._around(field) if field in ("site_name", "categories") else ():
            found[Candidate(value, self._source, place, row)] = None
        return list(islice(found, _MOST_CANDIDATES))

    def _around(self, field: str) -> Iterator[_FoundValue]:
        """Values of the things around the content: the site, breadcrumbs."""
        kinds = {"site_name": (SITE, ORGANIZATION), "categories": (BREADCRUMB,)}.get(field, ())
        for kind in kinds:
            for thing in [thing for thing in self._all if thing.group == kind][:_MOST_AROUND]:
                if kind != BREADCRUMB:
                    for name, _, row in self._values(field, thing.values("name"), "name"):
                        yield name, f"{kind}.name", row
                elif found := _breadcrumb_categories(thing, self._view):
                    yield found, BREADCRUMB, -1

    def _values(self, field: str, given: list[PropertyValue], key: str) -> Iterator[_FoundValue]:
        """The usable values of a property."""
        if field == "authors":
            yield from _authors(given)
        elif field in _READ_ALL:
            if value := _READ_ALL[field]([value for value, _ in given[:_MOST_VALUES_OF_KEY]], key, self._view):
                yield value, "", given[0].row
        else:
            reader, most = _READ_EACH[field]
            if field == "license" and not address_in(given[0].value):
                reader = _name
            for written, row in given[:most]:
                found = reader(written, key, self._view)
                if found is not None and found != "":
                    yield found, "", row
                    if field == "title":
                        return


def _authors(given: list[PropertyValue]) -> Iterator[_FoundValue]:
    for number, part in enumerate(islice(_neighbours(given[:_MOST_VALUES_OF_KEY]), _MOST_PARTS)):
        names: dict[str, list[str]] = {}
        for found in part:
            for author in members(found.value)[:_MOST_VALUES_OF_KEY]:
                group = group_of(types_of(author)) if isinstance(author, dict) else ""
                suffix = {PERSON: ".person", ORGANIZATION: ".organization"}.get(group, "")
                names.setdefault(suffix, []).extend(_author_names(author))
        if ".person" in names and "" in names:
            names[".person"] += names.pop("")
        for suffix, written in names.items():
            if authors := people(written):
                yield authors, ".later" if number else suffix, part[0].row


def _neighbours(given: list[PropertyValue]) -> Iterator[list[PropertyValue]]:
    """The values in runs whose elements are near each other."""
    run: list[PropertyValue] = []
    for found in given:
        if run and found.row - run[-1].row > _FAR:
            yield run
            run = []
        run.append(found)
    yield run


def _author_names(author: object) -> list[str]:
    """The names of an author as they are written."""
    if isinstance(author, dict) and not author.get("name"):
        parts = [next(texts(author.get(key)), "") for key in ("givenName", "familyName")]
        return [plain_text(" ".join(parts))] if any(parts) else []
    return [plain_text(text) for text in islice(texts(author), _MOST_VALUES_OF_KEY) if len(text) <= _LONGEST_NAME]


def _title(value: object, key: str, view: View) -> str | None:
    text = next(texts(value), "")
    text = plain_text(text) if len(text) <= _LONGEST_NAME else ""
    return None if is_address(text) else text


def _description(value: object, key: str, view: View) -> str | None:
    text = next(texts(value), "")
    return plain_text(text) if len(text) <= _LONGEST else None


def _date(value: object, key: str, view: View) -> Value | None:
    text = next(texts(value), "")
    return read(text, view.language) if len(text) <= _LONGEST_DATE else None


def _name(value: object, key: str, view: View) -> str | None:
    if key == "isPartOf" and isinstance(value, dict) and group_of(types_of(value)) in ("Page", "Article"):
        return None
    text = plain_text(next(texts(value), "")[:_LONGEST_NAME])
    return None if is_address(text) else values.licence(text) or text if key == "license" else text


def _language(value: object, key: str, view: View) -> str | None:
    return values.language(value.get("alternateName") or value.get("name") if isinstance(value, dict) else value)


def _address(value: object, key: str, view: View) -> str | None:
    address = address_in(value) or ""
    safe = safe_url(plain_text(address), view.base) if address.startswith(("http", "/")) else None
    return values.licence(safe) or safe if key == "license" else safe


def _paywall(value: object, key: str, view: View) -> bool | None:
    if key == "hasPart":
        parts = [part.get("isAccessibleForFree") for part in members(value)[:20] if isinstance(part, dict)]
        return any(truth_value(part) is False for part in parts) or None
    is_free = truth_value(value)
    return None if is_free is None else not is_free


def _categories(given: list[object], key: str, view: View) -> tuple[str, ...]:
    found = section_names(given)
    return categories(found) if key == "articleSection" else found  # "Home" is a category of products


# Readers of one value, and how many values of a property are read.
_READ_EACH: dict[str, tuple[Callable[[object, str, View], Value | None], int]] = {
    "title": (_title, _MOST_VALUES_OF_KEY),
    "date": (_date, _MOST_VALUES_OF_KEY),
    "date_modified": (_date, _MOST_VALUES_OF_KEY),
    "site_name": (_name, 2),
    "description": (_description, 2),
    "language": (_language, 3),
    "license": (_address, 2),
    "canonical_url": (_address, 2),
    "is_paywalled": (_paywall, 5),
}
# Readers of all values of a property together.
_READ_ALL: dict[str, Callable[[list[object], str, View], Value | None]] = {
    "section": lambda given, key, view: next(iter(categories(section_names(given))), None),
    "categories": _categories,
    "tags": lambda given, key, view: tag_names(given),
    "image": lambda given, key, view: image_address(given, view.base),
}

# Keys of lists in which the content of a page can be, and all keys under which it can be.
LISTS = frozenset({"itemListElement", "item", "hasPart", "review"})
_ABOUT = LISTS | {"@graph", "mainEntity", "mainEntityOfPage", "blogPost"}
_MOST_MEMBERS = 100


def linked_data_source(view: View) -> ThingSource:
    """The things in JSON-LD that the page is about."""
    return ThingSource("json-ld", view, _linked_things)


class References:
    """The objects of a page, and which of them an @id means."""

    def __init__(self, data: LinkedData) -> None:
        self.objects = data.things + data.mended

    @cached_property
    def _by_id(self) -> dict[str, Mapping[str, object]]:
        """For each @id the object with the most properties."""
        found: dict[str, Mapping[str, object]] = {}
        for each in checked(self.objects):
            name = each.fields.get("@id")
            if isinstance(name, str) and len(each.fields) > len(found.get(name, "@")):
                found[name] = each.fields
        return found

    def resolved(self, value: Any) -> Any:
        """A reference such as {"@id": "#author"} with the properties of the object of that id."""
        if isinstance(value, dict) and "@type" not in value and isinstance(value.get("@id"), str):
            return {**self._by_id.get(value["@id"], {}), **value}
        return value

    def values(self, fields: Mapping[str, object], key: str) -> list[PropertyValue]:
        """The values of a property, references resolved."""
        value = fields.get(key)
        given = value[:_MOST_MEMBERS] if isinstance(value, list) else [] if value is None else [value]
        return [PropertyValue(self.resolved(each)) for each in given]


def _linked_things(view: View) -> Iterator[DeclaredThing]:
    references = References(view.document.linked_data)
    for thing in references.objects:
        if thing.keys and not _ABOUT.issuperset(thing.keys):
            continue
        fields, group = thing.fields, group_of(thing.types)
        if any(":" in name for name in thing.types):
            fields = {key if key[:1] == "@" else local_name(key): value for key, value in fields.items()}
        if not group and ("headline" in fields or "datePublished" in fields):
            group = "Other"
        if group:
            is_listed = not LISTS.isdisjoint(thing.keys)
            yield DeclaredThing(group, is_listed, fields, partial(references.values, fields))
